//! What a side can be guilty of in a repetition.

use super::deeds::MoveReport;
use crate::board::{Board, SLOTS_OF_SIDE};
use crate::types::{Color, Piece, Square};

/// What a side does on every one of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offence {
    /// Nothing forbidden.
    None,
    /// It gives check.
    PerpetualCheck,
    /// It newly threatens one and the same piece.
    PerpetualChase(Chase),
    /// Chinese rules: check, kill or chase.
    PerpetualAttack,
}

/// A perpetual chase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chase {
    /// The chased piece.
    pub victim: Piece,
    /// Where it stands at the end.
    pub at: Square,
    /// Slot of the chased piece on the board, as [`Board::slot_on`] numbers them.
    pub slot: usize,
}

impl Offence {
    /// 2 for checks, 1 for other attacks, 0 for none.
    pub fn level(&self) -> u8 {
        match self {
            Offence::None => 0,
            Offence::PerpetualChase(_) | Offence::PerpetualAttack => 1,
            Offence::PerpetualCheck => 2,
        }
    }
}

impl Chase {
    /// The enemy piece that every move of the side chases; `boards` are the positions around the moves.
    pub(super) fn of(side: Color, moves: &[MoveReport], boards: &[&Board]) -> Option<Chase> {
        let last = boards.last()?;
        let chases = |slot: usize| {
            moves
                .iter()
                .zip(boards.iter().skip(1))
                .filter(|(report, _)| report.piece.color() == side)
                .all(|(report, after)| report.chases().iter().any(|attack| after.slot_on(attack.at) == Some(slot)))
        };
        let first = (!side).index() * SLOTS_OF_SIDE;
        let slot = (first..first + SLOTS_OF_SIDE).find(|&slot| chases(slot))?;
        let at = last.square_of_slot(slot)?;
        Some(Chase { victim: last.piece_on(at)?, at, slot })
    }
}
