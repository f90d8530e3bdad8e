//! Layer 5: opening books. Names of positions and book moves, from the built-in book, from compiled books and from books of other
//! programs.
//!
//! | format | file | read | written |
//! | --- | --- | --- | --- |
//! | source, see `book/README.md` | `.wxf` | yes | [`text::write`] |
//! | compiled book, see [`encode`] | `.book` | read into memory | [`encode::write`] |
//! | XQWizard, ElephantEye | `BOOK.DAT` | read into memory | [`export()`] |
//! | BHGUI, SharkChess (`bhobk`, `pfBook`) | `.obk` | through SQLite, with the feature `sqlite` | [`export()`] |
//! | xqbook | `.xqb` | through SQLite, with the feature `sqlite` | [`export()`] |
//!
//! [`edited`] changes a single move in any of them.
//!
//! `build.rs` compiles `book/*.wxf` with [`compile`] and embeds the compiled book in the program: [`builtin`].

mod bookdat;
mod choose;
mod collect;
mod compiled;
mod edit;
mod error;
mod export;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
#[cfg(feature = "sqlite")]
mod obk;
mod played;
mod sorter;
mod source_edit;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(test)]
mod tests;
mod walk;
#[cfg(feature = "sqlite")]
mod xqb;

pub use bookdat::BookDat;
pub use choose::{BookChoice, Chosen, Objection, Question, choose, objection};
pub use collect::{Collector, Written};
pub use compiled::CompiledBook;
pub use edit::{edited, settle};
pub use encode::{Contents, Opening};
pub use error::BookError;
pub use export::{BookFormat, Exported, export};
#[cfg(feature = "sqlite")]
pub use obk::Obk;
pub use played::{MoveStats, PlayerGames};
pub use walk::{Reached, Walked, walk};
pub use xiangqi::openings::{compile, encode, key, text};
#[cfg(feature = "sqlite")]
pub use xqb::Xqb;

use crate::board::{Board, Position};
use crate::records::{Record, decode, is_utf16};
use crate::system::is_device;
use crate::types::{Move, sort_by};
use compile::Compiler;
use key::book_key;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, SystemTime};

/// A book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Relative frequency of playing it; 0 for a move that is in the book but never played.
    pub weight: u32,
}

/// A change to a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The move.
    pub mv: Move,
    /// Its new weight; none to remove it.
    pub weight: Option<u32>,
}

/// A book file being written.
trait Target {
    /// Adds the moves of a position.
    ///
    /// # Errors
    /// If writing fails.
    fn add(&mut self, board: &Board, moves: &[BookMove]) -> Result<Outcome, BookError>;

    /// Returns the contents of the file.
    ///
    /// # Errors
    /// If writing fails.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, BookError>;
}

/// The result of storing the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Stored unchanged.
    Stored,
    /// Stored with weights scaled down proportionally.
    Scaled,
    /// Omitted because another position has the same key.
    Collision,
    /// Omitted because all weights are 0, which the format cannot represent.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "only SQLite formats cannot represent it"))]
    NeverPlayed,
}

/// A book of any format.
#[derive(Debug)]
pub enum Book {
    /// A compiled book.
    Compiled(CompiledBook),
    /// The built-in book.
    Builtin,
    /// `BOOK.DAT` of XQWizard.
    BookDat(BookDat),
    /// `.obk` of BHGUI.
    #[cfg(feature = "sqlite")]
    Obk(Obk),
    /// `.xqb` of xqbook.
    #[cfg(feature = "sqlite")]
    Xqb(Xqb),
}

/// The book compiled by `build.rs`.
#[cfg(feature = "opening-book")]
static BUILTIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/book.bin"));
#[cfg(not(feature = "opening-book"))]
static BUILTIN: &[u8] = &[];

/// The book passed to [`provide`].
static PROVIDED: OnceLock<CompiledBook> = OnceLock::new();

/// Sets the book returned by [`builtin`], for builds without the cargo feature `opening-book`: over a network, the book is downloaded and
/// cached separately from the program. Only the first call takes effect; later ones return `Ok(false)`.
///
/// # Errors
/// If the bytes are damaged.
pub fn provide(bytes: Vec<u8>) -> Result<bool, BookError> {
    if PROVIDED.get().is_some() {
        return Ok(false);
    }
    Ok(PROVIDED.set(CompiledBook::new(Bytes::Owned(bytes))?).is_ok())
}

/// The built-in book, or the provided one.
pub fn builtin() -> &'static CompiledBook {
    if let Some(provided) = PROVIDED.get() {
        return provided;
    }
    static BOOK: LazyLock<CompiledBook> = LazyLock::new(|| {
        // A test verifies its checksum.
        CompiledBook::without_checksum(Bytes::Borrowed(BUILTIN)).unwrap_or_else(|_| CompiledBook::empty())
    });
    &BOOK
}

/// The bytes of a book, static or owned. Files are read entirely: truncation of a mapped file by another program would kill the process, and
/// the checksum needs all bytes anyway.
pub type Bytes = Cow<'static, [u8]>;

/// The time of the last change of a file and its length in bytes.
pub type Version = (SystemTime, u64);

/// The version of a file, by which a changed book is recognised; `None` if there is no file.
pub fn version_of(path: &Path) -> Option<Version> {
    let data = path.metadata().ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Time for which SQLite usually waits for another program that writes a book.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum sizes of a source and of a book, in bytes.
const MAX_SOURCE: u64 = 256 << 20;
const MAX_BOOK: u64 = 1 << 30;

/// Reads the rest of a book; `bytes` are those already read.
///
/// # Errors
/// If the file cannot be read, is larger than `largest`, or there is not enough memory.
fn read_rest(mut bytes: Vec<u8>, file: File, largest: u64) -> Result<Bytes, BookError> {
    let size = file.metadata()?.len();
    if size > largest {
        return Err(BookError::at(0, format!("{} MiB, expected at most {}", size.div_ceil(1 << 20), largest >> 20)));
    }
    let no_memory = |_| BookError::from(std::io::Error::from(std::io::ErrorKind::OutOfMemory));
    bytes.try_reserve_exact(size as usize).map_err(no_memory)?;
    file.take(largest).read_to_end(&mut bytes)?;
    Ok(Bytes::Owned(bytes))
}

impl Book {
    /// Opens a book of any format, detected by its first bytes, or otherwise by its extension.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid book, with the place.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::open_file(path).map_err(|error| error.within(path))
    }

    fn open_file(path: &Path) -> Result<Book, BookError> {
        // Checked first, because opening a folder on Windows fails with "access denied".
        if path.is_dir() {
            return Err(BookError::Folder);
        }
        if is_device(path) {
            return Err(BookError::NoFile);
        }
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        file.by_ref().take(16).read_to_end(&mut head)?;
        let has_extension = |name: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name));
        if head.starts_with(&encode::MARK[..7]) {
            CompiledBook::new(read_rest(head, file, MAX_BOOK)?).map(Book::Compiled)
        } else if head.starts_with(SQLITE_MARK) {
            Book::open_sqlite(path)
        } else if has_extension("wxf") {
            let bytes = read_rest(head, file, MAX_SOURCE)?;
            from_source(&path.display().to_string(), &text_of_source(&bytes)?).map(Book::Compiled)
        } else if has_extension("obk") || has_extension("xqb") {
            Err(BookError::at(0, "expected the mark of an SQLite file"))
        } else {
            BookDat::new(read_rest(head, file, MAX_BOOK)?).map(Book::BookDat)
        }
    }

    /// Opens a book from the bytes of a file, as [`Book::open`] does. `name` is used in errors, and its extension identifies a source. SQLite
    /// books are not supported.
    ///
    /// # Errors
    /// If the bytes are not a valid book, with the place.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Book, BookError> {
        let is_source = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wxf"));
        let open = || {
            if bytes.starts_with(&encode::MARK[..7]) {
                CompiledBook::new(Bytes::Owned(bytes)).map(Book::Compiled)
            } else if bytes.starts_with(SQLITE_MARK) {
                Err(BookError::WithoutSqlite)
            } else if is_source {
                from_source(name, &text_of_source(&bytes)?).map(Book::Compiled)
            } else {
                BookDat::new(Bytes::Owned(bytes)).map(Book::BookDat)
            }
        };
        open().map_err(|error| error.within(Path::new(name)))
    }

    /// Opens an SQLite book, with the format detected by its tables.
    #[cfg(feature = "sqlite")]
    fn open_sqlite(path: &Path) -> Result<Book, BookError> {
        let database = sqlite::Database::open(path)?;
        let tables = database.tables()?;
        let has = |name: &str| tables.iter().any(|table| table.eq_ignore_ascii_case(name));
        if let Some(table) = ["bhobk", "pfBook"].into_iter().find(|&name| has(name)) {
            Ok(Book::Obk(Obk::new(database, table)))
        } else if has("book") {
            Ok(Book::Xqb(Xqb::new(database)))
        } else {
            Err(BookError::Tables(tables.join(", ")))
        }
    }

    #[cfg(not(feature = "sqlite"))]
    fn open_sqlite(_path: &Path) -> Result<Book, BookError> {
        Err(BookError::WithoutSqlite)
    }

    /// Opens a book for many lookups. For an SQLite file without an index of its keys, one is built first, which reads the entire file.
    /// Lookups wait at most `patience` for another program that is writing the book.
    ///
    /// # Errors
    /// As [`Book::open`].
    pub fn open_for_lookups(path: &Path, patience: Duration) -> Result<Book, BookError> {
        let book = Book::open(path)?;
        book.prepare_lookups(patience)?;
        Ok(book)
    }

    fn prepare_lookups(&self, patience: Duration) -> Result<(), BookError> {
        match self {
            #[cfg(feature = "sqlite")]
            Book::Obk(book) => book.prepare_lookups(patience),
            #[cfg(feature = "sqlite")]
            Book::Xqb(book) => book.prepare_lookups(patience),
            // These are in memory.
            _ => {
                let _ = patience;
                Ok(())
            }
        }
    }

    /// The legal book moves of a position, highest weight first.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, BookError> {
        let mut moves = match self {
            Book::Compiled(compiled) => compiled.moves(board),
            Book::Builtin => builtin().moves(board),
            Book::BookDat(book) => book.moves(board),
            #[cfg(feature = "sqlite")]
            Book::Obk(book) => book.moves(board).map_err(|error| error.within(book.path()))?,
            #[cfg(feature = "sqlite")]
            Book::Xqb(book) => book.moves(board).map_err(|error| error.within(book.path()))?,
        };
        sort_by(&mut moves, |a, b| b.weight.cmp(&a.weight).then(a.mv.cmp(&b.mv)));
        // Some files of other programs contain a move twice; the higher weight counts.
        if self.compiled().is_none() {
            let mut seen = HashSet::new();
            moves.retain(|found| seen.insert(found.mv));
        }
        Ok(moves)
    }

    /// Whether a move is in the book with a non-zero weight; in a symmetric position also if its mirror image is, since most formats contain
    /// only one of them.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn knows(&self, board: &Board, mv: Move) -> Result<bool, BookError> {
        let image = if board.mirrored() == *board { mv.mirrored() } else { mv };
        Ok(self.moves(board)?.iter().any(|known| (known.mv == mv || known.mv == image) && known.weight > 0))
    }

    /// Approximate number of moves, obtained without reading them; 0 if unknown.
    pub fn size(&self) -> u64 {
        match self {
            Book::Compiled(compiled) => compiled.len() as u64,
            Book::Builtin => builtin().len() as u64,
            Book::BookDat(book) => book.len() as u64,
            #[cfg(feature = "sqlite")]
            Book::Obk(book) => book.size(),
            #[cfg(feature = "sqlite")]
            Book::Xqb(book) => book.size(),
        }
    }

    /// The keys of all positions with moves, in a numbering of the format.
    fn stored_keys(&self) -> Result<HashSet<u64>, BookError> {
        let of_compiled = |compiled: &CompiledBook| compiled.contents().map(|contents| keys_of(&contents));
        match self {
            Book::Compiled(compiled) => of_compiled(compiled),
            Book::Builtin => of_compiled(builtin()),
            Book::BookDat(book) => Ok(book.keys().map(u64::from).collect()),
            #[cfg(feature = "sqlite")]
            Book::Obk(book) => book.keys().map_err(|error| error.within(book.path())),
            #[cfg(feature = "sqlite")]
            Book::Xqb(book) => book.keys().map_err(|error| error.within(book.path())),
        }
    }

    /// The keys under which a position or its mirror image may be stored, in the numbering of [`Book::stored_keys`].
    fn keys(&self, board: &Board) -> [u64; 4] {
        let two = |key: &dyn Fn(&Board) -> [u64; 2]| {
            let ([a, b], [c, d]) = (key(board), key(&board.mirrored()));
            [a, b, c, d]
        };
        match self {
            Book::Compiled(_) | Book::Builtin => [book_key(board).0; 4],
            Book::BookDat(_) => two(&|board| [bookdat::key(board).into(); 2]),
            #[cfg(feature = "sqlite")]
            Book::Obk(_) => two(&obk::numbers),
            #[cfg(feature = "sqlite")]
            Book::Xqb(_) => [xqb::number(&xqb::key(board).1); 4],
        }
    }

    /// The book if it is a compiled one.
    pub fn compiled(&self) -> Option<&CompiledBook> {
        match self {
            Book::Compiled(compiled) => Some(compiled),
            Book::Builtin => Some(builtin()),
            _ => None,
        }
    }
}

/// The keys of the positions with moves in a compiled book. An entry without a move only names its position.
fn keys_of(contents: &Contents) -> HashSet<u64> {
    contents.entries.iter().filter(|entry| !entry.mv.is_none()).map(|entry| entry.key).collect()
}

/// Signature of SQLite files.
const SQLITE_MARK: &[u8] = b"SQLite format 3\0";

/// The text of a source, which is in UTF-8, or in UTF-16 as Windows PowerShell writes the output of `book export` to a file.
fn text_of_source(bytes: &[u8]) -> Result<Cow<'_, str>, BookError> {
    if is_utf16(bytes) {
        return Ok(decode(bytes));
    }
    let no_text = |error: std::str::Utf8Error| BookError::at(error.valid_up_to(), "not UTF-8, expected the text of a source");
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(no_text)
}

/// Compiles a source.
///
/// # Errors
/// If the source is invalid, with file and line.
pub fn from_source(name: &str, text: &str) -> Result<CompiledBook, BookError> {
    let mut compiler = Compiler::new().map_err(BookError::compile)?;
    compiler.read(name, text)?;
    CompiledBook::new(Bytes::Owned(compiler.finish().map_err(BookError::compile)?.to_bytes()))
}

/// The name of the opening of a game as its record states it. Many programs write `?` for an unknown one.
pub fn opening_of_record(record: &Record) -> Option<String> {
    let known = |name: &str| record.tag(name).map(str::trim).filter(|value| !value.chars().all(|letter| "?-".contains(letter)));
    let parts = [known("ECCO").or_else(|| known("ECO")), known("Opening"), known("Variation")];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

/// The name of the opening of a game in the built-in book.
pub fn opening_of(game: &Position) -> Option<&'static Opening> {
    builtin().opening_of(game)
}
