//! The moves of a node one by one, the most promising first, generated in stages (as in Stockfish).

use super::exchange::{see_ge, victim_value};
use super::history::{Context, History, PieceTo};
use super::params;
use crate::board::{Board, Wanted, piece_moves};
use crate::types::{Bitboard, Color, MAX_MOVES, Move, MoveList, Piece, PieceType};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    HashMove,
    GenerateCaptures,
    GoodCaptures,
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
}

/// Puts all captures that evade a check before all other evasions.
const CAPTURES_FIRST: i32 = 1 << 28;

/// The moves of one node.
pub(super) struct Picker {
    stage: Stage,
    selection: Selection,
    hash_move: Move,
    moves: MoveList,
    scores: [i32; MAX_MOVES],
    /// The next move of the list.
    next: usize,
    bad_captures: MoveList,
    next_bad: usize,
    /// No more quiet moves are wanted.
    skip_quiets: bool,
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
            moves: MoveList::new_const(),
            scores: [0; MAX_MOVES],
            next: 0,
            bad_captures: MoveList::new_const(),
            next_bad: 0,
            skip_quiets: false,
        }
    }

    /// No more quiet moves are wanted.
    #[inline]
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    pub(super) fn next(&mut self, board: &Board, in_check: bool, history: &History, context: &Context) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = if in_check { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return Some(self.hash_move);
                }
                Stage::GenerateCaptures => {
                    board.generate(Wanted::Captures, &mut self.moves);
                    self.next = 0;
                    for (score, &mv) in self.scores.iter_mut().zip(&self.moves) {
                        *score = capture_score(board, mv, history);
                    }
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some((mv, score)) = self.select() else {
                        self.stage = if self.selection == Selection::All { Stage::GenerateQuiets } else { Stage::Done };
                        continue;
                    };
                    let threshold = match self.selection {
                        Selection::All => -score / params::order_good_capture(),
                        Selection::Captures(threshold) => threshold,
                    };
                    if see_ge(board, mv, threshold) {
                        return Some(mv);
                    }
                    if self.selection == Selection::All {
                        let _ = self.bad_captures.try_push(mv);
                    }
                }
                Stage::GenerateQuiets => {
                    if self.skip_quiets {
                        self.stage = Stage::BadCaptures;
                        continue;
                    }
                    board.generate(Wanted::Quiets, &mut self.moves);
                    self.next = 0;
                    self.score_quiets(board, history, context);
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => {
                    if !self.skip_quiets
                        && let Some((mv, score)) = self.select()
                    {
                        if score >= params::order_good_quiet() {
                            return Some(mv);
                        }
                        self.next -= 1;
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if let Some(&mv) = self.bad_captures.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    self.stage = if self.skip_quiets { Stage::Done } else { Stage::BadQuiets };
                }
                Stage::BadQuiets => {
                    if !self.skip_quiets
                        && let Some((mv, _)) = self.select()
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    board.generate(Wanted::All, &mut self.moves);
                    self.next = 0;
                    self.score_evasions(board, history, context);
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

    /// The best of the moves that are left, the hash move excluded.
    #[inline]
    fn select(&mut self) -> Option<(Move, i32)> {
        while self.next < self.moves.len() {
            let mut best = self.next;
            for index in self.next + 1..self.moves.len() {
                if self.scores[index] > self.scores[best] {
                    best = index;
                }
            }
            self.moves.swap(self.next, best);
            self.scores.swap(self.next, best);
            self.next += 1;
            let mv = self.moves[self.next - 1];
            if mv != self.hash_move {
                return Some((mv, self.scores[self.next - 1]));
            }
        }
        None
    }

    fn score_evasions(&mut self, board: &Board, history: &History, context: &Context) {
        let side = board.side_to_move();
        for (score, &mv) in self.scores.iter_mut().zip(&self.moves) {
            *score = if board.is_capture(mv) {
                CAPTURES_FIRST + capture_score(board, mv, history)
            } else {
                history.quiet(side, mv, PieceTo::of(board, mv), context)
            };
        }
    }

    fn score_quiets(&mut self, board: &Board, history: &History, context: &Context) {
        let side = board.side_to_move();
        let dangers = Dangers::of(board);
        for (score, &mv) in self.scores.iter_mut().zip(&self.moves) {
            let piece_to = PieceTo::of(board, mv);
            *score = history.quiet(side, mv, piece_to, context);
            if let Some(piece) = board.piece_on(mv.from()) {
                *score += dangers.score(piece, mv);
            }
        }
    }
}

#[inline]
fn capture_score(board: &Board, mv: Move, history: &History) -> i32 {
    params::order_victim() * victim_value(board, mv) + history.capture(board, mv)
}

/// Points that matter to quiet moves: where a piece would give check, and what lesser pieces of the other side attack.
struct Dangers {
    /// Goals from which a rook, a horse or a pawn attacks the enemy king.
    checks: [Bitboard; 3],
    /// Attacked by pawns, advisors and elephants.
    by_pawn: Bitboard,
    /// Attacked by pawns, advisors, elephants and horses: bad places for a rook.
    by_lesser: Bitboard,
}

impl Dangers {
    fn of(board: &Board) -> Dangers {
        let side = board.side_to_move();
        let occupied = board.occupied();
        let king = board.king(!side);
        let mut by_pawn = Bitboard::EMPTY;
        for kind in [PieceType::Pawn, PieceType::Advisor, PieceType::Elephant] {
            let piece = Piece::new(!side, kind);
            board.squares_of(piece).for_each(|square| by_pawn |= piece_moves(piece, square, occupied));
        }
        let mut by_lesser = by_pawn;
        let horse = Piece::new(!side, PieceType::Horse);
        board.squares_of(horse).for_each(|square| by_lesser |= piece_moves(horse, square, occupied));
        let rook_lines = piece_moves(Piece::new(side, PieceType::Rook), king, occupied);
        Dangers { checks: [rook_lines, horse_checks(board, side), pawn_checks(board, side)], by_pawn, by_lesser }
    }

    #[inline]
    fn score(&self, piece: Piece, mv: Move) -> i32 {
        let (checks, attacked) = match piece.kind() {
            PieceType::Rook => (Some(self.checks[0]), self.by_lesser),
            PieceType::Horse => (Some(self.checks[1]), self.by_pawn),
            PieceType::Cannon => (None, self.by_pawn),
            PieceType::Pawn => (Some(self.checks[2]), Bitboard::EMPTY),
            _ => (None, Bitboard::EMPTY),
        };
        let mut score = 0;
        let (leaves, enters) = (attacked.has(mv.from()), attacked.has(mv.to()));
        if leaves != enters {
            let weight = params::order_escape() * if piece.kind() == PieceType::Rook { params::order_escape_rook() } else { 1 };
            score += if leaves { weight } else { -weight };
        }
        if !enters && checks.is_some_and(|checks| checks.has(mv.to())) {
            score += params::order_check();
        }
        score
    }
}

/// Points from which a horse of `side` attacks the enemy king.
fn horse_checks(board: &Board, side: Color) -> Bitboard {
    let king = board.king(!side);
    let mut points = Bitboard::EMPTY;
    for (file, rank) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        let free = king.offset(file, rank).filter(|&leg| board.piece_on(leg).is_none());
        if free.is_some() {
            for goal in [king.offset(2 * file, rank), king.offset(file, 2 * rank)].into_iter().flatten() {
                points = points.with(goal);
            }
        }
    }
    points
}

/// Points from which a pawn of `side` attacks the enemy king.
fn pawn_checks(board: &Board, side: Color) -> Bitboard {
    let king = board.king(!side);
    let below = if side == Color::Red { -1 } else { 1 };
    [(-1, 0), (1, 0), (0, below)].into_iter().filter_map(|(file, rank)| king.offset(file, rank)).collect()
}
