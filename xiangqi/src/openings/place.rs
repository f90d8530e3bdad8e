//! Book keys: a position and its mirror image share one key, and their moves are stored relative to it.

use crate::board::Board;
use crate::types::Move;

/// The orientation in which a position is stored. Of a position and its mirror image, the book contains only the one with the smaller
/// key.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::openings::place::{Turn, place_of};
///
/// assert_eq!(place_of(Position::startpos().board()).1, Turn::Symmetric);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The position is stored unchanged.
    Same,
    /// The mirror image of the position is stored.
    Mirrored,
    /// The position is its own mirror image.
    Symmetric,
}

/// The book key and orientation of a position, from its key and the key of its mirror image.
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

/// The book key and orientation of a board, see [`place`].
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
    /// Converts a move on the board to its stored form. In a symmetric position, a move and its mirror image are stored as one, the
    /// one further to Red's right.
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

    /// Converts a stored move to a move on the board.
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
