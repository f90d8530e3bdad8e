//! Formulas of the search as pure functions: pruning and extension margins, the basic late-move reduction, and static exchange
//! evaluation with the search's own piece values. Results are in centipawns unless stated otherwise.

use super::params;
use crate::board::Board;
use crate::types::{Move, PieceType};

/// Razoring: distance of the estimate below alpha beyond which the node drops into quiescence.
#[inline]
pub(super) fn razoring(depth: i32) -> i32 {
    params::razoring_base() + params::razoring_depth() * depth * depth
}

/// Reverse futility: required distance of the estimate above beta. The term with the squared depth makes it wider than a sacrificed
/// piece at depths at which the search can find the compensation for the sacrifice.
#[inline]
pub(super) fn reverse_futility(depth: i32, improving: bool, correction: i32) -> i32 {
    params::reverse_futility_margin() * depth + params::reverse_futility_square() * depth * depth
        - params::reverse_futility_improving() * improving as i32
        + correction.abs() / params::reverse_futility_correction()
}

/// Null move: required distance of the static evaluation above beta (negative at high depths).
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

/// ProbCut: distance above beta that a capture has to reach.
#[inline]
pub(super) fn probcut(improving: bool) -> i32 {
    params::probcut_margin() - params::probcut_improving() * improving as i32
}

/// Late-move pruning: number of moves after which quiet moves are skipped.
#[inline]
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    let count = params::late_move_base() + params::late_move_square() * depth * depth / 64;
    if improving { count } else { count * params::late_move_not_improving() / 64 }
}

/// Futility pruning of quiet moves: distance of the evaluation below alpha.
#[inline]
pub(super) fn futility(reduced_depth: i32, history: i32) -> i32 {
    params::futility_base() + params::futility_depth() * reduced_depth + history / params::futility_history()
}

/// Futility pruning of captures: distance below alpha, without the value of the captured piece.
#[inline]
pub(super) fn capture_futility(reduced_depth: i32, history: i32) -> i32 {
    params::capture_futility_base()
        + params::capture_futility_depth() * reduced_depth
        + history / params::capture_futility_history()
}

/// History pruning: history below which a quiet move is skipped.
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

/// Singular extension: distance of all other moves below the score of the hash move.
#[inline]
pub(super) fn singular(depth: i32, was_pv: bool) -> i32 {
    params::singular_margin() * depth * (1 + was_pv as i32) / 64
}

/// Singular extension: amount added to the margins of double and triple extensions.
#[inline]
pub(super) fn singular_extra(is_pv: bool, correction: i32) -> i32 {
    params::singular_pv_margin() * is_pv as i32 + correction.abs() / params::singular_correction()
}

/// Exchange pruning in quiescence: threshold for [`see_ge`].
#[inline]
pub(super) fn quiescence_exchange() -> i32 {
    -params::quiescence_exchange()
}

/// Natural logarithms of 1 to 255 in 1024ths, computed with integers only so that they are the same on every machine.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 2;
    while n < 256 {
        // log2 in units of 1/65536: the integer part from the bit length, the fraction by repeated squaring of the mantissa.
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

/// Basic late-move reduction from depth and move number, in 1024ths of a ply.
#[inline]
pub(super) fn reduction(depth: i32, move_number: i32) -> i32 {
    params::reduction_base() + ((logarithm(depth) * logarithm(move_number)) >> 10) * params::reduction_factor() / 1024
}

/// Exchange values of the pieces, by kind index. The king's only has to exceed the sum of all others.
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

/// Value of the captured piece; 0 for a quiet move.
#[inline]
pub(super) fn victim_value(board: &Board, mv: Move) -> i32 {
    board.piece_on(mv.to()).map_or(0, |victim| values()[victim.kind().index()])
}

/// Static exchange evaluation: whether the exchange started by a legal move gains at least `threshold`.
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
