//! `chuhe-tuning export`: the games of record files as text.

use crate::datasets::{DatasetError, byte_bar, for_each_game, total_size};
use crate::output;
use clap::Args;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

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
    /// If a file cannot be read or is damaged. An error of the output is reported by the exit status.
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
            writeln!(out, "{line} ; game {} {:?} {:?}", game.id, game.won, game.ending).map_err(|error| {
                // Nothing more is read for an output that takes nothing more.
                fault = Some(error);
                DatasetError::io(Path::new("standard output"))(ErrorKind::BrokenPipe.into())
            })
        });
        bar.finish_and_clear();
        if fault.is_none() {
            read?;
            fault = out.flush().err();
        }
        if let Some(error) = fault {
            output::fail(error);
        }
        Ok(())
    }
}
