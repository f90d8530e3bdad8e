//! Standard output of the tuning tools. Their jobs are long and their results are files, so a closed standard output does not end a job; it is
//! reported by the exit status at the end.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// The first error of standard output.
static FAULT: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line; called by [`say!`](crate::say).
pub fn write(line: Arguments<'_>) {
    let mut fault = FAULT.lock().unwrap_or_else(PoisonError::into_inner);
    if fault.is_none() {
        *fault = writeln!(io::stdout(), "{line}").err();
    }
}

/// Takes an error of standard output that another writer has met.
pub fn fail(error: io::Error) {
    FAULT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// The exit status of an otherwise successful run: as for the commands of `chuhe`, 141 without a message if the output was closed,
/// 1 with a message for any other error of standard output.
pub fn status() -> ExitCode {
    match FAULT.lock().unwrap_or_else(PoisonError::into_inner).take() {
        None => ExitCode::SUCCESS,
        Some(fault) if fault.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(141),
        Some(fault) => {
            let _ = writeln!(io::stderr(), "chuhe-tuning: standard output: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// As `println!`, but errors of standard output do not panic.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}
