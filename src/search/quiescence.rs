//! Quiescence: captures until the position is quiet enough to be evaluated. Floor 4.

use super::margins;
use super::params;
use super::picker::{EXCHANGE_VALUES, Ordering, Picker, Selection, victim_value};
use super::table::{DEPTH_NONE, Entry, TableBound};
use super::worker::{Judgement, Worker};
use crate::types::Move;
use crate::types::score::{INFINITE, MAX_PLY, UNKNOWN, is_decided, is_loss, mated_in};

impl Worker {
    /// The score of the present position when only captures, and evasions of checks, are played on.
    pub(super) fn quiescence(&mut self, is_pv: bool, mut alpha: i32, mut beta: i32, ply: usize) -> i32 {
        if is_pv {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.must_stop() {
            return 0;
        }
        let mut path_dependent = false;
        match self.judge(ply) {
            Judgement::Open => {}
            Judgement::Over(score) => return score,
            Judgement::AtMost(bound) => (beta, path_dependent) = (beta.min(bound), true),
            Judgement::AtLeast(bound) => (alpha, path_dependent) = (alpha.max(bound), true),
        }
        if path_dependent && alpha >= beta {
            return alpha;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return if in_check { self.draw() } else { self.static_evaluation(ply) };
        }

        let key = self.table_key();
        let found = self.probe(key, ply);
        let is_known = found.is_some();
        let entry = found.unwrap_or(Entry::NONE);
        let was_pv = entry.pv || is_pv;
        let usable = |score: i32, over: i32| {
            score != UNKNOWN && if score >= over { entry.bound.is_lower() } else { entry.bound.is_upper() }
        };
        if !is_pv && entry.depth >= 0 && usable(entry.score, beta) && !self.is_near_limit() {
            return entry.score;
        }

        // Standing pat: not to capture is always possible out of check.
        let mut best = -INFINITE;
        let mut raw = UNKNOWN;
        let mut evaluation = UNKNOWN;
        if !in_check {
            raw = if entry.evaluation != UNKNOWN { entry.evaluation } else { self.raw_evaluation() };
            evaluation = self.adjusted(raw, self.correction.value(&self.place(ply)));
            best = evaluation;
            if usable(entry.score, evaluation) && !is_decided(entry.score) {
                best = entry.score;
            }
            if best >= beta {
                if !is_decided(best) {
                    best = (best + beta) / 2;
                }
                if !is_known {
                    self.store(key, ply, Entry { evaluation: raw, pv: false, depth: DEPTH_NONE, ..Entry::NONE });
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        self.frame(ply).evaluation = evaluation;

        let futility = evaluation.saturating_add(params::quiescence_futility());
        let hash_move =
            if in_check || (!entry.mv.is_none() && self.position.board().is_capture(entry.mv)) { entry.mv } else { Move::NONE };
        let selection = if in_check { Selection::All } else { Selection::Captures(-params::quiescence_exchange()) };
        let mut picker = Picker::new(selection, hash_move, in_check);
        let contexts = self.contexts(ply);
        let pawn_key = self.pawn_key(ply);
        let last_goal = self.earlier(ply, 1).mv;
        let original_alpha = alpha;
        let mut best_move = Move::NONE;
        let mut move_count = 0;
        loop {
            let ordering = Ordering { history: &self.history, contexts: &contexts, pawn_key, ply };
            let Some(mv) = picker.next(self.position.board(), in_check, &ordering) else { break };
            move_count += 1;
            let board = self.position.board();
            if !is_loss(best) {
                let is_recapture = !last_goal.is_none() && mv.to() == last_goal.to();
                if in_check {
                    // One evasion that does not lose is enough to know that it is no mate; quiet ones are many.
                    if move_count > 3 && !board.is_capture(mv) {
                        continue;
                    }
                } else if !is_recapture {
                    if move_count > 3 && !board.gives_check(mv) {
                        continue;
                    }
                    let value = futility + victim_value(board, mv);
                    if value <= alpha && !board.gives_check(mv) {
                        best = best.max(value);
                        continue;
                    }
                    if futility <= alpha && !board.see_ge(mv, 1, &EXCHANGE_VALUES) {
                        best = best.max(futility);
                        continue;
                    }
                }
                if !board.see_ge(mv, margins::quiescence_exchange(), &EXCHANGE_VALUES) {
                    continue;
                }
            }
            self.make(mv, ply);
            let value = -self.quiescence(is_pv, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if is_pv {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }

        // No legal move is a loss in xiangqi, in check or not.
        if move_count == 0 && (in_check || self.position.board().count_legal_moves() == 0) {
            return mated_in(ply);
        }
        if best >= beta && !is_decided(best) {
            best = (best + beta) / 2;
        }
        if !path_dependent {
            let bound = if best >= beta {
                TableBound::Lower
            } else if is_pv && best > original_alpha {
                TableBound::Exact
            } else {
                TableBound::Upper
            };
            self.store(key, ply, Entry { mv: best_move, score: best, evaluation: raw, depth: 0, bound, pv: was_pv });
        }
        best
    }
}
