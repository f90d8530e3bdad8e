//! World Xiangqi Rules 2018, docs/src/rules/world.md#s4-1: a side that checks on every move stands at level 2, one whose
//! every move newly threatens one and the same piece at level 1. The higher level loses, equal levels draw.

use super::GameResult;
use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::{Chase, Offence};
use crate::board::Board;
use crate::types::Color;

pub(super) fn judge(cycle: Cycle) -> GameResult {
    let checks = Color::ALL.map(|side| cycle.checks_always(side));
    // Where a side checks always, the other can at best equal it by checks: chases need no look.
    if checks.contains(&true) {
        return cycle.compare(|side| checks[side.index()] as u8);
    }
    cycle.compare(|side| (cycle.always_chased(side) != 0) as u8)
}

pub(super) fn offence(side: Color, moves: &[MoveReport], boards: &[&Board]) -> Offence {
    Chase::of(side, moves, boards).map_or(Offence::None, Offence::PerpetualChase)
}
