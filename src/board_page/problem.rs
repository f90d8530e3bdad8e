//! Why a question has no answer.

use super::limits::{LARGEST_TREE, LONGEST_LINE};
use crate::board::{FenError, SetupError};
use crate::notation::LineError;
use crate::records::RecordError;

/// Why a question has no answer. Its `Display` is one line for the person at the page.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The message has another form.
    #[error("not a message of the protocol: {0}")]
    Message(#[from] serde_json::Error),
    /// The start position.
    #[error("start: {0}")]
    Fen(#[from] FenError),
    /// No game can have the start position.
    #[error("the start position {0}")]
    Start(#[from] SetupError),
    /// A move that cannot be played where it stands.
    #[error("move {number}: '{text}' is not legal")]
    Move {
        /// Number of the move in its line or tree, from 1.
        number: usize,
        /// The move as it was sent.
        text: String,
    },
    /// A line that is too long.
    #[error("{0} moves, expected at most {LONGEST_LINE}")]
    LongLine(usize),
    /// A tree that is too large.
    #[error("{0} moves, expected at most {LARGEST_TREE} in a record")]
    LargeTree(usize),
    /// A move of a tree that follows none before it.
    #[error("move {0}: its parent is not before it")]
    Parent(usize),
    /// The result of a tree.
    #[error("the result '{0}', expected 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
    /// A typed move.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A text that is no record.
    #[error("neither a record nor a FEN nor a line of moves: {0}")]
    Text(Box<LineError>),
    /// Nothing to open.
    #[error("empty, expected a record, a FEN or moves")]
    Empty,
    /// A record.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// There are fewer games.
    #[error("there is no game {asked}, the file has {games}")]
    NoGame {
        /// The one that was asked for, from 1.
        asked: usize,
        /// How many there are.
        games: usize,
    },
    /// There are fewer files available.
    #[error("there is no file {0} among those of the command line")]
    NoFile(usize),
    /// A source that is no file.
    #[error("a game of the library, expected a file or a text")]
    NotAFile,
    /// The program has no library.
    #[error("there is no library of games, see `chuhe serve --library`")]
    NoLibrary,
    /// The program has no book that can be edited.
    #[error("there is no book to edit, see `chuhe serve --book`")]
    NoBook,
    /// A book cannot be read or changed.
    #[error("book: {0}")]
    Book(#[from] crate::book::BookError),
    /// The library cannot be read, or has no such game.
    #[error("library: {0}")]
    Library(String),
    /// A file that cannot be read.
    #[error("{0}")]
    File(String),
    /// The bytes of a file.
    #[error("the bytes of the file are not Base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// The engine does not search it.
    #[error("the engine does not search positions with pawns where no game can have them")]
    NotSearchable,
    /// There is no such level.
    #[error("level {asked}, expected 1 to {levels}")]
    Level {
        /// The one that was asked for.
        asked: usize,
        /// How many there are.
        levels: usize,
    },
    /// A result of a review that does not belong to the game.
    #[error("results: {0}")]
    Results(#[from] crate::report::ReadBackError),
    /// Another number of results than of positions.
    #[error("{found} results, expected {expected}, one for each position of the game")]
    ResultCount {
        /// Those that were sent.
        found: usize,
        /// One more than moves.
        expected: usize,
    },
    /// The moves of a review cannot be judged.
    #[error("the game cannot be reviewed: {0}")]
    Review(String),
    /// A drawing.
    #[error("the position cannot be drawn: {0}")]
    Drawing(String),
}
