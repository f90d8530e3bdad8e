//! `chuhe-tuning selfplay`: games of the engine against itself.

use crate::say;
use crate::selfplay::{Adjudication, SelfPlayPlan, run};
use anyhow::bail;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashSet;
use std::path::PathBuf;

/// Plays games and appends them to a record file. After an interruption, even by a kill, the same command continues the run.
#[derive(Args, Debug)]
pub struct SelfPlay {
    /// The record file
    #[arg(short, long)]
    output: PathBuf,
    /// Number of games
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Number of the first game: machines that share a run each play their own range of numbers into their own file
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Network file to play with, `embedded` for the built-in one, or `material` for the one that counts material
    #[arg(long, default_value = "embedded")]
    network: String,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes after which no new iteration starts
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes at which a search is stopped (default: eight times --nodes)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Nodes of searches that only choose a move (0: every position is searched with --nodes and labelled): more games for the same time
    #[arg(long, default_value_t = 0)]
    quick_nodes: u64,
    /// With --quick-nodes, quiet plies per thousand that are searched with --nodes and labelled
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u16).range(..=1000))]
    labels: u16,
    /// Also store the exact scores of quiet positions in the search trees, as variations: more labels for the same time
    #[arg(long)]
    pv_nodes: bool,
    /// Minimum number of random moves at the start
    #[arg(long, default_value_t = 5)]
    random_min: u16,
    /// Maximum number of random moves at the start
    #[arg(long, default_value_t = 10)]
    random_max: u16,
    /// Random moves after the opening, per thousand plies
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    random_later: u16,
    /// Games that begin with a random endgame of one to four rooks, horses and cannons, per thousand
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    endgames: u16,
    /// Largest advantage of a side after the opening in centipawns
    #[arg(long, default_value_t = 200)]
    balance: u16,
    /// Centipawns of an adjudicated win
    #[arg(long, default_value_t = 1200)]
    win_score: u16,
    /// Transposition table of each thread in MiB
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Threads (default: all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl SelfPlay {
    /// Runs and prints `games G positions P`.
    ///
    /// # Errors
    /// If the file is from another run or cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        if self.random_min > self.random_max {
            bail!("--random-min {} is more than --random-max {}", self.random_min, self.random_max);
        }
        let network = super::read_network(&self.network)?;
        let evaluation = format!("network {:08x}", network.checksum());
        let default = SelfPlayPlan::default();
        let plan = SelfPlayPlan {
            engine: SelfPlayPlan::this_engine(),
            evaluation,
            seed: self.seed,
            soft_nodes: self.nodes,
            hard_nodes: self.hard_nodes.unwrap_or(self.nodes.saturating_mul(8)),
            quick_nodes: self.quick_nodes,
            labels: self.labels,
            pv_nodes: self.pv_nodes,
            random_plies_min: self.random_min,
            random_plies_max: self.random_max,
            random_later: self.random_later,
            endgames: self.endgames,
            balance: self.balance,
            adjudication: Adjudication { win_score: self.win_score, ..default.adjudication },
            hash_mib: self.hash as usize,
            ..default
        };
        let style = ProgressStyle::with_template("[{wide_bar}] game {pos}/{len} {eta} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(self.games).with_style(style);
        let progress = run(
            &plan,
            network,
            &self.output,
            self.first..self.first.saturating_add(self.games),
            &HashSet::new(),
            super::threads(self.threads),
            |progress| {
                let new = progress.positions - progress.positions_before;
                let speed = new as f64 / bar.elapsed().as_secs_f64().max(1e-3);
                bar.set_position(progress.games);
                bar.set_message(format!("{} positions, {speed:.0}/s", progress.positions));
            },
        )?;
        bar.finish_and_clear();
        progress.repair.warn(&self.output);
        let new = progress.positions - progress.positions_before;
        if new > 0 {
            say!("nodes-per-position {:.0}", progress.nodes as f64 / new as f64);
        }
        say!("games {} positions {}", progress.games, progress.positions);
        Ok(())
    }
}
