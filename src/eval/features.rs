//! Which rows of the table of weights a board has, and how often.

use crate::board::{Board, between, piece_moves, zone};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// Receives the rows of a board.
pub trait Sink {
    /// One more of this row for a side.
    fn add(&mut self, color: Color, row: usize);

    /// So many more of this row for a side.
    fn add_many(&mut self, color: Color, row: usize, count: i32);
}

/// Places of a kind: ten ranks from the own back rank, five files from the edge.
pub const PLACES: usize = 50;
/// Moves of rooks and cannons, 0 to 17, and of horses, 0 to 8, begin here.
pub const MOBILITY: usize = PieceType::COUNT * PLACES;
/// Attacks on pieces, by attacker, whether the victim is protected, and victim.
pub const THREATS: usize = MOBILITY + 18 + 18 + 9;
/// Attacks into the enemy palace, 0 to 15.
pub const PALACE: usize = THREATS + PieceType::COUNT * 2 * PieceType::COUNT;
/// Horses, rooks, cannons and pawns over the river against 0, 1, 2 advisors.
pub const ADVISORS: usize = PALACE + 16;
/// The same against elephants.
pub const ELEPHANTS: usize = ADVISORS + 12;
/// A cannon on a line with the enemy king and nothing between.
pub const HOLLOW_CANNON: usize = ELEPHANTS + 12;
/// A cannon on a line with the enemy king and two pieces between.
pub const CANNON_PRESSURE: usize = HOLLOW_CANNON + 1;
/// A rook on a line with the enemy king and one piece between.
pub const ROOK_PRESSURE: usize = CANNON_PRESSURE + 1;
/// A pawn over the river with another at its side.
pub const LINKED_PAWNS: usize = ROOK_PRESSURE + 1;
/// The right to move.
pub const TEMPO: usize = LINKED_PAWNS + 1;
/// Number of rows.
pub const ROWS: usize = TEMPO + 1;

/// First row of the mobility of a kind.
const fn mobility_row(kind: PieceType) -> usize {
    MOBILITY
        + match kind {
            PieceType::Cannon => 18,
            PieceType::Horse => 36,
            _ => 0,
        }
}

/// The row of a piece on a point. Left and right are the same.
#[inline]
pub fn place_row(piece: Piece, square: Square) -> usize {
    PLACE_ROWS[piece.index()][square.index()] as usize
}

static PLACE_ROWS: [[u16; 90]; Piece::COUNT] = {
    let mut rows = [[0; 90]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < 90 {
            let (file, rank) = (square % 9, square / 9);
            let rank = if piece < PieceType::COUNT { rank } else { 9 - rank };
            let file = if file > 4 { 8 - file } else { file };
            rows[piece][square] = ((piece % PieceType::COUNT) * PLACES + rank * 5 + file) as u16;
            square += 1;
        }
        piece += 1;
    }
    rows
};

/// The rows of material and places: what an accumulator keeps up to date.
pub fn places(board: &Board, sink: &mut impl Sink) {
    for (piece, square) in board.pieces() {
        sink.add(piece.color(), place_row(piece, square));
    }
}

/// Kinds that threaten beyond the own half, in the order of the rows against advisors and elephants.
const ATTACKERS: [PieceType; 4] = [PieceType::Horse, PieceType::Rook, PieceType::Cannon, PieceType::Pawn];

/// A side's attacks, found piece by piece.
struct Attacks {
    /// By all pieces together.
    all: Bitboard,
    /// By pawns, advisors and elephants.
    by_lesser: Bitboard,
    pieces: arrayvec::ArrayVec<(PieceType, Square, Bitboard), 16>,
}

impl Attacks {
    #[inline]
    fn of(board: &Board, color: Color) -> Attacks {
        let occupied = board.occupied();
        let mut attacks = Attacks { all: Bitboard::EMPTY, by_lesser: Bitboard::EMPTY, pieces: arrayvec::ArrayVec::new() };
        for kind in [PieceType::Pawn, PieceType::Advisor, PieceType::Elephant] {
            let piece = Piece::new(color, kind);
            for square in board.squares_of(piece) {
                attacks.push(kind, square, piece_moves(piece, square, occupied));
            }
        }
        attacks.by_lesser = attacks.all;
        let horse = Piece::new(color, PieceType::Horse);
        for square in board.squares_of(horse) {
            attacks.push(PieceType::Horse, square, piece_moves(horse, square, occupied));
        }
        for square in board.squares_of(Piece::new(color, PieceType::Rook)) {
            attacks.push(PieceType::Rook, square, board.rook_goals(square));
        }
        for square in board.squares_of(Piece::new(color, PieceType::Cannon)) {
            let goals = board.cannon_goals(square);
            // Where a cannon can go quietly it protects nothing.
            attacks.all |= goals & occupied;
            let _ = attacks.pieces.try_push((PieceType::Cannon, square, goals));
        }
        let king = board.king(color);
        attacks.push(PieceType::King, king, piece_moves(Piece::new(color, PieceType::King), king, occupied));
        attacks
    }

    #[inline(always)]
    fn push(&mut self, kind: PieceType, square: Square, goals: Bitboard) {
        self.all |= goals;
        let _ = self.pieces.try_push((kind, square, goals));
    }
}

/// Names every row of the board but those of [`places`].
pub fn walk(board: &Board, sink: &mut impl Sink) {
    let attacks = Color::ALL.map(|color| Attacks::of(board, color));
    for color in Color::ALL {
        side(board, color, &attacks[color.index()], &attacks[(!color).index()], sink);
    }
    sink.add(board.side_to_move(), TEMPO);
}

fn side(board: &Board, color: Color, own: &Attacks, other: &Attacks, sink: &mut impl Sink) {
    let occupied = board.occupied();
    let (friends, enemies) = (board.color(color), board.color(!color));
    let king = board.king(!color);
    let palace = zone(Piece::new(!color, PieceType::King));
    let bad_goals = friends | other.by_lesser;
    let mut palace_attacks = 0;
    let mut attackers = [0; 4];
    for &(kind, square, goals) in &own.pieces {
        match kind {
            PieceType::Rook | PieceType::Horse | PieceType::Cannon => {
                sink.add(color, mobility_row(kind) + (goals & !bad_goals).len());
                palace_attacks += (goals & palace).len();
                attackers[kind as usize - PieceType::Horse as usize] += 1;
                line_to_king(kind, square, king, occupied, color, sink);
            }
            PieceType::Pawn => {
                palace_attacks += (goals & palace).len();
                let crossed = if color == Color::Red { square.rank() >= 5 } else { square.rank() <= 4 };
                if crossed {
                    attackers[3] += 1;
                    let right = square.offset(1, 0).and_then(|neighbour| board.piece_on(neighbour));
                    if right == Some(Piece::new(color, PieceType::Pawn)) {
                        sink.add(color, LINKED_PAWNS);
                    }
                }
            }
            _ => {}
        }
        for target in goals & enemies {
            if let Some(victim) = board.piece_on(target) {
                let protected = other.all.has(target) as usize;
                sink.add(color, THREATS + (kind.index() * 2 + protected) * PieceType::COUNT + victim.kind().index());
            }
        }
    }
    sink.add(color, PALACE + palace_attacks.min(15));
    let advisors = board.count(Piece::new(!color, PieceType::Advisor));
    let elephants = board.count(Piece::new(!color, PieceType::Elephant));
    for (index, &count) in attackers.iter().enumerate() {
        sink.add_many(color, ADVISORS + index * 3 + advisors, count);
        sink.add_many(color, ELEPHANTS + index * 3 + elephants, count);
    }
    debug_assert_eq!(ATTACKERS.map(PieceType::index), [3, 4, 5, 6]);
}

fn line_to_king(kind: PieceType, square: Square, king: Square, occupied: Bitboard, color: Color, sink: &mut impl Sink) {
    if kind == PieceType::Horse || (square.file() != king.file() && square.rank() != king.rank()) {
        return;
    }
    match (kind, (between(square, king) & occupied).len()) {
        (PieceType::Cannon, 0) => sink.add(color, HOLLOW_CANNON),
        (PieceType::Cannon, 2) => sink.add(color, CANNON_PRESSURE),
        (PieceType::Rook, 1) => sink.add(color, ROOK_PRESSURE),
        _ => {}
    }
}
