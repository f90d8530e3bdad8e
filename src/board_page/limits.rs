//! How much a page may ask for. `docs/src/developers/serve.md` lists it for others.

use std::time::Duration;

/// Longest message of a page in bytes: a file of 48 MiB in Base64.
pub const LONGEST_MESSAGE: usize = 64 << 20;
/// Longest answer that says what is wrong, in characters.
pub const LONGEST_PROBLEM: usize = 500;
/// Most moves of a record, variations included. The largest real file known has 107 001.
pub const LARGEST_TREE: usize = 1 << 18;
/// Most moves of a line.
pub const LONGEST_LINE: usize = crate::records::MAX_PLIES;
/// Games of a file that its list shows.
pub const LISTED_GAMES: usize = 5000;
/// Games in the list of an explored position.
pub const LATEST_GAMES: usize = 12;
/// Players that are named for an explored move.
pub const LISTED_PLAYERS: usize = 3;
/// Best lines of one analysis.
pub const LINES: usize = 10;
/// Least time between two messages of an analysis: more often than a screen is drawn helps nobody.
pub const QUIET: Duration = Duration::from_millis(20);
