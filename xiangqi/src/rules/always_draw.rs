//! The rule of older UCCI versions and of programs without adjudication: every repetition is a draw.

use super::GameResult;
use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::Offence;
use crate::board::Board;
use crate::types::Color;

pub(super) fn judge(_: Cycle) -> GameResult {
    GameResult::Draw
}

pub(super) fn offence(_: Color, _: &[MoveReport], _: &[&Board]) -> Offence {
    Offence::None
}
