//! The limits of a search, and the settings it runs with.

use crate::nnue::Network;
use crate::rules::Rules;
use crate::types::Move;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves for which the time left must last; none when it is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search. The first one reached ends it; without limits it runs until it is stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the search was requested: all times count from here.
    pub start: Instant,
    /// Plies of the deepest iteration.
    pub depth: Option<i32>,
    /// Nodes over all threads.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Stop when a mate in so many own moves is proved.
    pub mate: Option<u32>,
    /// Only these root moves; empty for all.
    pub search_moves: Vec<Move>,
    /// Not these root moves.
    pub banned_moves: Vec<Move>,
    /// Return only after a stop, whatever the other limits say (`go infinite`, `go ponder`).
    pub wait_for_stop: bool,
    /// Number of best lines to find, at least 1.
    pub multipv: usize,
}

impl Limits {
    /// No limits; time counts from now.
    pub fn none() -> Limits {
        Limits {
            start: Instant::now(),
            depth: None,
            nodes: None,
            movetime: None,
            clock: None,
            mate: None,
            search_moves: Vec::new(),
            banned_moves: Vec::new(),
            wait_for_stop: false,
            multipv: 1,
        }
    }
}

/// Settings that a user chooses and that stay from search to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules of repetition and the natural limit.
    pub rules: Rules,
    /// Time reserved for each move's transmission.
    pub move_overhead: Duration,
    /// Playing strength in Elo; none for full strength.
    pub elo: Option<u32>,
    /// Amplitude of random noise on root scores in centipawns, 0 for none (UCCI `randomness`).
    pub randomness: i32,
    /// The network that evaluates.
    pub network: Arc<Network>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            rules: Rules::default(),
            move_overhead: Duration::from_millis(10),
            elo: None,
            randomness: 0,
            network: Arc::clone(crate::eval::embedded()),
        }
    }
}
