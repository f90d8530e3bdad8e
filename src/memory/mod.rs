//! Layer 3: memory in huge pages, and the amount of available memory.
//!
//! With pages of 4 KiB most random accesses to tables of megabytes also miss the first level of the TLB. On Linux huge pages are
//! requested with `madvise`. Windows, which calls them large pages, provides them to accounts with the right to lock pages in memory.
//! Otherwise ordinary pages are used. WebAssembly cannot map memory and uses a vector.

#[cfg(windows)]
mod windows;

#[cfg(windows)]
use self::windows::LargePages;
use bytemuck::Zeroable;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut;
use std::alloc::{Layout, handle_alloc_error};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

/// Bytes that must remain free for everything else after a large allocation.
const RESERVE: usize = 64 << 20;

/// Whether the system has this many bytes in addition to [`RESERVE`]. A failed allocation aborts the process, so large ones are checked
/// beforehand. WebAssembly never releases memory, so the check itself would consume it: there the result is always true.
pub(crate) fn has_memory(bytes: usize) -> bool {
    cfg!(target_family = "wasm") || Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok()
}

/// Size of a huge page in bytes. An allocation gets huge pages only if it contains whole multiples of it.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;
/// Size in bytes from which an allocation is worth a huge page.
#[cfg(not(target_family = "wasm"))]
const LARGE: usize = 256 << 10;

/// Zeroed, page-aligned memory, in huge pages if it is large and the system has them.
pub(crate) struct Pages(Kind);

enum Kind {
    #[cfg(target_family = "wasm")]
    Allocated(#[expect(dead_code, reason = "kept until it is dropped")] Vec<Page>),
    #[cfg(not(target_family = "wasm"))]
    Mapped {
        #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "kept until it is dropped"))]
        memory: MmapMut,
        /// Bytes before the first one in use.
        #[cfg(target_os = "linux")]
        offset: usize,
    },
    #[cfg(windows)]
    Large(#[expect(dead_code, reason = "kept until it is dropped")] LargePages),
}

/// Unit of an allocation; no supported system has smaller pages.
#[cfg(target_family = "wasm")]
#[derive(Clone, Copy)]
#[repr(align(4096))]
struct Page(#[expect(dead_code, reason = "read through pointers")] [u8; 4096]);

impl Pages {
    /// Allocates at least `bytes` zero bytes and returns the address of the first; `None` if there is not enough memory.
    pub(crate) fn new(bytes: usize) -> Option<(Pages, NonNull<u8>)> {
        #[cfg(windows)]
        if bytes >= LARGE {
            let pages = LargePages::new(bytes);
            log::info!("{} KiB in {} pages", bytes >> 10, if pages.is_some() { "large" } else { "ordinary" });
            if let Some(pages) = pages {
                let start = pages.start();
                return Some((Pages(Kind::Large(pages)), start));
            }
        }
        #[cfg(target_family = "wasm")]
        {
            let count = bytes.div_ceil(size_of::<Page>());
            let mut memory = Vec::new();
            memory.try_reserve_exact(count).ok()?;
            memory.resize(count, Page([0; size_of::<Page>()]));
            let start = NonNull::new(memory.as_mut_ptr())?.cast();
            Some((Pages(Kind::Allocated(memory)), start))
        }
        // New pages from the system are zero and cost nothing until they are touched.
        #[cfg(target_os = "linux")]
        {
            if bytes < LARGE {
                let mut memory = MmapMut::map_anon(bytes.max(1)).ok()?;
                let start = NonNull::new(memory.as_mut_ptr())?;
                return Some((Pages(Kind::Mapped { memory, offset: 0 }), start));
            }
            let size = bytes.checked_next_multiple_of(HUGE_PAGE)?;
            let mut memory = MmapMut::map_anon(size).ok()?;
            if memory.as_ptr().align_offset(HUGE_PAGE) != 0 {
                // Linux before 6.7 does not align large mappings.
                memory = MmapMut::map_anon(size.checked_add(HUGE_PAGE)?).ok()?;
            }
            let offset = memory.as_ptr().align_offset(HUGE_PAGE);
            let start = NonNull::new(memory[offset..].as_mut_ptr())?;
            // On failure ordinary pages are used.
            let is_accepted = memory.advise(memmap2::Advice::HugePage).is_ok();
            log::info!("{} KiB, huge pages {}", bytes >> 10, if is_accepted { "requested" } else { "not available" });
            Some((Pages(Kind::Mapped { memory, offset }), start))
        }
        #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
        {
            let mut memory = MmapMut::map_anon(bytes.max(1)).ok()?;
            let start = NonNull::new(memory.as_mut_ptr())?;
            Some((Pages(Kind::Mapped { memory }), start))
        }
    }

    /// Asks the system to populate the pages of this byte range now; returns false if it cannot, so that they have to be touched. Linux
    /// 5.14 and later takes 0.13 s per GiB for this, whereas touching takes 0.6 to 1 s.
    pub(crate) fn populate(&self, bytes: Range<usize>) -> bool {
        let _ = &bytes;
        match &self.0 {
            #[cfg(target_family = "wasm")]
            Kind::Allocated(_) => true,
            #[cfg(target_os = "linux")]
            Kind::Mapped { memory, offset } => {
                memory.advise_range(memmap2::Advice::PopulateWrite, offset + bytes.start, bytes.len()).is_ok()
            }
            #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
            Kind::Mapped { .. } => false,
            // Large pages are populated on allocation.
            #[cfg(windows)]
            Kind::Large(_) => true,
        }
    }
}

/// A value, or a slice, in [`Pages`] of its own. For large tables that are accessed at random: the statistics of a search thread, and the
/// weights of the network.
pub(crate) struct HugeBox<T: ?Sized> {
    value: NonNull<T>,
    /// The allocation that `value` points into; freed with the box.
    _memory: Pages,
}

// SAFETY: the box owns its value, as `Box` does.
unsafe impl<T: Send + ?Sized> Send for HugeBox<T> {}
// SAFETY: as above.
unsafe impl<T: Sync + ?Sized> Sync for HugeBox<T> {}

impl<T: Zeroable> HugeBox<T> {
    /// A value of zero bytes. If there is no memory the process aborts, as for any other failed allocation.
    pub(crate) fn zero() -> HugeBox<T> {
        let one = HugeBox::<[T]>::zeros(1);
        HugeBox { value: one.value.cast(), _memory: one._memory }
    }
}

impl<T: Zeroable> HugeBox<[T]> {
    /// This many values of zero bytes. If there is no memory the process aborts, as for any other failed allocation.
    pub(crate) fn zeros(length: usize) -> HugeBox<[T]> {
        const { assert!(align_of::<T>() <= 4096 && !std::mem::needs_drop::<T>()) };
        let memory = size_of::<T>().checked_mul(length).and_then(Pages::new);
        let Some((memory, start)) = memory else { handle_alloc_error(Layout::new::<T>()) };
        HugeBox { value: NonNull::slice_from_raw_parts(start.cast(), length), _memory: memory }
    }
}

impl<T: Zeroable + Copy> Clone for HugeBox<[T]> {
    fn clone(&self) -> HugeBox<[T]> {
        let mut copy = HugeBox::<[T]>::zeros(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: ?Sized> Deref for HugeBox<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the memory begins at a page boundary, is large enough, was initialised with zeros, which are valid for the type, and
        // lives as long as the box.
        unsafe { self.value.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for HugeBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the box is borrowed mutably.
        unsafe { self.value.as_mut() }
    }
}

/// Available memory in bytes; `u64::MAX` if the system does not report it.
#[cfg(windows)]
pub fn available_memory() -> u64 {
    windows::available_memory().unwrap_or(u64::MAX)
}

/// Available memory in bytes; `u64::MAX` if the system does not report it.
#[cfg(all(not(windows), feature = "program"))]
pub fn available_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return u64::MAX };
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    // In a container the limit of its control group applies too, for all that its processes hold already.
    let group = system.cgroup_limits().map(|limits| limits.total_memory.saturating_sub(limits.rss));
    free.unwrap_or(u64::MAX).min(group.unwrap_or(u64::MAX))
}

/// Available memory in bytes; `u64::MAX` if the system does not report it, as here without the feature `program`.
#[cfg(all(not(windows), not(feature = "program")))]
pub fn available_memory() -> u64 {
    u64::MAX
}

/// The free memory in MiB if hash tables of `mib` MiB in total do not fit into it: they are filled with zeros before the first search, and
/// the system would kill the process. `None` if they fit, and for up to 64 MiB: a table that small is made smaller if memory is short.
pub fn too_little_for_tables(mib: usize) -> Option<u64> {
    const SMALL: usize = 64;
    let free = || available_memory() >> 20;
    (mib > SMALL).then(free).filter(|&free| free < mib as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero() {
        for mib in [1, 3] {
            let (_pages, start) = Pages::new(mib << 20).unwrap();
            // SAFETY: the memory has this many bytes, which are initialised to zero.
            let bytes = unsafe { std::slice::from_raw_parts(start.as_ptr(), mib << 20) };
            assert!(bytes.iter().all(|&byte| byte == 0));
        }
        // More than any machine has.
        assert!(Pages::new(usize::MAX & !4095).is_none());
        assert!(!has_memory(usize::MAX & !4095));
    }

    #[test]
    fn boxes_are_zeroed_aligned_and_copied() {
        let small = HugeBox::<[u64]>::zeros(3);
        assert_eq!(&*small, [0; 3]);
        assert!(HugeBox::<[u64]>::zeros(0).is_empty());
        let mut large = HugeBox::<[[u16; 300]; 1000]>::zero();
        assert!(large.as_flattened().iter().all(|&number| number == 0));
        #[cfg(target_os = "linux")]
        assert_eq!(std::ptr::from_ref(&*large).addr() % HUGE_PAGE, 0);
        large[999][299] = 7;
        let mut long = HugeBox::<[u16]>::zeros(300_000);
        long[299_999] = large[999][299];
        let copy = long.clone();
        long[299_999] = 8;
        assert_eq!((copy.len(), copy[299_999], copy[0]), (300_000, 7, 0));
    }

    #[cfg(windows)]
    #[test]
    fn large_pages_are_used_where_available() {
        let first = LargePages::new(5 << 20);
        let again = LargePages::new(5 << 20);
        // The second may fail for lack of memory, but without the right both fail.
        assert!(first.is_some() || again.is_none());
        for pages in [first, again].into_iter().flatten() {
            assert_eq!(pages.start().addr().get() % (2 << 20), 0);
        }
    }
}
