//! Layer 0: basic value types. Points, pieces, moves, sets of points and scores, without the rules of the game.

mod bitboard;
mod error;
mod moves;
mod names;
mod piece;
pub mod score;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use error::{ParseMoveError, ParseSquareError};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use names::UnknownName;
pub use piece::{Color, Piece, PieceType};
pub use square::{FILES, RANKS, SQUARES, Square};
