//! The resources that the command line makes available to the pages: files, a library of games, an opening book.

use super::own_book::OwnBook;
#[cfg(feature = "sqlite")]
use super::shared_library::SharedLibrary;
use crate::board::Board;
#[cfg(feature = "sqlite")]
use crate::board_page::message::Explored;
use crate::board_page::{EmptyHost, Host, NamedFile, Problem};
use crate::book::{BookMove, Change, Question};
#[cfg(feature = "sqlite")]
use crate::notation::Notation;
use crate::records::MAX_FILE;
#[cfg(feature = "sqlite")]
use crate::records::Record;
use crate::system::file_name;
use crate::types::Move;
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
    pub fn read(&self) -> Result<NamedFile, Problem> {
        let name = self.name();
        let failed = |error: std::io::Error| Problem::File(format!("{name}: {error}"));
        let mut bytes = Vec::new();
        std::fs::File::open(&self.path).map_err(failed)?.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        match bytes.len() as u64 > MAX_FILE {
            true => Err(Problem::File(format!("{name}: larger than {} MiB, the most that is read", MAX_FILE >> 20))),
            false => Ok(NamedFile { name, bytes }),
        }
    }
}

/// The resources given on the command line.
#[derive(Default)]
pub struct CommandLine {
    /// The files that a page may open.
    pub files: Vec<GivenFile>,
    /// The book that the pages show and edit, in place of the built-in one.
    pub book: Option<OwnBook>,
    /// The library that a page may explore.
    #[cfg(feature = "sqlite")]
    pub library: Option<SharedLibrary>,
}

impl CommandLine {
    /// The name of the library.
    pub fn library_name(&self) -> Option<String> {
        #[cfg(feature = "sqlite")]
        let name = self.library.as_ref().map(SharedLibrary::name);
        #[cfg(not(feature = "sqlite"))]
        let name = None;
        name
    }
}

impl Host for CommandLine {
    fn file(&self, number: usize) -> Result<NamedFile, Problem> {
        self.files.get(number).ok_or(Problem::NoFile(number))?.read()
    }

    fn file_named(&self, name: &str, number: usize) -> Result<NamedFile, Problem> {
        let is_it = |file: &&GivenFile| file.name() == name;
        let found = self.files.get(number).filter(is_it).or_else(|| self.files.iter().find(is_it));
        found.ok_or_else(|| Problem::NoFileNamed(name.to_string()))?.read()
    }

    #[cfg(feature = "sqlite")]
    fn explore(&self, board: &Board, notation: &Notation) -> Result<Explored, Problem> {
        self.library.as_ref().ok_or(Problem::NoLibrary)?.explore(board, notation)
    }

    #[cfg(feature = "sqlite")]
    fn record(&self, game: u32) -> Result<Record, Problem> {
        self.library.as_ref().ok_or(Problem::NoLibrary)?.record(game)
    }

    fn book_moves(&self, board: &Board) -> Result<Vec<BookMove>, Problem> {
        match &self.book {
            Some(book) => book.moves(board),
            None => EmptyHost.book_moves(board),
        }
    }

    fn choose_book_move(&self, question: &Question) -> Result<Option<Move>, Problem> {
        match &self.book {
            Some(book) => book.choose(question),
            None => EmptyHost.choose_book_move(question),
        }
    }

    fn edit_book(&self, board: &Board, change: Change) -> Result<(), Problem> {
        self.book.as_ref().ok_or(Problem::NoBook)?.edit(board, change)
    }
}
