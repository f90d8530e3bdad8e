//! Layer 7: the search threads, their shared table and their control.
//!
//! Lazy SMP: all threads search the same root and communicate only through the table. The main search runs on the caller's thread,
//! checks the limits and sends reports; the helper threads live as long as the pool and sleep between searches.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::search::{Limits, Settings};
//! use chuhe::threads::{Pool, STACK};
//!
//! let search = || {
//!     let limits = Limits { nodes: Some(1_000), ..Limits::none() };
//!     Pool::new(1, 16).search(&Position::startpos(), &limits, &Settings::default(), &mut ())
//! };
//! // The stack of most threads is too small for a deep search.
//! let outcome = std::thread::Builder::new().stack_size(STACK).spawn(search)?.join().expect("no panic");
//! assert!(outcome.best.is_some());
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod bench;
mod draw_offer;
#[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), path = "no_helper.rs")]
mod helper;
mod strength;
#[cfg(test)]
mod tests;

use crate::board::Position;
use crate::memory::has_memory;
use crate::rules::NaturalLimit;
pub use crate::search::Probe;
use crate::search::{Limits, Outcome, Report, Searcher, Settings, Shared, Signals, Task, ThreadResult};
use helper::Helpers;
use parking_lot::RwLock;
use std::sync::Arc;
/// Stack size that [`Pool::search`] needs, in bytes: two hundred plies of node and quiescence frames, with a margin for unoptimised builds.
pub const STACK: usize = 16 << 20;
/// Maximum number of threads of a pool. Their counters are allocated before the system is asked for the threads.
const MAX_THREADS: usize = 1024;
pub use draw_offer::DrawReply;
pub use strength::{ELO_RANGE, LEVELS, PlayLevel};

/// Checks that the initial memory of a pool and its surroundings is available, because an allocation that fails later aborts the
/// process.
///
/// # Errors
/// If it is not available.
pub fn check_memory() -> std::io::Result<()> {
    if has_memory(0) { Ok(()) } else { Err(std::io::ErrorKind::OutOfMemory.into()) }
}

/// Stops, releases or queries a running search from another thread. Cheap to clone.
#[derive(Clone)]
pub struct Control {
    signals: Arc<Signals>,
    /// The current shared data of the pool; locked to replace or probe the table, never by the search.
    shared: Arc<RwLock<Arc<Shared>>>,
}

impl Control {
    /// Announces a search that is about to be passed to another thread, so that a stop before it has begun has an effect too. Without
    /// this call [`Pool::search`] announces itself when it begins.
    pub fn arm(&self) {
        self.signals.arm();
    }

    /// Stops the announced or running search as soon as possible; does nothing if there is none.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Turns a search that waits for a stop (pondering) into a normal one, which ends at once if the time planned for it has passed.
    pub fn ponderhit(&self) {
        self.signals.release();
    }

    /// MiB of memory that the table occupies: they become free when its size changes.
    pub fn occupied_mib(&self) -> usize {
        self.shared.read().occupied_mib()
    }

    /// Pauses the preparation of the table's memory, or lets it continue. A pause lasts at most 20 ms, after which the next 2 MiB are
    /// prepared in any case. Meanwhile every other thread that allocates memory has to wait.
    pub fn pause_preparation(&self, is_paused: bool) {
        self.signals.pause_preparation(is_paused);
    }

    /// Probes the table for a position of a search with this natural limit, even during one; `None` without an entry or if the entry contains only an evaluation.
    pub fn probe(&self, position: &Position, natural_limit: NaturalLimit) -> Option<Probe> {
        self.shared.read().probe(position, natural_limit)
    }
}

/// The search threads with their transposition table.
pub struct Pool {
    control: Control,
    shared: Arc<Shared>,
    main: Box<Searcher>,
    helpers: Helpers,
    /// Whether the table may have entries.
    is_table_used: bool,
}

impl Pool {
    /// A pool of `threads` search threads (1 to 1024) with a table of `hash_mib` MiB, or less of either if the system has no more. The
    /// memory of the table is ready.
    pub fn new(threads: usize, hash_mib: usize) -> Pool {
        let pool = Pool::prepare(threads, hash_mib).1();
        pool.prepare_table(|| true);
        pool
    }

    /// The control of such a pool, and a function that creates the pool: that takes some milliseconds and can be done on another thread.
    /// The memory of the table is not ready.
    pub fn prepare(threads: usize, hash_mib: usize) -> (Control, impl FnOnce() -> Pool + Send + 'static) {
        let threads = threads.clamp(1, MAX_THREADS);
        let shared = Arc::new(Shared::new(hash_mib, threads));
        let control = Control { signals: Arc::clone(shared.signals()), shared: Arc::new(RwLock::new(Arc::clone(&shared))) };
        let handle = control.clone();
        let make = move || {
            let main = Box::new(Searcher::new(0, Arc::clone(&shared)));
            let helpers = Helpers::new(threads - 1, &shared);
            Pool { control, shared, main, helpers, is_table_used: false }
        };
        (handle, make)
    }

    /// Prepares the memory of the entire table, on all processors, until it is ready or `is_wanted`, which is called every few
    /// milliseconds, returns false. A search does this itself as far as its limits allow, and otherwise uses the part of the table that is
    /// ready; its entries are lost when a later search uses a larger part.
    pub fn prepare_table(&self, is_wanted: impl Fn() -> bool + Sync) {
        self.shared.prepare(u64::MAX, is_wanted);
    }

    /// The number of threads: fewer than requested if the system provides no more, or no memory for them.
    pub fn threads(&self) -> usize {
        self.helpers.count() + 1
    }

    /// The size of the table in MiB: less than requested if there is not enough memory.
    pub fn hash_mib(&self) -> usize {
        self.shared.hash_mib()
    }

    /// Changes the number of threads and returns the new one, see [`Pool::threads`].
    pub fn set_threads(&mut self, threads: usize) -> usize {
        let threads = threads.clamp(1, MAX_THREADS);
        if threads != self.threads() {
            // The old threads end first, as there may not be enough memory for both.
            self.helpers = Helpers::new(0, &self.shared);
            self.install(self.shared.with_threads(threads));
            self.helpers = Helpers::new(threads - 1, &self.shared);
        }
        self.threads()
    }

    /// Changes the size of the table and returns the new one, see [`Pool::hash_mib`]. Afterwards the table is empty and not ready, see
    /// [`Pool::prepare_table`].
    pub fn set_hash(&mut self, hash_mib: usize) -> usize {
        // The old table is freed before the new one is allocated, as there may not be enough memory for both.
        for mib in [1, hash_mib] {
            self.install(self.shared.with_hash(mib));
        }
        self.is_table_used = false;
        self.hash_mib()
    }

    /// Installs another table or other counters in all threads.
    fn install(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        *self.control.shared.write() = Arc::clone(&self.shared);
        self.main.set_shared(Arc::clone(&self.shared));
        self.helpers.set_shared(&self.shared);
    }

    /// Clears the table and all statistics, for a new game. A table that was in use is not ready afterwards, see [`Pool::prepare_table`].
    pub fn clear(&mut self) {
        // Clients often start a new game directly after setting the table size.
        if std::mem::take(&mut self.is_table_used) {
            self.shared.clear();
        }
        self.main.clear();
        self.helpers.clear();
    }

    /// A handle that controls this pool's search from another thread.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Searches until a limit is reached or [`Control::stop`] is called. The outcome has no move if none is legal or the limits allow none.
    /// The caller's thread needs a stack of [`STACK`] bytes: with less, deep searches overflow it, which ends the process.
    pub fn search(&mut self, position: &Position, limits: &Limits, settings: &Settings, report: &mut dyn Report) -> Outcome {
        self.shared.begin();
        self.is_table_used = true;
        let (allowance, noise) = strength::handicap(settings);
        let drawn = strength::random_move(settings, position, limits);
        let limits = drawn.as_ref().unwrap_or(limits);
        if let Some(outcome) = limits.outcome_without_moves(position.board()) {
            if limits.wait_for_stop {
                self.control.signals.wait();
            }
            self.control.signals.end();
            return outcome;
        }
        let task = Arc::new(Task::new(position, limits, settings, &self.shared, allowance, noise));
        task.prepare_table();
        self.helpers.start(&task);
        let mut found = vec![self.main.run(&task, Some(report))];
        found.extend(self.helpers.results());
        self.control.signals.end();
        let chosen = &found[if limits.multipv > 1 { 0 } else { ThreadResult::vote(&found) }];
        task.report(chosen, &found[0], report);
        task.outcome(chosen)
    }
}
