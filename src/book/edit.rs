//! Adds, removes and reweights moves of one position in a book file of any format, leaving the rest unchanged.

use super::bookdat::{self, ENTRY};
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::text::MAX_WEIGHT;
use super::{Book, BookError, BookMove, Change, source_edit, text_of_source, walk};
use crate::board::Board;
use crate::book::encode::{BookEntry, NO_NAME};
use crate::book::key::book_key;
use crate::types::Move;
use std::path::Path;

/// Prepares for the replacement of a book by another file: for SQLite, changes of another program that are still in a log next to the book are
/// moved into it. Every other file is left as it is.
///
/// # Errors
/// If another program has the book open, or it cannot be written.
pub fn settle(path: &Path) -> Result<(), BookError> {
    #[cfg(feature = "sqlite")]
    sqlite::settle(path).map_err(|error| error.within(path))?;
    #[cfg(not(feature = "sqlite"))]
    let _ = path;
    Ok(())
}

/// Returns the bytes of a book file with the moves of a position changed. The file itself is not modified.
///
/// # Errors
/// If the book cannot be read, a move is illegal, a move to be removed is not in the book, a weight is too large, or the format cannot
/// represent the change.
pub fn edited(path: &Path, board: &Board, changes: &[Change]) -> Result<Vec<u8>, BookError> {
    let book = Book::open(path)?;
    let within = |error: BookError| error.within(path);
    #[cfg(feature = "sqlite")]
    let holds_both = matches!(book, Book::BookDat(_) | Book::Xqb(_));
    #[cfg(not(feature = "sqlite"))]
    let holds_both = matches!(book, Book::BookDat(_));
    let known = book.moves(board)?;
    for (index, change) in changes.iter().enumerate() {
        let image = change.mv.mirrored();
        // An `.obk` of another program, or made from a book that holds both, has rows for both.
        let has_both = [change.mv, image].iter().all(|&mv| known.iter().any(|found| found.mv == mv));
        let is_one = board.mirrored() == *board && !holds_both && !has_both;
        if is_one && image != change.mv && changes[..index].iter().any(|earlier| earlier.mv == image) {
            let error = format!("{image} and {} are one move of the book, expected one change of it", change.mv);
            return Err(within(BookError::Compile(error)));
        }
        if let Some(weight) = change.weight.filter(|&weight| weight > MAX_WEIGHT) {
            return Err(within(BookError::Compile(format!("weight {weight}, expected at most {MAX_WEIGHT}"))));
        }
        if !board.is_legal(change.mv) {
            return Err(within(BookError::Compile(format!("{} is not legal in {}", change.mv, board.to_fen()))));
        }
        // In a symmetric position the book may contain the mirror image of the move.
        let is_known = |found: &BookMove| found.mv == change.mv || (is_one && found.mv.mirrored() == change.mv);
        if change.weight.is_none() && !known.iter().any(is_known) {
            return Err(within(BookError::Compile(format!("{} is not in the book in {}", change.mv, board.to_fen()))));
        }
    }
    let is_source = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wxf"));
    let bytes = match &book {
        Book::Compiled(_) if is_source => {
            let text = text_of_source(&std::fs::read(path)?)?.into_owned();
            changes.iter().try_fold(text, |text, change| source_edit::edited(&text, board, change)).map(String::into_bytes)
        }
        Book::Compiled(compiled) => edited_compiled(&book, compiled, board, changes),
        Book::BookDat(_) => {
            let bytes = std::fs::read(path)?;
            changes.iter().try_fold(bytes, |bytes, change| edited_book_dat(bytes, board, change))
        }
        #[cfg(feature = "sqlite")]
        Book::Obk(_) | Book::Xqb(_) => edited_sqlite(path, board, changes),
        Book::Builtin => Err(BookError::NoFile),
    };
    bytes.map_err(within)
}

fn edited_compiled(book: &Book, compiled: &super::CompiledBook, board: &Board, changes: &[Change]) -> Result<Vec<u8>, BookError> {
    let mut contents = compiled.contents()?;
    let (key, orientation) = book_key(board);
    let is_new = !contents.entries.iter().any(|entry| entry.key == key);
    for change in changes {
        let mv = orientation.stored(change.mv);
        let name = contents.entries.iter().find(|entry| entry.key == key).map_or(NO_NAME, |entry| entry.name);
        contents.entries.retain(|entry| entry.key != key || (entry.mv != mv && !entry.mv.is_none()));
        match change.weight {
            Some(weight) => contents.entries.push(BookEntry { key, weight, mv, name }),
            // A position without moves keeps its name.
            None if name != NO_NAME && !contents.entries.iter().any(|entry| entry.key == key) => {
                contents.entries.push(BookEntry { key, weight: 0, mv: Move::NONE, name });
            }
            None => {}
        }
    }
    // Only the keys of positions are stored: one that no line reaches could not be found again, so it becomes a start, as in a source.
    if is_new && contents.entries.iter().any(|entry| entry.key == key) {
        let mut is_reached = false;
        walk(book, usize::MAX, &mut |reached| {
            is_reached |= book_key(reached.board).0 == key;
            Ok::<(), BookError>(())
        })?;
        if !is_reached {
            contents.starts.push(format!("{} - - 0 1", board.to_fen()));
        }
    }
    contents.entries.sort_unstable_by(BookEntry::order);
    Ok(contents.to_bytes())
}

fn edited_book_dat(bytes: Vec<u8>, board: &Board, change: &Change) -> Result<Vec<u8>, BookError> {
    let key_of = |entry: &[u8]| u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
    let (key, image) = (bookdat::key(board), bookdat::key(&board.mirrored()));
    let has = |key: u32, board: &Board| {
        let own = bytes.chunks_exact(ENTRY).filter(|entry| key_of(entry) == key);
        own.filter_map(bookdat::read_entry).any(|found| board.is_legal(found.mv))
    };
    let is_image = !has(key, board) && (has(image, &board.mirrored()) || image < key);
    let (key, mv) = if is_image { (image, change.mv.mirrored()) } else { (key, change.mv) };
    let mut entries: Vec<&[u8]> = bytes.chunks_exact(ENTRY).collect();
    let is_same = |entry: &&[u8]| key_of(entry) == key && bookdat::read_entry(entry).is_some_and(|found| found.mv == mv);
    let old = entries.iter().position(is_same);
    // Some files contain an entry twice.
    entries.retain(|entry| !is_same(entry));
    let Some(weight) = change.weight else {
        old.ok_or_else(|| BookError::Compile("no entry of the move".into()))?;
        if entries.is_empty() {
            return Err(BookError::Compile("the only move of the book, and BOOK.DAT cannot be empty".into()));
        }
        return Ok(entries.concat());
    };
    let too_heavy = |_| BookError::Compile(format!("weight {weight}, expected at most {} in BOOK.DAT", u16::MAX));
    let entry = bookdat::entry(key, mv, u16::try_from(weight).map_err(too_heavy)?);
    let at = old.unwrap_or_else(|| entries.partition_point(|other| key_of(other) <= key));
    entries.insert(at, &entry);
    Ok(entries.concat())
}

#[cfg(feature = "sqlite")]
fn edited_sqlite(path: &Path, board: &Board, changes: &[Change]) -> Result<Vec<u8>, BookError> {
    let copy = sqlite::copied(path)?;
    let known = Book::open_sqlite(copy.path())?;
    let mut edits = Vec::new();
    for change in changes {
        let (table, rows) = match &known {
            Book::Obk(book) => book.rows_of_move(board, change.mv)?,
            Book::Xqb(book) => {
                let (table, keys, mv) = book.rows_of_move(board, change.mv);
                (table, vec![(keys, mv)])
            }
            _ => return Err(BookError::NoFile),
        };
        edits.extend(rows.into_iter().map(|(keys, mv)| sqlite::Edit { table, keys, mv, weight: change.weight }));
    }
    sqlite::edit(copy.path(), &edits)?;
    Ok(std::fs::read(copy.path())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::BookDat;
    use crate::book::export::{BookFormat, export};
    use crate::book::from_source;

    const SOURCE: &str = "# mine\nC2.5*60 \"Central Cannon\" \"中炮\" # the first\n  H8+7*60 H2+3\n  C8.5*30\nP7+1*35\n";

    fn board(moves: &str) -> Board {
        let mut position = crate::board::Position::startpos();
        moves.split_whitespace().for_each(|text| position.make(Move::from_uci(text).unwrap()));
        *position.board()
    }

    fn change(text: &str, weight: Option<u32>) -> Change {
        Change { mv: Move::from_uci(text).unwrap(), weight }
    }

    fn moves(book: &Book, board: &Board) -> Vec<(String, u32)> {
        book.moves(board).unwrap().iter().map(|found| (found.mv.to_string(), found.weight)).collect()
    }

    #[test]
    fn a_position_that_no_line_reaches_becomes_a_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = files(folder.path()).into_iter().find(|path| path.ends_with("x.book")).unwrap();
        for (line, mv, starts) in [("a0a1 a9a8", "h2e2", 1), ("h2e2 h9g7", "h0g2", 0)] {
            let bytes = edited(&path, &board(line), &[change(mv, Some(7))]).unwrap();
            let book = Book::from_bytes("x.book", bytes).unwrap();
            assert_eq!(book.compiled().unwrap().starts().len(), starts, "{line}");
            assert_eq!(walk(&book, 100, &mut |_| Ok::<(), BookError>(())).unwrap().unreached, 0);
        }
    }

    #[test]
    fn two_changes_of_one_move_of_a_symmetric_position_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        for path in files(folder.path()) {
            let result = edited(&path, &board(""), &[change("h2e2", Some(5)), change("b2e2", Some(3))]);
            let holds_both = path.ends_with("BOOK.DAT") || path.ends_with("x.xqb");
            assert_eq!(result.is_ok(), holds_both, "{}", path.display());
        }
    }

    #[test]
    fn changes_in_a_log_of_sqlite_are_kept_and_the_log_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = files(folder.path()).into_iter().find(|path| path.ends_with("x.obk")).unwrap();
        let other = rusqlite::Connection::open(&path).unwrap();
        other.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
        other.execute("UPDATE bhobk SET vscore = 77 WHERE vscore = 60", []).unwrap();
        // The other program may write on.
        assert!(settle(&path).is_err());
        // As that program leaves the files when it is killed.
        let [copy, log] = ["y.obk", "y.obk-wal"].map(|name| folder.path().join(name));
        std::fs::copy(&path, &copy).unwrap();
        std::fs::copy(folder.path().join("x.obk-wal"), &log).unwrap();
        settle(&copy).unwrap();
        assert!(!log.exists());
        std::fs::write(&copy, edited(&copy, &board("h2e2"), &[change("b9c7", Some(70))]).unwrap()).unwrap();
        let expected = [("h9g7", 77), ("b9c7", 70), ("h7e7", 30)].map(|(mv, weight)| (mv.to_string(), weight));
        assert_eq!(moves(&Book::open(&copy).unwrap(), &board("h2e2")), expected);
        settle(&folder.path().join("none.obk")).unwrap();
    }

    #[test]
    fn the_journal_of_a_killed_program_damages_no_book() {
        let folder = tempfile::tempdir().unwrap();
        let path = files(folder.path()).into_iter().find(|path| path.ends_with("x.obk")).unwrap();
        let other = rusqlite::Connection::open(&path).unwrap();
        // More than fits in memory is written before the transaction ends.
        let changes = "BEGIN; UPDATE bhobk SET vscore = 77, vmemo = zeroblob(9000)";
        other.execute_batch(&format!("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; {changes}")).unwrap();
        // As that program leaves the files when it is killed.
        for name in ["y.obk", "z.obk", "none.obk"] {
            let journal = format!("{name}-journal");
            std::fs::copy(&path, folder.path().join(name)).unwrap();
            std::fs::copy(folder.path().join("x.obk-journal"), folder.path().join(journal)).unwrap();
        }
        let [read, settled, missing] = ["y.obk", "z.obk", "none.obk"].map(|name| folder.path().join(name));
        let expected = [("h9g7", 60), ("h7e7", 30)].map(|(mv, weight)| (mv.to_string(), weight));
        assert_eq!(moves(&Book::open(&read).unwrap(), &board("h2e2")), expected);
        settle(&settled).unwrap();
        assert!(!folder.path().join("z.obk-journal").exists());
        assert_eq!(moves(&Book::open(&settled).unwrap(), &board("h2e2")), expected);
        std::fs::remove_file(&missing).unwrap();
        assert!(settle(&missing).is_err());
    }

    #[test]
    fn a_change_may_add_the_move_that_is_played_instead() {
        let folder = tempfile::tempdir().unwrap();
        for path in files(folder.path()).into_iter().filter(|path| path.ends_with("x.obk") || path.ends_with("x.xqb")) {
            let changes = [change("h2e2", Some(0)), change("g3g4", None), change("h0g2", Some(7))];
            std::fs::write(&path, edited(&path, &board(""), &changes).unwrap()).unwrap();
            let expected = [("h0g2", 7), ("h2e2", 0)].map(|(mv, weight)| (mv.to_string(), weight));
            assert_eq!(moves(&Book::open(&path).unwrap(), &board("")), expected, "{}", path.display());
            let error = edited(&path, &board(""), &[change("h0g2", None)]).unwrap_err().to_string();
            assert!(error.contains("no move of the position would be played"), "{error}");
            assert!(edited(&path, &board(""), &[change("h0g2", None), change("h2e2", None)]).is_ok());
        }
    }

    #[test]
    fn a_book_that_holds_both_images_of_a_move_removes_only_the_named_one() {
        let folder = tempfile::tempdir().unwrap();
        for path in files(folder.path()) {
            let holds_both = path.ends_with("BOOK.DAT") || path.ends_with("x.xqb");
            // The source refuses for another reason: the move has continuations.
            let error = edited(&path, &board(""), &[change("b2e2", None)]).err().map(|error| error.to_string());
            assert_eq!(error.is_some_and(|error| error.contains("is not in the book")), holds_both, "{}", path.display());
        }
    }

    #[test]
    fn both_images_of_a_move_in_an_obk_are_edited_separately() {
        let folder = tempfile::tempdir().unwrap();
        let start = board("");
        let both = ["h2e2", "b2e2"].map(|text| (Move::from_uci(text).unwrap(), 60));
        let book = Book::from_bytes("BOOK.DAT", BookDat::sample(&start, &both)).unwrap();
        let path = folder.path().join("x.obk");
        std::fs::write(&path, export(&book, BookFormat::Obk, 100, &mut |_| {}).unwrap().bytes).unwrap();
        let changes = [change("h2e2", Some(5)), change("b2e2", Some(3))];
        std::fs::write(&path, edited(&path, &start, &changes).unwrap()).unwrap();
        let expected = [("h2e2", 5), ("b2e2", 3)].map(|(mv, weight)| (mv.to_string(), weight));
        assert_eq!(moves(&Book::open(&path).unwrap(), &start), expected);
        std::fs::write(&path, edited(&path, &start, &[change("h2e2", None)]).unwrap()).unwrap();
        assert_eq!(moves(&Book::open(&path).unwrap(), &start), expected[1..]);
    }

    #[test]
    fn all_entries_of_a_move_in_book_dat_are_edited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("BOOK.DAT");
        let start = board("");
        let [twice, other] = ["h2e2", "g3g4"].map(|text| Move::from_uci(text).unwrap());
        std::fs::write(&path, BookDat::sample(&start, &[(twice, 60), (twice, 60), (other, 35)])).unwrap();
        for (weight, expected) in
            [(Some(5), vec![("g3g4".to_string(), 35), ("h2e2".into(), 5)]), (None, vec![("g3g4".into(), 35)])]
        {
            let bytes = edited(&path, &start, &[change("h2e2", weight)]).unwrap();
            assert_eq!(moves(&Book::from_bytes("BOOK.DAT", bytes).unwrap(), &start), expected);
        }
    }

    #[test]
    fn a_source_with_a_byte_order_mark_is_edited() {
        let text = format!("\u{feff}{SOURCE}");
        let changed = source_edit::edited(&text, &board(""), &change("g3g4", Some(5))).unwrap();
        assert!(changed.starts_with(&text[..10]), "{changed}");
    }

    fn files(folder: &Path) -> Vec<std::path::PathBuf> {
        let compiled = from_source("x", SOURCE).unwrap();
        let book_bytes = compiled.contents().unwrap().to_bytes();
        let book = Book::Compiled(compiled);
        let mut files = vec![("x.wxf", SOURCE.as_bytes().to_vec()), ("x.book", book_bytes)];
        for (format, name) in [(BookFormat::BookDat, "BOOK.DAT"), (BookFormat::Obk, "x.obk"), (BookFormat::Xqb, "x.xqb")] {
            files.push((name, export(&book, format, 100, &mut |_| {}).unwrap().bytes));
        }
        let write = |(name, bytes): (&str, Vec<u8>)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        files.into_iter().map(write).collect()
    }

    #[test]
    fn moves_are_added_reweighted_and_removed_in_every_format() {
        let folder = tempfile::tempdir().unwrap();
        for path in files(folder.path()) {
            let shown = path.display();
            let apply = |line: &str, changes: &[Change]| {
                let bytes = edited(&path, &board(line), changes).unwrap_or_else(|error| panic!("{error}"));
                std::fs::write(&path, bytes).unwrap();
                Book::open(&path).unwrap_or_else(|error| panic!("{error}"))
            };
            // In a position, in its mirror image, and in a position not in the book.
            let book = apply("h2e2", &[change("h9g7", Some(5)), change("b9c7", Some(70))]);
            let expected = [("b9c7", 70), ("h7e7", 30), ("h9g7", 5)].map(|(mv, weight)| (mv.to_string(), weight));
            assert_eq!(moves(&book, &board("h2e2")), expected, "{shown}");
            let book = apply("b2e2", &[change("b9c7", Some(6)), change("b7e7", None)]);
            let expected = [("b9c7", 70), ("h9g7", 6)].map(|(mv, weight)| (mv.to_string(), weight));
            assert_eq!(moves(&book, &board("h2e2")), expected, "{shown}");
            let book = apply("h2e2 h9g7 h0g2 i9h9", &[change("i0h0", Some(9))]);
            assert_eq!(moves(&book, &board("h2e2 h9g7 h0g2 i9h9")), [("i0h0".to_string(), 9)], "{shown}");
            // The rest is unchanged.
            assert_eq!(moves(&book, &board("")), [("h2e2".to_string(), 60), ("g3g4".to_string(), 35)], "{shown}");
            assert_eq!(moves(&book, &board("h2e2 h9g7")).len(), 1, "{shown}");
        }
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        for path in files(folder.path()) {
            let before = std::fs::read(&path).unwrap();
            for wrong in [change("h2h9", None), change("a0a9", Some(1))] {
                let error = edited(&path, &board(""), &[wrong]).unwrap_err().to_string();
                assert!(error.starts_with(&path.display().to_string()) && error.contains("not"), "{error}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), before);
        }
        for name in ["x.wxf", "x.book", "x.xqb"] {
            let error = edited(&folder.path().join(name), &board(""), &[change("h2e2", Some(MAX_WEIGHT + 1))]).unwrap_err();
            assert!(error.to_string().contains("weight 1000000001, expected at most 1000000000"), "{error}");
        }
        let dat = folder.path().join("BOOK.DAT");
        assert!(edited(&dat, &board(""), &[change("h2e2", Some(70_000))]).unwrap_err().to_string().contains("65535"));
    }
}
