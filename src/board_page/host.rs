//! What the program around the page has at hand: files, and a library of games.

use super::explorer::Explored;
use super::problem::Problem;
use crate::board::Board;
use crate::notation::Notation;
use crate::records::Record;

/// A file with its name, the extension of which can tell the format.
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
}

/// A program with no files and no library.
pub struct Bare;

impl Host for Bare {}
