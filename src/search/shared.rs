//! What all threads of a search share: the table, the signals that stop it, the node counters.

use super::interface::{Bound, Probe, Score};
use super::table::{Table, TableBound};
use crate::board::Position;
use crate::types::score::UNKNOWN;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const STOPPED: u8 = 2;

/// The signals from whoever stops a search to its threads.
#[derive(Default)]
pub(crate) struct Signals {
    state: AtomicU8,
    /// Whether a search that waits for a stop has been released.
    released: Mutex<bool>,
    /// The same without the lock.
    is_released: AtomicBool,
    changed: Condvar,
}

impl Signals {
    /// Announces a search: from now on [`Signals::stop`] has an effect.
    pub(crate) fn arm(&self) {
        let mut released = self.released.lock();
        *released = false;
        self.is_released.store(false, Ordering::Relaxed);
        self.state.store(RUNNING, Ordering::Relaxed);
    }

    /// Announces a search unless it has been announced.
    fn begin(&self) {
        if self.state.load(Ordering::Relaxed) == IDLE {
            self.arm();
        }
    }

    /// Marks the search as ended: from now on [`Signals::stop`] has no effect.
    pub(crate) fn end(&self) {
        self.state.store(IDLE, Ordering::Relaxed);
    }

    /// Stops the announced or running search, if there is one.
    pub(crate) fn stop(&self) {
        let _released = self.released.lock();
        let _ = self.state.compare_exchange(RUNNING, STOPPED, Ordering::Relaxed, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search has to end.
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

    /// Sleeps until the search is stopped or released. In WebAssembly without threads nobody else could do that, and it returns at once.
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

/// The counters of a thread, on a cache line of their own.
#[derive(Default)]
#[repr(align(64))]
struct Counters {
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

/// What all threads of a search share.
pub(crate) struct Shared {
    pub(super) table: Arc<Table>,
    pub(super) signals: Arc<Signals>,
    /// Nodes of each thread, updated every few hundred nodes.
    counters: Vec<Counters>,
}

impl Shared {
    /// For this many threads, with an empty table of this size in MiB (at least 1); smaller when there is not enough memory.
    pub(crate) fn new(hash_mib: usize, threads: usize) -> Shared {
        Shared::with(Arc::new(Table::new(hash_mib)), Arc::default(), threads)
    }

    fn with(table: Arc<Table>, signals: Arc<Signals>, threads: usize) -> Shared {
        Shared { table, signals, counters: (0..threads).map(|_| Counters::default()).collect() }
    }

    /// The same for another number of threads.
    pub(crate) fn with_threads(&self, threads: usize) -> Shared {
        Shared::with(Arc::clone(&self.table), Arc::clone(&self.signals), threads)
    }

    /// The same with an empty table of another size.
    pub(crate) fn with_hash(&self, hash_mib: usize) -> Shared {
        Shared::with(Arc::new(Table::new(hash_mib)), Arc::clone(&self.signals), self.counters.len())
    }

    /// The signals of all searches with this table or its successors.
    pub(crate) fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }

    /// The size of the table in MiB.
    pub(crate) fn hash_mib(&self) -> usize {
        self.table.mib()
    }

    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        self.counters.len()
    }

    /// Makes the memory of the whole table ready, on all processors, until `is_wanted` returns false. No search may be running.
    pub(crate) fn prepare(&self, is_wanted: impl Fn() -> bool + Sync) {
        self.table.prepare(is_wanted);
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

    /// Clears the table. A part of it is ready afterwards.
    pub(crate) fn clear(&self) {
        self.table.clear();
    }

    /// What the table knows about a position; `None` where it holds only an evaluation.
    pub(crate) fn probe(&self, position: &Position) -> Option<Probe> {
        let entry = self.table.probe(position.board().key())?;
        let bound = match entry.bound {
            TableBound::None => return None,
            TableBound::Upper => Bound::Upper,
            TableBound::Lower => Bound::Lower,
            TableBound::Exact => Bound::Exact,
        };
        let best = (entry.mv.is_some() && position.board().is_legal(entry.mv)).then_some(entry.mv);
        (entry.score != UNKNOWN).then_some(Probe { best, score: Score::of(entry.score), bound, depth: entry.depth })
    }

    /// Updates the counters of a thread: its nodes and its hits in endgame tables.
    #[inline]
    pub(super) fn publish(&self, thread: usize, nodes: u64, tbhits: u64) {
        if let Some(counters) = self.counters.get(thread) {
            counters.nodes.store(nodes, Ordering::Relaxed);
            counters.tbhits.store(tbhits, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Ordering::Relaxed)).sum()
    }

    /// Hits in endgame tables of all threads.
    pub(super) fn tbhits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tbhits.load(Ordering::Relaxed)).sum()
    }
}
