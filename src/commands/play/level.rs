//! Levels of play that mean something to people.

use std::time::Duration;

/// What a level may use.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// What it is like, in a few words.
    pub description: &'static str,
    /// Moves in a hundred that are any legal moves.
    pub random: u64,
    /// Strength in Elo of the engine's own scale, none for full strength.
    pub elo: Option<u32>,
    /// Centipawns of noise on the scores of the moves, either way.
    pub noise: i32,
}

const fn level(description: &'static str, random: u64, elo: Option<u32>, noise: i32) -> Level {
    Level { description, random, elo, noise }
}

/// The levels, the weakest first. Below the scale of the engine random moves and noise take over.
pub const LEVELS: [Level; 12] = [
    level("a child's first games: nearly at random", 80, Some(1280), 1500),
    level("knows how the pieces move", 50, Some(1280), 900),
    level("takes what stands unprotected", 30, Some(1280), 500),
    level("a beginner who looks one move ahead", 15, Some(1280), 250),
    level("a casual player", 5, Some(1280), 0),
    level("plays now and then", 0, Some(1480), 0),
    level("plays every week", 0, Some(1680), 0),
    level("a club player", 0, Some(1880), 0),
    level("a strong club player", 0, Some(2080), 0),
    level("a master", 0, Some(2480), 0),
    level("a grandmaster", 0, Some(2880), 0),
    level("full strength", 0, None, 0),
];

/// Time for a move when none is asked for.
pub const MOVE_TIME: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_stronger_than_the_one_below() {
        let strength = |level: &Level| (100 - level.random, level.elo.unwrap_or(u32::MAX), -level.noise);
        for pair in LEVELS.windows(2) {
            let (below, above) = (strength(&pair[0]), strength(&pair[1]));
            assert!(below.0 <= above.0 && below.1 <= above.1 && below != above, "{pair:?}");
        }
    }
}
