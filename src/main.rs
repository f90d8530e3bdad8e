//! The `chuhe` program: parses its arguments, runs the command, and reports an error in one line and by its exit status.

use chuhe::commands::{Arguments, Failure, output, run, split_command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let done = match Arguments::try_parse_from(split_command(std::env::args_os())) {
        Ok(arguments) => run(arguments),
        // Help and version go to standard output, which can be closed or full too.
        Err(help) if !help.use_stderr() => Failure::of_output(help.print()),
        Err(wrong) => wrong.exit(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::report(&failure),
    }
}
