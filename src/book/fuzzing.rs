//! The bodies of the book fuzz targets, shared with bounded random tests on stable Rust.

use super::compile::Compiler;
use super::{BookDat, Bytes, CompiledBook, text};
use crate::board::Position;
use crate::types::Move;

/// Parses arbitrary bytes as a book of every non-SQLite format and probes it; a valid compiled book is also converted to text and
/// back. Returns the number of moves of the start position found in each format: compiled book, `BOOK.DAT`, and source.
///
/// # Panics
/// If a reader or writer misbehaves.
pub fn book(bytes: &[u8]) -> [usize; 3] {
    let mut known = [0; 3];
    let boards = || {
        let mut position = Position::startpos();
        let line = ["h2e2", "h9g7", "h0g2", "i9h9"].iter().filter_map(|text| Move::from_uci(text).ok());
        let mut boards = vec![*position.board(), position.board().mirrored()];
        for mv in line {
            position.make(mv);
            boards.push(*position.board());
        }
        boards
    };
    // A damaged book hardly ever has the right checksum, so the rest is also tested without it.
    let _ = CompiledBook::new(Bytes::Owned(bytes.to_vec()));
    if let Ok(compiled) = CompiledBook::without_checksum(Bytes::Owned(bytes.to_vec())) {
        known[0] = compiled.moves(Position::startpos().board()).len();
        for board in boards() {
            assert!(compiled.moves(&board).iter().all(|found| board.is_legal(found.mv)));
            let _ = compiled.opening(&board);
        }
        if let Ok(contents) = compiled.contents() {
            // A copy must be read back unchanged.
            let again = CompiledBook::new(Bytes::Owned(contents.to_bytes())).and_then(|compiled| compiled.contents());
            assert!(again.is_ok_and(|again| again == contents));
            let _ = text::write(&contents);
        }
    }
    if let Ok(book) = BookDat::new(Bytes::Owned(bytes.to_vec())) {
        known[1] = book.moves(Position::startpos().board()).len();
        for board in boards() {
            assert!(book.moves(&board).iter().all(|found| board.is_legal(found.mv)));
        }
    }
    let Ok(source) = std::str::from_utf8(bytes) else { return known };
    let Ok(mut compiler) = Compiler::new() else { panic!("the start position is valid") };
    if compiler.read("fuzz", source).is_err() {
        return known;
    }
    let Ok(contents) = compiler.finish() else { return known };
    let written = text::write(&contents);
    let Ok(mut compiler) = Compiler::new() else { panic!("the start position is valid") };
    if let Err(error) = compiler.read("written", &written) {
        panic!("{error}\n{written}");
    }
    assert_eq!(compiler.finish().as_ref(), Ok(&contents), "{written}");
    if let Ok(compiled) = CompiledBook::new(Bytes::Owned(contents.to_bytes())) {
        known[2] = compiled.moves(Position::startpos().board()).len();
    }
    known
}

/// Builds an SQLite book from arbitrary bytes, probes it, changes a move and probes again. The first byte selects the format and the type of
/// the keys; each row is twelve bytes, and the remainder is the change. Returns the number of moves found in the start position.
///
/// # Panics
/// If the reader or the change misbehaves.
#[cfg(feature = "sqlite")]
pub fn rows(bytes: &[u8]) -> usize {
    use super::{Book, Change, edited};
    let Some((&head, bytes)) = bytes.split_first() else { return 0 };
    let start = *Position::startpos().board();
    let line =
        |texts: &[&str]| texts.iter().filter_map(|text| Move::from_uci(text).ok()).fold(start, |board, mv| board.after(mv));
    let boards = [start, line(&["h2e2"]), line(&["b2e2"]), line(&["h2e2", "h9g7"])];
    let Ok(folder) = tempfile::tempdir() else { return 0 };
    let path = folder.path().join(if head & 1 == 0 { "book.obk" } else { "book.xqb" });
    let parts = bytes.chunks_exact(12);
    let (rows, rest) = (parts.clone(), parts.remainder());
    if of_rows(&path, head, &boards, rows).is_err() {
        return 0;
    }
    let probe = |path: &std::path::Path| {
        let Ok(book) = Book::open(path) else { panic!("a book of rows cannot be opened") };
        boards.map(|board| {
            let Ok(moves) = book.moves(&board) else { panic!("a book of rows cannot be probed") };
            assert!(moves.iter().all(|found| board.is_legal(found.mv)), "{moves:?}");
            let mut distinct: Vec<Move> = moves.iter().map(|found| found.mv).collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), moves.len(), "{moves:?}");
            moves
        })
    };
    let before = probe(&path);
    if let &[board, mv, weight, ..] = rest {
        let board = boards[board as usize % boards.len()];
        let moves = board.legal_moves();
        let change = Change { mv: moves[mv as usize % moves.len()], weight: (weight != 0).then(|| u32::from(weight)) };
        if let Ok(bytes) = edited(&path, &board, &[change]) {
            let changed = folder.path().join("changed");
            if std::fs::write(&changed, bytes).is_err() {
                return 0;
            }
            probe(&changed);
            let Ok(after) = Book::open(&changed).and_then(|book| book.moves(&board)) else {
                panic!("a changed book is not a book")
            };
            let found = after.iter().find(|found| found.mv == change.mv);
            match change.weight {
                Some(weight) => assert!(found.is_some_and(|found| found.weight >= weight), "{change:?} {after:?}"),
                None => assert!(found.is_none(), "{change:?} {after:?}"),
            }
        }
    }
    before[0].len()
}

/// Writes a book for the fuzz target from rows of twelve bytes: position, move (two bytes), type of the score, score (four bytes), wins,
/// draws, losses, validity.
#[cfg(feature = "sqlite")]
fn of_rows<'a>(
    path: &std::path::Path,
    form: u8,
    boards: &[crate::board::Board],
    rows: impl Iterator<Item = &'a [u8]>,
) -> Result<(), super::BookError> {
    use super::{obk, xqb};
    use rusqlite::types::Value;
    use rusqlite::{Connection, params};
    let is_obk = form & 1 == 0;
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    connection.execute_batch(if is_obk { obk::SCHEMA } else { xqb::SCHEMA })?;
    let insert = if is_obk {
        "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    } else {
        "INSERT INTO book (key, move, score, win, draw, lost, valid) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    };
    for row in rows {
        let &[board, high, low, kind, a, b, c, d, win, draw, lost, valid] = row else { continue };
        let board = &boards[board as usize % boards.len()];
        let score = i32::from_le_bytes([a, b, c, d]);
        let score = match kind % 6 {
            0 => Value::Null,
            1 => Value::Integer(score.into()),
            2 => Value::Real(f64::from(score) * 1e300),
            3 => Value::Text(score.to_string()),
            4 => Value::Integer(i64::from(score) << 32),
            _ => Value::Blob(vec![a, b]),
        };
        let key = match (is_obk, form & 2 == 0) {
            (true, true) => Value::Integer(obk::key(board) as i64),
            (true, false) => Value::Real(f64::from_bits(obk::key(board))),
            (false, _) => Value::Blob(xqb::key(board).1),
        };
        connection.execute(insert, params![key, i64::from(high) << 8 | i64::from(low), score, win, draw, lost, valid])?;
    }
    connection.close().map_err(|(_, error)| error.into())
}

/// Seed rows: of the start position, and a change.
#[cfg(feature = "sqlite")]
pub fn row_seeds() -> [Vec<u8>; 2] {
    let row = |mv: [u8; 2], score: u8| [0, mv[0], mv[1], 1, score, 0, 0, 0, 2, 1, 3, 1];
    [
        [&[0][..], &row([0xaa, 0xa7], 30), &row([0xa4, 0xa7], 20), &[0, 3, 9]].concat(),
        [&[1][..], &row([0x77, 0x74], 0), &row([0x71, 0x74], 0), &[0, 3, 9]].concat(),
    ]
}

/// A book as source.
const SOURCE: &str = "C2.5*60 \"Central cannon\" \"中炮\" # a comment\n  H8+7 H2+3 R9.8\n    R1.2*3\n  C8.5*0\nstart \
    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\nH8+7 C2.5\n";

/// A small book of every format, in the order of the results of [`book`].
pub fn seeds() -> [Vec<u8>; 3] {
    let mut compiler = Compiler::new();
    let contents = compiler.as_mut().ok().and_then(|compiler| {
        compiler.read("seed", SOURCE).ok()?;
        std::mem::replace(compiler, Compiler::new().ok()?).finish().ok()
    });
    let moves = ["h2e2", "b2e2", "c3c4"].iter().filter_map(|text| Move::from_uci(text).ok());
    let entries: Vec<(Move, u16)> = moves.zip([5, 3, 1]).collect();
    [
        contents.map(|contents| contents.to_bytes()).unwrap_or_default(),
        BookDat::sample(Position::startpos().board(), &entries),
        SOURCE.as_bytes().to_vec(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BUILTIN, Book};
    use proptest::prelude::*;

    /// A book with one kind of damage.
    fn damaged(whole: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
        let cut = (0..whole.len()).prop_map(move |end| whole[..end].to_vec());
        let changed = proptest::collection::vec((0..whole.len(), any::<u8>()), 1..6).prop_map(move |changes| {
            let mut bytes = whole.to_vec();
            changes.into_iter().for_each(|(at, byte)| bytes[at] = byte);
            bytes
        });
        prop_oneof![cut, changed]
    }

    fn small_table() -> &'static [u8] {
        static TABLE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| seeds()[0].clone());
        &TABLE
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            book(&bytes);
        }

        #[test]
        fn damaged_tables_are_rejected(bytes in damaged(small_table())) {
            // Any change is detected by the checksum.
            prop_assert!(bytes == small_table() || CompiledBook::new(Bytes::Owned(bytes.clone())).is_err());
            book(&bytes);
        }

        #[test]
        fn damaged_sources_do_not_panic(bytes in damaged(SOURCE.as_bytes())) {
            book(&bytes);
        }
    }

    #[test]
    fn seeds_are_effective() {
        // Every seed is recognised in its format.
        let [compiled, dat, text] = seeds().map(|seed| book(&seed));
        assert_eq!((compiled[0], dat[1], text[2]), (1, 3, 1));
        assert!(book(BUILTIN)[0] > 3);
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn random_rows_are_probed_and_changed() {
        use rand::{Rng, RngExt, SeedableRng};
        assert_eq!(row_seeds().map(|seed| rows(&seed)), [2, 2]);
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
        for round in 0..150 {
            let mut bytes = row_seeds()[round % 2].clone();
            for _ in 0..random.random_range(0..6) {
                let at = random.random_range(0..bytes.len());
                bytes[at] = random.random();
            }
            let mut more = vec![0; random.random_range(0..30)];
            random.fill_bytes(&mut more);
            rows(&[bytes, more].concat());
        }
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn damaged_sqlite_files_do_not_panic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.obk");
        let script = "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, vkey INTEGER, vmove, vscore, vwin, vdraw, vlost, vvalid); \
            CREATE INDEX keys ON bhobk(vkey); INSERT INTO bhobk VALUES(1, 7101337512282506414, 42151, 30, 0, 0, 0, 1);";
        rusqlite::Connection::open(&path).unwrap().execute_batch(script).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let start = Position::startpos();
        assert_eq!(Book::open(&path).unwrap().moves(start.board()).unwrap().len(), 1);
        let mut refused = 0;
        for round in 0..200usize {
            let mut bytes = whole.clone();
            match round % 4 {
                0 => bytes.truncate(whole.len() * round / 200),
                _ => (0..8).for_each(|step| bytes[(round * 7919 + step * 613) % whole.len()] ^= 1 << (round % 8)),
            }
            std::fs::write(&path, &bytes).unwrap();
            let answer = Book::open(&path).and_then(|book| book.moves(start.board()));
            refused += answer.is_err() as u32;
        }
        assert!(refused > 50, "{refused}");
    }
}
