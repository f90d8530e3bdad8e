//! The file from which an interrupted match is taken up again: a line that identifies the match, then one line for each
//! finished game.
//!
//! A game's line is written before the game itself goes into the PGN file, and says where it will stand there: what an interruption
//! at any moment has left can be reported, see [`super::outputs`].

use super::error::{ArenaError, StateProblem};
use super::game::Ending;
use crate::system::Exclusive;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::{ErrorKind, Read};
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
    /// Where it stands in the file of games; none without such a file, and in state files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<Stretch>,
}

/// A game in the file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stretch {
    /// Its first byte.
    pub at: u64,
    /// How many bytes.
    pub bytes: u64,
    /// CRC-32 of them.
    pub crc: u32,
}

impl Stretch {
    /// The byte after it.
    pub fn end(&self) -> u64 {
        self.at.saturating_add(self.bytes)
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    chuhe_match: String,
    /// Bytes in the file of games before the first game of this match; none in state files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pgn_from: Option<u64>,
}

/// The file. Nobody else writes it meanwhile, and it is changed only when the first game is about to begin.
pub struct StateFile {
    path: PathBuf,
    file: Exclusive,
    description: String,
    /// Bytes of whole lines; what follows them was cut off.
    whole: u64,
    /// Where the last of the whole lines begins.
    last: u64,
    /// What is to be written after the whole lines first: a line end that was cut off.
    missing: &'static str,
    pgn_from: Option<u64>,
    is_torn: bool,
    is_prepared: bool,
}

impl StateFile {
    /// Opens the file of the match described by `description`, and returns the games that are already played. A last line
    /// that was cut off by an interruption is dropped. With `force`, whatever the file holds is replaced.
    ///
    /// # Errors
    /// When the file can't be used, is damaged, belongs to another match, or is written by another run.
    pub fn open(path: &Path, description: &str, force: bool) -> Result<(StateFile, Vec<Finished>), ArenaError> {
        let failed = |error: std::io::Error| ArenaError::file(path, error);
        if let Ok(data) = path.metadata()
            && !data.is_file()
        {
            // A device or a pipe would be read without end.
            let problem = if data.is_dir() { "a folder" } else { "a device or a pipe" };
            let text = format!("{problem}, expected a file to keep the state in");
            return Err(failed(std::io::Error::new(ErrorKind::InvalidInput, text)));
        }
        let mut file = Exclusive::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        if !force {
            file.read_to_end(&mut bytes).map_err(failed)?;
        }
        let read = read(&bytes, description).map_err(|problem| ArenaError::State { path: path.into(), problem })?;
        let Contents { finished, whole, last, missing, pgn_from } = read;
        let (path, description, is_torn) = (path.to_path_buf(), description.to_string(), bytes.len() as u64 > whole);
        Ok((StateFile { path, file, description, whole, last, missing, pgn_from, is_torn, is_prepared: false }, finished))
    }

    /// Bytes in the file of games before the first game of this match, if that is known.
    pub fn pgn_from(&self) -> Option<u64> {
        self.pgn_from
    }

    /// Whether a last line was cut off: that of a game, or the first one.
    pub fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// Whether it holds no match yet.
    pub fn is_empty(&self) -> bool {
        self.whole == 0
    }

    /// Takes back the last game.
    pub fn drop_last(&mut self) {
        self.whole = self.last;
        self.missing = "";
    }

    /// Gets the file ready for more games. `pgn_from` is how many bytes the file of games has now.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn prepare(&mut self, pgn_from: Option<u64>) -> Result<(), ArenaError> {
        let first = (self.whole == 0).then(|| line(&Header { chuhe_match: self.description.clone(), pgn_from }));
        let start = first.as_deref().unwrap_or(self.missing);
        let prepared = self.file.cut(self.whole).and_then(|()| self.file.append(start.as_bytes()));
        prepared.map_err(|error| ArenaError::file(&self.path, error))?;
        self.is_prepared = true;
        Ok(())
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn add(&mut self, finished: &Finished) -> Result<(), ArenaError> {
        debug_assert!(self.is_prepared);
        self.file.append(line(finished).as_bytes()).map_err(|error| ArenaError::file(&self.path, error))
    }
}

/// What a state file holds.
#[derive(Default)]
struct Contents {
    finished: Vec<Finished>,
    whole: u64,
    last: u64,
    missing: &'static str,
    pgn_from: Option<u64>,
}

/// Reads the lines of a file; the last one may have been cut off anywhere.
fn read(bytes: &[u8], description: &str) -> Result<Contents, StateProblem> {
    let mut contents = Contents::default();
    let mut seen = HashSet::new();
    for (index, text) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_torn = text.last() != Some(&b'\n');
        let (number, at) = (index + 1, contents.whole);
        if index == 0 {
            if is_torn && is_beginning(text, &header_beginning(description)) {
                return Ok(contents);
            }
            let header: Header = serde_json::from_slice(text).map_err(|_| StateProblem::NoHeader)?;
            if header.chuhe_match != description {
                return Err(StateProblem::OtherMatch { found: header.chuhe_match, expected: description.into() });
            }
            contents.pgn_from = header.pgn_from;
        } else {
            let problem = |problem: String| StateProblem::Line { line: number, problem };
            let finished: Finished = match serde_json::from_slice(text) {
                Ok(finished) => finished,
                Err(_) if is_torn && is_beginning(text, GAME) => return Ok(contents),
                Err(error) => return Err(problem(error.to_string())),
            };
            if finished.half_points > 2 {
                return Err(problem(format!("{} half points, expected 0 to 2", finished.half_points)));
            }
            if !seen.insert(finished.game) {
                return Err(problem(format!("game {} stands in the file twice", finished.game + 1)));
            }
            contents.finished.push(finished);
        }
        // A last line may lack its end alone.
        contents.missing = if is_torn { "\n" } else { "" };
        (contents.last, contents.whole) = (at, at + text.len() as u64);
    }
    Ok(contents)
}

/// How the line of every game begins.
const GAME: &str = "{\"game\":";

/// How the first line of a match begins, up to its description's end.
fn header_beginning(description: &str) -> String {
    let text = serde_json::to_string(&Header { chuhe_match: description.into(), pgn_from: None }).unwrap_or_default();
    text.trim_end_matches('}').to_string()
}

/// Whether a text that was cut off may have continued as, or from, such a beginning.
fn is_beginning(text: &[u8], beginning: &str) -> bool {
    let beginning = beginning.as_bytes();
    beginning.starts_with(text)
        || (text.starts_with(beginning) && std::str::from_utf8(text).is_ok_and(|text| !text.contains(char::is_control)))
}

/// A value as a line of JSON. The values are plain numbers and texts, which always can be written.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: usize = 3;

    fn game(game: usize) -> Finished {
        let pgn = (game > 0).then_some(Stretch { at: 10, bytes: 20, crc: 7 });
        Finished { game, half_points: 2, ending: Ending::Mate, plies: 80, pgn }
    }

    #[test]
    fn a_match_is_taken_up_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let open = |description: &str, force: bool| StateFile::open(&path, description, force);
        let (mut state, games) = open("a vs b", false).unwrap();
        assert_eq!(games, []);
        // One run at a time.
        assert!(open("a vs b", false).err().unwrap().to_string().contains("another run"));
        state.prepare(Some(5)).unwrap();
        (0..GAMES).for_each(|number| state.add(&game(number)).unwrap());
        drop(state);
        let (state, games) = open("a vs b", false).unwrap();
        assert_eq!((games, state.pgn_from()), ((0..GAMES).map(game).collect(), Some(5)));
        drop(state);
        assert!(open("a vs c", false).err().unwrap().to_string().contains("another match"));
        assert_eq!(open("a vs c", true).unwrap().1, []);
        // Somebody's file, with and without a line end.
        for text in ["hello\n", "hello", "\u{fffd}"] {
            std::fs::write(&path, text).unwrap();
            assert!(open("a vs b", false).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    /// Cut anywhere, with anything after it: games are read as they were or not at all, and what is written next is whole.
    #[test]
    fn no_damage_at_the_end_goes_unseen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let (mut state, _) = StateFile::open(&path, "a \"x\" vs b", false).unwrap();
        state.prepare(Some(0)).unwrap();
        (0..GAMES).for_each(|number| state.add(&game(number)).unwrap());
        drop(state);
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for end in 0..=whole.len() {
            for garbage in [&b""[..], b"\0\0\0", b"garbage", b"garbage\n", b"\xff", b"{}\n", b"{\"game\":0,\"half_points\":"] {
                std::fs::write(&path, [&whole[..end], garbage].concat()).unwrap();
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
        assert!(refused > 4 * whole.len(), "{refused} of {} refused", 7 * whole.len());
        // A game that stands twice.
        std::fs::write(&path, [&whole[..], line(&game(1)).as_bytes()].concat()).unwrap();
        let error = StateFile::open(&path, "a \"x\" vs b", false).err().unwrap().to_string();
        assert!(error.contains("line 5: game 2 stands in the file twice"), "{error}");
    }
}
