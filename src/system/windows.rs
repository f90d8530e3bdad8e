//! Windows API calls: code page, console, pipes and the parent process. They use only the system's base library, because
//! under Wine the further libraries needed by sysinfo and error texts take longer to load than the entire rest of the start.

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use windows::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows::Win32::Foundation::{FILETIME, HANDLE, WAIT_TIMEOUT};
use windows::Win32::Globalization::GetACP;
use windows::Win32::Storage::FileSystem::{FILE_TYPE_PIPE, GetFileType};
use windows::Win32::System::Console::{CONSOLE_MODE, ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode};
use windows::Win32::System::Threading::{
    GetCurrentProcess, GetProcessTimes, OpenProcess, PROCESS_BASIC_INFORMATION, PROCESS_QUERY_LIMITED_INFORMATION,
    PROCESS_SYNCHRONIZE, WaitForSingleObject,
};

/// The number of the code page.
pub(super) fn code_page() -> u32 {
    // SAFETY: the function has no arguments or preconditions and returns a number.
    unsafe { GetACP() }
}

/// Makes the console of standard output interpret escape sequences; false if it cannot, as before Windows 10. A terminal that is no console,
/// as of Git for Windows, always does.
pub(super) fn enable_escapes() -> bool {
    let console = HANDLE(std::io::stdout().as_raw_handle());
    let mut mode = CONSOLE_MODE::default();
    // SAFETY: the handle is that of standard output, which stays open, and the mode is a local variable.
    unsafe {
        GetConsoleMode(console, &mut mode).is_err() || SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING).is_ok()
    }
}

/// Whether standard input and output are pipes or sockets.
pub(super) fn has_pipes() -> bool {
    let handles = [std::io::stdin().as_raw_handle(), std::io::stdout().as_raw_handle()];
    // SAFETY: the handles are those of standard input and output, which stay open.
    handles.into_iter().all(|handle| unsafe { GetFileType(HANDLE(handle)) } == FILE_TYPE_PIPE)
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
