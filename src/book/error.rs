//! Why a book cannot be opened or read.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::openings::text::SourceError;

/// Why a book cannot be opened or read. Its `Display` is one line that says where, and what was expected there.
#[derive(Debug, Error)]
pub enum BookError {
    /// What is wrong with a file.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Box<BookError>,
    },
    /// A folder.
    #[error("a folder, expected a book")]
    Folder,
    /// A device or a pipe.
    #[error("a device or a pipe, expected a book")]
    NoFile,
    /// Bytes that are no book.
    #[error("byte {byte}: {problem}")]
    Bytes {
        /// The place, from 0.
        byte: usize,
        /// What stands there, and what was expected.
        problem: String,
    },
    /// A source that contradicts the rules or itself; the error names file and line.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Sources that make no book together.
    #[error("{0}")]
    Compile(String),
    /// An SQLite file without a table of a known book.
    #[error("tables {0}, expected bhobk, pfBook or book")]
    Tables(String),
    /// What SQLite says.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// An SQLite file, which this build does not read.
    #[error("an SQLite file, which this build cannot read: it was compiled without the feature sqlite")]
    WithoutSqlite,
    /// What the system says.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl BookError {
    /// Something unexpected at a place.
    pub(super) fn at(byte: usize, problem: impl Into<String>) -> BookError {
        BookError::Bytes { byte, problem: problem.into() }
    }

    /// Sources that make no book together.
    pub(super) fn compile(problem: impl std::fmt::Display) -> BookError {
        BookError::Compile(problem.to_string())
    }

    /// The same error with the name of the file, unless it has it.
    pub(super) fn within(self, path: &Path) -> BookError {
        match self {
            BookError::Source(_) | BookError::File { .. } => self,
            fault => BookError::File { path: path.to_path_buf(), fault: Box::new(fault) },
        }
    }
}
