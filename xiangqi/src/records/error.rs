//! Errors of readers and writers, and data lost in writing.

use super::{Format, TreeFull};
use crate::board::{FenError, SetupError};
use crate::notation::LineError;
use std::collections::BTreeMap;
use std::fmt;

/// Error when reading or writing a file or record. The message gives the place and the reason.
///
/// ```
/// use xiangqi::records::{Format, Records};
///
/// let error = Records::new(b"XQ".to_vec(), Some(Format::Xqf))?.next().and_then(Result::err).expect("a file cut short");
/// assert!(error.to_string().starts_with("game 1, "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{problem}", prefix(.places))]
pub struct RecordError {
    // From the outermost to the innermost.
    places: Vec<String>,
    // Boxed to keep `Result`s small.
    #[source]
    problem: Box<RecordProblem>,
}

fn prefix(places: &[String]) -> String {
    if places.is_empty() { String::new() } else { places.join(", ") + ": " }
}

/// The reason of a [`RecordError`].
///
/// ```
/// use xiangqi::records::{Format, PgnOptions, Record, RecordProblem, Setup, write};
///
/// let error = write(&Record::new(Setup::standard()), Format::Che, &PgnOptions::default()).unwrap_err();
/// assert_eq!(error.problem(), &RecordProblem::NotWritten);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The file could not be read; the message of the operating system.
    #[error("{0}")]
    Io(String),
    /// The file is larger than this limit in bytes.
    #[error("larger than {} MiB, the most that is read", .0 >> 20)]
    TooLarge(u64),
    /// The file is not in the expected format, which is described here.
    #[error("not {0}")]
    NotThisFormat(&'static str),
    /// The file contains no game; a description of what was expected.
    #[error("no game, expected {0}")]
    NoGame(&'static str),
    /// The file is compressed; the name of the compression.
    #[error("compressed with {0}, expected a record; unpack it first")]
    Compressed(&'static str),
    /// The file contains no record or position in any format.
    #[error("no game and no position in it, expected a record in one of the formats {}", Format::ids().collect::<Vec<_>>().join(", "))]
    NoRecord,
    /// The version of the format is not supported: format, version, and the supported versions.
    #[error("{0} version {1}, expected {2}")]
    Version(Format, u8, &'static str),
    /// The file ends inside the named part.
    #[error("the file ends inside {0}")]
    Truncated(String),
    /// The FEN of the start position is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The start position is not valid.
    #[error("the start position is invalid: {0}")]
    Start(#[from] SetupError),
    /// A move of the line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// There are more moves than a record can hold.
    #[error(transparent)]
    TooManyMoves(#[from] TreeFull),
    /// The format can be read but not written.
    #[error("can be read but not written; expected {}", Format::written_ids())]
    NotWritten,
    /// Any other problem.
    #[error("{0}")]
    Damaged(String),
}

impl From<String> for RecordProblem {
    fn from(text: String) -> RecordProblem {
        RecordProblem::Damaged(text)
    }
}

impl From<&str> for RecordProblem {
    fn from(text: &str) -> RecordProblem {
        RecordProblem::Damaged(text.to_string())
    }
}

impl RecordError {
    pub(crate) fn new(place: impl Into<String>, problem: impl Into<RecordProblem>) -> RecordError {
        RecordError { places: vec![place.into()], problem: Box::new(problem.into()) }
    }

    /// An error without a place, for problems of the entire input or messages that give the place themselves.
    pub(crate) fn of(problem: impl Into<RecordProblem>) -> RecordError {
        RecordError { places: Vec::new(), problem: Box::new(problem.into()) }
    }

    /// Adds an enclosing place, such as the file around a game.
    pub(crate) fn within(mut self, outer: &str) -> RecordError {
        self.places.insert(0, outer.to_string());
        self
    }

    /// Removes the outermost place, for callers that report the game number themselves. An error with a single place is unchanged.
    ///
    /// ```
    /// use xiangqi::records::{Format, Records};
    ///
    /// let error = Records::new(b"XQ".to_vec(), Some(Format::Xqf))?.next().and_then(Result::err).expect("a file cut short");
    /// assert_eq!(error.to_string(), format!("game 1, {}", error.clone().inner()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inner(mut self) -> RecordError {
        if self.places.len() > 1 {
            self.places.remove(0);
        }
        self
    }

    /// The reason.
    ///
    /// ```
    /// use xiangqi::records::{Format, RecordProblem, Records};
    ///
    /// let Some(Err(error)) = Records::new(b"9/9 w\n".to_vec(), Some(Format::Fen))?.next() else { panic!("a bad FEN") };
    /// assert!(matches!(error.problem(), RecordProblem::Fen(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn problem(&self) -> &RecordProblem {
        &self.problem
    }
}

/// Data that a format could not store, with counts.
///
/// ```
/// use xiangqi::records::{self, Format, PgnOptions, Record, Setup};
///
/// let mut record = Record::new(Setup::standard());
/// record.set_tag("Event", "Cup");
/// let (_, losses) = records::write(&record, Format::Fen, &PgnOptions::default())?;
/// assert_eq!(losses.to_string(), "tag Event 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses(BTreeMap<String, usize>);

impl Losses {
    pub(super) fn add(&mut self, what: &str, count: usize) {
        if count > 0 {
            *self.0.entry(what.to_string()).or_default() += count;
        }
    }

    pub(super) fn tag(&mut self, name: &str) {
        // Names come from untrusted files and are printed to a terminal.
        let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
        self.add(&format!("tag {name}"), 1);
    }

    /// Adds the losses of another record.
    ///
    /// ```
    /// use xiangqi::records::Losses;
    ///
    /// let mut all = Losses::default();
    /// all.merge(Losses::default());
    /// assert!(all.is_empty());
    /// ```
    pub fn merge(&mut self, other: Losses) {
        other.0.into_iter().for_each(|(what, count)| *self.0.entry(what).or_default() += count);
    }

    /// Whether nothing was lost.
    ///
    /// ```
    /// use xiangqi::records::{self, Format, PgnOptions, Record, Setup};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.set_tag("Event", "Cup");
    /// let (_, losses) = records::write(&record, Format::Fen, &PgnOptions::default())?;
    /// assert!(!losses.is_empty(), "a list of FEN has no place for the event");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Losses {
    /// Writes a list such as `comments 3, tag Round 1`; empty if nothing was lost.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(what, count)| format!("{what} {count}")).collect();
        f.write_str(&parts.join(", "))
    }
}
