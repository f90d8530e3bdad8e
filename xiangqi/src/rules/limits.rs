//! Draws without a repetition: the natural limit (section 6 of our digest of the World Xiangqi Rules) and bare material
//! (section 7).

use crate::board::{Board, Position};
use crate::types::Color;

/// More pieces than this cannot all be kings, advisors and elephants.
const MOST_BARE_PIECES: usize = 10;

/// Whether `limit` plies have passed without a capture, void checks and the replies to them not counted. 0 is no limit.
#[inline]
pub(super) fn natural_limit_reached(position: &Position, limit: u16) -> bool {
    limit != 0 && position.clock() >= limit
}

/// Whether neither side has a piece left that can cross the river.
#[inline]
pub(super) fn is_bare(board: &Board) -> bool {
    board.occupied().len() <= MOST_BARE_PIECES && !Color::ALL.into_iter().any(|color| board.has_attackers(color))
}
