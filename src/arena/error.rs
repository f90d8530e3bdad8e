//! Errors of a match. Faults of engines during a game are results of that game, not errors.

use super::spec::TimeControl;
use crate::records::{RecordError, TreeFull};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// An error that prevents a match from starting or continuing.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// The asynchronous runtime can't be started.
    #[error("the match can't start: {0}")]
    Runtime(#[source] io::Error),
    /// An engine can't be used.
    #[error("engine '{engine}': {error}")]
    Engine {
        /// Its name or its program.
        engine: String,
        /// The error.
        error: EngineError,
    },
    /// A file can't be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// An output file must not be replaced, or is used twice.
    #[error("{}: {problem}", .path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// The reason.
        problem: OutputProblem,
    },
    /// The state file of an interrupted match is not usable.
    #[error("{}: {problem}", .path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: StateProblem,
    },
    /// The file of openings is not usable.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// No opening could be generated.
    #[error("game {0}: no opening could be generated")]
    NoOpening(usize),
    /// A game can't be written as a record.
    #[error("game {game}: {error}")]
    Record {
        /// Number of the game, from 1.
        game: usize,
        /// The reason.
        error: GameNotWritten,
    },
}

impl ArenaError {
    /// A system error with the path of the file.
    pub(super) fn file(path: &Path, error: impl Into<io::Error>) -> ArenaError {
        ArenaError::File { path: path.into(), error: error.into() }
    }
}

/// The reason why an output file is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OutputProblem {
    /// It contains something other than games of a match.
    #[error("exists and contains no games of a match, use --force to replace it")]
    Foreign,
    /// It is also an input.
    #[error("is an input of this match and can't also be an output")]
    Input,
    /// It is not a file.
    #[error("standard output cannot be used here, expected the name of a file")]
    Stdout,
    /// Two outputs have the same path.
    #[error("is given for two outputs")]
    Twice,
    /// A game recorded in the state, other than the last one, is not where it was written.
    #[error("game {game} was changed or is missing, restore the file, continue without --pgn, or use --force to start over")]
    Damaged {
        /// Its number, from 1.
        game: usize,
    },
    /// The games are followed by something that is not a game of a match.
    #[error("the content from byte {byte} on is not a game of a match, remove it or use --force to replace the file")]
    Unknown {
        /// Number of bytes before it.
        byte: u64,
    },
    /// The file contains a game of this match that the state does not record.
    #[error(
        "holds game {game}, which the file of --state does not record; restore that file, continue without --pgn, or use --force to start over"
    )]
    Unrecorded {
        /// Its number, from 1.
        game: usize,
    },
    /// There are games, but the state was truncated in its first line.
    #[error(
        "holds games, but the file of --state was cut off in its first line; restore or remove that one, or use --force to start over"
    )]
    StateLost,
}

/// An error in a state file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StateProblem {
    /// The first line does not describe a match.
    #[error("line 1 does not describe a match, use --force to replace the file")]
    NoHeader,
    /// It belongs to a match with other settings.
    #[error("belongs to another match: '{found}', expected '{expected}'; use --force to replace it")]
    OtherMatch {
        /// The settings in the file.
        found: String,
        /// The requested settings.
        expected: String,
    },
    /// A line does not describe a game.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// The problem.
        problem: String,
    },
}

/// An error from starting an engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// Its program can't be started.
    #[error("can't be started: {0}")]
    Spawn(#[source] io::Error),
    /// It has no pipes for communication.
    #[error("has no pipes")]
    NoPipes,
    /// It ended during the handshake.
    #[error("ended during the handshake{0}")]
    Ended(String),
    /// Its working folder does not exist.
    #[error("there is no folder {}, given as dir=", .0.display())]
    NoFolder(PathBuf),
    /// It did not answer the handshake.
    #[error("did not answer '{command}' within {} s{}{last_errors}", .limit.as_secs(), protocol_hint(.command))]
    Silent {
        /// The command that it did not answer.
        command: &'static str,
        /// The timeout.
        limit: Duration,
        /// Its last lines on stderr, for appending to the sentence.
        last_errors: String,
    },
    /// An option that it does not have, or a value that the option does not accept.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A UCCI engine that takes times in seconds can't be given this time control.
    #[error(
        "takes times in whole seconds (no option usemillisec), so '{0}' is not possible; expected whole seconds such as tc=60+1, or nodes or depth"
    )]
    WholeSeconds(TimeControl),
    /// Its log can't be written.
    #[error("log {}: {error}", .path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// An error in an engine option.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// The engine has no such option.
    #[error("has no option '{name}', expected {}", list(.known))]
    Unknown {
        /// The name given.
        name: String,
        /// The names of its options.
        known: Vec<String>,
    },
    /// The option does not accept this value.
    #[error("option '{name}': '{value}' is not accepted, expected {expected}")]
    Value {
        /// The option.
        name: String,
        /// The value given.
        value: String,
        /// Description of the valid values.
        expected: String,
    },
}

/// How to name the protocol of an engine that did not answer the greeting of another one.
fn protocol_hint(command: &str) -> &'static str {
    match command {
        "uci" => "; an engine that speaks UCCI needs proto=ucci",
        "ucci" => "; an engine that speaks UCI needs proto=uci",
        _ => "",
    }
}

fn list(known: &[String]) -> String {
    if known.is_empty() { "none: it announces no options".into() } else { format!("one of {}", known.join(", ")) }
}

/// An error in a file of openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// It can't be read.
    #[error(transparent)]
    File(#[from] RecordError),
    /// One of its lines or games can't be read.
    #[error("{}: {error}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The line or game and the error in it.
        error: RecordError,
    },
    /// It contains no opening.
    #[error("{}: no position, expected FENs or EPDs, one per line, or games as PGN", .0.display())]
    Empty(PathBuf),
    /// One of its openings is not usable.
    #[error("{}: {place}: {problem}", .path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// The line or game.
        place: String,
        /// The problem.
        problem: String,
    },
    /// The game is over at the end of one of its openings.
    #[error("{}: {place}: the game is over here ({reason}), expected a position to play from", .path.display())]
    Over {
        /// The file.
        path: PathBuf,
        /// The line or game.
        place: String,
        /// The ruling.
        reason: String,
    },
}

/// An error from writing a game as a record.
#[derive(Debug, Error)]
pub enum GameNotWritten {
    /// It is too long.
    #[error(transparent)]
    Full(#[from] TreeFull),
    /// The writer rejects it.
    #[error(transparent)]
    Write(#[from] RecordError),
}
