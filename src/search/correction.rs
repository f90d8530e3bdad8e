//! Correction history: a running average of the difference between search score and static evaluation over positions that share a
//! feature (Caissa, then Stockfish 16.1). Each thread has its own tables.

use super::history::PieceTo;
use super::memory::prefetch;
use super::params;
use super::score::MAX_EVALUATION;
use crate::types::{Color, Move, Piece, PieceType, SQUARES, Square, split_mix};
use bytemuck::Zeroable;

/// Rows of the hashed tables, a power of two.
const ROWS: usize = 16_384;
/// Bound of the entries.
const BOUND: i32 = 1024;
/// Units of the weighted sum of the entries in a centipawn.
const GRAIN: i32 = 14;

/// Keys of subsets of the pieces, updated along the search stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartKeys {
    /// Pawns of both sides.
    pub(super) pawns: u64,
    /// Horses and cannons of both sides, and the kings.
    minors: u64,
    /// All pieces except pawns, by side.
    others: [u64; 2],
}

impl PartKeys {
    /// The keys of an empty board.
    pub(super) const NONE: PartKeys = PartKeys { pawns: 0, minors: 0, others: [0; 2] };

    /// Adds or removes a piece.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        self.xor(piece, HASHES[piece.index()][square.index()]);
    }

    /// Moves a piece.
    #[inline(always)]
    pub(super) fn shift(&mut self, piece: Piece, mv: Move) {
        let hashes = &HASHES[piece.index()];
        self.xor(piece, hashes[mv.from().index()] ^ hashes[mv.to().index()]);
    }

    /// Masks instead of branches, because the type of the piece is hard to predict.
    #[inline(always)]
    fn xor(&mut self, piece: Piece, hash: u64) {
        let mask = &MASKS[piece.index()];
        self.pawns ^= hash & mask.pawns;
        self.minors ^= hash & mask.minors;
        self.others[0] ^= hash & mask.others[0];
        self.others[1] ^= hash & mask.others[1];
    }
}

/// Hashes by piece and square.
static HASHES: [[u64; SQUARES]; Piece::COUNT] = {
    let mut hashes = [[0; SQUARES]; Piece::COUNT];
    let mut number = 0;
    while number < Piece::COUNT * SQUARES {
        hashes[number / SQUARES][number % SQUARES] = split_mix(0, number as u64);
        number += 1;
    }
    hashes
};

/// By piece: all bits set in the keys that the piece belongs to, none in the others.
static MASKS: [PartKeys; Piece::COUNT] = {
    let mut masks = [PartKeys::NONE; Piece::COUNT];
    let mut number = 0;
    while number < Piece::COUNT {
        let (side, mask) = (number / PieceType::COUNT, &mut masks[number]);
        match PieceType::ALL[number % PieceType::COUNT] {
            PieceType::Pawn => mask.pawns = u64::MAX,
            PieceType::Horse | PieceType::Cannon | PieceType::King => (mask.minors, mask.others[side]) = (u64::MAX, u64::MAX),
            PieceType::Advisor | PieceType::Elephant | PieceType::Rook => mask.others[side] = u64::MAX,
        }
        number += 1;
    }
    masks
};

/// The features of a position that select its corrections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    pub(super) side: Color,
    pub(super) keys: PartKeys,
    /// The last move.
    pub(super) last: PieceTo,
    /// The moves two and four plies back.
    pub(super) earlier: [PieceTo; 2],
}

/// The corrections of one thread. A large table: see [`HugeBox`](crate::memory::HugeBox).
#[derive(Zeroable)]
#[repr(C)]
pub(super) struct Correction {
    /// By side to move: pawns, minors, others of Red, others of Black.
    parts: [[[i16; ROWS]; 4]; 2],
    /// By earlier move and last move.
    continuation: [[i16; PieceTo::ROWS]; PieceTo::ROWS],
}

impl Correction {
    /// Sets all entries to zero.
    pub(super) fn clear(&mut self) {
        self.parts.iter_mut().flatten().for_each(|row| row.fill(0));
        self.continuation.iter_mut().for_each(|row| row.fill(0));
    }

    #[inline(always)]
    fn rows(keys: &PartKeys) -> [usize; 4] {
        [keys.pawns, keys.minors, keys.others[0], keys.others[1]].map(|key| key as usize % ROWS)
    }

    /// Prefetches the entries that [`Correction::value`] will read.
    #[inline(always)]
    pub(super) fn prefetch(&self, features: &Features) {
        for (part, row) in self.parts[features.side.index()].iter().zip(Correction::rows(&features.keys)) {
            prefetch(&part[row]);
        }
        for earlier in features.earlier {
            prefetch(&self.continuation[earlier.index()][features.last.index()]);
        }
    }

    /// The correction to add to the evaluation, in centipawns.
    pub(super) fn value(&self, features: &Features) -> i32 {
        let rows = Correction::rows(&features.keys);
        let parts = &self.parts[features.side.index()];
        let part = |index: usize| parts[index][rows[index]] as i32;
        let continuation: i32 =
            features.earlier.iter().map(|earlier| self.continuation[earlier.index()][features.last.index()] as i32).sum();
        let sum = params::correction_pawn() * part(0)
            + params::correction_minor() * part(1)
            + params::correction_non_pawn() * (part(2) + part(3))
            + params::correction_continuation() * continuation;
        sum / (1024 * GRAIN)
    }

    /// Records that a search of this depth found a score `error` centipawns above the evaluation.
    pub(super) fn update(&mut self, features: &Features, depth: i32, error: i32) {
        let bonus = (error * depth / params::correction_depth()).clamp(-BOUND / 4, BOUND / 4);
        let learn = |entry: &mut i16| *entry += (bonus - *entry as i32 * bonus.abs() / BOUND) as i16;
        for (index, row) in Correction::rows(&features.keys).into_iter().enumerate() {
            learn(&mut self.parts[features.side.index()][index][row]);
        }
        for earlier in features.earlier {
            if !earlier.is_none() && !features.last.is_none() {
                learn(&mut self.continuation[earlier.index()][features.last.index()]);
            }
        }
    }
}

/// The evaluation with its correction, clamped to the range of evaluations.
pub(super) fn corrected(evaluation: i32, correction: i32) -> i32 {
    (evaluation + correction).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::HugeBox;

    #[test]
    fn a_repeated_error_is_learnt_and_bounded() {
        let mut correction = HugeBox::<Correction>::zero();
        let keys = PartKeys { pawns: 1, minors: 2, others: [3, 4] };
        let features = Features { side: Color::Red, keys, last: PieceTo::NONE, earlier: [PieceTo::NONE; 2] };
        assert_eq!(correction.value(&features), 0);
        for _ in 0..2000 {
            correction.update(&features, 8, 60);
        }
        let learnt = correction.value(&features);
        assert!(learnt > 20 && learnt < 1000, "{learnt}");
        assert_eq!(correction.value(&Features { side: Color::Black, ..features }), 0);
        correction.clear();
        assert_eq!(correction.value(&features), 0);
    }
}
