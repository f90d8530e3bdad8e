//! Book keys: a position and its mirror image share one key, and their moves are stored relative to it.

use crate::board::Board;
use crate::types::Move;
use std::cmp::Ordering;

/// The orientation in which a position is stored. Of a position and its mirror image, the book contains only the one with the smaller
/// key.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::openings::key::{Orientation, book_key};
///
/// assert_eq!(book_key(Position::startpos().board()).1, Orientation::Symmetric);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Orientation {
    /// The position is stored unchanged.
    Same,
    /// The mirror image of the position is stored.
    Mirrored,
    /// The position is its own mirror image.
    Symmetric,
}

/// The book key and orientation of a board.
///
/// ```
/// use xiangqi::board::Board;
/// use xiangqi::openings::key::book_key;
///
/// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/R8/4K4 b")?;
/// assert_eq!(book_key(&board).0, book_key(&board.mirrored()).0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn book_key(board: &Board) -> (u64, Orientation) {
    let (key, mirrored) = (board.key(), board.mirrored_key());
    match key.cmp(&mirrored) {
        Ordering::Less => (key, Orientation::Same),
        Ordering::Equal => (key, Orientation::Symmetric),
        Ordering::Greater => (mirrored, Orientation::Mirrored),
    }
}

impl Orientation {
    /// Converts a move on the board to its stored form. In a symmetric position, a move and its mirror image are stored as one, the
    /// one further to Red's right.
    ///
    /// ```
    /// use xiangqi::openings::key::Orientation;
    /// use xiangqi::types::Move;
    ///
    /// let (left, right) = (Move::from_uci("b2e2")?, Move::from_uci("h2e2")?);
    /// assert_eq!(Orientation::Symmetric.stored(left), right);
    /// assert_eq!(Orientation::Mirrored.stored(left), right);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stored(self, mv: Move) -> Move {
        let files = |mv: Move| (mv.from().file(), mv.to().file());
        match self {
            Orientation::Same => mv,
            Orientation::Mirrored => mv.mirrored(),
            Orientation::Symmetric if files(mv) < files(mv.mirrored()) => mv.mirrored(),
            Orientation::Symmetric => mv,
        }
    }

    /// Converts a stored move to a move on the board.
    ///
    /// ```
    /// use xiangqi::openings::key::Orientation;
    /// use xiangqi::types::Move;
    ///
    /// let mv = Move::from_uci("b2e2")?;
    /// assert_eq!(Orientation::Mirrored.played(Orientation::Mirrored.stored(mv)), mv);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn played(self, mv: Move) -> Move {
        if self == Orientation::Mirrored { mv.mirrored() } else { mv }
    }
}
