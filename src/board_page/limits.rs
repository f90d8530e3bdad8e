//! Limits on messages and answers, documented in `docs/src/developers/serve.md`.

use std::time::Duration;

/// Longest request in bytes: a file of 48 MiB in Base64.
pub const LONGEST_MESSAGE: usize = 64 << 20;
/// Longest error message, in characters.
pub const LONGEST_ERROR: usize = 500;
/// Most moves of a record, including variations. The largest known real one has 226 211.
pub const LARGEST_TREE: usize = 1 << 18;
/// Most moves of a line.
pub const LONGEST_LINE: usize = crate::records::MAX_PLIES;
/// Most games in the list of a file.
pub const LISTED_GAMES: usize = 5000;
/// Most games in the list of an explored position.
pub const LATEST_GAMES: usize = 12;
/// Most players listed for an explored move.
pub const LISTED_PLAYERS: usize = 3;
/// Most lines of one analysis.
pub const LINES: usize = 10;
/// Greatest depth of an analysis, in plies.
pub const DEPTH: u64 = 200;
/// Longest time of a search: one day, in milliseconds.
pub const LONGEST_TIME: u64 = 86_400_000;
/// Most arrows of a drawing.
pub const ARROWS: usize = 20;
/// Minimum interval between two messages of an analysis, near the refresh interval of a screen.
pub const QUIET: Duration = Duration::from_millis(20);
