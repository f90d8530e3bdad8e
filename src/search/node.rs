//! The search of one node: alpha-beta with principal-variation windows. Floor 4.
//!
//! Nodes are of three kinds by what is expected of them (Knuth and Moore 1975): principal-variation nodes have an open
//! window; at cut nodes the first move is expected to refute the parent's; at all nodes every move has to be tried.

use super::history::{self, PieceTo};
use super::margins;
use super::params;
use super::picker::{EXCHANGE_VALUES, Ordering, Picker, Selection, victim_value};
use super::reductions::{self, Circumstances};
use super::report::Report;
use super::table::{DEPTH_NONE, Entry, TableBound};
use super::worker::{Judgement, Worker};
use crate::types::score::{self, INFINITE, MAX_PLY, UNKNOWN, is_decided, is_loss, is_win, mate_in, mated_in};
use crate::types::{Move, MoveList};

/// The kind of a node, known at compile time.
pub(super) trait Kind {
    /// Whether the window is open.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;

    /// Tells that a move is about to be searched; only the root has somebody to tell it to.
    fn tell(&mut self, _depth: i32, _mv: Move, _number: usize) {}
}

/// The root, with who hears of its progress.
pub(super) struct Root<'a, 'b>(pub(super) &'a mut Option<&'b mut dyn Report>);
/// On a principal variation.
pub(super) struct Pv;
/// All others, with a window of one point.
pub(super) struct Zero;

impl Kind for Root<'_, '_> {
    const PV: bool = true;
    const ROOT: bool = true;

    fn tell(&mut self, depth: i32, mv: Move, number: usize) {
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

/// What a node knows before it tries moves.
#[derive(Clone, Copy)]
struct Scene {
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
    cut_node: bool,
    improving: bool,
    /// Evaluation without corrections.
    raw: i32,
    /// The best guess of the score: the evaluation, or the table's score where that says more.
    estimate: i32,
    correction: i32,
    /// Key of the table.
    key: u64,
    /// What the table knows.
    entry: Entry,
}

impl Worker {
    /// The score of the present position, exact within the window, else a bound. 0 when the search was stopped.
    pub(super) fn search<K: Kind>(
        &mut self,
        mut kind: K,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        mut cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiescence(K::PV, alpha, beta, ply);
        }
        if K::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.must_stop() {
            return 0;
        }
        let depth_limit = self.root_depth * 2 + 16;
        depth = depth.min(MAX_PLY as i32 - 1);
        let excluded = self.frame(ply).excluded;

        // The rules, the end of the stack, and mates that cannot be improved on.
        let mut path_dependent = false;
        if !K::ROOT {
            match self.judge(ply) {
                Judgement::Open => {}
                Judgement::Over(score) => return score,
                Judgement::AtMost(bound) => {
                    (beta, path_dependent) = (beta.min(bound), true);
                }
                Judgement::AtLeast(bound) => {
                    (alpha, path_dependent) = (alpha.max(bound), true);
                }
            }
            if path_dependent && alpha >= beta {
                return alpha;
            }
            if ply >= MAX_PLY {
                return if self.position.in_check() { self.draw() } else { self.static_evaluation(ply) };
            }
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let in_check = self.position.in_check();
        let previous = *self.earlier(ply, 1);
        self.frame(ply + 1).excluded = Move::NONE;
        self.frame(ply + 2).cutoffs = 0;
        self.frame(ply).move_count = 0;

        // The transposition table.
        let key = self.table_key();
        let found = self.probe(key, ply);
        let is_known = found.is_some();
        let mut entry = found.unwrap_or(Entry::NONE);
        if K::ROOT {
            entry.mv = self.root_moves[self.line_index].mv;
        }
        let was_pv = entry.pv || K::PV;
        if excluded.is_none() {
            self.frame(ply).table_pv = was_pv;
        }
        let hash_move_is_capture = !entry.mv.is_none() && self.position.board().is_capture(entry.mv);
        let usable = |score: i32, bound: TableBound, over: i32| {
            score != UNKNOWN && if score >= over { bound.is_lower() } else { bound.is_upper() }
        };
        if !K::PV
            && excluded.is_none()
            && entry.depth > depth - (entry.score <= beta) as i32
            && usable(entry.score, entry.bound, beta)
            && (cut_node == (entry.score >= beta) || depth > 5)
            && !self.is_near_limit()
        {
            if entry.score >= beta && !entry.mv.is_none() && !hash_move_is_capture {
                let contexts = self.contexts(ply);
                let (pawn_key, bonus) = (self.pawn_key(ply), history::bonus(depth));
                self.history.update_quiet(self.position.board(), entry.mv, &contexts, pawn_key, ply, bonus);
            }
            return entry.score;
        }

        // The static evaluation.
        let correction = self.correction.value(&self.place(ply));
        let raw;
        let mut estimate;
        if in_check {
            (raw, estimate) = (UNKNOWN, UNKNOWN);
            self.frame(ply).evaluation = UNKNOWN;
        } else if !excluded.is_none() {
            raw = entry.evaluation;
            estimate = self.frame(ply).evaluation;
        } else {
            raw = if is_known && entry.evaluation != UNKNOWN { entry.evaluation } else { self.raw_evaluation() };
            estimate = self.adjusted(raw, correction);
            self.frame(ply).evaluation = estimate;
            if !is_known {
                self.store(key, ply, Entry { evaluation: raw, pv: was_pv, depth: DEPTH_NONE, ..Entry::NONE });
            } else if usable(entry.score, entry.bound, estimate) && !is_decided(entry.score) {
                estimate = entry.score;
            }
        }
        let evaluation = self.frame(ply).evaluation;
        let before = |back: usize| Some(self.earlier(ply, back).evaluation).filter(|&value| value != UNKNOWN);
        let improving = !in_check && before(2).or(before(4)).is_none_or(|earlier| evaluation > earlier);
        let opponent_worsening = !in_check && previous.evaluation != UNKNOWN && evaluation > -previous.evaluation;

        // How much the evaluation changed teaches something about the opponent's last quiet move.
        if !in_check && excluded.is_none() && !previous.mv.is_none() && !previous.is_capture && previous.evaluation != UNKNOWN {
            let bonus = (-8 * (previous.evaluation + evaluation)).clamp(-1200, 1200) + 300;
            self.history.update_main(!self.position.side_to_move(), previous.mv, bonus);
        }

        // Hindsight: the parent's reduction was too large, or not large enough.
        let earlier_reduction = if K::ROOT { 0 } else { previous.reduction };
        if earlier_reduction >= 3 * 1024 && !opponent_worsening {
            depth += 1;
        } else if earlier_reduction >= 1024
            && depth >= 2
            && !in_check
            && previous.evaluation != UNKNOWN
            && evaluation + previous.evaluation > 120
        {
            depth -= 1;
        }

        let mut scene = Scene { alpha, beta, depth, ply, cut_node, improving, raw, estimate, correction, key, entry };
        if !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_before_moves::<K>(&scene)
        {
            return score;
        }

        // Internal iterative reduction: without a hash move the node was never worth a search.
        if (K::PV || cut_node) && depth >= 4 && entry.mv.is_none() && excluded.is_none() {
            depth -= 1;
        }

        if !K::PV && !in_check && excluded.is_none() && depth >= 4 && !is_decided(beta) {
            scene.depth = depth;
            if let Some(score) = self.probcut(&scene) {
                return score;
            }
        }
        // Small ProbCut: the table has a bound far over beta already.
        let small = beta + params::small_probcut_margin();
        if entry.bound.is_lower()
            && entry.depth >= depth - 4
            && entry.score >= small
            && entry.score != UNKNOWN
            && !is_decided(beta)
            && !is_decided(entry.score)
            && !K::PV
            && excluded.is_none()
        {
            return small;
        }

        // The moves.
        let contexts = self.contexts(ply);
        let pawn_key = self.pawn_key(ply);
        let mut picker = Picker::new(Selection::All, entry.mv, in_check);
        let mut best = -INFINITE;
        let mut best_move = Move::NONE;
        let original_alpha = alpha;
        let mut move_count = 0;
        let (mut quiets, mut captures) = (MoveList::new_const(), MoveList::new_const());
        let side = self.position.side_to_move();
        let has_major = crate::eval::has_major(self.position.board(), side);
        loop {
            let ordering = Ordering { history: &self.history, contexts: &contexts, pawn_key, ply };
            let Some(mv) = picker.next(self.position.board(), in_check, &ordering) else { break };
            if mv == excluded {
                continue;
            }
            if K::ROOT && !self.root_moves[self.line_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            move_count += 1;
            self.frame(ply).move_count = move_count;
            kind.tell(self.root_depth, mv, self.line_index + move_count as usize);
            let board = self.position.board();
            let is_capture = board.is_capture(mv);
            let piece_to = PieceTo::of(board, mv);
            let move_history =
                if is_capture { self.history.capture(board, mv) } else { self.history.reduction(side, mv, piece_to, &contexts) };
            let mut reduction = reductions::base(depth, move_count);

            // Pruning of single moves.
            if !K::ROOT && has_major && !is_loss(best) {
                if move_count >= margins::late_move_count(depth, improving) {
                    picker.skip_quiets();
                }
                let reduced_depth = (depth - 1 - (reduction - move_history / 8) / 1024).max(0);
                if is_capture {
                    let victim = victim_value(board, mv);
                    if !in_check
                        && reduced_depth < 7
                        && evaluation + victim + margins::capture_futility(reduced_depth, move_history) <= alpha
                        && !board.gives_check(mv)
                    {
                        continue;
                    }
                    if !board.see_ge(mv, margins::exchange_capture(depth, move_history), &EXCHANGE_VALUES) {
                        continue;
                    }
                } else {
                    let pruning_history = self.history.pruning(piece_to, &contexts, pawn_key);
                    if reduced_depth < 8 && pruning_history < margins::history_pruning(depth) {
                        continue;
                    }
                    let futility = evaluation + margins::futility(reduced_depth, pruning_history);
                    if !in_check && reduced_depth < params::futility_limit() && futility <= alpha && !board.gives_check(mv) {
                        if best <= futility && !is_decided(best) {
                            best = futility;
                        }
                        picker.skip_quiets();
                        continue;
                    }
                    if !board.see_ge(mv, margins::exchange_quiet(reduced_depth), &EXCHANGE_VALUES) {
                        continue;
                    }
                }
            }

            // Singular search: is the hash move the only good one?
            let mut extension = 0;
            if !K::ROOT
                && mv == entry.mv
                && excluded.is_none()
                && depth >= params::singular_depth() + was_pv as i32
                && entry.depth >= depth - 3
                && entry.bound.is_lower()
                && entry.score != UNKNOWN
                && !is_decided(entry.score)
                && (ply as i32) < depth_limit
            {
                let bound = entry.score - margins::singular(depth, was_pv && !K::PV);
                self.frame(ply).excluded = mv;
                let score = self.search(Zero, bound - 1, bound, (depth - 1) / 2, ply, cut_node);
                self.frame(ply).excluded = Move::NONE;
                self.frame(ply).move_count = move_count;
                if self.stopped {
                    return 0;
                }
                if score < bound {
                    let quiet = !hash_move_is_capture as i32;
                    let under = |margin: i32| score < bound - margin - 200 * K::PV as i32 - correction.abs() / 8;
                    extension =
                        1 + under(params::double_margin()) as i32 + under(params::triple_margin() + 60 * (1 - quiet)) as i32;
                    depth += (!K::PV && depth < 14) as i32 * (extension > 1) as i32;
                } else if score >= beta && !is_decided(score) {
                    // Multi-cut: another move beats beta too.
                    return score;
                } else if entry.score >= beta {
                    extension = -3;
                } else if cut_node {
                    extension = -2;
                }
            }

            let nodes_before = self.nodes;
            self.make(mv, ply);
            self.frame(ply).history = move_history;
            let mut new_depth = depth - 1 + extension;
            let gives_check = self.position.in_check();
            let mut value = -INFINITE;
            let noise = if K::ROOT { self.root_noise(mv) } else { 0 };
            let (low, high) = (alpha - noise, beta - noise);

            if depth >= 2 && move_count > 1 {
                // Late-move reduction.
                reduction += reductions::adjustment(&Circumstances {
                    pv: K::PV,
                    table_pv: was_pv,
                    cut_node,
                    has_hash_move: !entry.mv.is_none(),
                    hash_move_is_capture,
                    improving,
                    gives_check,
                    is_capture,
                    history: move_history,
                    correction,
                    cutoffs: self.earlier(ply + 1, 0).cutoffs,
                });
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth + 1 + K::PV as i32).max(1);
                self.frame(ply).reduction = (new_depth - reduced) * 1024;
                value = -self.search(Zero, -low - 1, -low, reduced, ply + 1, true);
                self.frame(ply).reduction = 0;
                if value > low && reduced < new_depth {
                    let deeper = value > best + 40 + 2 * new_depth;
                    let shallower = value < best + 8;
                    new_depth += deeper as i32 - shallower as i32;
                    if new_depth > reduced {
                        value = -self.search(Zero, -low - 1, -low, new_depth, ply + 1, !cut_node);
                    }
                    if !is_capture {
                        let bonus = if value <= low { -history::malus(new_depth) } else { history::bonus(new_depth) };
                        self.history.update_continuations(piece_to, &contexts, bonus);
                    }
                }
            } else if !K::PV || move_count > 1 {
                value = -self.search(Zero, -low - 1, -low, new_depth, ply + 1, !cut_node);
            }
            if K::PV && (move_count == 1 || value > low) {
                // The hash move does not run into quiescence when its entry is deep.
                if mv == entry.mv && entry.depth > 1 && self.root_depth > 8 {
                    new_depth = new_depth.max(1);
                }
                self.lines[ply + 1].clear();
                value = -self.search(Pv, -high, -low, new_depth, ply + 1, false);
            }
            if !is_decided(value) {
                value += noise;
            }
            self.unmake();
            if self.stopped {
                return 0;
            }
            if K::ROOT {
                let nodes = self.nodes - nodes_before;
                self.record_root_move(mv, value, move_count == 1 || value > alpha, nodes);
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if K::PV && !K::ROOT {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        self.frame(ply).cutoffs += (extension < 2 || K::PV) as i32;
                        break;
                    }
                    alpha = value;
                    // After a better move the others are less likely to be better still.
                    if depth > 2 && depth < 14 && !is_decided(value) {
                        depth -= 1 + (depth < 6) as i32 * !K::PV as i32;
                        depth = depth.max(1);
                    }
                }
            }
            if mv != best_move && move_count <= 32 {
                let _ = if is_capture { captures.try_push(mv) } else { quiets.try_push(mv) };
            }
        }

        // No legal move is a loss in xiangqi, in check or not.
        if move_count == 0 {
            return if !excluded.is_none() { alpha } else { mated_in(ply) };
        }
        if best >= beta && !is_decided(best) && !is_decided(beta) && !is_decided(alpha) {
            best = (best * depth + beta) / (depth + 1);
        }
        if !best_move.is_none() {
            self.learn(best_move, best_move == entry.mv, depth, ply, [&quiets, &captures]);
        } else if !previous.mv.is_none() && !previous.is_capture && !K::ROOT {
            self.learn_from_fail_low(depth, ply);
        }
        if best <= original_alpha {
            let table_pv = was_pv || previous.table_pv;
            self.frame(ply).table_pv = table_pv;
        }
        cut_node = best >= beta;
        let bound = if cut_node {
            TableBound::Lower
        } else if K::PV && !best_move.is_none() {
            TableBound::Exact
        } else {
            TableBound::Upper
        };
        if excluded.is_none() && !path_dependent && !(K::ROOT && self.line_index > 0) {
            let pv = self.frame(ply).table_pv;
            self.store(key, ply, Entry { mv: best_move, score: best, evaluation: raw, depth, bound, pv });
        }
        let best_is_capture = !best_move.is_none() && self.position.board().is_capture(best_move);
        if !in_check
            && excluded.is_none()
            && !best_is_capture
            && !is_decided(best)
            && (bound != TableBound::Lower || best > evaluation)
            && (bound != TableBound::Upper || best < evaluation)
        {
            let place = self.place(ply);
            self.correction.update(&place, depth, best - evaluation);
        }
        best
    }

    /// Razoring, reverse futility and the null move: what can end a node before its moves.
    fn prune_before_moves<K: Kind>(&mut self, scene: &Scene) -> Option<i32> {
        let &Scene { alpha, beta, depth, ply, cut_node, improving, estimate, correction, ref entry, .. } = scene;
        if !K::PV && estimate < alpha - margins::razoring(depth) && !is_decided(alpha) {
            return Some(self.quiescence(false, alpha, beta, ply));
        }
        let table_pv = self.frame(ply).table_pv;
        let quiet_hash_move = entry.mv.is_none() || self.position.board().is_capture(entry.mv);
        if !table_pv
            && depth <= params::reverse_futility_depth()
            && quiet_hash_move
            && estimate >= beta
            && estimate - margins::reverse_futility(depth, improving, correction) >= beta
            && !is_loss(beta)
            && !is_win(estimate)
        {
            return Some((2 * beta + estimate) / 3);
        }
        // Null move: a side that can afford to pass stands well enough. Bare of rooks, horses and cannons it might have to move
        // into a loss.
        let evaluation = self.frame(ply).evaluation;
        if cut_node
            && !self.earlier(ply, 1).mv.is_none()
            && estimate >= beta
            && evaluation >= beta + margins::null_move(depth)
            && ply >= self.null_min_ply
            && !is_loss(beta)
            && crate::eval::has_major(self.position.board(), self.position.side_to_move())
        {
            let reduction = margins::null_reduction(depth, estimate - beta);
            self.make_null(ply);
            let score = -self.search(Zero, -beta, -beta + 1, depth - reduction, ply + 1, false);
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if score >= beta && !is_win(score) {
                if self.null_min_ply > 0 || depth < params::null_verification_depth() {
                    return Some(score);
                }
                self.null_min_ply = ply + 3 * (depth - reduction).max(0) as usize / 4;
                let verified = self.search(Zero, beta - 1, beta, depth - reduction, ply, false);
                self.null_min_ply = 0;
                if verified >= beta {
                    return Some(score);
                }
            }
        }
        None
    }

    /// ProbCut (Buro 1995): a capture that beats beta by a margin in a shallow search will beat beta in a deep one.
    fn probcut(&mut self, scene: &Scene) -> Option<i32> {
        let &Scene { beta, depth, ply, cut_node, improving, raw, key, ref entry, .. } = scene;
        let bound = beta + margins::probcut(improving);
        if entry.score != UNKNOWN && entry.depth >= depth - 3 && entry.score < bound {
            return None;
        }
        let evaluation = self.frame(ply).evaluation;
        let is_capture = !entry.mv.is_none() && self.position.board().is_capture(entry.mv);
        let threshold = bound - evaluation;
        let good = is_capture && self.position.board().see_ge(entry.mv, threshold, &EXCHANGE_VALUES);
        let hash_move = if good { entry.mv } else { Move::NONE };
        let mut picker = Picker::new(Selection::Captures(threshold), hash_move, false);
        let contexts = self.contexts(ply);
        let pawn_key = self.pawn_key(ply);
        let reduced = depth - 4;
        loop {
            let ordering = Ordering { history: &self.history, contexts: &contexts, pawn_key, ply };
            let mv = picker.next(self.position.board(), false, &ordering)?;
            self.make(mv, ply);
            let mut value = -self.quiescence(false, -bound, -bound + 1, ply + 1);
            if value >= bound && reduced > 0 {
                value = -self.search(Zero, -bound, -bound + 1, reduced, ply + 1, !cut_node);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if value >= bound {
                let pv = self.frame(ply).table_pv;
                let entry = Entry { mv, score: value, evaluation: raw, depth: reduced + 1, bound: TableBound::Lower, pv };
                self.store(key, ply, entry);
                return Some(if is_decided(value) { value } else { value - (bound - beta) });
            }
        }
    }

    /// Writes to the table with the score counted from this position.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, entry: Entry) {
        self.shared.table.store(key, Entry { score: score::to_table(entry.score, ply), ..entry });
    }

    /// The corrected evaluation of the present position.
    pub(super) fn static_evaluation(&mut self, ply: usize) -> i32 {
        let raw = self.raw_evaluation();
        self.adjusted(raw, self.correction.value(&self.place(ply)))
    }

    /// Whether the natural limit is so near that scores of the table may not hold.
    pub(super) fn is_near_limit(&self) -> bool {
        let limit = self.rules.natural_limit;
        limit > 0 && self.position.clock() + 10 >= limit
    }

    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (line, rest) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut line[ply], &rest[0]);
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(rest.len());
        let _ = line.try_extend_from_slice(&rest[..room]);
    }

    /// The histories after a move raised alpha or caused a cutoff.
    fn learn(&mut self, best: Move, was_hash_move: bool, depth: i32, ply: usize, [quiets, captures]: [&MoveList; 2]) {
        let board = self.position.board();
        let (pawn_key, contexts) = (self.pawn_key(ply), &self.contexts(ply));
        let bonus = history::bonus(depth) + 200 * was_hash_move as i32;
        let malus = history::malus(depth);
        if board.is_capture(best) {
            self.history.update_capture(board, best, bonus);
        } else {
            self.history.update_quiet(board, best, contexts, pawn_key, ply, bonus);
            // The first moves tried were the most surprising failures.
            let mut shrinking = malus;
            for &mv in quiets {
                self.history.update_quiet(board, mv, contexts, pawn_key, ply, -shrinking);
                shrinking = shrinking * 15 / 16;
            }
        }
        for &mv in captures {
            self.history.update_capture(board, mv, -malus);
        }
        // The opponent's quiet move that was refuted at once.
        let previous = *self.earlier(ply, 1);
        if previous.move_count == 1 && !previous.mv.is_none() && !previous.is_capture {
            let contexts = if ply > 0 { self.contexts(ply - 1) } else { return };
            self.history.update_continuations(previous.piece_to, &contexts, -malus);
        }
    }

    /// The opponent's last quiet move refuted everything: it earns history.
    fn learn_from_fail_low(&mut self, depth: i32, ply: usize) {
        let previous = *self.earlier(ply, 1);
        let surprising = 60 + 30 * (previous.move_count > 8) as i32 + 40 * (depth > 5) as i32;
        let bonus = history::bonus(depth) * surprising / 100;
        let contexts = self.contexts(ply - 1);
        self.history.update_continuations(previous.piece_to, &contexts, bonus / 2);
        self.history.update_main(!self.position.side_to_move(), previous.mv, bonus / 2);
    }

    fn root_noise(&self, mv: Move) -> i32 {
        self.root_moves.iter().find(|root| root.mv == mv).map_or(0, |root| root.noise)
    }

    /// Writes down what was found of a root move.
    fn record_root_move(&mut self, mv: Move, value: i32, is_best: bool, nodes: u64) {
        let selective_depth = self.selective_depth;
        let line = &self.lines[1];
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if is_best {
            root.score = value;
            root.selective_depth = selective_depth;
            root.average = if root.average == UNKNOWN { value } else { (root.average + value) / 2 };
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(line);
        } else {
            root.score = -INFINITE;
        }
    }
}
