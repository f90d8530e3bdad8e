//! The file from which an interrupted match is taken up again: a line that tells what match it is, then one line for each
//! finished game.

use super::game::Ending;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A finished game, as it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Number of the game, from 0. Even ones have the first engine as Red.
    pub game: usize,
    /// Half points of the first engine, 0 to 2.
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

/// The open file.
pub struct StateFile {
    file: File,
    path: PathBuf,
}

impl StateFile {
    /// Opens the file of the match described by `description`, and returns the games that are already played. A last line
    /// that was cut off by an interruption is dropped.
    ///
    /// # Errors
    /// A sentence that names the file, when it can't be used or belongs to another match.
    pub fn open(path: &Path, description: &str) -> Result<(StateFile, Vec<Finished>), String> {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(at(&error)),
        };
        let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = complete.lines().enumerate();
        let mut finished = Vec::new();
        if let Some((_, first)) = lines.next() {
            let header: Header = serde_json::from_str(first).map_err(|_| at(&"line 1 is no header of a match"))?;
            if header.chuhe_match != description {
                return Err(at(&format!("belongs to another match: '{}', expected '{description}'", header.chuhe_match)));
            }
            for (number, line) in lines {
                let game = serde_json::from_str(line).map_err(|error| at(&format!("line {}: {error}", number + 1)))?;
                finished.push(game);
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| at(&error))?;
        file.set_len(complete.len() as u64).map_err(|error| at(&error))?;
        let mut state = StateFile { file, path: path.into() };
        if complete.is_empty() {
            state.write(&Header { chuhe_match: description.into() })?;
        }
        Ok((state, finished))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// A sentence that names the file, when it can't be written.
    pub fn add(&mut self, finished: &Finished) -> Result<(), String> {
        self.write(finished)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), String> {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let line = serde_json::to_string(value).map_err(|error| at(&error))? + "\n";
        self.file.write_all(line.as_bytes()).map_err(|error| at(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_taken_up_where_it_stopped() {
        let path = std::env::temp_dir().join(format!("chuhe-state-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let game = |game| Finished { game, half_points: 2, ending: Ending::Mate, plies: 80 };
        let (mut state, games) = StateFile::open(&path, "a vs b").unwrap();
        assert_eq!(games, []);
        state.add(&game(0)).unwrap();
        state.add(&game(1)).unwrap();
        // An interruption in the middle of a line.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":2,\"ha").unwrap();
        let (mut state, games) = StateFile::open(&path, "a vs b").unwrap();
        assert_eq!(games, [game(0), game(1)]);
        state.add(&game(2)).unwrap();
        assert_eq!(StateFile::open(&path, "a vs b").unwrap().1.len(), 3);
        assert!(StateFile::open(&path, "a vs c").err().unwrap().contains("another match"));
        std::fs::write(&path, "hello\n").unwrap();
        assert!(StateFile::open(&path, "a vs b").is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
