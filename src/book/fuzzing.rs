//! What the fuzz target of the books does, so that a bounded random loop can do the same on stable Rust.

use super::compile::Compiler;
use super::{BookDat, Bytes, Table, text};
use crate::board::Position;
use crate::types::Move;

/// Reads any bytes as a book of every form that is not SQLite's, asks it, and where it is a whole book of our own takes it
/// through text and back. Tells how many of the start's moves it has in each form: our own, `BOOK.DAT`, and our text.
///
/// # Panics
/// When something is wrong with a reader or writer.
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
    // A damaged book hardly ever has the right sum; what lies behind it must hold without.
    let _ = Table::new(Bytes::Owned(bytes.to_vec()));
    if let Ok(table) = Table::unsummed(Bytes::Owned(bytes.to_vec())) {
        known[0] = table.moves(Position::startpos().board()).len();
        for board in boards() {
            assert!(table.moves(&board).iter().all(|found| board.is_legal(found.mv)));
            let _ = table.opening(&board);
        }
        if let Ok(contents) = table.contents() {
            // Copies of a start are reported once.
            let again = Table::new(Bytes::Owned(contents.to_bytes())).and_then(|table| table.contents());
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
    let Ok(mut compiler) = Compiler::new() else { panic!("the start position is one") };
    if compiler.read("fuzz", source).is_err() {
        return known;
    }
    let Ok(contents) = compiler.finish() else { return known };
    let written = text::write(&contents);
    let Ok(mut compiler) = Compiler::new() else { panic!("the start position is one") };
    if let Err(error) = compiler.read("written", &written) {
        panic!("{error}\n{written}");
    }
    assert_eq!(compiler.finish().as_ref(), Ok(&contents), "{written}");
    if let Ok(table) = Table::new(Bytes::Owned(contents.to_bytes())) {
        known[2] = table.moves(Position::startpos().board()).len();
    }
    known
}

/// A book as text.
const SOURCE: &str = "C2.5*60 \"Central cannon\" \"中炮\" # a comment\n  H8+7 H2+3 R9.8\n    R1.2*3\n  C8.5*0\nstart \
    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\nH8+7 C2.5\n";

/// A small book of every form, in the order in which [`book`] tells what it has found.
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
    use crate::book::{Book, EMBEDDED};
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
        fn any_bytes_are_a_book_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            book(&bytes);
        }

        #[test]
        fn damaged_tables_do_no_harm(bytes in damaged(small_table())) {
            // One that is changed anywhere is refused.
            prop_assert!(bytes == small_table() || Table::new(Bytes::Owned(bytes.clone())).is_err());
            book(&bytes);
        }

        #[test]
        fn damaged_sources_do_no_harm(bytes in damaged(SOURCE.as_bytes())) {
            book(&bytes);
        }
    }

    #[test]
    fn whole_books_pass() {
        // What a fuzzer begins with is asked in every form.
        let [table, dat, text] = seeds().map(|seed| book(&seed));
        assert_eq!((table[0], dat[1], text[2]), (1, 3, 1));
        assert!(book(EMBEDDED)[0] > 3);
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn damaged_files_of_sqlite_are_refused_or_asked_without_harm() {
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
