//! What is wrong with a file or record, and what a format had no room for.

use super::{Format, TreeFull};
use crate::board::{FenError, SetupError};
use crate::notation::LineError;
use std::collections::BTreeMap;
use std::fmt;

/// A file or record that cannot be read or written: where, and what is wrong with what was expected.
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
    // Boxed, so that a result is not larger than what it usually holds.
    #[source]
    problem: Box<RecordProblem>,
}

fn prefix(places: &[String]) -> String {
    if places.is_empty() { String::new() } else { places.join(", ") + ": " }
}

/// What is wrong with a file or record.
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
    /// The operating system gives no bytes.
    #[error("{0}")]
    Io(String),
    /// More bytes than are read.
    #[error("larger than {} MiB, the most that is read", .0 >> 20)]
    TooLarge(u64),
    /// It is not of the format; what marks that.
    #[error("not {0}")]
    NotThisFormat(&'static str),
    /// Nothing in it is a game.
    #[error("no game, expected {0}")]
    NoGame(&'static str),
    /// Nothing in it is a record or position of any format.
    #[error("no game and no position in it, expected a record in one of the formats {}", Format::ids().collect::<Vec<_>>().join(", "))]
    NoRecord,
    /// The format has this version, but it is not known.
    #[error("{0} version {1}, expected {2}")]
    Version(Format, u8, &'static str),
    /// The file ends too early.
    #[error("the file ends inside {0}")]
    Truncated(String),
    /// Its start position is no FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No game can have its start position.
    #[error("the start position {0}")]
    Start(#[from] SetupError),
    /// A move of its line is not read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It has more moves than a record holds.
    #[error(transparent)]
    TooManyMoves(#[from] TreeFull),
    /// The format is only read.
    #[error("can be read but not written; expected {}", Format::written_ids())]
    NotWritten,
    /// Something else in it.
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

    /// An error that names its place itself, or belongs to the whole of what is read.
    pub(crate) fn of(problem: impl Into<RecordProblem>) -> RecordError {
        RecordError { places: Vec::new(), problem: Box::new(problem.into()) }
    }

    /// The same error inside a larger thing, such as a game of a file.
    pub(crate) fn within(mut self, outer: &str) -> RecordError {
        self.places.insert(0, outer.to_string());
        self
    }

    /// The same error without the outermost place, for those who name the game of a file themselves. An error with a single place
    /// stays as it is.
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

    /// What is wrong.
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

/// What a format had no room for, counted.
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
        // Names from a hostile file end up on a terminal.
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
    /// Such as `comments 3, tag Round 1`; empty when nothing was lost.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(what, count)| format!("{what} {count}")).collect();
        f.write_str(&parts.join(", "))
    }
}
