//! The moves between two occurrences of a position, and the tests on them that all rule sets share.

use super::Fold;
use super::threats::{self, Gain, Pieces};
use crate::board::{Position, State};
use crate::types::Color;

/// The window of a repetition: all positions from an earlier occurrence of the current position to the current one.
#[derive(Clone, Copy)]
pub(super) struct Cycle<'a> {
    states: &'a [State],
}

impl<'a> Cycle<'a> {
    /// The window from the second most recent earlier occurrence of the current position (third fold) or, failing that, from the most
    /// recent one (second fold). `None` if the position has not occurred before since the last capture or null move.
    #[inline]
    pub(super) fn of(position: &'a Position) -> Option<(Fold, Cycle<'a>)> {
        if !position.may_repeat() {
            return None;
        }
        let mut earlier = position.earlier_occurrences();
        let last = earlier.next()?;
        let (fold, plies) = earlier.next().map_or((Fold::Second, last), |before| (Fold::Third, before));
        let states = position.states();
        Some((fold, Cycle { states: &states[states.len() - 1 - plies..] }))
    }

    /// The positions of the window; the first and the last are equal.
    pub(super) fn states(&self) -> &'a [State] {
        self.states
    }

    /// Number of plies in the window.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.states.len() - 1
    }

    /// The positions before and after each move of a side.
    pub(super) fn moves(&self, side: Color) -> impl Iterator<Item = (&'a State, &'a State)> + use<'a> {
        let first = (self.states[0].board.side_to_move() != side) as usize;
        let pairs = self.states.get(first..).unwrap_or(&[]);
        pairs.iter().zip(pairs.iter().skip(1)).step_by(2)
    }

    /// Whether every move of the side gives check.
    pub(super) fn checks_always(&self, side: Color) -> bool {
        self.moves(side).all(|(_, after)| after.in_check)
    }

    /// The enemy pieces that every move of the side newly threatens.
    pub(super) fn always_chased(&self, side: Color) -> Pieces {
        let mut chased = Pieces::MAX;
        for (before, after) in self.moves(side) {
            chased &= threats::newly_threatened(&before.board, &after.board, Gain::ByRoots, chased);
            if chased == 0 {
                break;
            }
        }
        chased
    }
}
