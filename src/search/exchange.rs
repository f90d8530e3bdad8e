//! Exchanges with the search's own piece values.

use super::params;
use crate::board::Board;
use crate::types::{Move, PieceType};

/// Values of the kinds in exchanges, in centipawns, by kind index. The king's is only larger than all others together.
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

/// Value of the piece that a move captures, 0 for a quiet move.
#[inline]
pub(super) fn victim_value(board: &Board, mv: Move) -> i32 {
    board.piece_on(mv.to()).map_or(0, |victim| values()[victim.kind().index()])
}

/// Whether the exchange that a legal move begins is worth at least `threshold` centipawns.
#[inline]
#[cfg_attr(not(feature = "tuning"), allow(clippy::needless_borrow))]
pub(super) fn see_ge(board: &Board, mv: Move, threshold: i32) -> bool {
    board.see_ge(mv, threshold, &values())
}
