//! The `chuhe` program, included so that installing the wheel is sufficient.

use chuhe::commands::{Arguments, Failure, output, run, split_command};
use clap::Parser;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program with these arguments, of which the first is its name, and exits the process with its status.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>) {
    py.detach(|| {
        let _ = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).try_init();
        let done = match Arguments::try_parse_from(split_command(arguments.into_iter())) {
            Ok(arguments) => run(arguments),
            // Help and version go to standard output, which can be closed or full too.
            Err(help) if !help.use_stderr() => Failure::of_output(help.print()),
            Err(wrong) => wrong.exit(),
        };
        let status = match done {
            Ok(()) => 0,
            Err(failure) => {
                output::report(&failure);
                failure.status()
            }
        };
        std::process::exit(status.into());
    })
}
