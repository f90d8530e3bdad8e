//! Tandem pieces: pieces of the same kind and colour on one file, and their order from the front. Shared by all systems.

use super::numbering::Numbering;
use crate::board::Board;
use crate::types::{Color, Piece, Square};
use arrayvec::ArrayVec;

/// The pieces of one kind and colour, from the foremost to the rearmost, each with the set it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Tandems {
    /// Set and point. A set is a file (0 to 8), or a file number if [`Tandems::of`] had to group by numbers.
    members: ArrayVec<(u8, Square), 5>,
    color: Color,
    numbering: Numbering,
}

/// The place of a piece among those of its kind and colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    /// Number of pieces in its set, including itself.
    pub(super) count: u8,
    /// Index in the set, 0 for the foremost.
    pub(super) index: u8,
    /// Number of sets of two or more pieces on the board.
    pub(super) sets: u8,
}

impl Standing {
    /// Whether it is the only piece of its set, so that kind and file identify it.
    #[inline]
    pub(super) fn is_alone(self) -> bool {
        self.count == 1
    }

    /// Whether it belongs to the only pair, so that front and rear identify it.
    #[inline]
    pub(super) fn is_only_pair(self) -> bool {
        self.count == 2 && self.sets == 1
    }
}

impl Tandems {
    /// The pieces of the same kind and colour as `piece`.
    ///
    /// Pieces on the same file form a set. Only in the numbering of the old manual can two pieces on different files get the same
    /// name, one on each side of the river (rooks on b2 and h7 are both on "file 2"). If that happens, pieces with the same file
    /// number form a set instead, so that every name is unique.
    #[inline]
    pub(super) fn of(board: &Board, piece: Piece, numbering: Numbering) -> Tandems {
        let mut tandems = Tandems { members: ArrayVec::new(), color: piece.color(), numbering };
        let red = piece.color() == Color::Red;
        for square in board.squares_of(piece) {
            let in_front = |other: Square| if red { other.rank() >= square.rank() } else { other.rank() <= square.rank() };
            let place = tandems.members.iter().position(|&(_, other)| !in_front(other)).unwrap_or(tandems.members.len());
            // A side has at most five pieces of a kind.
            let _ = tandems.members.try_insert(place, (square.file(), square));
        }
        if numbering == Numbering::Halves && tandems.has_shared_name() {
            for (set, square) in &mut tandems.members {
                *set = numbering.number(piece.color(), *square);
            }
        }
        tandems
    }

    /// Whether two pieces have the same first two components.
    fn has_shared_name(&self) -> bool {
        let name = |square: Square| {
            let standing = self.standing(square);
            // Numbers of the halves don't depend on the colour.
            let number = self.numbering.number(Color::Red, square);
            match () {
                () if standing.is_alone() => (0, number),
                () if standing.is_only_pair() => (standing.index + 1, 0),
                () => (standing.index + 1, number),
            }
        };
        let names: ArrayVec<_, 5> = self.members.iter().map(|&(_, square)| name(square)).collect();
        (1..names.len()).any(|later| names[..later].contains(&names[later]))
    }

    /// The place of the piece on a point among the others.
    #[inline]
    pub(super) fn standing(&self, square: Square) -> Standing {
        let own_set = self.members.iter().find(|member| member.1 == square).map_or(u8::MAX, |member| member.0);
        let mut standing = Standing { count: 0, index: 0, sets: 0 };
        let mut before_it = true;
        for (place, &(set, other)) in self.members.iter().enumerate() {
            before_it &= other != square;
            if set == own_set {
                standing.count += 1;
                standing.index += before_it as u8;
            }
            // A set is counted at its second member.
            standing.sets += (self.members[..place].iter().filter(|member| member.0 == set).count() == 1) as u8;
        }
        standing
    }

    /// The piece with this number, counted from 1 over all pieces in tandems: files from the mover's right to left, and each file
    /// from the front.
    pub(super) fn over_files(&self, number: u8) -> Option<Square> {
        let in_tandems: ArrayVec<Square, 5> = self.all().filter(|&square| !self.standing(square).is_alone()).collect();
        let order = |place: usize| (self.numbering.number(self.color, in_tandems[place]), place);
        let before = |place: usize| (0..in_tandems.len()).filter(|&other| order(other) < order(place)).count();
        let place = (0..in_tandems.len()).find(|&place| before(place) + 1 == number as usize)?;
        in_tandems.get(place).copied()
    }

    /// Number of sets of two or more pieces on the board.
    pub(super) fn sets(&self) -> u8 {
        self.all().next().map_or(0, |square| self.standing(square).sets)
    }

    /// All pieces, foremost first.
    #[inline]
    pub(super) fn all(&self) -> impl Iterator<Item = Square> + '_ {
        self.members.iter().map(|member| member.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PieceType;

    fn standing(fen: &str, piece: Piece, square: &str, numbering: Numbering) -> (u8, u8, u8) {
        let board = Board::from_fen(fen).expect("a position");
        let standing = Tandems::of(&board, piece, numbering).standing(square.parse().expect("a point"));
        (standing.count, standing.index, standing.sets)
    }

    #[test]
    fn front_is_towards_the_enemy() {
        let fen = "3k5/9/6P2/2P3P2/2P1p1P2/4p4/9/9/9/4K4 w - - 0 1";
        let red = Piece::new(Color::Red, PieceType::Pawn);
        let black = red.recolored();
        assert_eq!(standing(fen, red, "g7", Numbering::Own), (3, 0, 2));
        assert_eq!(standing(fen, red, "g6", Numbering::Own), (3, 1, 2));
        assert_eq!(standing(fen, red, "g5", Numbering::Own), (3, 2, 2));
        assert_eq!(standing(fen, red, "c6", Numbering::Own), (2, 0, 2));
        assert_eq!(standing(fen, black, "e4", Numbering::Own), (2, 0, 1));
        assert_eq!(standing(fen, black, "e5", Numbering::Own), (2, 1, 1));
    }

    #[test]
    fn equal_numbers_on_both_sides_of_the_river_count_as_a_tandem() {
        let rook = Piece::new(Color::Red, PieceType::Rook);
        let apart = "3k5/9/7R1/9/9/9/9/1R7/9/4K4 w";
        assert_eq!(standing(apart, rook, "b2", Numbering::Own), (1, 0, 0));
        assert_eq!(standing(apart, rook, "b2", Numbering::Halves), (2, 1, 1));
        // On one file they are a tandem by the file, though their numbers differ.
        let together = "3k5/9/1R7/9/9/9/9/1R7/9/4K4 w";
        assert_eq!(standing(together, rook, "b7", Numbering::Halves), (2, 0, 1));
    }
}
