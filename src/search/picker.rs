//! Staged move picker: yields the moves of a node one by one, the most promising first (as in Stockfish).

use super::history::{Context, History, NodeMove, PieceTo, Threats};
use super::margins::{see_ge, victim_value};
use super::params;
use crate::board::{Board, Checks, Safety, Wanted};
use crate::types::{Bitboard, MAX_MOVES, Move, MoveList, PieceType, Square};
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

/// The moves that a node needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Selection {
    /// All moves.
    All,
    /// Captures whose exchange gains at least this much, in centipawns.
    Captures(i32),
    /// The same captures, and quiet checks that lose no material in exchanges.
    CapturesAndChecks(i32),
}

impl Selection {
    #[inline(always)]
    fn stage_after_captures(self) -> Stage {
        match self {
            Selection::All => Stage::GenerateQuiets,
            Selection::Captures(_) => Stage::Done,
            Selection::CapturesAndChecks(_) => Stage::GenerateChecks,
        }
    }
}

/// Score bonus that orders capturing evasions before all others.
const CAPTURES_FIRST: i32 = 1 << 21;

/// A move's score, its place in the list and whether it may give check, packed into one number. Equal scores rank by place, earlier
/// first. The bits also form a positive floating-point number, see [`Picker::best`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(u32);

impl Rank {
    /// Less than the rank of any move; marks a place with no move left to pick.
    const NONE: Rank = Rank(0);
    /// Minimum score.
    const MIN_SCORE: i32 = 1 - (1 << 21);
    /// Exclusive upper bound of scores.
    const SCORE_LIMIT: i32 = CAPTURES_FIRST + (1 << 20);
    /// Added to scores to make them positive.
    const SCORE_OFFSET: i32 = 1 << 22;

    #[inline(always)]
    fn new(score: i32, place: usize, may_check: bool) -> Rank {
        debug_assert!((Rank::MIN_SCORE..Rank::SCORE_LIMIT).contains(&score));
        Rank(((score + Rank::SCORE_OFFSET) as u32) << 8 | ((MAX_MOVES - 1 - place) as u32) << 1 | may_check as u32)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.0 >> 8) as i32 - Rank::SCORE_OFFSET
    }

    #[inline(always)]
    fn place(self) -> usize {
        MAX_MOVES - 1 - (self.0 >> 1 & 0x7f) as usize
    }

    /// Whether a quiet move may give check; if unset, it does not.
    #[inline(always)]
    fn may_check(self) -> bool {
        self.0 & 1 != 0
    }

    /// The rank with its score increased by this.
    #[inline(always)]
    fn plus(self, score: i32) -> Rank {
        debug_assert!((Rank::MIN_SCORE..Rank::SCORE_LIMIT).contains(&(self.score() + score)));
        Rank(self.0.wrapping_add((score << 8) as u32))
    }

    /// The rank moved to another place.
    #[inline(always)]
    fn at(self, place: usize) -> Rank {
        Rank(self.0 & !0xfe | ((MAX_MOVES - 1 - place) as u32) << 1)
    }
}

// As floating-point numbers, ranks are below infinity and above the subnormal numbers, which are slow.
const _: () = assert!(((Rank::SCORE_LIMIT + Rank::SCORE_OFFSET) as u32) << 8 < f32::INFINITY.to_bits());
const _: () = assert!(((Rank::MIN_SCORE + Rank::SCORE_OFFSET) as u32) << 8 > f32::MIN_POSITIVE.to_bits());

/// The greater of two numbers; `f32::max` takes twice as long because it handles NaN.
#[inline(always)]
fn greater(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// Number of ranks compared at once.
const LANES: usize = 8;

const _: () = assert!(MAX_MOVES == 128 && MAX_MOVES.is_multiple_of(LANES));

/// The moves of one node.
pub(super) struct Picker {
    stage: Stage,
    selection: Selection,
    hash_move: Move,
    in_check: bool,
    /// Context that selects the statistics of quiet moves.
    context: Context,
    /// Squares from which moves give check, computed on first use.
    checks: OnceCell<Checks>,
    moves: MoveList,
    /// Data for legality, shared by the generation stages.
    safety: Safety,
    /// Ranks of the moves, in the same order. [`Rank::NONE`] for moves already picked, and as padding to a multiple of [`LANES`].
    ranks: ArrayVec<Rank, MAX_MOVES>,
    /// Index of the next move in the list.
    next: usize,
    /// The best of the remaining moves, if it was determined early for a prefetch.
    upcoming: Rank,
    bad_captures: MoveList,
    next_bad: usize,
    /// Whether quiet moves are restricted to checks, and the list may still contain others.
    only_checks: bool,
    /// Whether the list contains checks only.
    are_all_checks: bool,
    found_captures: bool,
}

impl Picker {
    /// A picker for a position; `hash_move` must be legal or [`Move::NONE`].
    pub(super) fn new(selection: Selection, hash_move: Move, in_check: bool, context: Context) -> Picker {
        let stage = match (hash_move.is_none(), in_check) {
            (false, _) => Stage::HashMove,
            (true, true) => Stage::GenerateEvasions,
            (true, false) => Stage::GenerateCaptures,
        };
        Picker {
            stage,
            selection,
            hash_move,
            in_check,
            context,
            checks: OnceCell::new(),
            // Not `new_const`: a constant list is copied in full, including its unused capacity.
            moves: MoveList::new(),
            safety: Safety::unknown(),
            ranks: ArrayVec::new(),
            next: 0,
            upcoming: Rank::NONE,
            bad_captures: MoveList::new(),
            next_bad: 0,
            only_checks: false,
            are_all_checks: false,
            found_captures: false,
        }
    }

    /// Skips all further quiet moves except checks: a sacrifice with check has no history and comes late, but may mate.
    #[inline]
    pub(super) fn only_checks(&mut self) {
        self.only_checks = !self.are_all_checks;
    }

    /// Whether any move was found, picked or not.
    #[inline]
    pub(super) fn found_moves(&self) -> bool {
        self.hash_move.is_some() || self.found_captures || !self.moves.is_empty()
    }

    /// Context that selects the statistics of quiet moves.
    #[inline(always)]
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Whether a legal move gives check.
    #[inline(always)]
    pub(super) fn gives_check(&self, board: &Board, mv: Move) -> bool {
        self.checks.get_or_init(|| Checks::of(board)).are_given_by(board, mv)
    }

    /// A legal move with what is known about it; number and history are unset.
    #[inline(always)]
    pub(super) fn node_move(&self, board: &Board, mv: Move) -> NodeMove {
        NodeMove::new(board, mv, self.checks.get().map(|checks| checks.are_given_by(board, mv)))
    }

    /// The next move.
    pub(super) fn next(&mut self, board: &Board, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = if self.in_check { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return Some(self.hash_move);
                }
                Stage::GenerateCaptures => self.generate_captures(board, history),
                Stage::GoodCaptures => {
                    let Some((mv, rank)) = self.select() else {
                        self.stage = self.selection.stage_after_captures();
                        continue;
                    };
                    let threshold = match self.selection {
                        Selection::All => -rank.score() / params::order_good_capture(),
                        Selection::Captures(threshold) | Selection::CapturesAndChecks(threshold) => threshold,
                    };
                    if see_ge(board, mv, threshold) {
                        return Some(mv);
                    }
                    if self.selection == Selection::All {
                        let _ = self.bad_captures.try_push(mv);
                    }
                }
                Stage::GenerateChecks => self.generate_checks(board, history),
                Stage::Checks => match self.select() {
                    Some((mv, _)) if self.is_sound(board, mv) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateQuiets => self.generate_quiets(board, history),
                Stage::GoodQuiets => {
                    if let Some((mv, rank)) = self.select_quiet(board) {
                        if rank.score() >= params::order_good_quiet() {
                            return Some(mv);
                        }
                        self.put_back(rank);
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
                Stage::BadQuiets => match self.select_quiet(board) {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => self.generate_evasions(board, history),
                Stage::Evasions => match self.select() {
                    Some((mv, _)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Whether a quiet move loses no material in exchanges.
    #[inline(always)]
    fn is_sound(&self, board: &Board, mv: Move) -> bool {
        // The attacks are known, since the moves were scored with them.
        self.context.threats(board).exposure(mv).rules_out_capture(board, mv) || see_ge(board, mv, 0)
    }

    // Each stage has its own function, so that picking the next move does not reserve the stack space of move generation.

    #[inline(never)]
    fn generate_captures(&mut self, board: &Board, history: &History) {
        board.generate_with(Wanted::Captures, &mut self.moves, &mut self.safety);
        self.score(|mv| capture_score(board, mv, history));
        self.found_captures = !self.moves.is_empty();
        self.stage = Stage::GoodCaptures;
    }

    #[inline(never)]
    fn generate_checks(&mut self, board: &Board, history: &History) {
        let checks = self.checks.get_or_init(|| Checks::of(board));
        board.generate_quiet_checks(checks, &mut self.moves, &mut self.safety);
        let quiets = history.quiets(board, &self.context);
        self.score(|mv| quiets.score(board, mv));
        self.stage = Stage::Checks;
    }

    #[inline(never)]
    fn generate_quiets(&mut self, board: &Board, history: &History) {
        let checks = self.checks.get_or_init(|| Checks::of(board));
        if std::mem::take(&mut self.only_checks) {
            board.generate_quiet_checks(checks, &mut self.moves, &mut self.safety);
        } else {
            board.generate_with(Wanted::Quiets, &mut self.moves, &mut self.safety);
        }
        self.score_quiets(board, history);
        self.stage = Stage::GoodQuiets;
    }

    #[inline(never)]
    fn generate_evasions(&mut self, board: &Board, history: &History) {
        board.generate_with(Wanted::All, &mut self.moves, &mut self.safety);
        let quiets = history.quiets(board, &self.context);
        self.score(|mv| {
            if board.is_capture(mv) { CAPTURES_FIRST + capture_score(board, mv, history) } else { quiets.score(board, mv) }
        });
        self.stage = Stage::Evasions;
    }

    /// The best of the remaining moves, the hash move excluded.
    #[inline]
    fn select(&mut self) -> Option<(Move, Rank)> {
        while self.next < self.moves.len() {
            let (mv, rank) = self.take_best();
            if mv != self.hash_move {
                return Some((mv, rank));
            }
        }
        None
    }

    /// For an early prefetch: the quiet move that will be picked next, unless it is the hash move or quiet moves are restricted to checks by then.
    #[inline]
    pub(super) fn upcoming(&mut self) -> Option<Move> {
        if !matches!(self.stage, Stage::GoodQuiets | Stage::BadQuiets) || self.only_checks || self.next >= self.moves.len() {
            return None;
        }
        self.upcoming = self.best();
        Some(self.moves[self.upcoming.place()])
    }

    /// The highest rank of the remaining moves.
    #[inline(always)]
    fn best(&self) -> Rank {
        // Positive floating-point numbers sort like their bits, and the baseline instruction set computes the maximum of four of
        // them in one instruction; four integers take four instructions.
        let mut highest = [0.0; LANES];
        for ranks in &self.ranks.as_chunks::<LANES>().0[self.next / LANES..] {
            for (highest, rank) in highest.iter_mut().zip(ranks) {
                *highest = greater(*highest, f32::from_bits(rank.0));
            }
        }
        Rank(highest.into_iter().fold(0.0, greater).to_bits())
    }

    /// Swaps the best of the remaining moves, of which there must be at least one, with the next move and picks it.
    #[inline(always)]
    fn take_best(&mut self) -> (Move, Rank) {
        let best = match std::mem::replace(&mut self.upcoming, Rank::NONE) {
            Rank::NONE => self.best(),
            best => best,
        };
        let place = best.place();
        self.ranks[place] = self.ranks[self.next].at(place);
        self.ranks[self.next] = Rank::NONE;
        self.moves.swap(self.next, place);
        self.next += 1;
        (self.moves[self.next - 1], best)
    }

    /// Puts back the move just picked, which had this rank.
    #[inline]
    fn put_back(&mut self, rank: Rank) {
        self.next -= 1;
        self.upcoming = Rank::NONE;
        self.ranks[self.next] = rank.at(self.next);
    }

    /// The best of the remaining quiet moves; with `only_checks`, of those that give check.
    #[inline]
    fn select_quiet(&mut self, board: &Board) -> Option<(Move, Rank)> {
        if std::mem::take(&mut self.only_checks) {
            self.drop_all_but_checks(board);
        }
        self.select()
    }

    #[inline(never)]
    fn drop_all_but_checks(&mut self, board: &Board) {
        let checks = self.checks.get_or_init(|| Checks::of(board));
        self.upcoming = Rank::NONE;
        self.are_all_checks = true;
        let mut kept = self.next;
        for index in self.next..self.moves.len() {
            if self.ranks[index].may_check() && checks.are_given_by(board, self.moves[index]) {
                self.moves[kept] = self.moves[index];
                self.ranks[kept] = self.ranks[index].at(kept);
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
        self.ranks.extend(self.moves.iter().enumerate().map(|(place, &mv)| Rank::new(of(mv), place, false)));
        self.fill_up();
    }

    #[inline(always)]
    fn fill_up(&mut self) {
        while !self.ranks.len().is_multiple_of(LANES) {
            self.ranks.push(Rank::NONE);
        }
    }

    fn score_quiets(&mut self, board: &Board, history: &History) {
        let checks = self.checks.get_or_init(|| Checks::of(board));
        let (quiets, destinations) =
            (history.quiets(board, &self.context), Destinations::of(self.context.threats(board), checks));
        self.next = 0;
        self.ranks.clear();
        // The moves of a piece are adjacent, so the data that they share is looked up once.
        let (mut last, mut of_piece) = (None, None);
        self.ranks.extend(self.moves.iter().map(|mv| {
            if last != Some(mv.from()) {
                let Some(piece) = board.piece_on(mv.from()) else { unreachable!("a generated move is that of a piece") };
                last = Some(mv.from());
                of_piece = Some((quiets.of(piece, mv.from()), destinations.of_piece(piece.kind(), mv.from(), checks)));
            }
            let Some((quiets, destinations)) = &of_piece else { unreachable!("there was a first move") };
            let (own, piece_to) = quiets.own(mv.to());
            let (by_destination, may_check) = destinations.of(mv.to());
            PartialRank::new(own + by_destination, piece_to, may_check).into()
        }));
        // The rows shared by all pieces are rarely in the cache; a short separate loop keeps many reads in flight.
        for (place, rank) in self.ranks.iter_mut().enumerate() {
            let partial = PartialRank::from(*rank);
            *rank = Rank::new(partial.score() + quiets.common(partial.piece_to()), place, partial.may_check());
        }
        if quiets.is_low_ply() {
            for (rank, mv) in self.ranks.iter_mut().zip(&self.moves) {
                *rank = rank.plus(quiets.low_ply(*mv));
            }
        }
        self.fill_up();
    }
}

/// A rank with an incomplete score, and with the index of piece and destination instead of the place.
#[derive(Clone, Copy)]
struct PartialRank(i32);

impl PartialRank {
    const BITS: u32 = 10;

    #[inline(always)]
    fn new(score: i32, piece_to: PieceTo, may_check: bool) -> PartialRank {
        debug_assert!(score.abs() < 1 << (30 - PartialRank::BITS));
        PartialRank(score << (PartialRank::BITS + 1) | (piece_to.index() as i32) << 1 | may_check as i32)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        self.0 >> (PartialRank::BITS + 1)
    }

    #[inline(always)]
    fn piece_to(self) -> PieceTo {
        PieceTo::at((self.0 >> 1) as usize % (1 << PartialRank::BITS))
    }

    #[inline(always)]
    fn may_check(self) -> bool {
        self.0 & 1 != 0
    }
}

const _: () = assert!(PieceTo::ROWS <= 1 << PartialRank::BITS);

impl From<PartialRank> for Rank {
    #[inline(always)]
    fn from(partial: PartialRank) -> Rank {
        Rank(partial.0 as u32)
    }
}

impl From<Rank> for PartialRank {
    #[inline(always)]
    fn from(rank: Rank) -> PartialRank {
        PartialRank(rank.0 as i32)
    }
}

#[inline]
fn capture_score(board: &Board, mv: Move, history: &History) -> i32 {
    params::order_victim() * victim_value(board, mv) + history.capture(board, mv)
}

/// The terms of the quiet ordering score for attacks by lesser pieces and for checks, by the kind of the moving piece.
struct Destinations([KindDestinations; PieceType::COUNT]);

impl Destinations {
    fn of(threats: &Threats, checks: &Checks) -> Destinations {
        let mut kinds = [KindDestinations::default(); PieceType::COUNT];
        for (kind, of) in PieceType::ALL.into_iter().zip(&mut kinds) {
            // Squares attacked by lesser pieces.
            let attacked = match kind {
                PieceType::Rook => threats.by_lesser,
                PieceType::Horse | PieceType::Cannon => threats.by_minor,
                _ => Bitboard::EMPTY,
            };
            let whole = [attacked, checks.direct(kind) & !attacked, checks.may_be_given(kind)];
            for (half, sets) in of.sets.iter_mut().enumerate() {
                let [attacked, checks, may_check] = whole.map(|set| (set.bits() >> (64 * half)) as u64);
                *sets = DestinationSets { attacked, checks, may_check };
            }
            of.weight = params::order_escape() * if kind == PieceType::Rook { params::order_escape_rook() } else { 1 };
        }
        Destinations(kinds)
    }

    /// The terms for the moves of the piece of this kind on a square.
    #[inline(always)]
    fn of_piece(&self, kind: PieceType, from: Square, checks: &Checks) -> PieceDestinations<'_> {
        let of = &self.0[kind.index()];
        let (sets, bit) = of.at(from);
        PieceDestinations { of, escape: of.weight * sets.attacked.bit(bit), opens_line: checks.may_be_opened(from) }
    }
}

/// Destinations of pieces of one kind, on one half of the board's squares.
#[derive(Clone, Copy, Default)]
struct DestinationSets {
    /// Attacked by lesser pieces.
    attacked: u64,
    /// Not attacked, and the piece gives check from there.
    checks: u64,
    /// Destinations where a move may give check even if leaving its origin opens no line.
    may_check: u64,
}

#[derive(Clone, Copy, Default)]
struct KindDestinations {
    /// Penalty of an attacked destination.
    weight: i32,
    /// The first 64 squares and the rest.
    sets: [DestinationSets; 2],
}

impl KindDestinations {
    /// The half that a square belongs to, and its index there.
    #[inline(always)]
    fn at(&self, square: Square) -> (&DestinationSets, usize) {
        (&self.sets[square.index() / 64 % 2], square.index() % 64)
    }
}

/// A bit of a word as a number.
trait Bit {
    fn bit(self, number: usize) -> i32;
}

impl Bit for u64 {
    #[inline(always)]
    fn bit(self, number: usize) -> i32 {
        (self >> number & 1) as i32
    }
}

/// The same terms for the moves of one piece.
struct PieceDestinations<'a> {
    of: &'a KindDestinations,
    /// Bonus for leaving an attacked square.
    escape: i32,
    /// Whether leaving the origin may open an attack on the king.
    opens_line: bool,
}

impl PieceDestinations<'_> {
    /// The score of a destination, and whether the move there may give check.
    #[inline(always)]
    fn of(&self, to: Square) -> (i32, bool) {
        let (sets, bit) = self.of.at(to);
        let score = self.escape - self.of.weight * sets.attacked.bit(bit) + params::order_check() * sets.checks.bit(bit);
        (score, self.opens_line | (sets.may_check.bit(bit) != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::PieceTo;
    use super::*;
    use crate::board::test_positions::random_walk;
    use crate::memory::HugeBox;

    #[test]
    fn every_move_is_picked_once_and_the_hash_move_first() {
        let (history, mut positions) = (HugeBox::<History>::zero(), 0);
        for seed in 0..20 {
            random_walk(seed, 100, |board| {
                let legal = board.legal_moves();
                for hash_move in [Some(Move::NONE), legal.get(positions % legal.len().max(1)).copied()].into_iter().flatten() {
                    let context = Context::new([PieceTo::NONE; 4], seed, seed as usize % 7);
                    let mut picker = Picker::new(Selection::All, hash_move, board.in_check(), context);
                    let mut picked: Vec<Move> = std::iter::from_fn(|| picker.next(board, &history)).collect();
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
        for (score, place) in
            [(0, 0), (-7000, 119), (CAPTURES_FIRST + 20_000, 3), (Rank::MIN_SCORE, 127), (Rank::SCORE_LIMIT - 1, 0)]
        {
            for may_check in [false, true] {
                let rank = Rank::new(score, place, may_check);
                assert_eq!((rank.score(), rank.place(), rank.may_check()), (score, place, may_check));
                assert!(rank > Rank::NONE && rank == Rank::new(score, 0, may_check).at(place));
            }
        }
        for (greater, less) in [((5, 3), (5, 4)), ((5, 4), (4, 0))] {
            assert!(Rank::new(greater.0, greater.1, false) > Rank::new(less.0, less.1, true));
        }
    }
}
