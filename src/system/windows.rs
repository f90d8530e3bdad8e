//! Calls of Windows: its code page, free memory, large pages, and the process that started this one. All of it is asked of the system's
//! base library: under Wine the libraries that sysinfo and the texts of errors need besides take longer to load than all the rest of a start.

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
    // SAFETY: the function takes nothing, has no preconditions and returns a number.
    unsafe { GetACP() }
}

/// Memory that no process uses, in bytes.
pub(super) fn available_memory() -> Option<u64> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is ours to be written to and states its own size.
    unsafe { GlobalMemoryStatusEx(&mut status) }.ok()?;
    Some(status.ullAvailPhys)
}

/// The process that started this one. As long as it is held, its number is given to no other process.
pub(super) struct Parent(OwnedHandle);

impl Parent {
    /// None when it has ended already: its number may be that of another process now, which began later than this one.
    pub(super) fn find() -> Option<Parent> {
        let id = parent_id()?;
        // SAFETY: the call takes numbers only.
        let parent = unsafe { OpenProcess(PROCESS_SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, false, id) }.ok()?;
        let parent = Parent(owned(parent));
        // SAFETY: the handle that stands for the own process needs no closing.
        let own = unsafe { GetCurrentProcess() };
        (begin(handle(&parent.0))? <= begin(own)?).then_some(parent)
    }

    pub(super) fn is_alive(&self) -> bool {
        // SAFETY: the handle is open, and the call returns at once.
        unsafe { WaitForSingleObject(handle(&self.0), 0) == WAIT_TIMEOUT }
    }
}

fn owned(handle: HANDLE) -> OwnedHandle {
    // SAFETY: the handle has just been opened, and nobody else closes it.
    unsafe { OwnedHandle::from_raw_handle(handle.0) }
}

fn handle(owned: &OwnedHandle) -> HANDLE {
    HANDLE(owned.as_raw_handle())
}

/// When a process began, in units of 100 ns.
fn begin(process: HANDLE) -> Option<u64> {
    let [mut begin, mut end, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the handle is open, and the four structures are ours to be written to.
    unsafe { GetProcessTimes(process, &mut begin, &mut end, &mut kernel, &mut user) }.ok()?;
    Some((begin.dwHighDateTime as u64) << 32 | begin.dwLowDateTime as u64)
}

/// Asks the system for this process alone: a snapshot of all processes took longer than all the rest of a start.
fn parent_id() -> Option<u32> {
    let mut about = PROCESS_BASIC_INFORMATION::default();
    let size = size_of::<PROCESS_BASIC_INFORMATION>() as u32;
    let mut written = 0;
    // SAFETY: the handle stands for the own process; the structure is ours to be written to, and its size is stated.
    let status = unsafe {
        let about = (&raw mut about).cast();
        NtQueryInformationProcess(GetCurrentProcess(), ProcessBasicInformation, about, size, &mut written)
    };
    status.ok().ok()?;
    u32::try_from(about.InheritedFromUniqueProcessId).ok()
}

/// Memory in large pages; an account needs the right to lock pages in memory.
pub(super) struct LargePages(NonNull<c_void>);

/// The size of a large page; none where the system has none, or this process not the right to them.
static SIZE: LazyLock<Option<usize>> = LazyLock::new(|| {
    // SAFETY: the function has no preconditions.
    let size = unsafe { GetLargePageMinimum() };
    (size > 0 && may_lock_pages()).then_some(size)
});

impl LargePages {
    /// So many zeros or more; none where the system gives no large pages.
    pub(super) fn new(bytes: usize) -> Option<LargePages> {
        let bytes = bytes.checked_next_multiple_of((*SIZE)?)?;
        // SAFETY: the system is asked for fresh memory at a place of its choice, which has no preconditions.
        let start = unsafe { VirtualAlloc(None, bytes, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE) };
        NonNull::new(start).map(LargePages)
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        self.0.cast()
    }
}

impl Drop for LargePages {
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
