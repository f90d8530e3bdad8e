//! The memory of the transposition table and the prefetch instruction: all the unsafe code of the table.
//!
//! Probes access the table at random, and with pages of 4 KiB nearly each of them misses the TLB too. So the memory is allocated in
//! huge pages where the system has them: Linux is advised to use them; Windows, which calls them large, gives them to accounts with
//! the right to lock pages in memory. Without them the table works too, somewhat slower.
//!
//! The system zeroes a page when it is first touched: 1 to 2 ms for a huge one, in the middle of a search. So the pages are touched
//! in advance, in chunks and by all processors, and a table that is not yet completely ready works with the chunks that are.

use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::ops::Range;
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

/// Bytes that must stay available when a table or a thread allocates its memory.
const RESERVE: usize = 64 << 20;
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

/// Whether the system can provide this many bytes besides the [`RESERVE`]. A failed allocation ends the process, so large ones ask
/// first.
pub(crate) fn has_memory(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok()
}

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
    memory: Memory,
}

// SAFETY: the memory belongs to the clusters alone and may be used and freed by any thread.
unsafe impl Send for Clusters {}
// SAFETY: a shared reference gives out nothing but atomics.
unsafe impl Sync for Clusters {}

/// Zeroed memory that starts at a page.
enum Memory {
    Mapped(#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "kept until it is dropped"))] MmapMut),
    #[cfg(windows)]
    Large(#[expect(dead_code, reason = "kept until it is dropped")] large::Pages),
}

impl Clusters {
    /// As many clusters as fit in this many MiB, or in half, a quarter and so on when memory is short. One chunk is in use. Without
    /// memory for a single page the process ends, as for every other allocation.
    pub(super) fn new(mib: usize) -> Clusters {
        let mut bytes = mib.saturating_mul(1 << 20) & !(size_of::<Cluster>() - 1);
        loop {
            if (bytes <= MIN_BYTES || has_memory(bytes))
                && let Some((memory, start)) = Memory::new(bytes)
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

impl Memory {
    /// At least this many zeroed bytes, and where they start; `None` when there is not enough memory.
    fn new(bytes: usize) -> Option<(Memory, NonNull<u8>)> {
        #[cfg(windows)]
        {
            let pages = large::Pages::new(bytes);
            log::info!("table: {} MiB in {} pages", bytes >> 20, if pages.is_some() { "large" } else { "ordinary" });
            if let Some(pages) = pages {
                let start = pages.start();
                return Some((Memory::Large(pages), start));
            }
        }
        // Fresh pages from the system are zero and take no time until they are touched.
        let mut memory = MmapMut::map_anon(bytes).ok()?;
        let start = NonNull::new(memory.as_mut_ptr())?;
        // Without huge pages the table works too.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some((Memory::Mapped(memory), start))
    }

    /// Has the system provide the pages of these bytes now; false where it cannot, so that they have to be touched. Linux 5.14 and
    /// later needs 0.13 s for a GiB, touching 0.6 to 1 s.
    fn populate(&self, bytes: Range<usize>) -> bool {
        let _ = &bytes;
        match self {
            #[cfg(target_os = "linux")]
            Memory::Mapped(memory) => memory.advise_range(memmap2::Advice::PopulateWrite, bytes.start, bytes.len()).is_ok(),
            #[cfg(not(target_os = "linux"))]
            Memory::Mapped(_) => false,
            // Large pages are provided when they are allocated.
            #[cfg(windows)]
            Memory::Large(_) => true,
        }
    }
}

/// Large pages of Windows.
#[cfg(windows)]
mod large {
    use std::ffi::c_void;
    use std::ptr::NonNull;
    use std::sync::LazyLock;
    use windows::Win32::Foundation::{ERROR_SUCCESS, GetLastError, HANDLE, LUID};
    use windows::Win32::Security::{
        AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME, SE_PRIVILEGE_ENABLED,
        TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
    };
    use windows::Win32::System::Memory::{
        GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc, VirtualFree,
    };
    use windows::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
    use windows::core::Owned;

    /// Memory in large pages.
    pub(super) struct Pages(NonNull<c_void>);

    /// The size of a large page; `None` where the system has none or this process has no right to them.
    static SIZE: LazyLock<Option<usize>> = LazyLock::new(|| {
        // SAFETY: the function has no preconditions.
        let size = unsafe { GetLargePageMinimum() };
        (size > 0 && may_lock_pages()).then_some(size)
    });

    impl Pages {
        /// At least this many zeroed bytes; `None` where the system provides no large pages.
        pub(super) fn new(bytes: usize) -> Option<Pages> {
            let bytes = bytes.checked_next_multiple_of((*SIZE)?)?;
            // SAFETY: fresh memory at an address of the system's choice has no preconditions.
            let start = unsafe { VirtualAlloc(None, bytes, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE) };
            NonNull::new(start).map(Pages)
        }

        pub(super) fn start(&self) -> NonNull<u8> {
            self.0.cast()
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: the memory comes from VirtualAlloc, is released as a whole and once, and nothing borrows it any more.
            let _ = unsafe { VirtualFree(self.0.as_ptr(), 0, MEM_RELEASE) };
        }
    }

    /// Claims the right to lock pages in memory, which an account may have and a process still has to claim.
    fn may_lock_pages() -> bool {
        // SAFETY: the handle of the token is open while it is used and closed by its owner, and all pointers lead to variables
        // that outlive the calls.
        unsafe {
            let mut token = HANDLE::default();
            if OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &mut token).is_err() {
                return false;
            }
            let token = Owned::new(token);
            let mut right = LUID::default();
            if LookupPrivilegeValueW(None, SE_LOCK_MEMORY_NAME, &mut right).is_err() {
                return false;
            }
            let attributes = LUID_AND_ATTRIBUTES { Luid: right, Attributes: SE_PRIVILEGE_ENABLED };
            let wanted = TOKEN_PRIVILEGES { PrivilegeCount: 1, Privileges: [attributes] };
            let adjusted = AdjustTokenPrivileges(*token, false, Some(&wanted), 0, None, None);
            // The call may succeed without granting the right; the last error says so.
            adjusted.is_ok() && GetLastError() == ERROR_SUCCESS
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
    fn memory_is_there_and_zero_whatever_its_pages() {
        for mib in [1, 3] {
            let (_memory, start) = Memory::new(mib << 20).unwrap();
            // SAFETY: the memory has this many bytes, which were zero at first.
            let bytes = unsafe { std::slice::from_raw_parts(start.as_ptr(), mib << 20) };
            assert!(bytes.iter().all(|&byte| byte == 0));
            let clusters = Clusters::new(mib);
            assert_eq!((clusters.all().len(), clusters.is_ready()), ((mib << 20) / size_of::<Cluster>(), true));
        }
        // More than any machine has.
        assert!(Memory::new(usize::MAX & !(PAGE - 1)).is_none());
        assert!(!has_memory(usize::MAX & !(PAGE - 1)));
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

    #[cfg(windows)]
    #[test]
    fn large_pages_are_taken_where_the_system_gives_them() {
        let first = large::Pages::new(5 << 20);
        let again = large::Pages::new(5 << 20);
        // Memory may be short for the second, but there is none without the right.
        assert!(first.is_some() || again.is_none());
        for pages in [first, again].into_iter().flatten() {
            assert_eq!(pages.start().addr().get() % (2 << 20), 0);
        }
    }
}
