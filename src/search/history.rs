//! History statistics: how well moves did at other nodes. They order moves and guide pruning and reductions. Each thread has its
//! own tables.
//!
//! The history heuristic is Schaeffer's (1983). Indexing by the preceding moves was first used for countermoves (Uiterwijk 1992);
//! Stockfish turned it into a statistic, the continuation history. All tables use Stockfish's update with gravity: the change shrinks
//! as an entry approaches its bound, so that old results fade.

use super::params;
use crate::board::{Board, zone};
use crate::types::{Bitboard, Color, Move, Piece, PieceType, SQUARES, Square};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use std::cell::OnceCell;

/// A piece and its destination, as a row or column of the continuation tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

/// The index of each piece and reachable square; [`PieceTo::NONE`] for squares that the piece can never reach. Leaving those out
/// makes the tables indexed by two moves a third as large, so that they fit the caches better.
static NUMBERS: [[u16; SQUARES]; Piece::COUNT] = {
    let mut numbers = [[PieceTo::NONE.0; SQUARES]; Piece::COUNT];
    let (mut of, mut next) = (0, 0);
    while of < Piece::COUNT {
        let color = if of < PieceType::COUNT { Color::Red } else { Color::Black };
        let piece = Piece::new(color, PieceType::ALL[of % PieceType::COUNT]);
        let zone = zone(piece).bits();
        let mut square = 0;
        while square < SQUARES {
            if zone >> square & 1 != 0 {
                numbers[piece.index()][square] = next;
                next += 1;
            }
            square += 1;
        }
        of += 1;
    }
    assert!(next == PieceTo::NONE.0);
    numbers
};

impl PieceTo {
    /// Number of rows: one for each piece and reachable square, and one for [`PieceTo::NONE`].
    pub(super) const ROWS: usize = 2 * (9 + 5 + 7 + 3 * 90 + 55) + 1;
    /// No move: before the root and after a null move.
    pub(super) const NONE: PieceTo = PieceTo((PieceTo::ROWS - 1) as u16);

    /// The piece and destination of a move that is about to be made.
    #[inline]
    pub(super) fn of(board: &Board, mv: Move) -> PieceTo {
        board.piece_on(mv.from()).map_or(PieceTo::NONE, |piece| PieceTo(NUMBERS[piece.index()][mv.to().index()]))
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The row or column with this index, which must be less than [`PieceTo::ROWS`].
    #[inline(always)]
    pub(super) fn at(index: usize) -> PieceTo {
        PieceTo(index as u16)
    }

    #[inline]
    pub(super) fn is_none(self) -> bool {
        self == PieceTo::NONE
    }
}

/// Rows of the pawn-structure table, a power of two.
const PAWN_ROWS: usize = 512;
/// Number of plies from the root that have their own statistics.
const LOW_PLIES: usize = 5;

/// The earlier moves that select continuation history: their distances in plies.
pub(super) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// Weights of the continuation histories in the ordering score, 32nds.
#[inline(always)]
fn order_continuations() -> [i32; CONTINUATIONS.len()] {
    [
        params::order_continuation_1(),
        params::order_continuation_2(),
        params::order_continuation_4(),
        params::order_continuation_6(),
    ]
}

/// Shares of a bonus that the continuation histories learn, 64ths.
#[inline(always)]
fn learn_continuations() -> [i32; CONTINUATIONS.len()] {
    [
        params::learn_continuation_1(),
        params::learn_continuation_2(),
        params::learn_continuation_4(),
        params::learn_continuation_6(),
    ]
}

#[inline]
fn update(entry: &mut i16, bonus: i32, bound: i32) {
    let bonus = bonus.clamp(-bound, bound);
    *entry += (bonus - *entry as i32 * bonus.abs() / bound) as i16;
}

/// The squares attacked by the opponent of the side to move, by the value of the attackers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    /// Attacked by pawns, advisors and elephants.
    pub(super) by_minor: Bitboard,
    /// Attacked by these, horses and cannons.
    pub(super) by_lesser: Bitboard,
    /// Attacked by any piece.
    by_any: Bitboard,
}

impl Threats {
    pub(super) fn of(board: &Board) -> Threats {
        let enemy = !board.side_to_move();
        let by = |kind| board.targets_of(enemy, kind);
        let by_minor = by(PieceType::Pawn) | by(PieceType::Advisor) | by(PieceType::Elephant);
        let mut by_lesser = by_minor | by(PieceType::Horse);
        for square in board.squares_of(Piece::new(enemy, PieceType::Cannon)) {
            // A cannon attacks every square behind one screen, occupied or not.
            let [_, behind] = board.lines_of_sight(square);
            by_lesser |= behind;
        }
        Threats { by_minor, by_lesser, by_any: by_lesser | by(PieceType::Rook) | by(PieceType::King) }
    }

    #[inline(always)]
    pub(super) fn exposure(&self, mv: Move) -> Exposure {
        Exposure { origin: self.by_any.has(mv.from()), destination: self.by_any.has(mv.to()) }
    }
}

/// Whether the opponent attacks the origin and the destination of a move.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Exposure {
    origin: bool,
    destination: bool,
}

impl Exposure {
    /// Whether nothing can capture on the destination of a quiet move, so that its exchange loses nothing. A piece that attacks the destination
    /// only after the move attacks the origin before it, except that an advisor can unblock the leg of a horse that attacks its destination.
    #[inline(always)]
    pub(super) fn rules_out_capture(self, board: &Board, mv: Move) -> bool {
        !self.origin && !self.destination && board.piece_on(mv.from()).is_some_and(|piece| piece.kind() != PieceType::Advisor)
    }
}

/// The context of a node that, together with a move, selects the entries of the statistics.
#[derive(Debug)]
pub(super) struct Context {
    /// The earlier moves at the distances of [`CONTINUATIONS`].
    pub(super) earlier: [PieceTo; CONTINUATIONS.len()],
    /// Key of the pawn structure.
    pawn_key: u64,
    /// Plies from the root.
    pub(super) ply: usize,
    threats: OnceCell<Threats>,
}

impl Context {
    #[inline]
    pub(super) fn new(earlier: [PieceTo; CONTINUATIONS.len()], pawn_key: u64, ply: usize) -> Context {
        Context { earlier, pawn_key, ply, threats: OnceCell::new() }
    }

    /// What the opponent attacks on the node's board; computed on first use, since the hash move or a capture often causes a cutoff.
    #[inline(always)]
    pub(super) fn threats(&self, board: &Board) -> &Threats {
        self.threats.get_or_init(|| Threats::of(board))
    }

    #[inline]
    fn pawn_row(&self) -> usize {
        self.pawn_key as usize % PAWN_ROWS
    }
}

/// A move with what its node knows about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeMove {
    /// [`Move::NONE`] for a null move, and before the root.
    pub(super) mv: Move,
    pub(super) piece_to: PieceTo,
    pub(super) is_capture: bool,
    /// Whether it gives check; `None` where finding out would cost time.
    pub(super) gives_check: Option<bool>,
    /// Its number among the moves of its node, from 1; 0 where moves are not counted.
    pub(super) number: i32,
    /// Its history before it was searched; 0 where it is not needed.
    pub(super) history: i32,
    /// Only set for quiet moves whose history is known.
    pub(super) exposure: Exposure,
}

impl NodeMove {
    /// A null move, or no move.
    pub(super) const NONE: NodeMove = NodeMove {
        mv: Move::NONE,
        piece_to: PieceTo::NONE,
        is_capture: false,
        gives_check: Some(false),
        number: 0,
        history: 0,
        exposure: Exposure { origin: false, destination: false },
    };

    /// A move about to be made, with number, history and exposure unset.
    #[inline(always)]
    pub(super) fn new(board: &Board, mv: Move, gives_check: Option<bool>) -> NodeMove {
        let (piece_to, is_capture) = (PieceTo::of(board, mv), board.is_capture(mv));
        NodeMove { mv, piece_to, is_capture, gives_check, ..NodeMove::NONE }
    }

    /// Whether it is a move but not a capture.
    #[inline(always)]
    pub(super) fn is_quiet(&self) -> bool {
        self.mv.is_some() && !self.is_capture
    }
}

/// Maximum number of captures and of quiet moves, and greatest move number, that [`Tried`] keeps.
const MAX_TRIED: usize = 32;

/// The first moves of a node that did not raise alpha.
#[derive(Default)]
pub(super) struct Tried {
    quiets: ArrayVec<Move, MAX_TRIED>,
    captures: ArrayVec<Move, MAX_TRIED>,
}

impl Tried {
    /// Adds the move with this number in the node, counted from 1, unless the number exceeds [`MAX_TRIED`].
    #[inline]
    pub(super) fn push(&mut self, mv: Move, is_capture: bool, number: i32) {
        if number <= MAX_TRIED as i32 {
            let _ = if is_capture { self.captures.try_push(mv) } else { self.quiets.try_push(mv) };
        }
    }
}

/// Statistics by origin and destination.
type FromTo = [[i16; SQUARES]; SQUARES];
/// Statistics by origin, whether it is attacked, destination, and whether that is attacked.
type FromToByThreats = [[[[i16; 2]; SQUARES]; 2]; SQUARES];

/// The statistics of one thread. A large table: see [`HugeBox`](crate::memory::HugeBox).
#[derive(Zeroable)]
#[repr(C)]
pub(super) struct History {
    /// By colour, origin and destination, and whether these are attacked (as in Stormphrax and others).
    main: [FromToByThreats; 2],
    /// By piece, destination and captured piece.
    capture: [[[i16; PieceType::COUNT]; SQUARES]; Piece::COUNT],
    /// By earlier move and move.
    continuation: [[i16; PieceTo::ROWS]; PieceTo::ROWS],
    /// By pawn structure and move.
    pawn: [[i16; PieceTo::ROWS]; PAWN_ROWS],
    /// By ply, origin and destination; reset at every search.
    low_ply: [FromTo; LOW_PLIES],
}

/// The rows of the statistics for the quiet moves of one node.
pub(super) struct Quiets<'a> {
    attacked: Bitboard,
    main: &'a FromToByThreats,
    pawn: &'a [i16; PieceTo::ROWS],
    /// In the order of [`CONTINUATIONS`].
    continuations: [&'a [i16; PieceTo::ROWS]; CONTINUATIONS.len()],
    /// Only near the root.
    low_ply: Option<&'a FromTo>,
    ply: usize,
}

impl<'a> Quiets<'a> {
    /// The rows for the moves of the piece on a square.
    #[inline(always)]
    pub(super) fn of(&self, piece: Piece, from: Square) -> QuietsOfPiece<'a> {
        QuietsOfPiece {
            numbers: &NUMBERS[piece.index()],
            attacked: self.attacked,
            main: &self.main[from.index()][self.attacked.has(from) as usize],
        }
    }

    /// Ordering score of a quiet move, without the terms that need the board.
    #[inline]
    pub(super) fn score(&self, board: &Board, mv: Move) -> i32 {
        board.piece_on(mv.from()).map_or(0, |piece| {
            let (own, piece_to) = self.of(piece, mv.from()).own(mv.to());
            own + self.common(piece_to) + self.low_ply(mv)
        })
    }

    /// Whether [`Quiets::low_ply`] can be nonzero.
    #[inline(always)]
    pub(super) fn is_low_ply(&self) -> bool {
        self.low_ply.is_some()
    }

    /// The part of [`Quiets::score`] that applies only near the root.
    #[inline(always)]
    pub(super) fn low_ply(&self, mv: Move) -> i32 {
        let Some(low_ply) = self.low_ply else { return 0 };
        at_ply(params::order_low_ply() * low_ply[mv.from().index()][mv.to().index()] as i32, self.ply)
    }

    /// The part of [`Quiets::score`] that does not depend on the origin of the move.
    #[inline(always)]
    pub(super) fn common(&self, piece_to: PieceTo) -> i32 {
        let at = piece_to.index();
        let mut score = params::order_pawn() * self.pawn[at] as i32;
        for (row, weight) in self.continuations.iter().zip(order_continuations()) {
            score += weight * row[at] as i32 / 32;
        }
        score
    }
}

/// The rows of the statistics for the quiet moves of one piece.
#[derive(Clone, Copy)]
pub(super) struct QuietsOfPiece<'a> {
    numbers: &'a [u16; SQUARES],
    attacked: Bitboard,
    main: &'a [[i16; 2]; SQUARES],
}

impl QuietsOfPiece<'_> {
    /// The part of [`Quiets::score`] selected by origin and destination, and the index that selects the rest.
    #[inline(always)]
    pub(super) fn own(&self, to: Square) -> (i32, PieceTo) {
        let main = self.main[to.index()][self.attacked.has(to) as usize] as i32;
        (params::order_main() * main, PieceTo(self.numbers[to.index()]))
    }
}

/// A low-ply statistic divided by its ply. Division by a constant is much faster than by a variable.
#[inline(always)]
fn at_ply(value: i32, ply: usize) -> i32 {
    const { assert!(LOW_PLIES == 5) };
    match ply {
        0 => value,
        1 => value / 2,
        2 => value / 3,
        3 => value / 4,
        _ => value / 5,
    }
}

impl History {
    /// Sets all entries to zero.
    pub(super) fn clear(&mut self) {
        self.main.iter_mut().flatten().flatten().for_each(|row| row.fill([0; 2]));
        self.capture.iter_mut().flatten().for_each(|row| row.fill(0));
        self.continuation.iter_mut().for_each(|row| row.fill(0));
        self.pawn.iter_mut().for_each(|row| row.fill(0));
        self.new_search();
    }

    /// Resets the statistics that apply to one root only.
    pub(super) fn new_search(&mut self) {
        self.low_ply.iter_mut().flatten().for_each(|row| row.fill(0));
    }

    #[inline]
    fn main_entry(&mut self, side: Color, mv: Move, Exposure { origin, destination }: Exposure) -> &mut i16 {
        &mut self.main[side.index()][mv.from().index()][origin as usize][mv.to().index()][destination as usize]
    }

    #[inline]
    fn continuation(&self, earlier: PieceTo, mv: PieceTo) -> i32 {
        self.continuation[earlier.index()][mv.index()] as i32
    }

    /// The rows for the ordering scores of a node's quiet moves.
    #[inline]
    pub(super) fn quiets(&self, board: &Board, context: &Context) -> Quiets<'_> {
        Quiets {
            attacked: context.threats(board).by_any,
            main: &self.main[board.side_to_move().index()],
            pawn: &self.pawn[context.pawn_row()],
            continuations: context.earlier.map(|earlier| &self.continuation[earlier.index()]),
            low_ply: self.low_ply.get(context.ply),
            ply: context.ply,
        }
    }

    /// The history of a quiet move that guides pruning.
    #[inline]
    pub(super) fn pruning(&self, piece_to: PieceTo, context: &Context) -> i32 {
        self.continuation(context.earlier[0], piece_to)
            + self.continuation(context.earlier[1], piece_to)
            + self.pawn[context.pawn_row()][piece_to.index()] as i32
    }

    /// The history of a quiet move that guides reductions.
    #[inline]
    pub(super) fn reduction(&self, side: Color, mv: Move, exposure: Exposure, piece_to: PieceTo, context: &Context) -> i32 {
        let Exposure { origin, destination } = exposure;
        let main = self.main[side.index()][mv.from().index()][origin as usize][mv.to().index()][destination as usize] as i32;
        params::reduction_main_weight() * main
            + self.continuation(context.earlier[0], piece_to)
            + self.continuation(context.earlier[1], piece_to)
    }

    /// The history of a capture.
    #[inline]
    pub(super) fn capture(&self, board: &Board, mv: Move) -> i32 {
        match (board.piece_on(mv.from()), board.piece_on(mv.to())) {
            (Some(piece), Some(victim)) => self.capture[piece.index()][mv.to().index()][victim.kind().index()] as i32,
            _ => 0,
        }
    }

    /// Updates the statistics after a quiet hash move caused a table cutoff, without a search.
    pub(super) fn learn_table_cutoff(&mut self, board: &Board, mv: Move, depth: i32, context: &Context) {
        // Testing two squares is cheaper than computing all attacks, which a node that is cut off does not need.
        let [origin, destination] = [mv.from(), mv.to()].map(|square| board.is_attacked_by(!board.side_to_move(), square));
        self.update_exposed(board, mv, Exposure { origin, destination }, context, bonus(depth));
    }

    /// Updates the statistics after the best move of a node raised alpha or caused a cutoff, and the moves in `tried` did not.
    pub(super) fn learn_best(
        &mut self,
        board: &Board,
        best: Move,
        is_hash_move: bool,
        depth: i32,
        tried: &Tried,
        context: &Context,
    ) {
        let bonus = bonus(depth) + params::history_bonus_hash() * is_hash_move as i32;
        let malus = malus(depth);
        if board.is_capture(best) {
            self.update_capture(board, best, bonus);
        } else {
            self.update_quiet(board, best, context, bonus);
            // The first moves tried were expected to be the best, so their failure carries the most information.
            let mut shrinking = malus;
            for &mv in &tried.quiets {
                self.update_quiet(board, mv, context, -shrinking);
                shrinking = shrinking * params::history_malus_decay() / 16;
            }
        }
        for &mv in &tried.captures {
            self.update_capture(board, mv, -malus);
        }
    }

    /// Lowers the continuation history of the opponent's quiet move that was refuted; `context` is that of the opponent's node.
    pub(super) fn learn_refuted(&mut self, piece_to: PieceTo, depth: i32, context: &Context) {
        self.update_continuations(piece_to, context, -malus(depth));
    }

    /// Raises the history of the opponent's last quiet move, against which every move failed low; `context` is that of the opponent's node.
    /// A score far below the evaluation is a surprise, and raises it more.
    pub(super) fn learn_fail_low(&mut self, side: Color, last: &NodeMove, depth: i32, is_surprise: bool, context: &Context) {
        let is_late = last.number > params::fail_low_late_count();
        let is_deep = depth > params::fail_low_deep_depth();
        // A move with a bad history gets a larger bonus than one already known to be good (as in Stockfish).
        let share = params::fail_low_base()
            + params::fail_low_late() * is_late as i32
            + params::fail_low_deep() * is_deep as i32
            + params::fail_low_surprise() * is_surprise as i32
            - last.history / params::fail_low_history();
        let bonus = bonus(depth) * share.max(0) / 100;
        self.update_continuations(last.piece_to, context, bonus / 2);
        update(self.main_entry(side, last.mv, last.exposure), bonus / 2, params::bound_main());
        self.update_pawn(last.piece_to, context, bonus * params::fail_low_pawn() / 16);
    }

    /// Updates the continuation history of a quiet move that was searched again after its reduced search had raised alpha.
    pub(super) fn learn_searched_again(&mut self, piece_to: PieceTo, depth: i32, passed: bool, context: &Context) {
        let bonus = if passed { bonus(depth) } else { -malus(depth) };
        self.update_continuations(piece_to, context, bonus);
    }

    /// Updates the history of the opponent's last quiet move by the change of the evaluation: `sum` is the sum of the evaluations before
    /// and after the move, each from the view of the side to move, and so the amount that the move lost.
    pub(super) fn learn_evaluation_change(&mut self, side: Color, last: &NodeMove, sum: i32) {
        let limit = params::evaluation_change_limit();
        let bonus = (-params::evaluation_change_slope() * sum).clamp(-limit, limit) + params::evaluation_change_base();
        update(self.main_entry(side, last.mv, last.exposure), bonus, params::bound_main());
    }

    fn update_quiet(&mut self, board: &Board, mv: Move, context: &Context, bonus: i32) {
        self.update_exposed(board, mv, context.threats(board).exposure(mv), context, bonus);
    }

    fn update_exposed(&mut self, board: &Board, mv: Move, exposure: Exposure, context: &Context, bonus: i32) {
        let piece_to = PieceTo::of(board, mv);
        update(self.main_entry(board.side_to_move(), mv, exposure), bonus, params::bound_main());
        self.update_pawn(piece_to, context, bonus * params::learn_pawn() / 64);
        if context.ply < LOW_PLIES {
            update(
                &mut self.low_ply[context.ply][mv.from().index()][mv.to().index()],
                bonus * params::learn_low_ply() / 64,
                params::bound_main(),
            );
        }
        self.update_continuations(piece_to, context, bonus);
    }

    fn update_pawn(&mut self, piece_to: PieceTo, context: &Context, bonus: i32) {
        update(&mut self.pawn[context.pawn_row()][piece_to.index()], bonus, params::bound_pawn());
    }

    fn update_continuations(&mut self, piece_to: PieceTo, context: &Context, bonus: i32) {
        for (earlier, share) in context.earlier.iter().zip(learn_continuations()) {
            if !earlier.is_none() {
                update(
                    &mut self.continuation[earlier.index()][piece_to.index()],
                    bonus * share / 64,
                    params::bound_continuation(),
                );
            }
        }
    }

    fn update_capture(&mut self, board: &Board, mv: Move, bonus: i32) {
        if let (Some(piece), Some(victim)) = (board.piece_on(mv.from()), board.piece_on(mv.to())) {
            update(&mut self.capture[piece.index()][mv.to().index()][victim.kind().index()], bonus, params::bound_capture());
        }
    }
}

/// Bonus of a move that was best in a search of this depth.
fn bonus(depth: i32) -> i32 {
    (params::history_bonus_depth() * depth - params::history_bonus_base()).min(params::history_bonus_limit())
}

/// Malus of a move that was tried before the best one in a search of this depth.
fn malus(depth: i32) -> i32 {
    (params::history_malus_depth() * depth - params::history_malus_base()).min(params::history_malus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::board::test_positions::random_walk;
    use crate::memory::HugeBox;

    #[test]
    fn entries_stay_within_their_bound() {
        let mut entry = 0i16;
        for step in 0..10_000 {
            update(&mut entry, if step % 7 == 0 { -3000 } else { 2500 }, params::bound_main());
            assert!((entry as i32).abs() <= params::bound_main());
        }
        for _ in 0..1000 {
            update(&mut entry, 40_000, params::bound_main());
        }
        assert_eq!(entry as i32, params::bound_main());
    }

    #[test]
    fn the_best_move_gains_and_the_moves_tried_before_it_lose() {
        let board = *Position::startpos().board();
        let legal = board.legal_moves();
        let (captures, quiets): (Vec<Move>, Vec<Move>) = legal.iter().partition(|&&mv| board.is_capture(mv));
        let context = Context::new([PieceTo::NONE; 4], 5, 2);
        let mut history = HugeBox::<History>::zero();
        let mut tried = Tried::default();
        let moves = [quiets[0], quiets[1], captures[0]];
        for (mv, number) in moves.into_iter().zip(1..) {
            tried.push(mv, board.is_capture(mv), number);
        }
        tried.push(quiets[3], false, MAX_TRIED as i32 + 1);
        history.learn_best(&board, quiets[2], false, 6, &tried, &context);
        let statistics = history.quiets(&board, &context);
        let score = |mv: Move| statistics.score(&board, mv);
        assert!(score(quiets[2]) > 0);
        assert!(score(quiets[0]) < score(quiets[1]) && score(quiets[1]) < 0, "the first move tried is blamed most");
        assert_eq!(score(quiets[3]), 0, "moves that come late are forgotten");
        assert!(history.capture(&board, captures[0]) < 0);
        history.clear();
        let statistics = history.quiets(&board, &context);
        let score = |mv: Move| statistics.score(&board, mv);
        assert!(moves.iter().all(|&mv| score(mv) == 0) && history.capture(&board, captures[0]) == 0);
    }

    #[test]
    fn what_is_attacked_and_by_what() {
        let threats = Threats::of(Position::startpos().board());
        let squares = |set: Bitboard| -> Vec<String> { set.into_iter().map(|square| square.to_string()).collect() };
        // Black's pawns, advisors and elephants.
        for square in ["a5", "i5", "e8", "a7", "e7"] {
            assert!(squares(threats.by_minor).contains(&square.to_string()), "{square}: {:?}", squares(threats.by_minor));
        }
        // A cannon captures behind one screen, and attacks an empty point there; its quiet moves are no attacks.
        for (square, is_attacked) in [("b0", true), ("b1", true), ("h0", true), ("b5", false), ("b2", false), ("c7", true)] {
            assert_eq!(squares(threats.by_lesser).contains(&square.to_string()), is_attacked, "{square}");
        }
        assert!(squares(threats.by_any).contains(&"a8".to_string()) && !squares(threats.by_lesser).contains(&"a8".to_string()));
    }

    #[test]
    fn nothing_captures_where_the_exposure_rules_it_out() {
        let values = [0, 100, 100, 200, 450, 225, 50];
        let mut moves = 0;
        for seed in 0..20 {
            random_walk(seed, 100, |board| {
                let threats = Threats::of(board);
                let by_any = |square| board.is_attacked_by(!board.side_to_move(), square);
                assert!(Square::all().all(|square| threats.by_any.has(square) == by_any(square)), "{}", board.to_fen());
                for mv in board.legal_moves().into_iter().filter(|&mv| !board.is_capture(mv)) {
                    if threats.exposure(mv).rules_out_capture(board, mv) {
                        assert!(board.see_ge(mv, 0, &values), "{} {mv}", board.to_fen());
                        moves += 1;
                    }
                }
            });
        }
        assert!(moves > 5_000, "only {moves} moves");
    }

    #[test]
    fn a_move_has_an_entry_for_each_case_of_attacks() {
        let mut history = HugeBox::<History>::zero();
        let mv = Move::from_uci("h2e2").unwrap();
        let cases = [(false, false), (false, true), (true, false), (true, true)]
            .map(|(origin, destination)| Exposure { origin, destination });
        for (value, exposure) in (1..).zip(cases) {
            *history.main_entry(Color::Red, mv, exposure) = value;
        }
        assert_eq!(cases.map(|exposure| *history.main_entry(Color::Red, mv, exposure)), [1, 2, 3, 4]);
        assert_eq!(cases.map(|exposure| *history.main_entry(Color::Black, mv, exposure)), [0; 4]);
        let board = *Position::startpos().board();
        let context = Context::new([PieceTo::NONE; 4], 0, 9);
        let exposure = context.threats(&board).exposure(Move::from_uci("h2h1").unwrap());
        assert!(!exposure.origin && exposure.destination);
    }
}
