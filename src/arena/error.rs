//! What can go wrong with a match as a whole. Faults of engines during a game are results of the game, not errors.

use crate::records::{RecordError, TreeFull};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Why a match can't begin or can't continue.
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
        /// What is wrong with it.
        error: EngineError,
    },
    /// A file can't be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file exists that is not ours to replace, or is used twice.
    #[error("{}: {problem}", .path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why it can't be written.
        problem: OutputProblem,
    },
    /// The file that an interrupted match continues from is of no use.
    #[error("{}: {problem}", .path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: StateProblem,
    },
    /// The file of openings is of no use.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// No opening could be made.
    #[error("game {0}: no opening could be made")]
    NoOpening(usize),
    /// A game can't be written as a record.
    #[error("game {game}: {error}")]
    Record {
        /// Number of the game, from 1.
        game: usize,
        /// What the record lacks room for.
        error: GameNotWritten,
    },
}

impl ArenaError {
    /// An error of the system with the file that it concerns.
    pub(super) fn file(path: &Path, error: impl Into<io::Error>) -> ArenaError {
        ArenaError::File { path: path.into(), error: error.into() }
    }
}

/// Why an output file is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OutputProblem {
    /// It holds something else than games of a match.
    #[error("exists and holds no games of a match, use --force to replace it")]
    Foreign,
    /// It is read as an input.
    #[error("is read by this match and can't be written by it as well")]
    Input,
    /// It is no file.
    #[error("standard output does not take this, expected the name of a file")]
    Stdout,
    /// Two outputs go to the same file.
    #[error("is given for two outputs")]
    Twice,
    /// A game that the state records, and not the last one, is not where it was written.
    #[error("game {game} was changed or is missing, restore the file, continue without --pgn, or use --force to start over")]
    Damaged {
        /// Its number, from 1.
        game: usize,
    },
    /// Something follows the games that is no game of a match.
    #[error("what stands from byte {byte} on is no game of a match, remove it or use --force to replace the file")]
    Unknown {
        /// Bytes before it.
        byte: u64,
    },
    /// A game of this match stands in the file that the state does not record.
    #[error(
        "holds game {game}, which the file of --state does not record; restore that file, name another file of games, or use --force to start over"
    )]
    Unrecorded {
        /// Its number, from 1.
        game: usize,
    },
    /// There are games, but the state was cut off in its first line.
    #[error(
        "holds games, but the file of --state was cut off in its first line; restore or remove that one, or use --force to start over"
    )]
    StateLost,
}

/// What is wrong with a state file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StateProblem {
    /// The first line doesn't describe a match.
    #[error("line 1 does not describe a match, use --force to replace the file")]
    NoHeader,
    /// It belongs to a match with other settings.
    #[error("belongs to another match: '{found}', expected '{expected}'; use --force to replace it")]
    OtherMatch {
        /// What the file says.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A line doesn't describe a game.
    #[error("line {line}: {problem}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// Why an engine can't be used.
#[derive(Debug, Error)]
pub enum EngineError {
    /// Its program can't be started.
    #[error("can't be started: {0}")]
    Spawn(#[source] io::Error),
    /// It has no pipes to speak through.
    #[error("has no pipes")]
    NoPipes,
    /// It ended while it was greeted.
    #[error("ended during the handshake{0}")]
    Ended(String),
    /// It didn't answer the greeting.
    #[error("did not answer the handshake within {} s{last_words}", .limit.as_secs())]
    Silent {
        /// How long it had.
        limit: Duration,
        /// Its last lines on stderr, ready to follow the sentence.
        last_words: String,
    },
    /// An option that it doesn't have, or a value that the option doesn't take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Its log can't be written.
    #[error("log {}: {error}", .path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// What is wrong with an option of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// The engine has no such option.
    #[error("has no option '{name}', expected {}", list(.known))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The names of its options.
        known: Vec<String>,
    },
    /// The option doesn't take this value.
    #[error("option '{name}': '{value}' is not accepted, expected {expected}")]
    Value {
        /// The option.
        name: String,
        /// The value that was given.
        value: String,
        /// What it takes.
        expected: String,
    },
}

fn list(known: &[String]) -> String {
    if known.is_empty() { "none: it announces no options".into() } else { format!("one of {}", known.join(", ")) }
}

/// What is wrong with a file of openings.
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
        /// Which line or game, and what is wrong with it.
        error: RecordError,
    },
    /// It holds no opening.
    #[error("{}: no position, expected FENs or EPDs, one a line, or games as PGN", .0.display())]
    Empty(PathBuf),
    /// One of its openings is of no use.
    #[error("{}: {place}: {problem}", .path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// Which of its lines or games.
        place: String,
        /// What is wrong.
        problem: String,
    },
}

/// Why a game has no record.
#[derive(Debug, Error)]
pub enum GameNotWritten {
    /// It is too long.
    #[error(transparent)]
    Full(#[from] TreeFull),
    /// The writer refuses it.
    #[error(transparent)]
    Write(#[from] RecordError),
}

/// What is wrong with an `--engine` or `--each` argument, or with another setting of a match.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// A part is not `key=value`.
    #[error("'{0}': expected key=value")]
    NoValue(String),
    /// A quotation mark is not closed, or text follows the closing one.
    #[error("'{0}': a quotation mark is not closed, or text follows the closing one")]
    Quotes(String),
    /// A key is not known.
    #[error("'{0}': unknown key, expected cmd, dir, name, proto, ranks, tc or option.NAME")]
    UnknownKey(String),
    /// A key doesn't take this value.
    #[error("'{key}={value}': expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
    /// A time control can't be read.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// No program is named.
    #[error("'{0}' names no program, expected cmd=PROGRAM")]
    NoProgram(String),
    /// A key that only makes sense for one engine.
    #[error("'{0}' can't be the same for all engines")]
    NotForEach(&'static str),
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no time control, expected such as 10+0.1, 40/60, movetime:100, nodes:10000 or depth:8")]
pub struct TimeControlError(pub String);

/// A text that is no sequential test.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SprtError {
    /// A part can't be read.
    #[error("'{part}': expected {expected}")]
    Part {
        /// The part.
        part: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Both hypotheses are needed, in this order.
    #[error("expected elo0 and elo1, elo0 less than elo1")]
    Hypotheses,
    /// Error rates have a range.
    #[error("alpha and beta must be above 0 and below 0.5")]
    Rates,
}
