//! Sets of points.

use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of points as a 128-bit integer: bit `n` is the point with index `n`. Bits above 89 are never set.
///
/// ```
/// use xiangqi::types::{Bitboard, Square};
/// let corners: Bitboard = ["a0", "i0", "a9", "i9"].into_iter().filter_map(|text| text.parse().ok()).collect();
/// assert_eq!(corners.len(), 4);
/// assert!((corners & !Bitboard::ALL).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(u128);

impl Bitboard {
    /// The empty set.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    /// assert!(Bitboard::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All ninety points.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    /// assert_eq!(Bitboard::ALL.len(), 90);
    /// ```
    pub const ALL: Bitboard = Bitboard((1 << super::SQUARES) - 1);

    /// Creates a set from its bits; bits above 89 are ignored.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    /// assert_eq!(Bitboard::from_bits(u128::MAX), Bitboard::ALL);
    /// ```
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & Bitboard::ALL.0)
    }

    /// The underlying bits.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    /// assert_eq!(Bitboard::of("b0".parse()?).bits(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set that contains only this point.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    /// let e0: Square = "e0".parse()?;
    /// assert!(Bitboard::of(e0).has(e0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// Whether the point is in the set.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    /// assert!(Bitboard::ALL.has("e5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        // Selects a 64-bit half first: a 128-bit shift takes more instructions.
        let half = if square.index() < 64 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        half >> (square.index() % 64) & 1 != 0
    }

    /// Whether the set is empty.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    /// assert!((Bitboard::ALL & Bitboard::EMPTY).is_empty());
    /// ```
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of points in the set.
    ///
    /// ```
    /// use xiangqi::types::Bitboard;
    /// assert_eq!(Bitboard::from_bits(0b1011).len(), 3);
    /// ```
    #[inline]
    pub const fn len(self) -> usize {
        (self.0 as u64).count_ones() as usize + ((self.0 >> 64) as u64).count_ones() as usize
    }

    /// The set with the point added.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    /// assert_eq!(Bitboard::EMPTY.with("e5".parse()?).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// The set with the point removed.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    /// assert_eq!(Bitboard::ALL.without("e5".parse()?).len(), 89);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square.index()))
    }

    /// The point with the lowest index, `None` if the set is empty.
    ///
    /// ```
    /// use xiangqi::types::{Bitboard, Square};
    /// assert_eq!(Bitboard::ALL.first(), Some("a0".parse()?));
    /// assert_eq!(Bitboard::EMPTY.first(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ Bitboard::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// Iterator over the points of a [`Bitboard`] in ascending order of index.
///
/// ```
/// use xiangqi::types::{Bitboard, Square};
/// let mut points = Bitboard::from_bits(0b101).into_iter();
/// assert_eq!(points.next(), Some("a0".parse()?));
/// assert_eq!(points.next(), Some("c0".parse()?));
/// assert_eq!(points.next(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Square::from_index(index))
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_returns_the_collected_points() {
        let points: Vec<Square> = Square::all().step_by(7).collect();
        let set: Bitboard = points.iter().copied().collect();
        assert_eq!(set.len(), points.len());
        assert_eq!(set.into_iter().collect::<Vec<_>>(), points);
        assert_eq!((!set).len(), 90 - points.len());
        assert!(!set.without(points[0]).has(points[0]));
    }
}
