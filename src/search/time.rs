//! Time management. The soft limit is checked between iterations and scaled by the stability of the search; the hard limit is checked
//! continuously.

use super::interface::{Limits, Settings};
use super::params;
use std::time::Duration;
use web_time::Instant;

/// A fixed time per move is reduced by the move overhead, but by no more than the time divided by this.
const MOVETIME_RESERVE: u32 = 50;

/// Stability of the search after an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Share of nodes spent on the best move, in thousandths.
    pub(super) node_share: i32,
    /// Iterations since the best move changed.
    pub(super) stability: i32,
    /// Changes of the best move within iterations; halved at each iteration.
    pub(super) changes: f64,
    /// Centipawns by which the score fell below the average of earlier iterations.
    pub(super) score_drop: i32,
}

/// The time limits of one search. They count from `go`, even for `go ponder`: pondering time is part of the time planned for the reply.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// Nodes that count as a millisecond; 0 for real time.
    nodes_per_ms: u32,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl TimeManager {
    /// Plans the time for these limits.
    pub(super) fn new(limits: &Limits, settings: &Settings) -> TimeManager {
        let mut manager = TimeManager { start: limits.start, nodes_per_ms: settings.nodes_per_ms, soft: None, hard: None };
        if let Some(clock) = limits.clock {
            let overhead = settings.move_overhead;
            let expected = params::time_expected_moves() as u32;
            let moves = clock.moves_to_go.unwrap_or(expected).clamp(1, expected);
            let usable = clock.remaining.saturating_sub(overhead);
            // Future increments are received only while the clock lasts, so not all of them are planned for.
            let increments = clock.increment.saturating_sub(overhead).saturating_mul(moves - 1);
            let max_increments = usable.saturating_mul(params::time_increment_share() as u32);
            // Each of the further moves to the time control loses the overhead too; half of the time left is planned in any case.
            let further = if clock.moves_to_go.is_some() { moves - 1 } else { 0 };
            let lost = overhead.saturating_sub(clock.increment).saturating_mul(further).min(usable / 2);
            let total = (usable - lost).saturating_add(increments.min(max_increments));
            // An upper bound independent of the plan, because messages can be late.
            let share = if moves == 1 { params::time_last_move_share() } else { params::time_move_share() };
            let ceiling = usable.saturating_mul(share as u32) / 100;
            let optimum = total / moves;
            manager.soft = Some(optimum.min(ceiling));
            manager.hard = Some(optimum.saturating_mul(params::time_hard_factor() as u32).min(ceiling));
        }
        if let Some(movetime) = limits.movetime {
            let reserve = settings.move_overhead.min(movetime / MOVETIME_RESERVE);
            let time = movetime - reserve;
            manager.hard = Some(manager.hard.map_or(time, |hard| hard.min(time)));
        }
        manager
    }

    /// The time used by a search of these nodes.
    #[inline]
    fn elapsed(&self, nodes: impl FnOnce() -> u64) -> Duration {
        match self.nodes_per_ms {
            0 => self.start.elapsed(),
            rate => node_time(nodes(), rate),
        }
    }

    /// Whether the hard limit has passed; `nodes` returns the nodes searched.
    #[inline]
    pub(super) fn is_over(&self, nodes: impl FnOnce() -> u64) -> bool {
        self.hard.is_some_and(|hard| self.elapsed(nodes) >= hard)
    }

    /// The nodes until the hard limit at this speed in nodes per second, which is ignored if nodes count as time; `None` without a limit.
    pub(super) fn max_nodes(&self, nodes_per_second: f64) -> Option<u64> {
        let speed = if self.nodes_per_ms == 0 { nodes_per_second } else { 1e3 * self.nodes_per_ms as f64 };
        self.hard.map(|hard| (hard.as_secs_f64() * speed) as u64)
    }

    /// Whether the hard limit divided by `divisor` has passed before the first node; false without a limit. If nodes count as time, none has
    /// passed yet.
    pub(super) fn has_passed(&self, divisor: u32) -> bool {
        self.hard.is_some_and(|hard| self.elapsed(|| 0) >= hard / divisor)
    }

    /// Whether no further iteration should be started; `nodes` returns the nodes searched.
    pub(super) fn is_enough(&self, progress: &Progress, nodes: impl FnOnce() -> u64) -> bool {
        let Some(soft) = self.soft else { return false };
        let share = params::time_node_base() - params::time_node_slope() * progress.node_share / 1000;
        let stable = progress.stability.min(params::time_stability_limit());
        let stability = params::time_stability_base() - params::time_stability_slope() * stable;
        let score = (1000 + params::time_score_slope() * progress.score_drop)
            .clamp(params::time_score_least(), params::time_score_most());
        let changes = 1.0 + params::time_change_slope() as f64 / 100.0 * progress.changes;
        let factor = share as f64 / 100.0 * (stability as f64 / 100.0) * (score as f64 / 1000.0) * changes;
        self.elapsed(nodes) >= soft.mul_f64(factor)
    }

    /// Whether there is a clock, so that a forced move should be played immediately.
    pub(super) fn uses_clock(&self) -> bool {
        self.soft.is_some()
    }
}

/// The time that nodes count as.
pub(crate) fn node_time(nodes: u64, nodes_per_ms: u32) -> Duration {
    Duration::from_secs_f64(nodes as f64 / (1e3 * nodes_per_ms.max(1) as f64))
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;

    fn manager(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let (remaining, increment) = (Duration::from_millis(remaining), Duration::from_millis(increment));
        let clock = Some(Clock { remaining, increment, moves_to_go });
        TimeManager::new(&Limits { clock, ..Limits::none() }, &Settings::default())
    }

    #[test]
    fn limits_stay_within_the_clock() {
        for remaining in [0, 1, 5, 12, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(1000)] {
                    let manager = manager(remaining, increment, moves);
                    let left = Duration::from_millis(remaining).saturating_sub(Settings::default().move_overhead);
                    let hard = manager.hard.unwrap_or(Duration::MAX);
                    assert!(hard <= left * 8 / 10, "{remaining} {increment} {moves:?}: {hard:?}");
                    assert!(manager.soft <= manager.hard);
                }
            }
        }
    }

    #[test]
    fn the_overhead_of_every_move_to_the_time_control_is_kept() {
        let settings = Settings { move_overhead: Duration::from_millis(300), ..Settings::default() };
        let mut remaining = Duration::from_secs(10);
        for moves in (1..=20).rev() {
            let clock = Some(Clock { remaining, increment: Duration::ZERO, moves_to_go: Some(moves) });
            let planned = TimeManager::new(&Limits { clock, ..Limits::none() }, &settings).soft.unwrap_or_default();
            let rest = remaining.checked_sub(planned + settings.move_overhead);
            remaining = rest.unwrap_or_else(|| panic!("{moves} moves to go, {remaining:?} left"));
        }
    }

    #[test]
    fn the_longest_times_are_planned_too() {
        let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
        for moves_to_go in [None, Some(1)] {
            let clock = Some(Clock { remaining: Duration::MAX, increment: Duration::MAX, moves_to_go });
            let manager = TimeManager::new(&Limits { clock, ..Limits::none() }, &settings);
            assert!(manager.soft <= manager.hard && !manager.is_over(|| 0));
            assert!(!manager.is_enough(&Progress { node_share: 0, stability: 0, changes: 20.0, score_drop: 500 }, || 0));
        }
    }

    #[test]
    fn most_of_movetime_is_used() {
        let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::none() };
        let hard = TimeManager::new(&limits, &Settings::default()).hard.unwrap_or_default();
        assert!(hard >= Duration::from_millis(95) && hard < Duration::from_millis(100), "{hard:?}");
    }

    #[test]
    fn settled_searches_end_sooner() {
        let mut manager = manager(60_000, 0, None);
        manager.start = Instant::now().checked_sub(Duration::from_millis(1500)).unwrap_or(manager.start);
        assert!(manager.is_enough(&Progress { node_share: 900, stability: 9, changes: 0.0, score_drop: 0 }, || 0));
        assert!(!manager.is_enough(&Progress { node_share: 200, stability: 0, changes: 2.0, score_drop: 60 }, || 0));
    }

    #[test]
    fn nodes_count_as_time() {
        let settings = Settings { nodes_per_ms: 100, move_overhead: Duration::ZERO, ..Settings::default() };
        let limits = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::none() };
        let manager = TimeManager::new(&limits, &settings);
        assert!(!manager.is_over(|| 4999) && manager.is_over(|| 5000));
        assert_eq!(manager.max_nodes(1e9), Some(5000));
    }
}
