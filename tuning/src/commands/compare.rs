//! `chuhe-tuning compare`: one evaluation against another at fixed nodes.

use crate::say;
use crate::selfplay::{Score, SelfPlayPlan, compare};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

/// Plays pairs of games between two networks in this process.
#[derive(Args, Debug)]
pub struct Compare {
    /// Network file of the first player, `embedded` or `material`
    first: String,
    /// Network file of the second player, `embedded` or `material`
    second: String,
    /// Pairs of games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads (default: all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Compare {
    /// Runs and prints `W-D-L elo E +/- B pairs [...]`, from the first player's view.
    ///
    /// # Errors
    /// If a file is not a network.
    pub fn run(self) -> anyhow::Result<()> {
        let networks = [super::read_network(&self.first)?, super::read_network(&self.second)?];
        let plan = SelfPlayPlan::for_comparison(self.nodes, self.seed);
        let style = ProgressStyle::with_template("[{wide_bar}] pair {pos}/{len} {eta} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(self.pairs).with_style(style);
        let mut score = Score::default();
        compare(&plan, networks, (0..self.pairs).collect(), super::threads(self.threads), |_, pair| {
            score.add(pair);
            let (elo, error) = score.elo();
            bar.inc(1);
            bar.set_message(format!("elo {elo:.0} +/- {error:.0}"));
        });
        bar.finish_and_clear();
        say!("{score}");
        Ok(())
    }
}
