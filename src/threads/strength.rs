//! Play below full strength. Lower levels search fewer nodes and add more noise to the scores of root moves; the lowest ones also play
//! some moves at random.

use crate::board::Position;
use crate::search::{Limits, Settings};
use crate::types::Move;
use std::ops::RangeInclusive;

/// A level of play and its handicap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayLevel {
    /// Short description of the play.
    pub description: &'static str,
    /// The same in Chinese.
    pub chinese: &'static str,
    /// Strength in Elo above a player of random moves; `None` for full strength.
    pub elo: Option<u32>,
    /// Share of moves played at random, in thousandths.
    pub random: u32,
    /// Node limit for the other moves.
    pub nodes: u64,
    /// Maximum noise on the score of a root move, in centipawns.
    pub noise: i32,
}

const fn level(description: &'static str, chinese: &'static str, elo: u32, random: u32, nodes: u64, noise: i32) -> PlayLevel {
    PlayLevel { description, chinese, elo: Some(elo), random, nodes, noise }
}

/// The lower end of the scale.
const RANDOM: PlayLevel = level("every move at random", "随机走子", 0, 1000, 60, 250);

/// The levels, weakest first. Each was measured in games against the one below it, the first against random moves
/// (docs/src/users/strength.md#levels).
pub const LEVELS: [PlayLevel; 12] = [
    level("a child's first games: nearly at random", "初学儿童：几乎随机走子", 200, 900, 60, 250),
    level("knows how the pieces move", "刚会走子", 430, 750, 60, 250),
    level("sometimes captures undefended pieces", "偶尔会吃无根子", 760, 550, 60, 250),
    level("a beginner who overlooks a lot", "入门：常有漏算", 1010, 350, 60, 250),
    level("a casual player", "休闲棋手", 1320, 150, 60, 250),
    level("plays now and then", "偶尔下棋", 1790, 0, 60, 250),
    level("plays every week", "每周下棋", 2080, 0, 120, 180),
    level("a club player", "俱乐部棋手", 2490, 0, 250, 120),
    level("a strong club player", "俱乐部强手", 2910, 0, 600, 80),
    level("an expert", "业余高手", 3200, 0, 1130, 63),
    level("a master", "大师水平", 3520, 0, 2125, 46),
    FULL,
];

const FULL: PlayLevel =
    PlayLevel { description: "full strength", chinese: "全力", elo: None, random: 0, nodes: u64::MAX, noise: 0 };

/// The selectable strengths in Elo: from random moves to the strongest limited level.
pub const ELO_RANGE: RangeInclusive<u32> = 0..=strength_of(LEVELS.len() - 2);

/// The strength in Elo of the level with this index; for full strength that of the strongest limited level.
const fn strength_of(index: usize) -> u32 {
    match LEVELS[index].elo {
        Some(elo) => elo,
        None => strength_of(index - 1),
    }
}

/// The handicap for a strength, interpolated between two levels.
fn allowance(elo: u32) -> PlayLevel {
    let rows = || std::iter::once(RANDOM).chain(LEVELS);
    let reaches = |row: &PlayLevel| row.elo.is_none_or(|own| own >= elo);
    let above = rows().find(reaches).unwrap_or(FULL);
    let below = rows().take_while(|row| !reaches(row)).last();
    let (Some(below), Some(high)) = (below, above.elo) else { return above };
    let low = below.elo.unwrap_or(0);
    let share = (elo - low) as f64 / (high - low) as f64;
    let between = |from: f64, to: f64| from + (to - from) * share;
    PlayLevel {
        description: above.description,
        chinese: above.chinese,
        elo: Some(elo),
        random: between(below.random as f64, above.random as f64) as u32,
        nodes: (below.nodes as f64 * (above.nodes as f64 / below.nodes as f64).powf(share)) as u64,
        noise: between(below.noise as f64, above.noise as f64) as i32,
    }
}

/// Decides whether this move is played at random; if so, returns limits that allow only the randomly chosen move.
pub(super) fn random_move(settings: &Settings, position: &Position, limits: &Limits) -> Option<Limits> {
    let share = settings.elo.map_or(0, |elo| allowance(elo).random);
    if fastrand::u32(0..1000) >= share {
        return None;
    }
    let moves: Vec<Move> = limits.root_moves(position.board()).collect();
    let drawn = fastrand::choice(moves)?;
    Some(Limits { search_moves: vec![drawn], ..limits.clone() })
}

/// The node limit of the settings, and a source of noise for the scores of root moves.
pub(super) fn handicap(settings: &Settings) -> (u64, impl FnMut() -> i32) {
    let level = settings.elo.map_or(FULL, allowance);
    // With more noise a winning score, which may be 29 000, would look like a mate.
    let amplitude = settings.randomness.clamp(0, 1_000) + level.noise;
    (level.nodes, move || fastrand::i32(-amplitude..=amplitude))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_stronger_than_the_one_below() {
        for pair in LEVELS.windows(2) {
            let [below, above] = [pair[0], pair[1]];
            assert!(below.elo.is_some_and(|elo| above.elo.is_none_or(|above| elo < above)), "{pair:?}");
            assert!(below.random >= above.random && below.nodes <= above.nodes && below.noise >= above.noise, "{pair:?}");
        }
        assert_eq!(LEVELS[LEVELS.len() - 1], FULL);
    }

    #[test]
    fn strengths_between_levels_are_interpolated() {
        let all: Vec<PlayLevel> = ELO_RANGE.map(allowance).collect();
        assert!(all.windows(2).all(|pair| {
            pair[0].random >= pair[1].random && pair[0].nodes <= pair[1].nodes && pair[0].noise >= pair[1].noise
        }));
        assert_eq!(all[0], RANDOM);
        for level in LEVELS {
            assert_eq!(level.elo.map_or(level, allowance), level);
        }
        assert_eq!(allowance(ELO_RANGE.end() + 1), FULL);
    }

    #[test]
    fn random_moves_respect_the_limits() {
        let start = Position::startpos();
        let settings = Settings { elo: Some(0), ..Settings::default() };
        let only: Vec<Move> = ["a3a4", "h2e2", "b0c2"].iter().map(|text| Move::from_uci(text).unwrap()).collect();
        let limits = Limits { search_moves: only.clone(), banned_moves: only[..1].to_vec(), ..Limits::none() };
        let mut drawn: Vec<Move> =
            (0..100).filter_map(|_| random_move(&settings, &start, &limits)).map(|limits| limits.search_moves[0]).collect();
        assert_eq!(drawn.len(), 100);
        drawn.sort_by_key(|mv| mv.bits());
        drawn.dedup();
        assert!(drawn.len() == 2 && drawn.iter().all(|mv| only[1..].contains(mv)), "{drawn:?}");
        assert!(random_move(&Settings::default(), &start, &limits).is_none());
        let none = Limits { banned_moves: start.board().legal_moves().to_vec(), ..Limits::none() };
        assert!(random_move(&settings, &start, &none).is_none());
    }
}
