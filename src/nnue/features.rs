//! The input features of a position from the perspective of a side.

use super::INPUTS;
use crate::board::{Board, zone};
use crate::types::{Color, FILES, Piece, PieceType, SQUARES, Square, split_mix};

/// Marks a square that the piece can never reach.
const NOWHERE: u16 = u16::MAX;
/// The middle file.
const MIDDLE: u8 = 4;

/// A piece from the perspective of a side: own pieces become red.
const fn relative_piece(perspective: Color, piece: Piece) -> Piece {
    match (perspective, piece.color()) {
        (Color::Red, _) => piece,
        (Color::Black, Color::Red) => Piece::new(Color::Black, piece.kind()),
        (Color::Black, Color::Black) => Piece::new(Color::Red, piece.kind()),
    }
}

/// A square from the perspective of a side: its own back rank is rank 0.
const fn relative_square(perspective: Color, square: Square) -> Square {
    match perspective {
        Color::Red => square,
        Color::Black => square.flipped(),
    }
}

/// The piece with this index.
const fn piece_of(index: usize) -> Piece {
    let color = if index < PieceType::COUNT { Color::Red } else { Color::Black };
    Piece::new(color, PieceType::ALL[index % PieceType::COUNT])
}

/// Feature indices from Red's perspective: the squares of each piece, one piece after another.
const PLAIN: [[u16; SQUARES]; Piece::COUNT] = {
    let mut table = [[NOWHERE; SQUARES]; Piece::COUNT];
    let mut next = 0;
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = piece_of(index);
        let own_king = index == 0;
        let mut at = 0;
        while at < SQUARES {
            let square = Square::from_index(at);
            if zone(piece).has(square) && !(own_king && square.file() > MIDDLE) {
                table[index][at] = next;
                next += 1;
            }
            at += 1;
        }
        index += 1;
    }
    assert!(next as usize == INPUTS);
    // Diagrams in rule books place pawns on squares that they cannot reach: such a pawn counts as standing on the nearest
    // square towards the river and the middle file.
    let mut index = PieceType::Pawn as usize;
    while index < Piece::COUNT {
        let mut at = 0;
        while at < SQUARES {
            if table[index][at] == NOWHERE {
                table[index][at] = table[index][nearest_pawn_point(index < PieceType::COUNT, Square::from_index(at)).index()];
            }
            at += 1;
        }
        index += PieceType::COUNT;
    }
    table
};

/// The reachable pawn square nearest to an unreachable one; `forward` for a pawn that moves up the ranks.
const fn nearest_pawn_point(forward: bool, square: Square) -> Square {
    let square = if forward { square } else { square.flipped() };
    let file = match square.file() {
        file if file % 2 == 0 => file,
        file if file < MIDDLE => file + 1,
        file => file - 1,
    } as usize;
    let rank = if square.rank() < 3 { 3 } else { square.rank() as usize };
    let square = Square::from_index(rank * FILES + file);
    if forward { square } else { square.flipped() }
}

/// Feature indices by perspective, mirrored or not, piece and square.
static FEATURES: [[[[u16; SQUARES]; Piece::COUNT]; 2]; 2] = {
    let mut table = [[[[NOWHERE; SQUARES]; Piece::COUNT]; 2]; 2];
    let mut number = 0;
    while number < 4 {
        let (perspective, mirrored) = (Color::ALL[number / 2], number % 2);
        let mut index = 0;
        while index < Piece::COUNT {
            let piece = relative_piece(perspective, piece_of(index));
            let mut at = 0;
            while at < SQUARES {
                let square = relative_square(perspective, Square::from_index(at));
                let square = if mirrored == 1 { square.mirrored() } else { square };
                table[perspective as usize][mirrored][index][at] = PLAIN[piece.index()][square.index()];
                at += 1;
            }
            index += 1;
        }
        number += 1;
    }
    table
};

/// The feature index, below [`INPUTS`], of a piece on a square from the perspective of a side. The piece must be able to reach the square,
/// except that pawns may be anywhere, and the own king must not be on the right half from that perspective.
#[inline(always)]
pub fn feature(perspective: Color, mirrored: bool, piece: Piece, square: Square) -> u16 {
    FEATURES[perspective.index()][mirrored as usize][piece.index()][square.index()]
}

/// The left-right balance of the pieces from the perspective of each side; positive values lean to the right. It is the sum of a weight by
/// piece and square that is opposite on mirrored squares and zero on the middle file, so mirroring a board negates both sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Balance([i64; 2]);

/// Weight of a piece one file off the middle, as a shift. The kinds that move least weigh most: the first unbalanced kind decides,
/// so the mirroring seldom changes. Kings have no weight, as both are on the middle file when the balance is used.
const UNIT_SHIFT: [u32; PieceType::COUNT] = {
    let mut shifts = [0; PieceType::COUNT];
    shifts[PieceType::Rook as usize] = 31;
    shifts[PieceType::Cannon as usize] = 36;
    shifts[PieceType::Horse as usize] = 41;
    shifts[PieceType::Advisor as usize] = 46;
    shifts[PieceType::Elephant as usize] = 51;
    shifts[PieceType::Pawn as usize] = 56;
    shifts
};

/// Weights by piece, square and perspective.
static LEANING: [[[i64; 2]; SQUARES]; Piece::COUNT] = {
    let mut table = [[[0; 2]; SQUARES]; Piece::COUNT];
    let mut number = 0;
    while number < 2 * Piece::COUNT * SQUARES {
        let (perspective, index, at) = (number / SQUARES / Piece::COUNT, number / SQUARES % Piece::COUNT, number % SQUARES);
        let piece = relative_piece(Color::ALL[perspective], piece_of(index));
        let square = relative_square(Color::ALL[perspective], Square::from_index(at));
        let (distance, sign) = if square.file() > MIDDLE { (square.file() - MIDDLE, 1) } else { (MIDDLE - square.file(), -1) };
        if distance > 0 && !matches!(piece.kind(), PieceType::King) {
            // If all kinds are balanced the low bits decide: they differ for every piece and pair of mirrored squares.
            let left = if square.file() > MIDDLE { square.mirrored() } else { square };
            let low = split_mix(0, (piece.index() * SQUARES + left.index()) as u64) >> 38;
            table[index][at][perspective] = sign * (((distance as i64) << UNIT_SHIFT[piece.kind() as usize]) + low as i64);
        }
        number += 1;
    }
    table
};

impl Balance {
    /// The balance of a board.
    pub fn of(board: &Board) -> Balance {
        let mut balance = Balance::default();
        board.pieces().for_each(|(piece, square)| balance.add(piece, square));
        balance
    }

    /// Adds a piece on a square.
    #[inline(always)]
    pub fn add(&mut self, piece: Piece, square: Square) {
        let [red, black] = LEANING[piece.index()][square.index()];
        self.0 = [self.0[0] + red, self.0[1] + black];
    }

    /// Removes a piece from a square.
    #[inline(always)]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        let [red, black] = LEANING[piece.index()][square.index()];
        self.0 = [self.0[0] - red, self.0[1] - black];
    }
}

/// Whether the perspective of a side is mirrored left to right, so that a board and its mirror image have the same features: if the
/// side's king is off the middle file, when that king is on the right half (files f to i); otherwise the other king decides in the same
/// way. If both are on the middle file, when the [`Balance`] leans to the left. (A balance of zero means that the board is its own
/// mirror image, as far as 26 bits can tell.)
#[inline(always)]
pub fn mirrored(perspective: Color, board: &Board, balance: Balance) -> bool {
    let (own, other) = (board.king(perspective).file(), board.king(!perspective).file());
    if own != MIDDLE {
        own > MIDDLE
    } else if other != MIDDLE {
        other > MIDDLE
    } else {
        balance.0[perspective.index()] < 0
    }
}

/// Index of the output weight set by the number of rooks, horses and cannons on the board, 0 to 12.
const BUCKET_OF_MAJORS: [u8; 13] = [0, 0, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7];

/// The output weight set of a position, selected by game phase: the number of rooks, horses and cannons.
#[inline]
pub fn bucket(board: &Board) -> usize {
    let majors = board.majors(Color::Red) + board.majors(Color::Black);
    BUCKET_OF_MAJORS[majors.min(12)] as usize
}
