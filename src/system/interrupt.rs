//! Handling of Ctrl-C and termination requests: removes the temporary files of this process, unless a command has its own handler.

use super::part_file::remove_unfinished;
use parking_lot::Mutex;
use std::sync::Once;

type Handler = Box<dyn FnMut() + Send>;

/// Handler that replaces the default of cleaning up and exiting.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
static INSTALLED: Once = Once::new();
/// Exit status that shells use for a program ended by SIGINT.
const INTERRUPTED: i32 = 130;

/// Calls `handler` on every interrupt from now on, on a separate thread; by default an interrupt ends the program at once. A handler
/// that ends the program must call [`clean_up`] first. If the system does not allow a handler, an interrupt just ends the program.
pub fn handle_interrupts(handler: impl FnMut() + Send + 'static) {
    *HANDLER.lock() = Some(Box::new(handler));
    install();
}

/// Removes the temporary files that this process is writing, directly before it exits. A thread that tries to create or complete
/// another one blocks until the process ends.
pub fn clean_up() {
    remove_unfinished();
}

/// Installs the default handler, so that an interrupt leaves no temporary file. An existing handler (of an asynchronous runtime) is kept.
pub(super) fn install() {
    INSTALLED.call_once(|| {
        // If the handler cannot be set, a temporary file remains until the same file is written again.
        let _ = ctrlc::try_set_handler(|| match &mut *HANDLER.lock() {
            Some(handler) => handler(),
            None => {
                remove_unfinished();
                std::process::exit(INTERRUPTED);
            }
        });
    });
}
