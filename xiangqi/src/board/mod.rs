//! Layer 1: positions, legal move generation, position keys, FEN, static exchange evaluation and perft.
//!
//! [`Board`] is a plain value without history; [`Position`] adds the moves of a game. Repetitions are detected here but judged
//! by [`rules`](crate::rules). The board needs no callbacks for an evaluation network: an accumulator reads the moved and
//! captured pieces from [`State`].
//!
//! ```
//! use xiangqi::board::Position;
//! use xiangqi::types::Color;
//!
//! let mut game = Position::from_fen("4k4/9/9/9/9/9/9/9/4R4/3K5 b")?;
//! assert!(game.in_check());
//! for mv in game.board().legal_moves() {
//!     game.make(mv);
//!     assert!(!game.board().is_attacked(Color::Black));
//!     game.unmake();
//! }
//! # Ok::<(), xiangqi::board::FenError>(())
//! ```

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
#[cfg(feature = "records")]
pub(crate) use fen::is_empty_field;
pub use fen::{FenError, START_FEN, kind_of_letter};
pub(crate) use fen::{is_invisible, narrow};
pub use generate::Wanted;
pub use placement::{Board, piece_moves, zone};
pub(crate) use placement::{SLOTS_OF_SIDE, slots_of_kind};
pub use position::{Position, State};
pub use safety::Safety;
pub use setup::{Setup, SetupError};
pub use tables::between;
