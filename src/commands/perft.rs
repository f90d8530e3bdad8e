//! `chuhe perft`: counts the leaf positions of the move generator and times it.

use super::Failure;
use super::output::Output;
use super::progress;
use crate::board::{Board, Level};
use crate::types::Move;
use clap::Args;
use indicatif::ProgressBar;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe perft 5 --threads 8
  chuhe perft 2 --divide --moves h2e2";

/// Arguments of `chuhe perft`.
#[derive(Args, Debug)]
pub struct Perft {
    /// Depth in plies, 0 to 30
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// Position to start from (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// Moves played first, in any notation
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Print the count below each first move
    #[arg(long)]
    divide: bool,
    /// Generate every move to a leaf instead of bulk counting
    #[arg(long)]
    every_leaf: bool,
    /// Number of threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Instruction set to use (default: the fastest that the processor has, at most v3; v4 is slower)
    #[arg(long, alias = "level", value_parser = super::values::one_of::<Level>(Level::NAMES))]
    isa: Option<Level>,
}

impl Perft {
    pub(super) fn run(self) -> Result<(), Failure> {
        let position = super::read_position(self.fen.as_deref(), &self.moves)?;
        let level = self.isa.unwrap_or(Level::best());
        if !level.is_available() {
            return Err(format!("--isa {level}: this processor does not have it").into());
        }
        let mut output = Output::new();
        let start = Instant::now();
        // Long counts are split by move to drive the progress bar.
        let is_long = self.depth >= 6 && progress::is_shown();
        let nodes = if self.divide || self.threads > 1 || is_long {
            let mut counts = self.divided(position.board(), level);
            counts.sort_by_key(|(mv, _)| mv.to_string());
            if self.divide {
                for (mv, count) in &counts {
                    writeln!(output, "{mv}: {count}")?;
                }
            }
            if self.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() }
        } else {
            position.board().perft(self.depth, self.every_leaf, level)
        };
        let time = start.elapsed();
        let rate = nodes as f64 / time.as_secs_f64().max(1e-9);
        writeln!(output, "nodes {nodes} time-ms {} nps {}", time.as_millis(), rate as u64)?;
        output.finish()
    }

    /// The count below each first move, using all threads.
    fn divided(&self, board: &Board, level: Level) -> Vec<(Move, u64)> {
        if self.depth == 0 {
            return Vec::new();
        }
        // Units of work: two plies deep if possible, so that no thread is left alone with one large subtree.
        let two_plies = self.depth >= 2;
        let lines: Vec<(usize, Board)> = board
            .legal_moves()
            .iter()
            .enumerate()
            .flat_map(|(index, &first)| {
                let child = board.after(first);
                let boards: Vec<Board> =
                    if two_plies { child.legal_moves().iter().map(|&second| child.after(second)).collect() } else { vec![child] };
                boards.into_iter().map(move |board| (index, board))
            })
            .collect();
        let rest = self.depth - if two_plies { 2 } else { 1 };
        let next = AtomicUsize::new(0);
        let bar = if self.depth >= 6 { progress::bar(lines.len() as u64, "lines") } else { ProgressBar::hidden() };
        let work = || {
            let mut counts = vec![0u64; board.legal_moves().len()];
            while let Some((index, board)) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                counts[*index] += board.perft(rest, self.every_leaf, level);
                bar.inc(1);
            }
            counts
        };
        let parts: Vec<Vec<u64>> = std::thread::scope(|scope| {
            // If the system allows fewer threads, those that have started do the work.
            let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let workers: Vec<_> = (1..self.threads).map_while(start).collect();
            let own = work();
            workers.into_iter().filter_map(|worker| worker.join().ok()).chain([own]).collect()
        });
        bar.finish_and_clear();
        let moves = board.legal_moves();
        moves.iter().enumerate().map(|(index, &mv)| (mv, parts.iter().map(|counts| counts[index]).sum())).collect()
    }
}
