//! `chuhe-tuning generation`: self-play, training and comparison in one command.

use crate::generation::{Options, run};
use crate::selfplay::SelfPlayPlan;
use clap::Args;
use std::ops::Range;
use std::path::PathBuf;

/// Runs a generation of networks: self-play, training, comparison, report. After an interruption, even
/// by a kill, the same command continues the run.
///
/// Several machines can share the games: each runs `generation FILE --only FIRST..END` with its own range of game numbers; then
/// their files games-FIRST-END are copied into the folder of one machine, where the command without --only plays the missing games
/// and runs the remaining steps.
#[derive(Args, Debug)]
pub struct Generation {
    /// The generation, a TOML file (its fields: tuning/README.md)
    generation: PathBuf,
    /// Parent of the generation's folder
    #[arg(short, long, default_value = "generations")]
    output: PathBuf,
    /// Only play the games with these numbers
    #[arg(long, value_name = "FIRST..END", value_parser = range)]
    only: Option<Range<u64>>,
    /// Threads (default: all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// A range of game numbers.
fn range(text: &str) -> Result<Range<u64>, &'static str> {
    let numbers = text.split_once("..").and_then(|(first, end)| Some((first.parse().ok()?, end.parse().ok()?)));
    match numbers {
        Some((first, end)) if first < end => Ok(first..end),
        _ => Err("expected two numbers with '..' between, the first less than the second"),
    }
}

impl Generation {
    /// Runs and prints a line for every step.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(self) -> anyhow::Result<()> {
        let generation = crate::generation::Generation::read(&self.generation)?;
        let options = Options {
            output: self.output,
            threads: super::threads(self.threads),
            only: self.only,
            engine: SelfPlayPlan::this_engine(),
        };
        run(&generation, &options)?;
        Ok(())
    }
}
