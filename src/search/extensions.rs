//! Extensions: deeper searches of moves that matter more than others, and shallower ones of those that matter less.

use super::margins;
use super::node::{Kind, Node, Zero};
use super::params;
use super::searcher::Searcher;
use crate::types::Move;
use crate::types::score::{UNKNOWN, is_mate};
use std::ops::ControlFlow;

impl Searcher {
    /// Singular extension (Anantharaman, Campbell and Hsu 1988; restricted to the hash move as in Stockfish): searches the other moves
    /// with a lower bound to learn whether the hash move is the only good one. Breaks with a score when the search shows that the node
    /// is a cutoff anyway, or was stopped.
    #[inline(always)]
    pub(super) fn extension<K: Kind>(&mut self, node: &mut Node, mv: Move) -> ControlFlow<i32, i32> {
        let &mut Node { beta, depth, ply, cut_node, entry, correction, .. } = node;
        let deepest = self.root_depth * params::extension_plies_depth() + params::extension_plies_base();
        if K::ROOT
            || mv != entry.mv
            || !node.excluded.is_none()
            || depth < params::singular_depth() + node.was_pv as i32
            || entry.depth < depth - params::singular_table_depth()
            || !entry.bound.is_lower()
            || entry.score == UNKNOWN
            || is_mate(entry.score)
            || ply as i32 >= deepest
        {
            return ControlFlow::Continue(0);
        }
        let bound = entry.score - margins::singular(depth, node.was_pv && !K::PV);
        self.frame(ply).excluded = mv;
        let score = self.search(Zero, bound - 1, bound, (depth - 1) / 2, ply, cut_node);
        self.frame(ply).excluded = Move::NONE;
        self.frame(ply).move_count = node.move_count;
        if self.stopped {
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
}
