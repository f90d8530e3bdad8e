//! Under which key a position stands in a book, and how its moves are stored there.

use crate::board::Board;
use crate::types::Move;

/// How a position lies in the book. A position and its mirror image are one: the one with the smaller key is stored.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::openings::place::{Turn, place_of};
///
/// assert_eq!(place_of(Position::startpos().board()).1, Turn::Symmetric);
/// ```
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
///
/// ```
/// use xiangqi::openings::place::{Turn, place};
///
/// assert_eq!(place(3, 7), (3, Turn::Same));
/// assert_eq!(place(7, 3), (3, Turn::Mirrored));
/// ```
pub fn place(key: u64, mirrored: u64) -> (u64, Turn) {
    match key.cmp(&mirrored) {
        std::cmp::Ordering::Less => (key, Turn::Same),
        std::cmp::Ordering::Equal => (key, Turn::Symmetric),
        std::cmp::Ordering::Greater => (mirrored, Turn::Mirrored),
    }
}

/// As [`place`], for a board.
///
/// ```
/// use xiangqi::board::Board;
/// use xiangqi::openings::place::place_of;
///
/// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b")?;
/// assert_eq!(place_of(&board).0, place_of(&board.mirrored()).0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn place_of(board: &Board) -> (u64, Turn) {
    place(board.key(), board.mirrored_key())
}

impl Turn {
    /// A move as it is stored. Of a move and its image in a symmetric position the one further to Red's right stands for
    /// both.
    ///
    /// ```
    /// use xiangqi::openings::place::Turn;
    /// use xiangqi::types::Move;
    ///
    /// let (left, right) = (Move::from_uci("b2e2")?, Move::from_uci("h2e2")?);
    /// assert_eq!(Turn::Symmetric.stored(left), right);
    /// assert_eq!(Turn::Mirrored.stored(left), right);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// use xiangqi::openings::place::Turn;
    /// use xiangqi::types::Move;
    ///
    /// let mv = Move::from_uci("b2e2")?;
    /// assert_eq!(Turn::Mirrored.played(Turn::Mirrored.stored(mv)), mv);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn played(self, mv: Move) -> Move {
        if self == Turn::Mirrored { mv.mirrored() } else { mv }
    }
}
