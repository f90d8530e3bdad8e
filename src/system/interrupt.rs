//! Handling of Ctrl-C and termination requests: cleans up and ends the program, unless a command has its own handler.

use parking_lot::Mutex;
use std::sync::{Once, OnceLock};

type Handler = Box<dyn FnMut() + Send>;

/// Handler that replaces the default of cleaning up and exiting.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);
/// What is done before an interrupt ends the program.
static CLEAN_UP: OnceLock<fn()> = OnceLock::new();
static INSTALLED: Once = Once::new();
/// Exit status that shells use for a program ended by SIGINT.
const INTERRUPTED: i32 = 130;

/// Calls `handler` on every interrupt from now on, on a separate thread; by default an interrupt ends the program at once. A handler
/// that ends the program must call [`clean_up`](super::clean_up) first. If the system does not allow a handler, an interrupt just ends the
/// program.
pub fn handle_interrupts(handler: impl FnMut() + Send + 'static) {
    *HANDLER.lock() = Some(Box::new(handler));
    install();
}

/// Calls `clean_up` before an interrupt ends the program. An existing handler (of an asynchronous runtime) is kept.
pub(super) fn clean_up_on_interrupt(clean_up: fn()) {
    CLEAN_UP.get_or_init(|| clean_up);
    install();
}

fn install() {
    INSTALLED.call_once(|| {
        // If no handler can be set, a temporary file remains until the same file is written again.
        if ctrlc::try_set_handler(interrupt).is_err() {
            #[cfg(target_os = "linux")]
            handle_signals_in_use();
        }
    });
}

fn interrupt() {
    match &mut *HANDLER.lock() {
        Some(handler) => handler(),
        None => {
            if let Some(clean_up) = CLEAN_UP.get() {
                clean_up();
            }
            std::process::exit(INTERRUPTED);
        }
    }
}

/// Handles the signals that are not ignored: `ctrlc` handles all or none of them, and none if the program has inherited an ignored one, as
/// SIGHUP from `nohup`, or SIGINT as a background job of a script.
#[cfg(target_os = "linux")]
fn handle_signals_in_use() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let mask = |name: &str| {
        let digits = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        u64::from_str_radix(digits.trim(), 16).unwrap_or(0)
    };
    let (ignored, caught) = (mask("SigIgn:"), mask("SigCgt:"));
    let has = |mask: u64, signal: i32| mask >> (signal - 1) & 1 == 1;
    // An asynchronous runtime already handles interrupts.
    if [SIGINT, SIGTERM].into_iter().any(|signal| has(caught, signal)) {
        return;
    }
    if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !has(ignored, signal))) {
        std::thread::spawn(move || signals.forever().for_each(|_| interrupt()));
    }
}
