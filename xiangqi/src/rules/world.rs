//! World Xiangqi Rules 2018 (docs/src/rules/world.md#s4-1): a side that gives check on every move has offence level 2, a side whose
//! every move newly threatens the same piece has level 1. The higher level loses, equal levels draw.

use super::GameResult;
use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::{Chase, Offence};
use crate::board::Board;
use crate::types::Color;

pub(super) fn judge(cycle: Cycle) -> GameResult {
    let checks = Color::ALL.map(|side| cycle.checks_always(side));
    // If a side gives check on every move, only perpetual check by the other side can equal it, so chases need not be computed.
    if checks.contains(&true) {
        return GameResult::of_levels(|side| checks[side.index()] as u8);
    }
    GameResult::of_levels(|side| (cycle.always_chased(side) != 0) as u8)
}

pub(super) fn offence(side: Color, moves: &[MoveReport], boards: &[&Board]) -> Offence {
    Chase::of(side, moves, boards).map_or(Offence::None, Offence::PerpetualChase)
}
