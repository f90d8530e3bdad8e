//! Quiescence search: captures and check evasions until the position is quiet enough to be evaluated (Turing 1953; Harris 1975).

use super::margins::{self, see_ge, victim_value};
use super::params;
use super::picker::{Picker, Selection};
use super::score::{MAX_PLY, UNKNOWN, is_loss, is_mate, mated_in};
use super::searcher::Searcher;
use super::stack::{Node, Window};
use super::table::{DEPTH_CAPTURES, DEPTH_CHECKS, DEPTH_NONE, TableBound, TableEntry};
use crate::types::Move;

impl Searcher {
    /// The score of the current position when only captures and check evasions are searched, and quiet checks in the first plies;
    /// `depth` starts at 0 and decreases.
    pub(super) fn quiescence(&mut self, is_pv: bool, alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        if self.begin_node(is_pv, ply).is_break() {
            return 0;
        }
        let mut window = Window::new(alpha, beta);
        if let Some(score) = self.narrow_by_rules(&mut window, ply) {
            return score;
        }
        if let Some(score) = self.probe_endgame(ply) {
            return window.allowed(score);
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return if in_check { self.draw() } else { self.static_evaluation(ply) };
        }
        let score = self.search_quiescence(is_pv, window, depth, ply, in_check);
        window.allowed(score)
    }

    /// The score of a position that the rules of the game do not decide.
    fn search_quiescence(&mut self, is_pv: bool, window: Window, depth: i32, ply: usize, in_check: bool) -> i32 {
        // An entry of a search without checks must not cut off a search with checks.
        let table_depth = if tries_checks(depth) || in_check { DEPTH_CHECKS } else { DEPTH_CAPTURES };
        let key = self.table_key();
        let mut node = Node::new(window, depth, ply, in_check, key, self.probe_unchecked(key, ply));
        let entry = node.entry;
        if !is_pv && entry.depth >= table_depth && entry.decides(node.beta) && !self.is_near_limit() {
            return entry.score;
        }
        if in_check {
            self.stack[ply].evaluation = UNKNOWN;
        } else if let Some(score) = self.stand_pat(&mut node) {
            return score;
        }

        let original_alpha = node.alpha;
        let has_moves = self.search_captures(&mut node, is_pv);
        if self.run.stopped {
            return 0;
        }
        // No legal move is a loss in xiangqi, in check or not.
        if !has_moves && (in_check || !self.position.board().has_legal_move()) {
            return mated_in(ply);
        }
        if node.best >= node.beta && !is_mate(node.best) {
            node.best = (node.best + node.beta) / 2;
        }
        if !node.path_dependent {
            let bound = if node.best >= node.beta {
                TableBound::Lower
            } else if is_pv && node.best > original_alpha {
                TableBound::Exact
            } else {
                TableBound::Upper
            };
            let (mv, was_pv) = (node.best_move, entry.was_pv || is_pv);
            let entry = TableEntry { mv, score: node.best, evaluation: node.raw, depth: table_depth, bound, was_pv };
            self.store(key, ply, Self::storable(entry, node.repetition_ply, ply));
        }
        self.run.repetition_ply = node.repetition_ply;
        node.best
    }

    /// Stand pat: a side that is not in check need not capture. Returns a score if the evaluation alone causes a cutoff.
    #[inline(always)]
    fn stand_pat(&mut self, node: &mut Node) -> Option<i32> {
        let &mut Node { beta, ply, ref entry, .. } = node;
        node.raw = if entry.evaluation != UNKNOWN { entry.evaluation } else { self.raw_evaluation() };
        let evaluation = self.adjusted(node.raw, self.correction_at(ply));
        node.best = if entry.decides(evaluation) && !is_mate(entry.score) { entry.score } else { evaluation };
        if node.best >= beta {
            if !node.is_known {
                let bare = TableEntry { evaluation: node.raw, was_pv: false, depth: DEPTH_NONE, ..TableEntry::NONE };
                self.store(node.key, ply, bare);
            }
            return Some(if is_mate(node.best) { node.best } else { (node.best + beta) / 2 });
        }
        node.alpha = node.alpha.max(node.best);
        self.stack[ply].evaluation = evaluation;
        None
    }

    /// Searches captures, or evasions in check. Returns whether any legal move was seen.
    #[inline(always)]
    fn search_captures(&mut self, node: &mut Node, is_pv: bool) -> bool {
        let &mut Node { depth, beta, ply, in_check, ref entry, .. } = node;
        // The hash move may be illegal.
        let board = self.position.board();
        let is_wanted = entry.mv.is_some() && (in_check || board.is_capture(entry.mv)) && board.is_legal(entry.mv);
        let hash_move = if is_wanted { entry.mv } else { Move::NONE };
        let threshold = margins::quiescence_exchange();
        let selection = match (in_check, tries_checks(depth)) {
            (true, _) => Selection::All,
            (false, true) => Selection::CapturesAndChecks(threshold),
            (false, false) => Selection::Captures(threshold),
        };
        let mut picker = Picker::new(selection, hash_move, in_check, self.stack.context(ply));
        while let Some(mv) = picker.next(self.position.board(), &self.history) {
            self.prefetch(mv);
            node.move_count += 1;
            if !is_loss(node.best) && self.is_skipped(node, mv, &picker) {
                continue;
            }
            self.make(picker.node_move(self.position.board(), mv), ply);
            let value = -self.quiescence(is_pv, -beta, -node.alpha, depth - 1, ply + 1);
            self.unmake();
            if self.run.stopped {
                break;
            }
            node.repetition_ply = self.repetition_ply_after(node.repetition_ply, value, node.best);
            if value > node.best {
                node.best = value;
                if value > node.alpha {
                    node.best_move = mv;
                    if is_pv {
                        self.stack.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    node.alpha = value;
                }
            }
        }
        picker.found_moves()
    }

    /// Whether a move is pruned. Called only once the best score is not a loss.
    #[inline(always)]
    fn is_skipped(&self, node: &mut Node, mv: Move, picker: &Picker) -> bool {
        let board = self.position.board();
        let gives_check = || picker.gives_check(board, mv);
        if node.in_check {
            // One evasion that does not lose shows that there is no mate, and there are many quiet ones.
            if node.move_count > params::quiescence_evasions() && !board.is_capture(mv) {
                return true;
            }
        } else if board.is_capture(mv) && !self.is_recapture(mv, node.ply) {
            if node.move_count > params::quiescence_captures() && !gives_check() {
                return true;
            }
            // Futility (delta pruning): even with the captured piece the evaluation stays below alpha.
            let futility = self.stack[node.ply].evaluation + params::quiescence_futility();
            let value = futility + victim_value(board, mv);
            if value <= node.alpha && !gives_check() {
                node.best = node.best.max(value);
                return true;
            }
            if futility <= node.alpha && !see_ge(board, mv, 1) {
                node.best = node.best.max(futility);
                return true;
            }
        }
        // The picker has already tested captures when not in check, but not the hash move.
        (node.in_check || mv == node.entry.mv) && !see_ge(board, mv, margins::quiescence_exchange())
    }

    /// Whether a move has the same destination as the opponent's last move.
    #[inline(always)]
    fn is_recapture(&self, mv: Move, ply: usize) -> bool {
        let last = self.stack.before(ply, 1).current.mv;
        last.is_some() && mv.to() == last.to()
    }
}

/// Whether quiet checks are searched at this depth.
#[inline(always)]
fn tries_checks(depth: i32) -> bool {
    depth > -params::quiescence_checks()
}
