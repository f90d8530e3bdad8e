//! What only Windows can say: its code page, the free memory, and the process that started this one. All of it is asked of the system's
//! base library: under Wine the libraries that sysinfo and the texts of errors need besides take longer to load than all the rest of a start.

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use windows::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows::Win32::Foundation::{FILETIME, HANDLE, WAIT_TIMEOUT};
use windows::Win32::Globalization::GetACP;
use windows::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows::Win32::System::Threading::{
    GetCurrentProcess, GetProcessTimes, OpenProcess, PROCESS_BASIC_INFORMATION, PROCESS_QUERY_LIMITED_INFORMATION,
    PROCESS_SYNCHRONIZE, WaitForSingleObject,
};

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
