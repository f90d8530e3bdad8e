//! The settings of a match, and its pairings and the order of its games, which follow from them.

use super::game::Adjudication;
use super::openings::Openings;
use super::spec::{EngineSpec, TimeControl};
use super::statistics::Sprt;
use std::path::PathBuf;

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines, at least two.
    pub engines: Vec<EngineSpec>,
    /// The time control of each engine.
    pub times: Vec<TimeControl>,
    /// The pairing system for more than two engines.
    pub pairing: Pairing,
    /// Games per pairing, rounded up to an even number, so that every opening is played from both sides.
    pub games: usize,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// The openings.
    pub openings: Openings,
    /// The conditions for ending games.
    pub adjudication: Adjudication,
    /// Sequential test that ends a match of two engines early.
    pub sprt: Option<Sprt>,
    /// PGN file to which games are appended.
    pub pgn: Option<PathBuf>,
    /// State file for resuming the match.
    pub state: Option<PathBuf>,
    /// Folder for logs of the traffic of each engine.
    pub logs: Option<PathBuf>,
    /// Whether to start over and replace the contents of `pgn` and `state`.
    pub force: bool,
    /// Input files, which are never written.
    pub inputs: Vec<PathBuf>,
    /// Identifies the match in the state file.
    pub description: String,
}

impl MatchSettings {
    /// The games of the match.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.engines.len(), self.pairing, self.games)
    }
}

/// The pairing system for more than two engines. The descriptions are part of the help text of `chuhe match`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Pairing {
    /// Every engine meets every other one
    #[default]
    RoundRobin,
    /// The first engine meets every other one
    Gauntlet,
}

/// All games of a match, numbered from 0. Each opening is played by all pairings, from both sides, before the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: usize,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Index of the pairing.
    pub pairing: usize,
    /// Index of the opening.
    pub opening: usize,
    /// The indices of the engines, Red first.
    pub players: [usize; 2],
    /// Whether the first engine of the pairing is Black.
    pub is_reversed: bool,
}

impl Schedule {
    /// A schedule with `games` games per pairing, rounded up to an even number, so that every opening is played from both sides.
    pub fn new(engines: usize, pairing: Pairing, games: usize) -> Schedule {
        let firsts = match pairing {
            Pairing::RoundRobin => engines,
            Pairing::Gauntlet => 1,
        };
        let pairings = (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| [first, second])).collect();
        Schedule { pairings, games: games.next_multiple_of(2) }
    }

    /// The pairings, by engine index; results of a pairing are from the first engine's view.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Total number of games.
    pub fn games(&self) -> usize {
        self.games * self.pairings.len()
    }

    /// The game with this number.
    pub fn fixture(&self, game: usize) -> Fixture {
        let count = self.pairings.len().max(1);
        let pairing = game / 2 % count;
        let [first, second] = self.pairings.get(pairing).copied().unwrap_or_default();
        let is_reversed = game % 2 == 1;
        let players = if is_reversed { [second, first] } else { [first, second] };
        Fixture { pairing, opening: game / 2 / count, players, is_reversed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_plays_equally_often_from_both_sides() {
        for (engines, pairing, meetings) in
            [(2, Pairing::RoundRobin, 1), (2, Pairing::Gauntlet, 1), (4, Pairing::RoundRobin, 6), (4, Pairing::Gauntlet, 3)]
        {
            let schedule = Schedule::new(engines, pairing, 3);
            assert_eq!((schedule.pairings().len(), schedule.games()), (meetings, 4 * meetings));
            let mut played: Vec<_> =
                (0..schedule.games()).map(|game| (schedule.fixture(game).players, schedule.fixture(game).opening)).collect();
            assert!(played.iter().all(|&([red, black], opening)| red != black && red.max(black) < engines && opening < 2));
            played.sort();
            played.dedup();
            assert_eq!(played.len(), schedule.games());
            if pairing == Pairing::Gauntlet {
                assert!(played.iter().all(|([red, black], _)| *red == 0 || *black == 0));
            }
        }
    }
}
