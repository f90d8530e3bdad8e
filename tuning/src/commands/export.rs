//! `chuhe-tuning export`: the games of record files as text.

use crate::datasets::{byte_bar, for_each_game, total_size};
use anyhow::anyhow;
use clap::Args;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// Prints a line for each game: FEN, its moves, and after a semicolon the cause of its end. `chuhe convert` and `chuhe judge` can read
/// this format.
#[derive(Args, Debug)]
pub struct Export {
    /// Record files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Export {
    /// Runs and prints the lines.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, or the output cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        let bytes = total_size(&self.files)?;
        let bar = byte_bar(bytes, "reading");
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        let mut fault = None;
        let read = for_each_game(&self.files, &bar, |game| {
            let mut line = game.start.to_fen();
            line.push_str(" moves");
            for ply in &game.plies {
                let _ = write!(line, " {}", ply.mv);
            }
            let written = writeln!(out, "{line} ; game {} {:?} {:?}", game.id, game.won, game.ending);
            // A closed output is not an error of the files.
            fault = fault.take().or(written.err());
            Ok(())
        });
        bar.finish_and_clear();
        read?;
        let written = fault.map_or_else(|| out.flush(), Err);
        written.map_err(|error| anyhow!("standard output: {error}"))
    }
}
