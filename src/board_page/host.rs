//! What the program around the page has: files, a library of games, an opening book.

use super::explorer::Explored;
use super::problem::Problem;
use crate::board::Board;
use crate::book::{self, Book, BookMove, Change, Question};
use crate::notation::Notation;
use crate::records::Record;
use crate::types::Move;

/// A file with its name, the extension of which can give the format.
pub struct NamedFile {
    /// The name without folders.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What questions can refer to besides what they contain. The methods of a program that has nothing of the kind stay as they are.
pub trait Host {
    /// Reads a file of the command line by its number, from 0.
    ///
    /// # Errors
    /// When there are fewer files, or the system does not let it be read.
    fn file(&self, number: usize) -> Result<NamedFile, Problem> {
        Err(Problem::NoFile(number))
    }

    /// The moves played from a position in the games of the library.
    ///
    /// # Errors
    /// When there is no library, or it cannot be read.
    fn explore(&self, _board: &Board, _notation: &Notation) -> Result<Explored, Problem> {
        Err(Problem::NoLibrary)
    }

    /// A game of the library by its number, from 1.
    ///
    /// # Errors
    /// As [`Host::explore`], and when there is no such game.
    fn record(&self, _game: u32) -> Result<Record, Problem> {
        Err(Problem::NoLibrary)
    }

    /// The moves of the opening book in a position, the heaviest first: those that the built-in book plays, or everything in a book that can
    /// be edited.
    ///
    /// # Errors
    /// When the book cannot be read.
    fn book_moves(&self, board: &Board) -> Result<Vec<BookMove>, Problem> {
        Ok(Book::Embedded.moves(board)?.into_iter().filter(|found| found.weight > 0).collect())
    }

    /// A move to play out of the same book.
    ///
    /// # Errors
    /// As [`Host::book_moves`].
    fn choose_book_move(&self, question: &Question) -> Result<Option<Move>, Problem> {
        Ok(book::choose(&[Book::Embedded], question).chosen.map(|chosen| chosen.mv))
    }

    /// Changes a move of a position in the book, and saves it.
    ///
    /// # Errors
    /// When there is no book of one's own, the change is not possible, or the file cannot be written.
    fn edit_book(&self, _board: &Board, _change: Change) -> Result<(), Problem> {
        Err(Problem::NoBook)
    }
}

/// A program with no files, no library and no book but the built-in one.
pub struct Bare;

impl Host for Bare {}
