//! What the compiler of the book asks of a board. It is a trait because `build.rs`, which compiles the book that the program
//! carries, cannot use [`crate::board`]: that floor is built from tables which `build.rs` itself makes.

use crate::types::{Color, Move, Piece, Square};

/// A board that knows which moves are legal and what a position is called.
pub trait Referee: Clone {
    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    fn from_fen(fen: &str) -> Result<Self, String>;
    /// The side to move.
    fn side_to_move(&self) -> Color;
    /// The piece on a point.
    fn piece_on(&self, square: Square) -> Option<Piece>;
    /// Whether the move is legal.
    fn is_legal(&self, mv: Move) -> bool;
    /// The position after a legal move.
    fn after(&self, mv: Move) -> Self;
    /// The position key of pieces and side to move.
    fn key(&self) -> u64;
    /// The key of the position with left and right exchanged.
    fn mirrored_key(&self) -> u64;
}

/// Start of every xiangqi game.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// How a position lies in the book. A position and its mirror image are one: the one with the smaller key is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// As it is.
    Same,
    /// With left and right exchanged.
    Mirrored,
    /// It is its own mirror image.
    Symmetric,
}

/// The key under which a position is stored, and how it lies there.
pub fn place(key: u64, mirrored: u64) -> (u64, Turn) {
    match key.cmp(&mirrored) {
        std::cmp::Ordering::Less => (key, Turn::Same),
        std::cmp::Ordering::Equal => (key, Turn::Symmetric),
        std::cmp::Ordering::Greater => (mirrored, Turn::Mirrored),
    }
}

/// As [`place`], for a board.
pub fn place_of<R: Referee>(board: &R) -> (u64, Turn) {
    place(board.key(), board.mirrored_key())
}

impl Turn {
    /// A move as it is stored. Of a move and its image in a symmetric position the one further to Red's right stands for
    /// both.
    pub fn stored(self, mv: Move) -> Move {
        let files = |mv: Move| (mv.from().file(), mv.to().file());
        match self {
            Turn::Same => mv,
            Turn::Mirrored => mv.mirrored(),
            Turn::Symmetric if files(mv) < files(mv.mirrored()) => mv.mirrored(),
            Turn::Symmetric => mv,
        }
    }

    /// A stored move as it is played on the board.
    pub fn played(self, mv: Move) -> Move {
        if self == Turn::Mirrored { mv.mirrored() } else { mv }
    }
}
