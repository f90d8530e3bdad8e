//! The command line of the laboratory. One file a sub-command; each has its arguments and a `run`.

mod book;
mod clip;
mod compare;
mod dedup;
mod export;
mod generation;
mod inspect;
mod join;
mod selfplay;
mod shuffle;
mod speed;
mod spsa;
mod stats;
mod train;
mod truth;
mod wdl;

use crate::networks::read_network;
use clap::{Parser, Subcommand};

/// The laboratory of chuhe: self-play data, network training, parameter tuning.
#[derive(Parser, Debug)]
#[command(name = "chuhe-tuning", version, about)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    command: LaboratoryCommand,
}

#[derive(Subcommand, Debug)]
enum LaboratoryCommand {
    /// Grows and checks the opening book
    Book(book::Book),
    /// Cuts the feature weights of a network to eight bits
    Clip(clip::Clip),
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
    /// Puts record files of one run together, the same bytes however the games are spread
    Join(join::Join),
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
    /// Measures how far evaluations are from deep searches
    Truth(truth::Truth),
    /// Fits the chances to win, draw and lose
    Wdl(wdl::Wdl),
}

/// Does what the arguments ask.
///
/// # Errors
/// One line that names the input, the place in it and what was expected.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        LaboratoryCommand::Book(book) => book.run(),
        LaboratoryCommand::Clip(clip) => clip.run(),
        LaboratoryCommand::Compare(compare) => compare.run(),
        LaboratoryCommand::Dedup(dedup) => dedup.run(),
        LaboratoryCommand::Export(export) => export.run(),
        LaboratoryCommand::Generation(generation) => generation.run(),
        LaboratoryCommand::Inspect(inspect) => inspect.run(),
        LaboratoryCommand::Join(join) => join.run(),
        LaboratoryCommand::Selfplay(selfplay) => selfplay.run(),
        LaboratoryCommand::Shuffle(shuffle) => shuffle.run(),
        LaboratoryCommand::Speed(speed) => speed.run(),
        LaboratoryCommand::Spsa(spsa) => spsa.run(),
        LaboratoryCommand::Stats(stats) => stats.run(),
        LaboratoryCommand::Train(train) => train.run(),
        LaboratoryCommand::Truth(truth) => truth.run(),
        LaboratoryCommand::Wdl(wdl) => wdl.run(),
    }
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

/// The number of threads asked for, or of cores.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
