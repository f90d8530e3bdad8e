//! Floor 3: the evaluation. A small one written by hand, tapered between middle game and endgame: material and places,
//! mobility, threats, the safety of the palace, and what is special to cannons, horses and rooks.
//!
//! Every term is a row of one table of weights, counted by one walk over the board ([`features`]): the engine adds weights up
//! as it walks, and a tuner can record the same rows.

pub mod features;
mod weights;

use crate::board::Board;
use crate::types::score::MAX_EVALUATION;
use crate::types::{Color, Move, Piece, PieceType};
use features::{Sink, place_row};
use weights::WEIGHTS;

/// Middle-game and endgame scores in one number: the endgame in the high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tapered(i32);

impl Tapered {
    const fn new(middle: i32, end: i32) -> Tapered {
        Tapered((end << 16) + middle)
    }

    fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    fn end(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

/// Phase of a game with all pieces.
const FULL_PHASE: i32 = 32;

/// What a piece adds to the phase, by kind index.
const PHASES: [i32; PieceType::COUNT] = [0, 0, 0, 2, 4, 2, 0];

/// What moves keep up to date: material and places from Red's view, and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulator {
    places: Tapered,
    phase: i32,
}

impl Accumulator {
    /// Of a board, from nothing.
    pub fn of(board: &Board) -> Accumulator {
        let mut accumulator = Accumulator::default();
        for (piece, square) in board.pieces() {
            accumulator.places.0 += signed(piece.color(), WEIGHTS[place_row(piece, square)]);
            accumulator.phase += PHASES[piece.kind().index()];
        }
        accumulator
    }

    /// After a legal move on this board.
    #[inline]
    pub fn after(&self, board: &Board, mv: Move) -> Accumulator {
        let mut next = *self;
        if let Some(piece) = board.piece_on(mv.from()) {
            let change = WEIGHTS[place_row(piece, mv.to())].0 - WEIGHTS[place_row(piece, mv.from())].0;
            next.places.0 += signed(piece.color(), Tapered(change));
        }
        if let Some(victim) = board.piece_on(mv.to()) {
            next.places.0 -= signed(victim.color(), WEIGHTS[place_row(victim, mv.to())]);
            next.phase -= PHASES[victim.kind().index()];
        }
        next
    }
}

fn signed(color: Color, score: Tapered) -> i32 {
    if color == Color::Red { score.0 } else { -score.0 }
}

/// Adds the weights of the rows that the walk names.
struct Sum(i32);

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, color: Color, row: usize) {
        self.0 += signed(color, WEIGHTS[row]);
    }

    #[inline(always)]
    fn add_many(&mut self, color: Color, row: usize, count: i32) {
        self.0 += count * signed(color, WEIGHTS[row]);
    }
}

/// The evaluation of a position that is not in check, in centipawns from the side to move's view.
pub fn evaluate(board: &Board, accumulator: &Accumulator) -> i32 {
    let mut sum = Sum(accumulator.places.0);
    features::walk(board, &mut sum);
    let total = Tapered(sum.0);
    let phase = accumulator.phase.min(FULL_PHASE);
    let red = (total.middle() * phase + total.end() * (FULL_PHASE - phase)) / FULL_PHASE;
    // Who has nothing that can cross the river cannot win.
    let winner = if red > 0 { Color::Red } else { Color::Black };
    let red = if board.has_attackers(winner) { red } else { red / 16 };
    let score = if board.side_to_move() == Color::Red { red } else { -red };
    score.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// The weights of all rows, middle game and endgame: where a tuner starts from.
pub fn weights() -> Vec<(i32, i32)> {
    WEIGHTS.iter().map(|weight| (weight.middle(), weight.end())).collect()
}

/// The share of the middle game in the evaluation of a board, 0 to 1.
pub fn middle_share(board: &Board) -> f64 {
    Accumulator::of(board).phase.min(FULL_PHASE) as f64 / FULL_PHASE as f64
}

/// Whether a side has a rook, a horse or a cannon.
pub fn has_major(board: &Board, color: Color) -> bool {
    let has = |kind| board.squares_of(Piece::new(color, kind)).next().is_some();
    has(PieceType::Rook) || has(PieceType::Horse) || has(PieceType::Cannon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    const GAMES: [&str; 2] = [
        "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b",
        "3akab2/9/4b3n/p3p3p/2n3r2/P3P4/4c3P/N3C1N2/4A4/2BAK1B1R w",
    ];

    #[test]
    fn accumulator_follows_the_moves() {
        for fen in GAMES {
            let board = match Position::from_fen(fen) {
                Ok(position) => *position.board(),
                Err(error) => panic!("{error}"),
            };
            let accumulator = Accumulator::of(&board);
            for mv in board.legal_moves() {
                assert_eq!(accumulator.after(&board, mv), Accumulator::of(&board.after(mv)), "{mv}");
            }
        }
    }

    #[test]
    fn evaluation_is_the_same_from_both_sides() {
        for fen in GAMES {
            let board = match Position::from_fen(fen) {
                Ok(position) => *position.board(),
                Err(error) => panic!("{error}"),
            };
            let value = |board: &Board| evaluate(board, &Accumulator::of(board));
            assert_eq!(value(&board), value(&board.mirrored()));
            assert_eq!(value(&board), value(&board.color_flipped()));
        }
    }
}
