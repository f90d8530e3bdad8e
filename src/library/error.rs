//! Errors of libraries.

use std::path::{Path, PathBuf};
use thiserror::Error;

/// An error of a library. Its `Display` is one line that names the file and what was expected.
#[derive(Debug, Error)]
#[error("{}: {kind}", path.display())]
pub struct LibraryError {
    path: PathBuf,
    kind: LibraryErrorKind,
}

/// What is wrong with a library or a request.
#[derive(Debug, Error)]
pub enum LibraryErrorKind {
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
    #[error("the library is full, expected at most {} games", super::MAX_GAMES)]
    TooMany,
    /// The system allows no further thread.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// Any other SQLite error.
    #[error("{0}")]
    Sqlite(rusqlite::Error),
}

impl LibraryError {
    pub(super) fn new(path: &Path, kind: impl Into<LibraryErrorKind>) -> LibraryError {
        LibraryError { path: path.to_path_buf(), kind: kind.into() }
    }

    /// What is wrong.
    pub fn kind(&self) -> &LibraryErrorKind {
        &self.kind
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl LibraryErrorKind {
    pub(super) fn damaged(what: impl Into<String>) -> LibraryErrorKind {
        LibraryErrorKind::Damaged(what.into())
    }
}

impl From<rusqlite::Error> for LibraryErrorKind {
    fn from(error: rusqlite::Error) -> LibraryErrorKind {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => LibraryErrorKind::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => LibraryErrorKind::Damaged("the pages of the file are inconsistent".into()),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LibraryErrorKind::Busy,
            Some(ErrorCode::DiskFull) => LibraryErrorKind::Full,
            Some(ErrorCode::ReadOnly) => LibraryErrorKind::ReadOnly,
            _ => match error {
                // An impossible value or type in a column, or a missing row.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::QueryReturnedNoRows => LibraryErrorKind::Damaged(error.to_string()),
                error => LibraryErrorKind::Sqlite(error),
            },
        }
    }
}
