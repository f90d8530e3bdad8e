//! Colours, kinds of pieces and pieces.

use std::fmt;
use std::ops::Not;

/// A side. Red moves first and is upper case and `w` in FEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side at ranks 0 to 4.
    Red,
    /// The side at ranks 5 to 9.
    Black,
}

impl Color {
    /// Both sides, Red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "red",
            Color::Black => "black",
        })
    }
}

/// A kind of piece, named as in the World Xiangqi Rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// 帥 將
    King,
    /// 仕 士
    Advisor,
    /// 相 象
    Elephant,
    /// 馬
    Horse,
    /// 車
    Rook,
    /// 炮 砲
    Cannon,
    /// 兵 卒
    Pawn,
}

impl PieceType {
    /// Number of kinds.
    pub const COUNT: usize = 7;
    /// All kinds in index order.
    pub const ALL: [PieceType; PieceType::COUNT] = [
        PieceType::King,
        PieceType::Advisor,
        PieceType::Elephant,
        PieceType::Horse,
        PieceType::Rook,
        PieceType::Cannon,
        PieceType::Pawn,
    ];

    /// 0 (king) to 6 (pawn), in the order of [`PieceType::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of the kind a side starts with, and can have at most.
    #[inline]
    pub const fn limit(self) -> usize {
        match self {
            PieceType::King => 1,
            PieceType::Pawn => 5,
            _ => 2,
        }
    }

    /// The FEN letter in upper case: `K A B N R C P`.
    #[inline]
    pub const fn fen_letter(self) -> char {
        match self {
            PieceType::King => 'K',
            PieceType::Advisor => 'A',
            PieceType::Elephant => 'B',
            PieceType::Horse => 'N',
            PieceType::Rook => 'R',
            PieceType::Cannon => 'C',
            PieceType::Pawn => 'P',
        }
    }
}

/// A coloured piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Piece(std::num::NonZeroU8);

impl Piece {
    /// Number of different pieces.
    pub const COUNT: usize = 2 * PieceType::COUNT;

    /// The piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        let number = (color as u8) * PieceType::COUNT as u8 + kind as u8 + 1;
        match std::num::NonZeroU8::new(number) {
            Some(number) => Piece(number),
            None => unreachable!(),
        }
    }

    /// All pieces in index order.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(|color| PieceType::ALL.into_iter().map(move |kind| Piece::new(color, kind)))
    }

    /// 0 to 13: Red's kinds in the order of [`PieceType::ALL`], then Black's.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The colour.
    #[inline]
    pub const fn color(self) -> Color {
        if self.index() < PieceType::COUNT { Color::Red } else { Color::Black }
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> PieceType {
        PieceType::ALL[self.index() % PieceType::COUNT]
    }

    /// The same kind in the other colour.
    #[inline]
    pub fn recolored(self) -> Piece {
        Piece::new(!self.color(), self.kind())
    }

    /// The FEN letter: upper case for Red.
    pub const fn fen_letter(self) -> char {
        match self.color() {
            Color::Red => self.kind().fen_letter(),
            Color::Black => self.kind().fen_letter().to_ascii_lowercase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_piece_costs_nothing() {
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }

    #[test]
    fn indices_are_dense() {
        for (index, piece) in Piece::all().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
            assert_eq!(piece.recolored().recolored(), piece);
        }
    }
}
