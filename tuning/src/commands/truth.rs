//! `chuhe-tuning truth`: the error of evaluations against deep searches.

use crate::say;
use crate::selfplay::SelfPlayPlan;
use crate::truth::{Error, Header, Labelling, Report, Set, Source, label, measure};
use anyhow::bail;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};

/// Measures the error of evaluations against deep searches, which ranks networks like thousands of games.
#[derive(Args, Debug)]
pub struct Truth {
    #[command(subcommand)]
    command: TruthCommand,
}

#[derive(Subcommand, Debug)]
enum TruthCommand {
    /// Labels positions of several sources with the scores of two networks' searches; after an interruption the same command continues
    Label(Label),
    /// Prints the error of each network
    Measure(Measure),
}

#[derive(Args, Debug)]
struct Label {
    /// The truth set to write
    #[arg(short, long)]
    output: PathBuf,
    /// Nodes of each search
    #[arg(long, default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed for the selection of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The two networks that search: files, `embedded` or `material`
    #[arg(long, required = true)]
    teacher: Vec<String>,
    /// Searches in parallel (default: all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Sources of positions: NAME=FILE[,count=N][,attackers=N][,random=N]; at most one position of each game
    #[arg(required = true)]
    sources: Vec<Source>,
}

#[derive(Args, Debug)]
struct Measure {
    /// Networks: files, `embedded` or `material`; the others are compared with the first
    #[arg(required = true)]
    networks: Vec<String>,
    /// The truth set
    #[arg(long, default_value = "tuning/truth.tsv")]
    truth: PathBuf,
    /// Also prints the errors by source, number of attackers and material
    #[arg(long)]
    parts: bool,
}

impl Truth {
    /// Runs; `measure` prints one line per network, `label` prints `positions N`.
    ///
    /// # Errors
    /// If a network, a source or the truth set cannot be read, or the truth set cannot be written.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            TruthCommand::Label(label) => label.run(),
            TruthCommand::Measure(measure) => measure.run(),
        }
    }
}

impl Label {
    fn run(self) -> anyhow::Result<()> {
        let [first, second] = self.teacher.as_slice() else {
            bail!("--teacher: expected two networks, found {}", self.teacher.len())
        };
        let teachers = [super::read_network(first)?, super::read_network(second)?];
        let names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        if let Some(name) = names.iter().enumerate().find_map(|(index, name)| names[..index].contains(name).then_some(name)) {
            bail!("'{name}': two sources have this name");
        }
        let described = teachers.each_ref().map(|network| format!("{:08x} {}", network.checksum(), network.description()));
        let header = Header {
            engine: SelfPlayPlan::this_engine(),
            teachers: described,
            nodes: self.nodes,
            seed: self.seed,
            sources: self.sources.iter().map(|source| source.text.clone()).collect(),
        };
        let wanted: usize = self.sources.iter().map(|source| source.count).sum();
        let style = ProgressStyle::with_template("[{wide_bar}] position {pos}/{len} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(wanted as u64).with_style(style);
        let plan = Labelling { header, sources: self.sources, teachers, threads: super::threads(self.threads) };
        let mut positions = 0;
        label(&plan, &self.output, |count| {
            positions = count;
            bar.set_position(count as u64);
        })?;
        bar.finish_and_clear();
        say!("positions {positions}");
        Ok(())
    }
}

/// The name of a network in the table: that of its file. Every training run writes `network.nnue`, so those have the name of their folder.
fn short_name(name: &str) -> String {
    let path = Path::new(name);
    let stem = path.file_stem().unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).filter(|_| stem == "network");
    folder.unwrap_or(stem).to_string_lossy().into_owned()
}

/// A row of the table: name, positions, raw error, slope, errors with it.
fn row(name: &str, error: &Error, rest: &str) {
    say!(
        "{name:<24} {:>6} {:>8.0} {:>6.2} {:>8.0} {:>8.0}{rest}",
        error.count,
        error.raw,
        error.slope,
        error.sloped,
        error.trimmed
    );
}

impl Measure {
    fn run(self) -> anyhow::Result<()> {
        let set = Set::read(&self.truth)?;
        if set.entries.is_empty() {
            bail!("{}: expected positions, found only the header", self.truth.display());
        }
        say!(
            "{:<24} {:>6} {:>8} {:>6} {:>8} {:>8}  change from the first, raw and with the slope",
            "network",
            "count",
            "raw",
            "slope",
            "sloped",
            "trimmed"
        );
        let mut first: Option<Report> = None;
        for name in &self.networks {
            let report = measure(&set, &*super::read_network(name)?);
            let changes = first.as_ref().map_or(Vec::new(), |first| report.changes_from(first).to_vec());
            let change: String = changes.iter().map(|(change, error)| format!("  {change:+.2} % +/- {error:.2}")).collect();
            row(&short_name(name), &report.all, &change);
            if self.parts {
                row("  first teacher", &report.teachers[0], "");
                row("  second teacher", &report.teachers[1], "");
                report.parts.iter().for_each(|(part, error)| row(&format!("  {part}"), error, ""));
            }
            first.get_or_insert(report);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn networks_of_runs_have_the_name_of_their_folder() {
        let names = ["runs/second/network.nnue", "old/ninth.nnue", "network.nnue", "embedded"];
        assert_eq!(names.map(short_name), ["second", "ninth", "network", "embedded"]);
    }
}
