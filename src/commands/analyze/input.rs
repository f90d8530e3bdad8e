//! What is to be analysed, read as it is needed: lists line by line, games one by one.

use crate::board::Position;
use crate::records::{Format, Record, Records, fen_list};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// One thing that has one line of output.
pub enum Item {
    /// A position to search, with game and ply when it belongs to a game.
    Position { position: Box<Position>, game: Option<(usize, usize)> },
    /// A line or game that cannot be read.
    Fault(Fault),
    /// All positions of a game have been given.
    GameEnd { game: usize, record: Box<Record> },
}

/// What is wrong with a line or game.
#[derive(serde::Serialize)]
pub struct Fault {
    /// The file, when there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of the line in its file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Number of the game in the whole input, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// What is wrong and what was expected.
    pub error: String,
}

/// The items of some files.
pub struct Input {
    games: usize,
    format: Option<Format>,
    many: bool,
}

/// Takes the items; false ends the reading.
pub type Sink<'a> = &'a mut dyn FnMut(Item) -> bool;

impl Input {
    /// For one or many files, whose format is told by themselves when it is not given.
    pub fn new(format: Option<Format>, many: bool) -> Input {
        Input { games: 0, format, many }
    }

    /// Reads a file into the sink. False when the sink has had enough.
    ///
    /// # Errors
    /// When the file as a whole cannot be read.
    pub fn read(&mut self, path: &Path, sink: Sink<'_>) -> Result<bool, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut reader: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(BufReader::new(std::io::stdin()))
        } else {
            Box::new(BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?))
        };
        let head = reader.fill_buf().map_err(failed)?;
        let seen = Format::of_bytes(head);
        let is_text = !head.contains(&0);
        let named = Format::of_path(path);
        let told = if matches!(seen, Format::Fen | Format::Pgn) { named.unwrap_or(seen) } else { seen };
        match self.format.unwrap_or(told) {
            Format::Fen if is_text => self.read_lines(path, reader.as_mut(), sink),
            format => self.read_games(path, reader.as_mut(), format, sink),
        }
    }

    fn fault(&self, path: &Path, line: Option<usize>, game: Option<usize>, error: String) -> Item {
        let file = self.many.then(|| path.display().to_string());
        Item::Fault(Fault { file, line, game, error })
    }

    fn read_lines(&mut self, path: &Path, reader: &mut dyn BufRead, sink: Sink<'_>) -> Result<bool, String> {
        let mut number = 0;
        loop {
            let mut line = Vec::new();
            let read = reader.take(fen_list::MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
            if read.map_err(|error| format!("{}: line {}: {error}", path.display(), number + 1))? == 0 {
                return Ok(true);
            }
            number += 1;
            if line.len() > fen_list::MAX_LINE && line.last() != Some(&b'\n') {
                skip_line(reader).map_err(|error| format!("{}: line {number}: {error}", path.display()))?;
            }
            let item = match fen_list::read_line(&line) {
                None => continue,
                Some(Err(error)) => self.fault(path, Some(number), None, error.to_string()),
                Some(Ok(record)) => match searchable(&record) {
                    Ok(position) => Item::Position { position: Box::new(position), game: None },
                    Err(error) => self.fault(path, Some(number), None, error),
                },
            };
            if !sink(item) {
                return Ok(false);
            }
        }
    }

    fn read_games(&mut self, path: &Path, reader: &mut dyn BufRead, format: Format, sink: Sink<'_>) -> Result<bool, String> {
        let failed = |error: String| format!("{}: {error}", path.display());
        let mut bytes = Vec::new();
        let most = crate::records::MAX_FILE;
        reader.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > most {
            return Err(failed(format!("larger than {} MiB, the most that is read of games", most >> 20)));
        }
        for record in Records::new(bytes, Some(format)).map_err(|error| failed(error.to_string()))? {
            self.games += 1;
            let game = self.games;
            let fault = |error: String| self.fault(path, None, Some(game), error);
            let (record, mut position) = match record.map_err(|error| error.to_string()).and_then(|record| {
                let start = record.position(record.root()).and_then(|position| strict(&position).map(|()| position));
                start.map(|position| (record, position))
            }) {
                Ok(found) => found,
                Err(error) => {
                    if !sink(fault(error)) {
                        return Ok(false);
                    }
                    continue;
                }
            };
            let mut moves = record.moves();
            for ply in 0.. {
                if !sink(Item::Position { position: Box::new(position.clone()), game: Some((game, ply)) }) {
                    return Ok(false);
                }
                match moves.next() {
                    Some(mv) => position.make(mv),
                    None => break,
                }
            }
            drop(moves);
            if !sink(Item::GameEnd { game, record: Box::new(record) }) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The final position of a record, if the search can be asked about it.
fn searchable(record: &Record) -> Result<Position, String> {
    let position = record.final_position()?;
    strict(&position)?;
    Ok(position)
}

/// Records may hold composed diagrams with pawns where no game could have put them; the search may not.
fn strict(position: &Position) -> Result<(), String> {
    crate::board::Board::from_fen(&position.to_fen()).map(drop).map_err(|error| error.to_string())
}

/// Reads to the end of the line without keeping it.
fn skip_line(reader: &mut dyn BufRead) -> std::io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
