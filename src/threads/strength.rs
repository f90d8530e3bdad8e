//! Playing below full strength: fewer nodes, and noise on the scores of root moves.

use crate::search::Settings;
use crate::types::Move;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;

/// A measured strength and what it may spend.
#[derive(Clone, Copy)]
struct Level {
    elo: u32,
    nodes: u64,
    /// Amplitude of the noise on the scores of root moves, centipawns.
    noise: i32,
}

const fn level(elo: u32, nodes: u64, noise: i32) -> Level {
    Level { elo, nodes, noise }
}

/// Strengths, measured in games between neighbours up to 2080 (docs/src/users/strength.md#levels) and extrapolated from there.
/// Between two rows both numbers are interpolated; above the last row nothing is held back.
const LEVELS: [Level; 10] = [
    level(1280, 60, 250),
    level(1480, 120, 180),
    level(1680, 250, 120),
    level(1880, 600, 80),
    level(2080, 1500, 50),
    level(2280, 4000, 30),
    level(2480, 10_000, 15),
    level(2680, 30_000, 0),
    level(2880, 100_000, 0),
    level(3130, 500_000, 0),
];

/// The strengths that can be chosen, in Elo. Lower ones play at the lowest, higher ones at full strength.
pub const ELO_RANGE: RangeInclusive<u32> = LEVELS[0].elo..=LEVELS[LEVELS.len() - 1].elo;

/// Nodes and noise of a strength; none when nothing is held back.
fn allowance(elo: u32) -> Option<(u64, i32)> {
    let elo = elo.max(*ELO_RANGE.start());
    let [below, above] = LEVELS.windows(2).find(|pair| elo <= pair[1].elo)?.first_chunk::<2>().copied()?;
    let share = (elo - below.elo) as f64 / (above.elo - below.elo) as f64;
    let nodes = below.nodes as f64 * (above.nodes as f64 / below.nodes as f64).powf(share);
    let noise = below.noise as f64 + (above.noise - below.noise) as f64 * share;
    Some((nodes as u64, noise as i32))
}

/// How many nodes the settings allow, and the noise that they add to the score of a root move.
pub(super) fn handicap(settings: &Settings) -> (u64, impl FnMut(Move) -> i32) {
    let (nodes, noise) = settings.elo.and_then(allowance).unwrap_or((u64::MAX, 0));
    let amplitude = settings.randomness.clamp(0, 10_000) + noise;
    // The standard hasher is seeded by the system: another draw at every search.
    let random = (amplitude > 0).then(RandomState::new);
    let draw = move |mv: Move| {
        random.as_ref().map_or(0, |random| (random.hash_one(mv.bits()) % (2 * amplitude as u64 + 1)) as i32 - amplitude)
    };
    (nodes, draw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_strength_is_more_nodes_and_less_noise() {
        let all: Vec<(u64, i32)> = (1200..*ELO_RANGE.end()).filter_map(allowance).collect();
        assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1));
        assert_eq!(all[0], (LEVELS[0].nodes, LEVELS[0].noise));
        assert_eq!(allowance(LEVELS[4].elo), Some((LEVELS[4].nodes, LEVELS[4].noise)));
        assert_eq!(allowance(*ELO_RANGE.end() + 1), None);
    }
}
