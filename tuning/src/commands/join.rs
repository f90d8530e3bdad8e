//! `chuhe-tuning join`: merges the games of several processes.

use crate::datasets::join;
use crate::say;
use clap::Args;
use std::path::PathBuf;

/// Merges the record files of one run into one file in the order of the game numbers. The output is byte-identical however the games are
/// distributed over the files.
#[derive(Args, Debug)]
pub struct Join {
    /// Record files of one run
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Output file
    #[arg(short, long)]
    output: PathBuf,
}

impl Join {
    /// Runs and prints `games G repeated R`.
    ///
    /// # Errors
    /// If a file cannot be read or written, is damaged, or is from another run.
    pub fn run(self) -> anyhow::Result<()> {
        let joined = join(&self.files, &self.output)?;
        say!("games {} repeated {}", joined.games, joined.repeated);
        Ok(())
    }
}
