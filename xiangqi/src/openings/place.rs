//! Under which key a position stands in a book, and how its moves are stored there.

use crate::board::Board;
use crate::types::Move;

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
pub fn place_of(board: &Board) -> (u64, Turn) {
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
