//! `chuhe-tuning shuffle`: random order of games.

use super::MIB;
use crate::datasets::shuffle;
use crate::say;
use clap::Args;
use std::path::PathBuf;

/// Writes the games of all files to one file in random order.
#[derive(Args, Debug)]
pub struct Shuffle {
    /// Record files, of any total size
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Output file
    #[arg(short, long)]
    output: PathBuf,
    /// Memory for games in MiB; the order depends on it if the files exceed a quarter of it
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Shuffle {
    /// Runs and prints `games N`.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(self) -> anyhow::Result<()> {
        let memory = self.memory.saturating_mul(MIB);
        let result = shuffle(&self.files, &self.output, memory, self.seed)?;
        say!("games {}", result.games);
        Ok(())
    }
}
