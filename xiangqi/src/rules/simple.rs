//! The simple rules of much match software: perpetual check loses, every other repetition is a draw.

use super::GameResult;
use super::cycle::Cycle;

pub(super) fn judge(cycle: Cycle) -> GameResult {
    cycle.compare(|side| cycle.checks_always(side) as u8)
}
