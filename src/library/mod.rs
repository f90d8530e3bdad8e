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
//! ```no_run
//! use chuhe::library::{AddOptions, Library, Query};
//! use std::path::Path;
//!
//! let mut library = Library::create_or_open(Path::new("games.chuhe"))?;
//! library.add(&["games.pgn".into()], AddOptions::default(), &mut |_| {})?;
//! for hit in library.search(&Query { players: vec!["胡荣华".into()], ..Query::default() })? {
//!     println!("{}", library.summary(hit.game)?.red.unwrap_or_default());
//! }
//! # Ok::<(), chuhe::library::LibraryError>(())
//! ```

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
mod stats;
mod store;
mod summary;

pub use add::{AddEvent, AddOptions, Added};
pub use check::Checked;
pub use error::{LibraryError, Problem};
pub use explore::{Explored, ExploredMove, Player};
pub use pattern::{Material, Pattern, PatternError, Place, PlaceError};
pub use query::{Dates, Hit, Query, Range, RangeError};
pub use stats::{OpeningStats, PlayerStats, Stats};
pub use store::Library;
pub use summary::Summary;

/// The number that tells libraries from other SQLite files: the letters `chlb`.
pub const APPLICATION: i64 = 0x6368_6c62;
/// The version of the layout.
pub const VERSION: i64 = 1;
/// Most games of a library.
pub const MOST_GAMES: u32 = 1 << 27;
