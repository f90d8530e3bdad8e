//! Why a command failed, and the exit status that goes with it.

use super::files::FileError;
use super::output::OutputError;
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
use std::process::ExitCode;
use thiserror::Error;

/// Why a command failed. Its `Display` is one line that names the input, the place in it and what was expected.
#[derive(Debug, Error)]
pub enum Failure {
    /// The arguments contradict each other; status 2, as for arguments that cannot be parsed.
    #[error("{0}")]
    Usage(String),
    /// An input that cannot be read or used.
    #[error("{place}: {source}")]
    At {
        /// The file, the option or the place in one of them.
        place: String,
        /// What is wrong there.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Standard output did not take the result.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file that cannot be written, or must not be.
    #[error(transparent)]
    File(#[from] FileError),
    /// A game record; the error names its place.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An opening book; the error names its place.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A table of endgames; the error names the file.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// A library of games; the error names the file.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Library(#[from] crate::library::LibraryError),
    /// A position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move.
    #[error(transparent)]
    Move(#[from] ReadError),
    /// A line of moves; the error names the move.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The protocol loop; its error names the place.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// A match; its error names engine, file or option.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// Anything else, in a line of its own.
    #[error("{0}")]
    Failed(String),
}

/// Messages of the command line itself, which are written where they arise.
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
    /// Puts the place in front of an error: `.map_err(Failure::at("--fen"))`.
    pub fn at<E: Into<Box<dyn Error + Send + Sync>>>(place: impl Display) -> impl Fn(E) -> Failure {
        let place = place.to_string();
        move |error| Failure::At { place: place.clone(), source: error.into() }
    }

    /// What has become of something that was printed on standard output.
    ///
    /// # Errors
    /// When standard output is closed or full.
    pub fn of_output(printed: io::Result<()>) -> Result<(), Failure> {
        let passed_on = printed.and_then(|()| io::Write::flush(&mut io::stdout()));
        passed_on.map_err(|error| OutputError(error).into())
    }

    /// The exit status: 2 for wrong usage, 141 when the reader of standard output has left (what a shell shows for other tools,
    /// which SIGPIPE ends), 1 for everything else.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Output(error) if error.is_broken_pipe() => 141,
            _ => 1,
        }
    }

    /// Prints the line on standard error, if there is anything to say, and gives the exit status.
    pub fn report(&self) -> ExitCode {
        if !matches!(self, Failure::Output(error) if error.is_broken_pipe()) {
            super::output::note(format_args!("{self}"));
        }
        ExitCode::from(self.status())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error as IoError, ErrorKind};

    #[test]
    fn statuses_are_those_of_other_tools() {
        let output = |kind| Failure::from(OutputError(IoError::from(kind)));
        assert_eq!(output(ErrorKind::BrokenPipe).status(), 141);
        assert_eq!(output(ErrorKind::StorageFull).status(), 1);
        assert_eq!(Failure::Usage("two of them".into()).status(), 2);
        let placed = Failure::at::<IoError>("games.pgn")(IoError::other("damaged"));
        assert_eq!((placed.status(), placed.to_string()), (1, "games.pgn: damaged".to_string()));
    }
}
