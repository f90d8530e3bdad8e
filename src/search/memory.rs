//! Memory of the transposition table, and prefetching: all unsafe code of the table.
//!
//! Probes access the table at random, and with 4 KiB pages nearly every probe also misses the TLB. The memory is therefore allocated
//! in huge pages where the system has them. Without them the table works too, somewhat slower.
//!
//! The system zeroes a page when it is first touched, which takes 1 to 2 ms for a huge page, in the middle of a search. The pages are
//! therefore touched in advance, in chunks and on all processors. A table that is only partly ready works with its ready chunks.

use crate::memory::{Pages, has_memory};
use std::alloc::{Layout, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};

/// Entries in a cluster.
pub(super) const ENTRIES: usize = 3;

/// Three entries; [`super::table`] defines the layout of their words.
#[derive(Default)]
#[repr(C, align(32))]
pub(super) struct Cluster {
    /// The entry without its key.
    pub(super) data: [AtomicU64; ENTRIES],
    /// The low 16 bits of the position's key, XORed with the folded data. The last one is padding.
    pub(super) keys: [AtomicU16; ENTRIES + 1],
}

const _: () = assert!(size_of::<Cluster>() == 32);

/// Size in bytes of the smallest table, which may use the memory reserve.
const MIN_BYTES: usize = 1 << 20;
/// Clusters prepared at a time: 8 MiB, which takes 1 to 8 ms.
const CHUNK: usize = (8 << 20) / size_of::<Cluster>();
/// Clusters whose memory is requested from the system at a time: 2 MiB, a huge page. Meanwhile the other threads of the process cannot
/// allocate.
const BATCH: usize = (2 << 20) / size_of::<Cluster>();
/// Chunks that make starting another thread worthwhile.
const CHUNKS_PER_THREAD: usize = 4;
/// Maximum number of threads that prepare memory; more are no faster.
const MAX_THREADS: usize = 16;
/// Smallest page size of any supported system, in bytes.
const PAGE: usize = 4096;

/// Clusters in huge pages where the system offers them. A prefix of them is ready: one chunk at first, all after [`Clusters::prepare`].
/// A prefix of the ready clusters is in use, as large as the searches since the last clear have requested.
pub(super) struct Clusters {
    start: NonNull<Cluster>,
    /// Number of clusters allocated.
    capacity: usize,
    /// Number of clusters ready: all, or a positive number of complete chunks.
    ready: AtomicUsize,
    /// Number of clusters in use, at most `ready`.
    used: AtomicUsize,
    /// Number of clusters that a search may have written to since the allocation.
    written: AtomicUsize,
    /// The allocation that `start` points into; freed with the clusters.
    memory: Pages,
}

// SAFETY: the memory belongs to the clusters alone and may be used and freed by any thread.
unsafe impl Send for Clusters {}
// SAFETY: a shared reference gives access to atomics only.
unsafe impl Sync for Clusters {}

impl Clusters {
    /// Allocates as many clusters as fit in this many MiB, or in half, a quarter and so on when memory is short. One chunk is in use.
    /// If there is no memory for a single page the process aborts, as for any other failed allocation.
    pub(super) fn new(mib: usize) -> Clusters {
        let mut bytes = mib.saturating_mul(1 << 20) & !(size_of::<Cluster>() - 1);
        loop {
            if (bytes <= MIN_BYTES || has_memory(bytes))
                && let Some((memory, start)) = Pages::new(bytes)
            {
                let (ready, used, written) = Default::default();
                let clusters =
                    Clusters { start: start.cast(), capacity: bytes / size_of::<Cluster>(), ready, used, written, memory };
                clusters.clear();
                return clusters;
            }
            if bytes <= PAGE {
                handle_alloc_error(Layout::new::<[Cluster; PAGE / size_of::<Cluster>()]>());
            }
            bytes = (bytes / 2) & !(size_of::<Cluster>() - 1);
        }
    }

    /// The clusters in use.
    #[inline(always)]
    pub(super) fn in_use(&self) -> &[Cluster] {
        self.up_to(self.used.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn up_to(&self, count: usize) -> &[Cluster] {
        debug_assert!(count <= self.capacity);
        // SAFETY: the memory holds `capacity` clusters, and no caller passes more; it starts at a page boundary and was zero
        // initially, which is valid for atomics; it lives as long as `self` and is written only through these atomics.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), count) }
    }

    /// Number of clusters allocated.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Number of clusters whose memory the system has provided.
    pub(super) fn occupied(&self) -> usize {
        self.ready.load(Ordering::Relaxed).max(self.written.load(Ordering::Relaxed))
    }

    /// Whether all clusters are ready.
    #[cfg(test)]
    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == self.capacity
    }

    /// Zeroes all clusters. Afterwards one chunk is ready and in use; [`Clusters::prepare`] zeroes the others.
    pub(super) fn clear(&self) {
        self.written.fetch_max(self.used.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prepare_chunk(0, || true);
        let first = CHUNK.min(self.capacity);
        self.ready.store(first, Ordering::Relaxed);
        self.used.store(first, Ordering::Relaxed);
    }

    /// Extends the clusters in use to this many, limited by the number ready; never reduces them. The cluster of a position depends on
    /// the number in use, so all entries are lost when it grows. No search may be running.
    pub(super) fn use_at_least(&self, count: usize) {
        let used = count.min(self.ready.load(Ordering::Relaxed));
        self.used.fetch_max(used, Ordering::Relaxed);
    }

    /// Prepares more clusters, on all processors, until this many are ready or `is_wanted`, which is called before every [`BATCH`] and may
    /// wait, returns false.
    pub(super) fn prepare(&self, count: usize, is_wanted: impl Fn() -> bool + Sync) {
        let count = count.min(self.capacity);
        if self.ready.load(Ordering::Relaxed) >= count {
            return;
        }
        let chunks = count.div_ceil(CHUNK);
        let first = self.ready.load(Ordering::Relaxed) / CHUNK;
        let next = AtomicUsize::new(first);
        let work = || {
            while is_wanted() {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks {
                    return;
                }
                self.prepare_chunk(chunk, &is_wanted);
            }
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = processors.min(MAX_THREADS).min((chunks - first).div_ceil(CHUNKS_PER_THREAD));
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the system refuses a thread, the others do the work.
                let _ = std::thread::Builder::new().name("table".into()).spawn_scoped(scope, work);
            }
            work();
        });
        // Every chunk taken is ready, since threads call `is_wanted` before taking one.
        let chunks = next.into_inner().min(chunks);
        self.ready.store((chunks * CHUNK).min(self.capacity), Ordering::Relaxed);
    }

    /// Touches and zeroes the memory of a chunk, calling `pause` before each [`BATCH`] and ignoring its result.
    fn prepare_chunk(&self, chunk: usize, pause: impl Fn() -> bool) {
        let end = ((chunk + 1) * CHUNK).min(self.capacity);
        for start in (chunk * CHUNK..end).step_by(BATCH) {
            pause();
            self.prepare_batch(start, (start + BATCH).min(end));
        }
    }

    fn prepare_batch(&self, start: usize, end: usize) {
        let clusters = &self.up_to(end)[start..];
        if start < self.written.load(Ordering::Relaxed) {
            for cluster in clusters {
                cluster.data.iter().for_each(|word| word.store(0, Ordering::Relaxed));
                cluster.keys.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        } else if !self.memory.populate(start * size_of::<Cluster>()..end * size_of::<Cluster>()) {
            // Within a huge page all but the first of these writes are cheap.
            for cluster in clusters.iter().step_by(PAGE / size_of::<Cluster>()) {
                cluster.keys[ENTRIES].store(0, Ordering::Relaxed);
            }
        }
    }
}

/// Prefetches the cache line of a value that will be read soon.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect on memory, and the instruction belongs to the baseline of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_is_ready_at_once() {
        for mib in [1, 3] {
            let clusters = Clusters::new(mib);
            assert_eq!((clusters.in_use().len(), clusters.is_ready()), ((mib << 20) / size_of::<Cluster>(), true));
        }
    }

    fn is_zero(cluster: &Cluster) -> bool {
        cluster.data.iter().all(|word| word.load(Ordering::Relaxed) == 0)
            && cluster.keys.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    fn fill(clusters: &Clusters) {
        clusters.in_use().iter().for_each(|cluster| cluster.data[0].store(1, Ordering::Relaxed));
    }

    #[test]
    fn clusters_in_use_are_ready_and_zero() {
        // Five and a half chunks.
        let clusters = Clusters::new(44);
        assert_eq!((clusters.in_use().len(), clusters.is_ready()), (CHUNK, false));
        fill(&clusters);
        // Only as many chunks as `is_wanted` allows.
        let asked = AtomicUsize::new(0);
        let batches = CHUNK / BATCH;
        clusters.prepare(usize::MAX, || asked.fetch_add(1, Ordering::Relaxed) <= batches + 1);
        assert_eq!(clusters.in_use().len(), CHUNK);
        clusters.use_at_least(2 * CHUNK);
        assert_eq!(clusters.in_use().len(), 2 * CHUNK);
        clusters.use_at_least(CHUNK);
        assert_eq!(clusters.in_use().len(), 2 * CHUNK, "never fewer");
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.in_use().len(), 3 * CHUNK, "the ready clusters and no more");
        assert!(clusters.in_use()[CHUNK..].iter().all(is_zero) && !is_zero(&clusters.in_use()[CHUNK - 1]));
        fill(&clusters);
        // Interrupted twice: entries written before must not reappear.
        for _ in 0..2 {
            clusters.clear();
            assert_eq!(clusters.in_use().len(), CHUNK);
        }
        clusters.prepare(usize::MAX, || false);
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.in_use().len(), CHUNK);
        clusters.prepare(2 * CHUNK, || true);
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.in_use().len(), 2 * CHUNK, "as many as requested");
        clusters.prepare(usize::MAX, || true);
        clusters.use_at_least(usize::MAX);
        assert!(clusters.is_ready() && clusters.in_use().len() == 44 * CHUNK / 8 && clusters.in_use().iter().all(is_zero));
    }
}
