//! The `chuhe` program, included so that installing the wheel is sufficient.

use chuhe::commands::{Arguments, output, run, split_command};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program with these arguments, of which the first is its name, and exits the process with its status.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>) {
    py.detach(|| {
        let _ = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).try_init();
        let status = match run(<Arguments as clap::Parser>::parse_from(split_command(arguments.into_iter()))) {
            Ok(()) => 0,
            Err(failure) => {
                output::report(&failure);
                failure.status()
            }
        };
        std::process::exit(status.into());
    })
}
