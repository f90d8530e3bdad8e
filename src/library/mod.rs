//! Layer 6: game libraries. Records of every format in one file, searchable by position, part of a position, material, names, date,
//! opening, result, length and comment.
//!
//! # File format
//!
//! An SQLite database with the application id [`APPLICATION`] and the layout version in `user_version`. Transactions protect additions from
//! a killed process and from concurrent ones, and SQLite is already part of the program. A game is a row of `games`; names are ids of rows
//! of `texts`; moves take one byte each, in packs of eight games. Every segment of 4096 games gets a position index, an approximate set with
//! about eight bits per position; the games it returns are replayed to remove false positives. Games after the last full segment are
//! replayed without an index.
//!
//! A record with the same moves as another is a variant of that game: its names, comments and result are stored, its moves are not.
//!
//! Without the feature `sqlite` only the result types of `explore` remain, for the board page, which searches its own games.

#[cfg(feature = "sqlite")]
mod add;
#[cfg(feature = "sqlite")]
mod bytes;
#[cfg(feature = "sqlite")]
mod check;
#[cfg(feature = "sqlite")]
mod details;
#[cfg(feature = "sqlite")]
mod error;
#[cfg(feature = "sqlite")]
mod explore;
mod explored;
#[cfg(all(feature = "sqlite", any(test, feature = "fuzzing")))]
pub mod fuzzing;
#[cfg(feature = "sqlite")]
mod headers;
#[cfg(feature = "sqlite")]
mod index;
#[cfg(feature = "sqlite")]
mod line;
#[cfg(feature = "sqlite")]
mod pattern;
#[cfg(feature = "sqlite")]
mod query;
#[cfg(feature = "sqlite")]
mod replay;
#[cfg(feature = "sqlite")]
mod stats;
#[cfg(feature = "sqlite")]
mod store;
#[cfg(feature = "sqlite")]
mod summary;

#[cfg(feature = "sqlite")]
pub use self::{
    add::{AddEvent, AddOptions, Added},
    check::Checked,
    error::{LibraryError, Problem},
    pattern::{Material, Pattern, PatternError, Place, PlaceError},
    query::{Dates, Hit, Query, Range, RangeError},
    stats::{OpeningStats, PlayerStats, Stats},
    store::Library,
    summary::Summary,
};
pub use explored::{Explored, ExploredMove, MoveStats, Player};

/// The SQLite application id of libraries: the letters `chlb`.
pub const APPLICATION: i64 = 0x6368_6c62;
/// The version of the layout.
pub const VERSION: i64 = 1;
/// Maximum number of games in a library.
pub const MOST_GAMES: u32 = 1 << 27;
