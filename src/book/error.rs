//! Errors of opening books.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::openings::text::SourceError;

/// An error of a book. Its `Display` is one line with the place and what was expected there.
#[derive(Debug, Error)]
pub enum BookError {
    /// An error in a file.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        fault: Box<BookError>,
    },
    /// The path is a folder.
    #[error("a folder, expected a book")]
    Folder,
    /// The path is a device or a pipe.
    #[error("a device or a pipe, expected a book")]
    NoFile,
    /// Bytes that are not a valid book.
    #[error("byte {byte}: {problem}")]
    Bytes {
        /// Offset, from 0.
        byte: usize,
        /// What was found there, and what was expected.
        problem: String,
    },
    /// An invalid or contradictory source; the error names file and line.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Sources that cannot be compiled into a book, or a change that is not possible.
    #[error("{0}")]
    Compile(String),
    /// A book to be written that would have no moves.
    #[error("no moves to write, expected a book with moves")]
    NoMoves,
    /// An SQLite file without a known book table.
    #[error("tables {0}, expected bhobk, pfBook or book")]
    Tables(String),
    /// An SQLite error.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// An SQLite file, which this build cannot read.
    #[error("an SQLite file, which this build cannot read: it was compiled without the feature sqlite")]
    WithoutSqlite,
    /// A system error.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl BookError {
    /// An error at an offset.
    pub(super) fn at(byte: usize, problem: impl Into<String>) -> BookError {
        BookError::Bytes { byte, problem: problem.into() }
    }

    /// An error of compiling sources.
    pub(super) fn compile(problem: impl std::fmt::Display) -> BookError {
        BookError::Compile(problem.to_string())
    }

    /// Adds the name of the file, unless the error has it already.
    pub(crate) fn within(self, path: &Path) -> BookError {
        match self {
            BookError::Source(_) | BookError::File { .. } => self,
            fault => BookError::File { path: path.to_path_buf(), fault: Box::new(fault) },
        }
    }
}
