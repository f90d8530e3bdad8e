//! The margins of pruning, as pure functions of depth and what else they depend on. Floor 4. All are in centipawns unless said
//! otherwise.

use super::params;

/// Under alpha by this a node goes to quiescence.
#[inline]
pub(super) fn razoring(depth: i32) -> i32 {
    params::razoring_base() + params::razoring_depth() * depth * depth
}

/// Over beta by this a node is a cutoff without a search.
#[inline]
pub(super) fn reverse_futility(depth: i32, improving: bool, correction: i32) -> i32 {
    params::reverse_futility_margin() * depth - params::reverse_futility_improving() * improving as i32 + correction.abs() / 4
}

/// The static evaluation may be so much under beta for a null move.
#[inline]
pub(super) fn null_move(depth: i32) -> i32 {
    params::null_base() - params::null_depth() * depth
}

/// Plies that a null move takes off the search.
#[inline]
pub(super) fn null_reduction(depth: i32, over_beta: i32) -> i32 {
    params::null_reduction() + depth / params::null_reduction_depth() + (over_beta / params::null_reduction_eval()).clamp(0, 4)
}

/// A capture has to beat beta by this.
#[inline]
pub(super) fn probcut(improving: bool) -> i32 {
    params::probcut_margin() - params::probcut_improving() * improving as i32
}

/// Moves after which quiet moves are no longer tried.
#[inline]
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (params::late_move_base() + depth * depth) / (2 - improving as i32)
}

/// A quiet move is given up when the evaluation is under alpha by this.
#[inline]
pub(super) fn futility(reduced_depth: i32, history: i32) -> i32 {
    params::futility_base() + params::futility_depth() * reduced_depth + history / params::futility_history()
}

/// As [`futility`] for a capture, whose victim comes on top.
#[inline]
pub(super) fn capture_futility(reduced_depth: i32, history: i32) -> i32 {
    params::capture_futility_base() + params::capture_futility_depth() * reduced_depth + history / 32
}

/// A quiet move with less history is given up.
#[inline]
pub(super) fn history_pruning(depth: i32) -> i32 {
    -params::history_pruning() * depth
}

/// A quiet move that loses more in exchanges is given up.
#[inline]
pub(super) fn exchange_quiet(reduced_depth: i32) -> i32 {
    -params::exchange_quiet() * reduced_depth * reduced_depth
}

/// A capture that loses more in exchanges is given up.
#[inline]
pub(super) fn exchange_capture(depth: i32, history: i32) -> i32 {
    -(params::exchange_capture() * depth + history / 32).max(0)
}

/// Under the score of the hash move by this all other moves must stay for it to be singular.
#[inline]
pub(super) fn singular(depth: i32, was_pv: bool) -> i32 {
    params::singular_margin() * depth * (1 + was_pv as i32) / 64
}

/// A capture in quiescence that loses more in exchanges is given up.
#[inline]
pub(super) fn quiescence_exchange() -> i32 {
    -params::quiescence_exchange()
}
