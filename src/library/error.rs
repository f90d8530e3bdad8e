//! Why a library cannot be used.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a library cannot be used. Its `Display` is one line that names the file and says what was expected.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct LibraryError {
    path: PathBuf,
    problem: Problem,
}

/// What is wrong with a library or with what is asked of it.
#[derive(Debug, Error)]
pub enum Problem {
    /// There is no such file.
    #[error("no such library, expected a file that `chuhe library add` made")]
    Missing,
    /// A folder or a device.
    #[error("no file, expected a library")]
    NoFile,
    /// A file of another kind.
    #[error("no library of games, expected a file that `chuhe library add` made")]
    Foreign,
    /// A later version of the layout.
    #[error("library of version {0}, expected at most {expected}: a later chuhe made it", expected = super::VERSION)]
    Version(i64),
    /// Something in the file contradicts something else.
    #[error("damaged: {0}")]
    Damaged(String),
    /// A record that cannot be stored.
    #[error("{0}")]
    Record(String),
    /// A game that the library does not have.
    #[error("no game {0}, expected 1 to {1}")]
    NoGame(u32, u32),
    /// Another process holds the file for longer than a minute.
    #[error("another process has the library open for longer than a minute, expected it to end")]
    Busy,
    /// The disk is full.
    #[error("the disk is full; the games of the last step are not added")]
    Full,
    /// The file or its folder cannot be written.
    #[error("the library or its folder cannot be written")]
    ReadOnly,
    /// More games than a library numbers.
    #[error("the library is full, expected at most {} games", super::MOST_GAMES)]
    TooMany,
    /// Anything else that SQLite says.
    #[error("{0}")]
    Sqlite(rusqlite::Error),
}

impl LibraryError {
    pub(super) fn new(path: &Path, problem: impl Into<Problem>) -> LibraryError {
        LibraryError { path: path.to_path_buf(), problem: problem.into() }
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Problem {
    pub(super) fn damaged(what: impl Into<String>) -> Problem {
        Problem::Damaged(what.into())
    }
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Problem {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Problem::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Problem::Damaged("a page of the file contradicts another".into()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Problem::Busy,
            Some(ErrorCode::DiskFull) => Problem::Full,
            Some(ErrorCode::ReadOnly) => Problem::ReadOnly,
            _ => match error {
                // A value of a type that this column never has, or a row that is not there.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::QueryReturnedNoRows => Problem::Damaged(error.to_string()),
                error => Problem::Sqlite(error),
            },
        }
    }
}
