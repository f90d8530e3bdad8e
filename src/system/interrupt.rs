//! What Ctrl-C and a request to terminate do: remove the temporary files of this process, unless a command has a handler of its own.

use super::part_file::remove_unfinished;
use parking_lot::Mutex;
use std::sync::Once;

type Handler = Box<dyn FnMut() + Send>;

/// What happens at an interruption in place of cleaning up and ending.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
static INSTALLED: Once = Once::new();
/// What a shell shows for a program that SIGINT ends.
const INTERRUPTED: i32 = 130;

/// Calls `handler` at every interruption from now on, in a thread of its own; until then an interruption ends the program at once. A handler
/// that wants to end the program calls [`clean_up`] first. Where the system refuses a handler, the interruption ends the program without one.
pub fn handle_interrupts(handler: impl FnMut() + Send + 'static) {
    *HANDLER.lock() = Some(Box::new(handler));
    install();
}

/// Removes the temporary files that this process is writing, for an end without return: from now on no other can begin. A thread that wants
/// to begin or complete one waits until the process ends.
pub fn clean_up() {
    remove_unfinished();
}

/// Sees to it that an interruption leaves no temporary file. A handler that others have installed (an asynchronous runtime) stays.
pub(super) fn install() {
    INSTALLED.call_once(|| {
        // Where the handler cannot be set, the temporary file stays until the same file is written again.
        let _ = ctrlc::try_set_handler(|| match &mut *HANDLER.lock() {
            Some(handler) => handler(),
            None => {
                remove_unfinished();
                std::process::exit(INTERRUPTED);
            }
        });
    });
}
