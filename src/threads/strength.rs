//! Playing below full strength: fewer nodes, and noise on the scores of root moves.

use crate::search::Settings;
use crate::search::worker::RootMove;
use std::hash::{BuildHasher, RandomState};

/// At this Elo and above nothing is held back.
const FULL_STRENGTH: u32 = 2800;
/// Nodes at the weakest.
const FEWEST_NODES: u64 = 150;
/// Elo that doubles the nodes.
const ELO_PER_DOUBLING: u32 = 150;
/// Elo held back for each centipawn of noise.
const ELO_PER_NOISE: u32 = 10;

/// Gives every root move its noise and returns how many nodes may be searched.
pub(super) fn weaken(settings: &Settings, root_moves: &mut [RootMove]) -> u64 {
    let held_back = settings.elo.map_or(0, |elo| FULL_STRENGTH.saturating_sub(elo.max(1000)));
    let amplitude = settings.randomness.clamp(0, 10_000) + (held_back / ELO_PER_NOISE) as i32;
    if amplitude > 0 {
        // The standard hasher is seeded by the system: another draw at every search.
        let random = RandomState::new();
        for root in root_moves {
            let draw = random.hash_one(root.mv.bits()) % (2 * amplitude as u64 + 1);
            root.noise = draw as i32 - amplitude;
        }
    }
    if held_back == 0 {
        return u64::MAX;
    }
    let doublings = (FULL_STRENGTH - 1000 - held_back.min(FULL_STRENGTH - 1000)) / ELO_PER_DOUBLING;
    FEWEST_NODES << doublings
}
