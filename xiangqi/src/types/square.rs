//! The ninety points of the board.

use super::ParseSquareError;
use std::fmt;
use std::str::FromStr;

/// Number of files, `a` to `i`.
///
/// ```
/// assert_eq!(xiangqi::types::FILES * xiangqi::types::RANKS, xiangqi::types::SQUARES);
/// ```
pub const FILES: usize = 9;
/// Number of ranks, `0` (Red's back rank) to `9`.
///
/// ```
/// assert_eq!(xiangqi::types::RANKS, 10);
/// ```
pub const RANKS: usize = 10;
/// Number of points.
///
/// ```
/// assert_eq!(xiangqi::types::Square::all().len(), xiangqi::types::SQUARES);
/// ```
pub const SQUARES: usize = FILES * RANKS;

/// A point of the board. Its index is `rank * 9 + file`, starting at Red's left corner `a0`.
///
/// ```
/// use xiangqi::types::Square;
/// let e0: Square = "e0".parse()?;
/// assert_eq!((e0.file(), e0.rank(), e0.index()), (4, 0, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The point on `file` (0 to 8 from Red's left) and `rank` (0 to 9 from Red's back rank); `None` if outside the board.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!(Square::at(7, 2).map(|point| point.to_string()), Some("h2".into()));
    /// assert_eq!(Square::at(9, 0), None);
    /// ```
    #[inline]
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file >= 0 && file < FILES as i32 && rank >= 0 && rank < RANKS as i32 {
            Some(Square((rank * FILES as i32 + file) as u8))
        } else {
            None
        }
    }

    /// The point with this index, 0 to 89; `None` for larger values.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!(Square::new(89).map(|point| point.to_string()), Some("i9".into()));
    /// assert_eq!(Square::new(90), None);
    /// ```
    #[inline]
    pub const fn new(index: usize) -> Option<Square> {
        if index < SQUARES { Some(Square(index as u8)) } else { None }
    }

    /// The point with this index, for callers that have already ensured `index < 90`.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!(Square::from_index(10).to_string(), "b1");
    /// ```
    ///
    /// # Panics
    /// With debug assertions enabled, if the index is 90 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }

    /// The index of the point, 0 to 89.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!("b1".parse::<Square>()?.index(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 (`a`, Red's left) to 8 (`i`).
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!("h2".parse::<Square>()?.file(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % FILES as u8
    }

    /// The rank, 0 (Red's back rank) to 9.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!("h2".parse::<Square>()?.rank(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / FILES as u8
    }

    /// The point offset by a number of files to the right and ranks up, from Red's view; `None` if outside the board.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// let h2: Square = "h2".parse()?;
    /// assert_eq!(h2.offset(-3, 0), Some("e2".parse()?));
    /// assert_eq!(h2.offset(2, 0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        // Saturating, so that no distance overflows.
        Square::at((self.file() as i32).saturating_add(files), (self.rank() as i32).saturating_add(ranks))
    }

    /// The point mirrored left to right.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!("h2".parse::<Square>()?.mirrored(), "b2".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square(self.0 - self.file() + (FILES as u8 - 1 - self.file()))
    }

    /// The point mirrored top to bottom, which exchanges the two sides of the board.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!("h2".parse::<Square>()?.flipped(), "h7".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub const fn flipped(self) -> Square {
        Square((RANKS as u8 - 1 - self.rank()) * FILES as u8 + self.file())
    }

    /// Iterates over all ninety points in order of index.
    ///
    /// ```
    /// use xiangqi::types::Square;
    /// assert_eq!(Square::all().filter(|point| point.file() == 4).count(), 10);
    /// ```
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..SQUARES as u8).map(Square)
    }
}

impl Square {
    /// The ICCS form in lower case.
    pub(super) fn name(self) -> [u8; 2] {
        [b'a' + self.file(), b'0' + self.rank()]
    }
}

impl fmt::Display for Square {
    /// Writes the ICCS form in lower case: `e0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&self.name()).unwrap_or_default())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Parses the ICCS form in either case: `e0` or `E0`.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        if let [file, rank] = text.as_bytes() {
            let (file, rank) = (file.to_ascii_lowercase(), *rank);
            if file.is_ascii_lowercase()
                && rank.is_ascii_digit()
                && let Some(square) = Square::at((file - b'a') as i32, (rank - b'0') as i32)
            {
                return Ok(square);
            }
        }
        Err(ParseSquareError(super::error::in_one_line(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_for_all_points() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse::<Square>(), Ok(square));
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.flipped().flipped(), square);
        }
        for far in [i32::MIN, i32::MAX] {
            assert!(Square::all().all(|square| square.offset(far, 0).is_none() && square.offset(0, far).is_none()));
        }
        for bad in ["", "e", "e10", "j0", "e-", "é0", "00"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn corners_have_iccs_coordinates() {
        assert_eq!("a0".parse::<Square>().map(Square::index), Ok(0));
        assert_eq!("i9".parse::<Square>().map(Square::index), Ok(89));
        assert_eq!("e0".parse::<Square>().map(|s| (s.file(), s.rank())), Ok((4, 0)));
    }
}
