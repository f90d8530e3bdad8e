//! Watches the client process: a killed client cannot send `quit`, and the input never ends if another process, such as the engine
//! itself on Windows, holds the other end of the pipe open.

#[cfg(windows)]
use super::windows::Parent;
use std::time::Duration;

/// Interval between checks.
const INTERVAL: Duration = Duration::from_secs(1);

/// Starts a thread that calls `gone` once when the process that started this one has ended. Does nothing if the user may have detached
/// the engine on purpose: if input and output are not both unnamed pipes or sockets, after `nohup`, or if the parent is unknown.
pub fn watch_parent(gone: impl FnOnce() + Send + 'static) {
    if !has_client() {
        return;
    }
    let Some(parent) = Parent::find() else { return };
    // The engine also works without this thread.
    let _ = std::thread::Builder::new().name("parent".into()).spawn(move || {
        while parent.is_alive() {
            std::thread::sleep(INTERVAL);
        }
        gone();
    });
}

/// Whether the engine seems to be controlled by another program.
#[cfg(target_os = "linux")]
fn has_client() -> bool {
    let is_pipe = |number: u32| {
        let target = std::fs::read_link(format!("/proc/self/fd/{number}")).unwrap_or_default();
        ["pipe:", "socket:"].iter().any(|kind| target.to_string_lossy().starts_with(kind))
    };
    let masks = super::interrupt::SignalMasks::of_this_process();
    // The signal that nohup makes its command ignore.
    let is_detached = masks.is_some_and(|masks| masks.ignores(signal_hook::consts::SIGHUP));
    is_pipe(0) && is_pipe(1) && !is_detached
}

/// Whether the engine seems to be controlled by another program.
#[cfg(all(unix, not(target_os = "linux")))]
fn has_client() -> bool {
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::FileTypeExt;
    let is_pipe = |file: BorrowedFd<'_>| {
        let data = file.try_clone_to_owned().and_then(|file| std::fs::File::from(file).metadata());
        data.is_ok_and(|data| data.file_type().is_fifo() || data.file_type().is_socket())
    };
    is_pipe(std::io::stdin().as_fd()) && is_pipe(std::io::stdout().as_fd())
}

/// Whether the engine seems to be controlled by another program.
#[cfg(windows)]
fn has_client() -> bool {
    use std::io::IsTerminal;
    // The terminal of Git for Windows is a pipe too.
    !std::io::stdin().is_terminal() && !std::io::stdout().is_terminal() && super::windows::has_pipes()
}

/// The process that started this one.
#[cfg(unix)]
struct Parent(u32);

#[cfg(unix)]
impl Parent {
    /// `None` if the parent is the system's first process.
    fn find() -> Option<Parent> {
        Some(Parent(std::os::unix::process::parent_id())).filter(|parent| parent.0 > 1)
    }

    /// A process whose parent has ended is reparented.
    fn is_alive(&self) -> bool {
        std::os::unix::process::parent_id() == self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_a_running_test_is_alive() {
        if let Some(parent) = Parent::find() {
            assert!(parent.is_alive());
        }
    }
}
