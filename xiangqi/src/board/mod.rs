//! Layer 1: positions, legal move generation, position keys, FEN, static exchange evaluation and perft.
//!
//! [`Board`] is a plain value without history; [`Position`] adds the moves of a game. Repetitions are detected here but judged
//! by [`rules`](crate::rules). The board needs no callbacks for an evaluation network: an accumulator reads the moved and
//! captured pieces from [`State`].

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
