//! Moves and move lists.

use super::{ParseMoveError, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

/// A move in 16 bits: the origin in the low seven bits, the destination in the next seven. The moved and the captured piece are not
/// stored; look them up on the board.
///
/// ```
/// use xiangqi::types::Move;
/// let mv = Move::from_uci("h2e2")?;
/// assert_eq!((mv.from().to_string(), mv.to().to_string()), ("h2".into(), "e2".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

/// Capacity of a [`MoveList`].
///
/// ```
/// use xiangqi::types::{MAX_MOVES, MoveList};
/// assert_eq!(MoveList::new().capacity(), MAX_MOVES);
/// ```
pub const MAX_MOVES: usize = 128;

/// A list of the moves of one position. No position has more than 119 (four sliders with 17 moves, two horses with 8, five pawns
/// with 3, and 4 for each of king, advisors and elephants); the remaining capacity is for vector stores that write past the end.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::types::MoveList;
///
/// let moves: MoveList = Position::startpos().board().legal_moves();
/// assert_eq!(moves.len(), 44);
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Move {
    /// The null value, a move from a0 to a0, which no legal move equals.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert!(Move::NONE.is_none());
    /// ```
    pub const NONE: Move = Move(0);

    /// Creates the move between two points.
    ///
    /// ```
    /// use xiangqi::types::{Move, Square};
    /// let (from, to): (Square, Square) = ("h2".parse()?, "e2".parse()?);
    /// assert_eq!(Move::new(from, to).to_string(), "h2e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 7)
    }

    /// Decodes a move; `None` if a point is outside the board.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// let mv = Move::from_uci("h2e2")?;
    /// assert_eq!(Move::from_bits(mv.bits()), Some(mv));
    /// assert_eq!(Move::from_bits(u16::MAX), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 14 == 0 && (bits & 0x7f) < 90 && (bits >> 7) < 90 { Some(Move(bits)) } else { None }
    }

    /// The 16-bit encoding.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert_eq!(Move::NONE.bits(), 0);
    /// ```
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The origin point.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert_eq!(Move::from_uci("h2e2")?.from(), "h2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 0x7f) as usize)
    }

    /// The destination point.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert_eq!(Move::from_uci("h2e2")?.to(), "e2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 7 & 0x7f) as usize)
    }

    /// Whether this is [`Move::NONE`].
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert!(Move::NONE.is_none());
    /// ```
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether this is not [`Move::NONE`].
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert!(Move::from_uci("h2e2")?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn is_some(self) -> bool {
        !self.is_none()
    }

    /// The move mirrored left to right.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert_eq!(Move::from_uci("h2e2")?.mirrored().to_string(), "b2e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn mirrored(self) -> Move {
        Move::new(self.from().mirrored(), self.to().mirrored())
    }

    /// The move mirrored top to bottom, as the other side would play it.
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert_eq!(Move::from_uci("h2e2")?.flipped().to_string(), "h7e7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn flipped(self) -> Move {
        Move::new(self.from().flipped(), self.to().flipped())
    }

    /// Parses the UCI form `h2e2` in either case. Legality is not checked, see
    /// [`Board::is_legal`](crate::board::Board::is_legal).
    ///
    /// ```
    /// use xiangqi::types::Move;
    /// assert_eq!(Move::from_uci("H2E2")?.to_string(), "h2e2");
    /// assert!(Move::from_uci("h2h2").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not two different points.
    pub fn from_uci(text: &str) -> Result<Move, ParseMoveError> {
        let wrong = || ParseMoveError(super::error::in_one_line(text));
        if text.len() != 4 || !text.is_ascii() {
            return Err(wrong());
        }
        match (text[..2].parse(), text[2..].parse()) {
            (Ok(from), Ok(to)) if from != to => Ok(Move::new(from, to)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Move {
    /// Writes the UCI form `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = [self.from(), self.to()].map(Square::name);
        f.pad(std::str::from_utf8(&[from[0], from[1], to[0], to[1]]).unwrap_or_default())
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// As [`Move::from_uci`].
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        Move::from_uci(text)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_apply() {
        let mv: Move = "h2e2".parse().unwrap();
        assert_eq!(format!("{mv:>6}|{:<3}|{:<6}|", mv.to(), crate::types::Color::Red), "  h2e2|e2 |red   |");
    }

    #[test]
    fn every_pair_of_points_round_trips() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mv = Move::new(from, to);
                assert_eq!((mv.from(), mv.to()), (from, to));
                assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                assert_eq!(Move::from_uci(&mv.to_string().to_uppercase()), Ok(mv));
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
        for bad in ["", "h2", "h2e", "h2e2e", "h2h2", "z0a0", "h2é", "马二"] {
            assert!(Move::from_uci(bad).is_err(), "{bad}");
        }
    }
}
