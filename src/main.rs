//! The `chuhe` program: reads its arguments, runs, and turns an error into one line and an exit status.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    match chuhe::commands::run(chuhe::commands::Arguments::parse_from(chuhe::commands::split_command(std::env::args_os()))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
