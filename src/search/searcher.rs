//! The searcher: what one search thread owns, its position, its stack and its statistics.

use super::correction::{Correction, PartKeys, Place};
use super::history::{CONTINUATIONS, Context, History, PieceTo};
use super::interface::Settings;
use super::params;
use super::shared::Shared;
use super::table::{TableBound, TableEntry};
use super::task::RootMove;
use crate::board::Position;
use crate::nnue::Accumulators;
use crate::rules::{GameResult, NaturalLimit, Outlook, Rules};
use crate::types::score::{self, DRAW, INFINITE, MATE, MAX_EVALUATION, MAX_PLY, UNKNOWN, is_mate, is_win, mate_in, mated_in};
use crate::types::{Color, Move};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Frames before the root, so that looking back needs no check.
const BEFORE_ROOT: usize = 7;

/// Plies before the natural limit in which the count of plies is part of the table's key.
const COUNTED_PLIES: u16 = 40;
/// Counts of plies that share a key.
const COUNT_STEP: u64 = 8;
/// Plies before the natural limit in which scores of the table do not cut.
const UNCERTAIN_PLIES: u32 = 10;

/// The value of [`Searcher::rests_on`] for a score that no forbidden repetition decides.
pub(super) const NO_REPETITION: i32 = i32::MAX;

/// A line of moves.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// What the search remembers of one ply of the line it is on.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move made here.
    pub(super) mv: Move,
    pub(super) piece_to: PieceTo,
    /// Whether the move made here is a capture.
    pub(super) is_capture: bool,
    /// The move that a singular search skips.
    pub(super) excluded: Move,
    /// Corrected static evaluation; [`UNKNOWN`] in check.
    pub(super) evaluation: i32,
    /// Whether the position is or was on a principal variation.
    pub(super) table_pv: bool,
    /// History of the move made here, before it was searched.
    pub(super) history: i32,
    /// Reduction in 1024ths with which the move made here is searched, until its node has read it.
    pub(super) reduction: i32,
    /// Moves tried here.
    pub(super) move_count: i32,
    /// Nodes at this ply that failed high since the node two plies before was entered.
    pub(super) cutoffs: i32,
    keys: PartKeys,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            mv: Move::NONE,
            piece_to: PieceTo::NONE,
            is_capture: false,
            excluded: Move::NONE,
            evaluation: UNKNOWN,
            table_pv: false,
            history: 0,
            reduction: 0,
            move_count: 0,
            cutoffs: 0,
            keys: PartKeys::default(),
        }
    }
}

/// The window of a node, and what the rules of repetition allow its score to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// The least score: a side that can hold a draw by repeating loses nothing.
    least: i32,
    /// The greatest score: a side that is about to lose by repeating gains nothing.
    most: i32,
}

impl Window {
    /// A window that no rule has narrowed yet.
    #[inline(always)]
    pub(super) fn new(alpha: i32, beta: i32) -> Window {
        Window { alpha, beta, least: -INFINITE, most: INFINITE }
    }

    /// Narrows the window to scores of at least a draw. No score is left when beta is less.
    #[inline(always)]
    fn at_least_draw(&mut self) {
        self.least = DRAW;
        self.alpha = self.alpha.max(DRAW);
    }

    /// Narrows the window to scores of at most a draw. No score is left when alpha is greater.
    #[inline(always)]
    fn at_most_draw(&mut self) {
        self.most = DRAW;
        self.beta = self.beta.min(DRAW);
    }

    /// Whether the rules of repetition narrowed it, so that the score holds only on this path.
    #[inline(always)]
    pub(super) fn is_path_dependent(&self) -> bool {
        self.least == DRAW || self.most == DRAW
    }

    /// The score as the rules allow it. A fail-soft score beyond them must not reach the parent, which would store it.
    #[inline(always)]
    pub(super) fn allowed(&self, score: i32) -> i32 {
        score.clamp(self.least, self.most)
    }
}

/// One search thread.
pub(crate) struct Searcher {
    /// 0 for the thread that reports.
    pub(super) id: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) position: Position,
    pub(super) rules: Rules,
    pub(super) history: History,
    pub(super) correction: Correction,
    /// The network's first layer along the line.
    accumulators: Accumulators,
    frames: Box<[Frame; BEFORE_ROOT + MAX_PLY + 2]>,
    pub(super) lines: Box<[Line; MAX_PLY + 2]>,
    pub(super) root_moves: Vec<RootMove>,
    /// The best lines already found in this iteration.
    pub(super) line_index: usize,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    pub(super) root_depth: i32,
    /// Width of the root's window.
    pub(super) root_window: i32,
    /// Where the earliest position stands, in plies from the root and negative before it, whose forbidden repetition decides the mate
    /// score returned last: above that position the score holds only on the present path. Says nothing of other scores.
    pub(super) rests_on: i32,
    /// No null moves before this ply: set while one is verified.
    pub(super) null_min_ply: usize,
    /// Nodes after which this thread stops all; used by the first thread only.
    pub(super) node_limit: u64,
    /// Nodes that the strength limit allows, even while the search waits for a stop.
    pub(super) allowance: u64,
    pub(super) time: Option<super::time::TimeManager>,
    /// Whether the search waits for a stop or a release, and time limits with it.
    pub(super) is_waiting: bool,
    /// Whether the last finished iteration would have been the last one, had the search not waited.
    pub(super) is_due: bool,
    /// Set once this thread has noticed the end of the search.
    pub(super) stopped: bool,
    /// Depth of the last finished iteration.
    pub(super) completed_depth: i32,
    /// Times that a later root move became the best in the running iteration.
    pub(super) best_changes: u32,
    /// The first move of the best line reported last.
    pub(super) reported: Option<Move>,
}

impl Searcher {
    /// A searcher that knows nothing yet; `id` is 0 for the thread that watches the limits and reports.
    pub(crate) fn new(id: usize, shared: Arc<Shared>) -> Searcher {
        Searcher {
            id,
            shared,
            position: Position::startpos(),
            rules: Rules::default(),
            history: History::new(),
            correction: Correction::new(),
            accumulators: Accumulators::new(Arc::clone(crate::eval::embedded()), Position::startpos().board()),
            frames: Box::new([Frame::new(); BEFORE_ROOT + MAX_PLY + 2]),
            lines: Box::new([const { Line::new_const() }; MAX_PLY + 2]),
            root_moves: Vec::new(),
            line_index: 0,
            nodes: 0,
            selective_depth: 0,
            root_depth: 0,
            root_window: 1,
            rests_on: NO_REPETITION,
            null_min_ply: 0,
            node_limit: u64::MAX,
            allowance: u64::MAX,
            time: None,
            is_waiting: false,
            is_due: false,
            stopped: false,
            completed_depth: 0,
            best_changes: 0,
            reported: None,
        }
    }

    /// Replaces the table and the counters.
    pub(crate) fn share(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    /// Forgets everything learnt.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
    }

    /// Prepares the search of a position.
    pub(super) fn set_root(&mut self, position: &Position, settings: &Settings, root_moves: &[RootMove]) {
        self.position.clone_from(position);
        self.rules = settings.rules;
        self.root_moves = root_moves.to_vec();
        self.history.new_search();
        self.frames.fill(Frame::new());
        let board = position.board();
        if Arc::ptr_eq(self.accumulators.network(), &settings.network) {
            self.accumulators.reset(board);
        } else {
            self.accumulators = Accumulators::new(Arc::clone(&settings.network), board);
        }
        let root = &mut self.frames[BEFORE_ROOT];
        board.pieces().for_each(|(piece, square)| root.keys.toggle(piece, square));
        self.line_index = 0;
        self.nodes = 0;
        self.selective_depth = 0;
        self.null_min_ply = 0;
        self.node_limit = u64::MAX;
        self.allowance = u64::MAX;
        self.time = None;
        self.is_due = false;
        self.is_waiting = false;
        self.stopped = false;
        self.completed_depth = 0;
        self.best_changes = 0;
        self.reported = None;
    }

    #[inline(always)]
    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + ply]
    }

    /// The frame `back` plies before `ply`; empty before the root.
    #[inline(always)]
    pub(super) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + ply - back]
    }

    /// What selects the history of the moves at this ply.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        let earlier = CONTINUATIONS.map(|(back, _)| self.earlier(ply, back).piece_to);
        Context { earlier, pawn_key: self.earlier(ply, 0).keys.pawns, ply }
    }

    /// What selects the corrections of the evaluation at this ply.
    #[inline]
    pub(super) fn place(&self, ply: usize) -> Place {
        Place {
            side: self.position.side_to_move(),
            keys: self.earlier(ply, 0).keys,
            last: self.earlier(ply, 1).piece_to,
            earlier: [self.earlier(ply, 2).piece_to, self.earlier(ply, 4).piece_to],
        }
    }

    /// The evaluation without corrections.
    #[inline]
    pub(super) fn raw_evaluation(&mut self) -> i32 {
        let board = self.position.board();
        crate::eval::scaled(board, self.accumulators.evaluate(board))
    }

    /// The evaluation as the search uses it: faded near the natural limit, and corrected by what was learnt.
    #[inline]
    pub(super) fn adjusted(&self, raw: i32, correction: i32) -> i32 {
        super::correction::corrected(crate::eval::faded(raw, self.position.clock(), self.rules.natural_limit), correction)
    }

    /// The corrected evaluation of the present position.
    pub(super) fn static_evaluation(&mut self, ply: usize) -> i32 {
        let raw = self.raw_evaluation();
        self.adjusted(raw, self.correction.value(&self.place(ply)))
    }

    /// Whether the side to move has a rook, a horse or a cannon: without one, passing may be better than any move.
    #[inline]
    pub(super) fn has_major(&self) -> bool {
        self.position.board().has_major(self.position.side_to_move())
    }

    /// The key of the present position in the table. Near the natural limit positions with different counts have different keys,
    /// and so have positions that occurred before: their scores depend on the path.
    #[inline(always)]
    pub(super) fn table_key(&self) -> u64 {
        let key = self.position.board().key();
        let repeated = self.position.repeats() as u64;
        let bucket = match NaturalLimit::of(self.rules.natural_limit).passed_of_last(COUNTED_PLIES, self.position.clock()) {
            0 => 0,
            passed => 1 + passed as u64 / COUNT_STEP,
        };
        key ^ (bucket | repeated << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Whether the natural limit is so near that scores of the table may not hold.
    pub(super) fn is_near_limit(&self) -> bool {
        NaturalLimit::of(self.rules.natural_limit).is_within(self.position.clock(), UNCERTAIN_PLIES)
    }

    /// What the table knows about the present position, with a legal move and the score counted from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let mut entry = self.probe_unchecked(key, ply)?;
        if !entry.mv.is_none() && !self.position.board().is_legal(entry.mv) {
            entry.mv = Move::NONE;
        }
        Some(entry)
    }

    /// As [`Searcher::probe`], but the move may be illegal, if it belongs to another position with the same short key: for nodes that
    /// mostly end without it.
    #[inline]
    pub(super) fn probe_unchecked(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let mut entry = self.shared.table.probe(key)?;
        entry.score = score::from_table(entry.score, ply);
        if is_mate(entry.score) && entry.score != UNKNOWN {
            entry.score = self.within_clock(entry.score, ply);
        }
        Some(entry)
    }

    /// A mate of the table as far as the clock allows: it may have been found at a lower count, and beyond the natural limit the game
    /// is drawn before it (as in Stockfish). What is left is the score of a side that stands very well.
    #[cold]
    fn within_clock(&self, score: i32, ply: usize) -> i32 {
        let distance = ((MATE - score.abs()) as u32).saturating_sub(ply as u32);
        // A mate at the limit itself counts.
        let is_late = distance > 0 && NaturalLimit::of(self.rules.natural_limit).is_within(self.position.clock(), distance - 1);
        if is_late { MAX_EVALUATION * score.signum() } else { score }
    }

    /// Stores an entry, whose score counts from the root, for the present position.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, entry: TableEntry) {
        self.shared.table.store(key, TableEntry { score: score::to_table(entry.score, ply), ..entry });
    }

    /// Prefetches the table's entries of the position after a legal move. The longer before the move is made, the less its search has
    /// to wait for memory.
    #[inline(always)]
    pub(super) fn prefetch(&self, mv: Move) {
        self.shared.table.prefetch(self.position.board().key_after(mv));
    }

    /// Makes a legal move at this ply; `gives_check` says whether it does, where that is known.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, ply: usize, gives_check: Option<bool>) {
        let board = self.position.board();
        let frame = &self.frames[BEFORE_ROOT + ply];
        let mut keys = frame.keys;
        let (piece_to, is_capture) = (PieceTo::of(board, mv), board.is_capture(mv));
        if let Some(piece) = board.piece_on(mv.from()) {
            keys.shift(piece, mv);
        }
        if let Some(victim) = board.piece_on(mv.to()) {
            keys.toggle(victim, mv.to());
        }
        let frame = self.frame(ply);
        (frame.mv, frame.piece_to, frame.is_capture) = (mv, piece_to, is_capture);
        self.frame(ply + 1).keys = keys;
        // The place is known before the other side has the move.
        self.correction.prefetch(&Place { side: !self.position.side_to_move(), ..self.place(ply + 1) });
        self.position.make_checking(mv, gives_check);
        self.accumulators.push(self.position.state());
        self.nodes += 1;
    }

    /// Makes a null move: passes.
    pub(super) fn make_null(&mut self, ply: usize) {
        let frame = self.frame(ply);
        (frame.mv, frame.piece_to, frame.is_capture) = (Move::NONE, PieceTo::NONE, false);
        let keys = frame.keys;
        self.frame(ply + 1).keys = keys;
        self.position.make_null();
        self.accumulators.push(self.position.state());
        self.nodes += 1;
    }

    /// Takes back a move or a null move.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.unmake();
        self.accumulators.pop();
    }

    /// Applies the rules of the game to the present position. Returns the score if they end the line here; otherwise narrows the
    /// window to the result that a side can hold by repeating.
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
            // Mate and stalemate on the board come before the natural limit or the want of attackers, whoever wins draws. In a
            // position that occurred before there was a move.
            Outlook::Over(_) if !self.position.board().has_legal_move() => return None,
            Outlook::Over(GameResult::Draw) => return Some(self.draw()),
            Outlook::Over(GameResult::Loses(color)) => return Some(self.lost_by_rules(color, ply)),
            // The side that is about to lose by repeating can hope for no more than a draw.
            Outlook::GainsNothing(color) if color == self.position.side_to_move() => window.at_most_draw(),
            Outlook::GainsNothing(_) => window.at_least_draw(),
        }
        (window.alpha >= window.beta).then_some(DRAW)
    }

    /// The score of a third occurrence that loses: as if its loser were mated here. Were it better than a mate, a side that is being
    /// mated would rather repeat, and the mate be never seen.
    fn lost_by_rules(&mut self, loser: Color, ply: usize) -> i32 {
        let (states, state) = (self.position.states(), self.position.state());
        let before = states.iter().rev().take(state.reversible as usize + 1).enumerate().skip(1);
        let occurrences = before.filter(|(_, earlier)| earlier.board.key() == state.board.key());
        self.rests_on = occurrences.take(2).last().map_or(NO_REPETITION, |(back, _)| ply as i32 - back as i32);
        if loser == self.position.side_to_move() { mated_in(ply) } else { mate_in(ply) }
    }

    /// What the score of a node rests on after a move of this value, given the best before: a loss rests on all moves, a win on the one
    /// that wins.
    #[inline(always)]
    pub(super) fn rests_on_after(&self, earlier: i32, value: i32, best: i32) -> i32 {
        match value {
            _ if !is_mate(value) => earlier,
            _ if is_win(value) && value > best => self.rests_on,
            _ => self.rests_on.min(earlier),
        }
    }

    /// A result of this ply as the table may keep it: of a mate that rests on the path, only the move. The depth stays, so that the entry
    /// replaces the score of a search that has not seen the mate.
    #[inline]
    pub(super) fn on_any_path(entry: TableEntry, rests_on: i32, ply: usize) -> TableEntry {
        if rests_on >= ply as i32 || !is_mate(entry.score) {
            return entry;
        }
        TableEntry { score: UNKNOWN, bound: TableBound::None, ..entry }
    }

    /// The score of a draw, varied a little so that not all draws look alike to the search (as in Stockfish).
    #[inline]
    pub(super) fn draw(&self) -> i32 {
        DRAW - 1 + (self.nodes & 2) as i32
    }

    /// Puts a move before the line of the next ply: the line of this ply.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (line, rest) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut line[ply], &rest[0]);
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(rest.len());
        let _ = line.try_extend_from_slice(&rest[..room]);
    }

    /// Whether a legal root move is to be searched: neither excluded by the limits nor the first move of a line already found.
    pub(super) fn is_root_move(&self, mv: Move) -> bool {
        self.root_moves[self.line_index..].iter().any(|root| root.mv == mv)
    }

    /// The random part of a root move's score.
    pub(super) fn root_noise(&self, mv: Move) -> i32 {
        self.root_moves.iter().find(|root| root.mv == mv).map_or(0, |root| root.noise)
    }

    /// Stores the result of a root move's search.
    pub(super) fn record_root_move(&mut self, mv: Move, value: i32, is_best: bool, nodes: u64) {
        let selective_depth = self.selective_depth;
        let line = &self.lines[1];
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
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

    /// Whether the search has to end; called at every node.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        // The first nodes may wait for memory all the time and take long.
        let pause = if self.nodes < 4096 { 31 } else { 511 };
        if self.nodes & pause == 0 || self.nodes >= self.node_limit {
            self.look_around();
        }
        // The first iteration is finished unless the time is over: the answer needs a move and a score.
        self.stopped |= self.shared.signals.stopped() && (self.completed_depth > 0 || self.id != 0);
        self.stopped
    }

    /// Publishes the count of nodes, and checks the limits where that is this thread's task.
    #[cold]
    fn look_around(&mut self) {
        self.shared.publish_nodes(self.id, self.nodes);
        if self.id == 0 {
            self.check_limits();
        }
    }

    fn check_limits(&mut self) {
        if self.is_waiting {
            if !self.shared.signals.is_released() {
                // Pondering must not make a weak player strong.
                self.stopped |= self.completed_depth > 0 && self.shared.nodes() >= self.allowance;
                return;
            }
            self.is_waiting = false;
        }
        let is_late = self.time.is_some_and(|time| time.is_over());
        let is_limited = self.node_limit < u64::MAX;
        let is_spent = self.completed_depth > 0 && (self.is_due || is_limited && self.shared.nodes() >= self.node_limit);
        if is_spent || is_late {
            self.shared.signals.stop();
            // With a score for one move there is an answer even before the first iteration is finished.
            self.stopped |= is_late && self.root_moves.iter().any(|root| root.score != -INFINITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_keeps_no_mate_that_rests_on_the_path() {
        let ply = 5;
        for (score, rests_on, is_kept) in [
            (mate_in(11), 4, false),
            (mated_in(10), -3, false),
            (mate_in(11), 5, true),
            (mated_in(10), NO_REPETITION, true),
            (300, 0, true),
        ] {
            let entry = TableEntry { score, depth: 9, bound: TableBound::Lower, ..TableEntry::NONE };
            let kept = Searcher::on_any_path(entry, rests_on, ply);
            assert_eq!((kept == entry, kept.decides(score), kept.depth), (is_kept, is_kept, 9), "{score} resting on {rests_on}");
        }
    }

    #[test]
    fn a_loss_rests_on_all_moves_and_a_win_on_the_one_that_wins() {
        let mut searcher = Searcher::new(0, Arc::new(Shared::new(1, 1)));
        searcher.rests_on = 3;
        for (earlier, value, best, expected) in [
            (7, mated_in(9), -INFINITE, 3),
            (1, mated_in(9), mated_in(7), 1),
            (1, mate_in(9), mated_in(7), 3),
            (1, mate_in(11), mate_in(9), 1),
            (7, 120, 40, 7),
        ] {
            assert_eq!(searcher.rests_on_after(earlier, value, best), expected, "{value} after {best}");
        }
    }

    #[test]
    fn a_mate_of_the_table_beyond_the_natural_limit_is_no_mate() {
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
        searcher.rules.natural_limit = 0;
        searcher.store(7, ply, TableEntry { score: mate_in(ply + 50), ..TableEntry::NONE });
        assert_eq!(searcher.probe_unchecked(7, ply).map(|entry| entry.score), Some(mate_in(ply + 50)));
    }
}
