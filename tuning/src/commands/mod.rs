//! The command line of the laboratory. One file per sub-command, with its arguments and a `run`.

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
    /// The sub-command.
    #[command(subcommand)]
    command: LaboratoryCommand,
}

#[derive(Subcommand, Debug)]
enum LaboratoryCommand {
    /// Extends and verifies the opening book
    Book(book::Book),
    /// Clips the feature weights of a network to eight bits
    Clip(clip::Clip),
    /// Plays one evaluation against another at fixed nodes
    Compare(compare::Compare),
    /// Removes duplicate positions from record files
    Dedup(dedup::Dedup),
    /// Prints the games of record files, one per line
    Export(export::Export),
    /// Runs a generation of networks: self-play, training, comparison, report
    Generation(generation::Generation),
    /// Checks a network file and shows its evaluation of a position
    Inspect(inspect::Inspect),
    /// Merges the record files of one run, byte-identical however the games are distributed
    Join(join::Join),
    /// Plays games of the engine against itself
    Selfplay(selfplay::SelfPlay),
    /// Puts the games of record files into random order
    Shuffle(shuffle::Shuffle),
    /// Measures training, reading and evaluation on this machine
    Speed(speed::Speed),
    /// Tunes the parameters of the search by games
    Spsa(spsa::Spsa),
    /// Counts the contents of record files
    Stats(stats::Stats),
    /// Trains a network from a recipe
    Train(train::Train),
    /// Measures the error of evaluations against deep searches
    Truth(truth::Truth),
    /// Fits win, draw and loss probabilities
    Wdl(wdl::Wdl),
}

/// Runs the command given by the arguments.
///
/// # Errors
/// One line that names the input, the position in it and what was expected.
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

/// The requested number of threads, by default that of cores.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
