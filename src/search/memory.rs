//! The memory of the transposition table and the prefetch instruction: all the unsafe code of the table.
//!
//! Probes hit the table at random, and with pages of 4 KiB nearly each of them misses the TLB too. So the memory comes in huge
//! pages where the system has them: Linux is advised to take them; Windows, which calls them large, gives them to accounts with the
//! right to lock pages in memory. Without them the table works too, somewhat slower.
//!
//! The system zeroes a page when it is first touched: 1 to 2 ms for a huge one, in the middle of a search. So the pages are touched
//! in advance, piece by piece and by all processors, and a table that is not yet ready as a whole works with the pieces that are.

use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};

/// Entries of a cluster.
pub(super) const ENTRIES: usize = 3;

/// Three entries, whose words are the table's.
#[derive(Default)]
#[repr(C, align(32))]
pub(super) struct Cluster {
    /// All of an entry but its key.
    pub(super) data: [AtomicU64; ENTRIES],
    /// The low 16 bits of the position's key, mixed with the data. The last belongs to no entry.
    pub(super) keys: [AtomicU16; ENTRIES + 1],
}

const _: () = assert!(size_of::<Cluster>() == 32);

/// Bytes that stay free for everything else when a table or a thread takes its memory.
const RESERVE: usize = 64 << 20;
/// Bytes of a table that is taken from the reserve where there is nothing else.
const LEAST: usize = 1 << 20;
/// Clusters that are made ready at a time: 8 MiB, which takes 1 to 8 ms.
const PIECE: usize = (8 << 20) / size_of::<Cluster>();
/// Pieces for which a thread is worth its start.
const PIECES_OF_THREAD: usize = 4;
/// Threads that make memory ready in the shortest time: more gain nothing.
const MOST_THREADS: usize = 16;
/// Bytes of the smallest page of any system.
const PAGE: usize = 4096;

/// Whether the system has so many bytes and the [`RESERVE`] besides. An allocation that fails ends the process, so what takes much asks
/// before.
pub(crate) fn has_memory(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok()
}

/// Clusters in huge pages where the system offers them. The memory of the first ones is ready, of one piece at first and of all after
/// [`Clusters::prepare`]; of these the first ones are in use, as many as the searches since the last clearing asked for.
pub(super) struct Clusters {
    start: NonNull<Cluster>,
    /// How many there is room for.
    capacity: usize,
    /// How many have their memory: all, or whole pieces, at least one.
    ready: AtomicUsize,
    /// How many are in use, at most those that are ready.
    used: AtomicUsize,
    /// How many a search may have written to, ever.
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
    /// As many clusters as fit in so many MiB, or in half, a quarter and so on when memory is short. A piece of them is in use. Without
    /// memory for a single page the process ends, as for every other allocation.
    pub(super) fn new(mib: usize) -> Clusters {
        let mut bytes = mib.saturating_mul(1 << 20) & !(size_of::<Cluster>() - 1);
        loop {
            if (bytes <= LEAST || has_memory(bytes))
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
        // SAFETY: the memory has room for `capacity` clusters, of which no caller wants more, starts at a page and was zero at
        // first, which is valid for atomics; it lives as long as `self`, and nothing writes to it but through these atomics.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), count) }
    }

    /// How many there is room for.
    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether all have their memory.
    pub(super) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed) == self.capacity
    }

    /// Makes all clusters zero. One piece is ready and in use afterwards; the others wait for [`Clusters::prepare`].
    pub(super) fn clear(&self) {
        self.written.fetch_max(self.used.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prepare_piece(0);
        let first = PIECE.min(self.capacity);
        self.ready.store(first, Ordering::Relaxed);
        self.used.store(first, Ordering::Relaxed);
    }

    /// Brings so many clusters into use, as far as they are ready; never fewer than before. Which cluster a position has depends on how
    /// many are in use: what they hold is lost when they become more. Not for times of search.
    pub(super) fn use_at_least(&self, count: usize) {
        let used = count.min(self.ready.load(Ordering::Relaxed));
        self.used.fetch_max(used, Ordering::Relaxed);
    }

    /// Makes more clusters ready, by all processors, until all are or `is_wanted` returns false.
    pub(super) fn prepare(&self, is_wanted: impl Fn() -> bool + Sync) {
        if self.is_ready() {
            return;
        }
        let pieces = self.capacity.div_ceil(PIECE);
        let first = self.ready.load(Ordering::Relaxed) / PIECE;
        let next = AtomicUsize::new(first);
        let work = || {
            while is_wanted() {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces {
                    return;
                }
                self.prepare_piece(piece);
            }
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = processors.min(MOST_THREADS).min((pieces - first).div_ceil(PIECES_OF_THREAD));
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Those that the system provides are enough.
                let _ = std::thread::Builder::new().name("table".into()).spawn_scoped(scope, work);
            }
            work();
        });
        // Every piece that was taken is ready: a thread asks whether it is wanted before it takes one.
        let pieces = next.into_inner().min(pieces);
        self.ready.store((pieces * PIECE).min(self.capacity), Ordering::Relaxed);
    }

    /// Makes the memory of a piece ready, and zero.
    fn prepare_piece(&self, piece: usize) {
        let (start, end) = (piece * PIECE, ((piece + 1) * PIECE).min(self.capacity));
        let clusters = &self.up_to(end)[start..];
        if start < self.written.load(Ordering::Relaxed) {
            for cluster in clusters {
                cluster.data.iter().for_each(|word| word.store(0, Ordering::Relaxed));
                cluster.keys.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        } else if !self.memory.populate(start * size_of::<Cluster>()..end * size_of::<Cluster>()) {
            // Within a huge page all touches but the first cost nothing.
            for cluster in clusters.iter().step_by(PAGE / size_of::<Cluster>()) {
                cluster.keys[ENTRIES].store(0, Ordering::Relaxed);
            }
        }
    }
}

impl Memory {
    /// So many zeros or more, and where they start; none when there is not so much memory.
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
        // Fresh pages from the system are zero and cost nothing until they are touched.
        let mut memory = MmapMut::map_anon(bytes).ok()?;
        let start = NonNull::new(memory.as_mut_ptr())?;
        // Without huge pages the table works too.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some((Memory::Mapped(memory), start))
    }

    /// Has the system provide the pages of these bytes now; false where it cannot, so that they have to be touched. Linux since
    /// 5.14 does it in 0.13 s a GiB, where touching takes 0.6 to 1 s.
    fn populate(&self, bytes: Range<usize>) -> bool {
        let _ = &bytes;
        match self {
            #[cfg(target_os = "linux")]
            Memory::Mapped(memory) => memory.advise_range(memmap2::Advice::PopulateWrite, bytes.start, bytes.len()).is_ok(),
            #[cfg(not(target_os = "linux"))]
            Memory::Mapped(_) => false,
            // Large pages come with their memory.
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

    /// The size of a large page; none where the system has none, or this process not the right to them.
    static SIZE: LazyLock<Option<usize>> = LazyLock::new(|| {
        // SAFETY: the function has no preconditions.
        let size = unsafe { GetLargePageMinimum() };
        (size > 0 && may_lock_pages()).then_some(size)
    });

    impl Pages {
        /// So many zeros or more; none where the system gives no large pages.
        pub(super) fn new(bytes: usize) -> Option<Pages> {
            let bytes = bytes.checked_next_multiple_of((*SIZE)?)?;
            // SAFETY: the system is asked for fresh memory at a place of its choice, which has no preconditions.
            let start = unsafe { VirtualAlloc(None, bytes, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE) };
            NonNull::new(start).map(Pages)
        }

        pub(super) fn start(&self) -> NonNull<u8> {
            self.0.cast()
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: the memory was got from VirtualAlloc, is released as a whole and once, and nobody borrows it any more.
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
            // It succeeds without having done anything, too, and says so there.
            adjusted.is_ok() && GetLastError() == ERROR_SUCCESS
        }
    }
}

/// Asks for the cache line of a value that will be read soon.
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
            // SAFETY: the memory has so many bytes, which were zero at first.
            let bytes = unsafe { std::slice::from_raw_parts(start.as_ptr(), mib << 20) };
            assert!(bytes.iter().all(|&byte| byte == 0));
            let clusters = Clusters::new(mib);
            assert_eq!((clusters.all().len(), clusters.is_ready()), ((mib << 20) / size_of::<Cluster>(), true));
        }
        // More than any machine has: half of it, and half of that, until it is there.
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
        // Five pieces and a half.
        let clusters = Clusters::new(44);
        assert_eq!((clusters.all().len(), clusters.is_ready()), (PIECE, false));
        fill(&clusters);
        // As many as are asked for.
        let asked = AtomicUsize::new(0);
        clusters.prepare(|| asked.fetch_add(1, Ordering::Relaxed) < 2);
        assert_eq!(clusters.all().len(), PIECE);
        clusters.use_at_least(2 * PIECE);
        assert_eq!(clusters.all().len(), 2 * PIECE);
        clusters.use_at_least(PIECE);
        assert_eq!(clusters.all().len(), 2 * PIECE, "never fewer");
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.all().len(), 3 * PIECE, "what is ready, and no more");
        assert!(clusters.all()[PIECE..].iter().all(is_zero) && !is_zero(&clusters.all()[PIECE - 1]));
        fill(&clusters);
        // Interrupted twice on the way: what was written before must not come back.
        for _ in 0..2 {
            clusters.clear();
            assert_eq!(clusters.all().len(), PIECE);
        }
        clusters.prepare(|| false);
        clusters.use_at_least(usize::MAX);
        assert_eq!(clusters.all().len(), PIECE);
        clusters.prepare(|| true);
        clusters.use_at_least(usize::MAX);
        assert!(clusters.is_ready() && clusters.all().len() == 44 * PIECE / 8 && clusters.all().iter().all(is_zero));
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
