//! The resources of the host program: files, a library of games, an opening book.

use super::error::RequestError;
use super::message::Explored;
use crate::board::Board;
use crate::book::{self, Book, BookMove, Change, Question};
use crate::notation::Notation;
use crate::records::Record;
use crate::types::Move;

/// A file and its name, whose extension can determine the format.
pub struct NamedFile {
    /// The name without its directory.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// The resources that questions can refer to. The default methods are for a host without the respective resource.
pub trait Host {
    /// Reads a file given on the command line, by its index from 0.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read.
    fn file(&self, number: usize) -> Result<NamedFile, RequestError> {
        Err(RequestError::NoFile(number))
    }

    /// Reads the file of this name given on the command line: the one at this index, or the first of the name. The list of a client can be that
    /// of an earlier run.
    ///
    /// # Errors
    /// As [`Host::file`].
    fn file_named(&self, name: &str, _number: usize) -> Result<NamedFile, RequestError> {
        Err(RequestError::NoFileNamed(name.to_string()))
    }

    /// The moves played from a position in the games of the library.
    ///
    /// # Errors
    /// When there is no library, or it cannot be read.
    fn explore(&self, _board: &Board, _notation: &Notation) -> Result<Explored, RequestError> {
        Err(RequestError::NoLibrary)
    }

    /// A game of the library by its number, from 1.
    ///
    /// # Errors
    /// As [`Host::explore`], and when there is no such game.
    fn record(&self, _game: u32) -> Result<Record, RequestError> {
        Err(RequestError::NoLibrary)
    }

    /// The moves of the opening book in a position, by descending weight: of the built-in book only those with a positive weight, of an editable
    /// book all of them.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn book_moves(&self, board: &Board) -> Result<Vec<BookMove>, RequestError> {
        Ok(Book::Builtin.moves(board)?.into_iter().filter(|found| found.weight > 0).collect())
    }

    /// Chooses a move to play from the same book.
    ///
    /// # Errors
    /// As [`Host::book_moves`].
    fn choose_book_move(&self, question: &Question) -> Result<Option<Move>, RequestError> {
        Ok(book::choose(&[Book::Builtin], question).chosen.map(|chosen| chosen.mv))
    }

    /// Changes a move of a position in the book, and saves the book.
    ///
    /// # Errors
    /// When there is no editable book, the change is not possible, or the file cannot be written.
    fn edit_book(&self, _board: &Board, _change: Change) -> Result<(), RequestError> {
        Err(RequestError::NoBook)
    }
}

/// A host without files, without a library, and with only the built-in book.
pub struct EmptyHost;

impl Host for EmptyHost {}
