//! How much less deep late moves are searched, in 1024ths of a ply.
//!
//! Late-move reductions became common with Fruit and Glaurung (2005); the logarithms of depth and move number, and most of the terms,
//! are those of Stockfish.

use super::history::Context;
use super::node::{Candidate, Kind, Node, Pv, Zero};
use super::params;
use super::searcher::Searcher;
use crate::types::score::{INFINITE, UNKNOWN, is_mate};

/// What is known of a node and a move when the reduction is chosen.
#[derive(Clone, Copy, Debug)]
struct Circumstances {
    pv: bool,
    /// Share of the window in the root's, 1024ths.
    window: i32,
    table_pv: bool,
    cut_node: bool,
    has_hash_move: bool,
    hash_move_is_capture: bool,
    /// Whether the table's score is over alpha.
    is_hash_high: bool,
    /// Whether the table's depth is at least the node's.
    is_hash_deep: bool,
    improving: bool,
    gives_check: bool,
    is_capture: bool,
    /// History of the move.
    history: i32,
    /// Correction of the evaluation, centipawns.
    correction: i32,
    /// How many moves of the child failed high so far.
    cutoffs: i32,
    move_count: i32,
    depth: i32,
}

/// The reduction by depth and move number with all terms that depend on the circumstances.
#[inline]
fn adjustment(base: i32, of: &Circumstances) -> i32 {
    let mut reduction = base;
    if of.table_pv {
        reduction -= params::reduction_table_pv();
    }
    if of.pv {
        reduction -= params::reduction_pv() + params::reduction_window() * of.window / 1024;
    }
    reduction -= params::reduction_hash_high() * of.is_hash_high as i32 + params::reduction_hash_deep() * of.is_hash_deep as i32;
    reduction -= params::reduction_count() * of.move_count;
    if of.cut_node {
        reduction += params::reduction_cut_node();
        if !of.has_hash_move {
            reduction += params::reduction_no_hash_move();
        }
    }
    if !of.improving {
        reduction += params::reduction_not_improving();
    }
    if of.hash_move_is_capture {
        reduction += params::reduction_hash_capture();
    }
    if of.gives_check {
        reduction -= params::reduction_check();
    }
    if of.cutoffs > params::reduction_cutoff_limit() {
        reduction += params::reduction_cutoff_count();
    }
    reduction -= of.correction.abs() * params::reduction_correction();
    reduction -= if of.is_capture {
        of.history * params::reduction_capture_history() / 1024
    } else {
        of.history * params::reduction_history() / 1024
    };
    // Where every move is expected to fail low, all are reduced more, the more the shallower the node.
    if !of.pv && !of.cut_node {
        reduction + reduction.max(0) * params::reduction_all_node() / 1024 / (of.depth + 1)
    } else {
        reduction
    }
}

impl Searcher {
    /// Makes a move, searches it and takes it back. Late moves are searched less deep first, all but the first with a window of one
    /// point; what passes is searched again.
    #[inline(always)]
    pub(super) fn search_move<K: Kind>(&mut self, node: &Node, candidate: &Candidate, context: &Context, extension: i32) -> i32 {
        let &Node { ply, depth, move_count, .. } = node;
        let noise = if K::ROOT { self.root_noise(candidate.mv) } else { 0 };
        // A mate has no random part. A bound beyond it would let any move pass as one.
        let without_noise = |bound: i32| if is_mate(bound) { bound } else { bound - noise };
        let (low, high) = (without_noise(node.alpha), without_noise(node.beta));
        let mut new_depth = depth - 1 + extension;
        let mut value = -INFINITE;
        self.make(candidate.mv, ply, candidate.gives_check);
        self.frame(ply).history = candidate.history;
        if depth >= 2 && move_count > 1 {
            (value, new_depth) = self.search_reduced::<K>(node, candidate, context, low, new_depth);
        } else if !K::PV || move_count > 1 {
            value = -self.search(Zero, -low - 1, -low, new_depth, ply + 1, !node.cut_node);
        }
        if K::PV && (move_count == 1 || value > low) {
            // The hash move does not run into quiescence when its entry is deep.
            if candidate.mv == node.entry.mv && node.entry.depth > 1 && self.root_depth > params::hash_move_root_depth() {
                new_depth = new_depth.max(1);
            }
            self.lines[ply + 1].clear();
            value = -self.search(Pv, -high, -low, new_depth, ply + 1, false);
        }
        self.unmake();
        if is_mate(value) { value } else { value + noise }
    }

    /// Late-move reduction: searches a late move less deep, and again when it beats `low`. Returns its score and the depth it earned.
    #[inline(always)]
    fn search_reduced<K: Kind>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        context: &Context,
        low: i32,
        mut new_depth: i32,
    ) -> (i32, i32) {
        let ply = node.ply;
        let reduction = adjustment(
            candidate.reduction,
            &Circumstances {
                pv: K::PV,
                window: if K::PV {
                    ((node.beta - node.alpha) as i64 * 1024 / self.root_window.max(1) as i64).min(1024) as i32
                } else {
                    0
                },
                table_pv: node.was_pv,
                cut_node: node.cut_node,
                has_hash_move: !node.entry.mv.is_none(),
                hash_move_is_capture: node.hash_move_is_capture,
                is_hash_high: node.entry.score != UNKNOWN && node.entry.score > node.alpha,
                is_hash_deep: node.entry.score != UNKNOWN && node.entry.depth >= node.depth,
                improving: node.improving,
                gives_check: self.position.in_check(),
                is_capture: candidate.is_capture,
                history: candidate.history,
                correction: node.correction,
                cutoffs: self.earlier(ply + 1, 0).cutoffs,
                move_count: node.move_count,
                depth: node.depth,
            },
        );
        let reduced = (new_depth - reduction / 1024).clamp(1, new_depth + 1 + K::PV as i32).max(1);
        self.frame(ply).reduction = (new_depth - reduced) * 1024;
        let mut value = -self.search(Zero, -low - 1, -low, reduced, ply + 1, true);
        self.frame(ply).reduction = 0;
        if value > low && reduced < new_depth {
            // The score tells how deep the full search should be (as in Stockfish).
            let is_deeper = value > node.best + params::deeper_margin() + params::deeper_depth() * new_depth;
            let is_shallower = value < node.best + params::shallower_margin();
            new_depth += is_deeper as i32 - is_shallower as i32;
            if new_depth > reduced {
                value = -self.search(Zero, -low - 1, -low, new_depth, ply + 1, !node.cut_node);
            }
            if !candidate.is_capture {
                self.history.learn_searched_again(candidate.piece_to, new_depth, value > low, context);
            }
        }
        (value, new_depth)
    }
}
