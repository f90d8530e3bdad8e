//! `chuhe-tuning wdl`: fits win, draw and loss probabilities to games.

use crate::datasets::{Tally, byte_bar, for_each_game, total_size};
use crate::say;
use anyhow::bail;
use chuhe::eval::{WDL_MODEL, WdlModel};
use clap::Args;
use std::path::PathBuf;

/// Groups of positions in the printed table, by minimum and maximum number of pieces.
const GROUPS: [[usize; 2]; 3] = [[2, 11], [12, 21], [22, 32]];
/// Scores that separate the columns of the table.
const SCORES: [i32; 7] = [0, 50, 100, 200, 300, 500, 1000];

/// Fits the win-draw-loss model to the scores and results of record files, for the constants in src/eval/wdl.rs.
#[derive(Args, Debug)]
pub struct Wdl {
    /// Record files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Wdl {
    /// Runs and prints the observed points and those expected by the fit, the losses, and last the fitted constants.
    ///
    /// # Errors
    /// If a file cannot be read, is damaged, or has no scores.
    pub fn run(self) -> anyhow::Result<()> {
        let bar = byte_bar(total_size(&self.files)?, "reading");
        let mut tally = Tally::default();
        let mut games = 0u64;
        for_each_game(&self.files, &bar, |game| {
            tally.add(&game);
            games += 1;
            Ok(())
        })?;
        bar.finish_and_clear();
        if tally.positions() == 0 {
            bail!("these files contain no position with a score");
        }
        let fitted = tally.fit(&WDL_MODEL);
        say!("games {games} positions {}", tally.positions());
        for [from, to] in GROUPS {
            for pair in SCORES.windows(2) {
                if let Some((count, happened, expected)) = tally.points(&fitted, [from, to], [pair[0], pair[1]]) {
                    let range = format!("pieces {from}-{to} score {}-{}", pair[0], pair[1]);
                    say!("{range} positions {count} points {happened:.3} expected {expected:.3}");
                }
            }
        }
        say!("loss of the constants {:.5} of the fit {:.5}", tally.loss(&WDL_MODEL), tally.loss(&fitted));
        say!("{}", constants(&fitted));
        Ok(())
    }
}

/// The constants as source code.
fn constants(model: &WdlModel) -> String {
    let pair = |numbers: [f64; 2]| format!("[{:.1}, {:.1}]", numbers[0], numbers[1]);
    format!("WdlModel {{ win_at: {}, slope: {} }}", pair(model.win_at), pair(model.slope))
}
