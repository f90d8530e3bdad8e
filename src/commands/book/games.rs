//! Reads the games of collections of any size one by one. A large PGN file is split between games and read in pieces; files of other
//! formats contain one game or are loaded into memory entirely.

use crate::board::Board;
use crate::commands::Failure;
use crate::commands::inputs::{expand, head};
use crate::commands::progress::Reading;
use crate::records::{Format, Record, Records, is_utf16};
use crate::system::is_device;
use crate::types::counted;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Minimum size of a piece of PGN in bytes.
const MIN_PIECE: usize = 1 << 20;
/// Maximum size of a piece of PGN in bytes, enforced even inside a game: no real game is that long.
const MAX_PIECE: usize = 64 << 20;

/// The files of the arguments, with each folder replaced by the records below it; faults go to `fail`.
pub fn files(named: &[PathBuf], outputs: &[&Path], fail: &mut dyn FnMut(String)) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for input in expand(named, false, outputs) {
        match input {
            Ok(path) => files.push(path),
            Err((path, reason)) => fail(format!("{}: {reason}", path.display())),
        }
    }
    files
}

/// Games that end where a move could not be read or was illegal.
#[derive(Default)]
pub struct Cut {
    games: u64,
    first: Option<String>,
}

impl Cut {
    /// Checks a game of which `plies` plies are used.
    pub fn note(&mut self, record: &Record, path: &Path, number: u64, plies: usize) {
        if let Some(fault) = record.main_line_fault().filter(|_| record.plies() < plies) {
            self.games += 1;
            self.first.get_or_insert_with(|| format!("{}: game {number}: {fault}", path.display()));
        }
    }

    /// A message for users if there are any.
    pub fn message(&self) -> Option<String> {
        let first = self.first.as_ref()?;
        let end = if self.games == 1 { "ends" } else { "end" };
        Some(format!("{} {end} at a move that could not be read, the first: {first}", counted(self.games, "game")))
    }
}

/// What ends the reading of a file early.
enum End {
    /// The file cannot be read.
    Unreadable(String),
    /// A game was not taken.
    Taker(Failure),
}

/// The position in which a game starts, or its fault with the file and the number of the game in it.
pub fn start(record: &Record, path: &Path, number: u64) -> Result<Board, String> {
    let fen = record.start.to_fen();
    let fault = |_| format!("{}: game {number}: starts from '{fen}', which is not a legal position", path.display());
    Board::from_fen(&fen).map_err(fault)
}

/// Passes all games of a file to `take`, or their errors with the place in the file, and updates the progress bar. Returns the reason why the file, or
/// the rest of it, cannot be read.
///
/// # Errors
/// The first error of `take`.
pub fn read(
    path: &Path,
    take: &mut dyn FnMut(Result<Record, String>) -> Result<(), Failure>,
    reading: &Reading,
) -> Result<Option<String>, Failure> {
    match read_games(path, &mut |game| take(game).map_err(End::Taker), reading) {
        Ok(()) => Ok(None),
        Err(End::Unreadable(reason)) => Ok(Some(reason)),
        Err(End::Taker(failure)) => Err(failure),
    }
}

fn read_games(
    path: &Path,
    take: &mut dyn FnMut(Result<Record, String>) -> Result<(), End>,
    reading: &Reading,
) -> Result<(), End> {
    let failed = |error: std::io::Error| End::Unreadable(format!("{}: {error}", path.display()));
    let is_in_lines = || {
        let head = head(path).map_err(failed)?;
        Ok::<bool, End>(!is_utf16(&head) && Format::detect(path, &head) == Format::Pgn)
    };
    // A pipe can be read only once.
    if Format::of_path(path) != Some(Format::Pgn) || is_device(path) || !is_in_lines()? {
        let mut games = Records::open(path, None).map_err(|error| End::Unreadable(error.to_string()))?;
        while let Some(game) = games.next() {
            reading.share(games.share_read());
            take(game.map_err(|error| error.to_string()))?;
        }
        return Ok(());
    }
    let mut source = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
    let mut piece = Vec::new();
    let mut was_move = false;
    let (mut done, mut number) = (0, 0u64);
    loop {
        let before = piece.len();
        let length = source.read_until(b'\n', &mut piece).map_err(failed)?;
        let line = &piece[before..];
        let is_tag = line.starts_with(b"[") && line.get(1).is_some_and(u8::is_ascii_alphabetic);
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        // A tag after moves starts the next game.
        let is_next_game = is_tag && was_move && before >= MIN_PIECE;
        was_move = !is_tag && (was_move || !is_blank);
        if length == 0 || is_next_game || before >= MAX_PIECE {
            let rest = piece.split_off(before);
            done += piece.len() as u64;
            reading.bytes(done);
            let games = Records::new(std::mem::replace(&mut piece, rest), Some(Format::Pgn));
            let games = games.map_err(|error| End::Unreadable(format!("{}: {error}", path.display())))?;
            for game in games {
                number += 1;
                // The place in the error is that in the piece.
                take(game.map_err(|error| format!("game {number}: {}", error.problem())))?;
            }
            was_move = !is_tag;
        }
        if length == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_large_file_are_all_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let filler = "x".repeat(700);
        let game = |number: usize| {
            format!("[Event \"{number}\"]\n[Result \"1-0\"]\n\n1. H2-E2 {{{filler}\n[%eval 3]}} H9-G7\n\n2. H0-G2 1-0\n\n")
        };
        let text: String = (0..4000).map(game).collect();
        assert!(text.len() > 2 * MIN_PIECE);
        std::fs::write(&path, &text).unwrap();
        let (mut games, reading) = (0, Reading::hidden());
        let mut take = |record: Result<Record, String>| {
            let record = record.unwrap();
            assert_eq!((record.tag("Event"), record.plies()), (Some(games.to_string().as_str()), 3));
            games += 1;
            Ok(())
        };
        assert_eq!(read(&path, &mut take, &reading).unwrap(), None);
        assert_eq!((games, reading.position()), (4000, text.len() as u64));
    }

    #[test]
    fn folders_are_read_and_cut_games_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub").join("games.pgn");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        let game = |mv: &str| format!("[Red \"A\"]\n\n1. h2e2 {mv} *\n\n");
        std::fs::write(&path, game("h9g7") + &game("a0a9")).unwrap();
        let (mut faults, mut cut, mut number) = (Vec::new(), Cut::default(), 0);
        let missing = folder.path().join("empty");
        std::fs::create_dir(&missing).unwrap();
        let found = files(&[folder.path().to_path_buf(), missing], &[], &mut |fault| faults.push(fault));
        assert_eq!((found, faults.len()), (vec![path.clone()], 1));
        let mut take = |record: Result<Record, String>| {
            number += 1;
            let record = record.unwrap();
            cut.note(&record, &path, number, 40);
            // The fault is beyond the plies used.
            cut.note(&record, &path, number, 1);
            Ok(())
        };
        assert_eq!(read(&path, &mut take, &Reading::hidden()).unwrap(), None);
        let message = cut.message().unwrap();
        assert!(message.starts_with("1 game ends at a move") && message.contains("games.pgn: game 2: "), "{message}");
        assert_eq!(Cut::default().message(), None);
    }
}
