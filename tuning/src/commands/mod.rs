//! The command line of the laboratory. One file a sub-command; each has its arguments and a `run`.

mod dedup;
mod shuffle;
mod stats;

use clap::{Parser, Subcommand};

/// The laboratory of chuhe: self-play data, network training, parameter tuning.
#[derive(Parser, Debug)]
#[command(name = "chuhe-tuning", version, about)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Drops positions seen before from record files
    Dedup(dedup::Dedup),
    /// Brings the games of record files into random order
    Shuffle(shuffle::Shuffle),
    /// Counts what is in record files
    Stats(stats::Stats),
}

/// Does what the arguments ask.
///
/// # Errors
/// One line that names the input, the place in it and what was expected.
pub fn run(arguments: Arguments) -> Result<(), String> {
    match arguments.command {
        Command::Dedup(dedup) => dedup.run(),
        Command::Shuffle(shuffle) => shuffle.run(),
        Command::Stats(stats) => stats.run(),
    }
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;
