//! `chuhe-tuning train`: trains a network as a recipe says.

use crate::training::{Options, Recipe, train};
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;

/// Trains a network. Continues where an earlier run of the same recipe stopped.
#[derive(Args, Debug)]
pub struct Train {
    /// The recipe, a TOML file (its fields: tuning/README.md)
    recipe: PathBuf,
    /// Record files, in place of those of the recipe
    #[arg(long, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Folder for the run's folder
    #[arg(short, long, default_value = "runs")]
    output: PathBuf,
    /// Threads; all cores when absent
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Stop after this many rounds in all
    #[arg(long)]
    stop_after: Option<usize>,
    /// Start over though there is a checkpoint
    #[arg(long)]
    restart: bool,
}

impl Train {
    /// Runs and prints one line a round.
    ///
    /// # Errors
    /// When a file cannot be read or written.
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
