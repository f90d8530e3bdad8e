//! `chuhe-tuning stats`: what is in record files.

use crate::datasets::{Statistics, byte_bar, for_each_game, total_size};
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
    /// Runs and prints one count a line.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn run(self) -> Result<(), String> {
        let bytes = total_size(&self.files).map_err(|error| error.to_string())?;
        let bar = byte_bar(bytes, "reading");
        let mut statistics = Statistics { bytes, ..Statistics::default() };
        for_each_game(&self.files, &bar, |game| {
            statistics.add(&game);
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        bar.finish_and_clear();
        print!("{statistics}");
        Ok(())
    }
}
