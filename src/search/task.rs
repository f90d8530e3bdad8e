//! A search request and the result of each thread; with [`super::Searcher`] and [`super::Shared`] the interface for the threads.

use super::interface::{Bound, Info, Limits, Outcome, Report, Score, Settings};
use super::params;
use super::score::{INFINITE, MAX_PLY, UNKNOWN, is_mate, is_win};
use super::shared::Shared;
use super::time::TimeManager;
use crate::board::Position;
use crate::eval::win_draw_loss;
use crate::rules::{NaturalLimit, Verdict};
use crate::types::Move;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Divisor of the time for a move that gives the maximum time for preparing the table. More memory becomes ready in that time than the
/// search can fill in the rest.
const PREPARATION_DIVISOR: u32 = 8;
/// Plies by which a thread's depth may be lower than that of the first one for its vote to count: scores of the first iterations are too
/// high, and would outweigh deeper ones.
const VOTING_DEPTH: i32 = 2;
/// Maximum time for preparing the table, whatever the limits: a search with a part of a large table is better than none.
const MAX_PREPARATION: Duration = Duration::from_secs(2);

/// Nodes per second of one thread on a fast machine.
const NODES_PER_SECOND: f64 = 4e6;

/// The search of one position, the same for all threads.
pub(crate) struct Task {
    pub(super) position: Position,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) shared: Arc<Shared>,
    /// Nodes allowed by the strength limit.
    pub(super) allowance: u64,
}

impl Task {
    /// A search of a position within the limits and at most `allowance` nodes; `noise` returns the random part of each root move's score.
    ///
    /// If the natural limit has already been reached, the search ignores it: a client that still requests a move plays without the limit
    /// or has miscounted, and with the limit every move, however bad, would be a draw. If a repetition has already decided the game, it
    /// ignores the moves up to now, since by these rules any repetition would win or lose again.
    pub(crate) fn new(
        position: &Position,
        limits: &Limits,
        settings: &Settings,
        shared: &Arc<Shared>,
        allowance: u64,
        mut noise: impl FnMut() -> i32,
    ) -> Task {
        let mut settings = settings.clone();
        if settings.rules.natural_limit.is_reached(position.clock()) {
            settings.rules.natural_limit = NaturalLimit::NONE;
        }
        let is_over = position.occurrences() > 1 && matches!(settings.rules.verdict(position), Verdict::Final(_));
        let position = match is_over {
            true => Position::new(*position.board(), position.clock(), position.fullmove()),
            false => position.clone(),
        };
        Task {
            root_moves: limits.root_moves(position.board()).map(|mv| RootMove::new(mv, noise())).collect(),
            position,
            limits: limits.clone(),
            settings,
            shared: Arc::clone(shared),
            allowance,
        }
    }

    /// Prepares as much of the table memory as `use_for` allots to the limits, but stops after [`MAX_PREPARATION`], and if time is limited
    /// after a small part of the time for the move; later searches prepare the rest.
    pub(crate) fn prepare_table(&self) {
        let (signals, time) = (&self.shared.signals, TimeManager::new(&self.limits, &self.settings));
        let nodes = self.max_nodes(&time);
        self.shared.prepare(nodes.min(self.max_nodes_of_depth()), || {
            let waits = self.limits.wait_for_stop && !signals.is_released();
            let is_due = self.limits.start.elapsed() >= MAX_PREPARATION || !waits && time.has_passed(PREPARATION_DIVISOR);
            !signals.stopped() && !is_due
        });
        self.shared.table.use_for(nodes);
    }

    /// Many times the nodes that searches to the depth limit take.
    fn max_nodes_of_depth(&self) -> u64 {
        let nodes = self.limits.depth.map_or(u64::MAX, |depth| 1000 << depth.clamp(0, 40));
        nodes.saturating_mul(self.lines() as u64)
    }

    /// Upper bound of the nodes searched within the limits on a fast machine; `u64::MAX` without limits on time and nodes.
    fn max_nodes(&self, time: &TimeManager) -> u64 {
        let in_time = time.max_nodes(NODES_PER_SECOND * self.shared.threads() as f64).filter(|_| !self.limits.wait_for_stop);
        in_time.unwrap_or(u64::MAX).min(self.limits.nodes.unwrap_or(u64::MAX)).min(self.allowance)
    }

    /// Number of lines to report.
    pub(super) fn lines(&self) -> usize {
        self.limits.multipv.clamp(1, self.root_moves.len().max(1))
    }

    pub(super) fn depth_limit(&self) -> i32 {
        self.limits.depth.unwrap_or(i32::MAX).clamp(1, MAX_PLY as i32 - 1)
    }

    /// The [`Info`] of a root move's line; `index` is its rank, from 0. Of several lines the scores include the random part, since it decides
    /// on the order.
    pub(super) fn describe(&self, root: &RootMove, index: usize, depth: i32, bound: Bound) -> Info {
        let value = if self.lines() > 1 { root.known_score() } else { root.reported_score() };
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
            tbhits: self.shared.tbhits(),
            pv: self.with_endgame(&root.line, value),
        }
    }

    /// Extends the line of a mate that ended in an endgame table position by best play to the mate.
    fn with_endgame(&self, line: &[Move], value: i32) -> Vec<Move> {
        let mut whole = line.to_vec();
        let Some(tables) = self.settings.endgames.as_ref().filter(|_| self.settings.elo.is_none()) else { return whole };
        // Only if the root itself is in the tables: this probes every move of every position of the line.
        if self.position.board().occupied().len() > tables.max_pieces() || !is_mate(value) {
            return whole;
        }
        let mut position = self.position.clone();
        line.iter().for_each(|&mv| position.make(mv));
        // Decompressing blocks for every move of the line could take seconds, after the time for the move has run out.
        if tables.is_large(position.board()) {
            return whole;
        }
        // The game may end by the rules before the mate.
        if !matches!(self.settings.rules.verdict(&position), Verdict::Final(_)) {
            whole.extend(tables.best_line(&position));
        }
        whole
    }

    /// Reports the lines of the chosen result, unless its best line is the one that `reporter` reported last. This way the answer and the
    /// reply to ponder on are those of the last reported line, even if an unfinished iteration or another thread found it.
    pub(crate) fn report(&self, chosen: &ThreadResult, reporter: &ThreadResult, report: &mut dyn Report) {
        let best = &chosen.root_moves[0];
        if reporter.reported == self.with_endgame(&best.line, best.reported_score()) {
            return;
        }
        let searched = chosen.root_moves.iter().filter(|root| root.score.max(root.previous) != -INFINITE).count().max(1);
        for (index, root) in chosen.root_moves.iter().enumerate().take(self.lines().min(searched)) {
            report.line(&self.describe(root, index, chosen.depth.max(1), Bound::Exact));
        }
    }

    /// The outcome of the search from the result of the chosen thread.
    pub(crate) fn outcome(&self, chosen: &ThreadResult) -> Outcome {
        let best = &chosen.root_moves[0];
        Outcome {
            best: Some(best.mv),
            ponder: self.with_endgame(&best.line, best.reported_score()).get(1).copied(),
            score: Score::of(best.reported_score()),
            depth: chosen.depth,
            nodes: self.shared.nodes(),
        }
    }
}

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Score in the current iteration; `-INFINITE` if it was not best.
    pub(super) score: i32,
    /// Score in the previous iteration.
    pub(super) previous: i32,
    /// Running average of the scores; [`UNKNOWN`] at first.
    pub(super) average: i32,
    /// Nodes spent on it.
    pub(super) nodes: u64,
    /// Nodes spent on it before the current iteration.
    pub(super) nodes_before: u64,
    pub(super) selective_depth: usize,
    /// Random part of the score.
    pub(super) noise: i32,
    /// The line starting with this move.
    pub(super) line: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(mv: Move, noise: i32) -> RootMove {
        let (score, line) = (-INFINITE, vec![mv]);
        RootMove { mv, score, previous: score, average: UNKNOWN, nodes: 0, nodes_before: 0, selective_depth: 0, noise, line }
    }

    /// The last known score, by which the moves are ordered.
    fn known_score(&self) -> i32 {
        if self.score == -INFINITE { self.previous } else { self.score }
    }

    /// The score to report: the last known one, without its random part.
    fn reported_score(&self) -> i32 {
        let score = self.known_score();
        if is_mate(score) { score } else { score - self.noise }
    }
}

/// The result of one thread.
pub(crate) struct ThreadResult {
    /// Root moves, best first; at least one.
    pub(super) root_moves: Vec<RootMove>,
    /// Depth of the last finished iteration.
    pub(super) depth: i32,
    /// The moves of the most recently reported best line; empty if none was reported.
    pub(super) reported: Vec<Move>,
}

impl ThreadResult {
    /// The best move.
    pub(crate) fn best(&self) -> Move {
        self.root_moves[0].mv
    }

    /// The score of the best move; `None` before the first iteration was finished.
    pub(crate) fn score(&self) -> Option<i32> {
        Some(self.root_moves[0].score).filter(|&score| self.depth > 0 && score != -INFINITE)
    }

    /// The weight of this thread's vote for its move: its depth times the sum of [`params::vote_base`] and the centipawns by which its score
    /// exceeds `lowest`, the lowest of the scores that count.
    fn weight(&self, lowest: i32) -> i64 {
        self.score().map_or(0, |score| (score - lowest + params::vote_base()) as i64 * self.depth as i64)
    }

    /// The index of the thread whose best move has the most votes. The weight of a vote grows with depth and score (as in Stockfish). With
    /// proved wins or losses there is no vote: the best score decides.
    pub(crate) fn vote(found: &[ThreadResult]) -> usize {
        let is_mating = |one: &ThreadResult| one.score().is_some_and(|score| is_mate(score) && is_win(score));
        let counts = |one: &&ThreadResult| one.depth + VOTING_DEPTH >= found[0].depth || is_mating(one);
        let lowest = found.iter().filter(counts).filter_map(ThreadResult::score).min().unwrap_or(0);
        let mut votes: HashMap<Move, i64> = HashMap::new();
        for one in found.iter().filter(counts) {
            *votes.entry(one.best()).or_default() += one.weight(lowest);
        }
        let rank = |one: &ThreadResult| (votes.get(&one.best()).copied(), one.weight(lowest));
        let mut chosen = 0;
        for (index, new) in found.iter().enumerate().filter(|(_, one)| counts(one)) {
            let old = &found[chosen];
            let is_better = match (old.score(), new.score()) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(old), Some(new)) if is_mate(old) || is_mate(new) => new > old,
                _ => rank(new) > rank(old),
            };
            if is_better {
                chosen = index;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;
    use crate::search::score::{mate_in, mated_in};
    use std::time::Duration;

    fn task(fen: &str, limits: &Limits) -> Task {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}"));
        Task::new(&position, limits, &Settings::default(), &Arc::new(Shared::new(1, 1)), 1000, || 7)
    }

    #[test]
    fn a_natural_limit_already_reached_is_ignored() {
        let limit_at = |clock: u32| {
            let fen = format!("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - {clock} 60");
            task(&fen, &Limits::none()).settings.rules.natural_limit.plies()
        };
        assert_eq!([0, 119, 120, 125, 1000].map(limit_at), [120, 120, 0, 0, 0]);
    }

    #[test]
    fn votes_grow_with_score_and_depth_and_shallow_ones_do_not_count() {
        let found = |results: &[(&str, i32, i32)]| -> usize {
            let of = |&(text, depth, score): &(&str, i32, i32)| {
                let mut root = RootMove::new(Move::from_uci(text).unwrap(), 0);
                root.score = score;
                ThreadResult { root_moves: vec![root], depth, reported: Vec::new() }
            };
            ThreadResult::vote(&results.iter().map(of).collect::<Vec<_>>())
        };
        assert_eq!(found(&[("h2e2", 8, 35), ("b2e2", 8, 60)]), 1);
        assert_eq!(found(&[("h2e2", 9, 60), ("b2e2", 8, 50), ("b2e2", 8, 55)]), 2);
        assert_eq!(found(&[("h2e2", 8, 35), ("b2e2", 3, 112)]), 0);
        assert_eq!(found(&[("h2e2", 8, mated_in(6)), ("b2e2", 3, 112)]), 0);
        assert_eq!(found(&[("h2e2", 8, mated_in(6)), ("b2e2", 7, 112)]), 1);
        assert_eq!(found(&[("h2e2", 8, 35), ("b2e2", 3, mate_in(5))]), 1);
    }

    #[test]
    fn the_limits_bound_the_number_of_nodes() {
        let most = |limits: Limits| {
            let task = Task { allowance: u64::MAX, ..task(crate::board::START_FEN, &limits) };
            task.max_nodes(&TimeManager::new(&limits, &Settings::default()))
        };
        let tenth = Some(Duration::from_millis(100));
        assert_eq!(most(Limits::none()), u64::MAX);
        assert_eq!(most(Limits { depth: Some(20), ..Limits::none() }), u64::MAX);
        assert!((390_000..400_000).contains(&most(Limits { movetime: tenth, ..Limits::none() })));
        assert_eq!(most(Limits { movetime: tenth, nodes: Some(5000), ..Limits::none() }), 5000);
        assert_eq!(most(Limits { movetime: tenth, wait_for_stop: true, ..Limits::none() }), u64::MAX);
        let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None };
        assert!((4_000_000..100_000_000).contains(&most(Limits { clock: Some(clock), ..Limits::none() })));
    }

    #[test]
    fn root_moves_obey_the_limits() {
        let fen = crate::board::START_FEN;
        let all = task(fen, &Limits::none());
        let start = *Position::startpos().board();
        assert!(Limits::none().outcome_without_moves(&start).is_none());
        assert!(all.root_moves.len() == 44 && all.root_moves[0].noise == 7);
        let moves: Vec<Move> = all.root_moves.iter().map(|root| root.mv).collect();
        let banned = Limits { banned_moves: moves.clone(), ..Limits::none() };
        let none = banned.outcome_without_moves(&start).map(|outcome| (outcome.best, outcome.score));
        assert_eq!(none, Some((None, Score::Centipawns(0))));
        let some = Limits { search_moves: moves[..2].to_vec(), banned_moves: moves[1..].to_vec(), multipv: 9, ..Limits::none() };
        assert_eq!((task(fen, &some).root_moves.len(), task(fen, &some).lines()), (1, 1));
        let mated = Position::from_fen("3k5/4P4/9/9/9/9/9/9/9/4K4 b").unwrap();
        let mated = Limits::none().outcome_without_moves(mated.board());
        assert_eq!(mated.map(|outcome| outcome.score), Some(Score::Mate(0)));
    }
}
