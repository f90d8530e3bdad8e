//! The moves of a node one by one, the most promising first, generated in stages (as in Stockfish).

use super::exchange::{see_ge, victim_value};
use super::history::{Context, History};
use super::params;
use crate::board::{Board, Checks, Safety, Wanted};
use crate::types::{Bitboard, MAX_MOVES, Move, MoveList, Piece, PieceType, Square};
use arrayvec::ArrayVec;
use std::cell::OnceCell;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    HashMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateChecks,
    Checks,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    Done,
}

/// The moves that a node wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection {
    /// All moves.
    All,
    /// Captures whose exchange gains at least so much.
    Captures(i32),
    /// The same, and quiet checks that lose nothing by exchanges.
    CapturesAndChecks(i32),
}

/// Puts all captures that evade a check before all other evasions.
const CAPTURES_FIRST: i32 = 1 << 23;

/// A move's score and its place in the list as one number: of equal scores that of the earlier place is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    /// Less than the rank of any move.
    const NONE: Rank = Rank(i32::MIN);
    /// Scores have to be smaller than this.
    const LIMIT: i32 = 1 << 24;

    #[inline(always)]
    fn new(score: i32, place: usize) -> Rank {
        debug_assert!(score.abs() < Rank::LIMIT);
        Rank(score << 7 | (MAX_MOVES - 1 - place) as i32)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        self.0 >> 7
    }

    #[inline(always)]
    fn place(self) -> usize {
        MAX_MOVES - 1 - (self.0 & 0x7f) as usize
    }
}

/// Ranks that are compared at once.
const ABREAST: usize = 8;

const _: () = assert!(MAX_MOVES == 128 && MAX_MOVES.is_multiple_of(ABREAST));

/// The moves of one node.
pub(super) struct Picker {
    stage: Stage,
    selection: Selection,
    hash_move: Move,
    moves: MoveList,
    /// What the first generation of moves has found out for the next.
    safety: Safety,
    /// Of the moves, in the same order; none for the moves picked, and as filling up to a multiple of [`ABREAST`].
    ranks: ArrayVec<Rank, MAX_MOVES>,
    /// The next move of the list.
    next: usize,
    /// The best of the moves that are left, when that has been found ahead of its turn.
    upcoming: Rank,
    bad_captures: MoveList,
    next_bad: usize,
    /// Of the quiet moves only checks are wanted, and the list may still hold others.
    only_checks: bool,
    found_captures: bool,
}

impl Picker {
    /// The moves of a position; `hash_move` must be legal or [`Move::NONE`].
    pub(super) fn new(selection: Selection, hash_move: Move, in_check: bool) -> Picker {
        let stage = match (hash_move.is_none(), in_check) {
            (false, _) => Stage::HashMove,
            (true, true) => Stage::GenerateEvasions,
            (true, false) => Stage::GenerateCaptures,
        };
        Picker {
            stage,
            selection,
            hash_move,
            // Not `new_const`: a constant list is copied whole, its unused room as zeros.
            moves: MoveList::new(),
            safety: Safety::unknown(),
            ranks: ArrayVec::new(),
            next: 0,
            upcoming: Rank::NONE,
            bad_captures: MoveList::new(),
            next_bad: 0,
            only_checks: false,
            found_captures: false,
        }
    }

    /// Of the quiet moves only checks are wanted from now on: a sacrifice with check has no history, comes late, and may mate.
    #[inline]
    pub(super) fn only_checks(&mut self) {
        self.only_checks = true;
    }

    /// Whether any move was found, picked or not.
    #[inline]
    pub(super) fn found_moves(&self) -> bool {
        !self.hash_move.is_none() || self.found_captures || !self.moves.is_empty()
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        board: &Board,
        in_check: bool,
        history: &History,
        context: &Context,
        checks: &OnceCell<Checks>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = if in_check { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return Some(self.hash_move);
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(board, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some((mv, score)) = self.select() else {
                        self.stage = match self.selection {
                            Selection::All => Stage::GenerateQuiets,
                            Selection::Captures(_) => Stage::Done,
                            Selection::CapturesAndChecks(_) => Stage::GenerateChecks,
                        };
                        continue;
                    };
                    let threshold = match self.selection {
                        Selection::All => -score / params::order_good_capture(),
                        Selection::Captures(threshold) | Selection::CapturesAndChecks(threshold) => threshold,
                    };
                    if see_ge(board, mv, threshold) {
                        return Some(mv);
                    }
                    if self.selection == Selection::All {
                        let _ = self.bad_captures.try_push(mv);
                    }
                }
                Stage::GenerateChecks => {
                    self.generate_checks(board, history, context, checks);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.select() {
                    Some((mv, _)) if see_ge(board, mv, 0) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(board, history, context, checks);
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => {
                    if let Some((mv, score)) = self.select_quiet(board, checks) {
                        if score >= params::order_good_quiet() {
                            return Some(mv);
                        }
                        self.put_back(score);
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if let Some(&mv) = self.bad_captures.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    self.stage = Stage::BadQuiets;
                }
                Stage::BadQuiets => {
                    if let Some((mv, _)) = self.select_quiet(board, checks) {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    self.generate_evasions(board, history, context);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.select() {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    // Each generation is a function of its own: what it needs on the stack is not what picking the next move needs.

    #[inline(never)]
    fn generate_captures(&mut self, board: &Board, history: &History) {
        board.generate_with(Wanted::Captures, &mut self.moves, &mut self.safety);
        self.score(|mv| capture_score(board, mv, history));
        self.found_captures = !self.moves.is_empty();
    }

    #[inline(never)]
    fn generate_checks(&mut self, board: &Board, history: &History, context: &Context, checks: &OnceCell<Checks>) {
        let checks = checks.get_or_init(|| Checks::of(board));
        board.generate_quiet_checks(checks, &mut self.moves, &mut self.safety);
        let quiets = history.quiets(board.side_to_move(), context);
        self.score(|mv| quiets.score(board, mv));
    }

    #[inline(never)]
    fn generate_quiets(&mut self, board: &Board, history: &History, context: &Context, checks: &OnceCell<Checks>) {
        let checks = checks.get_or_init(|| Checks::of(board));
        if std::mem::take(&mut self.only_checks) {
            board.generate_quiet_checks(checks, &mut self.moves, &mut self.safety);
        } else {
            board.generate_with(Wanted::Quiets, &mut self.moves, &mut self.safety);
        }
        self.score_quiets(board, history, context, checks);
    }

    #[inline(never)]
    fn generate_evasions(&mut self, board: &Board, history: &History, context: &Context) {
        board.generate_with(Wanted::All, &mut self.moves, &mut self.safety);
        let quiets = history.quiets(board.side_to_move(), context);
        self.score(|mv| {
            if board.is_capture(mv) { CAPTURES_FIRST + capture_score(board, mv, history) } else { quiets.score(board, mv) }
        });
    }

    /// The best of the moves that are left, the hash move excluded.
    #[inline]
    fn select(&mut self) -> Option<(Move, i32)> {
        while self.next < self.moves.len() {
            let (mv, score) = self.take_best();
            if mv != self.hash_move {
                return Some((mv, score));
            }
        }
        None
    }

    /// The quiet move whose turn is next, unless it is the hash move or only checks are wanted by then: for a prefetch ahead of its turn.
    #[inline]
    pub(super) fn upcoming(&mut self) -> Option<Move> {
        if !matches!(self.stage, Stage::GoodQuiets | Stage::BadQuiets) || self.only_checks || self.next >= self.moves.len() {
            return None;
        }
        self.upcoming = self.best();
        Some(self.moves[self.upcoming.place()])
    }

    /// The highest rank of the moves that are left.
    #[inline(always)]
    fn best(&self) -> Rank {
        let mut highest = [Rank::NONE; ABREAST];
        for ranks in &self.ranks.as_chunks::<ABREAST>().0[self.next / ABREAST..] {
            for (highest, rank) in highest.iter_mut().zip(ranks) {
                *highest = (*highest).max(*rank);
            }
        }
        highest.into_iter().fold(Rank::NONE, Rank::max)
    }

    /// Puts the best of the moves that are left, of which there is one, at the next place, and that one's move where it was.
    #[inline(always)]
    fn take_best(&mut self) -> (Move, i32) {
        let best = match std::mem::replace(&mut self.upcoming, Rank::NONE) {
            Rank::NONE => self.best(),
            best => best,
        };
        let place = best.place();
        self.ranks[place] = Rank::new(self.ranks[self.next].score(), place);
        self.ranks[self.next] = Rank::NONE;
        self.moves.swap(self.next, place);
        self.next += 1;
        (self.moves[self.next - 1], best.score())
    }

    /// Puts back the move just picked, which had this score.
    #[inline]
    fn put_back(&mut self, score: i32) {
        self.next -= 1;
        self.upcoming = Rank::NONE;
        self.ranks[self.next] = Rank::new(score, self.next);
    }

    /// The best of the quiet moves that are left and wanted.
    #[inline]
    fn select_quiet(&mut self, board: &Board, checks: &OnceCell<Checks>) -> Option<(Move, i32)> {
        if std::mem::take(&mut self.only_checks) {
            self.drop_all_but_checks(board, checks);
        }
        self.select()
    }

    #[inline(never)]
    fn drop_all_but_checks(&mut self, board: &Board, checks: &OnceCell<Checks>) {
        let checks = checks.get_or_init(|| Checks::of(board));
        self.upcoming = Rank::NONE;
        let mut kept = self.next;
        for index in self.next..self.moves.len() {
            if checks.are_given_by(board, self.moves[index]) {
                self.moves[kept] = self.moves[index];
                self.ranks[kept] = Rank::new(self.ranks[index].score(), kept);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.ranks.truncate(kept);
        self.fill_up();
    }

    /// Scores all moves of the list.
    #[inline(always)]
    fn score(&mut self, of: impl Fn(Move) -> i32) {
        self.next = 0;
        self.ranks.clear();
        self.ranks.extend(self.moves.iter().enumerate().map(|(place, &mv)| Rank::new(of(mv), place)));
        self.fill_up();
    }

    #[inline(always)]
    fn fill_up(&mut self) {
        while !self.ranks.len().is_multiple_of(ABREAST) {
            self.ranks.push(Rank::NONE);
        }
    }

    fn score_quiets(&mut self, board: &Board, history: &History, context: &Context, checks: &Checks) {
        let (quiets, dangers) = (history.quiets(board.side_to_move(), context), Dangers::of(board));
        self.next = 0;
        self.ranks.clear();
        // The moves of a piece lie together: what they have in common is looked up once.
        for moves in self.moves.chunk_by(|one, next| one.from() == next.from()) {
            let from = moves[0].from();
            let Some(piece) = board.piece_on(from) else { unreachable!("a generated move is that of a piece") };
            let (quiets, dangers) = (quiets.of(piece, from), dangers.of_piece(piece.kind(), from, checks));
            let first = self.ranks.len();
            self.ranks.extend(
                moves
                    .iter()
                    .enumerate()
                    .map(|(place, mv)| Rank::new(quiets.score(mv.to()) + dangers.score(mv.to()), first + place)),
            );
        }
        self.fill_up();
    }
}

#[inline]
fn capture_score(board: &Board, mv: Move, history: &History) -> i32 {
    params::order_victim() * victim_value(board, mv) + history.capture(board, mv)
}

/// What lesser pieces of the other side attack, by the kind of the own piece that had better not stand there.
struct Dangers([Bitboard; PieceType::COUNT]);

impl Dangers {
    fn of(board: &Board) -> Dangers {
        let enemy = !board.side_to_move();
        let pawns_and_advisors = board.goals_of(enemy, PieceType::Pawn) | board.goals_of(enemy, PieceType::Advisor);
        let by_pawn = pawns_and_advisors | board.goals_of(enemy, PieceType::Elephant);
        let mut by_lesser = by_pawn | board.goals_of(enemy, PieceType::Horse);
        for square in board.squares_of(Piece::new(enemy, PieceType::Cannon)) {
            // A cannon attacks what stands, or comes to stand, behind one screen.
            let [_, behind] = board.lines_of_sight(square);
            by_lesser |= behind;
        }
        let mut dangers = [Bitboard::EMPTY; PieceType::COUNT];
        dangers[PieceType::Rook.index()] = by_lesser;
        dangers[PieceType::Horse.index()] = by_pawn;
        dangers[PieceType::Cannon.index()] = by_pawn;
        Dangers(dangers)
    }

    /// For the moves of the piece of this kind on a point.
    #[inline(always)]
    fn of_piece(&self, kind: PieceType, from: Square, checks: &Checks) -> DangersOfPiece {
        let attacked = self.0[kind.index()];
        let weight = params::order_escape() * if kind == PieceType::Rook { params::order_escape_rook() } else { 1 };
        DangersOfPiece { attacked, weight, escape: weight * attacked.has(from) as i32, checks: checks.direct(kind) & !attacked }
    }
}

/// What the goals of one piece's quiet moves are worth by their dangers and checks.
struct DangersOfPiece {
    /// Bad places.
    attacked: Bitboard,
    /// What it costs to stand there.
    weight: i32,
    /// What is gained by leaving.
    escape: i32,
    /// Other places, from which the piece gives check.
    checks: Bitboard,
}

impl DangersOfPiece {
    #[inline(always)]
    fn score(&self, to: Square) -> i32 {
        self.escape - self.weight * self.attacked.has(to) as i32 + params::order_check() * self.checks.has(to) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::PieceTo;
    use super::*;
    use crate::board::test_positions::random_walk;

    #[test]
    fn every_move_is_picked_once_and_the_hash_move_first() {
        let (history, mut positions) = (History::new(), 0);
        for seed in 0..20 {
            random_walk(seed, 100, |board| {
                let legal = board.legal_moves();
                let context = Context { earlier: [PieceTo::NONE; 4], pawn_key: seed, ply: seed as usize % 7 };
                for hash_move in [Some(Move::NONE), legal.get(positions % legal.len().max(1)).copied()].into_iter().flatten() {
                    let (mut picker, checks) = (Picker::new(Selection::All, hash_move, board.in_check()), OnceCell::new());
                    let mut picked: Vec<Move> =
                        std::iter::from_fn(|| picker.next(board, board.in_check(), &history, &context, &checks)).collect();
                    assert!(hash_move.is_none() || picked[0] == hash_move);
                    picked.sort();
                    let mut expected = legal.to_vec();
                    expected.sort();
                    assert_eq!(picked, expected, "{}", board.to_fen());
                }
                positions += 1;
            });
        }
        assert!(positions > 500, "only {positions} positions");
    }

    #[test]
    fn of_equal_scores_the_earlier_place_ranks_higher() {
        for (score, place) in [(0, 0), (-7000, 119), (CAPTURES_FIRST + 20_000, 3), (1 - Rank::LIMIT, 127), (Rank::LIMIT - 1, 0)] {
            let rank = Rank::new(score, place);
            assert_eq!((rank.score(), rank.place()), (score, place));
            assert!(rank > Rank::NONE);
        }
        assert!(Rank::new(5, 3) > Rank::new(5, 4) && Rank::new(5, 4) > Rank::new(4, 0));
    }
}
