//! The steps of a node that assess its position: static evaluation, its trend, and the depth in hindsight.

use super::node::{Kind, Node};
use super::params;
use super::searcher::Searcher;
use super::table::{DEPTH_NONE, TableEntry};
use crate::types::score::{UNKNOWN, is_mate};

impl Searcher {
    /// The static evaluation, its trend, and what its change says about the opponent's last move.
    #[inline(always)]
    pub(super) fn evaluate_node(&mut self, node: &mut Node) {
        let ply = node.ply;
        node.correction = self.correction.value(&self.place(ply));
        if node.in_check {
            self.frame(ply).evaluation = UNKNOWN;
            return;
        }
        if !node.excluded.is_none() {
            node.raw = node.entry.evaluation;
            node.estimate = self.frame(ply).evaluation;
        } else {
            let is_stored = node.is_known && node.entry.evaluation != UNKNOWN;
            node.raw = if is_stored { node.entry.evaluation } else { self.raw_evaluation() };
            node.estimate = self.adjusted(node.raw, node.correction);
            self.frame(ply).evaluation = node.estimate;
            if !node.is_known {
                let bare = TableEntry { evaluation: node.raw, pv: node.was_pv, depth: DEPTH_NONE, ..TableEntry::NONE };
                self.store(node.key, ply, bare);
            } else if node.entry.decides(node.estimate) && !is_mate(node.entry.score) {
                node.estimate = node.entry.score;
            }
        }
        node.evaluation = self.frame(ply).evaluation;
        let before = |back: usize| Some(self.earlier(ply, back).evaluation).filter(|&value| value != UNKNOWN);
        node.improving = before(2).or(before(4)).is_none_or(|earlier| node.evaluation > earlier);

        let previous = self.earlier(ply, 1);
        if node.excluded.is_none() && !previous.mv.is_none() && !previous.is_capture && previous.evaluation != UNKNOWN {
            let (mv, sum) = (previous.mv, previous.evaluation + node.evaluation);
            self.history.learn_evaluation_change(!self.position.side_to_move(), mv, sum);
        }
    }

    /// Hindsight (as in Stockfish): the evaluation shows that the parent's reduction was too large, or not large enough.
    #[inline(always)]
    pub(super) fn adjust_depth_by_hindsight<K: Kind>(&mut self, node: &mut Node) {
        // Read once: a singular or verification search enters the same node again, at a depth of its own.
        let reduction = if K::ROOT { 0 } else { std::mem::take(&mut self.frame(node.ply - 1).reduction) };
        let previous = self.earlier(node.ply, 1);
        let are_known = !node.in_check && previous.evaluation != UNKNOWN;
        let opponent_worsening = are_known && node.evaluation > -previous.evaluation;
        if reduction >= params::hindsight_deeper() && !opponent_worsening {
            node.depth += 1;
        } else if reduction >= params::hindsight_shallower()
            && node.depth >= params::hindsight_depth()
            && are_known
            && node.evaluation + previous.evaluation > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }
}
