//! The command line of the laboratory. One file a sub-command; each has its arguments and a `run`.

mod book;
mod compare;
mod dedup;
mod inspect;
mod selfplay;
mod shuffle;
mod speed;
mod spsa;
mod stats;
mod train;

use chuhe::nnue::Network;
use clap::{Parser, Subcommand};
use std::sync::Arc;

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
    /// Grows and checks the opening book
    Book(book::Book),
    /// Plays one evaluation against another at fixed nodes
    Compare(compare::Compare),
    /// Drops positions seen before from record files
    Dedup(dedup::Dedup),
    /// Checks a network file and shows what it says of a position
    Inspect(inspect::Inspect),
    /// Plays games of the engine against itself
    Selfplay(selfplay::SelfPlay),
    /// Brings the games of record files into random order
    Shuffle(shuffle::Shuffle),
    /// Measures training, reading and evaluation on this machine
    Speed(speed::Speed),
    /// Tunes the numbers of the search by games
    Spsa(spsa::Spsa),
    /// Counts what is in record files
    Stats(stats::Stats),
    /// Trains a network as a recipe says
    Train(train::Train),
}

/// Does what the arguments ask.
///
/// # Errors
/// One line that names the input, the place in it and what was expected.
pub fn run(arguments: Arguments) -> Result<(), String> {
    match arguments.command {
        Command::Book(book) => book.run(),
        Command::Compare(compare) => compare.run(),
        Command::Dedup(dedup) => dedup.run(),
        Command::Inspect(inspect) => inspect.run(),
        Command::Selfplay(selfplay) => selfplay.run(),
        Command::Shuffle(shuffle) => shuffle.run(),
        Command::Speed(speed) => speed.run(),
        Command::Spsa(spsa) => spsa.run(),
        Command::Stats(stats) => stats.run(),
        Command::Train(train) => train.run(),
    }
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

/// The number of threads asked for, or of cores.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The network in a file; none for `hand`, the hand-written evaluation.
fn read_network(name: &str) -> Result<Option<Arc<Network>>, String> {
    if name == "hand" {
        return Ok(None);
    }
    let bytes = std::fs::read(name).map_err(|error| format!("{name}: {error}"))?;
    Ok(Some(Arc::new(Network::from_bytes(&bytes).map_err(|error| format!("{name}: {error}"))?)))
}
