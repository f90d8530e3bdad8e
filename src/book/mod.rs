//! Layer 5: opening books. What a position is called and which moves are known there, from the book that the program
//! carries, from our own binary files and from the books that players have.
//!
//! | form | file | read | written |
//! | --- | --- | --- | --- |
//! | source, see `book/README.md` | `.wxf` | yes | [`text::write`] |
//! | our table, see [`encode`] | `.book` | read into memory | [`encode::write`] |
//! | XQWizard, ElephantEye | `BOOK.DAT` | read into memory | [`export()`] |
//! | BHGUI, SharkChess (`bhobk`, `pfBook`) | `.obk` | through SQLite, with the feature `sqlite` | [`export()`] |
//! | xqbook | `.xqb` | through SQLite, with the feature `sqlite` | [`export()`] |
//!
//! A single move is changed in any of them by [`edited`].
//!
//! `build.rs` compiles `book/*.wxf` with [`compile`] and puts the table into the program: [`embedded`].

mod bookdat;
mod choose;
mod collect;
mod edit;
mod error;
mod export;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
#[cfg(feature = "sqlite")]
mod obk;
mod sorter;
mod source_edit;
#[cfg(feature = "sqlite")]
mod sqlite;
mod table;
#[cfg(test)]
mod tests;
mod walk;
#[cfg(feature = "sqlite")]
mod xqb;

pub use bookdat::BookDat;
pub use choose::{BookChoice, Chosen, Objection, Question, choose, objection};
pub use collect::{Collector, Written};
pub use edit::{Change, edited};
pub use encode::{Contents, Opening};
pub use error::BookError;
pub use export::{Exported, Form, export};
#[cfg(feature = "sqlite")]
pub use obk::Obk;
pub use table::Table;
pub use walk::{Reached, walk};
pub use xiangqi::openings::{compile, encode, place, text};
#[cfg(feature = "sqlite")]
pub use xqb::Xqb;

use crate::board::{Board, Position};
use crate::system::is_device;
use crate::types::Move;
use compile::Compiler;
use place::place_of;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often to play it, relative to the others; 0 for a move that is known but not to be played.
    pub weight: u32,
}

/// A book of any form.
#[derive(Debug)]
pub enum Book {
    /// Our own.
    Table(Table),
    /// The one that the program carries.
    Embedded,
    /// XQWizard's.
    BookDat(BookDat),
    /// BHGUI's.
    #[cfg(feature = "sqlite")]
    Obk(Obk),
    /// xqbook's.
    #[cfg(feature = "sqlite")]
    Xqb(Xqb),
}

/// The bytes that `build.rs` has compiled.
#[cfg(feature = "opening-book")]
static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/book.bin"));
#[cfg(not(feature = "opening-book"))]
static EMBEDDED: &[u8] = &[];

/// What [`provide`] has brought.
static PROVIDED: OnceLock<Table> = OnceLock::new();

/// Makes a book that comes after the program the one of [`embedded`]: for a build without the cargo feature `opening-book` that is loaded
/// over a line on which its parts travel and are kept apart. Only the first one counts: `Ok(false)` for all others.
///
/// # Errors
/// When the bytes are damaged.
pub fn provide(bytes: Vec<u8>) -> Result<bool, BookError> {
    if PROVIDED.get().is_some() {
        return Ok(false);
    }
    Ok(PROVIDED.set(Table::new(Bytes::Owned(bytes))?).is_ok())
}

/// The book that the program carries, or that was provided.
pub fn embedded() -> &'static Table {
    if let Some(provided) = PROVIDED.get() {
        return provided;
    }
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        // A test shows that it is whole.
        Table::unsummed(Bytes::Borrowed(EMBEDDED)).unwrap_or_else(|_| Table::empty())
    });
    &TABLE
}

/// The bytes of a book: part of the program, or in memory. A file is read as a whole: one that another program shortens would end this
/// process if it were mapped, and the checksum reads all of it anyway.
pub type Bytes = std::borrow::Cow<'static, [u8]>;

/// Largest source and largest book that are read, in bytes.
const LARGEST_SOURCE: u64 = 256 << 20;
const LARGEST_BOOK: u64 = 1 << 30;

/// The bytes of a book of which the first are read already.
///
/// # Errors
/// When the file cannot be read, is larger than [`LARGEST_BOOK`], or there is not enough memory.
fn read_whole(mut bytes: Vec<u8>, file: File) -> Result<Bytes, BookError> {
    let size = file.metadata()?.len();
    if size > LARGEST_BOOK {
        return Err(BookError::at(0, format!("{} MiB, expected at most {}", size >> 20, LARGEST_BOOK >> 20)));
    }
    let no_memory = |_| BookError::from(std::io::Error::from(std::io::ErrorKind::OutOfMemory));
    bytes.try_reserve_exact(size as usize).map_err(no_memory)?;
    file.take(LARGEST_BOOK).read_to_end(&mut bytes)?;
    Ok(Bytes::Owned(bytes))
}

impl Book {
    /// Opens a book of any form, detected by its first bytes, or by the extension where they say nothing.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::open_file(path).map_err(|error| error.within(path))
    }

    fn open_file(path: &Path) -> Result<Book, BookError> {
        // Windows cannot even open a folder, and would say that access is denied.
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
            Table::new(read_whole(head, file)?).map(Book::Table)
        } else if head.starts_with(SQLITE_MARK) {
            Book::open_sqlite(path)
        } else if has_extension("wxf") {
            let mut bytes = Vec::new();
            File::open(path)?.take(LARGEST_SOURCE).read_to_end(&mut bytes)?;
            from_source(&path.display().to_string(), text_of_source(&bytes)?).map(Book::Table)
        } else if has_extension("obk") || has_extension("xqb") {
            Err(BookError::at(0, "expected the mark of an SQLite file"))
        } else {
            BookDat::new(read_whole(head, file)?).map(Book::BookDat)
        }
    }

    /// A book out of the bytes of a file, as [`Book::open`] opens it. `name` stands in errors, and its extension marks a source; SQLite files
    /// are not among them.
    ///
    /// # Errors
    /// What is wrong with the bytes, and where.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Book, BookError> {
        let is_source = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wxf"));
        let open = || {
            if bytes.starts_with(&encode::MARK[..7]) {
                Table::new(Bytes::Owned(bytes)).map(Book::Table)
            } else if bytes.starts_with(SQLITE_MARK) {
                Err(BookError::WithoutSqlite)
            } else if is_source {
                from_source(name, text_of_source(&bytes)?).map(Book::Table)
            } else {
                BookDat::new(Bytes::Owned(bytes)).map(Book::BookDat)
            }
        };
        open().map_err(|error| error.within(Path::new(name)))
    }

    #[cfg(feature = "sqlite")]
    fn open_sqlite(path: &Path) -> Result<Book, BookError> {
        sqlite::open(path)
    }

    #[cfg(not(feature = "sqlite"))]
    fn open_sqlite(_path: &Path) -> Result<Book, BookError> {
        Err(BookError::WithoutSqlite)
    }

    /// The legal moves that the book knows in a position, the heaviest first.
    ///
    /// # Errors
    /// What the file says when it cannot be read.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, BookError> {
        let mut moves = match self {
            Book::Table(table) => table.moves(board),
            Book::Embedded => embedded().moves(board),
            Book::BookDat(book) => book.moves(board),
            #[cfg(feature = "sqlite")]
            Book::Obk(book) => book.moves(board)?,
            #[cfg(feature = "sqlite")]
            Book::Xqb(book) => book.moves(board)?,
        };
        moves.sort_by_key(|found| (std::cmp::Reverse(found.weight), found.mv));
        Ok(moves)
    }

    /// Whether the book has a move to be played in a position, rather than one that it only warns of.
    ///
    /// # Errors
    /// What the file says when it cannot be read.
    pub fn knows(&self, board: &Board, mv: Move) -> Result<bool, BookError> {
        Ok(self.moves(board)?.iter().any(|known| known.mv == mv && known.weight > 0))
    }

    /// About how many moves the book holds, known without reading them; 0 where it is unknown.
    pub fn size(&self) -> u64 {
        match self {
            Book::Table(table) => table.len() as u64,
            Book::Embedded => embedded().len() as u64,
            Book::BookDat(book) => book.len() as u64,
            #[cfg(feature = "sqlite")]
            Book::Obk(book) => book.size(),
            #[cfg(feature = "sqlite")]
            Book::Xqb(book) => book.size(),
        }
    }

    /// The table of a book of our own form.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Book::Table(table) => Some(table),
            Book::Embedded => Some(embedded()),
            _ => None,
        }
    }
}

/// How SQLite files begin.
const SQLITE_MARK: &[u8] = b"SQLite format 3\0";

fn text_of_source(bytes: &[u8]) -> Result<&str, BookError> {
    std::str::from_utf8(bytes).map_err(|error| BookError::at(error.valid_up_to(), "no text in UTF-8, which a source is"))
}

/// Compiles a source on the board of the program.
///
/// # Errors
/// File, line and reason.
pub fn from_source(name: &str, text: &str) -> Result<Table, BookError> {
    let mut compiler = Compiler::new().map_err(BookError::compile)?;
    compiler.read(name, text)?;
    Table::new(Bytes::Owned(compiler.finish().map_err(BookError::compile)?.to_bytes()))
}

impl Table {
    /// The legal moves that the book knows in a position, the heaviest first.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let (key, turn) = place_of(board);
        let known = self.find(key).map(|entry| BookMove { mv: turn.played(entry.mv), weight: entry.weight });
        // Keys can collide, and a file can be wrong.
        known.filter(|found| board.is_legal(found.mv)).collect()
    }

    /// The name of the position.
    pub fn opening(&self, board: &Board) -> Option<&Opening> {
        let (key, _) = place_of(board);
        self.find(key).next().and_then(|entry| self.name(entry.name))
    }

    /// The name of the opening of a game: that of its last position which has one.
    pub fn opening_of(&self, game: &Position) -> Option<&Opening> {
        // Books end long before this; a game of thousands of plies must not cost more.
        const PLIES: usize = 80;
        let states = game.states();
        let considered = &states[..states.len().min(PLIES + 1)];
        considered.iter().rev().find_map(|state| self.opening(&state.board))
    }
}

/// The name of the opening of a game in the book that the program carries.
pub fn opening_of(game: &Position) -> Option<&'static Opening> {
    embedded().opening_of(game)
}
