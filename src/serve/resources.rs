//! The resources given on the command line, which the pages may use: files, a library of games, an opening book.

use super::editable_book::EditableBook;
use crate::board::Board;
#[cfg(feature = "sqlite")]
use crate::board_page::limits::LATEST_GAMES;
#[cfg(feature = "sqlite")]
use crate::board_page::message::{Explored, ExploredGame, ExploredMove, Move as MoveForm};
use crate::board_page::{EmptyHost, Host, NamedFile, RequestError};
use crate::book::{BookMove, Change, Question};
#[cfg(feature = "sqlite")]
use crate::library::{Library, LibraryError};
#[cfg(feature = "sqlite")]
use crate::notation::Notation;
use crate::records::MAX_FILE;
#[cfg(feature = "sqlite")]
use crate::records::Record;
use crate::system::file_name;
use crate::types::Move;
#[cfg(feature = "sqlite")]
use parking_lot::Mutex;
use std::io::Read;
use std::path::PathBuf;

/// A file given on the command line. It is read again for each request, so that changes by other programs are seen.
#[derive(Clone, Debug)]
pub struct GivenFile {
    /// The path, as given by the user.
    pub path: PathBuf,
}

impl GivenFile {
    /// The file name without its directory, which pages must not learn.
    pub fn name(&self) -> String {
        file_name(&self.path)
    }

    /// Reads the file.
    ///
    /// # Errors
    /// When it cannot be read, or exceeds [`MAX_FILE`].
    pub fn read(&self) -> Result<NamedFile, RequestError> {
        let name = self.name();
        let failed = |error: std::io::Error| RequestError::File(format!("{name}: {error}"));
        let mut bytes = Vec::new();
        std::fs::File::open(&self.path).map_err(failed)?.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        match bytes.len() as u64 > MAX_FILE {
            true => Err(RequestError::File(format!("{name}: larger than {} MiB, the most that is read", MAX_FILE >> 20))),
            false => Ok(NamedFile { name, bytes }),
        }
    }
}

/// A library shared by all pages. A lock serializes the queries.
#[cfg(feature = "sqlite")]
pub struct SharedLibrary(Mutex<Library>);

#[cfg(feature = "sqlite")]
impl SharedLibrary {
    /// Wraps an open library.
    pub fn new(library: Library) -> SharedLibrary {
        SharedLibrary(Mutex::new(library))
    }

    /// The file name without its directory.
    pub fn name(&self) -> String {
        file_name(self.0.lock().path())
    }

    /// The moves played from a position.
    ///
    /// # Errors
    /// When the file is damaged, or locked by another process.
    pub fn explore(&self, board: &Board, notation: &Notation) -> Result<Explored, RequestError> {
        let library = self.0.lock();
        let found = library.explore(board, LATEST_GAMES).map_err(without_path)?;
        let moves = found.moves.into_iter();
        let moves =
            moves.map(|known| ExploredMove { mv: MoveForm::named(notation, board, known.mv), stats: known.stats }).collect();
        let latest = found.latest.into_iter().map(|game| {
            let game = library.summary(game).map_err(without_path)?;
            Ok(ExploredGame {
                game: game.game,
                red: game.red.unwrap_or_default(),
                black: game.black.unwrap_or_default(),
                date: game.date.unwrap_or_default(),
                event: game.event.unwrap_or_default(),
                result: game.result.token().to_string(),
                plies: game.plies,
            })
        });
        Ok(Explored { games: found.games, moves, latest: latest.collect::<Result<_, RequestError>>()? })
    }

    /// A game by its number, from 1.
    ///
    /// # Errors
    /// When there is no such game, or the file is damaged.
    pub fn record(&self, game: u32) -> Result<Record, RequestError> {
        self.0.lock().record(game).map_err(without_path)
    }
}

/// The error without the path of the file, which pages must not learn.
#[cfg(feature = "sqlite")]
fn without_path(error: LibraryError) -> RequestError {
    RequestError::Library(error.kind().to_string())
}

/// The resources given on the command line.
#[derive(Default)]
pub struct Resources {
    /// The files that a page may open.
    pub files: Vec<GivenFile>,
    /// The book that the pages show and edit, in place of the built-in one.
    pub book: Option<EditableBook>,
    /// The library that a page may explore.
    #[cfg(feature = "sqlite")]
    pub library: Option<SharedLibrary>,
}

impl Resources {
    /// The name of the library.
    pub fn library_name(&self) -> Option<String> {
        #[cfg(feature = "sqlite")]
        let name = self.library.as_ref().map(SharedLibrary::name);
        #[cfg(not(feature = "sqlite"))]
        let name = None;
        name
    }
}

impl Host for Resources {
    fn file(&self, number: usize) -> Result<NamedFile, RequestError> {
        self.files.get(number).ok_or(RequestError::NoFile(number))?.read()
    }

    fn file_named(&self, name: &str, number: usize) -> Result<NamedFile, RequestError> {
        let is_it = |file: &&GivenFile| file.name() == name;
        let found = self.files.get(number).filter(is_it).or_else(|| self.files.iter().find(is_it));
        found.ok_or_else(|| RequestError::NoFileNamed(name.to_string()))?.read()
    }

    #[cfg(feature = "sqlite")]
    fn explore(&self, board: &Board, notation: &Notation) -> Result<Explored, RequestError> {
        self.library.as_ref().ok_or(RequestError::NoLibrary)?.explore(board, notation)
    }

    #[cfg(feature = "sqlite")]
    fn record(&self, game: u32) -> Result<Record, RequestError> {
        self.library.as_ref().ok_or(RequestError::NoLibrary)?.record(game)
    }

    fn book_moves(&self, board: &Board) -> Result<Vec<BookMove>, RequestError> {
        match &self.book {
            Some(book) => book.moves(board),
            None => EmptyHost.book_moves(board),
        }
    }

    fn choose_book_move(&self, question: &Question) -> Result<Option<Move>, RequestError> {
        match &self.book {
            Some(book) => book.choose(question),
            None => EmptyHost.choose_book_move(question),
        }
    }

    fn edit_book(&self, board: &Board, change: Change) -> Result<(), RequestError> {
        self.book.as_ref().ok_or(RequestError::NoBook)?.edit(board, change)
    }
}
