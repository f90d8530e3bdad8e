//! The search of one node: alpha-beta with principal-variation windows (Marsland and Campbell 1982).
//!
//! Nodes are of three kinds by their expected result (Knuth and Moore 1975): principal-variation nodes have an open window; at cut
//! nodes the first move is expected to refute the parent's move; at all nodes every move has to be tried.
//!
//! [`Searcher::search`] is the order of the steps: `evaluation` holds those that assess the position, `pruning` those that end the node or
//! skip a move, `extensions` and `reductions` those that choose the depth of a move.

use super::history::{Context, Made, PieceTo, Tried};
use super::interface::Report;
use super::margins;
use super::params;
use super::picker::{Picker, Selection};
use super::searcher::{Frame, NO_REPETITION, Searcher, Window};
use super::table::{TableBound, TableEntry};
use crate::types::Move;
use crate::types::score::{INFINITE, MAX_PLY, UNKNOWN, is_loss, is_mate, mate_in, mated_in};
use std::ops::ControlFlow;

/// The kind of a node, known at compile time.
pub(super) trait Kind {
    /// Whether the window is open.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;

    /// Reports that a move is about to be searched; only at the root.
    fn report(&mut self, _depth: i32, _mv: Move, _number: usize) {}
}

/// The root, with the receiver of its progress.
pub(super) struct Root<'a, 'b>(pub(super) &'a mut Option<&'b mut dyn Report>);
/// A node of a principal variation.
pub(super) struct Pv;
/// Any other node: its window is one point wide.
pub(super) struct Zero;

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
    const ROOT: bool = false;
}

impl Kind for Zero {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known about a node while it is searched.
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Plies to search; the steps change it.
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether a cutoff is expected.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The move that a singular search skips.
    pub(super) excluded: Move,
    /// Whether the score holds only on this path.
    path_dependent: bool,
    /// Key in the table.
    pub(super) key: u64,
    /// What the table knows.
    pub(super) entry: TableEntry,
    pub(super) is_known: bool,
    /// Whether the position is or was on a principal variation.
    pub(super) was_pv: bool,
    pub(super) hash_move_is_capture: bool,
    /// Correction of the evaluation, centipawns.
    pub(super) correction: i32,
    /// Evaluation without correction.
    pub(super) raw: i32,
    /// Corrected evaluation; [`UNKNOWN`] in check, as the other two.
    pub(super) evaluation: i32,
    /// The best estimate of the score: the evaluation, or the table's score where that says more.
    pub(super) estimate: i32,
    /// Whether the side to move stands better than at its last turn.
    pub(super) improving: bool,
    /// Moves searched or pruned so far.
    pub(super) move_count: i32,
    /// The best score so far.
    pub(super) best: i32,
    /// The move that raised alpha last.
    best_move: Move,
    /// What the score rests on where it is a mate, see [`Searcher::rests_on`].
    rests_on: i32,
}

/// A move whose turn it is.
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) piece_to: PieceTo,
    pub(super) is_capture: bool,
    pub(super) history: i32,
    /// Whether the move gives check, where that is cheap to say.
    pub(super) gives_check: Option<bool>,
    /// Late-move reduction by depth and move number alone, 1024ths of a ply.
    pub(super) reduction: i32,
}

impl Searcher {
    /// The score of the present position: exact within the window, else a bound. 0 when the search was stopped.
    pub(super) fn search<K: Kind>(&mut self, kind: K, alpha: i32, beta: i32, depth: i32, ply: usize, cut_node: bool) -> i32 {
        if depth <= 0 {
            return self.quiescence(K::PV, alpha, beta, 0, ply);
        }
        if K::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.must_stop() {
            return 0;
        }
        self.rests_on = NO_REPETITION;

        let mut window = Window::new(alpha, beta);
        if !K::ROOT {
            // Repetition, the natural limit and the end of the stack.
            if let Some(score) = self.narrow_by_rules(&mut window, ply) {
                return score;
            }
            if ply >= MAX_PLY {
                return if self.position.in_check() { self.draw() } else { self.static_evaluation(ply) };
            }
            // Mate-distance pruning: no score here can beat a shorter mate that is known already.
            window.alpha = window.alpha.max(mated_in(ply));
            window.beta = window.beta.min(mate_in(ply + 1));
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }
        let score = self.search_moves(kind, window, depth, ply, cut_node);
        window.allowed(score)
    }

    /// The score of a position that the rules leave open.
    fn search_moves<K: Kind>(&mut self, mut kind: K, window: Window, depth: i32, ply: usize, cut_node: bool) -> i32 {
        let mut node = self.enter::<K>(window, depth, ply, cut_node);
        if !K::PV && node.excluded.is_none() && self.is_table_cutoff(&node) {
            return node.entry.score;
        }
        if cut_node && !node.in_check && !self.earlier(ply, 1).mv.is_none() {
            // The null move comes right after the evaluation: too late for memory.
            self.shared.table.prefetch(self.position.board().key_after_null());
        }
        self.evaluate_node(&mut node);
        self.adjust_depth_by_hindsight::<K>(&mut node);

        if !node.in_check && node.excluded.is_none() {
            if !K::PV && node.is_razored() {
                return self.quiescence(false, node.alpha, node.beta, 0, ply);
            }
            if let Some(score) = node.reverse_futility() {
                return score;
            }
            if let Some(score) = self.null_move(&node) {
                return score;
            }
        }
        node.improving |= !node.in_check && node.evaluation >= node.beta;
        // Internal iterative reduction (Schröder's Rebel): a node without a hash move was never worth a search.
        let reaches = node.depth >= params::iterative_reduction_depth();
        if (K::PV || cut_node) && reaches && node.entry.mv.is_none() && node.excluded.is_none() {
            node.depth -= 1;
        }
        if !K::PV && node.excluded.is_none() {
            if let Some(score) = self.probcut(&node) {
                return score;
            }
            // The table does not count the plies to the natural limit exactly.
            if let Some(score) = node.small_probcut()
                && !self.is_near_limit()
            {
                return score;
            }
        }

        // The moves.
        let mut picker = Picker::new(Selection::All, node.entry.mv, node.in_check, self.context(ply));
        let mut tried = Tried::default();
        let mut prefetched = Move::NONE;
        let original_alpha = node.alpha;
        let may_prune = !K::ROOT && self.has_major();
        while let Some(mv) = picker.next(self.position.board(), &self.history) {
            if mv == node.excluded || (K::ROOT && !self.is_root_move(mv)) {
                continue;
            }
            if mv != prefetched {
                self.prefetch(mv);
            }
            if let Some(upcoming) = picker.upcoming() {
                self.prefetch(upcoming);
                prefetched = upcoming;
            }
            node.move_count += 1;
            self.frame(ply).move_count = node.move_count;
            kind.report(self.root_depth, mv, self.line_index + node.move_count as usize);

            let candidate = self.candidate(&node, mv, &picker);
            if may_prune && !is_loss(node.best) && self.is_pruned(&mut node, &candidate, &mut picker) {
                continue;
            }
            let extension = match self.extension::<K>(&mut node, mv) {
                ControlFlow::Continue(extension) => extension,
                ControlFlow::Break(score) => return score,
            };
            let nodes_before = self.nodes;
            let value = self.search_move::<K>(&node, &candidate, picker.context(), extension);
            if self.stopped {
                return 0;
            }
            if K::ROOT {
                let is_best = node.move_count == 1 || value > node.alpha;
                self.record_root_move(mv, value, is_best, self.nodes - nodes_before);
                self.best_changes += (is_best && node.move_count > 1) as u32;
            }

            node.rests_on = self.rests_on_after(node.rests_on, value, node.best);
            if value > node.best {
                node.best = value;
                if value > node.alpha {
                    node.best_move = mv;
                    if K::PV && !K::ROOT {
                        self.extend_line(ply, mv);
                    }
                    if value >= node.beta {
                        self.frame(ply).cutoffs += (extension < 2 || K::PV) as i32;
                        break;
                    }
                    node.raise_alpha(value);
                }
            }
            if mv != node.best_move {
                tried.push(mv, candidate.is_capture, node.move_count);
            }
        }

        // No legal move is a loss in xiangqi, in check or not.
        if node.move_count == 0 {
            self.rests_on = NO_REPETITION;
            return if !node.excluded.is_none() { node.alpha } else { mated_in(ply) };
        }
        node.blend_fail_high();
        self.learn_from_moves::<K>(&node, &tried, picker.context());
        if node.best <= original_alpha {
            // The flag is inherited from the parent on a fail low (as in Stockfish).
            let table_pv = node.was_pv || self.earlier(ply, 1).table_pv;
            self.frame(ply).table_pv = table_pv;
        }
        self.conclude::<K>(&node);
        self.rests_on = node.rests_on;
        node.best
    }

    /// Prepares the stack for a node and probes the table.
    #[inline(always)]
    fn enter<K: Kind>(&mut self, window: Window, depth: i32, ply: usize, cut_node: bool) -> Node {
        let excluded = self.frame(ply).excluded;
        self.frame(ply + 1).excluded = Move::NONE;
        self.frame(ply + 2).cutoffs = 0;
        self.frame(ply).move_count = 0;
        let key = self.table_key();
        let found = self.probe(key, ply);
        let mut entry = found.unwrap_or(TableEntry::NONE);
        if K::ROOT {
            entry.mv = self.root_moves[self.line_index].mv;
        }
        let was_pv = entry.pv || K::PV;
        if excluded.is_none() {
            self.frame(ply).table_pv = was_pv;
        }
        Node {
            alpha: window.alpha,
            beta: window.beta,
            depth: depth.min(MAX_PLY as i32 - 1),
            ply,
            cut_node,
            in_check: self.position.in_check(),
            excluded,
            path_dependent: window.is_path_dependent(),
            key,
            entry,
            is_known: found.is_some(),
            was_pv,
            hash_move_is_capture: !entry.mv.is_none() && self.position.board().is_capture(entry.mv),
            correction: 0,
            raw: UNKNOWN,
            evaluation: UNKNOWN,
            estimate: UNKNOWN,
            improving: false,
            move_count: 0,
            best: -INFINITE,
            best_move: Move::NONE,
            rests_on: NO_REPETITION,
        }
    }

    /// Whether the table's score answers for the whole node. A quiet move that cuts here earns history.
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
        if entry.score >= beta && !entry.mv.is_none() {
            if !node.hash_move_is_capture {
                let context = self.context(node.ply);
                self.history.learn_table_cutoff(self.position.board(), entry.mv, depth, &context);
            }
            self.blame_previous(node, params::table_blame_count());
        }
        true
    }

    /// Punishes the opponent's last move when it is quiet and was among the first `most` of its node: this node refutes it.
    #[inline(always)]
    fn blame_previous(&mut self, node: &Node, most: i32) {
        let previous = *self.earlier(node.ply, 1);
        if !previous.mv.is_none() && !previous.is_capture && previous.move_count <= most {
            let context = self.context(node.ply - 1);
            self.history.learn_refuted(previous.piece_to, node.depth, &context);
        }
    }

    /// Whether the table does not contradict a deep cutoff one ply further: the entry after the hash move must lie on the same side of
    /// beta (as in Stockfish).
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

    #[inline(always)]
    fn candidate(&self, node: &Node, mv: Move, picker: &Picker) -> Candidate {
        let board = self.position.board();
        let (is_capture, piece_to) = (board.is_capture(mv), PieceTo::of(board, mv));
        let history = if is_capture {
            self.history.capture(board, mv)
        } else {
            self.history.reduction(board.side_to_move(), mv, piece_to, picker.context())
        };
        let gives_check = picker.gives_check_if_known(board, mv);
        Candidate { mv, piece_to, is_capture, history, gives_check, reduction: margins::reduction(node.depth, node.move_count) }
    }

    /// Updates the histories by the best move, or by the opponent's when there is none.
    #[inline(always)]
    fn learn_from_moves<K: Kind>(&mut self, node: &Node, tried: &Tried, context: &Context) {
        let &Node { ply, depth, best_move, .. } = node;
        let previous = *self.earlier(ply, 1);
        let is_quiet = !previous.mv.is_none() && !previous.is_capture;
        if !best_move.is_none() {
            self.history.learn_best(self.position.board(), best_move, best_move == node.entry.mv, depth, tried, context);
            if !K::ROOT {
                self.blame_previous(node, 1);
            }
        } else if is_quiet && !K::ROOT {
            let context = self.context(ply - 1);
            let side = !self.position.side_to_move();
            let Frame { mv, piece_to, move_count: number, history, .. } = previous;
            self.history.learn_fail_low(side, &Made { mv, piece_to, number, history }, depth, &context);
        }
    }

    /// Stores the result in the table and in the correction history.
    #[inline(always)]
    fn conclude<K: Kind>(&mut self, node: &Node) {
        let &Node { ply, depth, best, best_move: mv, evaluation, .. } = node;
        let bound = if best >= node.beta {
            TableBound::Lower
        } else if K::PV && !mv.is_none() {
            TableBound::Exact
        } else {
            TableBound::Upper
        };
        if node.excluded.is_none() && !node.path_dependent && !(K::ROOT && self.line_index > 0) {
            let pv = self.frame(ply).table_pv;
            let entry = TableEntry { mv, score: best, evaluation: node.raw, depth, bound, pv };
            self.store(node.key, ply, Self::on_any_path(entry, node.rests_on, ply));
        }
        // A quiet result outside the evaluation's side of the bound says how far off the evaluation was.
        if !node.in_check
            && node.excluded.is_none()
            && !node.path_dependent
            && (mv.is_none() || !self.position.board().is_capture(mv))
            && !is_mate(best)
            && (bound != TableBound::Lower || best > evaluation)
            && (bound != TableBound::Upper || best < evaluation)
        {
            let place = self.place(ply);
            self.correction.update(&place, depth, best - evaluation);
        }
    }
}

impl Node {
    /// Raises alpha. After a better move the others are less likely to be better still, so they are searched less deep (Stockfish).
    #[inline(always)]
    fn raise_alpha(&mut self, value: i32) {
        self.alpha = value;
        if self.depth > params::raised_alpha_least() && self.depth < params::raised_alpha_most() && !is_mate(value) {
            self.depth -= 1;
        }
    }

    /// A score over beta is drawn towards beta, the more the shallower the search was (Stockfish).
    #[inline(always)]
    fn blend_fail_high(&mut self) {
        let &mut Node { alpha, beta, depth, best, .. } = self;
        if best >= beta && !is_mate(best) && !is_mate(beta) && !is_mate(alpha) {
            self.best = (best * depth + beta) / (depth + 1);
        }
    }
}
