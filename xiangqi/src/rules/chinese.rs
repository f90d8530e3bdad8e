//! Chinese national rules (2011 and 2020) as described in docs/src/rules/world.md#s9: check, kill and chase are all attacks, and a
//! side whose every move is an attack must vary, whatever the combination of attacks and victims. If both sides attack, the game
//! is drawn, except that perpetual check loses to other attacks.
//!
//! Our interpretation where the sources are silent: a chase is a newly threatened capture that wins material in the exchange, where
//! a rook equals two horses or cannons and each of these equals two advisors, elephants or pawns; equal pieces that can take each
//! other are an exchange; kings and pawns do not chase, and a pawn on its own side of the river is not chased, as in the World
//! Xiangqi Rules.

use super::GameResult;
use super::actions::MoveReport;
use super::cycle::Cycle;
use super::kill;
use super::offences::Offence;
use super::threats::{self, Gain, Pieces};
use crate::board::{Board, State};
use crate::types::Color;

/// Offence level: every move is an attack.
const ATTACKS: u8 = 1;
/// Offence level: every move is a check.
const CHECKS: u8 = 2;

pub(super) fn judge(cycle: Cycle) -> GameResult {
    GameResult::of_levels(|side| level(cycle, side))
}

fn level(cycle: Cycle, side: Color) -> u8 {
    if cycle.checks_always(side) {
        CHECKS
    } else if cycle.moves(side).all(|(before, after)| is_attack(before, after)) {
        ATTACKS
    } else {
        0
    }
}

fn is_attack(before: &State, after: &State) -> bool {
    after.in_check
        || threats::newly_threatened(&before.board, &after.board, Gain::ByExchange, Pieces::MAX) != 0
        || kill::threatens_mate(&after.board)
}

pub(super) fn offence(side: Color, moves: &[MoveReport], _: &[&Board]) -> Offence {
    let always = moves.iter().filter(|report| report.piece.color() == side).all(MoveReport::is_attack);
    if always { Offence::PerpetualAttack } else { Offence::None }
}
