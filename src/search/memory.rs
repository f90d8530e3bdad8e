//! The memory of the transposition table and the prefetch instruction: all the unsafe code of the table.
//!
//! Probes hit the table at random, and with pages of 4 KiB nearly each of them misses the TLB too. So the memory comes in huge
//! pages where the system has them: Linux is advised to take them; Windows, which calls them large, gives them to accounts with the
//! right to lock pages in memory. Without them the table works too, somewhat slower.

use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism, scope};

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

/// Bytes of a table that is not worth asking for.
const LEAST: usize = 1 << 20;
/// Bytes of the smallest page of any system.
const PAGE: usize = 4096;
/// Clusters that are populated or cleared at once: a few milliseconds of work, after which an interruption is noticed.
const CHUNK: usize = (8 << 20) / size_of::<Cluster>();
/// Clusters from which the memory is given back to be cleared: 64 MiB. Smaller memory keeps its huge pages and is cleared as fast.
const LARGE: usize = (64 << 20) / size_of::<Cluster>();

/// Bytes that stay free for everything else when a table or a thread takes its memory.
const RESERVE: usize = 64 << 20;

/// Whether the system has so many bytes and the [`RESERVE`] besides. An allocation that fails ends the process, so what takes much asks
/// before.
pub(crate) fn has_memory(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok()
}

/// Zeroed clusters, in huge pages where the system offers them.
pub(super) struct Clusters {
    start: NonNull<Cluster>,
    count: usize,
    /// What `start` points into; freed with the clusters.
    memory: Memory,
}

// SAFETY: the memory belongs to the clusters alone and may be used and freed by any thread.
unsafe impl Send for Clusters {}
// SAFETY: a shared reference gives out nothing but atomics.
unsafe impl Sync for Clusters {}

/// Zeroed memory that starts at a page.
enum Memory {
    Mapped(MmapMut),
    #[cfg(windows)]
    Large(#[expect(dead_code, reason = "kept until it is dropped")] large::Pages),
}

impl Clusters {
    /// As many clusters as fit in so many MiB, or in half, a quarter and so on when memory is short. Without memory for a single page the
    /// process ends, as for every other allocation.
    pub(super) fn new(mib: usize) -> Clusters {
        let mut bytes = mib.saturating_mul(1 << 20) & !(size_of::<Cluster>() - 1);
        loop {
            if (bytes <= LEAST || has_memory(bytes))
                && let Some((memory, start)) = Memory::new(bytes)
            {
                return Clusters { start: start.cast(), count: bytes / size_of::<Cluster>(), memory };
            }
            if bytes <= PAGE {
                handle_alloc_error(Layout::new::<[Cluster; PAGE / size_of::<Cluster>()]>());
            }
            bytes = (bytes / 2) & !(size_of::<Cluster>() - 1);
        }
    }

    /// Has the system provide all of the memory now, on up to `threads` threads; otherwise it does so when a page is first used, which
    /// would take place within a search. Returns false as soon as `is_interrupted` does not.
    pub(super) fn populate(&self, threads: usize, is_interrupted: &(dyn Fn() -> bool + Sync)) -> bool {
        let is_complete = AtomicUsize::new(1);
        in_parallel(self.count.div_ceil(CHUNK), threads, &|number| {
            if is_complete.load(Ordering::Relaxed) == 0 || is_interrupted() {
                is_complete.store(0, Ordering::Relaxed);
                return;
            }
            let first = number * CHUNK;
            let chunk = &self.all()[first..(first + CHUNK).min(self.count)];
            if !self.memory.populate(first * size_of::<Cluster>(), size_of_val(chunk)) {
                // The last key belongs to no entry: nothing that a search may have stored is changed.
                chunk
                    .iter()
                    .step_by(PAGE / size_of::<Cluster>())
                    .for_each(|cluster| cluster.keys[ENTRIES].store(0, Ordering::Relaxed));
            }
        });
        is_complete.into_inner() == 1
    }

    /// Makes all clusters zero, on up to `threads` threads. Large memory is given back to the system, which is the fastest way to zeros, and
    /// has to be populated once more.
    pub(super) fn clear(&self, threads: usize) {
        if self.count >= LARGE && self.memory.discard() {
            return;
        }
        in_parallel(self.count.div_ceil(CHUNK), threads, &|number| {
            let first = number * CHUNK;
            for cluster in &self.all()[first..(first + CHUNK).min(self.count)] {
                cluster.data.iter().for_each(|word| word.store(0, Ordering::Relaxed));
                cluster.keys.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
        });
    }

    #[inline(always)]
    pub(super) fn all(&self) -> &[Cluster] {
        // SAFETY: the memory has room for `count` clusters, starts at a page and was zero at first, which is valid for
        // atomics; it lives as long as `self`, and nothing writes to it but through these atomics.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.count) }
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
}

impl Memory {
    /// Has the system provide these bytes; false where it can't be asked to.
    fn populate(&self, offset: usize, bytes: usize) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Memory::Mapped(memory) => memory.advise_range(memmap2::Advice::PopulateWrite, offset, bytes).is_ok(),
            #[cfg(windows)]
            // The system provides large pages as a whole.
            Memory::Large(_) => true,
            #[cfg(not(target_os = "linux"))]
            Memory::Mapped(_) => {
                let _ = (offset, bytes);
                false
            }
        }
    }

    /// Gives the memory back to the system and takes zeros in its place; false where that is not possible.
    fn discard(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Memory::Mapped(memory) => {
                // SAFETY: what was there is replaced by zeros, which are valid for atomics, and nothing refers to the memory but through
                // these atomics.
                unsafe { memory.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) }.is_ok()
            }
            #[cfg(not(target_os = "linux"))]
            _ => false,
        }
    }
}

/// Calls `work` with every number below `count` on up to `threads` threads, this one and others; on fewer where the system provides no
/// more.
fn in_parallel(count: usize, threads: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            work(number);
        }
    };
    scope(|scope| {
        for _ in 1..threads.min(count) {
            if Builder::new().name("table".into()).spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
}

/// Threads that clear and populate memory in the shortest time: one for each processor core, though more than a few gain nothing.
pub(super) fn worker_threads() -> usize {
    available_parallelism().map_or(1, usize::from).min(16)
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
            assert_eq!(Clusters::new(mib).all().len(), (mib << 20) / size_of::<Cluster>());
        }
        // More than any machine has: half of it, and half of that, until it is there.
        assert!(Memory::new(usize::MAX & !4095).is_none());
    }

    #[test]
    fn memory_is_populated_and_cleared_whatever_its_size() {
        for mib in [1, 9, 80] {
            for threads in [1, 5] {
                let clusters = Clusters::new(mib);
                assert!(clusters.populate(threads, &|| false));
                let fill = |value: u16| clusters.all().iter().for_each(|cluster| cluster.keys[0].store(value, Ordering::Relaxed));
                let sum = || clusters.all().iter().map(|cluster| cluster.keys[0].load(Ordering::Relaxed) as usize).sum::<usize>();
                fill(1);
                assert!(clusters.populate(threads, &|| false), "populating keeps what is there");
                assert_eq!(sum(), clusters.all().len());
                clusters.clear(threads);
                assert_eq!(sum(), 0, "{mib} MiB, {threads} threads");
            }
        }
        let asked = AtomicUsize::new(0);
        assert!(!Clusters::new(64).populate(1, &|| asked.fetch_add(1, Ordering::Relaxed) == 2));
        assert_eq!(asked.into_inner(), 3, "an interruption is noticed at once");
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
