//! Errors of reading and building tables.

use super::family::{Family, UnknownFamily};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The reason why a table cannot be read or built. Its `Display` is one line that names the file and states what was expected.
#[derive(Debug, Error)]
pub enum EndgameError {
    /// An error in a file.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault of the file.
        fault: Box<EndgameError>,
    },
    /// The file does not begin like a table.
    #[error("not an endgame table, expected it to begin with 'chuheegt'")]
    NotTable,
    /// A folder, a device or a pipe.
    #[error("not a file, expected an endgame table")]
    NotFile,
    /// Another version of the file's layout.
    #[error("endgame table of version {found}, expected one from 1 to {newest}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The newest version that this program reads.
        newest: u32,
    },
    /// A family that this program does not know, or one in a form that it does not write.
    #[error(transparent)]
    Family(#[from] UnknownFamily),
    /// The parts of the file are inconsistent.
    #[error("endgame table is damaged: {0}")]
    Damaged(&'static str),
    /// The file contains another family than its name states.
    #[error("holds the family {0}, expected it in a file of that name")]
    Misnamed(Family),
    /// A longer win than a table can represent.
    #[error("a distance in {0} is longer than a table can hold ({limit} plies)", limit = super::value::MAX_DISTANCE)]
    TooLong(Family),
    /// Distances to captures need more memory than is free.
    #[error("distances to captures in {family} take {mib} MiB of memory, expected at most the {free} MiB that are free")]
    Memory {
        /// The family.
        family: Family,
        /// The memory that is needed.
        mib: u64,
        /// The memory that is free.
        free: u64,
    },
    /// A value that does not follow from those after the moves.
    #[error("{fen}: {stated}, expected {expected} from its moves")]
    Wrong {
        /// The position.
        fen: String,
        /// The value in the table.
        stated: String,
        /// The value that follows from the moves.
        expected: String,
    },
    /// No table has the family.
    #[error("no such table")]
    NoTable,
    /// A folder was expected.
    #[error("not a folder, expected one for endgame tables")]
    NoFolder,
    /// A folder has no endgame table.
    #[error("no endgame table (.egt) in the folder")]
    EmptyFolder,
    /// An error of the operating system.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl EndgameError {
    /// Whether it only says that a folder has no table.
    pub fn is_empty_folder(&self) -> bool {
        match self {
            EndgameError::File { fault, .. } => fault.is_empty_folder(),
            other => matches!(other, EndgameError::EmptyFolder),
        }
    }

    /// The same error with the name of the file.
    pub(super) fn within(self, path: &Path) -> EndgameError {
        match self {
            EndgameError::File { .. } => self,
            fault => EndgameError::File { path: path.to_path_buf(), fault: Box::new(fault) },
        }
    }
}
