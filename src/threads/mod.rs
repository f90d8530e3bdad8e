//! Layer 7: the search threads, their shared table and how they are stopped.
//!
//! Lazy SMP: all threads search the same root and help each other through the table alone. The first one runs on the caller's thread,
//! watches the limits and reports; the others live as long as the pool and sleep between searches.

pub mod bench;
mod draw_offer;
mod helper;
mod strength;
#[cfg(test)]
mod tests;

use crate::board::Position;
pub use crate::search::Probe;
use crate::search::{Found, Limits, Outcome, Report, Searcher, Settings, Shared, Signals, Task};
use crate::system::has_memory;
use crate::types::Move;
use crate::types::score::is_mate;
use helper::Helpers;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::Arc;
/// Stack that [`Pool::search`] needs, in bytes.
pub const STACK: usize = helper::STACK;
pub use draw_offer::{DRAW_OFFER_NODES, DrawReply};
pub use strength::{ELO_RANGE, LEVELS, PlayLevel};

/// Looks for the memory that a pool and its surroundings begin with: an allocation that fails later ends the process.
///
/// # Errors
/// When it is not there.
pub fn check_memory() -> std::io::Result<()> {
    if has_memory(0) { Ok(()) } else { Err(std::io::ErrorKind::OutOfMemory.into()) }
}

/// Stops, releases or queries a running search from another thread. Cheap to clone.
#[derive(Clone)]
pub struct Control {
    signals: Arc<Signals>,
    /// The pool's present table: locked when the table is replaced or probed, never by the search.
    shared: Arc<RwLock<Arc<Shared>>>,
}

impl Control {
    /// Announces a search that is about to be handed to another thread: a stop that comes before it has begun counts too. Without
    /// it [`Pool::search`] announces itself when it begins.
    pub fn arm(&self) {
        self.signals.arm();
    }

    /// Ends the announced or running search as soon as possible; without one it does nothing.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Turns a search that waits for a stop (pondering) into a normal one, which ends at once when the time planned for it has passed.
    pub fn ponderhit(&self) {
        self.signals.release();
    }

    /// What the table knows about a position; works during a search. `None` where the table holds only an evaluation.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        self.shared.read().probe(position)
    }
}

/// The search threads with their transposition table.
pub struct Pool {
    control: Control,
    shared: Arc<Shared>,
    main: Box<Searcher>,
    helpers: Helpers,
    /// Whether the table may hold something.
    is_table_used: bool,
}

impl Pool {
    /// A pool of `threads` search threads (at least 1) with a table of `hash_mib` MiB, both fewer when the system has no more. The
    /// table is ready.
    pub fn new(threads: usize, hash_mib: usize) -> Pool {
        let pool = Pool::prepare(threads, hash_mib).1();
        pool.prepare_table(|| true);
        pool
    }

    /// The handle of such a pool, and what makes it: that takes some milliseconds, which another thread can spend. Its table is not
    /// ready.
    pub fn prepare(threads: usize, hash_mib: usize) -> (Control, impl FnOnce() -> Pool + Send + 'static) {
        let shared = Arc::new(Shared::new(hash_mib, threads.max(1)));
        let control = Control { signals: Arc::clone(shared.signals()), shared: Arc::new(RwLock::new(Arc::clone(&shared))) };
        let handle = control.clone();
        let make = move || {
            let main = Box::new(Searcher::new(0, Arc::clone(&shared)));
            let helpers = Helpers::new(threads.max(1) - 1, &shared);
            Pool { control, shared, main, helpers, is_table_used: false }
        };
        (handle, make)
    }

    /// Has the system provide the memory of the whole table, by all processors, until it is there or `is_wanted`, which is called
    /// every few milliseconds, returns false. A search does this itself as far as its limits allow it, and otherwise uses the part of
    /// the table that is ready; what is learnt until then is lost when more of it becomes ready.
    pub fn prepare_table(&self, is_wanted: impl Fn() -> bool + Sync) {
        self.shared.prepare(is_wanted);
    }

    /// The number of threads: fewer than asked for when the system provides no more, or no memory for them.
    pub fn threads(&self) -> usize {
        self.helpers.count() + 1
    }

    /// The size of the table in MiB: less than asked for when there is not enough memory.
    pub fn hash_mib(&self) -> usize {
        self.shared.hash_mib()
    }

    /// Changes the number of threads, and returns how many there are then: see [`Pool::threads`].
    pub fn set_threads(&mut self, threads: usize) -> usize {
        let threads = threads.max(1);
        if threads != self.threads() {
            // The old threads go first: there may be no room for both.
            self.helpers = Helpers::new(0, &self.shared);
            self.install(self.shared.with_threads(threads));
            self.helpers = Helpers::new(threads - 1, &self.shared);
        }
        self.threads()
    }

    /// Changes the size of the table, which is empty afterwards, and not ready: see [`Pool::prepare_table`]. Returns the size as
    /// [`Pool::hash_mib`] does.
    pub fn set_hash(&mut self, hash_mib: usize) -> usize {
        // The old table goes before the new one comes: there may be no room for both.
        for mib in [1, hash_mib] {
            self.install(self.shared.with_hash(mib));
        }
        self.is_table_used = false;
        self.hash_mib()
    }

    /// Makes all threads use another table or other counters.
    fn install(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        *self.control.shared.write() = Arc::clone(&self.shared);
        self.main.share(Arc::clone(&self.shared));
        self.helpers.share(&self.shared);
    }

    /// Forgets everything learnt: a new game. A table that was used is not ready afterwards: see [`Pool::prepare_table`].
    pub fn clear(&mut self) {
        // Clients often announce a new game right after the size of the table.
        if std::mem::take(&mut self.is_table_used) {
            self.shared.clear();
        }
        self.main.clear();
        self.helpers.clear();
    }

    /// The handle that stops this pool's search from elsewhere.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Searches until a limit is reached or [`Control::stop`] is called, and returns the best move.
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
        let chosen = &found[if limits.multipv > 1 { 0 } else { vote(&found) }];
        task.report(chosen, &found[0], report);
        task.outcome(chosen)
    }
}

/// The thread whose best move has the most votes. Every thread votes with its depth, and more when its score is higher (as in
/// Stockfish). Proved wins and losses are not voted on: the best score decides.
fn vote(found: &[Found]) -> usize {
    let lowest = found.iter().filter_map(Found::score).min().unwrap_or(0);
    let mut votes: HashMap<Move, i64> = HashMap::new();
    for one in found {
        *votes.entry(one.best()).or_default() += one.weight(lowest);
    }
    let rank = |one: &Found| (votes.get(&one.best()).copied(), one.weight(lowest));
    let mut chosen = 0;
    for (index, new) in found.iter().enumerate() {
        let old = &found[chosen];
        let is_better = match (old.score(), new.score()) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(old), Some(new)) if is_mate(old) || is_mate(new) => new > old,
            _ => rank(new) > rank(old),
        };
        if is_better {
            chosen = index;
        }
    }
    chosen
}
