//! Input of `chuhe analyze`, read lazily: lists line by line, games one by one.

use crate::board::{FenError, Position};
use crate::commands::files::is_standard_stream;
use crate::commands::inputs::{Named, may_begin_later, read_line};
use crate::records::{
    FORMAT_HEAD, Format, MAX_FILE, Record, RecordError, RecordResult, Records, check_uncompressed, decode, fen_list, is_utf16,
};
use crate::report::Origin;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// An input item; each gives one line of output.
pub enum Item {
    /// A position to search.
    Position {
        /// Its source, with game and ply if it belongs to a game.
        origin: Origin,
        /// The position with its history.
        position: Box<Position>,
    },
    /// A line, game or file that cannot be read.
    Fault {
        /// Its source.
        origin: Origin,
        /// The error message.
        error: String,
    },
    /// The end of a game, after all its positions.
    GameEnd {
        /// File and number of the game.
        origin: Origin,
        /// The game.
        record: Box<Record>,
    },
}

/// Receives the items; returns false to stop reading.
pub type Sink<'a> = &'a mut dyn FnMut(Item) -> bool;

/// Reads files into the sink, in the given format or in the one detected for each file. An unreadable file gives an [`Item::Fault`].
/// Returns false if the sink stopped the reading.
pub fn read_all(files: &[Named], format: Option<Format>, sink: Sink<'_>) -> bool {
    files.iter().all(|file| {
        let read = match file {
            Ok(path) => read_file(path, format, sink).map_err(|error| (path, error)),
            Err((path, error)) => Err((path, error.clone())),
        };
        read.unwrap_or_else(|(path, error)| sink(Item::Fault { origin: origin_of(path), error }))
    })
}

fn origin_of(path: &Path) -> Origin {
    Origin { file: path.display().to_string(), ..Origin::default() }
}

fn read_file(path: &Path, format: Option<Format>, sink: Sink<'_>) -> Result<bool, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut reader: Box<dyn BufRead> = if is_standard_stream(path) {
        Box::new(BufReader::with_capacity(FORMAT_HEAD, std::io::stdin()))
    } else {
        Box::new(BufReader::with_capacity(FORMAT_HEAD, File::open(path).map_err(failed)?))
    };
    let head = beginning(reader.as_mut()).map_err(failed)?;
    check_uncompressed(&head).map_err(|error| error.to_string())?;
    let is_wide = is_utf16(&head);
    let is_binary = head.iter().take(FORMAT_HEAD).any(|&byte| byte == 0) && !is_wide;
    let format = format.unwrap_or_else(|| Format::detect(path, &head));
    // UTF-16 cannot be split at bytes. Of a short title in Big5 only the other lines show the encoding; a pipe may have sent one line so far.
    let is_decoded_whole = is_wide || format == Format::Fen && path.is_file() && fen_list::is_in_big5(&head);
    let mut reader = Cursor::new(head).chain(reader);
    match format {
        format @ (Format::Pgn | Format::DhtmlXq | Format::Cbf | Format::Wxf | Format::Fen) if is_binary => {
            Err(format!("a binary file without the mark of a known format, expected text of format {format}"))
        }
        Format::Fen if is_decoded_whole => read_lines(path, &mut decode(&whole(&mut reader)?).as_bytes(), sink),
        Format::Fen => read_lines(path, &mut reader, sink),
        format => read_games(path, &mut reader, format, sink),
    }
}

/// The beginning of a file, which shows its format: of a pipe what has arrived with the first line that is not blank, and all of a page
/// or long text without a sign of a format in its first bytes, since much may stand before its games.
fn beginning(reader: &mut dyn BufRead) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    loop {
        let arrived = reader.fill_buf()?;
        let count = arrived.len();
        head.extend_from_slice(arrived);
        reader.consume(count);
        if may_begin_later(&head) {
            reader.take(MAX_FILE + 1).read_to_end(&mut head)?;
            return Ok(head);
        }
        let has_line = head.trim_ascii_start().iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        if count == 0 || has_line || head.len() >= FORMAT_HEAD {
            return Ok(head);
        }
    }
}

fn read_lines(path: &Path, reader: &mut dyn BufRead, sink: Sink<'_>) -> Result<bool, String> {
    let (mut number, mut has_titles_above) = (0, is_standard_stream(path).then_some(false));
    let mut is_empty = true;
    // The lines above the next position, with the faults that they are if none follows. A script that writes to a pipe may wait for its answer.
    let mut above: Vec<(String, Item)> = Vec::new();
    loop {
        let Some(line) = read_line(reader).map_err(|error| format!("line {}: {error}", number + 1))? else {
            return match is_empty {
                true => Err("no position in the file, expected lines of FEN or EPD".into()),
                false => Ok(above.into_iter().all(|(_, fault)| sink(fault))),
            };
        };
        number += 1;
        let Some(fen_list::Line { operations, record }) = fen_list::Line::read(&line) else { continue };
        is_empty = false;
        let title = record.is_err().then(|| fen_list::title_above(&line)).flatten();
        let is_title = *has_titles_above.get_or_insert(title.is_some());
        let mut origin = Origin { line: Some(number), ..origin_of(path) };
        // An overlong line is an error anyway, and its text should not be repeated in the output.
        let is_overlong = line.len() > fen_list::MAX_LINE;
        if !is_overlong {
            origin.operations = operations;
            origin.id = origin.operations.iter().find(|(name, _)| name == "id").map(|(_, id)| id.clone());
            origin.input = Some(decode(line.trim_ascii_end()).into_owned());
        }
        // Only its beginning has been read.
        let fault = |error: RecordError| match is_overlong {
            true => format!("longer than {} bytes, the most that is read of a line", fen_list::MAX_LINE),
            false => error.to_string(),
        };
        let item = match record.map_err(fault).and_then(|record| Ok((searchable(&record)?, record))) {
            Ok((position, mut record)) => {
                let titles: Vec<String> = above.drain(..).map(|(title, _)| title).collect();
                if !titles.is_empty() {
                    fen_list::prepend_title(&mut record, &titles.join(" "));
                }
                // In EPD, the text after the first semicolon is the next operation, not a title.
                origin.warnings = record.warnings();
                origin.title = record.tag("Title").filter(|_| origin.operations.is_empty()).map(str::to_string);
                Item::Position { origin, position: Box::new(position) }
            }
            Err(error) => Item::Fault { origin, error },
        };
        let mut items = Vec::new();
        match title.filter(|_| is_title) {
            Some(title) => {
                above.push((title, item));
                if above.len() > fen_list::TITLE_LINES {
                    items.push(above.remove(0).1);
                }
            }
            None => items.extend(above.drain(..).map(|(_, fault)| fault).chain([item])),
        }
        if !items.into_iter().all(&mut *sink) {
            return Ok(false);
        }
    }
}

/// The rest of a file.
fn whole(reader: &mut dyn BufRead) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = MAX_FILE;
    reader.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    match bytes.len() as u64 > most {
        true => Err(format!("larger than {} MiB, the most that is read of games", most >> 20)),
        false => Ok(bytes),
    }
}

fn read_games(path: &Path, reader: &mut dyn BufRead, format: Format, sink: Sink<'_>) -> Result<bool, String> {
    let mut games = 0;
    for record in Records::new(whole(reader)?, Some(format)).map_err(|error| error.to_string())? {
        games += 1;
        let origin = Origin { game: Some(games), ..origin_of(path) };
        // The inner error, because the origin already has the number of the game.
        let read = record.map_err(|error| error.inner().to_string()).and_then(|record| {
            if format == Format::Pgn && is_no_game(&record) {
                return Err("neither tags nor moves, expected a game in PGN".into());
            }
            let start = record.position(record.root()).map_err(|error| error.to_string())?;
            strict(&start)?;
            Ok((record, start))
        });
        let mut origin = origin;
        let (record, mut position) = match read {
            Ok(found) => {
                origin.title = found.0.tag("Title").map(|title| title.trim().to_string()).filter(|title| !title.is_empty());
                found
            }
            Err(error) => {
                if !sink(Item::Fault { origin, error }) {
                    return Ok(false);
                }
                continue;
            }
        };
        let mut moves = record.moves();
        for ply in 0.. {
            let origin = Origin { ply: Some(ply), ..origin.clone() };
            if !sink(Item::Position { origin, position: Box::new(position.clone()) }) {
                return Ok(false);
            }
            match moves.next() {
                Some(mv) => position.make(mv),
                None => break,
            }
        }
        drop(moves);
        if !sink(Item::GameEnd { origin, record: Box::new(record) }) {
            return Ok(false);
        }
    }
    if games == 0 {
        return Err(format!("no game in the file, expected a record of format {format}"));
    }
    Ok(true)
}

/// Whether the parser found neither moves, result, position nor tags.
fn is_no_game(record: &Record) -> bool {
    let is_bare = record.tags().next().is_none() && record.start.is_standard();
    record.moves_in_tree() == 0 && record.result == RecordResult::Unknown && is_bare
}

/// The final position of a record, if it can be searched.
fn searchable(record: &Record) -> Result<Position, String> {
    if let Some(fault) = record.main_line_fault() {
        return Err(fault.to_string());
    }
    record.start.position().map_err(|error| FenError::from(error).to_string())?;
    let position = record.final_position().map_err(|error| error.to_string())?;
    strict(&position)?;
    Ok(position)
}

/// Records may contain composed diagrams with pawns on squares they cannot reach; the search does not accept these.
fn strict(position: &Position) -> Result<(), String> {
    crate::board::Board::from_fen(&position.to_fen()).map(drop).map_err(|error| error.to_string())
}
