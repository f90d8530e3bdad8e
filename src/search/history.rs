//! What earlier cutoffs taught about moves: statistics that order moves and steer reductions. Floor 4; each thread has its own.
//!
//! All tables use the update with gravity that Stockfish made common: an entry moves towards a bonus by an amount that
//! shrinks as the entry nears its bound, so that it forgets by itself.

use super::params;
use crate::board::Board;
use crate::types::{Color, Move, Piece, PieceType, SQUARES};

/// A piece and the point it moved to, as a row or column of the continuation tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    pub(super) const ROWS: usize = Piece::COUNT * SQUARES + 1;
    /// No move: before the root and after a null move.
    pub(super) const NONE: PieceTo = PieceTo((PieceTo::ROWS - 1) as u16);

    /// Of a move that is about to be made.
    #[inline]
    pub(super) fn of(board: &Board, mv: Move) -> PieceTo {
        board.piece_on(mv.from()).map_or(PieceTo::NONE, |piece| PieceTo((piece.index() * SQUARES + mv.to().index()) as u16))
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(super) fn is_none(self) -> bool {
        self == PieceTo::NONE
    }
}

/// Bound of the from-to entries.
const MAIN_BOUND: i32 = 7_200;
/// Bound of the capture entries.
const CAPTURE_BOUND: i32 = 10_700;
/// Bound of the continuation entries.
const CONTINUATION_BOUND: i32 = 30_000;
/// Bound of the pawn-structure entries.
const PAWN_BOUND: i32 = 8_200;
/// Rows of the pawn-structure table, a power of two.
const PAWN_ROWS: usize = 512;
/// Plies from the root with statistics of their own.
const LOW_PLIES: usize = 5;

/// Distances in plies of the earlier moves that a move is a continuation of, with the weight of each in the score (halves).
pub(super) const CONTINUATIONS: [(usize, i32); 4] = [(1, 2), (2, 2), (4, 1), (6, 1)];

#[inline]
fn update(entry: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    *entry += (bonus - *entry as i32 * bonus.abs() / bound) as i16;
}

/// The earlier moves at the distances of [`CONTINUATIONS`].
pub(super) type Contexts = [PieceTo; CONTINUATIONS.len()];

/// The statistics of one thread.
pub(super) struct History {
    /// By colour, origin and goal.
    main: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    /// By piece, goal and victim.
    capture: Box<[[[i16; PieceType::COUNT]; SQUARES]; Piece::COUNT]>,
    /// By earlier move and move.
    continuation: Box<[[i16; PieceTo::ROWS]]>,
    /// By pawn structure and move.
    pawn: Box<[[i16; PieceTo::ROWS]]>,
    /// By ply, origin and goal; forgotten at every search.
    low_ply: Box<[[[i16; SQUARES]; SQUARES]; LOW_PLIES]>,
}

impl History {
    pub(super) fn new() -> History {
        History {
            main: Box::new([[[0; SQUARES]; SQUARES]; 2]),
            capture: Box::new([[[0; PieceType::COUNT]; SQUARES]; Piece::COUNT]),
            continuation: vec![[0; PieceTo::ROWS]; PieceTo::ROWS].into_boxed_slice(),
            pawn: vec![[0; PieceTo::ROWS]; PAWN_ROWS].into_boxed_slice(),
            low_ply: Box::new([[[0; SQUARES]; SQUARES]; LOW_PLIES]),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.main.iter_mut().flatten().for_each(|row| row.fill(0));
        self.capture.iter_mut().flatten().for_each(|row| row.fill(0));
        self.continuation.iter_mut().for_each(|row| row.fill(0));
        self.pawn.iter_mut().for_each(|row| row.fill(0));
        self.new_search();
    }

    /// Forgets what holds only for one root.
    pub(super) fn new_search(&mut self) {
        self.low_ply.iter_mut().flatten().for_each(|row| row.fill(0));
    }

    #[inline]
    fn continuation(&self, context: PieceTo, mv: PieceTo) -> i32 {
        self.continuation[context.index()][mv.index()] as i32
    }

    /// Ordering score of a quiet move, without the terms that need the board.
    #[inline]
    pub(super) fn quiet(&self, side: Color, mv: Move, piece_to: PieceTo, contexts: &Contexts, pawn_key: u64, ply: usize) -> i32 {
        let mut score = 2 * self.main[side.index()][mv.from().index()][mv.to().index()] as i32;
        score += 2 * self.pawn[pawn_key as usize % PAWN_ROWS][piece_to.index()] as i32;
        for (context, (_, weight)) in contexts.iter().zip(CONTINUATIONS) {
            score += weight * self.continuation(*context, piece_to) / 2;
        }
        if ply < LOW_PLIES {
            score += 8 * self.low_ply[ply][mv.from().index()][mv.to().index()] as i32 / (1 + ply as i32);
        }
        score
    }

    /// The part of a quiet move's score that steers pruning.
    #[inline]
    pub(super) fn pruning(&self, piece_to: PieceTo, contexts: &Contexts, pawn_key: u64) -> i32 {
        self.continuation(contexts[0], piece_to)
            + self.continuation(contexts[1], piece_to)
            + self.pawn[pawn_key as usize % PAWN_ROWS][piece_to.index()] as i32
    }

    /// The part of a quiet move's score that steers reductions.
    #[inline]
    pub(super) fn reduction(&self, side: Color, mv: Move, piece_to: PieceTo, contexts: &Contexts) -> i32 {
        2 * self.main[side.index()][mv.from().index()][mv.to().index()] as i32
            + self.continuation(contexts[0], piece_to)
            + self.continuation(contexts[1], piece_to)
    }

    /// The history of a capture.
    #[inline]
    pub(super) fn capture(&self, board: &Board, mv: Move) -> i32 {
        match (board.piece_on(mv.from()), board.piece_on(mv.to())) {
            (Some(piece), Some(victim)) => self.capture[piece.index()][mv.to().index()][victim.kind().index()] as i32,
            _ => 0,
        }
    }

    /// A quiet move proved good or bad.
    pub(super) fn update_quiet(&mut self, board: &Board, mv: Move, contexts: &Contexts, pawn_key: u64, ply: usize, bonus: i32) {
        let piece_to = PieceTo::of(board, mv);
        self.update_main(board.side_to_move(), mv, bonus);
        update(&mut self.pawn[pawn_key as usize % PAWN_ROWS][piece_to.index()], bonus / 2, PAWN_BOUND);
        if ply < LOW_PLIES {
            update(&mut self.low_ply[ply][mv.from().index()][mv.to().index()], bonus / 2, MAIN_BOUND);
        }
        self.update_continuations(piece_to, contexts, bonus);
    }

    /// From-to history only.
    pub(super) fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.main[side.index()][mv.from().index()][mv.to().index()], bonus, MAIN_BOUND);
    }

    /// Continuation histories only.
    pub(super) fn update_continuations(&mut self, piece_to: PieceTo, contexts: &Contexts, bonus: i32) {
        for (context, (distance, _)) in contexts.iter().zip(CONTINUATIONS) {
            if !context.is_none() {
                let bonus = if distance > 2 { bonus / 2 } else { bonus };
                update(&mut self.continuation[context.index()][piece_to.index()], bonus, CONTINUATION_BOUND);
            }
        }
    }

    /// A capture proved good or bad.
    pub(super) fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        if let (Some(piece), Some(victim)) = (board.piece_on(mv.from()), board.piece_on(mv.to())) {
            update(&mut self.capture[piece.index()][mv.to().index()][victim.kind().index()], bonus, CAPTURE_BOUND);
        }
    }
}

/// Reward of a move that caused a cutoff at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (params::history_bonus_depth() * depth - params::history_bonus_base()).min(params::history_bonus_limit())
}

/// Punishment of a move tried before the one that caused a cutoff.
pub(super) fn malus(depth: i32) -> i32 {
    (params::history_malus_depth() * depth - params::history_malus_base()).min(params::history_malus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_their_bound() {
        let mut entry = 0i16;
        for step in 0..10_000 {
            update(&mut entry, if step % 7 == 0 { -3000 } else { 2500 }, MAIN_BOUND);
            assert!((entry as i32).abs() <= MAIN_BOUND);
        }
        for _ in 0..1000 {
            update(&mut entry, 40_000, MAIN_BOUND);
        }
        assert_eq!(entry as i32, MAIN_BOUND);
    }
}
