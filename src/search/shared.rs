//! What all threads of a search share: the table, the signals that stop it, the node counters. Floor 4.

use super::table::Table;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const STOPPED: u8 = 2;

/// The signals between a search and those who stop it.
#[derive(Default)]
pub(crate) struct Signals {
    state: AtomicU8,
    /// Whether a search that waits for a stop has been released, and when.
    released: Mutex<Option<Instant>>,
    /// The same without the lock: 1 when released.
    is_released: AtomicU8,
    changed: Condvar,
}

impl Signals {
    /// A search is announced: from now on stops count.
    pub(crate) fn arm(&self) {
        let mut released = self.released.lock();
        *released = None;
        self.is_released.store(0, Ordering::Relaxed);
        self.state.store(RUNNING, Ordering::Relaxed);
    }

    /// A search begins; announces it if that was not done.
    pub(crate) fn begin(&self) {
        if self.state.load(Ordering::Relaxed) == IDLE {
            self.arm();
        }
    }

    /// The search is over; a stop that comes now is for nobody.
    pub(crate) fn end(&self) {
        self.state.store(IDLE, Ordering::Relaxed);
    }

    /// Ends the announced or running search, if there is one.
    pub(crate) fn stop(&self) {
        let _released = self.released.lock();
        let _ = self.state.compare_exchange(RUNNING, STOPPED, Ordering::Relaxed, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search has to end.
    #[inline(always)]
    pub(crate) fn stopped(&self) -> bool {
        self.state.load(Ordering::Relaxed) == STOPPED
    }

    /// Lets a search that waits for a stop end by its own limits.
    pub(crate) fn release(&self) {
        let mut released = self.released.lock();
        if self.state.load(Ordering::Relaxed) != IDLE {
            released.get_or_insert_with(Instant::now);
            self.is_released.store(1, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// When the search was released, if it was.
    #[inline]
    pub(crate) fn released(&self) -> Option<Instant> {
        if self.is_released.load(Ordering::Relaxed) == 0 { None } else { *self.released.lock() }
    }

    /// Sleeps until the search is stopped or released.
    pub(crate) fn wait(&self) {
        let mut released = self.released.lock();
        while !self.stopped() && released.is_none() {
            // The time-out is for safety only: signals are sent under the lock.
            self.changed.wait_for(&mut released, Duration::from_millis(100));
        }
    }
}

/// A counter with a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct NodeCounter(AtomicU64);

/// What all threads of a search share.
pub(crate) struct Shared {
    pub(crate) table: Arc<Table>,
    pub(crate) signals: Arc<Signals>,
    /// Nodes of each thread, brought up to date now and then.
    counters: Vec<NodeCounter>,
}

impl Shared {
    pub(crate) fn new(table: Arc<Table>, signals: Arc<Signals>, threads: usize) -> Shared {
        Shared { table, signals, counters: (0..threads).map(|_| NodeCounter::default()).collect() }
    }

    /// Tells the nodes of a thread.
    #[inline]
    pub(crate) fn publish_nodes(&self, thread: usize, nodes: u64) {
        if let Some(counter) = self.counters.get(thread) {
            counter.0.store(nodes, Ordering::Relaxed);
        }
    }

    /// Nodes of all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }

    /// Sets all counters to zero.
    pub(crate) fn reset_nodes(&self) {
        self.counters.iter().for_each(|counter| counter.0.store(0, Ordering::Relaxed));
    }
}
