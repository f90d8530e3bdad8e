//! Layer 6: libraries of games. Records of every format in one file, which finds them by position, part of a position, material, names,
//! date, opening, result, length and comment.
//!
//! # The file
//!
//! An SQLite database with the application number [`APPLICATION`] and the version of its layout in `user_version`: transactions make what is
//! added safe from a kill and from a second process, and the engine for it is part of the program already. A game is a row of `games`;
//! names are numbers of rows of `texts`; moves are a byte each in packs of eight games. Every 4096 games get an index of their
//! positions, an approximate set of about eight bits a position; those that it names are played through, so that nothing is shown that
//! does not have the position. Games after the last full segment are played through without one.
//!
//! A record with the moves of another is a variant of that game: its names, comments and result are kept, its moves are not stored twice.
//!
//! Without the feature `sqlite` only the form of its answers is left, for the page of the board, which looks through games of its own.

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

/// The number that distinguishes libraries from other SQLite files: the letters `chlb`.
pub const APPLICATION: i64 = 0x6368_6c62;
/// The version of the layout.
pub const VERSION: i64 = 1;
/// Most games of a library.
pub const MOST_GAMES: u32 = 1 << 27;
