//! The memory of the transposition table and the prefetch instruction: all the unsafe code of the table.
//!
//! Probes access the table at random, and with pages of 4 KiB nearly each of them misses the TLB too. So the memory is allocated in
//! huge pages where the system has them. Without them the table works too, somewhat slower.
//!
//! The system zeroes a page when it is first touched: 1 to 2 ms for a huge one, in the middle of a search. So the pages are touched
//! in advance, in chunks and by all processors, and a table that is not yet completely ready works with the chunks that are.

use crate::system::{Pages, has_memory};
use std::alloc::{Layout, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};

/// Entries of a cluster.
pub(super) const ENTRIES: usize = 3;

/// Three entries; [`super::table`] defines their words.
#[derive(Default)]
#[repr(C, align(32))]
pub(super) struct Cluster {
    /// All of an entry but its key.
    pub(super) data: [AtomicU64; ENTRIES],
    /// The low 16 bits of the position's key, mixed with the data. The last belongs to no entry.
    pub(super) keys: [AtomicU16; ENTRIES + 1],
}

const _: () = assert!(size_of::<Cluster>() == 32);

/// Bytes of the smallest table, which may use the reserve.
const MIN_BYTES: usize = 1 << 20;
/// Clusters that are made ready at a time: 8 MiB, which takes 1 to 8 ms.
const CHUNK: usize = (8 << 20) / size_of::<Cluster>();
/// Chunks for which starting another thread is worth while.
const CHUNKS_PER_THREAD: usize = 4;
/// Maximum number of threads that make memory ready: more are no faster.
const MAX_THREADS: usize = 16;
/// Bytes of the smallest page of any system.
const PAGE: usize = 4096;

/// Clusters in huge pages where the system offers them. The memory of the first ones is ready: of one chunk at first and of all after
/// [`Clusters::prepare`]. Of these the first ones are in use, as many as the searches since the table was cleared have asked for.
pub(super) struct Clusters {
    start: NonNull<Cluster>,
    /// How many the memory holds.
    capacity: usize,
    /// How many are ready: all, or whole chunks, at least one.
    ready: AtomicUsize,
    /// How many are in use, at most those that are ready.
    used: AtomicUsize,
    /// How many may have been written to by a search since the allocation.
    written: AtomicUsize,
    /// What `start` points into; freed with the clusters.
    memory: Pages,
}

// SAFETY: the memory belongs to the clusters alone and may be used and freed by any thread.
unsafe impl Send for Clusters {}
// SAFETY: a shared reference gives out nothing but atomics.
unsafe impl Sync for Clusters {}

impl Clusters {
    /// As many clusters as fit in this many MiB, or in half, a quarter and so on when memory is short. One chunk is in use. Without
    /// memory for a single page the process ends, as for every other allocation.
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
    pub(super) fn all(&self) -> &[Cluster] {
        self.up_to(self.used.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn up_to(&self, count: usize) -> &[Cluster] {
        debug_assert!(count <= self.capacity);
        // SAFETY: the memory holds `capacity` clusters, and no caller asks for more; it starts at a page and was zero at first,
        // which is valid for atomics; it lives as long as `self`, and is written to only through these atomics.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), count) }
    }

    /// How many the memory holds.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether all are ready.
    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == self.capacity
    }

    /// Zeroes all clusters. One chunk is ready and in use afterwards; the others wait for [`Clusters::prepare`].
    pub(super) fn clear(&self) {
        self.written.fetch_max(self.used.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prepare_chunk(0);
        let first = CHUNK.min(self.capacity);
        self.ready.store(first, Ordering::Relaxed);
        self.used.store(first, Ordering::Relaxed);
    }

    /// Brings this many clusters into use, as far as they are ready; never fewer than before. The cluster of a position depends on how many
    /// are in use, so all entries are lost when they become more. No search may be running.
    pub(super) fn use_at_least(&self, count: usize) {
        let used = count.min(self.ready.load(Ordering::Relaxed));
        self.used.fetch_max(used, Ordering::Relaxed);
    }

    /// Makes more clusters ready, on all processors, until all are or `is_wanted` returns false.
    pub(super) fn prepare(&self, is_wanted: impl Fn() -> bool + Sync) {
        if self.is_ready() {
            return;
        }
        let chunks = self.capacity.div_ceil(CHUNK);
        let first = self.ready.load(Ordering::Relaxed) / CHUNK;
        let next = AtomicUsize::new(first);
        let work = || {
            while is_wanted() {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks {
                    return;
                }
                self.prepare_chunk(chunk);
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
        // Every chunk that was taken is ready: a thread calls `is_wanted` before it takes one.
        let chunks = next.into_inner().min(chunks);
        self.ready.store((chunks * CHUNK).min(self.capacity), Ordering::Relaxed);
    }

    /// Makes the memory of a chunk ready, and zero.
    fn prepare_chunk(&self, chunk: usize) {
        let (start, end) = (chunk * CHUNK, ((chunk + 1) * CHUNK).min(self.capacity));
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
            assert_eq!((clusters.all().len(), clusters.is_ready()), ((mib << 20) / size_of::<Cluster>(), true));
        }
    }

    fn is_zero(cluster: &Cluster) -> bool {
        cluster.data.iter().all(|word| word.load(Ordering::Relaxed) == 0)
            && cluster.keys.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    fn fill(clusters: &Clusters) {
        clusters.all().iter().for_each(|cluster| cluster.data[0].store(1, Ordering::Relaxed));
    }

    #[test]
    fn clusters_come_into_use_as_they_are_ready_and_are_always_zero() {
        // Five chunks and a half.
        let clusters = Clusters::new(44);
        assert_eq!((clusters.all().len(), clusters.is_ready()), (CHUNK, false));
        fill(&clusters);
        // As many as are asked for.
        let asked = AtomicUsize::new(0);
        clusters.prepare(|| asked.fetch_add(1, Ordering::Relaxed) < 2);
        assert_eq!(clusters.all().len(), CHUNK);
        clusters.use_at_least(2 * CHUNK);
        assert_eq!(clusters.all().len(), 2 * CHUNK);
        clusters.use_at_least(CHUNK);
        assert_eq!(clusters.all().len(), 2 * CHUNK, "never fewer");
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.all().len(), 3 * CHUNK, "what is ready, and no more");
        assert!(clusters.all()[CHUNK..].iter().all(is_zero) && !is_zero(&clusters.all()[CHUNK - 1]));
        fill(&clusters);
        // Interrupted twice on the way: what was written before must not come back.
        for _ in 0..2 {
            clusters.clear();
            assert_eq!(clusters.all().len(), CHUNK);
        }
        clusters.prepare(|| false);
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.all().len(), CHUNK);
        clusters.prepare(|| true);
        clusters.use_at_least(usize::MAX);
        assert!(clusters.is_ready() && clusters.all().len() == 44 * CHUNK / 8 && clusters.all().iter().all(is_zero));
    }
}
