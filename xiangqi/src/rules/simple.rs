//! The simple rules of much match software: perpetual check loses, any other repetition is a draw.

use super::GameResult;
use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::Offence;
use crate::board::Board;
use crate::types::Color;

pub(super) fn judge(cycle: Cycle) -> GameResult {
    cycle.compare(|side| cycle.checks_always(side) as u8)
}

pub(super) fn offence(_: Color, _: &[MoveReport], _: &[&Board]) -> Offence {
    Offence::None
}
