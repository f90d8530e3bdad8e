//! Formulas of the search as pure functions: margins of pruning and extension, the reduction of late moves by depth and move number,
//! and exchanges with the search's own piece values. Centipawns unless a function says otherwise.

use super::params;
use crate::board::Board;
use crate::types::{Move, PieceType};

/// Razoring: distance of the estimate under alpha from which only quiescence is searched.
#[inline]
pub(super) fn razoring(depth: i32) -> i32 {
    params::razoring_base() + params::razoring_depth() * depth * depth
}

/// Reverse futility: distance of the estimate over beta. The square of the depth makes it wider than a sacrificed piece at depths at
/// which the search can find what the sacrifice gains.
#[inline]
pub(super) fn reverse_futility(depth: i32, improving: bool, correction: i32) -> i32 {
    params::reverse_futility_margin() * depth + params::reverse_futility_square() * depth * depth
        - params::reverse_futility_improving() * improving as i32
        + correction.abs() / params::reverse_futility_correction()
}

/// Null move: distance of the static evaluation over beta (negative at high depths).
#[inline]
pub(super) fn null_move(depth: i32) -> i32 {
    params::null_base() - params::null_depth() * depth
}

/// Null move: reduction in plies.
#[inline]
pub(super) fn null_reduction(depth: i32, over_beta: i32) -> i32 {
    params::null_reduction()
        + depth / params::null_reduction_depth()
        + (over_beta / params::null_reduction_eval()).clamp(0, params::null_reduction_eval_limit())
}

/// ProbCut: distance over beta that a capture has to reach.
#[inline]
pub(super) fn probcut(improving: bool) -> i32 {
    params::probcut_margin() - params::probcut_improving() * improving as i32
}

/// Late-move pruning: number of moves after which quiet moves are skipped.
#[inline]
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (params::late_move_base() + depth * depth) / (2 - improving as i32)
}

/// Futility pruning of quiet moves: distance of the evaluation under alpha.
#[inline]
pub(super) fn futility(reduced_depth: i32, history: i32) -> i32 {
    params::futility_base() + params::futility_depth() * reduced_depth + history / params::futility_history()
}

/// Futility pruning of captures: the same, to which the value of the captured piece is added.
#[inline]
pub(super) fn capture_futility(reduced_depth: i32, history: i32) -> i32 {
    params::capture_futility_base()
        + params::capture_futility_depth() * reduced_depth
        + history / params::capture_futility_history()
}

/// History pruning: history under which a quiet move is skipped.
#[inline]
pub(super) fn history_pruning(depth: i32) -> i32 {
    -params::history_pruning() * depth
}

/// Exchange pruning of quiet moves: threshold for [`see_ge`].
#[inline]
pub(super) fn exchange_quiet(reduced_depth: i32) -> i32 {
    -params::exchange_quiet() * reduced_depth * reduced_depth
}

/// Exchange pruning of quiet checks: threshold for [`see_ge`].
#[inline]
pub(super) fn exchange_check(depth: i32) -> i32 {
    -params::exchange_check() * depth
}

/// Exchange pruning of captures: threshold for [`see_ge`].
#[inline]
pub(super) fn exchange_capture(depth: i32, history: i32) -> i32 {
    -(params::exchange_capture() * depth + history / params::exchange_capture_history()).max(0)
}

/// Singular extension: distance of all other moves under the score of the hash move.
#[inline]
pub(super) fn singular(depth: i32, was_pv: bool) -> i32 {
    params::singular_margin() * depth * (1 + was_pv as i32) / 64
}

/// Singular extension: added to the margins of double and triple extensions.
#[inline]
pub(super) fn singular_extra(is_pv: bool, correction: i32) -> i32 {
    params::singular_pv_margin() * is_pv as i32 + correction.abs() / params::singular_correction()
}

/// Exchange pruning in quiescence: threshold for [`see_ge`].
#[inline]
pub(super) fn quiescence_exchange() -> i32 {
    -params::quiescence_exchange()
}

/// Natural logarithms of 1 to 255 in 1024ths, computed with integers only so that every machine has the same values.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 2;
    while n < 256 {
        // log2 in 1/65536: the whole part from the bit length, the rest by squaring the mantissa.
        let whole = 63 - (n as u64).leading_zeros() as i64;
        let mut mantissa = ((n as u64) << 32) >> whole;
        let mut fraction = 0i64;
        let mut bit = 1 << 15;
        while bit > 0 {
            mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
            if mantissa >= 2 << 32 {
                mantissa >>= 1;
                fraction |= bit;
            }
            bit >>= 1;
        }
        // ln 2 is 45426 / 65536.
        table[n] = ((((whole << 16) | fraction) * 45426) >> 22) as i32;
        n += 1;
    }
    table
};

fn logarithm(n: i32) -> i32 {
    LOGARITHMS[n.clamp(1, 255) as usize]
}

/// Late-move reduction by depth and move number alone, in 1024ths of a ply.
#[inline]
pub(super) fn reduction(depth: i32, move_number: i32) -> i32 {
    params::reduction_base() + ((logarithm(depth) * logarithm(move_number)) >> 10) * params::reduction_factor() / 1024
}

/// Piece values in exchanges, by kind index. The king's is merely larger than all others together.
macro_rules! values {
    () => {
        [
            10_000,
            params::value_advisor(),
            params::value_elephant(),
            params::value_horse(),
            params::value_rook(),
            params::value_cannon(),
            params::value_pawn(),
        ]
    };
}

#[cfg(not(feature = "tuning"))]
#[inline(always)]
fn values() -> &'static [i32; PieceType::COUNT] {
    const VALUES: [i32; PieceType::COUNT] = values!();
    &VALUES
}

#[cfg(feature = "tuning")]
fn values() -> [i32; PieceType::COUNT] {
    values!()
}

/// Value of the captured piece, 0 for a quiet move.
#[inline]
pub(super) fn victim_value(board: &Board, mv: Move) -> i32 {
    board.piece_on(mv.to()).map_or(0, |victim| values()[victim.kind().index()])
}

/// Whether the exchange that a legal move starts gains at least `threshold`.
#[inline]
#[cfg_attr(not(feature = "tuning"), allow(clippy::needless_borrow))]
pub(super) fn see_ge(board: &Board, mv: Move, threshold: i32) -> bool {
    board.see_ge(mv, threshold, &values())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for n in 1..256 {
            let exact = (n as f64).ln() * 1024.0;
            assert!((logarithm(n) as f64 - exact).abs() < 1.5, "{n}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        for depth in 2..60 {
            for number in 2..60 {
                assert!(
                    reduction(depth, number) <= reduction(depth + 1, number)
                        && reduction(depth, number) <= reduction(depth, number + 1)
                );
            }
        }
    }
}
