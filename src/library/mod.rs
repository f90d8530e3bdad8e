//! Layer 6: game libraries. Records of every format in one file, searchable by position, part of a position, material, names, date,
//! opening, result, length and comment.
//!
//! # File format
//!
//! An SQLite database with the application id `APPLICATION` and the layout version in `user_version`. Transactions keep additions consistent if
//! the process is killed or others run concurrently, and SQLite is already part of the program. A game is a row of `games`; names are ids of rows
//! of `texts`; moves take one byte each, in packs of eight games. Every segment of 4096 games gets a position index, an approximate set with
//! about eight bits per position; the games it returns are replayed to remove false positives. Games after the last full segment are
//! replayed without an index.
//!
//! A record with the same moves as another is a variant of that game: its names, comments and result are stored, its moves are not.

mod add;
mod bytes;
mod check;
mod details;
mod error;
mod explore;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod headers;
mod index;
mod line;
mod pattern;
mod query;
mod replay;
mod script;
mod stats;
mod store;
mod summary;

pub use self::{
    add::{AddEvent, AddOptions, Added},
    check::Checked,
    error::{LibraryError, LibraryErrorKind},
    explore::{Explored, ExploredMove},
    pattern::{ExactPosition, ExactPositionError, Material, Pattern, PatternError},
    query::{Dates, Hit, Query, Range, RangeError},
    stats::{OpeningStats, PlayerStats, Stats},
    store::Library,
    summary::Summary,
};

/// The SQLite application id of libraries: the letters `chlb`.
const APPLICATION: i64 = 0x6368_6c62;
/// The version of the layout.
const VERSION: i64 = 1;
/// Maximum number of games in a library.
const MAX_GAMES: u32 = 1 << 27;
