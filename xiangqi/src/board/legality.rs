//! Questions about single moves.

use super::placement::{Board, piece_moves};
use crate::types::{Bitboard, Move, PieceType};

impl Board {
    /// Whether a move is legal here. Any encoding may be asked, for instance one read from a table that holds moves of
    /// other positions.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let Some(piece) = self.piece_on(mv.from()) else { return false };
        if piece.color() != self.side_to_move()
            || self.piece_on(mv.to()).is_some_and(|target| target.color() == piece.color())
            || !piece_moves(piece, mv.from(), self.occupied()).has(mv.to())
        {
            return false;
        }
        !self.after(mv).is_attacked(piece.color())
    }

    /// Whether a legal move gives check, by whichever piece.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check()
    }

    /// Whether a move takes a piece.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.slot_on(mv.to()).is_some()
    }

    /// The pieces that give check to the side to move, a facing king included.
    pub fn checkers(&self) -> Bitboard {
        super::safety::checkers(self, self.side_to_move())
    }

    /// Whether a side still has a piece that can cross the river.
    #[inline]
    pub fn has_attackers(&self, color: crate::types::Color) -> bool {
        [PieceType::Horse, PieceType::Rook, PieceType::Cannon, PieceType::Pawn]
            .into_iter()
            .any(|kind| self.squares_of(crate::types::Piece::new(color, kind)).next().is_some())
    }
}
