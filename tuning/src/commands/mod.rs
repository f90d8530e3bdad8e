//! The command line of the tuning tools. One file per sub-command, with its arguments and a `run`.

mod book;
mod clip;
mod compare;
mod export;
mod generation;
mod inspect;
mod join;
mod selfplay;
mod speed;
mod spsa;
mod stats;
mod train;
mod truth;
mod wdl;

use crate::networks::read_network;
use clap::{Parser, Subcommand};

/// The tuning tools of chuhe: self-play data, network training, parameter tuning.
#[derive(Parser, Debug)]
#[command(name = "chuhe-tuning", version, about)]
pub struct Arguments {
    /// The sub-command.
    #[command(subcommand)]
    command: TuningCommand,
}

#[derive(Subcommand, Debug)]
enum TuningCommand {
    /// Extends and verifies the opening book
    Book(book::Book),
    /// Clips the feature weights of a network to eight bits
    Clip(clip::Clip),
    /// Plays one evaluation against another at fixed nodes
    Compare(compare::Compare),
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
        TuningCommand::Book(book) => book.run(),
        TuningCommand::Clip(clip) => clip.run(),
        TuningCommand::Compare(compare) => compare.run(),
        TuningCommand::Export(export) => export.run(),
        TuningCommand::Generation(generation) => generation.run(),
        TuningCommand::Inspect(inspect) => inspect.run(),
        TuningCommand::Join(join) => join.run(),
        TuningCommand::Selfplay(selfplay) => selfplay.run(),
        TuningCommand::Speed(speed) => speed.run(),
        TuningCommand::Spsa(spsa) => spsa.run(),
        TuningCommand::Stats(stats) => stats.run(),
        TuningCommand::Train(train) => train.run(),
        TuningCommand::Truth(truth) => truth.run(),
        TuningCommand::Wdl(wdl) => wdl.run(),
    }
}

/// The requested number of threads, by default that of cores.
fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}
