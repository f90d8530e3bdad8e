//! The file of the truth set, and the sources of its positions.
//!
//! The file is text: a first line with the [`Header`] as JSON after `# `, then a line for each position: the name of its source,
//! its index among the candidates, board and side to move in FEN, and the score of each teacher's search in centipawns,
//! separated by tabs.

use crate::records::{MATE_SCORE, Reader, RecordError};
use crate::selfplay::random_move;
use crate::{at, at_line};
use chuhe::board::{Board, Position};
use chuhe::records::Records;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The parameters that a truth set was made with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Name, version and benchmark of the program that searched.
    pub engine: String,
    /// The networks of the searches: names and checksums.
    pub teachers: [String; 2],
    /// Nodes per search.
    pub nodes: u64,
    /// Seed for the selection of positions.
    pub seed: u64,
    /// The sources as given on the command line.
    pub sources: Vec<String>,
}

/// One position with its scores.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Name of its source.
    pub source: String,
    /// Its index among the candidates of its source.
    pub candidate: usize,
    /// The position.
    pub board: Board,
    /// The score of each teacher in centipawns, from the view of the side to move.
    pub scores: [i16; 2],
}

/// A truth set.
#[derive(Clone, PartialEq, Debug)]
pub struct Set {
    /// The header.
    pub header: Header,
    /// The positions in the order of the file.
    pub entries: Vec<Entry>,
}

impl Header {
    /// The first line of the file.
    pub fn line(&self) -> String {
        format!("# {}\n", serde_json::to_string(self).unwrap_or_default())
    }
}

impl Entry {
    /// The entry as a line.
    pub fn line(&self) -> String {
        let mut line = format!("{}\t{}\t", self.source, self.candidate);
        let fen = self.board.to_fen();
        let mut words = fen.split(' ');
        let (board, side) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // Writing to a string cannot fail.
        let _ = writeln!(line, "{board} {side}\t{}\t{}", self.scores[0], self.scores[1]);
        line
    }

    fn parse(line: &str) -> Option<Entry> {
        let mut cells = line.split('\t');
        let (source, candidate, fen) = (cells.next()?, cells.next()?, cells.next()?);
        let scores = [cells.next()?.parse().ok()?, cells.next()?.parse().ok()?];
        let board = Board::from_fen(fen).ok()?;
        cells.next().is_none().then_some(())?;
        Some(Entry { source: source.into(), candidate: candidate.parse().ok()?, board, scores })
    }
}

impl Set {
    /// Reads a file. A last line without a line end is left by a kill and ignored.
    ///
    /// # Errors
    /// When the file cannot be read or a line is malformed.
    pub fn read(path: &Path) -> anyhow::Result<Set> {
        let text = std::fs::read_to_string(path).map_err(at(path))?;
        let text = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = text.lines();
        let header = lines.next().and_then(|line| serde_json::from_str(line.strip_prefix("# ")?).ok());
        let header = header.ok_or_else(|| at_line(path, 1, "'# ' and the header of a truth set"))?;
        let expected = "source, number, board and side, and two scores, separated by tabs";
        let entry = |(index, line)| Entry::parse(line).ok_or_else(|| at_line(path, index + 2, expected));
        Ok(Set { header, entries: lines.enumerate().map(entry).collect::<Result<_, _>>()? })
    }
}

/// A source of positions: `NAME=FILE` with any of `,count=N` (number of positions, by default 1000), `,attackers=N` (only
/// positions with at most this many rooks, horses and cannons), and `,random=N` (one to N random moves are played first). The
/// file contains games: a record file of self-play, or game records in any format that chuhe reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its name in the set.
    pub name: String,
    /// The file with the games.
    pub path: PathBuf,
    /// Number of positions.
    pub count: usize,
    /// Maximum number of rooks, horses and cannons on the board.
    pub attackers: usize,
    /// Maximum number of random moves played from the position of the game.
    pub random: usize,
    /// The source as given on the command line, without the folder of the file.
    pub text: String,
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        let expected = || format!("'{text}': expected NAME=FILE[,count=N][,attackers=N][,random=N]");
        let mut parts = text.split(',');
        let (name, path) = parts.next().and_then(|part| part.split_once('=')).ok_or_else(expected)?;
        if name.is_empty() || path.is_empty() || name.contains(char::is_whitespace) {
            return Err(expected());
        }
        let path = PathBuf::from(path);
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut source =
            Source { name: name.into(), path, count: 1000, attackers: 12, random: 0, text: format!("{name}={file}") };
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(expected)?;
            let value: usize = value.parse().map_err(|_| expected())?;
            match key {
                "count" => source.count = value,
                "attackers" => source.attackers = value,
                "random" => source.random = value,
                _ => return Err(expected()),
            }
            source.text += &format!(",{part}");
        }
        Ok(source)
    }
}

/// Rooks, horses and cannons of both sides.
pub fn attackers(board: &Board) -> usize {
    use chuhe::types::PieceType::{Cannon, Horse, Rook};
    board.pieces().filter(|(piece, _)| [Rook, Horse, Cannon].contains(&piece.kind())).count()
}

impl Source {
    /// One position of each game, in an order determined by the seed: not in check, and not followed by a capture. A position and its
    /// mirror image count as one.
    ///
    /// # Errors
    /// When the file cannot be read, or has neither format.
    pub fn candidates(&self, seed: u64) -> anyhow::Result<Vec<Board>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(crc32fast::hash(self.name.as_bytes())));
        let mut found = Vec::new();
        self.for_each_game(|game| {
            let fits = |position: &&Position| attackers(position.board()) <= self.attackers;
            let fitting: Vec<&Position> = game.iter().filter(fits).collect();
            if fitting.is_empty() {
                return;
            }
            let mut position = fitting[random.random_range(0..fitting.len())].clone();
            for _ in 0..if self.random == 0 { 0 } else { random.random_range(1..=self.random) } {
                if let Some(mv) = random_move(&mut random, position.board()) {
                    position.make(mv);
                }
            }
            if !position.in_check() && !position.board().legal_moves().is_empty() {
                found.push(*position.board());
            }
        })?;
        // Fisher-Yates shuffle.
        for index in (1..found.len()).rev() {
            found.swap(index, random.random_range(0..=index));
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|board| seen.insert(board.key().min(board.mirrored_key())));
        Ok(found)
    }

    /// Calls `visit` with the quiet positions of every game: those that are neither in check nor followed by a capture, and in self-play
    /// have a score other than a mate.
    fn for_each_game(&self, mut visit: impl FnMut(&[Position])) -> anyhow::Result<()> {
        let is_quiet = |position: &Position, mv| !position.in_check() && !position.board().is_capture(mv);
        let mut quiet = Vec::new();
        if let Ok(mut reader) = Reader::open(&self.path) {
            for game in &mut reader {
                let game = match game {
                    Ok(game) => game,
                    Err(error @ RecordError::Io(_)) => return Err(at(&self.path)(error)),
                    Err(error) => {
                        log::warn!("{}: {error}; block skipped", self.path.display());
                        continue;
                    }
                };
                quiet.clear();
                game.replay(|position, ply| {
                    if ply.score.is_some_and(|score| score.abs() < MATE_SCORE) && is_quiet(position, ply.mv) {
                        quiet.push(Position::new(*position.board(), 0, 1));
                    }
                });
                visit(&quiet);
            }
            return Ok(());
        }
        for record in Records::open(&self.path, None).map_err(at(&self.path))? {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    log::warn!("{}: {error}; game skipped", self.path.display());
                    continue;
                }
            };
            let Ok(mut position) = record.position(record.root()) else { continue };
            quiet.clear();
            for mv in record.moves() {
                if !position.board().is_legal(mv) {
                    break;
                }
                if is_quiet(&position, mv) {
                    quiet.push(Position::new(*position.board(), 0, 1));
                }
                position.make(mv);
            }
            visit(&quiet);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::tests::random_file;

    fn header() -> Header {
        Header { engine: "e".into(), teachers: ["a".into(), "b".into()], nodes: 10, seed: 1, sources: vec!["x=y".into()] }
    }

    #[test]
    fn a_set_round_trips_and_errors_name_the_line() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("truth.tsv");
        let board = *Position::startpos().board();
        let entry = Entry { source: "x".into(), candidate: 7, board, scores: [31, -12] };
        let text = header().line() + &entry.line() + &entry.line();
        std::fs::write(&path, &text).expect("room on the disk");
        let set = Set { header: header(), entries: vec![entry.clone(), entry] };
        assert_eq!(Set::read(&path).expect("what was written"), set);
        // A kill in the middle of a line.
        std::fs::write(&path, &text[..text.len() - 3]).expect("room on the disk");
        assert_eq!(Set::read(&path).expect("all but the last line").entries.len(), 1);
        std::fs::write(&path, header().line() + "x\t1\tnonsense\t1\t2\n").expect("room on the disk");
        assert!(Set::read(&path).expect_err("no board").to_string().contains("line 2: expected source"));
        std::fs::write(&path, "x\n").expect("room on the disk");
        assert!(Set::read(&path).expect_err("no header").to_string().contains("line 1: expected '# '"));
    }

    #[test]
    fn sources_read_their_options() {
        let source: Source = "ends=games/a.pgn,count=5,attackers=3,random=2".parse().expect("all options");
        assert_eq!((source.count, source.attackers, source.random), (5, 3, 2));
        assert_eq!(source.text, "ends=a.pgn,count=5,attackers=3,random=2");
        for text in ["", "a", "=b", "a=", "a=b,count", "a=b,count=x", "a=b,other=1", "a b=c"] {
            assert!(text.parse::<Source>().is_err(), "{text}");
        }
    }

    #[test]
    fn candidates_are_quiet_distinct_and_the_same_every_time() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = random_file(folder.path(), "games", 60, 3);
        let source: Source = format!("a={}", path.display()).parse().expect("a source");
        let found = source.candidates(1).expect("a record file");
        assert!(found.len() > 40, "{}", found.len());
        assert!(found.iter().all(|board| !board.in_check()));
        assert_eq!(source.candidates(1).expect("a record file"), found);
        assert_ne!(source.candidates(2).expect("a record file"), found);
        let few = Source { attackers: 11, ..source.clone() }.candidates(1).expect("a record file");
        assert!(!few.is_empty() && few.iter().all(|board| attackers(board) <= 11));
        let other = Source { random: 3, ..source }.candidates(1).expect("a record file");
        assert!(other.iter().filter(|board| !found.contains(board)).count() * 2 > other.len());
        // Game records are sources too.
        let pgn = folder.path().join("a.pgn");
        std::fs::write(&pgn, "1. h2e2 h9g7 2. h0g2 *\n").expect("room on the disk");
        let source: Source = format!("a={}", pgn.display()).parse().expect("a source");
        assert_eq!(source.candidates(1).expect("a game").len(), 1);
    }
}
