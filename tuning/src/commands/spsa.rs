//! `chuhe-tuning spsa`: tunes the parameters of the search by games.

use crate::say;
use crate::spsa::{MatchRunner, Runner, Settings, State};
use anyhow::bail;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Tunes the search's table of parameters. After an interruption the same command continues the run.
#[derive(Args, Debug)]
pub struct Spsa {
    /// The engine, built with `cargo build --release --features tuning`
    #[arg(long)]
    engine: PathBuf,
    /// The program with the match command (default: the engine)
    #[arg(long)]
    runner: Option<PathBuf>,
    /// State file of the run
    #[arg(long, default_value = "spsa.json")]
    state: PathBuf,
    /// Iterations
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games per iteration
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..10_000))]
    pairs: u32,
    /// Games in parallel (default: all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Seed of perturbations and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Gain of the last iteration in units of the squared final step
    #[arg(long, default_value_t = 0.002, value_parser = factor)]
    rate: f64,
    /// Final steps in multiples of the table's
    #[arg(long, default_value_t = 1.0, value_parser = factor)]
    scale: f64,
    /// Tunes only these parameters
    #[arg(long, num_args = 1..)]
    only: Vec<String>,
    /// Arguments for `chuhe match` after `--`: time control, adjudication
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// A number greater than 0.
fn factor(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&value: &f64| value.is_finite() && value > 0.0).ok_or_else(|| "expected a number over 0".into())
}

/// The names of the parameters of a run.
fn names(state: &State) -> BTreeSet<&str> {
    state.rows.iter().map(|row| row.name.as_str()).collect()
}

impl Spsa {
    /// Runs and prints `name start value` lines.
    ///
    /// # Errors
    /// If a match fails or the state cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        let settings = Settings { iterations: self.iterations, seed: self.seed, rate: self.rate, scale: self.scale };
        let mut state = State::new(settings, &self.only)?;
        if self.state.exists() {
            let found = State::read(&self.state)?;
            if found.settings != state.settings {
                bail!("{}: the state of a run with other settings: {:?}", self.state.display(), found.settings);
            }
            // Without --only all parameters are meant.
            if names(&found) != names(&state) {
                let names = names(&found).into_iter().collect::<Vec<_>>().join(" ");
                bail!("{}: the state of a run with other parameters, expected --only {names}", self.state.display());
            }
            state = found;
        }
        let runner = MatchRunner {
            program: self.runner.unwrap_or_else(|| self.engine.clone()),
            engine: self.engine,
            games: self.pairs * 2,
            concurrency: super::threads(self.concurrency).min(u16::MAX as usize) as u16,
            arguments: self.arguments,
        };
        let style = ProgressStyle::with_template("[{wide_bar}] iteration {pos}/{len} {eta} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(state.settings.iterations).with_style(style);
        while state.done < state.settings.iterations {
            bar.set_position(state.done);
            let trial = state.trial()?;
            let games = runner.play(&trial.upper, &trial.lower, state.settings.seed.wrapping_add(state.done))?;
            state.learn(&trial, games)?;
            state.write(&self.state)?;
            bar.set_message(format!("upper {} lower {} half points", state.points[0], state.points[1]));
        }
        bar.finish_and_clear();
        for row in &state.rows {
            say!("{} {} {}", row.name, row.start, row.value.round());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::factor;

    #[test]
    fn only_numbers_over_0_are_factors() {
        assert_eq!(factor("0.002"), Ok(0.002));
        for text in ["0", "-1", "nan", "inf", "", "x"] {
            assert!(factor(text).is_err(), "{text}");
        }
    }
}
