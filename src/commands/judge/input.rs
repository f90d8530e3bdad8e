//! What `chuhe judge` is to judge: moves among the arguments, or the games of files and folders.

use super::{Judge, Line, Origin};
use crate::board::Position;
use crate::commands::Failure;
use crate::commands::output::note;
use crate::notation::{self, LineReader, System, strip_number};
use crate::records::{Format, Record, RecordProblem, Records};
use crate::types::Move;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Takes a line, or why there is none, and whether its file holds others.
pub type Take<'a> = &'a mut dyn FnMut(Result<Line, Failure>, bool) -> Result<(), Failure>;

impl Judge {
    /// The files to read, unless the line stands in the arguments. Folders are searched with their subfolders.
    pub(super) fn files(&self) -> Result<Option<Vec<PathBuf>>, Failure> {
        // No notation writes a move that ends like a file of games.
        let is_file = |text: &String| text == "-" || Format::of_path(Path::new(text)).is_some() || Path::new(text).is_dir();
        let named: Vec<PathBuf> = match self.file.is_empty() {
            true if !self.moves.is_empty() && self.moves.iter().all(is_file) => self.moves.iter().map(PathBuf::from).collect(),
            true => Vec::new(),
            false => self.file.clone(),
        };
        match (&named[..], self.game) {
            ([], None) => return Ok(None),
            ([], Some(_)) => return Err("--game: picks a game of a file, but there is no file".into()),
            (_, _) if self.fen.is_some() => {
                return Err("--fen: goes with moves, a game file has its own start position".into());
            }
            (_, _) if self.from.is_some() => {
                return Err("--from: goes with moves, the notation of a game file is detected".into());
            }
            ([path], _) if !path.is_dir() => {}
            (_, Some(_)) => return Err("--game: picks a game of one file, but there are several".into()),
            _ => {}
        }
        let mut files = Vec::new();
        for path in named {
            if !path.is_dir() {
                files.push(path);
                continue;
            }
            let before = files.len();
            for entry in WalkDir::new(&path).sort_by_file_name() {
                let entry = entry.map_err(|error| Failure::from(error.to_string()))?;
                if entry.file_type().is_file() && Format::of_path(entry.path()).is_some() {
                    files.push(entry.into_path());
                }
            }
            if files.len() == before {
                return Err(Failure::at(path.display())("no game file in the folder"));
            }
        }
        Ok(Some(files))
    }

    /// Gives the games of a file, or the one that is asked for.
    pub(super) fn read_file(&self, path: &Path, take: Take<'_>) -> Result<(), Failure> {
        let name = path.display();
        let mut records = match Records::open(path, None) {
            Ok(records) => records.peekable(),
            Err(error) => return take(Err(error.into()), false),
        };
        if records.peek().is_none() {
            return take(Err(Failure::at(name)("no game in the file")), false);
        }
        let mut count = 0;
        let mut is_found = false;
        while let Some(record) = records.next() {
            count += 1;
            let is_one_of_many = self.game.is_none() && (count > 1 || records.peek().is_some());
            if self.game.is_some_and(|game| game as usize != count) {
                continue;
            }
            is_found = true;
            let origin = Origin { file: name.to_string(), game: count };
            let record = match record.map_err(Failure::at(name.to_string())) {
                Ok(record) => record,
                Err(failure) => {
                    take(Err(failure), is_one_of_many)?;
                    continue;
                }
            };
            if is_one_of_many && record.plies() == 0 && record.start.position().is_err() {
                note(format_args!("{origin}: a heading without a position, not judged"));
                continue;
            }
            take(self.main_line(&record, origin), is_one_of_many)?;
        }
        match (self.game, is_found) {
            (Some(game), false) => take(Err(format!("{name}: --game {game}: games in the file: {count}").into()), false),
            _ => Ok(()),
        }
    }

    /// The main line of a record, unless it ends at an unreadable move before the ply that is to be judged.
    fn main_line(&self, record: &Record, origin: Origin) -> Result<Line, Failure> {
        let start = record.start.position().map_err(RecordProblem::from).map_err(Failure::at(&origin))?;
        if let Some(fault) = record.main_line_fault()
            && self.ply.is_none_or(|ply| ply > record.plies())
        {
            return Err(Failure::at(&origin)(fault));
        }
        let faults = record.warnings().into_iter().filter(|warning| Some(warning.as_str()) != record.main_line_fault());
        faults.for_each(|warning| note(format_args!("{origin}: {warning}")));
        Ok(Line { start, moves: record.moves().collect(), system: None, origin: Some(origin) })
    }

    /// The line that stands in the arguments.
    pub(super) fn read_arguments(&self) -> Result<Line, Failure> {
        let start = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_diagram(fen).map_err(Failure::at("--fen"))?,
        };
        let reader = self.from.map_or_else(LineReader::default, LineReader::new);
        let line = reader.read(start.clone(), &self.moves)?;
        line.note().into_iter().for_each(note);
        let moves: Vec<Move> = line.position.moves().collect();
        let system = self.nearest(&start, &moves, &line.systems);
        Ok(Line { start, moves, system, origin: None })
    }
    /// The system, of those in which the arguments read so, that writes most of them as they stand.
    fn nearest(&self, start: &Position, moves: &[Move], systems: &[System]) -> Option<System> {
        let narrow = |text: &str| -> String {
            text.chars()
                .map(|c| char::from_u32((c as u32).wrapping_sub(0xfee0)).filter(char::is_ascii_digit).unwrap_or(c))
                .collect()
        };
        let typed: Vec<String> =
            self.moves.iter().flat_map(|text| text.split_whitespace()).map(|word| narrow(strip_number(word))).collect();
        let likeness = |system: &System| {
            let written = notation::write_line(*system, start.board(), moves);
            written.iter().filter(|text| typed.contains(&narrow(text))).count()
        };
        // The first of equals.
        systems.iter().rev().copied().max_by_key(likeness)
    }
}
