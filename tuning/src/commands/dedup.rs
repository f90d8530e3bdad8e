//! `chuhe-tuning dedup`: removes duplicate positions.

use super::MIB;
use crate::datasets::deduplicate;
use crate::say;
use clap::Args;
use std::path::PathBuf;

/// Keeps one label of every position (a mirror image is the same position), that of the first game, and writes one file.
#[derive(Args, Debug)]
pub struct Dedup {
    /// Record files, of any total size
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Output file
    #[arg(short, long)]
    output: PathBuf,
    /// Memory for keys in MiB
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
}

impl Dedup {
    /// Runs and prints `positions A kept B games C kept D`.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(self) -> anyhow::Result<()> {
        let result = deduplicate(&self.files, &self.output, self.memory.saturating_mul(MIB))?;
        say!("positions {} kept {} games {} kept {}", result.labels, result.kept, result.games, result.games_kept);
        Ok(())
    }
}
