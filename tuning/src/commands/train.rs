//! `chuhe-tuning train`: trains a network from a recipe.

use crate::training::{Options, Recipe, train};
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;

/// Trains a network. Continues an earlier run of the same recipe.
#[derive(Args, Debug)]
pub struct Train {
    /// The recipe, a TOML file (its fields: tuning/README.md)
    recipe: PathBuf,
    /// Record files, instead of those of the recipe
    #[arg(long, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Parent of the run's folder
    #[arg(short, long, default_value = "runs")]
    output: PathBuf,
    /// Threads (default: all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Stops after this total number of rounds
    #[arg(long)]
    stop_after: Option<usize>,
    /// Starts over even if there is a checkpoint
    #[arg(long)]
    restart: bool,
}

impl Train {
    /// Runs and prints one line per round.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(self) -> anyhow::Result<()> {
        let mut recipe = Recipe::read(&self.recipe)?;
        if !self.data.is_empty() {
            recipe.data = self.data;
        }
        if recipe.data.is_empty() {
            bail!("{}: no data files, here or after --data", self.recipe.display());
        }
        let threads = super::threads(self.threads);
        let options = Options { output: self.output, threads, stop_after: self.stop_after, restart: self.restart };
        train(&recipe, &options)?;
        Ok(())
    }
}
