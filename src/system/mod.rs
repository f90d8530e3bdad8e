//! Layer 4: the operating system: files written atomically, files locked for one process, temporary files, interrupts, the Windows code
//! page, the parent process.

mod atomic_file;
#[cfg(feature = "program")]
mod code_page;
#[cfg(feature = "program")]
mod interrupt;
#[cfg(feature = "program")]
mod locked_file;
#[cfg(feature = "program")]
mod parent;
#[cfg(windows)]
mod windows;

#[cfg(feature = "sqlite")]
pub(crate) use atomic_file::TemporaryFile;
#[cfg(feature = "program")]
pub(crate) use atomic_file::clean_up;
#[cfg(feature = "program")]
pub use atomic_file::is_same_file;
#[cfg(all(test, feature = "program"))]
pub(crate) use atomic_file::tests::names;
pub use atomic_file::{AtomicFile, is_device, write_atomically};
#[cfg(feature = "program")]
pub(crate) use code_page::{code_page, input_path_of_bytes, path_of_bytes, pgn_of_system};
#[cfg(feature = "program")]
pub(crate) use interrupt::{handle_interrupts, interruption, watch_stops};
#[cfg(feature = "program")]
pub(crate) use locked_file::{LockedFile, lock_to_edit};
#[cfg(feature = "program")]
pub(crate) use parent::watch_parent;

/// A path for SQLite that means a file of this name: to SQLite, `:memory:` and names that begin with `file:` are something else.
#[cfg(feature = "sqlite")]
pub(crate) fn named_file(path: &std::path::Path) -> std::path::PathBuf {
    std::path::Path::new(".").join(path)
}

/// Whether the terminal on standard output interprets escape sequences, which a Windows console does only on request.
#[cfg(feature = "program")]
pub(crate) fn interprets_escapes() -> bool {
    #[cfg(windows)]
    let does = windows::enable_escapes();
    #[cfg(not(windows))]
    let does = true;
    does
}

/// Allows this process to have `count` open files, or as many as the system permits. The usual limits, 1024 and 256 on macOS, are for the
/// programs of a user's session.
#[cfg(feature = "program")]
pub(crate) fn allow_open_files(count: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let wanted = limit.maximum.map_or(count, |most| most.min(count));
        if limit.current.is_some_and(|current| current < wanted) {
            // Opening too many files reports its own error.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit });
        }
    }
    #[cfg(not(unix))]
    let _ = count;
}

/// The last component of a path.
pub(crate) fn file_name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
