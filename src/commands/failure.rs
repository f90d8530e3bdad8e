//! The error type of all commands and its exit statuses.

use crate::arena::ArenaError;
use crate::board::FenError;
use crate::book::BookError;
use crate::endgame::EndgameError;
use crate::notation::{LineError, ReadError};
use crate::protocol::ProtocolError;
use crate::records::RecordError;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// An error of a command. Its `Display` is one line that names the input, the place in it and what was expected.
#[derive(Debug, Error)]
pub enum Failure {
    /// Contradictory arguments; status 2, as for arguments that cannot be parsed.
    #[error("{0}")]
    Usage(String),
    /// An input that cannot be read or is invalid.
    #[error("{place}: {source}")]
    At {
        /// The file or option, possibly with a position inside it.
        place: String,
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Writing to standard output failed.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// An output file that cannot or must not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An error in a game record, with its place.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An error in an opening book, with its place.
    #[error(transparent)]
    Book(#[from] BookError),
    /// An error in an endgame table, with its file.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// An error in a game library, with its file.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Library(#[from] crate::library::LibraryError),
    /// An invalid position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An unreadable or illegal move.
    #[error(transparent)]
    Move(#[from] ReadError),
    /// An error in a line of moves, with the move.
    #[error(transparent)]
    Line(#[from] LineError),
    /// An error of the protocol loop.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// An error of a match, with the engine, file or option.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// Any other error, already formatted as one line.
    #[error("{0}")]
    Failed(String),
}

/// Writing to standard output failed.
#[derive(Debug, Error)]
#[error("standard output: {0}")]
pub struct OutputError(#[source] pub io::Error);

impl OutputError {
    /// Whether the reader has closed the pipe.
    pub fn is_broken_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

/// The reason a file was not written.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is also an input of the command.
    #[error("{}: is also an input, expected another file to write", .0.display())]
    IsInput(PathBuf),
    /// It exists already and `--force` was not given.
    #[error("{}: exists already, expected a new file or --force to replace it", .0.display())]
    Exists(PathBuf),
    /// It is a folder.
    #[error("{}: is a folder, expected a file to write", .0.display())]
    IsFolder(PathBuf),
    /// The option needs a file or a folder, as stated here, and cannot write to standard output.
    #[error("-: standard output cannot be used here, expected {0}")]
    IsStdout(&'static str),
    /// What is read and written here, as stated, cannot be a stream.
    #[error("-: standard input and output cannot be used here, expected {0}")]
    IsStream(&'static str),
    /// An error of the operating system.
    #[error("{}: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
}

/// For messages of the commands themselves, written where they occur.
impl From<String> for Failure {
    fn from(line: String) -> Failure {
        Failure::Failed(line)
    }
}

impl From<&str> for Failure {
    fn from(line: &str) -> Failure {
        Failure::Failed(line.into())
    }
}

impl Failure {
    /// Prefixes an error with its place: `.map_err(Failure::at("--fen"))`.
    pub fn at<E: Into<Box<dyn Error + Send + Sync>>>(place: impl Display) -> impl Fn(E) -> Failure {
        let place = place.to_string();
        move |error| Failure::At { place: place.clone(), source: error.into() }
    }

    /// Flushes standard output after printing and converts any error.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn of_output(printed: io::Result<()>) -> Result<(), Failure> {
        let passed_on = printed.and_then(|()| io::Write::flush(&mut io::stdout()));
        passed_on.map_err(|error| OutputError(error).into())
    }

    /// The exit status: 2 for wrong usage, 141 if the reader of standard output has closed it (as shells report for tools terminated by
    /// SIGPIPE), 1 for everything else.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Output(error) if error.is_broken_pipe() => 141,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error as IoError, ErrorKind};

    #[test]
    fn exit_statuses_follow_shell_conventions() {
        let output = |kind| Failure::from(OutputError(IoError::from(kind)));
        assert_eq!(output(ErrorKind::BrokenPipe).status(), 141);
        assert_eq!(output(ErrorKind::StorageFull).status(), 1);
        assert_eq!(Failure::Usage("two of them".into()).status(), 2);
        let placed = Failure::at::<IoError>("games.pgn")(IoError::other("damaged"));
        assert_eq!((placed.status(), placed.to_string()), (1, "games.pgn: damaged".to_string()));
    }
}
