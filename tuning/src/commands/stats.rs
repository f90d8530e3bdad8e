//! `chuhe-tuning stats`: counts the contents of record files.

use crate::datasets::{Statistics, byte_bar, for_each_game, total_size};
use crate::say;
use clap::Args;
use std::path::PathBuf;

/// Counts games, positions, results, scores and pieces.
#[derive(Args, Debug)]
pub struct Stats {
    /// Record files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Stats {
    /// Runs and prints one count per line.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub fn run(self) -> anyhow::Result<()> {
        let bytes = total_size(&self.files)?;
        let bar = byte_bar(bytes, "reading");
        let mut statistics = Statistics { bytes, ..Statistics::default() };
        for_each_game(&self.files, &bar, |game| {
            statistics.add(&game);
            Ok(())
        })?;
        bar.finish_and_clear();
        say!("{}", statistics.to_string().trim_end());
        Ok(())
    }
}
