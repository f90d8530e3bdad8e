//! `.xqb` books of xqbook. The key is an encoding of the position itself, seen from the side to move and normalised by mirroring so that its
//! left half is the larger, so that one query serves four positions.

use super::sqlite::{Database, NewDatabase, Table, weights};
use super::{BookError, BookMove, Outcome, Target};
use crate::board::Board;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, Square};
use rusqlite::types::Value;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Duration;

/// An open `.xqb` book.
#[derive(Debug)]
pub struct Xqb {
    database: Database,
}

/// Move, score, wins, draws, losses; `valid` is 0 for removed moves.
const QUERY: &str = "SELECT move, score, win, draw, lost FROM book WHERE key = ?1 AND valid = 1";

/// The transformation of the board before it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct View {
    /// Rotated by 180 degrees, because Black is to move.
    turned: bool,
    /// Then mirrored left to right.
    mirrored: bool,
}

impl View {
    /// The point at a row (from the top) and column of the transformed board.
    fn square(self, row: usize, column: usize) -> Option<Square> {
        let column = if self.mirrored { FILES - 1 - column } else { column };
        let (file, rank) = if self.turned { (FILES - 1 - column, row) } else { (column, RANKS - 1 - row) };
        Square::at(file as i32, rank as i32)
    }
}

/// The code of a piece relative to the side to move; 0 for none.
fn code(piece: Option<Piece>, mover: Color) -> u8 {
    let Some(piece) = piece else { return 0 };
    let kind = match piece.kind() {
        PieceType::Rook => 1,
        PieceType::Horse => 2,
        PieceType::Elephant => 3,
        PieceType::Advisor => 4,
        PieceType::King => 5,
        PieceType::Cannon => 6,
        PieceType::Pawn => 7,
    };
    if piece.color() == mover { kind } else { kind + 8 }
}

/// The transformation and the key of a position.
pub(super) fn key(board: &Board) -> (View, Vec<u8>) {
    let mover = board.side_to_move();
    let mut view = View { turned: mover == Color::Black, mirrored: false };
    let at = |view: View, row, column| view.square(row, column).map_or(0, |square| code(board.piece_on(square), mover));
    let pairs = (0..RANKS).flat_map(|row| (0..FILES / 2).map(move |column| (row, column)));
    let mut differing = pairs.map(|(row, column)| (at(view, row, column), at(view, row, FILES - 1 - column)));
    view.mirrored = differing.find(|(left, right)| left != right).is_some_and(|(left, right)| right > left);
    let points = (0..RANKS).flat_map(|row| (0..FILES).map(move |column| (row, column)));
    let mut bits: Vec<bool> = Vec::new();
    for (row, column) in points {
        match at(view, row, column) {
            0 => bits.push(false),
            code => bits.extend([true, code & 8 != 0, code & 4 != 0, code & 2 != 0, code & 1 != 0]),
        }
    }
    let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (index, &bit)| byte | (bit as u8) << (7 - index));
    (view, bits.chunks(8).map(byte).collect())
}

/// A number for a key.
pub(super) fn number(key: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Decodes a move: row, column, row, column in four bits each.
fn read_move(bits: i64, view: View) -> Option<Move> {
    let bits = u16::try_from(bits).ok()? as usize;
    let point = |row: usize, column: usize| (row < RANKS && column < FILES).then(|| view.square(row, column)).flatten();
    Some(Move::new(point(bits >> 12, bits >> 8 & 15)?, point(bits >> 4 & 15, bits & 15)?))
}

/// Encodes a move, the inverse of [`read_move`].
fn write_move(mv: Move, view: View) -> i64 {
    let point = |square: Square| {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let (row, column) = if view.turned { (rank, FILES - 1 - file) } else { (RANKS - 1 - rank, file) };
        (row << 4 | if view.mirrored { FILES - 1 - column } else { column }) as i64
    };
    point(mv.from()) << 8 | point(mv.to())
}

/// The schema of a new file, as created by xqbook.
pub(super) const SCHEMA: &str = "CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, key BLOB, move INTEGER, score INTEGER, win INTEGER, \
    draw INTEGER, lost INTEGER, valid INTEGER, memo TEXT); \
    CREATE TABLE information (name TEXT, value TEXT); INSERT INTO information VALUES ('version', '1'), ('type', 'xiangqi');";
/// Created after the rows are inserted, which is faster.
const INDEX: &str = "CREATE INDEX idxkey ON book (key ASC);";
const INSERT: &str = "INSERT INTO book (key, move, score, win, draw, lost, valid) VALUES (?1, ?2, ?3, 0, 0, 0, 1)";

/// An `.xqb` book being written.
pub(super) struct XqbTarget {
    database: NewDatabase,
    /// Keys already used: a position shares its key with the colour-flipped one.
    taken: HashSet<Vec<u8>>,
}

impl XqbTarget {
    pub(super) fn new() -> Result<XqbTarget, BookError> {
        Ok(XqbTarget { database: NewDatabase::new(SCHEMA)?, taken: HashSet::new() })
    }
}

impl Target for XqbTarget {
    fn add(&mut self, board: &Board, moves: &[BookMove]) -> Result<Outcome, BookError> {
        if moves.iter().all(|found| found.weight == 0) {
            return Ok(Outcome::NeverPlayed);
        }
        let (view, key) = key(board);
        if self.taken.contains(&key) {
            return Ok(Outcome::Collision);
        }
        for found in moves {
            self.database.insert(INSERT, &key, write_move(found.mv, view), found.weight)?;
        }
        self.taken.insert(key);
        Ok(Outcome::Stored)
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, BookError> {
        self.database.finish(INDEX)
    }
}

impl Xqb {
    /// The table, keys and encoded move with which to edit a move of a position.
    pub(super) fn rows_of_move(&self, board: &Board, mv: Move) -> (Table<'_>, Vec<Value>, i64) {
        let (view, key) = key(board);
        let table = Table { name: "book", columns: ["key", "move", "score", "win", "draw", "lost", "valid"] };
        (table, vec![Value::Blob(key)], write_move(mv, view))
    }

    /// Uses an open file.
    pub(super) fn new(database: Database) -> Xqb {
        Xqb { database }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        self.database.path()
    }

    /// See [`super::Book::open_for_lookups`].
    pub(super) fn prepare_lookups(&self, patience: Duration) -> Result<(), BookError> {
        // If the disk has no space for the indexed copy, lookups are slow but correct.
        let _ = self.database.index("book", "key");
        self.database.wait_at_most(patience)
    }

    /// Approximate number of moves.
    pub fn size(&self) -> u64 {
        self.database.last_row("book")
    }

    /// The numbers of the keys of all positions with moves.
    pub(super) fn keys(&self) -> Result<HashSet<u64>, BookError> {
        self.database.index("book", "key")?;
        let number = |key| match key {
            Value::Blob(key) => Some(number(&key)),
            _ => None,
        };
        self.database.keys("SELECT DISTINCT key FROM book WHERE valid = 1", number)
    }

    /// The legal book moves of a position.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, BookError> {
        let (view, key) = key(board);
        let rows = self.database.rows(QUERY, &key)?;
        let read = rows.iter().zip(weights(&rows)).filter_map(|(row, weight)| Some((read_move(row.mv, view)?, weight)));
        Ok(read.filter(|(mv, _)| board.is_legal(*mv)).map(|(mv, weight)| BookMove { mv, weight }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn four_positions_share_a_key() {
        let mut position = Position::startpos();
        for text in ["h2e2", "h9g7", "h0g2", "i9h9"] {
            position.make(Move::from_uci(text).unwrap());
        }
        let board = *position.board();
        let (view, stored) = key(&board);
        assert!(board.legal_moves().iter().all(|&mv| read_move(write_move(mv, view), view) == Some(mv)));
        assert!(stored.len() < 30, "{stored:02x?}");
        let original = board.legal_moves();
        let flipped = board.color_flipped();
        for (other, mirrored, turned) in
            [(board.mirrored(), true, false), (flipped, false, true), (flipped.mirrored(), true, true)]
        {
            let (other_view, other_key) = key(&other);
            assert_eq!(other_key, stored);
            for &mv in &original {
                let there = if turned { mv.flipped() } else { mv };
                let there = if mirrored { there.mirrored() } else { there };
                let bits = (0..=u16::MAX as i64).find(|&bits| read_move(bits, view) == Some(mv)).unwrap();
                assert_eq!(read_move(bits, other_view), Some(there), "{mv}");
            }
        }
    }
}
