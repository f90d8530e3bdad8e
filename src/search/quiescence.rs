//! Quiescence: captures and evasions of checks until the position is quiet enough to be evaluated (Turing 1953; Harris 1975).
//!

use super::margins::{self, see_ge, victim_value};
use super::params;
use super::picker::{Picker, Selection};
use super::searcher::{NO_REPETITION, Searcher, Window};
use super::table::{DEPTH_CAPTURES, DEPTH_CHECKS, DEPTH_NONE, TableBound, TableEntry};
use crate::types::Move;
use crate::types::score::{INFINITE, MAX_PLY, UNKNOWN, is_loss, is_mate, mated_in};

/// What is known about a node of quiescence while it is searched.
struct Node {
    is_pv: bool,
    depth: i32,
    /// Whether quiet checks are searched too.
    tries_checks: bool,
    alpha: i32,
    beta: i32,
    ply: usize,
    in_check: bool,
    key: u64,
    /// What the table knows; its move may be illegal.
    entry: TableEntry,
    is_known: bool,
    /// Evaluation without correction; [`UNKNOWN`] in check.
    raw: i32,
    /// The evaluation and what a capture may hope to gain above its captured piece.
    futility: i32,
    /// Where the last move went.
    last: Move,
    move_count: i32,
    /// Whether a legal move was found.
    has_moves: bool,
    best: i32,
    /// What the score rests on where it is a mate, see [`Searcher::rests_on`].
    rests_on: i32,
}

impl Searcher {
    /// The score of the present position when only captures and evasions of checks are searched, and quiet checks in the first plies;
    /// `depth` is 0 at first and falls.
    pub(super) fn quiescence(&mut self, is_pv: bool, alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        if is_pv {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.must_stop() {
            return 0;
        }
        self.rests_on = NO_REPETITION;
        let mut window = Window::new(alpha, beta);
        if let Some(score) = self.narrow_by_rules(&mut window, ply) {
            return score;
        }
        let in_check = self.position.in_check();
        if ply >= MAX_PLY {
            return if in_check { self.draw() } else { self.static_evaluation(ply) };
        }
        let score = self.search_quiescence(is_pv, window, depth, ply, in_check);
        window.allowed(score)
    }

    /// The score of a position that the rules leave open.
    fn search_quiescence(&mut self, is_pv: bool, window: Window, depth: i32, ply: usize, in_check: bool) -> i32 {
        let tries_checks = depth > -params::quiescence_checks();
        // Entries without checks do not answer where checks are tried.
        let table_depth = if tries_checks || in_check { DEPTH_CHECKS } else { DEPTH_CAPTURES };
        let key = self.table_key();
        let found = self.probe_unchecked(key, ply);
        let entry = found.unwrap_or(TableEntry::NONE);
        if !is_pv && entry.depth >= table_depth && entry.decides(window.beta) && !self.is_near_limit() {
            return entry.score;
        }
        let mut node = Node {
            is_pv,
            depth,
            tries_checks,
            alpha: window.alpha,
            beta: window.beta,
            ply,
            in_check,
            key,
            entry,
            is_known: found.is_some(),
            raw: UNKNOWN,
            futility: UNKNOWN,
            last: self.earlier(ply, 1).mv,
            move_count: 0,
            has_moves: false,
            best: -INFINITE,
            rests_on: NO_REPETITION,
        };
        if in_check {
            self.frame(ply).evaluation = UNKNOWN;
        } else if let Some(score) = self.stand_pat(&mut node) {
            return score;
        }

        let original_alpha = node.alpha;
        let best_move = self.search_captures(&mut node);
        if self.stopped {
            return 0;
        }
        // No legal move is a loss in xiangqi, in check or not.
        if !node.has_moves && (in_check || !self.position.board().has_legal_move()) {
            return mated_in(ply);
        }
        if node.best >= node.beta && !is_mate(node.best) {
            node.best = (node.best + node.beta) / 2;
        }
        if !window.is_path_dependent() {
            let bound = if node.best >= node.beta {
                TableBound::Lower
            } else if is_pv && node.best > original_alpha {
                TableBound::Exact
            } else {
                TableBound::Upper
            };
            let pv = entry.pv || is_pv;
            let entry = TableEntry { mv: best_move, score: node.best, evaluation: node.raw, depth: table_depth, bound, pv };
            self.store(key, ply, Self::on_any_path(entry, node.rests_on, ply));
        }
        self.rests_on = node.rests_on;
        node.best
    }

    /// Stand pat: out of check a side need not capture. Returns a score when that is enough for a cutoff.
    #[inline(always)]
    fn stand_pat(&mut self, node: &mut Node) -> Option<i32> {
        let &mut Node { beta, ply, ref entry, .. } = node;
        node.raw = if entry.evaluation != UNKNOWN { entry.evaluation } else { self.raw_evaluation() };
        let evaluation = self.adjusted(node.raw, self.correction.value(&self.place(ply)));
        node.best = if entry.decides(evaluation) && !is_mate(entry.score) { entry.score } else { evaluation };
        if node.best >= beta {
            if !node.is_known {
                let bare = TableEntry { evaluation: node.raw, pv: false, depth: DEPTH_NONE, ..TableEntry::NONE };
                self.store(node.key, ply, bare);
            }
            return Some(if is_mate(node.best) { node.best } else { (node.best + beta) / 2 });
        }
        node.alpha = node.alpha.max(node.best);
        node.futility = evaluation + params::quiescence_futility();
        self.frame(ply).evaluation = evaluation;
        None
    }

    /// Searches captures, or evasions in check. Returns the move that raised alpha last.
    #[inline(always)]
    fn search_captures(&mut self, node: &mut Node) -> Move {
        let &mut Node { is_pv, depth, beta, ply, in_check, ref entry, .. } = node;
        let board = self.position.board();
        let is_wanted = !entry.mv.is_none() && (in_check || board.is_capture(entry.mv)) && board.is_legal(entry.mv);
        let hash_move = if is_wanted { entry.mv } else { Move::NONE };
        let threshold = margins::quiescence_exchange();
        let selection = match (in_check, node.tries_checks) {
            (true, _) => Selection::All,
            (false, true) => Selection::CapturesAndChecks(threshold),
            (false, false) => Selection::Captures(threshold),
        };
        let mut picker = Picker::new(selection, hash_move, in_check, self.context(ply));
        let mut best_move = Move::NONE;
        while let Some(mv) = picker.next(self.position.board(), &self.history) {
            self.prefetch(mv);
            node.move_count += 1;
            if !is_loss(node.best) && self.is_capture_given_up(node, mv, &picker) {
                continue;
            }
            self.make(mv, ply, picker.gives_check_if_known(self.position.board(), mv));
            let value = -self.quiescence(is_pv, -beta, -node.alpha, depth - 1, ply + 1);
            self.unmake();
            if self.stopped {
                break;
            }
            node.rests_on = self.rests_on_after(node.rests_on, value, node.best);
            if value > node.best {
                node.best = value;
                if value > node.alpha {
                    best_move = mv;
                    if is_pv {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    node.alpha = value;
                }
            }
        }
        node.has_moves = picker.found_moves();
        best_move
    }

    /// Whether a move is not searched, once another one does not lose.
    #[inline(always)]
    fn is_capture_given_up(&self, node: &mut Node, mv: Move, picker: &Picker) -> bool {
        let board = self.position.board();
        let gives_check = || picker.gives_check(board, mv);
        let is_recapture = !node.last.is_none() && mv.to() == node.last.to();
        if node.in_check {
            // One evasion that does not lose shows that it is no mate; quiet ones are many.
            if node.move_count > params::quiescence_evasions() && !board.is_capture(mv) {
                return true;
            }
        } else if !is_recapture && board.is_capture(mv) {
            if node.move_count > params::quiescence_captures() && !gives_check() {
                return true;
            }
            // Futility (delta pruning): even the captured piece does not bring the evaluation up to alpha.
            let value = node.futility + victim_value(board, mv);
            if value <= node.alpha && !gives_check() {
                node.best = node.best.max(value);
                return true;
            }
            if node.futility <= node.alpha && !see_ge(board, mv, 1) {
                node.best = node.best.max(node.futility);
                return true;
            }
        }
        // The picker has asked for captures out of check, but not for the hash move.
        (node.in_check || mv == node.entry.mv) && !see_ge(board, mv, margins::quiescence_exchange())
    }
}
