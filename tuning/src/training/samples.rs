//! One position as the trainer holds it.

use super::Filter;
use crate::records::{Game, Ply};
use chuhe::board::{Board, Position};
use chuhe::nnue::{Balance, bucket, feature, mirrored};
use chuhe::types::{Color, Square};

/// Physical pieces of a board.
const SLOTS: usize = 32;
/// The piece is not on the board.
const OFF: u8 = u8::MAX;

/// A position with what is known of it, in 37 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Point of every physical piece.
    places: [u8; SLOTS],
    /// Bit 0: Black to move. Bits 1 and 2: Red's and Black's view is mirrored. From bit 3 up: the output bucket.
    flags: u8,
    /// Of the side to move: 2 for a win, 1 for a draw, 0 for a loss.
    half_points: u8,
    /// In centipawns from the view of the side to move.
    score: i16,
}

/// The features of a position, those of the view of the side to move first.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    rows: [[u16; SLOTS]; 2],
    count: usize,
}

impl Features {
    /// No features yet.
    pub const NONE: Features = Features { rows: [[0; SLOTS]; 2], count: 0 };

    /// The features of a view: 0 for the side to move, 1 for the other.
    #[inline(always)]
    pub fn view(&self, view: usize) -> &[u16] {
        &self.rows[view][..self.count]
    }
}

impl Sample {
    /// A position, its score and half points, both of the side to move.
    pub fn new(board: &Board, score: i16, half_points: u8) -> Sample {
        let balance = Balance::of(board);
        let [red, black] = Color::ALL.map(|color| mirrored(color, board, balance) as u8);
        let side = board.side_to_move().index() as u8;
        let flags = side | red << 1 | black << 2 | (bucket(board) as u8) << 3;
        let places = std::array::from_fn(|slot| board.square_of_slot(slot).map_or(OFF, |square| square.index() as u8));
        Sample { places, flags, half_points, score }
    }

    /// The position before a ply, if the filter lets it through.
    fn of_ply(position: &Position, ply: &Ply, game: &Game, filter: &Filter) -> Option<Sample> {
        let score = ply.score.filter(|score| score.unsigned_abs() <= filter.max_score)?;
        if (filter.skip_checks && position.in_check()) || (filter.skip_captures && position.board().is_capture(ply.mv)) {
            return None;
        }
        Some(Sample::new(position.board(), score, game.won.half_points(position.side_to_move())))
    }

    /// Appends the positions of a game that the filter lets through.
    pub fn extend(game: &Game, filter: &Filter, out: &mut Vec<Sample>) {
        game.replay(|position, ply| out.extend(Sample::of_ply(position, ply, game, filter)));
    }

    /// Output bucket.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        (self.flags >> 3) as usize
    }

    /// The same position, as one of the only bucket there is.
    pub fn in_first_bucket(mut self) -> Sample {
        self.flags &= 7;
        self
    }

    /// What the network shall say, as a chance to win: `share` of it is the result's, the rest the score's, which is divided
    /// by `scale` on the logistic curve.
    #[inline(always)]
    pub fn target(&self, share: f32, scale: f32) -> f32 {
        let chance = 1.0 / (1.0 + (-(self.score as f32) / scale).exp());
        share * (self.half_points as f32 / 2.0) + (1.0 - share) * chance
    }

    /// Computes the features.
    #[inline(always)]
    pub fn features(&self, out: &mut Features) {
        let side = if self.flags & 1 == 0 { Color::Red } else { Color::Black };
        let mirror = [self.flags >> 1 & 1 != 0, self.flags >> 2 & 1 != 0];
        let mut count = 0;
        for (slot, &place) in self.places.iter().enumerate() {
            let (Some(square), Some(piece)) = (Square::new(place as usize), Board::piece_of_slot(slot)) else { continue };
            out.rows[0][count] = feature(side, mirror[side.index()], piece, square);
            out.rows[1][count] = feature(!side, mirror[(!side).index()], piece, square);
            count += 1;
        }
        out.count = count;
    }
}
