//! `.obk` books of BHGUI, SharkChess and others: SQLite table `bhobk` or `pfBook`, with the format's own Zobrist keys (`obk_keys.tsv`).

use super::bookdat::{index_of, square};
use super::sqlite::{Database, NewDatabase, Row, Table, weights};
use super::{BookError, BookMove, Outcome, Target};
use crate::board::Board;
use crate::types::{Color, Move, Piece, SQUARES, Square};
use rusqlite::types::Value;
use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// An open `.obk` book.
#[derive(Debug)]
pub struct Obk {
    database: Database,
    table: String,
    /// Query by integer key.
    query: String,
}

/// The key for Red to move, and those of each piece on each point.
static KEYS: LazyLock<(u64, Vec<u64>)> = LazyLock::new(|| {
    let mut keys = (0, vec![0; Piece::COUNT * SQUARES]);
    for line in include_str!("obk_keys.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (Some(piece), Some(square), Some(key)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let key = u64::from_str_radix(key, 16).unwrap_or(0);
        match (Piece::all().find(|known| piece == known.fen_letter().to_string()), square.parse::<Square>()) {
            (Some(piece), Ok(square)) => keys.1[piece.index() * SQUARES + square.index()] = key,
            _ => keys.0 = key,
        }
    }
    keys
});

/// The key of a position.
pub(super) fn key(board: &Board) -> u64 {
    let (red_to_move, pieces) = &*KEYS;
    let start = if board.side_to_move() == Color::Red { *red_to_move } else { 0 };
    board.pieces().fold(start, |key, (piece, square)| key ^ pieces[piece.index() * SQUARES + square.index()])
}

/// Decodes a move: origin in the high byte, destination in the low one.
fn read_move(bits: i64) -> Option<Move> {
    let bits = u16::try_from(bits).ok()?;
    Some(Move::new(square((bits >> 8) as u8)?, square(bits as u8)?))
}

/// Encodes a move, the inverse of [`read_move`].
pub(super) fn write_move(mv: Move) -> i64 {
    (index_of(mv.from()) as i64) << 8 | index_of(mv.to()) as i64
}

/// The schema of a new file, as created by BHGUI.
pub(super) const SCHEMA: &str = "CREATE TABLE bhobk (id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER, vscore INTEGER, vwin INTEGER, \
    vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER);";
/// Created after the rows are inserted, which is faster.
const INDEX: &str = "CREATE INDEX vkeyindex ON bhobk (vkey);";
const INSERT: &str = "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?1, ?2, ?3, 0, 0, 0, 1)";

/// The stored forms of a key: an integer and, if that is negative, also the floating-point number with the same bits. Some programs probe
/// only the former, others, such as TCHESS, only the latter.
fn stored_keys(bits: u64) -> impl Iterator<Item = Value> {
    let real = f64::from_bits(bits);
    let second = ((bits as i64) < 0 && real.is_finite()).then_some(Value::Real(real));
    std::iter::once(Value::Integer(bits as i64)).chain(second)
}

/// The keys of a position as numbers: the bits of either form, except that SQLite turns a whole floating-point number into an integer.
pub(super) fn numbers(board: &Board) -> [u64; 2] {
    let bits = key(board);
    [bits, as_integer(bits)]
}

/// The bits of the integer that SQLite stores for the floating-point number with these bits, if it is negative and whole; otherwise the
/// bits themselves.
fn as_integer(bits: u64) -> u64 {
    let real = f64::from_bits(bits);
    let integer = real as i64;
    if (bits as i64) < 0 && integer > i64::MIN && integer as f64 == real && real != 0.0 { integer as u64 } else { bits }
}

/// An `.obk` book being written.
pub(super) struct ObkTarget(NewDatabase);

impl ObkTarget {
    pub(super) fn new() -> Result<ObkTarget, BookError> {
        Ok(ObkTarget(NewDatabase::new(SCHEMA)?))
    }
}

impl Target for ObkTarget {
    fn add(&mut self, board: &Board, moves: &[BookMove]) -> Result<Outcome, BookError> {
        if moves.iter().all(|found| found.weight == 0) {
            return Ok(Outcome::NeverPlayed);
        }
        for key in stored_keys(key(board)) {
            for found in moves {
                self.0.insert(INSERT, &key, write_move(found.mv), found.weight)?;
            }
        }
        Ok(Outcome::Stored)
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, BookError> {
        self.0.finish(INDEX)
    }
}

/// Keys of rows, and the encoded move in them.
type MoveRows = (Vec<Value>, i64);

impl Obk {
    /// The table, and the keys and encoded moves with which to edit a move of a position. The keys are those of existing rows of the position
    /// or of its mirror image, whichever has the move, possibly both, or otherwise any rows; without rows, those for new ones.
    pub(super) fn rows_of_move(&self, board: &Board, mv: Move) -> Result<(Table<'_>, Vec<MoveRows>), BookError> {
        let table = Table { name: &self.table, columns: ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid"] };
        let mirrored = board.mirrored();
        let views = [(*board, mv), (mirrored, mv.mirrored())];
        let mut rated = Vec::new();
        for (board, mv) in views {
            let rows = self.rows(key(&board))?;
            let has_move = rows.iter().any(|row| read_move(row.mv) == Some(mv));
            rated.push((has_move, !rows.is_empty()));
        }
        // A symmetric position has only one set of rows, which contains the move or its mirror image.
        let is_second = if mirrored == *board { rated[1].0 && !rated[0].0 } else { rated[1] > rated[0] };
        // A lookup takes the higher weight of both, so that either row would hide a change of the other.
        let is_in_both = mirrored != *board && rated.iter().all(|(has_move, _)| *has_move);
        let edited = if is_in_both { &views[..] } else { std::slice::from_ref(&views[is_second as usize]) };
        let query = format!("SELECT 1, 0, 0, 0, 0 FROM {} WHERE vkey = ?1 LIMIT 1", self.table);
        let mut found = Vec::new();
        for (board, mv) in edited {
            let mut used = Vec::new();
            for key in stored_keys(key(board)) {
                if !self.database.rows(&query, &key)?.is_empty() {
                    used.push(key);
                }
            }
            if used.is_empty() {
                used.extend(stored_keys(key(board)));
            }
            found.push((used, write_move(*mv)));
        }
        Ok((table, found))
    }

    /// Uses a table of an open file.
    pub(super) fn new(database: Database, table: &str) -> Obk {
        let query = format!("SELECT vmove, vscore, vwin, vdraw, vlost FROM {table} WHERE vkey = ?1 AND vvalid = 1");
        Obk { database, table: table.into(), query }
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        self.database.path()
    }

    /// See [`super::Book::open_for_lookups`].
    pub(super) fn prepare_lookups(&self, patience: Duration) -> Result<(), BookError> {
        // If the disk has no space for the indexed copy, lookups are slow but correct.
        let _ = self.database.index(&self.table, "vkey");
        self.database.wait_at_most(patience)
    }

    /// Approximate number of moves.
    pub fn size(&self) -> u64 {
        self.database.last_row(&self.table)
    }

    /// The keys of all positions with moves, in the numbering of [`numbers`].
    pub(super) fn keys(&self) -> Result<HashSet<u64>, BookError> {
        self.database.index(&self.table, "vkey")?;
        let number = |key| match key {
            Value::Integer(key) => Some(key as u64),
            Value::Real(key) => Some(key.to_bits()),
            _ => None,
        };
        let query = format!("SELECT DISTINCT vkey FROM {} WHERE vvalid = 1", self.table);
        let mut keys = self.database.keys(&query, number)?;
        // A position stored in both forms counts once.
        let doubles = keys.iter().map(|&key| (key, as_integer(key))).filter(|(key, second)| key != second);
        doubles.map(|(_, second)| second).collect::<Vec<_>>().iter().for_each(|second| _ = keys.remove(second));
        Ok(keys)
    }

    fn rows(&self, key: u64) -> Result<Vec<Row>, BookError> {
        let rows = self.database.rows(&self.query, &(key as i64))?;
        if !rows.is_empty() || (key as i64) >= 0 {
            return Ok(rows);
        }
        // Some old files store a negative key as the floating-point number with the same bits.
        self.database.rows(&self.query, &f64::from_bits(key))
    }

    /// The legal book moves of a position and of its mirror image; of duplicates, the one with the higher weight.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, BookError> {
        let mut moves: Vec<BookMove> = Vec::new();
        let mirrored = board.mirrored();
        let is_symmetric = mirrored == *board;
        for (board_there, is_mirrored) in [(board, false), (&mirrored, true)].into_iter().take(2 - is_symmetric as usize) {
            let rows = self.rows(key(board_there))?;
            for (row, weight) in rows.iter().zip(weights(&rows)) {
                let mv = read_move(row.mv).map(|mv| if is_mirrored { mv.mirrored() } else { mv });
                let Some(mv) = mv.filter(|&mv| board.is_legal(mv)) else { continue };
                match moves.iter_mut().find(|known| known.mv == mv) {
                    Some(known) => known.weight = known.weight.max(weight),
                    None => moves.push(BookMove { mv, weight }),
                }
            }
        }
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn book(rows: &str, keys: &[f64]) -> Obk {
        let columns = "vkey, vmove, vscore, vwin, vdraw, vlost, vvalid";
        let table = "id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex";
        let script = format!("CREATE TABLE bhobk({table}); INSERT INTO bhobk({columns}) VALUES {rows};");
        Obk::new(Database::in_memory(&script, keys), "bhobk")
    }

    fn moves(book: &Obk, line: &str) -> Vec<(String, u32)> {
        let mut position = Position::startpos();
        line.split_whitespace().for_each(|text| position.make(Move::from_uci(text).unwrap()));
        let found = book.moves(position.board()).unwrap();
        found.iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    #[test]
    fn a_move_in_both_mirror_images_is_edited_in_both() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.obk");
        // h9g7 after h2e2, and b9c7 after b2e2.
        let rows = "(-6779375433368598546, 14937, 60, 1), (3014087590936550302, 13397, 40, 1)";
        let script = format!("{SCHEMA} INSERT INTO bhobk (vkey, vmove, vscore, vvalid) VALUES {rows};");
        rusqlite::Connection::open(&path).unwrap().execute_batch(&script).unwrap();
        let mut position = Position::startpos();
        position.make(Move::from_uci("h2e2").unwrap());
        let mv = Move::from_uci("h9g7").unwrap();
        for (weight, expected) in [(Some(5), vec![BookMove { mv, weight: 5 }]), (None, Vec::new())] {
            let bytes = crate::book::edited(&path, position.board(), &[crate::book::Change { mv, weight }]).unwrap();
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(crate::book::Book::open(&path).unwrap().moves(position.board()).unwrap(), expected);
        }
    }

    #[test]
    fn a_lookup_does_not_wait_long_for_another_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.obk");
        let other = rusqlite::Connection::open(&path).unwrap();
        other.execute_batch(&format!("{SCHEMA} {INDEX}")).unwrap();
        let book = crate::book::Book::open(&path).unwrap();
        book.prepare_lookups(Duration::from_millis(1)).unwrap();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let start = std::time::Instant::now();
        assert!(book.moves(Position::startpos().board()).unwrap_err().to_string().contains("locked"));
        // SQLite would wait for five seconds.
        assert!(start.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn keys_match_the_format() {
        assert_eq!(key(Position::startpos().board()), 0x628d_04d7_c9c1_44ae);
        assert!(KEYS.1.iter().all(|&key| key != 0) && KEYS.0 == 0xa0ce_2af9_0c45_2f58);
    }

    #[test]
    fn negative_keys_are_written_and_edited_in_both_forms() {
        let start = *Position::startpos().board();
        let board = start.legal_moves().iter().map(|&mv| start.after(mv)).find(|board| (key(board) as i64) < 0).unwrap();
        let mv = board.legal_moves()[0];
        let mut target = Box::new(ObkTarget::new().unwrap());
        target.add(&board, &[BookMove { mv, weight: 5 }]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.obk");
        std::fs::write(&path, target.finish().unwrap()).unwrap();
        let scores = |key: Value| -> Vec<i64> {
            let connection = rusqlite::Connection::open(&path).unwrap();
            let query = "SELECT vscore FROM bhobk WHERE vvalid = 1 AND CASE typeof(?1) WHEN 'real' THEN cast(vkey AS double) ELSE vkey END = ?1";
            let mut statement = connection.prepare(query).unwrap();
            let rows = statement.query_map([key], |row| row.get(0)).unwrap();
            rows.collect::<Result<_, _>>().unwrap()
        };
        let both = || [Value::Integer(key(&board) as i64), Value::Real(f64::from_bits(key(&board)))].map(scores);
        assert_eq!(both(), [[5], [5]]);
        let edited = |weight| crate::book::edited(&path, &board, &[crate::book::Change { mv, weight }]);
        std::fs::write(&path, edited(Some(9)).unwrap()).unwrap();
        assert_eq!(both(), [[9], [9]]);
        assert_eq!(crate::book::Book::open(&path).unwrap().moves(&board).unwrap(), [BookMove { mv, weight: 9 }]);
        std::fs::write(&path, edited(None).unwrap()).unwrap();
        assert!(both().iter().all(Vec::is_empty));
    }

    #[test]
    fn only_valid_and_legal_rows_count() {
        let book = book(
            "(7101337512282506414, 42151, 30, 0, 0, 0, 1), (7101337512282506414, 43687, '20', NULL, 0, 0, 1), \
             (7101337512282506414, 38277, 40, 0, 0, 0, 0), (7101337512282506414, 0, 99, 0, 0, 0, 1), \
             (7101337512282506414, -5, 99, 0, 0, 0, 1)",
            &[],
        );
        assert_eq!(moves(&book, ""), [("b2e2".into(), 30), ("h2e2".into(), 20)]);
    }

    #[test]
    fn mirror_images_and_floating_point_keys_are_found() {
        // After h2e2 the key is negative; here it is stored as the floating-point number with the same bits.
        let real = f64::from_bits((-6779375433368598546i64) as u64);
        let book = book("(0, 14937, 7, 0, 0, 0, 1)", &[real]);
        for is_prepared in [false, true] {
            // The table has no index, so that lookups are prepared by a copy with one.
            if is_prepared {
                book.prepare_lookups(Duration::ZERO).unwrap();
            }
            assert_eq!(moves(&book, "h2e2"), [("h9g7".into(), 7)]);
            assert_eq!(moves(&book, "b2e2"), [("b9c7".into(), 7)]);
        }
    }
}
