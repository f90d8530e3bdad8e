//! Standard output of the laboratory. Its jobs are long and their results are files, so that a reader who leaves ends nothing; the
//! exit status says so at the end.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// The first thing that went wrong with standard output.
static FAULT: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line; this is what [`say!`](crate::say) calls.
pub fn write(line: Arguments<'_>) {
    let mut fault = FAULT.lock().unwrap_or_else(PoisonError::into_inner);
    if fault.is_none() {
        *fault = writeln!(io::stdout(), "{line}").err();
    }
}

/// The exit status of a run that has otherwise done its work: as for the commands of `chuhe`, 141 in silence when nobody reads
/// on, 1 and a line for everything else that standard output did not take.
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

/// As `println!`, but nothing that happens to standard output is a panic.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}
