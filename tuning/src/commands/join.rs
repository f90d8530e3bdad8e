//! `chuhe-tuning join`: puts together what several processes have played.

use crate::datasets::join;
use crate::say;
use clap::Args;
use std::path::PathBuf;

/// Writes the games of record files of one run to one file in the order of their numbers, the same bytes however they are spread
/// over the files.
#[derive(Args, Debug)]
pub struct Join {
    /// Record files of one run
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long)]
    output: PathBuf,
}

impl Join {
    /// Runs and prints `games G repeated R`.
    ///
    /// # Errors
    /// When a file cannot be read or written, is damaged, or is of another run.
    pub fn run(self) -> anyhow::Result<()> {
        let joined = join(&self.files, &self.output)?;
        say!("games {} repeated {}", joined.games, joined.repeated);
        Ok(())
    }
}
