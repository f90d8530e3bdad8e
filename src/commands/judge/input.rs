//! Input of `chuhe judge`: moves given as arguments, or the games of files and folders.

use super::{Judge, Line, Origin, Unjudged};
use crate::board::Position;
use crate::commands::inputs::{Named, expand};
use crate::commands::output::note;
use crate::commands::progress::Reading;
use crate::commands::{Failure, check_moves, start_position, without_result};
use crate::notation::{self, LineReader, System, strip_number};
use crate::records::{Format, Record, RecordProblem, Records};
use crate::rules::Language;
use crate::types::Move;
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// Receives a line or the error in its place, and whether its file contains several games.
pub type Take<'a> = &'a mut dyn FnMut(Result<Line, Unjudged>, bool) -> Result<(), Failure>;

impl Judge {
    /// The files to read, or `None` if the moves are given as arguments. Folders are searched recursively.
    pub(super) fn files(&self) -> Result<Option<Vec<Named>>, Failure> {
        // No move in any notation ends with the extension of a game file.
        let is_game = |text: &OsString| Format::of_path(Path::new(text)).is_some();
        let is_file = |text: &OsString| text == "-" || is_game(text) || Path::new(text).is_dir();
        let named: Vec<PathBuf> = match self.file.is_empty() {
            // Beside the name of a game file any other text is one too, be it misspelt; folders and `-` may also be named like a move.
            true if self.moves.iter().any(is_game)
                || self.moves.iter().any(is_file) && self.moves.iter().all(|text| is_file(text) || Path::new(text).is_file()) =>
            {
                self.moves.iter().map(PathBuf::from).collect()
            }
            // Games piped in without an argument; otherwise the start position is judged.
            true if self.moves.is_empty() && self.fen.is_none() && has_piped_input() => vec![PathBuf::from("-")],
            true => Vec::new(),
            false => self.file.clone(),
        };
        match (&named[..], self.game) {
            ([], None) => return Ok(None),
            ([], Some(_)) => return Err(Failure::Usage("--game: picks a game of a file, but there is no file".into())),
            (_, _) if self.fen.is_some() => {
                return Err(Failure::Usage("--fen: goes with moves, a game file has its own start position".into()));
            }
            (_, _) if self.from.is_some() => {
                return Err(Failure::Usage("--from: goes with moves, the notation of a game file is detected".into()));
            }
            ([path], _) if !path.is_dir() => {}
            (_, Some(_)) => return Err(Failure::Usage("--game: picks a game of one file, but there are several".into())),
            _ => {}
        }
        Ok(Some(expand(&named, false, &[])))
    }

    /// Passes the games of a file, or the one selected by `--game`, to `take`.
    pub(super) fn read_file(&self, path: &Path, reading: &Reading, take: Take<'_>) -> Result<(), Failure> {
        let name = path.display();
        let mut records = match Records::open(path, None) {
            Ok(records) => records,
            Err(error) => return take(Err(Failure::from(error).into()), false),
        };
        let mut following = records.next();
        if following.is_none() {
            return take(Err(Failure::at(name)("no game in the file").into()), false);
        }
        let mut count = 0;
        let mut is_found = false;
        while let Some(record) = following {
            let line = records.line();
            following = records.next();
            reading.share(records.share_read());
            count += 1;
            let is_one_of_many = self.game.is_none() && (count > 1 || following.is_some());
            if self.game.is_some_and(|game| game as usize != count) {
                continue;
            }
            is_found = true;
            let title = record.as_ref().ok().and_then(|record| record.tag("Title")).map(str::to_string);
            let origin = Origin { file: name.to_string(), game: count, line, title };
            let record = match record.map_err(Failure::at(name.to_string())) {
                Ok(record) => record,
                Err(failure) => {
                    take(Err(Unjudged { origin: Some(Box::new(origin)), failure }), is_one_of_many)?;
                    continue;
                }
            };
            if is_one_of_many && line.is_none() && record.plies() == 0 && record.start.position().is_err() {
                reading.note(format_args!("{origin}: a heading without a position, not judged"));
                continue;
            }
            let line = self.main_line(&record, origin.clone(), reading);
            take(line.map_err(|failure| Unjudged { origin: Some(Box::new(origin)), failure }), is_one_of_many)?;
            if self.game.is_some() {
                return Ok(());
            }
        }
        match (self.game, is_found) {
            (Some(game), false) => {
                take(Err(Failure::from(format!("{name}: --game {game}: games in the file: {count}")).into()), false)
            }
            _ => Ok(()),
        }
    }

    /// The main line of a record; an error if it ends at an unreadable move before the ply to judge.
    fn main_line(&self, record: &Record, origin: Origin, reading: &Reading) -> Result<Line, Failure> {
        let start = record.start.position().map_err(RecordProblem::from).map_err(Failure::at(&origin))?;
        if record.main_line_fault().is_some() && self.ply.is_none_or(|ply| ply > record.plies()) {
            let fault = |language| record.main_line_fault_in(language).unwrap_or_default().to_string();
            return Err(Failure::at(&origin)(self.joined(fault)));
        }
        for (english, chinese) in record.warnings().into_iter().zip(record.warnings_in(Language::Chinese)) {
            if Some(english.as_str()) != record.main_line_fault() {
                let text = self.joined(|language| if language == Language::Chinese { &chinese } else { &english }.clone());
                reading.note(format_args!("{origin}: {text}"));
            }
        }
        Ok(Line { start, moves: record.moves().collect(), system: None, origin: Some(origin) })
    }

    /// The line given as arguments.
    pub(super) fn read_arguments(&self) -> Result<Line, Failure> {
        let start = start_position(self.fen.as_deref())?;
        let reader = self.from.map_or_else(LineReader::default, LineReader::new);
        let texts: Vec<String> = self.moves.iter().map(|text| text.to_string_lossy().into_owned()).collect();
        check_moves(&texts)?;
        let read = reader.read(start.clone(), &without_result(&texts));
        let line = match self.moves.iter().map(Path::new).find(|path| path.is_file()) {
            // Only names with the extension of a game file are taken for files.
            Some(path) if read.is_err() => {
                return Err(Failure::at(path.display())("a file without the extension of a game file, which --file reads"));
            }
            _ => read?,
        };
        line.note().into_iter().for_each(|reading| note(format_args!("{reading}; see --from")));
        let moves: Vec<Move> = line.position.moves().collect();
        let system = nearest(&texts, &start, &moves, &line.systems);
        Ok(Line { start, moves, system, origin: None })
    }
}

/// Whether anything is piped to standard input. Waits until that is known.
fn has_piped_input() -> bool {
    let stdin = std::io::stdin();
    !stdin.is_terminal() && stdin.lock().fill_buf().is_ok_and(|bytes| !bytes.is_empty())
}

/// Of the systems in which these texts give the same moves, the one that writes most of them identically.
fn nearest(texts: &[String], start: &Position, moves: &[Move], systems: &[System]) -> Option<System> {
    let narrow = |text: &str| -> String {
        text.chars().map(|c| char::from_u32((c as u32).wrapping_sub(0xfee0)).filter(char::is_ascii_digit).unwrap_or(c)).collect()
    };
    let typed: Vec<String> =
        texts.iter().flat_map(|text| text.split_whitespace()).map(|word| narrow(strip_number(word))).collect();
    let likeness = |system: &System| {
        let written = notation::write_line(*system, start.board(), moves);
        written.iter().filter(|text| typed.contains(&narrow(text))).count()
    };
    // Reversed, because `max_by_key` returns the last of equal elements and the first is wanted.
    systems.iter().rev().copied().max_by_key(likeness)
}
