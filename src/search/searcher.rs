//! The state of a search thread (position, stack, statistics) and the operations shared by its nodes: making moves, the rules of the
//! game, evaluation, probing and storing, limits.

use super::correction::{Correction, corrected};
use super::history::{History, NodeMove};
use super::interface::{PvNode, Settings};
use super::params;
use super::score::{self, DRAW, INFINITE, MATE, MAX_EVALUATION, MAX_PLY, UNKNOWN, is_mate, is_win, mate_in, mated_in};
use super::shared::Shared;
use super::stack::{NO_REPETITION, Stack, Window};
use super::table::{TableBound, TableEntry, table_key};
use super::task::RootMove;
use super::time::TimeManager;
use crate::board::Position;
use crate::endgame::{EndgameResult, Tables};
use crate::memory::HugeBox;
use crate::nnue::{Accumulators, Network};
use crate::rules::{Draws, GameResult, Outlook, Rules, Verdict};
use crate::types::{Color, Move};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Upper bound of the scores of endgame table wins that are not announced as mates, because the mate is beyond the range of mate scores or
/// certain only by way of a capture before the natural limit. The plies beyond the range, or to the capture, are subtracted. These scores are
/// above all evaluations and below all mates.
const WON: i32 = MAX_EVALUATION + 1_000;
/// Maximum number of plies subtracted from [`WON`].
const WON_RANGE: i32 = 900;
/// Plies before the natural limit in which table scores cause no cutoffs.
const UNCERTAIN_PLIES: u32 = 10;

/// The state reset for each new root, in addition to the position and data derived from it.
pub(super) struct Run {
    pub(super) root_moves: Vec<RootMove>,
    /// Whether the limits exclude legal root moves, or scores of root moves have a random part, so that the score of the root is not that
    /// of the position.
    pub(super) is_restricted: bool,
    /// Number of best lines already found in this iteration.
    pub(super) line_index: usize,
    pub(super) nodes: u64,
    /// Endgame table hits.
    pub(super) tbhits: u64,
    pub(super) selective_depth: usize,
    /// Depth of the current iteration.
    pub(super) root_depth: i32,
    /// Width of the root's window.
    pub(super) root_window: i32,
    /// For the mate score returned last: the ply of the earliest position whose forbidden repetition it depends on; negative before the
    /// root. At later plies the score holds only on the current path. Meaningless for other scores.
    pub(super) repetition_ply: i32,
    /// First ply at which null moves are allowed; nonzero during a null-move verification.
    pub(super) null_min_ply: usize,
    /// Nodes, summed over all threads, at which the search stops.
    pub(super) node_limit: u64,
    /// Nodes of this thread at which it compares the sum with the limit.
    limit_check: u64,
    /// See [`super::Limits::interrupt`].
    pub(super) interrupt: Option<fn() -> bool>,
    /// Nodes allowed by the strength limit, also while the search waits for a stop.
    pub(super) allowance: u64,
    pub(super) time: Option<TimeManager>,
    /// Whether the search waits for a stop or a release; until then limits do not end it.
    pub(super) is_waiting: bool,
    /// Whether the search would have ended after the last finished iteration if it were not waiting.
    pub(super) is_due: bool,
    /// Whether this thread has noticed that the search must stop.
    pub(super) stopped: bool,
    /// Depth of the last finished iteration.
    pub(super) completed_depth: i32,
    /// Number of times that a later root move became best in the current iteration.
    pub(super) best_changes: u32,
    /// The moves of the most recently reported best line; empty if none was reported.
    pub(super) reported: Vec<Move>,
    /// The nodes with an exact score, if they are wanted.
    pub(super) pv_nodes: Option<Vec<PvNode>>,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            root_moves: Vec::new(),
            is_restricted: false,
            line_index: 0,
            nodes: 0,
            tbhits: 0,
            selective_depth: 0,
            root_depth: 0,
            root_window: 1,
            repetition_ply: NO_REPETITION,
            null_min_ply: 0,
            node_limit: u64::MAX,
            limit_check: u64::MAX,
            interrupt: None,
            allowance: u64::MAX,
            time: None,
            is_waiting: false,
            is_due: false,
            stopped: false,
            completed_depth: 0,
            best_changes: 0,
            reported: Vec::new(),
            pv_nodes: None,
        }
    }
}

/// One search thread.
pub(crate) struct Searcher {
    /// 0 for the thread that checks the limits and sends reports.
    pub(super) id: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) position: Position,
    pub(super) rules: Rules,
    pub(super) history: HugeBox<History>,
    pub(super) correction: HugeBox<Correction>,
    /// Endgame tables; `None` to search without.
    endgames: Option<Arc<Tables>>,
    /// Maximum number of pieces of the positions in the tables; 0 without tables.
    endgame_pieces: usize,
    /// Whether a probe of the tables may take long.
    has_large_endgames: bool,
    /// The network's first layer for each position of the line.
    accumulators: Accumulators,
    pub(super) stack: Stack,
    pub(super) run: Run,
}

impl Searcher {
    /// A searcher with empty statistics; `id` is 0 for the thread that checks the limits and sends reports.
    pub(crate) fn new(id: usize, shared: Arc<Shared>) -> Searcher {
        let position = Position::startpos();
        Searcher {
            id,
            shared,
            rules: Rules::default(),
            endgames: None,
            endgame_pieces: 0,
            has_large_endgames: false,
            history: HugeBox::zero(),
            correction: HugeBox::zero(),
            accumulators: Accumulators::new(Arc::clone(Network::builtin()), position.board()),
            stack: Stack::new(),
            run: Run::default(),
            position,
        }
    }

    /// Replaces the shared table and counters.
    pub(crate) fn set_shared(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Clears the statistics.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
    }

    /// Prepares the search of a position.
    pub(super) fn set_root(&mut self, position: &Position, settings: &Settings, root_moves: &[RootMove]) {
        let board = position.board();
        self.position.clone_from(position);
        self.rules = settings.rules;
        // With exact results a player of limited strength would play endgames at full strength.
        self.endgames = settings.endgames.clone().filter(|_| settings.elo.is_none());
        self.endgame_pieces = self.endgames.as_ref().map_or(0, |tables| tables.max_pieces());
        self.has_large_endgames = self.endgames.as_ref().is_some_and(|tables| tables.has_large());
        self.history.new_search();
        if Arc::ptr_eq(self.accumulators.network(), &settings.network) {
            self.accumulators.reset(board);
        } else {
            self.accumulators = Accumulators::new(Arc::clone(&settings.network), board);
        }
        self.stack.reset(board);
        let has_noise = root_moves.iter().any(|root| root.noise != 0);
        let is_restricted = root_moves.len() < board.legal_moves().len() || has_noise;
        self.run = Run { root_moves: root_moves.to_vec(), is_restricted, ..Run::default() };
    }

    /// Begins a node, in quiescence too. Breaks if the search must stop.
    #[inline(always)]
    pub(super) fn begin_node(&mut self, is_pv: bool, ply: usize) -> ControlFlow<()> {
        if is_pv {
            self.stack.line(ply).clear();
            self.run.selective_depth = self.run.selective_depth.max(ply + 1);
        }
        if self.must_stop() {
            return ControlFlow::Break(());
        }
        self.run.repetition_ply = NO_REPETITION;
        ControlFlow::Continue(())
    }

    /// The uncorrected evaluation of the current position.
    #[inline]
    pub(super) fn raw_evaluation(&mut self) -> i32 {
        let board = self.position.board();
        crate::eval::scaled(board, self.accumulators.evaluate(board))
    }

    /// The evaluation as used by the search: damped near the natural limit, and corrected.
    #[inline]
    pub(super) fn adjusted(&self, raw: i32, correction: i32) -> i32 {
        corrected(self.rules.natural_limit.damped(raw, self.position.clock()), correction)
    }

    /// The corrected evaluation of the current position.
    pub(super) fn static_evaluation(&mut self, ply: usize) -> i32 {
        let raw = self.raw_evaluation();
        self.adjusted(raw, self.correction_at(ply))
    }

    /// The correction of the evaluation of the current position.
    #[inline]
    pub(super) fn correction_at(&self, ply: usize) -> i32 {
        self.correction.value(&self.stack.features(ply, self.position.side_to_move()))
    }

    /// Whether the side to move has a rook, horse or cannon. Without one zugzwang is possible: passing may be better than any move.
    #[inline]
    pub(super) fn has_major(&self) -> bool {
        self.position.board().has_major(self.position.side_to_move())
    }

    /// The table key of the current position.
    #[inline(always)]
    pub(super) fn table_key(&self) -> u64 {
        table_key(&self.position, self.rules.natural_limit)
    }

    /// Whether the natural limit is so near that table scores may not hold.
    pub(super) fn is_near_limit(&self) -> bool {
        self.rules.natural_limit.is_within(self.position.clock(), UNCERTAIN_PLIES)
    }

    /// The exact score of the current position from an endgame table; `None` if no table contains it, or if the natural limit may come
    /// first.
    #[inline(always)]
    pub(super) fn probe_endgame(&mut self, ply: usize) -> Option<i32> {
        // The stack keeps the number of pieces, because the baseline instruction set has no population count.
        debug_assert_eq!(self.stack[ply].pieces as usize, self.position.board().occupied().len());
        if self.stack[ply].pieces as usize > self.endgame_pieces {
            return None;
        }
        self.endgame_score(ply)
    }

    /// Like [`Searcher::probe_endgame`], for a position after moves that are not on the stack.
    pub(super) fn probe_endgame_of_board(&mut self, ply: usize) -> Option<i32> {
        if self.position.board().occupied().len() > self.endgame_pieces {
            return None;
        }
        self.endgame_score(ply)
    }

    #[inline(never)]
    fn endgame_score(&mut self, ply: usize) -> Option<i32> {
        let score = self.table_score(ply)?;
        Some(if self.position.repeats() { self.with_third_occurrences(score, ply) } else { score })
    }

    /// The score of a position that has occurred before and of which a table gives `best`. Tables know nothing of the game: a reply may
    /// repeat a position for the third time, which draws a lost position, and wins if the other side has chased or checked all the time.
    #[cold]
    fn with_third_occurrences(&mut self, mut best: i32, ply: usize) -> i32 {
        let mover = self.position.side_to_move();
        for mv in self.position.board().legal_moves() {
            self.position.make(mv);
            if self.position.repeats() {
                match self.rules.verdict(&self.position) {
                    Verdict::Final(GameResult::Draw) => best = best.max(DRAW),
                    Verdict::Final(GameResult::Loses(loser)) if loser != mover => {
                        best = best.max(-self.lost_by_rules(loser, ply + 1));
                    }
                    _ => {}
                }
            }
            self.position.unmake();
        }
        best
    }

    /// The score of the current position in a table, regardless of the game before it.
    fn table_score(&mut self, ply: usize) -> Option<i32> {
        let outcome = self.endgames.as_ref()?.probe(self.position.board())?;
        // The probe may have decompressed a block: the time for the move must not run out before enough nodes are counted.
        if self.has_large_endgames {
            self.poll();
        }
        // A win by repetition cannot be announced as a mate; the search has to find it.
        let (clock, limit) = (self.position.clock(), self.rules.natural_limit);
        if outcome.by_repetition || !outcome.is_certain(clock, limit) {
            return None;
        }
        let draw = match self.rules.draws {
            Draws::Nobody => DRAW,
            // The table does not say whether a position repeats.
            Draws::ByRepetition(_) if outcome.result == EndgameResult::Draw => return None,
            Draws::ByRepetition(_) => DRAW,
            Draws::All(winner) if winner == self.position.board().side_to_move() => WON - WON_RANGE,
            Draws::All(_) => WON_RANGE - WON,
        };
        self.run.tbhits += 1;
        let plies = outcome.plies as usize;
        // If the shortest mate comes after the limit, the table has no distance to mate by way of captures: no mate to announce. A mate
        // that no search can reach is beyond the range of mate scores.
        let beyond_mates = match outcome.to_capture {
            Some(plies) if !outcome.is_mate_in_time(clock, limit) => Some(plies.into()),
            _ => plies.checked_sub(MAX_PLY),
        };
        if let Some(beyond) = beyond_mates {
            let score = WON - WON_RANGE.min(beyond as i32);
            return Some(if outcome.result == EndgameResult::Win { score } else { -score });
        }
        let distance = ply + plies;
        Some(match outcome.result {
            EndgameResult::Win => mate_in(distance),
            EndgameResult::Draw => draw,
            EndgameResult::Loss => mated_in(distance),
        })
    }

    /// Probes the table for the current position; the move is legal, and mate scores count from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let mut entry = self.probe_unchecked(key, ply)?;
        if entry.mv.is_some() && !self.position.board().is_legal(entry.mv) {
            entry.mv = Move::NONE;
        }
        Some(entry)
    }

    /// Like [`Searcher::probe`], but the move may be illegal if it belongs to another position with the same short key; for nodes that
    /// rarely use the move.
    #[inline]
    pub(super) fn probe_unchecked(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let mut entry = self.shared.table.probe(key)?;
        entry.score = score::from_table(entry.score, ply);
        if is_mate(entry.score) && entry.score != UNKNOWN {
            entry.score = self.within_clock(entry.score, ply);
        }
        Some(entry)
    }

    /// Downgrades a mate from the table that the natural limit prevents (as in Stockfish) to the highest evaluation: it may have been
    /// found at a lower clock.
    #[cold]
    fn within_clock(&self, score: i32, ply: usize) -> i32 {
        let distance = ((MATE - score.abs()) as u32).saturating_sub(ply as u32);
        // A mate exactly at the limit counts.
        let is_late = distance > 0 && self.rules.natural_limit.is_within(self.position.clock(), distance - 1);
        if is_late { MAX_EVALUATION * score.signum() } else { score }
    }

    /// Stores an entry for the current position; its mate scores count from the root.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, entry: TableEntry) {
        self.shared.table.store(key, TableEntry { score: score::to_table(entry.score, ply), ..entry });
    }

    /// Prefetches the table cluster of the position after a legal move, to be called as early as possible.
    #[inline(always)]
    pub(super) fn prefetch(&self, mv: Move) {
        self.shared.table.prefetch(self.position.board().key_after(mv));
    }

    /// Makes a legal move at this ply.
    #[inline]
    pub(super) fn make(&mut self, current: NodeMove, ply: usize) {
        self.stack.push(ply, self.position.board(), current);
        // The features can be computed before the move is made.
        self.correction.prefetch(&self.stack.features(ply + 1, !self.position.side_to_move()));
        self.position.make_checking(current.mv, current.gives_check);
        self.accumulators.push(self.position.state());
        self.run.nodes += 1;
    }

    /// Makes a null move.
    pub(super) fn make_null(&mut self, ply: usize) {
        self.stack.push_null(ply);
        self.position.make_null();
        self.accumulators.push(self.position.state());
        self.run.nodes += 1;
    }

    /// Unmakes a move or a null move.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.unmake();
        self.accumulators.pop();
    }

    /// Applies the rules of the game to the current position. Returns the score if they end the line here; otherwise narrows the window
    /// to the result that a side can secure by repeating.
    #[inline(always)]
    pub(super) fn narrow_by_rules(&mut self, window: &mut Window, ply: usize) -> Option<i32> {
        match self.rules.outlook(&self.position, ply) {
            Outlook::Open => None,
            outlook => self.narrow_to(outlook, window, ply),
        }
    }

    #[cold]
    fn narrow_to(&mut self, outlook: Outlook, window: &mut Window, ply: usize) -> Option<i32> {
        match outlook {
            Outlook::Open => return None,
            // Mate and stalemate on the board take precedence over a draw by the natural limit or by insufficient material. A
            // position that occurred before has a legal move.
            Outlook::Over(_) if !self.position.board().has_legal_move() => return None,
            // In an endgame of the tables all draws are equal, so that the order of the root moves decides between them.
            Outlook::Over(GameResult::Draw) if ply == 1 && self.position.board().occupied().len() <= self.endgame_pieces => {
                return Some(DRAW);
            }
            Outlook::Over(GameResult::Draw) => return Some(self.draw()),
            Outlook::Over(GameResult::Loses(color)) => return Some(self.lost_by_rules(color, ply)),
            // The side that is about to lose by repeating gets at most a draw.
            Outlook::GainsNothing(color) if color == self.position.side_to_move() => window.at_most_draw(),
            Outlook::GainsNothing(_) => window.at_least_draw(),
        }
        (window.alpha >= window.beta).then_some(DRAW)
    }

    /// The score of a third occurrence that loses: the loser counts as mated here. With a better score a side that is being mated would
    /// prefer to repeat, and the mate would never be found.
    fn lost_by_rules(&mut self, loser: Color, ply: usize) -> i32 {
        let first = self.position.earlier_occurrences().take(2).last();
        self.run.repetition_ply = first.map_or(NO_REPETITION, |back| ply as i32 - back as i32);
        if loser == self.position.side_to_move() { mated_in(ply) } else { mate_in(ply) }
    }

    /// [`Run::repetition_ply`] of a node after a move with this value, given the previous best value: a loss depends on all moves, a win
    /// only on the winning move.
    #[inline(always)]
    pub(super) fn repetition_ply_after(&self, earlier: i32, value: i32, best: i32) -> i32 {
        match value {
            _ if !is_mate(value) => earlier,
            _ if is_win(value) && value > best => self.run.repetition_ply,
            _ => self.run.repetition_ply.min(earlier),
        }
    }

    /// Removes the score of an entry if it is a mate that depends on the path to this ply. The depth is kept, so that the entry replaces
    /// the score of a search that has not found the mate.
    #[inline]
    pub(super) fn storable(entry: TableEntry, repetition_ply: i32, ply: usize) -> TableEntry {
        if repetition_ply >= ply as i32 || !is_mate(entry.score) {
            return entry;
        }
        TableEntry { score: UNKNOWN, bound: TableBound::None, ..entry }
    }

    /// The score of a draw, slightly randomised so that the search does not treat all draws as equal (as in Stockfish).
    #[inline]
    pub(super) fn draw(&self) -> i32 {
        DRAW - 1 + (self.run.nodes & 2) as i32
    }

    /// Whether a legal root move is to be searched: it is neither excluded by the limits nor the first move of a line already found.
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.run.root_moves[self.run.line_index..].iter().any(|root| root.mv == mv)
    }

    /// The random noise on a root move's score.
    pub(super) fn root_noise(&self, mv: Move) -> i32 {
        self.run.root_moves.iter().find(|root| root.mv == mv).map_or(0, |root| root.noise)
    }

    /// Records the result of searching a root move.
    pub(super) fn record_root_move(&mut self, mv: Move, value: i32, is_best: bool, nodes: u64) {
        let selective_depth = self.run.selective_depth;
        let line = self.stack.line(1);
        let Some(root) = self.run.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if is_best {
            root.score = value;
            root.selective_depth = selective_depth;
            let weight = params::root_average_weight();
            root.average = if root.average == UNKNOWN { value } else { (weight * root.average + value) / (weight + 1) };
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(line);
        } else {
            root.score = -INFINITE;
        }
    }

    /// Whether the search must stop; called at every node.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        // The first nodes often wait for memory and are slow, so the limits are polled more often.
        let pause = if self.run.nodes < 4096 { 31 } else { 511 };
        if self.run.nodes & pause == 0 || self.run.nodes >= self.run.limit_check {
            self.poll();
        }
        // A stop does not interrupt the first iteration, because the result needs a move and a score.
        self.run.stopped |= self.shared.signals.stopped() && (self.run.completed_depth > 0 || self.id != 0);
        self.run.stopped
    }

    /// Publishes the counters and checks the limits, which are the first thread's task except for the limit of nodes: the first thread may be
    /// waiting for a processor, or for a stop after it has used up the nodes of the strength limit.
    #[cold]
    fn poll(&mut self) {
        self.shared.publish(self.id, self.run.nodes, self.run.tbhits);
        if self.id == 0 {
            self.check_limits();
        } else if self.run.is_waiting && !self.shared.signals.is_released() {
            self.run.stopped |= self.shared.nodes() >= self.run.allowance;
        } else if self.shared.nodes() >= self.run.node_limit {
            self.shared.signals.stop();
        }
        self.plan_limit_check();
    }

    /// Sets when the nodes are compared with the limit next. A single thread stops exactly. Each of several compares after half of its share
    /// of the remaining nodes, but at least every 64: while it waits for a processor, the others do not know of its nodes.
    pub(super) fn plan_limit_check(&mut self) {
        const MAX_NODES: u64 = 64;
        let (limit, threads) = (self.run.node_limit, self.shared.threads() as u64);
        self.run.limit_check = if threads == 1 || limit == u64::MAX {
            limit
        } else {
            let rest = limit.saturating_sub(self.shared.nodes());
            self.run.nodes + (rest / (2 * threads)).clamp(1, MAX_NODES)
        };
    }

    fn check_limits(&mut self) {
        if self.run.interrupt.is_some_and(|asks_to_stop| asks_to_stop()) {
            self.shared.signals.stop();
        }
        if self.run.is_waiting {
            if !self.shared.signals.is_released() {
                // Pondering must not make a player of limited strength stronger.
                self.run.stopped |= self.run.completed_depth > 0 && self.shared.nodes() >= self.run.allowance;
                return;
            }
            self.run.is_waiting = false;
        }
        let is_late = self.run.time.is_some_and(|time| time.is_over(|| self.shared.nodes()));
        let is_limited = self.run.node_limit < u64::MAX;
        let is_spent =
            self.run.completed_depth > 0 && (self.run.is_due || is_limited && self.shared.nodes() >= self.run.node_limit);
        if is_spent || is_late {
            self.shared.signals.stop();
            // Once one move has a score, the first iteration may be abandoned.
            self.run.stopped |= is_late && self.run.root_moves.iter().any(|root| root.score != -INFINITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_keeps_no_mate_that_depends_on_the_path() {
        let ply = 5;
        for (score, repetition_ply, is_kept) in [
            (mate_in(11), 4, false),
            (mated_in(10), -3, false),
            (mate_in(11), 5, true),
            (mated_in(10), NO_REPETITION, true),
            (300, 0, true),
        ] {
            let entry = TableEntry { score, depth: 9, bound: TableBound::Lower, ..TableEntry::NONE };
            let kept = Searcher::storable(entry, repetition_ply, ply);
            assert_eq!(
                (kept == entry, kept.decides(score), kept.depth),
                (is_kept, is_kept, 9),
                "{score}, repetition at ply {repetition_ply}"
            );
        }
    }

    #[test]
    fn a_loss_depends_on_all_moves_and_a_win_on_the_winning_move() {
        let mut searcher = Searcher::new(0, Arc::new(Shared::new(1, 1)));
        searcher.run.repetition_ply = 3;
        for (earlier, value, best, expected) in [
            (7, mated_in(9), -INFINITE, 3),
            (1, mated_in(9), mated_in(7), 1),
            (1, mate_in(9), mated_in(7), 3),
            (1, mate_in(11), mate_in(9), 1),
            (7, 120, 40, 7),
        ] {
            assert_eq!(searcher.repetition_ply_after(earlier, value, best), expected, "{value} after {best}");
        }
    }

    #[test]
    fn a_table_mate_beyond_the_natural_limit_is_no_mate() {
        let mut searcher = Searcher::new(0, Arc::new(Shared::new(1, 1)));
        let at_clock = |clock: u16| {
            let fen = format!("4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - {clock} 60");
            Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
        };
        let ply = 3;
        for (clock, distance, is_within) in [(0, 101, true), (100, 20, true), (100, 21, false), (119, 1, true), (119, 2, false)] {
            searcher.position = at_clock(clock);
            for (score, sign) in [(mate_in(ply + distance), 1), (mated_in(ply + distance), -1)] {
                searcher.store(7, ply, TableEntry { score, ..TableEntry::NONE });
                let found = searcher.probe_unchecked(7, ply).map(|entry| entry.score).unwrap_or_default();
                let expected = if is_within { score } else { sign * MAX_EVALUATION };
                assert_eq!(found, expected, "mate in {distance} at {clock}");
                assert_eq!(is_mate(found), is_within);
            }
        }
        searcher.position = at_clock(119);
        searcher.rules.natural_limit = crate::rules::NaturalLimit::NONE;
        searcher.store(7, ply, TableEntry { score: mate_in(ply + 50), ..TableEntry::NONE });
        assert_eq!(searcher.probe_unchecked(7, ply).map(|entry| entry.score), Some(mate_in(ply + 50)));
    }
}
