//! Why a text was not read as a move.

use super::System;
use crate::board::Board;
use crate::types::{Color, Move};
use std::fmt;

/// What a reader found, before the text and the system are added to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unread {
    /// The text doesn't have the form of this notation.
    Form,
    /// It has a form that only other games use; what that is.
    OtherGame(&'static str),
    /// There is no piece of that description; which.
    NoSuchPiece(String),
    /// The pieces of that description don't move so; which pieces.
    CannotMoveSo(String),
    /// The move would leave the own king in check.
    LeavesKingInCheck(Move),
    /// Several legal moves fit.
    Ambiguous(Vec<Move>),
}

/// Why a text was not read as a move. Its `Display` is one line that quotes the text and says what was expected.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, System};
///
/// let start = Position::startpos();
/// let error = notation::read(System::Wxr, start.board(), "R1=4").unwrap_err();
/// assert_eq!(error.to_string(), "'R1=4': the red chariot on i0 cannot move so");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The text doesn't have the form of this notation.
    NotThisNotation {
        /// The text as it was given.
        text: String,
        /// The notation it was read in, none when all were tried.
        system: Option<System>,
        /// A notation it has the form of, one in which it is a legal move if there is such.
        looks_like: Option<System>,
    },
    /// The text has a form that only other games of the family use, such as a promotion of shogi.
    OtherGame {
        /// The text as it was given.
        text: String,
        /// What of the other game it shows.
        what: &'static str,
    },
    /// The side to move has no piece of that description.
    NoSuchPiece {
        /// The text as it was given.
        text: String,
        /// What was looked for, as a clause: `no red cannon on file 3`.
        sought: String,
    },
    /// There is such a piece, but it can't move so.
    CannotMoveSo {
        /// The text as it was given.
        text: String,
        /// The piece or pieces and where they stand: `the red cannon on h2`.
        pieces: String,
    },
    /// The piece can move so, but the own king would be in check.
    LeavesKingInCheck {
        /// The text as it was given.
        text: String,
        /// The move.
        mv: Move,
    },
    /// Several legal moves are written so.
    Ambiguous {
        /// The text as it was given.
        text: String,
        /// The moves.
        candidates: Vec<Move>,
    },
    /// Two systems, both tried, read different legal moves out of the text.
    SystemsDisagree {
        /// The text as it was given.
        text: String,
        /// What each system read; at least two of the moves differ.
        readings: Vec<(System, Move)>,
    },
}

impl ReadError {
    pub(super) fn new(fault: Unread, text: &str, system: System, looks_like: impl FnOnce() -> Option<System>) -> ReadError {
        let text = text.to_string();
        match fault {
            Unread::Form => ReadError::NotThisNotation { text, system: Some(system), looks_like: looks_like() },
            Unread::OtherGame(what) => ReadError::OtherGame { text, what },
            Unread::NoSuchPiece(sought) => ReadError::NoSuchPiece { text, sought },
            Unread::CannotMoveSo(pieces) => ReadError::CannotMoveSo { text, pieces },
            Unread::LeavesKingInCheck(mv) => ReadError::LeavesKingInCheck { text, mv },
            Unread::Ambiguous(candidates) => ReadError::Ambiguous { text, candidates },
        }
    }
}

/// A text for an error line: shortened, on one line, nothing in it that a terminal would obey.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    format!("'{short}'")
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotThisNotation { text, system: Some(system), looks_like } => {
                write!(f, "{} is not {system} notation, expected {}", quoted(text), system.form())?;
                looks_like.map_or(Ok(()), |other| write!(f, "; it looks like {other}"))
            }
            ReadError::NotThisNotation { text, system: None, .. } => {
                write!(f, "{} is a move in no notation, expected one such as H2-E2, C2=5 or 炮二平五", quoted(text))
            }
            ReadError::OtherGame { text, what } => {
                write!(f, "{} shows {what}, which xiangqi does not have; expected a plain move such as C-5h", quoted(text))
            }
            ReadError::NoSuchPiece { text, sought } => write!(f, "{}: there is {sought}", quoted(text)),
            ReadError::CannotMoveSo { text, pieces } => write!(f, "{}: {pieces} cannot move so", quoted(text)),
            ReadError::LeavesKingInCheck { text, mv } => {
                write!(f, "{}: {mv} would leave the own king in check", quoted(text))
            }
            ReadError::Ambiguous { text, candidates } => {
                let moves: Vec<String> = candidates.iter().map(Move::to_string).collect();
                write!(f, "{} is ambiguous, it can be {}", quoted(text), moves.join(" or "))
            }
            ReadError::SystemsDisagree { text, readings } => {
                let readings: Vec<String> = readings.iter().map(|(system, mv)| format!("{mv} in {system}")).collect();
                write!(f, "{} is different moves in different notations, name one: {}", quoted(text), readings.join(", "))
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Which move of a line was not read, and why. Its `Display` is one line.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, System};
/// use xiangqi::types::Color;
///
/// let start = Position::startpos();
/// let error = notation::read_line(System::Wxf, start.board(), &["C2.5", "H8+8"]).unwrap_err();
/// assert_eq!((error.number, error.round, error.side), (2, 1, Color::Black));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number} (round {round}, {side}): {error}")]
pub struct LineError {
    /// Number of the move in the line, from 1.
    pub number: usize,
    /// The round it belongs to: 1 for the first move of the line and Black's reply to it, unless the line's start says
    /// otherwise.
    pub round: usize,
    /// The side that would have made it.
    pub side: Color,
    /// What is wrong with it.
    #[source]
    pub error: ReadError,
}

impl LineError {
    /// For the move with this index of a line that starts from this board.
    pub(super) fn new(start: &Board, index: usize, error: ReadError) -> LineError {
        let plies = index + (start.side_to_move() == Color::Black) as usize;
        let side = if plies.is_multiple_of(2) { Color::Red } else { Color::Black };
        LineError { number: index + 1, round: plies / 2 + 1, side, error }
    }
}

/// A name that no system has.
///
/// ```
/// use xiangqi::notation::System;
///
/// let error = "chess".parse::<System>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown notation 'chess', expected one of iccs, uci"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown notation {}, expected one of {}{}", quoted(text), System::ids().collect::<Vec<_>>().join(", "), if *or_auto { ", auto" } else { "" })]
pub struct UnknownSystem {
    text: String,
    or_auto: bool,
}

impl UnknownSystem {
    pub(super) fn new(text: &str, or_auto: bool) -> UnknownSystem {
        UnknownSystem { text: text.to_string(), or_auto }
    }
}
