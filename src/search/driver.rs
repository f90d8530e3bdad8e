//! Iterative deepening with aspiration windows. All threads run the same loop; the first also checks the limits and sends reports.

use super::interface::{Bound, Report};
use super::mate::{NoMate, Solver};
use super::node::Root;
use super::params;
use super::score::{DRAW, INFINITE, MATE, MAX_PLY, UNKNOWN, is_loss, is_mate, is_win, mate_in};
use super::searcher::Searcher;
use super::task::{RootMove, Task, ThreadResult};
use super::time::{Progress, TimeManager};
use crate::rules::Outlook;
use crate::types::{Move, Piece, PieceType, sort_by};
use std::sync::Arc;
use std::time::Duration;

/// Scores outside the aspiration window are not reported before this time, as they would follow one another too fast to be read.
const QUIET_TIME: Duration = Duration::from_millis(2500);

/// `go mate` first runs a full-width search for mates of up to this many moves.
const SHORT_MATE: u32 = 4;
/// Depth to which `go mate` searches the other lines after a mate found by full width: at least as deep as the longest of these.
const OTHERS_DEPTH: i32 = 8;
/// Maximum number of positions in one full-width search.
const MATE_NODES: u64 = 30_000_000;

/// Sorts moves at the root by score, descending, then by the score of the previous iteration; of equal ones the first stays first.
fn sort_by_score(moves: &mut [RootMove]) {
    let key = |root: &RootMove| (root.score, root.previous);
    sort_by(moves, |a, b| key(b).cmp(&key(a)));
}

/// Stability of the result over the iterations so far.
struct Stability {
    best: Option<Move>,
    /// Iterations since the best move changed.
    iterations: i32,
    /// Changes of the best move within iterations; halved at each iteration.
    changes: f64,
    /// Running average of the scores; [`UNKNOWN`] at first.
    average: i32,
}

impl Stability {
    /// Adds a finished iteration: its best move, the nodes spent on all moves, and the number of changes of the best move.
    fn add(&mut self, best: &RootMove, all_nodes: u64, changes: u32) -> Progress {
        let best_nodes = best.nodes.saturating_sub(best.nodes_before);
        self.iterations = if self.best == Some(best.mv) { self.iterations + 1 } else { 0 };
        self.best = Some(best.mv);
        self.changes = self.changes / 2.0 + changes as f64;
        // A mate that is found and later refuted must not count as a drop of the score.
        let is_comparable = self.average != UNKNOWN && !is_mate(best.score);
        let progress = Progress {
            node_share: (best_nodes * 1000 / all_nodes.max(1)).min(1000) as i32,
            stability: self.iterations,
            changes: self.changes,
            score_drop: if is_comparable { self.average - best.score } else { 0 },
        };
        let weight = params::time_average_weight();
        if is_comparable {
            self.average = (weight * self.average + best.score) / (weight + 1);
        } else if !is_mate(best.score) {
            self.average = best.score;
        }
        progress
    }
}

impl Searcher {
    /// Searches until a limit is reached or the search is stopped.
    pub(crate) fn run(&mut self, task: &Task, mut report: Option<&mut dyn Report>) -> ThreadResult {
        self.set_shared(Arc::clone(&task.shared));
        self.set_root(&task.position, &task.settings, &task.root_moves);
        self.run.node_limit = task.limits.nodes.unwrap_or(u64::MAX).min(task.allowance);
        self.run.is_waiting = task.limits.wait_for_stop;
        self.run.allowance = task.allowance;
        self.run.pv_nodes = report.as_mut().and_then(|report| report.pv_nodes()).map(|_| Vec::new());
        self.plan_limit_check();
        if self.id == 0 {
            self.run.interrupt = task.limits.interrupt;
            self.run.time = Some(TimeManager::new(&task.limits, &task.settings));
        }
        self.deepen(task, &mut report);
        if let (Some(found), Some(list)) = (self.run.pv_nodes.take(), report.and_then(|report| report.pv_nodes())) {
            *list = found;
        }
        self.shared.publish(self.id, self.run.nodes, self.run.tbhits);
        if self.id == 0 {
            // The first thread waits for a stop or release if required, then stops the others.
            if task.limits.wait_for_stop {
                self.shared.signals.wait();
            }
            self.shared.signals.stop();
        }
        let (root_moves, reported) = (std::mem::take(&mut self.run.root_moves), std::mem::take(&mut self.run.reported));
        ThreadResult { root_moves, depth: self.run.completed_depth, reported }
    }

    /// Iterative deepening, after a search for short mates if the limits ask for a mate.
    fn deepen(&mut self, task: &Task, report: &mut Option<&mut dyn Report>) {
        // If the nodes for a mate are limited, the first thread needs all of them for its full-width search.
        if self.id != 0 && task.limits.mate.is_some() && self.run.node_limit < u64::MAX {
            return;
        }
        let (mut mates_excluded, mut shortest) = (0, u32::MAX);
        if let (0, Some(moves)) = (self.id, task.limits.mate)
            && self.prove_mate(task, 1, moves.min(SHORT_MATE), &mut mates_excluded)
        {
            return self.report_mate(task, report);
        }
        self.order_by_endgame();
        let depth_limit = if self.is_settled_by_every_move() { 1 } else { task.depth_limit() };
        let mut stability = Stability { best: None, iterations: 0, changes: 0.0, average: UNKNOWN };
        for depth in 1..=depth_limit {
            // With several lines all must come from the same finished iteration; a single line may come from an unfinished one.
            let proven = self.run.root_moves[..if task.lines() > 1 { self.run.root_moves.len() } else { 1 }].to_vec();
            self.run.root_moves.iter_mut().for_each(|root| (root.previous, root.nodes_before) = (root.score, root.nodes));
            self.run.best_changes = 0;
            self.run.root_depth = depth;
            let nodes_before = self.run.nodes;
            for index in 0..task.lines() {
                self.run.line_index = index;
                self.run.selective_depth = 0;
                self.aspirate(task, depth, report);
                sort_by_score(&mut self.run.root_moves[..=index]);
                if self.run.stopped {
                    return self.keep_proven(proven);
                }
            }
            self.run.completed_depth = depth;
            if self.id != 0 {
                continue;
            }
            self.report_lines(task, report);
            let progress = stability.add(&self.run.root_moves[0], self.run.nodes - nodes_before, self.run.best_changes);
            let is_done = self.is_done(task, depth, &progress);
            if self.run.is_waiting && !self.shared.signals.is_released() {
                self.run.is_due = is_done;
            } else if is_done {
                return;
            }
            if task.lines() == 1 && self.run.root_moves[0].score == mate_in(1) {
                return;
            }
            if self.has_mate(task) {
                let found = ((MATE - self.run.root_moves[0].score + 1) / 2) as u32;
                let nodes = self.run.nodes;
                if found < shortest && self.prove_mate(task, mates_excluded + 1, found - 1, &mut mates_excluded) {
                    self.report_lines(task, report);
                    return;
                }
                if self.is_mate_settled(depth) {
                    return;
                }
                // A shorter mate may depend on a forbidden repetition, which only deeper iterations find. They may spend the same number of
                // nodes again.
                self.shared.publish(self.id, self.run.nodes, self.run.tbhits);
                self.run.node_limit = self.run.node_limit.min(self.shared.nodes() + nodes);
                self.plan_limit_check();
                shortest = found;
            }
        }
    }

    /// Whether every root move ends the game, as in a dead draw, or leads to a position in an endgame table, so that deeper iterations
    /// cannot change the result.
    fn is_settled_by_every_move(&mut self) -> bool {
        let moves: Vec<Move> = self.run.root_moves.iter().map(|root| root.mv).collect();
        moves.into_iter().all(|mv| {
            // Probing large tables can use up the time for the move.
            if self.shared.signals.stopped() {
                return false;
            }
            self.position.make(mv);
            let is_settled = matches!(self.rules.outlook(&self.position, 1), Outlook::Over(_))
                || !self.position.board().has_legal_move()
                || self.probe_endgame_of_board(1).is_some();
            self.position.unmake();
            is_settled
        })
    }

    /// In a drawn endgame, puts the moves that keep the draw first, and among these the move after which the smallest share of the
    /// opponent's replies draws: of equal root moves the first is played, and an opponent without tables may err. Moves that end the game
    /// or let the opponent draw by the capture of an attacker come last, since even a weak opponent finds these draws. A side that cannot win ends the
    /// game if it can.
    fn order_by_endgame(&mut self) {
        if self.run.root_moves.len() < 2 || self.probe_endgame(0) != Some(DRAW) {
            return;
        }
        let can_win = self.position.board().has_attackers(self.position.side_to_move());
        let mut ranks = Vec::with_capacity(self.run.root_moves.len());
        for mv in self.run.root_moves.iter().map(|root| root.mv).collect::<Vec<_>>() {
            self.position.make(mv);
            let ends = matches!(self.rules.outlook(&self.position, 1), Outlook::Over(_));
            let holds = self.probe_endgame_of_board(1).is_none_or(|score| score == DRAW);
            let replies = self.position.board().legal_moves();
            let (mut drawing, mut gives) = (0, false);
            for &reply in &replies {
                // Probing large tables can use up the time for the move.
                if self.shared.signals.stopped() {
                    break;
                }
                let taken = self.position.board().piece_on(reply.to()).map(Piece::kind);
                self.position.make(reply);
                let draws = self.probe_endgame_of_board(2).is_none_or(|score| score == DRAW);
                self.position.unmake();
                drawing += draws as usize;
                gives |= draws && taken.is_some_and(|kind| !matches!(kind, PieceType::Advisor | PieceType::Elephant));
            }
            self.position.unmake();
            if self.shared.signals.stopped() {
                return;
            }
            ranks.push((mv, (!holds, ends == can_win, gives, 1000 * drawing / replies.len().max(1))));
        }
        let rank = |mv: Move| ranks.iter().find(|(ranked, _)| *ranked == mv).map(|(_, rank)| *rank);
        sort_by(&mut self.run.root_moves, |a, b| rank(a.mv).cmp(&rank(b.mv)));
    }

    /// Whether a mate within the requested number of moves was found.
    fn has_mate(&self, task: &Task) -> bool {
        let best = &self.run.root_moves[0];
        task.limits.mate.is_some_and(|moves| best.score >= mate_in((moves as usize).saturating_mul(2).min(MAX_PLY)))
    }

    /// Runs a full-width search for the shortest mate in `min_moves` to `max_moves` moves and makes it the best line. Sets `excluded` to the
    /// greatest number of moves for which a mate is disproved.
    fn prove_mate(&mut self, task: &Task, min_moves: u32, max_moves: u32, excluded: &mut u32) -> bool {
        // Near the natural limit the game may be drawn before the mate, which only the normal search takes into account. A mate
        // exactly at the limit counts.
        let limit = task.settings.rules.natural_limit;
        if limit.is_within(task.position.clock(), (2 * max_moves).saturating_sub(1)) {
            return false;
        }
        let (shared, time) = (Arc::clone(&self.shared), self.run.time);
        // The iterations before have used up a part of the nodes.
        let max_nodes = MATE_NODES.min(self.run.node_limit.saturating_sub(self.run.nodes));
        let (is_waiting, interrupt, before) = (self.run.is_waiting, self.run.interrupt, self.shared.nodes());
        let mut must_stop = |nodes: u64| {
            if interrupt.is_some_and(|asks_to_stop| asks_to_stop()) {
                shared.signals.stop();
            }
            let waits = is_waiting && !shared.signals.is_released();
            let over = !waits && time.is_some_and(|time| time.is_over(|| before + nodes));
            over || shared.signals.stopped() || nodes > max_nodes
        };
        let moves = self.run.root_moves.iter().map(|root| root.mv).collect();
        let mut solver = Solver::new(&task.position, moves, &mut must_stop);
        for moves in min_moves..=max_moves {
            match solver.solve(moves) {
                Err(NoMate::Excluded) => *excluded = moves,
                Err(NoMate::Interrupted) => break,
                Ok(line) => {
                    self.run.nodes += solver.nodes;
                    let proven = self.run.root_moves.iter().position(|root| root.mv == line[0]).unwrap_or(0);
                    self.run.root_moves[..=proven].rotate_right(1);
                    let best = &mut self.run.root_moves[0];
                    // A stop may have cut the line short, but the mate is proved.
                    let plies = 2 * moves as usize - 1;
                    (best.score, best.previous) = (mate_in(plies), mate_in(plies));
                    best.selective_depth = plies;
                    self.run.completed_depth = self.run.completed_depth.max(plies as i32);
                    best.line = line;
                    return true;
                }
            }
        }
        self.run.nodes += solver.nodes;
        false
    }

    /// Whether a finished iteration is the last one.
    fn is_done(&self, task: &Task, depth: i32, progress: &Progress) -> bool {
        let Some(time) = &self.run.time else { return false };
        if time.uses_clock() && task.lines() == 1 {
            let is_only_move = self.run.root_moves.len() == 1 && depth >= params::only_move_depth();
            if is_only_move || self.is_mate_settled(depth) {
                return true;
            }
        }
        time.is_enough(progress, || self.shared.nodes())
    }

    /// Whether the best move mates and the search went deep enough beyond the mate that a shorter one is unlikely.
    fn is_mate_settled(&self, depth: i32) -> bool {
        let score = self.run.root_moves[0].score;
        is_win(score) && score >= mate_in((depth / params::settled_mate_depth()) as usize)
    }

    /// Aspiration windows (Slate and Atkin 1977): searches the root with a window around the expected score and widens it until the
    /// score is inside.
    fn aspirate(&mut self, task: &Task, depth: i32, report: &mut Option<&mut dyn Report>) {
        let index = self.run.line_index;
        let expected = self.run.root_moves[index].average;
        let mut width = params::aspiration_width();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= params::aspiration_depth() && expected != UNKNOWN && !is_mate(expected) {
            width += expected * expected / params::aspiration_spread();
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut failed_high = 0;
        loop {
            let adjusted = (depth - failed_high).max(1);
            self.run.root_window = (beta.min(INFINITE) - alpha.max(-INFINITE)).max(1);
            let value = self.search(Root(report), alpha.max(-INFINITE), beta.min(INFINITE), adjusted, 0, false);
            sort_by_score(&mut self.run.root_moves[index..]);
            if self.run.stopped {
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
            if task.lines() == 1 && task.limits.start.elapsed() > QUIET_TIME {
                self.report_line(task, report, index, depth, bound);
            }
            width += width * params::aspiration_growth() / 100;
            if width > params::aspiration_limit() || is_mate(value) {
                (alpha, beta) = (if bound == Bound::Upper || is_loss(value) { -INFINITE } else { alpha }, INFINITE);
            }
        }
    }

    /// After an unfinished iteration: discards a loss found only in this iteration, and restores a win that was proved before. If the best
    /// move is still the same, its line is that of the last finished iteration, which has been reported. With several lines, restores all
    /// of them.
    fn keep_proven(&mut self, mut proven: Vec<RootMove>) {
        if self.run.completed_depth == 0 || proven[0].score == -INFINITE {
            return;
        }
        if proven.len() > 1 {
            self.run.root_moves = proven;
            return;
        }
        let Some(proven) = proven.pop() else { return };
        let best = &self.run.root_moves[0];
        let is_doubtful = is_loss(best.score) || best.score == -INFINITE || (is_win(proven.score) && best.score < proven.score);
        if is_doubtful || best.mv == proven.mv {
            self.run.root_moves.retain(|root| root.mv != proven.mv);
            self.run.root_moves.insert(0, proven);
        }
    }

    /// Reports a mate that is proved before the first iteration. If more lines are wanted, they are searched first.
    fn report_mate(&mut self, task: &Task, report: &mut Option<&mut dyn Report>) {
        let deepest = if task.lines() > 1 { OTHERS_DEPTH.min(task.depth_limit()) } else { 0 };
        for depth in 1..=deepest {
            let complete = self.run.root_moves.clone();
            self.run.root_moves[1..].iter_mut().for_each(|root| root.previous = root.score);
            self.run.root_depth = depth;
            for index in 1..task.lines() {
                self.run.line_index = index;
                self.run.selective_depth = 0;
                self.aspirate(task, depth, report);
                sort_by_score(&mut self.run.root_moves[1..=index]);
                if self.run.stopped {
                    self.run.root_moves = complete;
                    return self.report_lines(task, report);
                }
            }
            self.run.completed_depth = self.run.completed_depth.max(depth);
        }
        self.report_lines(task, report);
    }

    /// Reports the lines of the last finished iteration.
    fn report_lines(&mut self, task: &Task, report: &mut Option<&mut dyn Report>) {
        for index in 0..task.lines() {
            let root = &self.run.root_moves[index];
            if root.score.max(root.previous) != -INFINITE {
                self.report_line(task, report, index, self.run.completed_depth, Bound::Exact);
            }
        }
    }

    /// Reports a line.
    fn report_line(&mut self, task: &Task, report: &mut Option<&mut dyn Report>, index: usize, depth: i32, bound: Bound) {
        let Some(report) = report else { return };
        self.shared.publish(self.id, self.run.nodes, self.run.tbhits);
        let info = task.describe(&self.run.root_moves[index], index, depth, bound);
        report.line(&info);
        if index == 0 {
            self.run.reported = info.pv;
        }
    }
}
