//! Data shared by all threads of a search: the table, the stop signals, the counters.

use super::interface::{Bound, Probe, Score};
use super::score::UNKNOWN;
use super::table::{TableBound, TranspositionTable, table_key};
use crate::board::Position;
use crate::rules::NaturalLimit;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const STOPPED: u8 = 2;

/// Longest pause of the preparation of the table's memory: longer than it takes to handle any command.
const MAX_PAUSE: Duration = Duration::from_millis(20);

/// Signals from outside to the threads of a search.
#[derive(Default)]
pub(crate) struct Signals {
    state: AtomicU8,
    /// Whether a search that waits for a stop has been released.
    released: Mutex<bool>,
    /// Copy of `released` that is readable without the lock.
    is_released: AtomicBool,
    changed: Condvar,
    /// Whether the preparation of the table's memory pauses.
    is_paused: AtomicBool,
}

impl Signals {
    /// Announces a search; from now on [`Signals::stop`] has an effect.
    pub(crate) fn arm(&self) {
        let mut released = self.released.lock();
        *released = false;
        self.is_released.store(false, Ordering::Relaxed);
        self.state.store(RUNNING, Ordering::Relaxed);
    }

    /// Announces a search unless that has been done already.
    fn begin(&self) {
        if self.state.load(Ordering::Relaxed) == IDLE {
            self.arm();
        }
    }

    /// Marks the search as ended; from now on [`Signals::stop`] has no effect.
    pub(crate) fn end(&self) {
        self.state.store(IDLE, Ordering::Relaxed);
    }

    /// Stops the announced or running search, if there is one.
    pub(crate) fn stop(&self) {
        let _released = self.released.lock();
        let _ = self.state.compare_exchange(RUNNING, STOPPED, Ordering::Relaxed, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search must stop.
    #[inline(always)]
    pub(super) fn stopped(&self) -> bool {
        self.state.load(Ordering::Relaxed) == STOPPED
    }

    /// Lets a search that waits for a stop end by its other limits (`ponderhit`).
    pub(crate) fn release(&self) {
        let mut released = self.released.lock();
        if self.state.load(Ordering::Relaxed) != IDLE {
            *released = true;
            self.is_released.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Whether the search was released.
    #[inline]
    pub(super) fn is_released(&self) -> bool {
        self.is_released.load(Ordering::Relaxed)
    }

    /// Pauses the preparation of the table's memory, or lets it continue. No other thread can allocate while it runs.
    pub(crate) fn pause_preparation(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Sleeps while the preparation pauses, but no longer than [`MAX_PAUSE`].
    fn wait_while_paused(&self) {
        const STEP: Duration = Duration::from_micros(100);
        let mut waited = Duration::ZERO;
        while self.is_paused.load(Ordering::Relaxed) && waited < MAX_PAUSE {
            std::thread::sleep(STEP);
            waited += STEP;
        }
    }

    /// Sleeps until the search is stopped or released. Returns at once in WebAssembly without threads, where nothing could wake it.
    pub(crate) fn wait(&self) {
        if cfg!(all(target_family = "wasm", not(target_feature = "atomics"))) {
            return;
        }
        let mut released = self.released.lock();
        while !self.stopped() && !*released {
            // The timeout is only a safeguard: signals are sent under the lock.
            self.changed.wait_for(&mut released, Duration::from_millis(100));
        }
    }
}

/// The counters of a thread, on their own cache line.
#[derive(Default)]
#[repr(align(64))]
struct Counters {
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

/// Data shared by all threads of a search.
pub(crate) struct Shared {
    pub(super) table: Arc<TranspositionTable>,
    pub(super) signals: Arc<Signals>,
    /// The counters of each thread, updated at least every 512 nodes of the main search.
    counters: Vec<Counters>,
}

impl Shared {
    /// Creates the data for this many threads, with an empty table of `hash_mib` MiB (at least 1), or less when memory is short.
    pub(crate) fn new(hash_mib: usize, threads: usize) -> Shared {
        Shared::with(Arc::new(TranspositionTable::new(hash_mib)), Arc::default(), threads)
    }

    fn with(table: Arc<TranspositionTable>, signals: Arc<Signals>, threads: usize) -> Shared {
        Shared { table, signals, counters: (0..threads).map(|_| Counters::default()).collect() }
    }

    /// A copy with the same table and signals for another number of threads.
    pub(crate) fn with_threads(&self, threads: usize) -> Shared {
        Shared::with(Arc::clone(&self.table), Arc::clone(&self.signals), threads)
    }

    /// A copy with the same signals and an empty table of another size.
    pub(crate) fn with_hash(&self, hash_mib: usize) -> Shared {
        Shared::with(Arc::new(TranspositionTable::new(hash_mib)), Arc::clone(&self.signals), self.counters.len())
    }

    /// The signals, common to all copies.
    pub(crate) fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }

    /// The size of the table in MiB.
    pub(crate) fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// MiB of memory that the table occupies.
    pub(crate) fn occupied_mib(&self) -> usize {
        self.table.occupied_mib()
    }

    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Prepares the memory of the table for searches of up to this many nodes, on all processors, until `is_wanted` returns false. No
    /// search may be running.
    pub(crate) fn prepare(&self, nodes: u64, is_wanted: impl Fn() -> bool + Sync) {
        self.table.prepare(nodes, || {
            self.signals.wait_while_paused();
            is_wanted()
        });
    }

    /// Starts a search.
    pub(crate) fn begin(&self) {
        self.signals.begin();
        self.table.new_search();
        self.counters
            .iter()
            .flat_map(|thread| [&thread.nodes, &thread.tbhits])
            .for_each(|count| count.store(0, Ordering::Relaxed));
    }

    /// Clears the table; afterwards a part of it is ready.
    pub(crate) fn clear(&self) {
        self.table.clear();
    }

    /// Probes the table for a position of a search with this natural limit; `None` without an entry or if the entry contains only an
    /// evaluation.
    pub(crate) fn probe(&self, position: &Position, limit: NaturalLimit) -> Option<Probe> {
        // A search ignores a limit that has been reached.
        let limit = if limit.is_reached(position.clock()) { NaturalLimit::NONE } else { limit };
        let entry = self.table.probe(table_key(position, limit))?;
        let bound = match entry.bound {
            TableBound::None => return None,
            TableBound::Upper => Bound::Upper,
            TableBound::Lower => Bound::Lower,
            TableBound::Exact => Bound::Exact,
        };
        let best = (entry.mv.is_some() && position.board().is_legal(entry.mv)).then_some(entry.mv);
        (entry.score != UNKNOWN).then_some(Probe { best, score: Score::of(entry.score), bound, depth: entry.depth })
    }

    /// Updates the counters of a thread: nodes and endgame table hits.
    #[inline]
    pub(super) fn publish(&self, thread: usize, nodes: u64, tbhits: u64) {
        if let Some(counters) = self.counters.get(thread) {
            counters.nodes.store(nodes, Ordering::Relaxed);
            counters.tbhits.store(tbhits, Ordering::Relaxed);
        }
    }

    /// Nodes, summed over all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Endgame table hits, summed over all threads.
    pub(super) fn tbhits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tbhits.load(Ordering::Relaxed)).sum()
    }
}
