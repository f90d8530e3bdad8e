//! The search of one node: alpha-beta with principal-variation windows (Marsland and Campbell 1982).
//!
//! Nodes are of three kinds by their expected result (Knuth and Moore 1975): principal-variation nodes have an open window; at cut-nodes
//! the first move is expected to refute the parent's move; at all-nodes no move is, so that every move has to be tried.
//!
//! The file reads from top to bottom in the order in which a node is searched: [`Searcher::search`] applies the rules,
//! [`Searcher::search_node`] lists the steps, and the steps follow below in that order.

use super::history::{NodeMove, Tried};
use super::interface::{PvNode, Report, Score};
use super::margins::{self, see_ge, victim_value};
use super::params;
use super::picker::{Picker, Selection};
use super::score::{INFINITE, MAX_PLY, UNKNOWN, is_loss, is_mate, is_win, mate_in, mated_in};
use super::searcher::Searcher;
use super::stack::{NO_REPETITION, Node, Window};
use super::table::{DEPTH_NONE, TableBound, TableEntry};
use crate::board::Board;
use crate::types::Move;
use std::ops::ControlFlow;

/// The type of a node, known at compile time.
pub(super) trait Kind {
    /// Whether the window is open.
    const PV: bool = false;
    /// Whether it is the root.
    const ROOT: bool = false;
    /// Whether a move is excluded: a nested search of a node whose stack frame belongs to the outer search.
    const SINGULAR: bool = false;

    /// The move to skip.
    #[inline(always)]
    fn excluded(&self) -> Move {
        Move::NONE
    }

    /// Reports the move about to be searched; does nothing except at the root.
    #[inline(always)]
    fn report(&mut self, _depth: i32, _mv: Move, _number: usize) {}
}

/// The root, with the sink for progress reports.
pub(super) struct Root<'a, 'b>(pub(super) &'a mut Option<&'b mut dyn Report>);
/// A node of a principal variation.
struct Pv;
/// Any other node: its window has width one.
struct ZeroWindow;
/// A node searched without its hash move, to find out whether that move is the only good one.
struct Singular(Move);

impl Kind for Root<'_, '_> {
    const PV: bool = true;
    const ROOT: bool = true;

    fn report(&mut self, depth: i32, mv: Move, number: usize) {
        if let Some(report) = self.0.as_deref_mut() {
            report.current_move(depth, mv, number);
        }
    }
}

impl Kind for Pv {
    const PV: bool = true;
}

impl Kind for ZeroWindow {}

impl Kind for Singular {
    const SINGULAR: bool = true;

    #[inline(always)]
    fn excluded(&self) -> Move {
        self.0
    }
}

impl Searcher {
    /// The score of the current position: exact inside the window, a bound outside it. 0 when the search was stopped.
    pub(super) fn search<K: Kind>(&mut self, kind: K, alpha: i32, beta: i32, depth: i32, ply: usize, cut_node: bool) -> i32 {
        if depth <= 0 {
            return self.quiescence(K::PV, alpha, beta, 0, ply);
        }
        if self.begin_node(K::PV, ply).is_break() {
            return 0;
        }

        let mut window = Window::new(alpha, beta);
        if !K::ROOT {
            // Repetition, the natural limit and the end of the stack.
            if let Some(score) = self.narrow_by_rules(&mut window, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if self.position.in_check() { self.draw() } else { self.static_evaluation(ply) };
            }
            if !K::SINGULAR
                && let Some(score) = self.probe_endgame(ply)
            {
                return window.allowed(score);
            }
            // Mate-distance pruning: no score here can beat a shorter mate that is already known.
            window.alpha = window.alpha.max(mated_in(ply));
            window.beta = window.beta.min(mate_in(ply + 1));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        let score = self.search_node(kind, window, depth, ply, cut_node);
        window.allowed(score)
    }

    /// The score of a position that the rules of the game do not decide.
    fn search_node<K: Kind>(&mut self, mut kind: K, window: Window, depth: i32, ply: usize, cut_node: bool) -> i32 {
        let mut node = self.enter::<K>(window, depth, ply, cut_node);
        if !K::PV && !K::SINGULAR && self.is_table_cutoff(&node) {
            return node.entry.score;
        }
        if cut_node && !node.in_check && self.stack.before(ply, 1).current.mv.is_some() {
            // The null move comes directly after the evaluation; prefetching there would be too late.
            self.shared.table.prefetch(self.position.board().key_after_null());
        }
        self.evaluate_node::<K>(&mut node);
        self.adjust_depth_by_hindsight::<K>(&mut node);
        if let Some(score) = self.prune_node::<K>(&mut node) {
            return score;
        }

        let original_alpha = node.alpha;
        let mut picker = Picker::new(Selection::All, node.entry.mv, node.in_check, self.stack.context(ply));
        let mut tried = Tried::default();
        if let ControlFlow::Break(score) = self.search_moves(&mut kind, &mut node, &mut picker, &mut tried) {
            return score;
        }
        // No legal move is a loss in xiangqi, in check or not.
        if node.move_count == 0 {
            self.run.repetition_ply = NO_REPETITION;
            return if K::SINGULAR { node.alpha } else { mated_in(ply) };
        }
        node.blend_fail_high();
        self.learn_from_moves::<K>(&node, &tried, &picker);
        if node.best <= original_alpha && !K::SINGULAR {
            // The flag is inherited from the parent on a fail low (as in Stockfish).
            self.stack[ply].was_pv |= self.stack.before(ply, 1).was_pv;
        }
        self.conclude::<K>(&node);
        self.run.repetition_ply = node.repetition_ply;
        node.best
    }

    /// Prepares the stack for a node and probes the table.
    #[inline(always)]
    fn enter<K: Kind>(&mut self, window: Window, depth: i32, ply: usize, cut_node: bool) -> Node {
        self.stack[ply + 2].cutoffs = 0;
        let key = self.table_key();
        let mut node = Node::new(window, depth.min(MAX_PLY as i32 - 1), ply, self.position.in_check(), key, self.probe(key, ply));
        if K::ROOT {
            node.entry.mv = self.run.root_moves[self.run.line_index].mv;
        }
        node.cut_node = cut_node;
        node.hash_move_is_capture = node.entry.mv.is_some() && self.position.board().is_capture(node.entry.mv);
        if !K::SINGULAR {
            self.stack[ply].was_pv = node.entry.was_pv || K::PV;
        }
        node
    }

    /// Whether the position is or was on a principal variation. In a singular search the flag in the frame belongs to the outer search.
    #[inline(always)]
    fn was_pv<K: Kind>(&self, node: &Node) -> bool {
        if K::SINGULAR { node.entry.was_pv } else { self.stack[node.ply].was_pv }
    }

    /// Whether the table's score cuts the node off. On a fail high a quiet hash move gets a history bonus, and the opponent's last move a
    /// malus.
    #[inline(always)]
    fn is_table_cutoff(&mut self, node: &Node) -> bool {
        let &Node { beta, depth, cut_node, ref entry, .. } = node;
        let is_cutoff = entry.depth > depth - (entry.score <= beta) as i32
            && entry.decides(beta)
            && (cut_node == (entry.score >= beta) || depth > params::table_cut_depth())
            && !self.is_near_limit();
        if !is_cutoff || !self.is_confirmed_below(node) {
            return false;
        }
        if entry.score >= beta && entry.mv.is_some() {
            if !node.hash_move_is_capture {
                let context = self.stack.context(node.ply);
                self.history.learn_table_cutoff(self.position.board(), entry.mv, depth, &context);
            }
            self.penalize_previous(node, params::table_blame_count());
        }
        true
    }

    /// Whether the table entry after the hash move does not contradict a deep cutoff: its score must be on the same side of beta (as in
    /// Stockfish).
    #[inline(always)]
    fn is_confirmed_below(&mut self, node: &Node) -> bool {
        let &Node { beta, depth, ply, ref entry, .. } = node;
        if depth < params::table_check_depth() || entry.mv.is_none() || is_mate(entry.score) {
            return true;
        }
        self.position.make(entry.mv);
        let next = self.probe_unchecked(self.table_key(), ply + 1);
        self.position.unmake();
        next.is_none_or(|next| next.score == UNKNOWN || (entry.score >= beta) == (-next.score >= beta))
    }

    /// Lowers the history of the opponent's last move, which this node refutes, if it is quiet and was among the first `most` moves of
    /// its node.
    #[inline(always)]
    fn penalize_previous(&mut self, node: &Node, most: i32) {
        let previous = self.stack.before(node.ply, 1).current;
        if previous.is_quiet() && previous.number <= most {
            let context = self.stack.context(node.ply - 1);
            self.history.learn_refuted(previous.piece_to, node.depth, &context);
        }
    }

    /// Computes the static evaluation and its trend, and updates the history of the opponent's last move by the change of evaluation.
    #[inline(always)]
    fn evaluate_node<K: Kind>(&mut self, node: &mut Node) {
        let ply = node.ply;
        node.correction = self.correction_at(ply);
        if node.in_check {
            self.stack[ply].evaluation = UNKNOWN;
            return;
        }
        if K::SINGULAR {
            node.raw = node.entry.evaluation;
            node.estimate = self.stack[ply].evaluation;
        } else {
            let is_stored = node.is_known && node.entry.evaluation != UNKNOWN;
            node.raw = if is_stored { node.entry.evaluation } else { self.raw_evaluation() };
            node.estimate = self.adjusted(node.raw, node.correction);
            self.stack[ply].evaluation = node.estimate;
            if !node.is_known {
                let bare =
                    TableEntry { evaluation: node.raw, was_pv: self.stack[ply].was_pv, depth: DEPTH_NONE, ..TableEntry::NONE };
                self.store(node.key, ply, bare);
            } else if node.entry.decides(node.estimate) && !is_mate(node.entry.score) {
                node.estimate = node.entry.score;
            }
        }
        let evaluation = self.stack[ply].evaluation;
        let before = |back: usize| Some(self.stack.before(ply, back).evaluation).filter(|&value| value != UNKNOWN);
        node.improving = before(2).or(before(4)).is_none_or(|earlier| evaluation > earlier);

        let previous = self.stack.before(ply, 1);
        if !K::SINGULAR && previous.current.is_quiet() && previous.evaluation != UNKNOWN {
            let sum = previous.evaluation + evaluation;
            self.history.learn_evaluation_change(!self.position.side_to_move(), &previous.current, sum);
        }
    }

    /// Hindsight (as in Stockfish): adjusts the depth when the evaluation shows that the parent's reduction was too large or too small.
    #[inline(always)]
    fn adjust_depth_by_hindsight<K: Kind>(&mut self, node: &mut Node) {
        // Cleared on reading: a singular or verification search enters the same node again, at its own depth.
        let reduction = if K::ROOT { 0 } else { std::mem::take(&mut self.stack[node.ply - 1].reduction) };
        let (before, evaluation) = (self.stack.before(node.ply, 1).evaluation, self.stack[node.ply].evaluation);
        let are_known = !node.in_check && before != UNKNOWN;
        let opponent_worsening = are_known && evaluation > -before;
        if reduction >= params::hindsight_deeper() && !opponent_worsening {
            node.depth += 1;
        } else if reduction >= params::hindsight_shallower()
            && node.depth >= params::hindsight_depth()
            && are_known
            && evaluation + before > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }

    /// The steps before the move loop that may prune the node or reduce its depth. Returns the score if the node is pruned.
    #[inline(always)]
    fn prune_node<K: Kind>(&mut self, node: &mut Node) -> Option<i32> {
        if !node.in_check && !K::SINGULAR {
            // Razoring (Birmingham and Kent 1977): far below alpha only captures can help.
            if !K::PV && node.estimate < node.alpha - margins::razoring(node.depth) && !is_mate(node.alpha) {
                return Some(self.quiescence(false, node.alpha, node.beta, 0, node.ply));
            }
            if !self.was_pv::<K>(node)
                && let Some(score) = node.reverse_futility()
            {
                return Some(score);
            }
            if let Some(score) = self.null_move(node) {
                return Some(score);
            }
        }
        node.improving |= !node.in_check && self.stack[node.ply].evaluation >= node.beta;
        // Internal iterative reduction (Schröder's Rebel): a node without a hash move has not been worth searching so far.
        let is_deep = node.depth >= params::iterative_reduction_depth();
        if (K::PV || node.cut_node) && is_deep && node.entry.mv.is_none() && !K::SINGULAR {
            node.depth -= 1;
        }
        if !K::PV && !K::SINGULAR {
            if let Some(score) = self.probcut(node) {
                return Some(score);
            }
            // The table does not count the plies to the natural limit exactly.
            return node.small_probcut().filter(|_| !self.is_near_limit());
        }
        None
    }

    /// Null-move pruning (Donninger 1993), verified at high depth (Tabibi and Netanyahu 2002): a side that can afford to pass is far ahead.
    #[inline(always)]
    fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { beta, depth, ply, cut_node, estimate, .. } = node;
        if !cut_node
            || self.stack.before(ply, 1).current.mv.is_none()
            || estimate < beta
            || self.stack[ply].evaluation < beta + margins::null_move(depth)
            || ply < self.run.null_min_ply
            || is_loss(beta)
            || !self.has_major()
        {
            return None;
        }
        let reduced = depth - margins::null_reduction(depth, estimate - beta);
        self.make_null(ply);
        let score = -self.search(ZeroWindow, -beta, -beta + 1, reduced, ply + 1, false);
        self.unmake();
        if self.run.stopped {
            return Some(0);
        }
        if score < beta || is_win(score) {
            return None;
        }
        if self.run.null_min_ply > 0 || depth < params::null_verification_depth() {
            return Some(score);
        }
        self.run.null_min_ply = ply + params::null_verification_share() as usize * reduced.max(0) as usize / 4;
        let verified = self.search(ZeroWindow, beta - 1, beta, reduced, ply, false);
        self.run.null_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat beta in a deep one.
    #[inline(always)]
    fn probcut(&mut self, node: &Node) -> Option<i32> {
        let &Node { beta, depth, ref entry, .. } = node;
        if node.in_check || depth < params::probcut_depth() || is_mate(beta) {
            return None;
        }
        let bound = beta + margins::probcut(node.improving);
        if entry.score != UNKNOWN && entry.depth >= depth - params::probcut_table_depth() && entry.score < bound {
            return None;
        }
        self.probcut_captures(node, bound)
    }

    #[inline(never)]
    fn probcut_captures(&mut self, node: &Node, bound: i32) -> Option<i32> {
        let &Node { beta, ply, ref entry, .. } = node;
        let threshold = bound - self.stack[ply].evaluation;
        let is_good = node.hash_move_is_capture && see_ge(self.position.board(), entry.mv, threshold);
        let hash_move = if is_good { entry.mv } else { Move::NONE };
        let mut picker = Picker::new(Selection::Captures(threshold), hash_move, false, self.stack.context(ply));
        let reduced = node.depth - params::probcut_reduction();
        loop {
            let mv = picker.next(self.position.board(), &self.history)?;
            self.prefetch(mv);
            self.make(picker.node_move(self.position.board(), mv), ply);
            let mut value = -self.quiescence(false, -bound, -bound + 1, -1, ply + 1);
            if value >= bound && reduced > 0 {
                value = -self.search(ZeroWindow, -bound, -bound + 1, reduced, ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.run.stopped {
                return Some(0);
            }
            if value >= bound {
                let (depth, was_pv) = (reduced + 1, self.stack[ply].was_pv);
                let found = TableEntry { mv, score: value, evaluation: node.raw, depth, bound: TableBound::Lower, was_pv };
                self.store(node.key, ply, Self::storable(found, self.run.repetition_ply, ply));
                return Some(if is_mate(value) { value } else { value - (bound - beta) });
            }
        }
    }

    /// The move loop. Breaks with a score when a singular search ends the node, or when the search was stopped.
    #[inline(always)]
    fn search_moves<K: Kind>(
        &mut self,
        kind: &mut K,
        node: &mut Node,
        picker: &mut Picker,
        tried: &mut Tried,
    ) -> ControlFlow<i32> {
        let mut prefetched = Move::NONE;
        let may_prune = !K::ROOT && self.has_major();
        while let Some(mv) = picker.next(self.position.board(), &self.history) {
            if (K::SINGULAR && mv == kind.excluded()) || (K::ROOT && !self.is_root_move(mv)) {
                continue;
            }
            if mv != prefetched {
                self.prefetch(mv);
            }
            node.move_count += 1;
            let may_prune = may_prune && !is_loss(node.best);
            // Late-move pruning, by move number. The quiet moves that it skips need no prefetch.
            if may_prune && node.move_count >= margins::late_move_count(node.depth, node.improving) {
                picker.only_checks();
            }
            if let Some(upcoming) = picker.upcoming() {
                self.prefetch(upcoming);
                prefetched = upcoming;
            }
            kind.report(self.run.root_depth, mv, self.run.line_index + node.move_count as usize);

            let current = self.current_move(node, mv, picker);
            if may_prune && self.is_pruned(node, &current, picker) {
                continue;
            }
            let extension = self.extension::<K>(node, mv)?;
            let nodes_before = self.run.nodes;
            let value = self.search_move::<K>(node, &current, picker, extension);
            if self.run.stopped {
                return ControlFlow::Break(0);
            }
            if K::ROOT {
                let is_best = node.move_count == 1 || value > node.alpha;
                self.record_root_move(mv, value, is_best, self.run.nodes - nodes_before);
                self.run.best_changes += (is_best && node.move_count > 1 && self.run.line_index == 0) as u32;
            }

            node.repetition_ply = self.repetition_ply_after(node.repetition_ply, value, node.best);
            if value > node.best {
                node.best = value;
                if value > node.alpha {
                    node.best_move = mv;
                    if K::PV && !K::ROOT {
                        self.stack.extend_line(node.ply, mv);
                    }
                    if value >= node.beta {
                        self.stack[node.ply].cutoffs += (extension < 2 || K::PV) as i32;
                        break;
                    }
                    node.raise_alpha(value);
                }
            }
            if mv != node.best_move {
                tried.push(mv, current.is_capture, node.move_count);
            }
        }
        ControlFlow::Continue(())
    }

    /// A move with its history and its number in the node.
    #[inline(always)]
    fn current_move(&self, node: &Node, mv: Move, picker: &Picker) -> NodeMove {
        let board = self.position.board();
        let mut current = picker.node_move(board, mv);
        current.number = node.move_count;
        if current.is_capture {
            current.history = self.history.capture(board, mv);
        } else {
            let context = picker.context();
            current.exposure = context.threats(board).exposure(mv);
            current.history = self.history.reduction(board.side_to_move(), mv, current.exposure, current.piece_to, context);
        }
        current
    }

    /// Whether a move is pruned. Restricts the picker to checks when the later quiet moves would be pruned too.
    #[inline(always)]
    fn is_pruned(&self, node: &mut Node, current: &NodeMove, picker: &mut Picker) -> bool {
        let &mut Node { depth, move_count, improving, .. } = node;
        let board = self.position.board();
        let gives_check = || current.gives_check.unwrap_or_else(|| picker.gives_check(board, current.mv));
        // The depth at which the move would be searched.
        let reduction = margins::reduction(depth, move_count) + params::pruning_not_improving() * !improving as i32
            - current.history / params::pruning_depth_history();
        let reduced_depth = (depth - 1 - reduction / 1024).max(0);
        if current.is_capture {
            self.is_capture_pruned(node, current, reduced_depth, gives_check)
        } else if gives_check() {
            // A sacrifice with check may lose more material at higher depth.
            !quiet_see_ge(board, current, margins::exchange_check(depth))
        } else {
            self.is_quiet_pruned(node, current, reduced_depth, picker)
        }
    }

    #[inline(always)]
    fn is_capture_pruned(&self, node: &Node, current: &NodeMove, reduced_depth: i32, gives_check: impl FnOnce() -> bool) -> bool {
        let &NodeMove { mv, history, .. } = current;
        let board = self.position.board();
        // Futility pruning (Heinz 1998): even with the captured piece the evaluation stays below alpha.
        let gain = || victim_value(board, mv) + margins::capture_futility(reduced_depth, history);
        if !node.in_check
            && reduced_depth < params::capture_futility_limit()
            && self.stack[node.ply].evaluation + gain() <= node.alpha
            && !gives_check()
        {
            return true;
        }
        // Exchange pruning.
        !see_ge(board, mv, margins::exchange_capture(node.depth, history))
    }

    #[inline(always)]
    fn is_quiet_pruned(&self, node: &mut Node, current: &NodeMove, reduced_depth: i32, picker: &mut Picker) -> bool {
        // History pruning.
        let history = self.history.pruning(current.piece_to, picker.context());
        if reduced_depth < params::history_pruning_limit() && history < margins::history_pruning(node.depth) {
            return true;
        }
        // Futility pruning (Heinz 1998): the evaluation is too far below alpha for this and all later quiet moves.
        let futility = self.stack[node.ply].evaluation + margins::futility(reduced_depth, history);
        if !node.in_check && reduced_depth < params::futility_limit() && futility <= node.alpha {
            if node.best <= futility && !is_mate(node.best) {
                node.best = futility;
            }
            picker.only_checks();
            return true;
        }
        // Exchange pruning.
        !quiet_see_ge(self.position.board(), current, margins::exchange_quiet(reduced_depth))
    }

    /// The extension of a move in plies; may be negative. Singular extension (Anantharaman, Campbell and Hsu 1988; restricted to the
    /// hash move as in Stockfish): searches the other moves against a lower bound to find out whether the hash move is the only good
    /// one. Breaks with a score when another move causes a cutoff too, or when the search was stopped.
    #[inline(always)]
    fn extension<K: Kind>(&mut self, node: &mut Node, mv: Move) -> ControlFlow<i32, i32> {
        let &mut Node { beta, depth, ply, cut_node, entry, correction, .. } = node;
        let was_pv = self.was_pv::<K>(node);
        let deepest = self.run.root_depth * params::extension_plies_depth() + params::extension_plies_base();
        if K::ROOT
            || K::SINGULAR
            || mv != entry.mv
            || depth < params::singular_depth() + was_pv as i32
            || entry.depth < depth - params::singular_table_depth()
            || !entry.bound.is_lower()
            || entry.score == UNKNOWN
            || is_mate(entry.score)
            || ply as i32 >= deepest
        {
            return ControlFlow::Continue(0);
        }
        let bound = entry.score - margins::singular(depth, was_pv && !K::PV);
        let score = self.search(Singular(mv), bound - 1, bound, (depth - 1) * params::singular_share() / 64, ply, cut_node);
        if self.run.stopped {
            return ControlFlow::Break(0);
        }
        if score < bound {
            let extra = margins::singular_extra(K::PV, correction);
            let triple = params::triple_margin() + params::triple_capture_margin() * node.hash_move_is_capture as i32;
            let is_under = |margin: i32| score < bound - margin - extra;
            let extension = 1 + is_under(params::double_margin()) as i32 + is_under(triple) as i32;
            node.depth += (!K::PV && depth < params::singular_deeper_depth() && extension > 1) as i32;
            ControlFlow::Continue(extension)
        } else if score >= beta && !is_mate(score) {
            // Multi-cut (Björnsson and Marsland 1999): another move beats beta too.
            ControlFlow::Break(score)
        } else if entry.score >= beta {
            ControlFlow::Continue(-params::negative_extension_beta())
        } else if cut_node {
            ControlFlow::Continue(-params::negative_extension_cut())
        } else {
            ControlFlow::Continue(0)
        }
    }

    /// Makes a move, searches it and unmakes it. Late moves are first searched at reduced depth, and all but the first move of a
    /// principal-variation node with a zero window; a move that beats alpha is searched again.
    #[inline(always)]
    fn search_move<K: Kind>(&mut self, node: &Node, current: &NodeMove, picker: &Picker, extension: i32) -> i32 {
        let &Node { ply, depth, move_count, .. } = node;
        let noise = if K::ROOT { self.root_noise(current.mv) } else { 0 };
        // Mate scores get no noise: it would move a bound beyond all mates and make any move look like a mate.
        let without_noise = |bound: i32| if is_mate(bound) { bound } else { bound - noise };
        let (low, high) = (without_noise(node.alpha), without_noise(node.beta));
        let mut new_depth = depth - 1 + extension;
        let mut value = -INFINITE;
        self.make(*current, ply);
        if depth >= 2 && move_count > 1 {
            (value, new_depth) = self.search_reduced::<K>(node, current, picker, low, new_depth);
        } else if !K::PV || move_count > 1 {
            // A first move that looks bad is not worth the full depth (as in Stockfish).
            let is_bad =
                !K::PV && depth >= 2 && new_depth > 1 && self.reduction::<K>(node, current) > params::first_move_reduction();
            let depth = new_depth - is_bad as i32;
            value = -self.search(ZeroWindow, -low - 1, -low, depth, ply + 1, !node.cut_node);
        }
        if K::PV && (move_count == 1 || value > low) {
            // A hash move with a deep entry is not dropped into quiescence.
            if current.mv == node.entry.mv && node.entry.depth > 1 && self.run.root_depth > params::hash_move_root_depth() {
                new_depth = new_depth.max(1);
            }
            self.stack.line(ply + 1).clear();
            value = -self.search(Pv, -high, -low, new_depth, ply + 1, false);
        }
        self.unmake();
        if is_mate(value) { value } else { value + noise }
    }

    /// Late-move reduction: searches a late move at reduced depth, and again when it beats `low`. Returns the score and the depth for a
    /// full search.
    #[inline(always)]
    fn search_reduced<K: Kind>(
        &mut self,
        node: &Node,
        current: &NodeMove,
        picker: &Picker,
        low: i32,
        mut new_depth: i32,
    ) -> (i32, i32) {
        let ply = node.ply;
        let reduced = new_depth - self.reduction::<K>(node, current) / 1024;
        let reduced = reduced.clamp(1, new_depth + 1 + K::PV as i32).max(1);
        self.stack[ply].reduction = (new_depth - reduced) * 1024;
        let mut value = -self.search(ZeroWindow, -low - 1, -low, reduced, ply + 1, true);
        self.stack[ply].reduction = 0;
        if value > low && reduced < new_depth {
            // The score adjusts the depth of the full search (as in Stockfish).
            let is_deeper = value > node.best + params::deeper_margin() + params::deeper_depth() * new_depth;
            let is_shallower = value < node.best + params::shallower_margin();
            new_depth += is_deeper as i32 - is_shallower as i32;
            if new_depth > reduced {
                value = -self.search(ZeroWindow, -low - 1, -low, new_depth, ply + 1, !node.cut_node);
            }
            if !current.is_capture {
                self.history.learn_searched_again(current.piece_to, new_depth, value > low, picker.context());
            }
        }
        (value, new_depth)
    }

    /// The reduction of a late move that has already been made, in 1024ths of a ply. Late-move reductions became common with Fruit and
    /// Glaurung (2005); the logarithms of depth and move number, and most of the terms, come from Stockfish.
    #[inline(always)]
    fn reduction<K: Kind>(&self, node: &Node, current: &NodeMove) -> i32 {
        let &Node { alpha, beta, depth, ply, cut_node, ref entry, .. } = node;
        let is_scored = entry.score != UNKNOWN;
        let mut reduction = margins::reduction(depth, node.move_count);
        reduction -= params::reduction_table_pv() * self.was_pv::<K>(node) as i32;
        if K::PV {
            // The width of the window relative to the root window.
            let share = ((beta - alpha) as i64 * 1024 / self.run.root_window.max(1) as i64).min(1024) as i32;
            reduction -= params::reduction_pv() + params::reduction_window() * share / 1024;
        }
        reduction -= params::reduction_hash_high() * (is_scored && entry.score > alpha) as i32;
        reduction -= params::reduction_hash_deep() * (is_scored && entry.depth >= depth) as i32;
        reduction -= params::reduction_count() * node.move_count;
        if cut_node {
            reduction += params::reduction_cut_node() + params::reduction_no_hash_move() * entry.mv.is_none() as i32;
        }
        reduction += params::reduction_not_improving() * !node.improving as i32;
        reduction += params::reduction_hash_capture() * node.hash_move_is_capture as i32;
        reduction -= params::reduction_check() * self.position.in_check() as i32;
        let fails_high_often = self.stack[ply + 1].cutoffs > params::reduction_cutoff_limit();
        reduction += params::reduction_cutoff_count() * fails_high_often as i32;
        reduction -= node.correction.abs() * params::reduction_correction();
        let weight = if current.is_capture { params::reduction_capture_history() } else { params::reduction_history() };
        reduction -= current.history * weight / 1024;
        // At expected all-nodes every move is reduced more, and most at low depth.
        if !K::PV && !cut_node {
            reduction += reduction.max(0) * params::reduction_all_node() / 1024 / (depth + 1);
        }
        reduction
    }

    /// Updates the histories: by the best move, or by the opponent's last move if no move raised alpha.
    #[inline(always)]
    fn learn_from_moves<K: Kind>(&mut self, node: &Node, tried: &Tried, picker: &Picker) {
        let &Node { ply, depth, best_move, .. } = node;
        let previous = self.stack.before(ply, 1).current;
        if best_move.is_some() {
            let is_hash_move = best_move == node.entry.mv;
            self.history.learn_best(self.position.board(), best_move, is_hash_move, depth, tried, picker.context());
            if !K::ROOT {
                self.penalize_previous(node, 1);
            }
        } else if previous.is_quiet() && !K::ROOT {
            let context = self.stack.context(ply - 1);
            let is_surprise = !node.in_check && node.best <= self.stack[ply].evaluation - params::fail_low_surprise_margin();
            self.history.learn_fail_low(!self.position.side_to_move(), &previous, depth, is_surprise, &context);
        }
    }

    /// Stores the result in the table and updates the correction history.
    #[inline(always)]
    fn conclude<K: Kind>(&mut self, node: &Node) {
        let &Node { ply, depth, best, best_move: mv, .. } = node;
        // The score of a root without its best moves, because they are excluded or begin other lines, is not that of the position.
        let is_partial = K::ROOT && (self.run.is_restricted || self.run.line_index > 0);
        if K::SINGULAR || node.path_dependent || is_partial {
            return;
        }
        let bound = if best >= node.beta {
            TableBound::Lower
        } else if K::PV && mv.is_some() {
            TableBound::Exact
        } else {
            TableBound::Upper
        };
        let was_pv = self.stack[ply].was_pv;
        let entry = TableEntry { mv, score: best, evaluation: node.raw, depth, bound, was_pv };
        self.store(node.key, ply, Self::storable(entry, node.repetition_ply, ply));
        if K::PV && bound == TableBound::Exact && self.run.pv_nodes.is_some() {
            self.collect(node);
        }
        // A quiet result whose bound excludes the evaluation measures the error of the evaluation.
        let evaluation = self.stack[ply].evaluation;
        if !node.in_check
            && (mv.is_none() || !self.position.board().is_capture(mv))
            && !is_mate(best)
            && (bound != TableBound::Lower || best > evaluation)
            && (bound != TableBound::Upper || best < evaluation)
        {
            let features = self.stack.features(ply, self.position.side_to_move());
            self.correction.update(&features, depth, best - evaluation);
        }
    }

    /// Adds a node with an exact score to the list of them, unless the position has a deeper score there.
    #[cold]
    fn collect(&mut self, node: &Node) {
        let &Node { ply, depth, best, best_move, in_check, .. } = node;
        let Some(list) = &mut self.run.pv_nodes else { return };
        let key = self.position.board().key();
        let is_deeper = |found: &PvNode| found.key == key && found.depth > depth;
        if ply == 0 || in_check || is_mate(best) || self.position.board().is_capture(best_move) || list.iter().any(is_deeper) {
            return;
        }
        list.retain(|found| found.key != key);
        let line = (0..ply).map(|ply| self.stack[ply].current.mv).collect();
        list.push(PvNode { line, score: Score::of(best), depth, key });
    }
}

/// [`see_ge`] for a quiet move and a threshold of at most 0. Most quiet moves go where nothing can capture.
#[inline(always)]
fn quiet_see_ge(board: &Board, current: &NodeMove, threshold: i32) -> bool {
    debug_assert!(threshold <= 0 && current.is_quiet());
    current.exposure.rules_out_capture(board, current.mv) || see_ge(board, current.mv, threshold)
}

impl Node {
    /// Reverse futility pruning (static null move): an estimate far above beta is assumed to hold. Returns a score between the two.
    #[inline(always)]
    fn reverse_futility(&self) -> Option<i32> {
        let &Node { beta, depth, estimate, .. } = self;
        let is_cut = depth <= params::reverse_futility_depth()
            && (self.entry.mv.is_none() || self.hash_move_is_capture)
            && estimate >= beta
            && estimate - margins::reverse_futility(depth, self.improving, self.correction) >= beta
            && !is_loss(beta)
            && !is_win(estimate);
        let blend = params::reverse_futility_blend();
        is_cut.then_some((blend * beta + (3 - blend) * estimate) / 3)
    }

    /// Small ProbCut (Stockfish): the table already has a lower bound far above beta.
    #[inline(always)]
    fn small_probcut(&self) -> Option<i32> {
        let &Node { beta, depth, ref entry, .. } = self;
        let bound = beta + params::small_probcut_margin();
        let is_cut = entry.bound.is_lower()
            && entry.depth >= depth - params::small_probcut_depth()
            && entry.score >= bound
            && entry.score != UNKNOWN
            && !is_mate(beta)
            && !is_mate(entry.score);
        is_cut.then_some(bound)
    }

    /// Raises alpha. The remaining moves are now less likely to be better still, so the depth is reduced (Stockfish).
    #[inline(always)]
    fn raise_alpha(&mut self, value: i32) {
        self.alpha = value;
        if self.depth > params::raised_alpha_least() && self.depth < params::raised_alpha_most() && !is_mate(value) {
            self.depth -= 1;
        }
    }

    /// Moves a score above beta towards beta, by more the shallower the search (Stockfish).
    #[inline(always)]
    fn blend_fail_high(&mut self) {
        let &mut Node { alpha, beta, depth, best, .. } = self;
        if best >= beta && !is_mate(best) && !is_mate(beta) && !is_mate(alpha) {
            self.best = (best * depth + beta) / (depth + 1);
        }
    }
}
