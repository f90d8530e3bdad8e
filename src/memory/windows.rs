//! Windows API calls: available memory and large pages. As in [`crate::system`], only the system's base library is used.

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
use windows::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
use windows::core::Owned;

/// Available memory in bytes.
pub(super) fn available_memory() -> Option<u64> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is a local variable and states its own size.
    unsafe { GlobalMemoryStatusEx(&mut status) }.ok()?;
    Some(status.ullAvailPhys)
}

/// Memory in large pages; the account needs the right to lock pages in memory.
pub(super) struct LargePages(NonNull<c_void>);

/// The size of a large page; `None` if the system has none or this process lacks the right.
static SIZE: LazyLock<Option<usize>> = LazyLock::new(|| {
    // SAFETY: the function has no preconditions.
    let size = unsafe { GetLargePageMinimum() };
    (size > 0 && may_lock_pages()).then_some(size)
});

impl LargePages {
    /// Allocates at least `bytes` zero bytes; `None` if the system provides no large pages.
    pub(super) fn new(bytes: usize) -> Option<LargePages> {
        let bytes = bytes.checked_next_multiple_of((*SIZE)?)?;
        // SAFETY: allocating new memory at an address chosen by the system has no preconditions.
        let start = unsafe { VirtualAlloc(None, bytes, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE) };
        NonNull::new(start).map(LargePages)
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        self.0.cast()
    }
}

impl Drop for LargePages {
    fn drop(&mut self) {
        // SAFETY: the memory came from VirtualAlloc, is released entirely and once, and is no longer borrowed.
        let _ = unsafe { VirtualFree(self.0.as_ptr(), 0, MEM_RELEASE) };
    }
}

/// Enables the right to lock pages in memory, which a process has to do even if the account has the right.
fn may_lock_pages() -> bool {
    // SAFETY: the token handle is open while it is used and closed by its owner, and all pointers are to variables that
    // outlive the calls.
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
        // The call also succeeds if nothing was adjusted, and reports that in the last error.
        adjusted.is_ok() && GetLastError() == ERROR_SUCCESS
    }
}
