//! Check detection data computed once per position. Most moves are then classified by a single set lookup; only moves that may
//! open or close a line, or unblock a horse's leg, need a full test. The idea is that of Stockfish's check squares and
//! discovered-check candidates, extended to cannon screens.

use super::placement::{Board, KIND_OF_SLOT, SLOTS_OF_SIDE};
use super::tables;
use super::window::{self, CENTRE};
use crate::types::{Bitboard, FILES, Move, Piece, PieceType, Square};

/// The points from which a pawn checks a king, as a window by the pawn's colour: both sides of the king and the point in front of it.
const PAWN_CHECKS: [u64; 2] = {
    let beside = 1 << (CENTRE - 1) | 1 << (CENTRE + 1);
    [beside | 1 << (CENTRE - FILES as u32), beside | 1 << (CENTRE + FILES as u32)]
};

/// Precomputed data on the checks that the side to move can give. For testing many moves of one board this is faster than
/// [`Board::gives_check`].
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
    /// Points from which a piece attacks the enemy king, by kind index.
    direct: [Bitboard; PieceType::COUNT],
    /// Points from which any move may discover a check.
    pub(super) discovering: Bitboard,
    /// Points on which any piece becomes the screen of a checking cannon.
    pub(super) screening: Bitboard,
}

impl Checks {
    /// Computes the checks that the side to move can give.
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
        let mut screening = Bitboard::EMPTY;
        for cannon in board.squares_of(Piece::new(side, PieceType::Cannon)).filter(|&cannon| first.has(cannon)) {
            screening |= tables::between(king, cannon);
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
        Checks { direct, discovering: first | second | legs, screening }
    }

    /// The points from which a piece of this kind would attack the enemy king on the current board.
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

    /// The destinations on which a piece of this kind may give check. Moves to other points give check only if
    /// [`Checks::may_be_opened`] holds for their origin.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks, START_FEN};
    /// use xiangqi::types::PieceType;
    ///
    /// // No point is a screen for a cannon here.
    /// let checks = Checks::of(&Board::from_fen(START_FEN)?);
    /// assert_eq!(checks.may_be_given(PieceType::Horse), checks.direct(PieceType::Horse));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline(always)]
    pub fn may_be_given(&self, kind: PieceType) -> Bitboard {
        self.direct(kind) | self.screening
    }

    /// Whether a move from this point may give a discovered check, whatever its destination.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks};
    ///
    /// // The horse blocks the file of the rook.
    /// let board = Board::from_fen("4k4/9/9/9/4N4/9/9/9/4R4/3K5 w")?;
    /// assert!(Checks::of(&board).may_be_opened("e5".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn may_be_opened(&self, from: Square) -> bool {
        self.discovering.has(from)
    }

    /// Whether a legal move gives check, directly or by discovery: as [`Board::gives_check`], but cheaper. The board must be the one
    /// from which the checks were computed.
    ///
    /// ```
    /// use xiangqi::board::{Board, Checks};
    /// use xiangqi::types::Move;
    ///
    /// // The horse moves out of the file of the rook.
    /// let board = Board::from_fen("4k4/9/9/9/4N4/9/9/9/4R4/3K5 w")?;
    /// assert!(Checks::of(&board).are_given_by(&board, Move::from_uci("e5c4")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn are_given_by(&self, board: &Board, mv: Move) -> bool {
        if self.discovering.has(mv.from()) || self.screening.has(mv.to()) {
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
    fn checks_agree_with_gives_check() {
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
