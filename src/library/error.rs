//! Errors of libraries.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// An error of a library. Its `Display` is one line that names the file and what was expected.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct LibraryError {
    path: PathBuf,
    problem: Problem,
}

/// What is wrong with a library or a request.
#[derive(Debug, Error)]
pub enum Problem {
    /// There is no such file.
    #[error("no such library, expected a file created by `chuhe library add`")]
    Missing,
    /// A folder or a device.
    #[error("not a file, expected a library")]
    NoFile,
    /// A file of another kind.
    #[error("not a library of games, expected a file created by `chuhe library add`")]
    Foreign,
    /// A later version of the layout.
    #[error("library of version {0}, expected at most {expected}: created by a later version of chuhe", expected = super::VERSION)]
    Version(i64),
    /// The contents of the file are inconsistent.
    #[error("damaged: {0}")]
    Damaged(String),
    /// A record that cannot be stored.
    #[error("{0}")]
    Record(String),
    /// A game that the library does not have.
    #[error("no game {0}, expected 1 to {1}")]
    NoGame(u32, u32),
    /// Another process has locked the file for more than a minute.
    #[error("another process has locked the library for more than a minute, expected it to finish")]
    Busy,
    /// The disk is full.
    #[error("the disk is full; the games of the last batch were not added")]
    Full,
    /// The file or its folder is read-only.
    #[error("the library or its folder cannot be written")]
    ReadOnly,
    /// The folder in which the library would be created does not exist.
    #[error("the folder of the library is missing, expected one that exists")]
    NoFolder,
    /// The file may not be read.
    #[error("the library cannot be opened, expected a file that may be read")]
    Unreadable,
    /// The maximum number of games is reached.
    #[error("the library is full, expected at most {} games", super::MOST_GAMES)]
    TooMany,
    /// The system allows no further thread.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// Any other SQLite error.
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
            Some(ErrorCode::DatabaseCorrupt) => Problem::Damaged("the pages of the file are inconsistent".into()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Problem::Busy,
            Some(ErrorCode::DiskFull) => Problem::Full,
            Some(ErrorCode::ReadOnly) => Problem::ReadOnly,
            _ => match error {
                // An impossible value or type in a column, or a missing row.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::QueryReturnedNoRows => Problem::Damaged(error.to_string()),
                error => Problem::Sqlite(error),
            },
        }
    }
}
