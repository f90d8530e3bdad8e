//! Windows API calls: code page, available memory, large pages, and the parent process. They use only the system's base library, because
//! under Wine the further libraries needed by sysinfo and error texts take longer to load than the entire rest of the start.

use std::ffi::c_void;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::NonNull;
use std::sync::LazyLock;
use windows::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows::Win32::Foundation::{ERROR_SUCCESS, FILETIME, GetLastError, HANDLE, LUID, WAIT_TIMEOUT};
use windows::Win32::Globalization::GetACP;
use windows::Win32::Security::{
    AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME, SE_PRIVILEGE_ENABLED,
    TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
};
use windows::Win32::System::Memory::{
    GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc, VirtualFree,
};
use windows::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows::Win32::System::Threading::{
    GetCurrentProcess, GetProcessTimes, OpenProcess, OpenProcessToken, PROCESS_BASIC_INFORMATION,
    PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE, WaitForSingleObject,
};
use windows::core::Owned;

/// The number of the code page.
pub(super) fn code_page() -> u32 {
    // SAFETY: the function has no arguments or preconditions and returns a number.
    unsafe { GetACP() }
}

/// Available memory in bytes.
pub(super) fn available_memory() -> Option<u64> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is a local variable and states its own size.
    unsafe { GlobalMemoryStatusEx(&mut status) }.ok()?;
    Some(status.ullAvailPhys)
}

/// The process that started this one. While the handle is open, its process ID is not reused.
pub(super) struct Parent(OwnedHandle);

impl Parent {
    /// `None` if it has already ended: its process ID may now belong to another process, which started later than this one.
    pub(super) fn find() -> Option<Parent> {
        let id = parent_id()?;
        // SAFETY: the call takes numbers only.
        let parent = unsafe { OpenProcess(PROCESS_SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, false, id) }.ok()?;
        let parent = Parent(owned(parent));
        // SAFETY: the pseudo handle of the current process needs no closing.
        let own = unsafe { GetCurrentProcess() };
        (begin(handle(&parent.0))? <= begin(own)?).then_some(parent)
    }

    pub(super) fn is_alive(&self) -> bool {
        // SAFETY: the handle is open, and the call returns at once.
        unsafe { WaitForSingleObject(handle(&self.0), 0) == WAIT_TIMEOUT }
    }
}

fn owned(handle: HANDLE) -> OwnedHandle {
    // SAFETY: the handle has just been opened, and nothing else closes it.
    unsafe { OwnedHandle::from_raw_handle(handle.0) }
}

fn handle(owned: &OwnedHandle) -> HANDLE {
    HANDLE(owned.as_raw_handle())
}

/// Start time of a process, in units of 100 ns.
fn begin(process: HANDLE) -> Option<u64> {
    let [mut begin, mut end, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the handle is open, and the four structures are local variables.
    unsafe { GetProcessTimes(process, &mut begin, &mut end, &mut kernel, &mut user) }.ok()?;
    Some((begin.dwHighDateTime as u64) << 32 | begin.dwLowDateTime as u64)
}

/// Queries this process only: a snapshot of all processes took longer than the entire rest of the start.
fn parent_id() -> Option<u32> {
    let mut about = PROCESS_BASIC_INFORMATION::default();
    let size = size_of::<PROCESS_BASIC_INFORMATION>() as u32;
    let mut written = 0;
    // SAFETY: the handle is that of the current process; the structure is a local variable, and its size is stated.
    let status = unsafe {
        let about = (&raw mut about).cast();
        NtQueryInformationProcess(GetCurrentProcess(), ProcessBasicInformation, about, size, &mut written)
    };
    status.ok().ok()?;
    u32::try_from(about.InheritedFromUniqueProcessId).ok()
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
