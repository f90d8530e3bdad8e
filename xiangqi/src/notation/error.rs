//! Errors of the notation readers.

use super::System;
use crate::board::Board;
use crate::types::{Color, Move, quoted};
use std::fmt;

/// A reader's error, before text and system are added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// The text doesn't have the form of this notation.
    Form,
    /// The text contains something that exists only in other games; its name.
    OtherGame(&'static str),
    /// There is no such piece; its description.
    NoSuchPiece(String),
    /// The pieces described cannot make this move; their description.
    CannotMoveSo(String),
    /// The move would leave the mover's king in check.
    LeavesKingInCheck(Move),
    /// Several legal moves match.
    Ambiguous(Vec<Move>),
}

/// Error when reading a move. The message is a single line that quotes the text and gives the reason.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, System};
///
/// let start = Position::startpos();
/// let error = notation::read(System::Wxr, start.board(), "R1=4").unwrap_err();
/// assert_eq!(error.to_string(), "'R1=4': the red rook on i0 cannot make that move");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The text doesn't have the form of this notation.
    NotThisNotation {
        /// The text as given.
        text: String,
        /// The notation it was read in, or `None` if all were tried.
        system: Option<System>,
        /// Another notation whose form it has, preferably one in which it is a legal move.
        looks_like: Option<System>,
    },
    /// The text contains something that exists only in related games, such as a shogi promotion.
    OtherGame {
        /// The text as given.
        text: String,
        /// The feature of the other game.
        what: &'static str,
    },
    /// The side to move has no such piece.
    NoSuchPiece {
        /// The text as given.
        text: String,
        /// Description of the missing piece, such as `no red cannon on file 3`.
        sought: String,
    },
    /// There is such a piece, but it can't make that move.
    CannotMoveSo {
        /// The text as given.
        text: String,
        /// The piece or pieces with their points, such as `the red cannon on h2`.
        pieces: String,
    },
    /// The move is pseudo-legal but would leave the mover's king in check.
    LeavesKingInCheck {
        /// The text as given.
        text: String,
        /// The move.
        mv: Move,
    },
    /// Several legal moves match the text.
    Ambiguous {
        /// The text as given.
        text: String,
        /// The moves.
        candidates: Vec<Move>,
    },
    /// Several systems were tried and read the text as different legal moves.
    SystemsDisagree {
        /// The text as given.
        text: String,
        /// The move read by each system; at least two differ.
        readings: Vec<(System, Move)>,
    },
    /// The number before the text, or dots, show that it is a later move: that of the side to move is missing.
    MoveMissing {
        /// The text as given.
        text: String,
    },
}

impl ReadError {
    pub(super) fn new(fault: Reason, text: &str, system: System, looks_like: impl FnOnce() -> Option<System>) -> ReadError {
        let text = text.to_string();
        match fault {
            Reason::Form => ReadError::NotThisNotation { text, system: Some(system), looks_like: looks_like() },
            Reason::OtherGame(what) => ReadError::OtherGame { text, what },
            Reason::NoSuchPiece(sought) => ReadError::NoSuchPiece { text, sought },
            Reason::CannotMoveSo(pieces) => ReadError::CannotMoveSo { text, pieces },
            Reason::LeavesKingInCheck(mv) => ReadError::LeavesKingInCheck { text, mv },
            Reason::Ambiguous(candidates) => ReadError::Ambiguous { text, candidates },
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotThisNotation { text, system: Some(system), looks_like } => {
                write!(f, "{} is not {system} notation, expected {}", quoted(text), system.form())?;
                looks_like.map_or(Ok(()), |other| write!(f, "; it looks like {other}"))
            }
            ReadError::NotThisNotation { text, system: None, .. } => {
                write!(f, "{} is not a move in any notation, expected one such as H2-E2, C2=5 or 炮二平五", quoted(text))
            }
            ReadError::OtherGame { text, what } => {
                write!(f, "{} contains {what}, which xiangqi does not have; expected a plain move such as C-5h", quoted(text))
            }
            ReadError::NoSuchPiece { text, sought } => write!(f, "{}: there is {sought}", quoted(text)),
            ReadError::CannotMoveSo { text, pieces } => write!(f, "{}: {pieces} cannot make that move", quoted(text)),
            ReadError::LeavesKingInCheck { text, mv } => {
                write!(f, "{}: {mv} would leave the king in check", quoted(text))
            }
            ReadError::Ambiguous { text, candidates } => {
                let moves: Vec<String> = candidates.iter().map(Move::to_string).collect();
                write!(f, "{} is ambiguous, it can be {}", quoted(text), moves.join(" or "))
            }
            ReadError::SystemsDisagree { text, readings } => {
                let readings: Vec<String> = readings.iter().map(|(system, mv)| format!("{mv} in {system}")).collect();
                write!(f, "{} means different moves in different notations, specify one: {}", quoted(text), readings.join(", "))
            }
            ReadError::MoveMissing { text } => {
                write!(f, "{} is not the next move by its number: a move is missing before it", quoted(text))
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Error when reading a line of moves. The message is a single line.
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
    /// Number of the move in the line, counted from 1.
    pub number: usize,
    /// The round of the move. The line starts in round 1, unless its start position has another move number.
    pub round: usize,
    /// The side to move.
    pub side: Color,
    /// The reason.
    #[source]
    pub error: ReadError,
}

impl LineError {
    /// An error for the move at `index` of a line that starts from this position.
    pub(super) fn new(start: &Board, index: usize, error: ReadError) -> LineError {
        let plies = index + (start.side_to_move() == Color::Black) as usize;
        let side = if plies.is_multiple_of(2) { Color::Red } else { Color::Black };
        LineError { number: index + 1, round: plies / 2 + 1, side, error }
    }
}
