//! Floor 5: the search threads, their shared table and how they are stopped.

use crate::board::Position;
use crate::search::{Bound, Limits, Outcome, Report, Score, Settings};
use crate::types::Move;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops or releases a running search from another thread. Cheap to clone.
#[derive(Clone, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
}

impl Control {
    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Turns a search that waits for a stop (pondering) into a normal one, whose clock runs from now.
    pub fn ponderhit(&self) {}

    /// What the table knows of a position; may be asked while a search is running.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        let _ = position;
        None
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The best move found.
    pub best: Option<Move>,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: i32,
}

/// The search threads with their transposition table.
pub struct Pool {
    control: Control,
}

impl Pool {
    /// A pool of `threads` search threads (at least 1) with a table of `hash_mib` MiB.
    pub fn new(threads: usize, hash_mib: usize) -> Pool {
        let _ = (threads, hash_mib);
        Pool { control: Control::default() }
    }

    /// Changes the number of threads.
    pub fn set_threads(&mut self, threads: usize) {
        let _ = threads;
    }

    /// Changes the size of the table, which is empty afterwards.
    pub fn set_hash(&mut self, hash_mib: usize) {
        let _ = hash_mib;
    }

    /// Forgets everything learnt: a new game.
    pub fn clear(&mut self) {}

    /// The handle that stops this pool's search from elsewhere.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Searches until a limit is reached or [`Control::stop`] is called, and returns the best move.
    pub fn search(&mut self, position: &Position, limits: &Limits, settings: &Settings, report: &mut dyn Report) -> Outcome {
        let _ = (limits, settings, report);
        Outcome {
            best: position.board().legal_moves().first().copied(),
            ponder: None,
            score: Score::Centipawns(0),
            depth: 0,
            nodes: 0,
        }
    }
}
