//! What a table holds for a position with one side to move: a byte.

/// A byte of a table: [`DRAW`], [`ILLEGAL`], or `1 + d` where the game ends by mate or stalemate after `d` plies: odd for a loss of the
/// side to move, even for its win. From [`RULED`] on, with the same parity, the rules of repetition decide: the loss [`RULED`] stands for a
/// trap (see `repetition`), and each step away from it counts one.
pub(super) type Value = u8;

/// Neither side can win.
pub(super) const DRAW: Value = 0;
/// The side to move has no legal move.
pub(super) const LOST_NOW: Value = 1;
/// The first value by the rules of repetition.
pub(super) const RULED: Value = 201;
/// The highest distance to mate, in plies.
pub(super) const LONGEST: u16 = RULED as u16 - 2;
/// No position: pieces on one point, or a king that could be taken.
pub(super) const ILLEGAL: Value = 255;

/// Whether the side to move wins.
pub(super) fn is_win(value: Value) -> bool {
    value != DRAW && value.is_multiple_of(2)
}

/// Whether the side to move loses.
pub(super) fn is_loss(value: Value) -> bool {
    !value.is_multiple_of(2) && value != ILLEGAL
}
