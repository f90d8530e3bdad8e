//! The state file, from which an interrupted match can be resumed: a line that identifies the match, then one line per finished game.
//!
//! A game's line is written before the game is appended to the PGN file and records its position there, so that the effects of an
//! interruption at any moment can be detected, see [`super::outputs`].

use super::error::{ArenaError, StateProblem};
use super::game::Ending;
use crate::system::LockedFile;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A finished game as recorded in the state file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Number of the game, from 0. In even games the first engine of the pairing is Red.
    pub game: usize,
    /// Half points of the first engine of the pairing, 0 to 2.
    pub half_points: usize,
    /// The reason for the end.
    pub ending: Ending,
    /// Plies played by the engines.
    pub plies: usize,
    /// Location in the PGN file; `None` without such a file, and in state files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<Span>,
}

/// The location of a game in the PGN file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Span {
    /// Offset of its first byte.
    pub at: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// CRC-32 of its bytes.
    pub crc: u32,
}

impl Span {
    /// Offset of the byte after it.
    pub fn end(&self) -> u64 {
        self.at.saturating_add(self.bytes)
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    chuhe_match: String,
    /// Size of the PGN file before the first game of this match; `None` in state files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pgn_from: Option<u64>,
    /// Names of the engines; empty in state files of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

/// The state file, locked against other writers. It is not modified before [`StateFile::prepare`].
pub struct StateFile {
    path: PathBuf,
    file: LockedFile,
    description: String,
    /// Length of the complete lines in bytes; anything after them is a truncated line.
    complete: u64,
    /// Offset of the last complete line.
    last: u64,
    /// A missing line end, to be written after the complete lines.
    missing: &'static str,
    pgn_from: Option<u64>,
    names: Vec<String>,
    is_truncated: bool,
    is_prepared: bool,
}

impl StateFile {
    /// Opens the file of the match described by `description`, and returns the games already played. A last line truncated by an
    /// interruption is dropped. With `force`, any contents are replaced.
    ///
    /// # Errors
    /// If the file cannot be used, is damaged, belongs to another match, or is being written by another process.
    pub fn open(path: &Path, description: &str, force: bool) -> Result<(StateFile, Vec<Finished>), ArenaError> {
        let failed = |error: std::io::Error| ArenaError::file(path, error);
        if let Ok(data) = path.metadata()
            && !data.is_file()
        {
            // Reading a device or a pipe might never end.
            let problem = if data.is_dir() { "a folder" } else { "a device or a pipe" };
            let text = format!("{problem}, expected a file to keep the state in");
            return Err(failed(std::io::Error::new(ErrorKind::InvalidInput, text)));
        }
        let mut file = LockedFile::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        if !force {
            file.read_to_end(&mut bytes).map_err(failed)?;
        }
        let read = read(&bytes, description).map_err(|problem| ArenaError::State { path: path.into(), problem })?;
        let Contents { finished, complete, last, missing, pgn_from, names } = read;
        let (path, description, is_truncated) = (path.to_path_buf(), description.to_string(), bytes.len() as u64 > complete);
        let is_prepared = false;
        Ok((StateFile { path, file, description, complete, last, missing, pgn_from, names, is_truncated, is_prepared }, finished))
    }

    /// Size of the PGN file before the first game of this match, if known.
    pub fn pgn_from(&self) -> Option<u64> {
        self.pgn_from
    }

    /// The names of the engines in the run that began the file; empty if unknown.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Sets the names that [`StateFile::prepare`] writes to a file without a header.
    pub fn set_names(&mut self, names: &[String]) {
        if self.is_empty() {
            self.names = names.to_vec();
        }
    }

    /// Whether the last line, of a game or the header, was truncated.
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// Whether the file has no header yet.
    pub fn is_empty(&self) -> bool {
        self.complete == 0
    }

    /// Removes the last game.
    pub fn drop_last(&mut self) {
        self.complete = self.last;
        self.missing = "";
    }

    /// Prepares the file for more games. `pgn_from` is the current size of the PGN file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn prepare(&mut self, pgn_from: Option<u64>) -> Result<(), ArenaError> {
        let header = || Header { chuhe_match: self.description.clone(), pgn_from, names: self.names.clone() };
        let first = (self.complete == 0).then(|| line(&header()));
        let start = first.as_deref().unwrap_or(self.missing);
        let prepared = self.file.truncate(self.complete).and_then(|()| self.file.append(start.as_bytes()));
        prepared.map_err(|error| ArenaError::file(&self.path, error))?;
        self.is_prepared = true;
        Ok(())
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, finished: &Finished) -> Result<(), ArenaError> {
        debug_assert!(self.is_prepared);
        self.file.append(line(finished).as_bytes()).map_err(|error| ArenaError::file(&self.path, error))
    }
}

/// The contents of a state file.
#[derive(Default)]
struct Contents {
    finished: Vec<Finished>,
    complete: u64,
    last: u64,
    missing: &'static str,
    pgn_from: Option<u64>,
    names: Vec<String>,
}

/// Parses the lines of a file; the last one may be truncated anywhere.
fn read(bytes: &[u8], description: &str) -> Result<Contents, StateProblem> {
    let mut contents = Contents::default();
    let mut seen = HashSet::new();
    for (index, text) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_truncated = text.last() != Some(&b'\n');
        let (number, at) = (index + 1, contents.complete);
        if index == 0 {
            if is_truncated && is_beginning(text, &header_beginning(description)) {
                return Ok(contents);
            }
            let header: Header = serde_json::from_slice(text).map_err(|_| StateProblem::NoHeader)?;
            if header.chuhe_match != description {
                return Err(StateProblem::OtherMatch { found: header.chuhe_match, expected: description.into() });
            }
            (contents.pgn_from, contents.names) = (header.pgn_from, header.names);
        } else {
            let problem = |problem: String| StateProblem::Line { line: number, problem };
            let finished: Finished = match serde_json::from_slice(text) {
                Ok(finished) => finished,
                Err(_) if is_truncated && is_beginning(text, GAME) => return Ok(contents),
                Err(_) => return Err(problem("expected a finished game of the match".into())),
            };
            if finished.half_points > 2 {
                return Err(problem(format!("half points {}, expected 0 to 2", finished.half_points)));
            }
            if !seen.insert(finished.game) {
                return Err(problem(format!("game {} is in the file twice", finished.game + 1)));
            }
            contents.finished.push(finished);
        }
        // A last line may lack only its line end.
        contents.missing = if is_truncated { "\n" } else { "" };
        (contents.last, contents.complete) = (at, at + text.len() as u64);
    }
    Ok(contents)
}

/// The beginning of the line of a game.
const GAME: &str = "{\"game\":";

/// The beginning of the first line, up to the end of the description.
fn header_beginning(description: &str) -> String {
    let header = Header { chuhe_match: description.into(), pgn_from: None, names: Vec::new() };
    let text = serde_json::to_string(&header).unwrap_or_default();
    text.trim_end_matches('}').to_string()
}

/// Whether a truncated text is compatible with such a beginning.
fn is_beginning(text: &[u8], beginning: &str) -> bool {
    let beginning = beginning.as_bytes();
    beginning.starts_with(text)
        || (text.starts_with(beginning) && std::str::from_utf8(text).is_ok_and(|text| !text.contains(char::is_control)))
}

/// Serialises a value as a line of JSON. The values are plain numbers and strings, for which this cannot fail.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: usize = 3;

    fn game(game: usize) -> Finished {
        let pgn = (game > 0).then_some(Span { at: 10, bytes: 20, crc: 7 });
        Finished { game, half_points: 2, ending: Ending::Mate, plies: 80, pgn }
    }

    #[test]
    fn a_match_is_resumed_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let open = |description: &str, force: bool| StateFile::open(&path, description, force);
        let (mut state, games) = open("a vs b", false).unwrap();
        assert_eq!(games, []);
        // Only one process at a time.
        assert!(open("a vs b", false).err().unwrap().to_string().contains("another run"));
        state.prepare(Some(5)).unwrap();
        (0..GAMES).for_each(|number| state.add(&game(number)).unwrap());
        drop(state);
        let (state, games) = open("a vs b", false).unwrap();
        assert_eq!((games, state.pgn_from()), ((0..GAMES).map(game).collect(), Some(5)));
        drop(state);
        assert!(open("a vs c", false).err().unwrap().to_string().contains("another match"));
        assert_eq!(open("a vs c", true).unwrap().1, []);
        // A foreign file, with and without a line end.
        for text in ["hello\n", "hello", "\u{fffd}"] {
            std::fs::write(&path, text).unwrap();
            assert!(open("a vs b", false).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    /// With the file truncated anywhere and followed by anything, games are read unchanged or not at all, and new games are written
    /// correctly.
    #[test]
    fn all_damage_at_the_end_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let (mut state, _) = StateFile::open(&path, "a \"x\" vs b", false).unwrap();
        state.prepare(Some(0)).unwrap();
        (0..GAMES).for_each(|number| state.add(&game(number)).unwrap());
        drop(state);
        let complete = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for end in 0..=complete.len() {
            for garbage in [&b""[..], b"\0\0\0", b"garbage", b"garbage\n", b"\xff", b"{}\n", b"{\"game\":0,\"half_points\":"] {
                std::fs::write(&path, [&complete[..end], garbage].concat()).unwrap();
                let Ok((mut state, games)) = StateFile::open(&path, "a \"x\" vs b", false) else {
                    assert!(!garbage.is_empty(), "a file of {end} bytes is refused");
                    refused += 1;
                    continue;
                };
                assert!(games.iter().enumerate().all(|(number, read)| *read == game(number)), "{games:?}");
                state.prepare(Some(0)).unwrap();
                state.add(&game(games.len())).unwrap();
                drop(state);
                let (_, more) = StateFile::open(&path, "a \"x\" vs b", false).unwrap();
                assert_eq!(more, (0..=games.len()).map(game).collect::<Vec<_>>());
            }
        }
        assert!(refused > 4 * complete.len(), "{refused} of {} refused", 7 * complete.len());
        // A duplicate game.
        std::fs::write(&path, [&complete[..], line(&game(1)).as_bytes()].concat()).unwrap();
        let error = StateFile::open(&path, "a \"x\" vs b", false).err().unwrap().to_string();
        assert!(error.contains("line 5: game 2 is in the file twice"), "{error}");
    }
}
