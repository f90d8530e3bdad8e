//! Layer 1: the board. Positions, legal moves, keys, FEN, exchange evaluation and perft.
//!
//! [`Board`] is a plain value without a past; [`Position`] adds the game behind it. What a repetition means is not known
//! here: that is the layer of the rules. The network is not known either: an accumulator reads from [`State`] which piece
//! went where and what it took, and needs no callback from the board.

mod checks;
mod dispatch;
mod emit;
mod exchange;
mod fen;
mod generate;
mod legality;
mod occupancy;
mod placement;
mod position;
mod safety;
mod setup;
mod sight;
mod tables;
#[cfg(any(test, feature = "testing"))]
pub mod test_positions;
#[cfg(test)]
mod tests;
mod window;

pub use checks::Checks;
pub use dispatch::Level;
pub use fen::{FenError, START_FEN, kind_of_letter};
pub use generate::Wanted;
pub use placement::{Board, SLOTS_OF_SIDE, piece_moves, slots_of_kind, zone};
pub use position::{COUNTED_CHECKS, Position, State};
pub use safety::Safety;
pub use setup::{Setup, SetupError};
pub use tables::between;
