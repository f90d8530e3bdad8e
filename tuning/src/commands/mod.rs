//! The command line of the laboratory. One file a sub-command; each has its arguments and a `run`.

mod book;
mod compare;
mod dedup;
mod export;
mod generation;
mod inspect;
mod selfplay;
mod shuffle;
mod speed;
mod spsa;
mod stats;
mod train;
mod wdl;

use crate::networks::read_network;
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
    /// Grows and checks the opening book
    Book(book::Book),
    /// Plays one evaluation against another at fixed nodes
    Compare(compare::Compare),
    /// Drops positions seen before from record files
    Dedup(dedup::Dedup),
    /// Prints the games of record files, one a line
    Export(export::Export),
    /// Makes a generation of networks: self-play, training, comparison, report
    Generation(generation::Generation),
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
    /// Fits the chances to win, draw and lose
    Wdl(wdl::Wdl),
}

/// Does what the arguments ask.
///
/// # Errors
/// One line that names the input, the place in it and what was expected.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    // What only prints ends quietly when nobody reads on.
    if let Command::Inspect(_) | Command::Speed(_) | Command::Stats(_) = arguments.command {
        sigpipe::reset();
    }
    match arguments.command {
        Command::Book(book) => book.run(),
        Command::Compare(compare) => compare.run(),
        Command::Dedup(dedup) => dedup.run(),
        Command::Export(export) => export.run(),
        Command::Generation(generation) => generation.run(),
        Command::Inspect(inspect) => inspect.run(),
        Command::Selfplay(selfplay) => selfplay.run(),
        Command::Shuffle(shuffle) => shuffle.run(),
        Command::Speed(speed) => speed.run(),
        Command::Spsa(spsa) => spsa.run(),
        Command::Stats(stats) => stats.run(),
        Command::Train(train) => train.run(),
        Command::Wdl(wdl) => wdl.run(),
    }
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

/// The number of threads asked for, or of cores.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
