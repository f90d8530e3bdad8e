//! Iterative deepening with aspiration windows, on every thread alike; the first thread also watches the limits and reports.
//! Floor 4.

use super::limits::{Limits, Settings};
use super::mate::{NoMate, Solver};
use super::node::Root;
use super::params;
use super::report::{Bound, Info, Report, Score, win_draw_loss};
use super::shared::Shared;
use super::time::{Progress, TimeManager};
use super::worker::{RootMove, Worker};
use crate::board::Position;
use crate::types::score::{INFINITE, MATE, MAX_PLY, UNKNOWN, is_decided, is_loss, is_win, mate_in};
use std::sync::Arc;
use std::time::Duration;

/// Before this time fails of the aspiration window are not reported: lines would flicker by.
const QUIET_TIME: Duration = Duration::from_millis(2500);

/// Mates up to so many moves are looked for by full width before `go mate` searches as usual.
const SHORT_MATE: u32 = 4;
/// Boards that one look for shorter mates may cost.
const MATE_BOARDS: u64 = 30_000_000;

/// What all threads of a search work on.
pub(crate) struct Job {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) shared: Arc<Shared>,
    /// Nodes that the strength limit allows.
    pub(crate) node_limit: u64,
}

impl Job {
    fn depth_limit(&self) -> i32 {
        self.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1)
    }

    /// How many lines are told.
    pub(crate) fn lines(&self) -> usize {
        self.limits.multipv.clamp(1, self.root_moves.len().max(1))
    }

    /// The report of a root move's line; `index` is its place among the best, from 0.
    pub(crate) fn describe(&self, root: &RootMove, index: usize, depth: i32, bound: Bound) -> Info {
        let value = root.told_score();
        Info {
            depth,
            selective_depth: root.selective_depth as i32,
            multipv: index + 1,
            score: Score::of(value),
            bound,
            wdl: win_draw_loss(value, self.position.board().occupied().len()),
            nodes: self.shared.nodes(),
            time: self.limits.start.elapsed(),
            hashfull: self.shared.table.permille_in_use(),
            pv: root.line.clone(),
        }
    }
}

impl Worker {
    /// Searches until a limit is reached or the search is stopped.
    pub(crate) fn run(&mut self, job: &Job, mut report: Option<&mut dyn Report>) {
        self.share(Arc::clone(&job.shared));
        self.set_root(&job.position, &job.settings, &job.root_moves);
        if self.id == 0 {
            self.node_limit = job.limits.nodes.unwrap_or(u64::MAX).min(job.node_limit);
            self.allowance = job.node_limit;
            self.time = Some(TimeManager::new(&job.limits, &job.settings));
            self.is_waiting = job.limits.wait_for_stop;
        }
        let mut mates_excluded = 0;
        if let (0, Some(moves)) = (self.id, job.limits.mate)
            && self.prove_mate(job, 1, moves.min(SHORT_MATE), &mut mates_excluded)
        {
            self.tell(job, &mut report, 0, self.completed_depth, Bound::Exact);
            self.finish(job);
            return;
        }
        let mut stability = 0;
        let mut last_best = None;
        let mut average = UNKNOWN;
        for depth in 1..=job.depth_limit() {
            let proven = self.root_moves.first().cloned();
            self.root_moves.iter_mut().for_each(|root| root.previous = root.score);
            self.root_depth = depth;
            let nodes_before = self.nodes;
            let best_nodes_before = proven.as_ref().map_or(0, |root| root.nodes);
            for index in 0..job.lines() {
                self.line_index = index;
                self.selective_depth = 0;
                self.aspirate(job, depth, &mut report);
                self.root_moves[..=index].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                self.keep_proven(proven);
                break;
            }
            self.completed_depth = depth;
            if self.id != 0 {
                continue;
            }
            for index in 0..job.lines() {
                self.tell(job, &mut report, index, depth, Bound::Exact);
            }
            let best = &self.root_moves[0];
            stability = if last_best == Some(best.mv) { stability + 1 } else { 0 };
            last_best = Some(best.mv);
            let all = (self.nodes - nodes_before).max(1);
            let progress = Progress {
                node_share: (best.nodes.saturating_sub(best_nodes_before) * 1000 / all).min(1000) as i32,
                stability,
                score_drop: if average == UNKNOWN || is_decided(best.score) { 0 } else { average - best.score },
            };
            average = if average == UNKNOWN { best.score } else { (2 * average + best.score) / 3 };
            if self.is_done(job, depth, &progress) {
                break;
            }
            if self.has_mate(job) {
                let found = (MATE - self.root_moves[0].score + 1) / 2;
                if self.prove_mate(job, mates_excluded + 1, found as u32 - 1, &mut mates_excluded) {
                    self.tell(job, &mut report, 0, depth, Bound::Exact);
                }
                break;
            }
        }
        self.finish(job);
    }

    /// The end of a thread's part. The first thread waits if it has to, then ends the search for all.
    fn finish(&mut self, job: &Job) {
        self.shared.publish_nodes(self.id, self.nodes);
        if self.id == 0 {
            if job.limits.wait_for_stop {
                self.shared.signals.wait();
            }
            self.shared.signals.stop();
        }
    }

    /// Whether the mate that was asked for has been found.
    fn has_mate(&self, job: &Job) -> bool {
        let best = &self.root_moves[0];
        job.limits.mate.is_some_and(|moves| best.score >= mate_in((2 * moves as usize).min(MAX_PLY)))
    }

    /// Looks for the shortest mate in `least` to `most` moves by full width, and makes it the best line. `excluded` becomes the
    /// greatest number of moves in which there is surely none.
    fn prove_mate(&mut self, job: &Job, least: u32, most: u32, excluded: &mut u32) -> bool {
        // Near the natural limit the game may end before the mate: that is for the usual search to see.
        let limit = job.settings.rules.natural_limit as u32;
        if limit > 0 && job.position.clock() as u32 + 2 * most > limit {
            return false;
        }
        let (shared, time, node_limit) = (Arc::clone(&self.shared), self.time, self.node_limit);
        let is_waiting = self.is_waiting;
        let mut must_stop = |nodes: u64| {
            let over = !is_waiting && time.is_some_and(|time| time.is_over());
            over || shared.signals.stopped() || nodes > MATE_BOARDS.min(node_limit)
        };
        let moves = self.root_moves.iter().map(|root| root.mv).collect();
        let mut solver = Solver::new(&job.position, moves, &mut must_stop);
        for moves in least..=most {
            match solver.solve(moves) {
                Err(NoMate::Excluded) => *excluded = moves,
                Err(NoMate::Interrupted) => break,
                Ok(line) => {
                    self.nodes += solver.nodes;
                    self.root_moves.sort_by_key(|root| root.mv != line[0]);
                    let best = &mut self.root_moves[0];
                    (best.score, best.previous) = (mate_in(line.len()), mate_in(line.len()));
                    best.selective_depth = line.len();
                    self.completed_depth = self.completed_depth.max(line.len() as i32);
                    best.line = line;
                    return true;
                }
            }
        }
        self.nodes += solver.nodes;
        false
    }

    /// Whether a finished iteration is the last one.
    fn is_done(&self, job: &Job, depth: i32, progress: &Progress) -> bool {
        let best = &self.root_moves[0];
        if self.is_waiting && self.shared.signals.released().is_none() {
            return false;
        }
        let Some(time) = &self.time else { return false };
        if time.uses_clock() && job.lines() == 1 {
            let is_only_move = self.root_moves.len() == 1 && depth >= 6;
            // A mate is not going to get any better once it was searched to its end.
            let is_mate_settled = is_win(best.score) && best.score >= mate_in(depth as usize / 2);
            if is_only_move || is_mate_settled {
                return true;
            }
        }
        time.is_enough(progress)
    }

    /// Searches the root with a window around the expected score, widened until the score is inside.
    fn aspirate(&mut self, job: &Job, depth: i32, report: &mut Option<&mut dyn Report>) {
        let index = self.line_index;
        let expected = self.root_moves[index].average;
        let mut width = params::aspiration_width();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && expected != UNKNOWN && !is_decided(expected) {
            width += expected * expected / 16_000;
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut failed_high = 0;
        loop {
            let adjusted = (depth - failed_high).max(1);
            let value = self.search(Root(report), alpha.max(-INFINITE), beta.min(INFINITE), adjusted, 0, false);
            self.root_moves[index..].sort_by_key(|root| std::cmp::Reverse((root.score, root.previous)));
            if self.stopped {
                return;
            }
            let bound = if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
                failed_high = 0;
                Bound::Upper
            } else if value >= beta {
                beta = (value + width).min(INFINITE);
                failed_high += 1;
                Bound::Lower
            } else {
                return;
            };
            if job.lines() == 1 && job.limits.start.elapsed() > QUIET_TIME {
                self.tell(job, report, index, depth, bound);
            }
            width += width * params::aspiration_growth() / 100;
            if width > 1500 || is_decided(value) {
                (alpha, beta) = (if value <= alpha || is_loss(value) { -INFINITE } else { alpha }, INFINITE);
            }
        }
    }

    /// A loss that only the broken-off iteration saw is not believed, and a win that was proved before is not forgotten.
    fn keep_proven(&mut self, proven: Option<RootMove>) {
        let Some(proven) = proven.filter(|root| self.completed_depth > 0 && root.score != -INFINITE) else { return };
        let best = &self.root_moves[0];
        let is_doubtful = is_loss(best.score) || best.score == -INFINITE || (is_win(proven.score) && best.score < proven.score);
        if is_doubtful {
            self.root_moves.retain(|root| root.mv != proven.mv);
            self.root_moves.insert(0, proven);
        }
    }

    /// Tells of a line.
    fn tell(&mut self, job: &Job, report: &mut Option<&mut dyn Report>, index: usize, depth: i32, bound: Bound) {
        let Some(report) = report else { return };
        self.shared.publish_nodes(self.id, self.nodes);
        let root = &self.root_moves[index];
        report.line(&job.describe(root, index, depth, bound));
        if index == 0 {
            self.told = Some(root.mv);
        }
    }
}
