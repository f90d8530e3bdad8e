//! Tests of sources, the compiler and compiled books.

use super::compile::Compiler;
use super::encode::{Contents, Opening};
use super::key::{Orientation, book_key};
use super::*;
use crate::board::test_positions::random_walk;
use crate::notation::{self, System};
use std::fmt::Debug;

fn compile(source: &str) -> Result<Contents, String> {
    let mut compiler = Compiler::new().unwrap();
    compiler.read("test.wxf", source).map_err(|error| error.to_string())?;
    compiler.finish().map_err(|error| error.to_string())
}

/// The sources of the book in the repository, in the order in which `build.rs` reads them.
fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("book");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wxf"));
    paths.sort();
    let name = |path: &Path| format!("book/{}", path.file_name().unwrap().to_string_lossy());
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// Positions of random games.
fn fens() -> Vec<String> {
    let mut fens = Vec::new();
    for seed in 1..4 {
        let mut ply = 0;
        random_walk(seed, 200, |board| {
            ply += 1;
            if ply % 5 == 0 {
                fens.push(board.to_fen());
            }
        });
    }
    fens
}

fn same<T: PartialEq + Debug>(left: T, right: T) {
    assert_eq!(left, right);
}

#[test]
fn the_built_in_book_matches_its_sources() {
    let mut compiler = Compiler::new().unwrap();
    for (name, text) in sources() {
        compiler.read(&name, &text).unwrap();
    }
    let contents = compiler.finish().unwrap();
    assert!(contents.to_bytes() == BUILTIN, "the built-in book differs from book/*.wxf");
    let compiled = CompiledBook::new(Bytes::Borrowed(BUILTIN)).unwrap();
    assert_eq!(compiled.contents().unwrap(), contents);
    assert_eq!(builtin().len(), contents.entries.len());
    // Conversion to text and back loses only comments.
    let text = text::write(&contents);
    same(compile(&text), Ok(contents));
}

#[test]
fn both_images_of_a_move_in_a_symmetric_position_are_known() {
    let book = Book::Compiled(from_source("x", "C2.5\n  H8+7\nP7+1*0\n").unwrap());
    let knows = |board: &Board, mv: &str| book.knows(board, Move::from_uci(mv).unwrap()).unwrap();
    let start = *Position::startpos().board();
    assert!(knows(&start, "h2e2") && knows(&start, "b2e2") && !knows(&start, "c3c4") && !knows(&start, "g3g4"));
    let after = start.after(Move::from_uci("h2e2").unwrap());
    assert!(knows(&after, "h9g7") && !knows(&after, "b9c7"));
}

#[test]
fn a_book_can_be_provided_once() {
    let mut bytes = BUILTIN.to_vec();
    bytes[40] ^= 1;
    assert!(provide(bytes).is_err());
    // The same book, since other tests run concurrently.
    assert!(provide(BUILTIN.to_vec()).unwrap());
    assert!(builtin().contents().unwrap() == CompiledBook::new(Bytes::Borrowed(BUILTIN)).unwrap().contents().unwrap());
    let provided = std::ptr::from_ref(builtin());
    assert!(!provide(BUILTIN.to_vec()).unwrap());
    assert!(std::ptr::eq(builtin(), provided));
}

#[test]
fn move_texts_are_unambiguous() {
    let mut compared = 0;
    let pawns = ["3k5/9/9/6P2/6P2/6P2/9/9/9/4K4 w", "3k5/6P2/6P2/6P2/6P2/6P2/9/9/9/4K4 w", "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w"];
    for fen in fens().into_iter().chain(pawns.map(String::from)) {
        let Ok(board) = Board::from_fen(&fen) else { continue };
        for &mv in &board.legal_moves() {
            let written = notation::write(System::Wxf, &board, mv);
            assert_eq!(text::read_move(&board, &written), Ok(mv), "{written} in {fen}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
    let start = *Position::startpos().board();
    for wrong in ["", "C2", "C2.55", "C2=5", "c2.5", "C2.2", "H2+5", "H2.3", "K5.5", "A5+4", "E7+7", "馬二進三", "P++1"] {
        assert!(text::read_move(&start, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_source_becomes_a_table() {
    let source = "# a comment\n\
        C2.5*60 \"Central cannon\" \"中炮\"\n\
        \x20 H8+7 H2+3 # with a comment\n\
        \x20   R9.8*3 R1.2 \"A leaf\" \"叶\"\n\
        \x20   P7+1*0\n\
        \n\
        \x20 C8.5\n\
        P7+1 P7+1\n";
    let contents = compile(source).unwrap();
    let compiled = CompiledBook::new(Bytes::Owned(contents.to_bytes())).unwrap();
    let mut position = Position::startpos();
    let moves = |position: &Position| -> Vec<String> {
        compiled.moves(position.board()).iter().map(|found| format!("{} {}", found.mv, found.weight)).collect()
    };
    assert_eq!(moves(&position), ["h2e2 60", "g3g4 10"]);
    assert_eq!(compiled.opening_of(&position), None);
    for text in ["h2e2", "h9g7", "h0g2"] {
        position.make(Move::from_uci(text).unwrap());
    }
    assert_eq!(moves(&position), ["i9h9 3", "g6g5 0"]);
    let english = |name: Option<&Opening>| name.map(|name| name.english.clone());
    assert_eq!(english(compiled.opening_of(&position)).as_deref(), Some("Central cannon"));
    // The mirror image.
    let mirrored = Position::new(position.board().mirrored(), 0, 1);
    assert_eq!(moves(&mirrored), ["a9b9 3", "c6c5 0"]);
    assert_eq!(compiled.opening(mirrored.board()), None);
    for text in ["i9h9", "i0h0"] {
        position.make(Move::from_uci(text).unwrap());
    }
    assert_eq!(english(compiled.opening_of(&position)).as_deref(), Some("A leaf"));
    assert_eq!(moves(&position), [""; 0]);
    // Round trips of text and table.
    let written = text::write(&contents);
    assert_eq!(
        written,
        "C2.5*60 \"Central cannon\" \"中炮\"\n  C8.5\n  H8+7 H2+3\n    R9.8*3 R1.2 \"A leaf\" \"叶\"\n    P7+1*0\nP3+1 P3+1\n"
    );
    same(compile(&written), Ok(contents.clone()));
    same(compile(source), Ok(contents));
}

#[test]
fn mirrored_moves_in_a_symmetric_position_are_equal() {
    same(compile("C8.5*7\n"), compile("C2.5*7\n"));
    assert!(compile("C8.5*7\nC2.5*8\n").is_err());
    let (_, orientation) = book_key(Position::startpos().board());
    assert_eq!(orientation, Orientation::Symmetric);
    // The replies to either cannon move are the same entry.
    same(compile("C8.5 H2+3\n"), compile("C2.5 H8+7\n"));
}

#[test]
fn source_errors_name_file_line_and_reason() {
    for (source, expected) in [
        ("C2.5 H8+7\nC2.6\nC3.5\n", "test.wxf:3: 'C3.5': there is no red cannon on file 3"),
        ("C2.5\n  H8+7 H8+8\n", "test.wxf:2: 'H8+8'"),
        ("C2.5\n hello\n", "test.wxf:2: 'hello'"),
        ("C2.5*60\nC2.5*50 H8+7\n", "test.wxf:2: 'C2.5' has weight 50 here and 60 at test.wxf:1"),
        ("C2.5*6x\n", "test.wxf:1: weight '6x', expected a number from 0"),
        ("C2.5 \"A\" \"甲\"\nC2.5 \"B\" \"乙\"\n", "test.wxf:2: the position is \"B\" here and \"A\" at test.wxf:1"),
        ("C2.5 \"A\" \"甲\"\nP7+1 \"A\" \"乙\"\n", "test.wxf:2: \"A\" is \"乙\" here and \"甲\" at test.wxf:1"),
        ("C2.5 \"A\"\n", "test.wxf:1: one name, expected two"),
        ("C2.5 \"A\n", "test.wxf:1: a name without its closing quotation mark"),
        ("C2.5\n    H8+7\n  H2+3\n", "test.wxf:3: indented by 2 spaces, expected the indentation of a line above"),
        ("  C2.5\n", "test.wxf:1: indented by 2 spaces"),
        ("C2.5\n\tH8+7\n", "test.wxf:2: a tab, expected spaces"),
        ("R1+1 R1+1 R1-1 R1-1\n", "test.wxf:1: 'R1-1' repeats a position of its own line"),
        ("start nonsense\n", "test.wxf:1: "),
        ("  start rnbakabnr/9/9/9/9/9/9/9/9/RNBAKABNR w\n", "test.wxf:1: an indented start line"),
    ] {
        for error in [compile(source).unwrap_err(), compile(source).unwrap_err()] {
            assert!(error.starts_with(expected), "{source:?}: {error}");
        }
    }
}

#[test]
fn positions_other_than_the_start() {
    let source = "start 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\nR9+5 \"Endgame\" \"残局\"\n  K4+1\n  K4-1\n";
    // Black's king on d9 can't go back.
    assert!(compile(source).unwrap_err().starts_with("test.wxf:4"));
    let contents = compile(&source.replace("  K4-1\n", "")).unwrap();
    assert_eq!(contents.starts.len(), 1);
    same(compile(&text::write(&contents)), Ok(contents));
}

#[test]
fn a_source_has_the_moves_that_repeat_a_position() {
    let back = "1nbakabnr/r8/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
    let contents = compile(&format!("R1+1 R1+1 R1-1\nstart {back}\nR1-1*7\n")).unwrap();
    let written = text::write(&contents);
    same(compile(&written).map(|again| again.entries), Ok(contents.entries));
}

#[test]
fn invalid_tables_are_rejected_with_the_offset() {
    let whole = compile("C2.5 \"A\" \"甲\"\n").unwrap().to_bytes();
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        CompiledBook::new(Bytes::Owned(bytes)).unwrap_err().to_string()
    };
    assert_eq!(refused(&|bytes| bytes[0] = b'x'), "byte 0: expected the mark of a chuhe book");
    assert_eq!(refused(&|bytes| bytes[8] = 9), "byte 8: version 9, expected 1");
    let end = whole.len();
    assert!(refused(&|bytes| bytes.truncate(end - 1)).contains("the file is truncated"));
    assert!(refused(&|bytes| bytes[20] ^= 1).contains("the checksum is"));
    // A line feed in a name would break the protocol line that contains it.
    let name = end - FOOT_BYTES - 6;
    assert_eq!(&whole[name..name + 1], b"A");
    assert!(refused(&|bytes| bytes[name] = b'\n').contains("expected a name"));
    assert!(refused(&|bytes| bytes[end - FOOT_BYTES] ^= 1).contains("entries and"));
}

/// Bytes after the strings, see [`encode`].
const FOOT_BYTES: usize = encode::FOOT;

#[test]
fn file_formats_are_detected() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Book::open(&path)
    };
    let compiled = compile("C2.5\n").unwrap().to_bytes();
    let start = Position::startpos();
    let moves = |book: Result<Book, BookError>| {
        let moves = book.and_then(|book| book.moves(start.board())).map_err(|error| error.to_string());
        moves.map(|moves| moves.len())
    };
    assert_eq!(moves(file("any.name", &compiled)), Ok(1));
    assert_eq!(moves(file("source.wxf", b"C2.5\nP7+1\n")), Ok(2));
    let entry = [0x0526_56d5u32.to_le_bytes(), [0xaa, 0xa7, 9, 0]].concat();
    assert_eq!(moves(file("BOOK.DAT", &entry)), Ok(1));
    for (name, bytes) in
        [("a.wxf", &b"C3.5\n"[..]), ("a.obk", b"junk"), ("a.dat", b"junk"), ("empty", b""), ("a.bin", &compiled[..40])]
    {
        let error = moves(file(name, bytes)).unwrap_err();
        assert!(error.contains(name) && !error.contains('\n'), "{error}");
    }
    assert!(Book::open(folder.path()).unwrap_err().to_string().contains("a folder"));
    assert!(Book::open(&folder.path().join("missing")).is_err());
}

#[test]
fn a_move_that_a_file_contains_twice_is_one_move() {
    let start = *Position::startpos().board();
    let entries = [("h2e2", 40), ("h2e2", 60), ("g3g4", 35)].map(|(text, weight)| (Move::from_uci(text).unwrap(), weight));
    let book = Book::from_bytes("BOOK.DAT", BookDat::sample(&start, &entries)).unwrap();
    let moves: Vec<_> = book.moves(&start).unwrap().iter().map(|found| (found.mv.to_string(), found.weight)).collect();
    assert_eq!(moves, [("h2e2".to_string(), 60), ("g3g4".to_string(), 35)]);
}

#[cfg(feature = "sqlite")]
#[test]
fn errors_of_lookups_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.obk");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE bhobk(id INTEGER)").unwrap();
    let error = Book::open(&path).unwrap().moves(Position::startpos().board()).unwrap_err().to_string();
    assert!(error.starts_with(&path.display().to_string()) && error.contains("vmove"), "{error}");
}

#[test]
fn formats_of_bytes_are_detected_like_files() {
    let names = |book: &Book| book.compiled().map(|compiled| compiled.len());
    let source = b"C2.5*60 \"Central cannon\" \"\xe4\xb8\xad\xe7\x82\xae\"\n H8+7\n".to_vec();
    assert_eq!(names(&Book::from_bytes("own.wxf", source.clone()).unwrap()), Some(2));
    // As Windows PowerShell writes it.
    let text = format!("\u{feff}{}", std::str::from_utf8(&source).unwrap()).replace('\n', "\r\n");
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(names(&Book::from_bytes("own.wxf", wide).unwrap()), Some(2));
    let compiled = compile(std::str::from_utf8(&source).unwrap()).unwrap().to_bytes();
    assert_eq!(names(&Book::from_bytes("", compiled).unwrap()), Some(2));
    let fault = |name: &str, bytes: &[u8]| Book::from_bytes(name, bytes.to_vec()).unwrap_err().to_string();
    assert!(fault("a.obk", b"SQLite format 3\0").starts_with("a.obk: an SQLite file"));
    assert!(fault("own.wxf", b"C2.5 \xff").contains("own.wxf: byte 5: not UTF-8"));
    assert!(fault("BOOK.DAT", b"xyz").starts_with("BOOK.DAT: "));
}
