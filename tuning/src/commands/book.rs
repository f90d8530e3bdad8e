//! `chuhe-tuning book`: extends and verifies the opening book.

use crate::at;
use crate::book::grow::{Growth, grow};
use crate::book::prune::prune;
use crate::book::verify::{Depths, Losses, verify};
use crate::book::{compile, sources};
use crate::say;
use chuhe::system;
use chuhe::types::counted;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};

/// Extends and verifies the opening book.
#[derive(Args, Debug)]
pub struct Book {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Adds the best moves of the most important positions, by drop-out expansion
    Grow(Grow),
    /// Searches every move and writes its loss against the best move
    Verify(Verify),
    /// Removes moves that lose too much from the sources, with their continuations
    Prune(Prune),
}

#[derive(Args, Debug)]
struct Grow {
    /// Folder with the sources
    #[arg(long, default_value = "book")]
    folder: PathBuf,
    /// Source file to write in the folder; the book grows from the other files
    #[arg(long, default_value = "grown.wxf")]
    output: String,
    /// Journal of the searches; the same command resumes from it
    #[arg(long, default_value = "book-grow.journal")]
    journal: PathBuf,
    /// Target number of positions with moves
    #[arg(long, default_value_t = 6500)]
    positions: usize,
    /// Nodes per search
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Maximum length of a line in plies from the start of the game
    #[arg(long, default_value_t = 24)]
    max_plies: usize,
    /// Minimum length of a line in plies from the start of the game
    #[arg(long, default_value_t = 12, alias = "least-plies")]
    min_plies: usize,
    /// From this ply on only best moves are added
    #[arg(long, default_value_t = 12)]
    branch_plies: usize,
    /// Maximum loss of an added move in centipawns
    #[arg(long, default_value_t = 25)]
    margin: i32,
    /// Maximum number of moves considered in a position
    #[arg(long, default_value_t = 3)]
    width: usize,
    /// Positions searched in parallel; the result does not depend on it
    #[arg(long)]
    threads: Option<u16>,
    /// Table of losses: moves that lose too much according to it are not extended
    #[arg(long, default_value = "book/check.tsv")]
    table: PathBuf,
    /// Maximum loss of a move in the table in centipawns
    #[arg(long, default_value_t = 60, alias = "most")]
    max_loss: i32,
}

#[derive(Args, Debug)]
struct Verify {
    /// Folder with the sources
    #[arg(long, default_value = "book")]
    folder: PathBuf,
    /// Table to write; moves that it already contains are not searched again
    #[arg(long, default_value = "book/check.tsv")]
    table: PathBuf,
    /// Depth of the searches in plies
    #[arg(long, default_value_t = 14)]
    depth: i32,
    /// MiB of the transposition table of each thread, which is kept from position to position
    #[arg(long, default_value_t = 128)]
    hash: usize,
    /// Positions searched in parallel
    #[arg(long)]
    threads: Option<u16>,
    /// Centipawns that a move may lose
    #[arg(long, default_value_t = 60, alias = "most")]
    max_loss: i32,
}

#[derive(Args, Debug)]
struct Prune {
    /// Folder with the sources
    #[arg(long, default_value = "book")]
    folder: PathBuf,
    /// Table of losses
    #[arg(long, default_value = "book/check.tsv")]
    table: PathBuf,
    /// Centipawns that a move may lose
    #[arg(long, default_value_t = 60, alias = "most")]
    max_loss: i32,
}

impl Book {
    /// Runs the command.
    ///
    /// # Errors
    /// One line that names the file and the place in it.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            BookCommand::Grow(grow) => grow.run(),
            BookCommand::Verify(verify) => verify.run(),
            BookCommand::Prune(prune) => prune.run(),
        }
    }
}

fn bar(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("[{wide_bar}] {pos}/{len} positions {eta}");
    ProgressBar::new(length as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).map_err(at(path))
}

fn read_losses(path: &Path) -> anyhow::Result<Losses> {
    Losses::read(path, &read(path)?)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    system::write_atomically(path, text.as_bytes()).map_err(at(path))
}

impl Grow {
    fn run(self) -> anyhow::Result<()> {
        let output = self.folder.join(&self.output);
        let contents = compile(&sources(&self.folder, Some(&output))?)?;
        let losses = if self.table.exists() { read_losses(&self.table)? } else { Losses::default() };
        let beyond = losses.rows.into_iter().filter(|(_, (loss, _))| *loss > self.max_loss);
        let growth = Growth {
            positions: self.positions,
            nodes: self.nodes,
            max_plies: self.max_plies,
            min_plies: self.min_plies,
            branch_plies: self.branch_plies,
            margin: self.margin,
            width: self.width,
            threads: super::threads(self.threads),
            refused: beyond.map(|(place, _)| place).collect(),
        };
        let bar = bar(self.positions);
        let grown = grow(&contents, &growth, &self.journal, &|positions| bar.set_position(positions as u64))?;
        bar.finish_and_clear();
        let head = format!(
            "# Grown by the engine from the sources written by hand, and not meant to be edited: drop-out expansion with\n\
             #   chuhe-tuning book grow --positions {} --nodes {} --max-plies {} --min-plies {} --branch-plies {} \\\n\
             #     --margin {} --width {}\n\
             # and the evaluation of chuhe {} at that time. Moves without a weight lead to what grew.\n",
            self.positions,
            self.nodes,
            self.max_plies,
            self.min_plies,
            self.branch_plies,
            self.margin,
            self.width,
            env!("CARGO_PKG_VERSION")
        );
        write(&output, &format!("{head}\n{}", grown.text()))?;
        say!("positions {} moves added {}", grown.positions, grown.added);
        Ok(())
    }
}

impl Verify {
    fn run(self) -> anyhow::Result<()> {
        let contents = compile(&sources(&self.folder, None)?)?;
        let bar = bar(0);
        let progress = |done: usize, all: usize| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        };
        let depths = Depths { depth: self.depth, hash_mib: self.hash, threads: super::threads(self.threads) };
        let losses = verify(&contents, depths, &self.table, &progress)?;
        bar.finish_and_clear();
        let worst = losses.rows.values().map(|(loss, _)| *loss).max().unwrap_or(0);
        let beyond = losses.rows.values().filter(|(loss, _)| *loss > self.max_loss).count();
        say!("moves {} worst {worst} beyond {} centipawns {beyond}", losses.rows.len(), self.max_loss);
        Ok(())
    }
}

impl Prune {
    fn run(self) -> anyhow::Result<()> {
        let losses = read_losses(&self.table)?;
        let mut total = 0;
        for path in sources(&self.folder, None)? {
            let (kept, count) = prune(&path.display().to_string(), &read(&path)?, &losses, self.max_loss)?;
            if count > 0 {
                write(&path, &kept)?;
                say!("{}: {} taken out", path.display(), counted(count, "move"));
            }
            total += count;
        }
        say!("moves taken out {total}");
        Ok(())
    }
}
