//! Floor 7: the search threads, their shared table and how they are stopped.
//!
//! Lazy SMP: all threads search the same root and help each other through the table alone. The first one runs on the caller's thread,
//! watches the limits and reports; the others live as long as the pool and sleep between searches.

pub mod bench;
mod helper;
mod strength;
#[cfg(test)]
mod tests;

use crate::board::Position;
pub use crate::search::Probe;
use crate::search::{Found, Limits, Outcome, Report, Searcher, Settings, Shared, Signals, Task, has_memory};
use crate::types::Move;
use crate::types::score::is_mate;
use helper::Helpers;
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
pub use strength::{ELO_RANGE, LEVELS, PlayLevel};

/// Starts so many threads at once and ends them, and looks for some memory: for those who are about to start as many by means that panic
/// without one.
///
/// # Errors
/// When the system has no room for them.
pub fn check_available(count: usize) -> std::io::Result<()> {
    if !has_memory(0) {
        return Err(std::io::ErrorKind::OutOfMemory.into());
    }
    let wait = Mutex::new(());
    std::thread::scope(|scope| {
        // All of them wait until the last one is there.
        let _held = wait.lock();
        (0..count).try_for_each(|_| std::thread::Builder::new().spawn_scoped(scope, || drop(wait.lock())).map(drop))
    })
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
    /// A pool of `threads` search threads (at least 1) with a table of `hash_mib` MiB.
    pub fn new(threads: usize, hash_mib: usize) -> Pool {
        Pool::prepare(threads, hash_mib).1()
    }

    /// The handle of such a pool, and what makes it: that takes some milliseconds, which another thread can spend.
    pub fn prepare(threads: usize, hash_mib: usize) -> (Control, impl FnOnce() -> Pool + Send + 'static) {
        let shared = Arc::new(Shared::new(hash_mib, threads.max(1)));
        let control = Control { signals: Arc::clone(shared.signals()), shared: Arc::new(RwLock::new(Arc::clone(&shared))) };
        let handle = control.clone();
        let make = move || {
            let main = Box::new(Searcher::new(0, Arc::clone(&shared)));
            let helpers = Helpers::new(threads.max(1) - 1, &shared);
            let pool = Pool { control, shared, main, helpers, is_table_used: false };
            pool.populate();
            pool
        };
        (handle, make)
    }

    /// Makes the memory of the table ready for a search, or leaves it to the background as soon as a search is announced.
    fn populate(&self) {
        if let Some(rest) = self.shared.populate() {
            // Without a thread the searches do it, more slowly.
            let _ = std::thread::Builder::new().name("table".into()).spawn(rest);
        }
    }

    /// Changes the number of threads, and returns how many there are then: fewer where the system has no more threads or memory for them.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        let threads = threads.max(1);
        if threads != self.helpers.count() + 1 {
            // The old threads go first: there may be no room for both.
            self.helpers = Helpers::new(0, &self.shared);
            self.install(self.shared.with_threads(threads));
            self.helpers = Helpers::new(threads - 1, &self.shared);
        }
        self.helpers.count() + 1
    }

    /// Changes the size of the table, which is empty afterwards, and returns the size in MiB: less than was asked for when there is not
    /// enough memory.
    pub fn set_hash(&mut self, hash_mib: usize) -> usize {
        // The old table goes before the new one comes: there may be no room for both.
        for mib in [1, hash_mib] {
            self.install(self.shared.with_hash(mib));
        }
        self.is_table_used = false;
        self.populate();
        self.shared.hash_mib()
    }

    /// Makes all threads use another table or other counters.
    fn install(&mut self, shared: Shared) {
        self.shared = Arc::new(shared);
        *self.control.shared.write() = Arc::clone(&self.shared);
        self.main.share(Arc::clone(&self.shared));
        self.helpers.share(&self.shared);
    }

    /// Forgets everything learnt: a new game.
    pub fn clear(&mut self) {
        // Clearing a large table takes time, and clients often announce a new game right after its size.
        if std::mem::take(&mut self.is_table_used) {
            self.shared.clear();
            self.populate();
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
        let task = Arc::new(Task::new(position, limits, settings, &self.shared, allowance, noise));
        if let Some(outcome) = task.without_moves() {
            if limits.wait_for_stop {
                self.control.signals.wait();
            }
            self.control.signals.end();
            return outcome;
        }
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
    let votes = |mv: Move| -> i64 { found.iter().filter(|other| other.best() == mv).map(|other| other.weight(lowest)).sum() };
    let mut chosen = 0;
    for (index, new) in found.iter().enumerate() {
        let old = &found[chosen];
        let is_better = match (old.score(), new.score()) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(old), Some(new)) if is_mate(old) || is_mate(new) => new > old,
            _ => (votes(new.best()), new.weight(lowest)) > (votes(old.best()), old.weight(lowest)),
        };
        if is_better {
            chosen = index;
        }
    }
    chosen
}
