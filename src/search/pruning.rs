//! Pruning: what ends a node before its moves are searched, and which moves are not searched.

use super::margins::{self, see_ge, victim_value};
use super::node::{Candidate, Node, Zero};
use super::params;
use super::picker::{Picker, Selection};
use super::searcher::Searcher;
use super::table::{TableBound, TableEntry};
use crate::types::Move;
use crate::types::score::{UNKNOWN, is_loss, is_mate, is_win};

impl Node {
    /// Razoring (Birmingham and Kent 1977): far under alpha only captures can help.
    #[inline(always)]
    pub(super) fn is_razored(&self) -> bool {
        self.estimate < self.alpha - margins::razoring(self.depth) && !is_mate(self.alpha)
    }

    /// Reverse futility, or static null move: a position far over beta stays there. Returns a score between the two.
    #[inline(always)]
    pub(super) fn reverse_futility(&self) -> Option<i32> {
        let &Node { beta, depth, estimate, .. } = self;
        let is_cut = !self.was_pv
            && depth <= params::reverse_futility_depth()
            && (self.entry.mv.is_none() || self.hash_move_is_capture)
            && estimate >= beta
            && estimate - margins::reverse_futility(depth, self.improving, self.correction) >= beta
            && !is_loss(beta)
            && !is_win(estimate);
        let blend = params::reverse_futility_blend();
        is_cut.then_some((blend * beta + (3 - blend) * estimate) / 3)
    }

    /// Small ProbCut (Stockfish): the table has a bound far over beta already.
    #[inline(always)]
    pub(super) fn small_probcut(&self) -> Option<i32> {
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
}

impl Searcher {
    /// Null move (Donninger 1993), verified at high depth (Tabibi and Netanyahu 2002): a side that can afford to pass stands well
    /// enough.
    #[inline(always)]
    pub(super) fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { beta, depth, ply, cut_node, estimate, evaluation, .. } = node;
        if !cut_node
            || self.earlier(ply, 1).mv.is_none()
            || estimate < beta
            || evaluation < beta + margins::null_move(depth)
            || ply < self.null_min_ply
            || is_loss(beta)
            || !self.has_major()
        {
            return None;
        }
        let reduced = depth - margins::null_reduction(depth, estimate - beta);
        self.make_null(ply);
        let score = -self.search(Zero, -beta, -beta + 1, reduced, ply + 1, false);
        self.unmake();
        if self.stopped {
            return Some(0);
        }
        if score < beta || is_win(score) {
            return None;
        }
        if self.null_min_ply > 0 || depth < params::null_verification_depth() {
            return Some(score);
        }
        self.null_min_ply = ply + params::null_verification_share() as usize * reduced.max(0) as usize / 4;
        let verified = self.search(Zero, beta - 1, beta, reduced, ply, false);
        self.null_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat beta in a deep one.
    #[inline(always)]
    pub(super) fn probcut(&mut self, node: &Node) -> Option<i32> {
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
        let threshold = bound - self.frame(ply).evaluation;
        let is_good = node.hash_move_is_capture && see_ge(self.position.board(), entry.mv, threshold);
        let hash_move = if is_good { entry.mv } else { Move::NONE };
        let mut picker = Picker::new(Selection::Captures(threshold), hash_move, false, self.context(ply));
        let reduced = node.depth - params::probcut_reduction();
        loop {
            let mv = picker.next(self.position.board(), &self.history)?;
            self.prefetch(mv);
            self.make(mv, ply, picker.gives_check_if_known(self.position.board(), mv));
            let mut value = -self.quiescence(false, -bound, -bound + 1, -1, ply + 1);
            if value >= bound && reduced > 0 {
                value = -self.search(Zero, -bound, -bound + 1, reduced, ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if value >= bound {
                let (depth, pv) = (reduced + 1, self.frame(ply).table_pv);
                let found = TableEntry { mv, score: value, evaluation: node.raw, depth, bound: TableBound::Lower, pv };
                self.store(node.key, ply, Self::on_any_path(found, self.rests_on, ply));
                return Some(if is_mate(value) { value } else { value - (bound - beta) });
            }
        }
    }

    /// Whether a move is not worth a search at all. Tells the picker when no later quiet move is either.
    #[inline(always)]
    pub(super) fn is_pruned(&self, node: &mut Node, candidate: &Candidate, picker: &mut Picker) -> bool {
        let &mut Node { depth, move_count, improving, .. } = node;
        // Late-move pruning, by number.
        if move_count >= margins::late_move_count(depth, improving) {
            picker.only_checks();
        }
        let board = self.position.board();
        let gives_check = || candidate.gives_check.unwrap_or_else(|| picker.gives_check(board, candidate.mv));
        // The depth that the move would be searched with.
        let reduction = candidate.reduction - candidate.history / params::pruning_depth_history();
        let reduced_depth = (depth - 1 - reduction / 1024).max(0);
        if candidate.is_capture {
            self.is_capture_pruned(node, candidate, reduced_depth, gives_check)
        } else if gives_check() {
            // A sacrifice with check, the deeper the more.
            !see_ge(board, candidate.mv, margins::exchange_check(depth))
        } else {
            self.is_quiet_pruned(node, candidate, reduced_depth, picker)
        }
    }

    #[inline(always)]
    fn is_capture_pruned(
        &self,
        node: &Node,
        candidate: &Candidate,
        reduced_depth: i32,
        gives_check: impl FnOnce() -> bool,
    ) -> bool {
        let &Candidate { mv, history, .. } = candidate;
        let board = self.position.board();
        // Futility pruning (Heinz 1998): even the captured piece does not bring the evaluation up to alpha.
        let gain = || victim_value(board, mv) + margins::capture_futility(reduced_depth, history);
        if !node.in_check
            && reduced_depth < params::capture_futility_limit()
            && node.evaluation + gain() <= node.alpha
            && !gives_check()
        {
            return true;
        }
        // Exchange pruning.
        !see_ge(board, mv, margins::exchange_capture(node.depth, history))
    }

    #[inline(always)]
    fn is_quiet_pruned(&self, node: &mut Node, candidate: &Candidate, reduced_depth: i32, picker: &mut Picker) -> bool {
        let &Candidate { mv, piece_to, .. } = candidate;
        let board = self.position.board();
        // History pruning.
        let history = self.history.pruning(piece_to, picker.context());
        if reduced_depth < params::history_pruning_limit() && history < margins::history_pruning(node.depth) {
            return true;
        }
        // Futility pruning (Heinz 1998): the evaluation is too far under alpha for this move and those after it.
        let futility = node.evaluation + margins::futility(reduced_depth, history);
        if !node.in_check && reduced_depth < params::futility_limit() && futility <= node.alpha {
            if node.best <= futility && !is_mate(node.best) {
                node.best = futility;
            }
            picker.only_checks();
            return true;
        }
        // Exchange pruning.
        !see_ge(board, mv, margins::exchange_quiet(reduced_depth))
    }
}
