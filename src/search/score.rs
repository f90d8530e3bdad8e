//! Search scores. They are plain `i32` values, because search margins combine them with depths and history values; the constants
//! and functions here define their meaning.
//!
//! Scores are from the side to move's point of view: evaluations in centipawns, and beyond them mates by distance from the root in
//! plies. A forbidden repetition counts as a mate against the side that loses by it. All scores fit in 16 bits.

/// Upper bound on all scores.
pub(super) const INFINITE: i32 = 32_000;
/// Marks a missing score: entries without an evaluation, and positions in check.
pub(super) const UNKNOWN: i32 = 32_001;
/// The score of a mate on the board, for the side that delivered it. Mates further from the root score lower.
pub(super) const MATE: i32 = 31_000;
/// Maximum distance of a node from the root, in plies. Mates that endgame tables report are nearer than this to the position probed.
pub(super) const MAX_PLY: usize = 200;
/// The smallest score that is a mate: a node [`MAX_PLY`] plies from the root can get a mate in nearly as many plies from an endgame table.
const MATE_BOUND: i32 = MATE - 2 * MAX_PLY as i32;
/// Upper bound on the absolute value of evaluations.
pub(super) const MAX_EVALUATION: i32 = 28_000;
/// The score of a draw.
pub(super) const DRAW: i32 = 0;

/// The score for being mated `ply` plies from the root.
#[inline]
pub(super) const fn mated_in(ply: usize) -> i32 {
    -MATE + ply as i32
}

/// The score for delivering mate `ply` plies from the root.
#[inline]
pub(super) const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Whether a score is a win or a loss by mate.
#[inline]
pub(super) const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_BOUND
}

/// Whether a score is a win by mate.
#[inline]
pub(super) const fn is_win(score: i32) -> bool {
    score >= MATE_BOUND
}

/// Whether a score is a loss by mate.
#[inline]
pub(super) const fn is_loss(score: i32) -> bool {
    score <= -MATE_BOUND
}

/// Converts a score at `ply` plies from the root to the form stored in the transposition table, where mate distances are relative to
/// the position instead of the root. [`UNKNOWN`] is unchanged.
#[inline]
pub(super) const fn to_table(score: i32, ply: usize) -> i32 {
    with_mates_nearer(score, ply as i32)
}

/// The inverse of [`to_table`]: converts a stored score for use at `ply` plies from the root.
#[inline]
pub(super) const fn from_table(score: i32, ply: usize) -> i32 {
    with_mates_nearer(score, -(ply as i32))
}

#[inline]
const fn with_mates_nearer(score: i32, plies: i32) -> i32 {
    if score == UNKNOWN {
        score
    } else if is_win(score) {
        score + plies
    } else if is_loss(score) {
        score - plies
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fit_in_16_bits_and_round_trip() {
        for ply in 0..MAX_PLY {
            for score in [0, 150, -MAX_EVALUATION, mate_in(ply), mated_in(ply)] {
                let stored = to_table(score, ply);
                assert!(i16::try_from(stored).is_ok());
                assert_eq!(from_table(stored, ply), score);
            }
            assert!(is_mate(mate_in(ply)) && is_mate(mated_in(ply)));
        }
        assert!(!is_mate(MAX_EVALUATION) && !is_mate(-MAX_EVALUATION));
        assert_eq!(from_table(to_table(mate_in(9), 4), 6), mate_in(11), "five plies off, read two plies deeper");
    }
}
