//! The `chuhe-tuning` program: reads its arguments, runs, and turns an error into one line and an exit status.

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    match chuhe_tuning::commands::run(chuhe_tuning::commands::Arguments::parse()) {
        Ok(()) => chuhe_tuning::output::status(),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "chuhe-tuning: {error}");
            ExitCode::FAILURE
        }
    }
}
