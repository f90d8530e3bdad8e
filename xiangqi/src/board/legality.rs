//! Legality and properties of individual moves.

use super::placement::{Board, FIRST_SLOT, SLOTS_OF_SIDE};
use super::safety::{self, Attackers};
use super::tables::CAPTURED;
use crate::types::{Bitboard, Color, Move, PieceType, Square};
use std::ops::Range;

/// The slots of horses, rooks and cannons, which are contiguous; the pawns follow.
const MAJORS: Range<usize> = FIRST_SLOT[PieceType::Horse as usize]..FIRST_SLOT[PieceType::Pawn as usize];

impl Board {
    /// Whether a move is legal. Any [`Move`] value may be passed, for example one from a hash table entry of a different
    /// position.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert!(start.is_legal(Move::from_uci("h2e2")?));
    /// assert!(!start.is_legal(Move::from_uci("e0e2")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let Some(piece) = self.piece_on(mv.from()) else { return false };
        if piece.color() != self.side_to_move()
            || self.piece_on(mv.to()).is_some_and(|target| target.color() == piece.color())
            || !self.reaches(piece.color(), piece.kind(), mv.from(), mv.to())
        {
            return false;
        }
        let target = if piece.kind() == PieceType::King { mv.to() } else { self.king(piece.color()) };
        !self.is_in_danger(piece.color(), target) || !self.is_attacked_after(piece.color(), mv)
    }

    /// Whether an enemy piece could attack the king of `color` on a point if the points between did not matter.
    #[inline]
    fn is_in_danger(&self, color: Color, king: Square) -> bool {
        safety::is_in_danger(Attackers::among(&self.places, color).danger(), king.index())
    }

    /// Whether the side to move has a legal move. Cheaper than [`Board::count_legal_moves`], since it usually stops at the first
    /// piece.
    ///
    /// ```
    /// use xiangqi::board::Board;
    ///
    /// assert!(Board::from_fen(xiangqi::board::START_FEN)?.has_legal_move());
    /// assert!(!Board::from_fen("3k5/4P4/9/9/9/9/9/9/9/4K4 b")?.has_legal_move());
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn has_legal_move(&self) -> bool {
        let side = self.side_to_move();
        let own = self.color(side);
        // If no enemy piece can reach the king, pseudo-legal moves of the other pieces are legal.
        if !self.is_in_danger(side, self.king(side)) {
            let kinds = [PieceType::Rook, PieceType::Cannon, PieceType::Horse, PieceType::Pawn];
            if kinds.into_iter().any(|kind| !(self.targets_of(side, kind) & !own).is_empty()) {
                return true;
            }
        }
        !self.legal_moves().is_empty()
    }

    /// Whether a legal move gives check, directly or by discovery. To test many moves of one board, use
    /// [`Checks`](super::Checks).
    ///
    /// ```
    /// use xiangqi::board::Board;
    /// use xiangqi::types::Move;
    ///
    /// let board = Board::from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w")?;
    /// assert!(board.gives_check(Move::from_uci("a1e1")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        self.is_attacked_after(!self.side_to_move(), mv)
    }

    /// Whether a move is a capture.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Move;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert!(start.is_capture(Move::from_uci("h2h9")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.slot_on(mv.to()).is_some()
    }

    /// The pieces that give check to the side to move, including a facing king.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert!(start.checkers().is_empty());
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn checkers(&self) -> Bitboard {
        safety::checkers(self, self.side_to_move())
    }

    /// Whether a side has a piece that can cross the river: a rook, cannon, horse or pawn.
    ///
    /// ```
    /// use xiangqi::board::Board;
    /// use xiangqi::types::Color;
    ///
    /// let board = Board::from_fen("4k4/9/9/9/9/9/P8/9/9/3K5 w")?;
    /// assert!(board.has_attackers(Color::Red) && !board.has_attackers(Color::Black));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn has_attackers(&self, color: Color) -> bool {
        self.places_of_slots(color, MAJORS.start..SLOTS_OF_SIDE).iter().any(|&place| place != CAPTURED)
    }

    /// Whether a side has a rook, horse or cannon. A side without one may be in zugzwang, so null-move pruning is unsafe.
    ///
    /// ```
    /// use xiangqi::board::Board;
    /// use xiangqi::types::Color;
    ///
    /// let board = Board::from_fen("4k4/9/9/9/9/9/P8/9/4N4/3K5 w")?;
    /// assert!(board.has_major(Color::Red) && !board.has_major(Color::Black));
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn has_major(&self, color: Color) -> bool {
        self.places_of_slots(color, MAJORS).iter().any(|&place| place != CAPTURED)
    }

    /// The number of rooks, horses and cannons of a side.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    /// use xiangqi::types::Color;
    ///
    /// let start = Board::from_fen(START_FEN)?;
    /// assert_eq!(start.majors(Color::Red), 6);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    #[inline]
    pub fn majors(&self, color: Color) -> usize {
        self.places_of_slots(color, MAJORS).iter().filter(|&&place| place != CAPTURED).count()
    }

    #[inline(always)]
    fn places_of_slots(&self, color: Color, slots: Range<usize>) -> &[u8] {
        let base = color.index() * SLOTS_OF_SIDE;
        &self.places[base + slots.start..base + slots.end]
    }
}
