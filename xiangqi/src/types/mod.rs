//! Layer 0: basic value types. Points, pieces, moves and sets of points, without the rules of the game.
//!
//! ```
//! use xiangqi::types::{Color, Move, Piece, PieceType, Square};
//!
//! let e0: Square = "e0".parse()?;
//! assert_eq!(Move::from_uci("e0e1")?.from(), e0);
//! assert_eq!(Piece::new(Color::Red, PieceType::King).fen_letter(), 'K');
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboard;
#[cfg(feature = "openings")]
mod checksum;
mod error;
mod messages;
mod moves;
mod names;
mod piece;
mod sorting;
pub(crate) mod split_mix;
mod square;

pub use bitboard::{Bitboard, Squares};
#[cfg(feature = "openings")]
#[doc(hidden)]
pub use checksum::crc32;
pub use error::{ParseMoveError, ParseSquareError};
#[doc(hidden)]
pub use messages::counted;
#[cfg(feature = "records")]
pub(crate) use messages::listed;
pub(crate) use messages::quoted;
pub use moves::{MAX_MOVES, Move, MoveList};
pub use names::UnknownName;
pub(crate) use names::table;
pub use piece::{Color, Piece, PieceType};
#[doc(hidden)]
pub use sorting::sort_by;
#[doc(hidden)]
pub use split_mix::split_mix;
pub use square::{FILES, RANKS, SQUARES, Square};
