//! The two conventions for numbering files.

use crate::types::{Color, FILES, Square};

/// A convention for numbering the files from 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Numbering {
    /// From the mover's right, on the entire board.
    Own,
    /// Each half from the left of the side it belongs to (An Old Xiangqi Manual).
    Halves,
}

impl Numbering {
    /// The file number of a point from the mover's point of view.
    #[inline]
    pub(super) fn number(self, mover: Color, square: Square) -> u8 {
        if self.counts_from_a(mover, square.rank()) { square.file() + 1 } else { FILES as u8 - square.file() }
    }

    /// The point with this file number, 1 to 9, on a rank, 0 to 9.
    #[inline]
    pub(super) fn point(self, mover: Color, number: u8, rank: i32) -> Option<Square> {
        let file = if self.counts_from_a(mover, rank as u8) { number as i32 - 1 } else { FILES as i32 - number as i32 };
        Square::at(file, rank)
    }

    #[inline]
    fn counts_from_a(self, mover: Color, rank: u8) -> bool {
        match self {
            Numbering::Own => mover == Color::Black,
            Numbering::Halves => rank <= 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_points_agree() {
        for numbering in [Numbering::Own, Numbering::Halves] {
            for mover in Color::ALL {
                for square in Square::all() {
                    let number = numbering.number(mover, square);
                    assert_eq!(numbering.point(mover, number, square.rank() as i32), Some(square));
                }
            }
        }
        let corner: Square = "i0".parse().expect("a point");
        assert_eq!(Numbering::Own.number(Color::Red, corner), 1);
        assert_eq!(Numbering::Own.number(Color::Black, corner), 9);
        assert_eq!(Numbering::Halves.number(Color::Black, corner), 9);
        assert_eq!(Numbering::Halves.number(Color::Red, corner.flipped()), 1);
    }
}
