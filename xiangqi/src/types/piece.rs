//! Colours, piece types and pieces.

use std::fmt;
use std::ops::Not;

/// A side. Red moves first; in FEN its pieces are upper case and its side to move is `w`.
///
/// ```
/// use xiangqi::types::Color;
/// assert_eq!(!Color::Red, Color::Black);
/// assert_eq!(Color::Red.to_string(), "red");
/// ```
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
    ///
    /// ```
    /// use xiangqi::types::Color;
    /// assert_eq!(Color::ALL.map(Color::index), [0, 1]);
    /// ```
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    ///
    /// ```
    /// use xiangqi::types::Color;
    /// assert_eq!(Color::Black.index(), 1);
    /// ```
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
        f.pad(match self {
            Color::Red => "red",
            Color::Black => "black",
        })
    }
}

/// The kind of a piece. The names are those of the World Xiangqi Rules.
///
/// ```
/// use xiangqi::types::PieceType;
/// assert_eq!(PieceType::Horse.fen_letter(), 'N');
/// assert_eq!(PieceType::Horse.to_string(), "horse");
/// ```
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
    ///
    /// ```
    /// use xiangqi::types::PieceType;
    /// assert_eq!(PieceType::ALL.len(), PieceType::COUNT);
    /// ```
    pub const COUNT: usize = 7;
    /// All kinds in index order.
    ///
    /// ```
    /// use xiangqi::types::PieceType;
    /// assert_eq!(PieceType::ALL[PieceType::Rook.index()], PieceType::Rook);
    /// ```
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
    ///
    /// ```
    /// use xiangqi::types::PieceType;
    /// assert_eq!(PieceType::Pawn.index(), 6);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number of pieces of this kind that a side starts with, which is also the maximum.
    ///
    /// ```
    /// use xiangqi::types::PieceType;
    /// assert_eq!(PieceType::ALL.map(PieceType::limit).iter().sum::<usize>(), 16);
    /// ```
    #[inline]
    pub const fn limit(self) -> usize {
        match self {
            PieceType::King => 1,
            PieceType::Pawn => 5,
            _ => 2,
        }
    }

    /// The FEN letter in upper case: `K A B N R C P`.
    ///
    /// ```
    /// use xiangqi::types::PieceType;
    /// assert_eq!(PieceType::Elephant.fen_letter(), 'B');
    /// ```
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

impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"][self.index()])
    }
}

/// A piece: a kind and a colour, in one byte. `Option<Piece>` is one byte as well.
///
/// ```
/// use xiangqi::types::{Color, Piece, PieceType};
/// let horse = Piece::new(Color::Black, PieceType::Horse);
/// assert_eq!((horse.color(), horse.kind(), horse.fen_letter()), (Color::Black, PieceType::Horse, 'n'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Piece(std::num::NonZeroU8);

/// The kind of each piece by its internal number, padded so that masking replaces a bounds check.
const KINDS: [PieceType; 16] = {
    let mut kinds = [PieceType::King; 16];
    let mut index = 0;
    while index < Piece::COUNT {
        kinds[index + 1] = PieceType::ALL[index % PieceType::COUNT];
        index += 1;
    }
    kinds
};

impl Piece {
    /// Number of distinct pieces.
    ///
    /// ```
    /// use xiangqi::types::Piece;
    /// assert_eq!(Piece::all().count(), Piece::COUNT);
    /// ```
    pub const COUNT: usize = 2 * PieceType::COUNT;

    /// Creates the piece of a colour and kind.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Red, PieceType::King).index(), 0);
    /// ```
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        let number = (color as u8) * PieceType::COUNT as u8 + kind as u8 + 1;
        match std::num::NonZeroU8::new(number) {
            Some(number) => Piece(number),
            None => unreachable!(),
        }
    }

    /// All pieces in index order.
    ///
    /// ```
    /// use xiangqi::types::Piece;
    /// let letters: String = Piece::all().map(Piece::fen_letter).collect();
    /// assert_eq!(letters, "KABNRCPkabnrcp");
    /// ```
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(|color| PieceType::ALL.into_iter().map(move |kind| Piece::new(color, kind)))
    }

    /// 0 to 13: Red's kinds in the order of [`PieceType::ALL`], then Black's.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Black, PieceType::Pawn).index(), 13);
    /// ```
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The colour.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Black, PieceType::Pawn).color(), Color::Black);
    /// ```
    #[inline]
    pub const fn color(self) -> Color {
        if self.index() < PieceType::COUNT { Color::Red } else { Color::Black }
    }

    /// The kind.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Black, PieceType::Pawn).kind(), PieceType::Pawn);
    /// ```
    #[inline]
    pub const fn kind(self) -> PieceType {
        KINDS[self.0.get() as usize % KINDS.len()]
    }

    /// The same kind in the other colour.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Black, PieceType::Pawn).recolored().fen_letter(), 'P');
    /// ```
    #[inline]
    pub fn recolored(self) -> Piece {
        Piece::new(!self.color(), self.kind())
    }

    /// The FEN letter: upper case for Red, lower case for Black.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Black, PieceType::Rook).fen_letter(), 'r');
    /// ```
    pub const fn fen_letter(self) -> char {
        match self.color() {
            Color::Red => self.kind().fen_letter(),
            Color::Black => self.kind().fen_letter().to_ascii_lowercase(),
        }
    }

    /// The character on the piece, traditional form.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Black, PieceType::Cannon).character(), '砲');
    /// ```
    pub const fn character(self) -> char {
        ['帥', '仕', '相', '馬', '車', '炮', '兵', '將', '士', '象', '馬', '車', '砲', '卒'][self.index()]
    }

    /// The character on the piece, simplified form.
    ///
    /// ```
    /// use xiangqi::types::{Color, Piece, PieceType};
    /// assert_eq!(Piece::new(Color::Red, PieceType::King).simplified(), '帅');
    /// ```
    pub const fn simplified(self) -> char {
        ['帅', '仕', '相', '马', '车', '炮', '兵', '将', '士', '象', '马', '车', '炮', '卒'][self.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_piece_takes_one_byte() {
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
