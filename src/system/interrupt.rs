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

/// Waits until the user interrupts the program or closes its terminal, or the system asks it to end.
///
/// # Errors
/// If the signals cannot be received.
pub async fn interruption() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT};
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = if handles(SIGINT, true) { Some(signal(SignalKind::interrupt())?) } else { None };
        let mut hangup = if handles(SIGHUP, false) { Some(signal(SignalKind::hangup())?) } else { None };
        tokio::select! {
            _ = terminate.recv() => {}
            () = received(&mut interrupt) => {}
            () = received(&mut hangup) => {}
        }
        Ok(())
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Calls `action` whenever the program goes on after a stop, by Ctrl-Z or SIGSTOP; never returns.
pub async fn watch_stops(action: impl FnMut()) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut action = action;
        if let Ok(mut resumed) = signal(SignalKind::from_raw(signal_hook::consts::SIGCONT)) {
            while resumed.recv().await.is_some() {
                action();
            }
        }
    }
    #[cfg(not(unix))]
    drop(action);
    std::future::pending().await
}

/// Waits for a signal; for ever if it is not handled.
#[cfg(unix)]
async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether a signal ends the program: not if it was ignored from the start, as SIGHUP under `nohup`, or SIGINT in a background job of a
/// script. `by_default` counts where ignored signals are not known.
#[cfg(unix)]
fn handles(signal: i32, by_default: bool) -> bool {
    #[cfg(target_os = "linux")]
    let is_ignored = SignalMasks::of_this_process().map(|masks| masks.ignores(signal));
    #[cfg(not(target_os = "linux"))]
    let is_ignored = {
        let _ = signal;
        None::<bool>
    };
    is_ignored.map_or(by_default, |is_ignored| !is_ignored)
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

    let Some(masks) = SignalMasks::of_this_process() else { return };
    // An asynchronous runtime already handles interrupts.
    if [SIGINT, SIGTERM].into_iter().any(|signal| masks.catches(signal)) {
        return;
    }
    if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !masks.ignores(signal))) {
        let _ = std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| interrupt()));
    }
}

/// The signals that this process ignores and catches, one bit each.
#[cfg(target_os = "linux")]
pub(super) struct SignalMasks {
    ignored: u64,
    caught: u64,
}

#[cfg(target_os = "linux")]
impl SignalMasks {
    pub(super) fn of_this_process() -> Option<SignalMasks> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = |name: &str| {
            let digits = status.lines().find_map(|line| line.strip_prefix(name))?;
            u64::from_str_radix(digits.trim(), 16).ok()
        };
        Some(SignalMasks { ignored: mask("SigIgn:")?, caught: mask("SigCgt:")? })
    }

    pub(super) fn ignores(&self, signal: i32) -> bool {
        self.ignored >> (signal - 1) & 1 == 1
    }

    fn catches(&self, signal: i32) -> bool {
        self.caught >> (signal - 1) & 1 == 1
    }
}
