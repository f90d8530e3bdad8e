//! Which moves give check, found once for a position: most moves are then answered by one look at a set, and only those that open or
//! close a line, or free a horse's leg, are tried on a board. The idea is that of Stockfish's check squares and discovered-check
//! candidates; a cannon's screen makes both wider here.

use super::placement::{Board, KIND_OF_SLOT, SLOTS_OF_SIDE};
use super::tables;
use super::window::{self, CENTRE};
use crate::types::{Bitboard, FILES, Move, Piece, PieceType, Square};

/// From where a pawn checks a king: the points beside it and the one that the pawn comes from, as a window, by the pawn's colour.
const PAWN_CHECKS: [u64; 2] = {
    let beside = 1 << (CENTRE - 1) | 1 << (CENTRE + 1);
    [beside | 1 << (CENTRE - FILES as u32), beside | 1 << (CENTRE + FILES as u32)]
};

/// What the moves of the side to move can do to the enemy king.
///
/// ```
/// use xiangqi::board::{Board, Checks};
/// use xiangqi::types::{Move, PieceType};
///
/// let board = Board::from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w")?;
/// let checks = Checks::of(&board);
/// assert!(checks.are_given_by(&board, Move::from_uci("a1e1")?));
/// assert!(!checks.are_given_by(&board, Move::from_uci("a1a5")?));
/// assert!(checks.direct(PieceType::Rook).has("e1".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Points from which a piece attacks the king, by kind index.
    direct: [Bitboard; PieceType::COUNT],
    /// Points that may open an attack when they are left.
    left: Bitboard,
    /// Points that make a screen when they are entered.
    entered: Bitboard,
}

impl Checks {
    /// Looks at the enemy king of the side to move.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks, START_FEN};
    /// use xiangqi::types::PieceType;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(Checks::of(&start).direct(PieceType::Horse).len(), 4);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn of(board: &Board) -> Checks {
        let side = board.side_to_move();
        let (king, occupied) = (board.king(!side), board.occupied());
        let [near, far] = board.lines_of_sight(king);
        let (first, second) = (near & occupied, far & occupied);
        let mut entered = Bitboard::EMPTY;
        for cannon in board.squares_of(Piece::new(side, PieceType::Cannon)).filter(|&cannon| first.has(cannon)) {
            entered |= tables::between(king, cannon);
        }
        let around = |window: u64| Bitboard::from_bits(tables::window_to_set(king.index(), window));
        let horse = around(tables::HORSE_REVERSE[king.index()][window::DIAGONAL.of(board.window(king.index()))]);
        let legs = around(window::DIAGONAL.mask);
        // A pawn next to a king in its palace has crossed the river.
        let pawn = around(PAWN_CHECKS[side.index()]);
        let mut direct = [Bitboard::EMPTY; PieceType::COUNT];
        direct[PieceType::Rook.index()] = near;
        direct[PieceType::Cannon.index()] = far;
        direct[PieceType::Horse.index()] = horse;
        direct[PieceType::Pawn.index()] = pawn;
        Checks { direct, left: first | second | legs, entered }
    }

    /// The points from which a piece of this kind attacks the enemy king, as the pieces stand now.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks};
    /// use xiangqi::types::PieceType;
    ///
    /// let board = Board::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 w")?;
    /// assert_eq!(Checks::of(&board).direct(PieceType::Pawn).len(), 3);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline(always)]
    pub fn direct(&self, kind: PieceType) -> Bitboard {
        self.direct[kind.index()]
    }

    /// Goals such that a move of a piece of this kind there may give check, unless [`Checks::may_be_opened`] by leaving its point. All
    /// other moves give none.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks, START_FEN};
    /// use xiangqi::types::PieceType;
    ///
    /// // No move from here makes a screen.
    /// let checks = Checks::of(&Board::from_fen(START_FEN)?);
    /// assert_eq!(checks.may_be_given(PieceType::Horse), checks.direct(PieceType::Horse));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline(always)]
    pub fn may_be_given(&self, kind: PieceType) -> Bitboard {
        self.direct(kind) | self.entered
    }

    /// Whether any move from this point may give check.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks};
    ///
    /// // The horse may leave the line of the rook.
    /// let board = Board::from_fen("4k4/9/9/9/4N4/9/9/9/4R4/3K5 w")?;
    /// assert!(Checks::of(&board).may_be_opened("e5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn may_be_opened(&self, from: Square) -> bool {
        self.left.has(from)
    }

    /// The points that may open an attack when they are left.
    #[inline(always)]
    pub(super) fn left(&self) -> Bitboard {
        self.left
    }

    /// The points that make a screen when they are entered.
    #[inline(always)]
    pub(super) fn entered(&self) -> Bitboard {
        self.entered
    }

    /// Whether a legal move of the same board gives check, by whichever piece: as [`Board::gives_check`], but cheaper.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks};
    /// use xiangqi::types::Move;
    ///
    /// // The horse leaves the line of the rook.
    /// let board = Board::from_fen("4k4/9/9/9/4N4/9/9/9/4R4/3K5 w")?;
    /// assert!(Checks::of(&board).are_given_by(&board, Move::from_uci("e5c4")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn are_given_by(&self, board: &Board, mv: Move) -> bool {
        if self.left.has(mv.from()) || self.entered.has(mv.to()) {
            return board.gives_check(mv);
        }
        let kind = KIND_OF_SLOT[board.slot_at(mv.from().index()) % SLOTS_OF_SIDE];
        self.direct(kind).has(mv.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::random_walk;

    #[test]
    fn sets_and_boards_agree() {
        let (mut checks, mut moves) = (0, 0);
        for seed in 100..160 {
            random_walk(seed, 160, |board| {
                let sets = Checks::of(board);
                for mv in board.legal_moves() {
                    let gives_check = board.gives_check(mv);
                    assert_eq!(sets.are_given_by(board, mv), gives_check, "{} {mv}", board.to_fen());
                    let kind = board.piece_on(mv.from()).map(|piece| piece.kind());
                    let may_be_given = kind.is_some_and(|kind| sets.may_be_given(kind).has(mv.to()));
                    let may_check = may_be_given || sets.may_be_opened(mv.from());
                    assert!(may_check || !gives_check, "{} {mv}", board.to_fen());
                    checks += gives_check as u32;
                    moves += 1;
                }
            });
        }
        assert!(checks > 5_000 && moves > 100_000, "only {checks} checks of {moves} moves");
    }
}
