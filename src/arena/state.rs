//! The file from which an interrupted match is taken up again: a line that tells what match it is, then one line for each
//! finished game.

use super::error::{ArenaError, StateProblem};
use super::game::Ending;
use crate::part_file;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A finished game, as it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Number of the game, from 0. Even ones have the first engine of their pairing as Red.
    pub game: usize,
    /// Half points of the first engine of the pairing, 0 to 2.
    pub half_points: usize,
    /// Why it ended.
    pub ending: Ending,
    /// Plies played by the engines.
    pub plies: usize,
}

#[derive(Serialize, Deserialize)]
struct Header {
    chuhe_match: String,
}

/// The file. It is changed only when the first game is about to begin.
pub struct StateFile {
    path: PathBuf,
    /// Open for more games, once it has been prepared.
    file: Option<File>,
    /// What it must hold before, where that differs from what it holds.
    start: Option<String>,
}

impl StateFile {
    /// Opens the file of the match described by `description`, and returns the games that are already played. A last line
    /// that was cut off by an interruption is dropped. With `force`, whatever the file holds is replaced.
    ///
    /// # Errors
    /// When the file can't be used or belongs to another match.
    pub fn open(path: &Path, description: &str, force: bool) -> Result<(StateFile, Vec<Finished>), ArenaError> {
        let failed = |error: std::io::Error| ArenaError::file(path, error);
        let bytes = match path.metadata() {
            // A device or a pipe would be read without end.
            Ok(data) if !data.is_file() => {
                let problem = if data.is_dir() { "a folder" } else { "a device or a pipe" };
                let text = format!("{problem}, expected a file to keep the state in");
                return Err(failed(std::io::Error::new(ErrorKind::InvalidInput, text)));
            }
            Ok(_) if force => Vec::new(),
            Ok(_) => std::fs::read(path).map_err(failed)?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let finished = read(complete, &text, description).map_err(|problem| ArenaError::State { path: path.into(), problem })?;
        let start = if complete.is_empty() {
            Some(line(&Header { chuhe_match: description.into() }))
        } else {
            (complete.len() < bytes.len()).then(|| complete.to_string())
        };
        Ok((StateFile { path: path.into(), file: None, start }, finished))
    }

    /// Gets the file ready for more games.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn prepare(&mut self) -> Result<&mut File, ArenaError> {
        let failed = |error: std::io::Error| ArenaError::file(&self.path, error);
        if let Some(start) = self.start.take() {
            part_file::replace(&self.path, start.as_bytes()).map_err(failed)?;
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => OpenOptions::new().append(true).open(&self.path).map_err(failed)?,
        };
        Ok(self.file.insert(file))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn add(&mut self, finished: &Finished) -> Result<(), ArenaError> {
        let written = self.prepare()?.write_all(line(finished).as_bytes());
        written.map_err(|error| ArenaError::file(&self.path, error))
    }
}

/// The games of a text; `complete` is the part of it that ends in a line end.
fn read(complete: &str, text: &str, description: &str) -> Result<Vec<Finished>, StateProblem> {
    let mut lines = complete.lines().enumerate();
    let Some((_, first)) = lines.next() else {
        // Half a header is all that an interruption can have left; anything else is somebody's file.
        let is_header = line(&Header { chuhe_match: description.into() }).starts_with(text);
        return if is_header { Ok(Vec::new()) } else { Err(StateProblem::NoHeader) };
    };
    let header: Header = serde_json::from_str(first).map_err(|_| StateProblem::NoHeader)?;
    if header.chuhe_match != description {
        return Err(StateProblem::OtherMatch { found: header.chuhe_match, expected: description.into() });
    }
    let game = |(number, line): (usize, &str)| {
        let problem = |problem: String| StateProblem::Line { line: number + 1, problem };
        let finished: Finished = serde_json::from_str(line).map_err(|error| problem(error.to_string()))?;
        if finished.half_points > 2 {
            return Err(problem(format!("{} half points, expected 0 to 2", finished.half_points)));
        }
        Ok(finished)
    };
    lines.map(game).collect()
}

/// A value as a line of JSON. The values are plain numbers and texts, which always can be written.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_taken_up_where_it_stopped() {
        let path = std::env::temp_dir().join(format!("chuhe-state-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let game = |game| Finished { game, half_points: 2, ending: Ending::Mate, plies: 80 };
        let (mut state, games) = StateFile::open(&path, "a vs b", false).unwrap();
        assert_eq!(games, []);
        state.add(&game(0)).unwrap();
        state.add(&game(1)).unwrap();
        // Who has stopped holds the file no longer: some systems put no other in the place of one that is open.
        drop(state);
        // An interruption in the middle of a line.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":2,\"ha").unwrap();
        let (mut state, games) = StateFile::open(&path, "a vs b", false).unwrap();
        assert_eq!(games, [game(0), game(1)]);
        state.add(&game(2)).unwrap();
        assert_eq!(StateFile::open(&path, "a vs b", false).unwrap().1.len(), 3);
        assert!(StateFile::open(&path, "a vs c", false).err().unwrap().to_string().contains("another match"));
        assert_eq!(StateFile::open(&path, "a vs c", true).unwrap().1, []);
        // Somebody's file, with and without a line end.
        for text in ["hello\n", "hello", "\u{fffd}"] {
            std::fs::write(&path, text).unwrap();
            assert!(StateFile::open(&path, "a vs b", false).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        // Half a header.
        std::fs::write(&path, "{\"chuhe_ma").unwrap();
        assert_eq!(StateFile::open(&path, "a vs b", false).unwrap().1, []);
        std::fs::remove_file(&path).unwrap();
    }
}
