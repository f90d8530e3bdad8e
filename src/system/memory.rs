//! Memory in huge pages, and the amount of available memory.
//!
//! On Linux huge pages are requested with `madvise`. Windows, which calls them large pages, provides them to accounts with the right to
//! lock pages in memory. Otherwise ordinary pages are used. WebAssembly cannot map memory and uses a vector.

#[cfg(windows)]
use super::windows::{self, LargePages};
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut;
use std::ops::Range;
use std::ptr::NonNull;

/// Bytes that must remain free for everything else after a large allocation.
const RESERVE: usize = 64 << 20;
/// Whether the system has this many bytes in addition to [`RESERVE`]. A failed allocation aborts the process, so large ones are checked
/// beforehand. WebAssembly never releases memory, so the check itself would consume it: there the result is always true.
pub(crate) fn has_memory(bytes: usize) -> bool {
    cfg!(target_family = "wasm") || Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok()
}

/// Zeroed, page-aligned memory, in huge pages where the system has them.
pub(crate) struct Pages(Kind);

enum Kind {
    #[cfg(target_family = "wasm")]
    Allocated(#[expect(dead_code, reason = "kept until it is dropped")] Vec<Page>),
    #[cfg(not(target_family = "wasm"))]
    Mapped(#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "kept until it is dropped"))] MmapMut),
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
        {
            let pages = LargePages::new(bytes);
            log::info!("table: {} MiB in {} pages", bytes >> 20, if pages.is_some() { "large" } else { "ordinary" });
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
        #[cfg(not(target_family = "wasm"))]
        {
            // New pages from the system are zero and cost nothing until they are touched.
            let mut memory = MmapMut::map_anon(bytes).ok()?;
            let start = NonNull::new(memory.as_mut_ptr())?;
            // On failure ordinary pages are used.
            #[cfg(target_os = "linux")]
            {
                let is_accepted = memory.advise(memmap2::Advice::HugePage).is_ok();
                log::info!("table: {} MiB, huge pages {}", bytes >> 20, if is_accepted { "requested" } else { "not available" });
            }
            Some((Pages(Kind::Mapped(memory)), start))
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
            Kind::Mapped(memory) => memory.advise_range(memmap2::Advice::PopulateWrite, bytes.start, bytes.len()).is_ok(),
            #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
            Kind::Mapped(_) => false,
            // Large pages are populated on allocation.
            #[cfg(windows)]
            Kind::Large(_) => true,
        }
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
    // In a container the limit of its control group applies too.
    let group = system.cgroup_limits().map(|limits| limits.total_memory);
    free.unwrap_or(u64::MAX).min(group.unwrap_or(u64::MAX))
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
