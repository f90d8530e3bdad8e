//! `chuhe bench`: searches fixed positions; the node count is the fingerprint of the search.

use super::output::Output;
use super::progress;
use super::{Failure, check_hash};
use crate::threads::bench;
use clap::Args;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe bench
  chuhe bench 16 --threads 4 --hash 256";

/// Arguments of `chuhe bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// Depth of each search in plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(i32).range(1..=64))]
    depth: i32,
    /// Search threads; with more than one the node count varies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Transposition table size in MiB
    #[arg(long, default_value_t = bench::DEFAULT_HASH as u32, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

impl Bench {
    pub(super) fn run(self) -> Result<(), Failure> {
        check_hash(self.hash as usize, 1)?;
        let mut output = Output::streaming();
        // An output error is kept until the measurement is finished.
        let mut shown = Ok(());
        let bar = progress::bar(bench::positions() as u64, "positions");
        let measured = bench::run(self.depth, self.threads as usize, self.hash as usize, |number, fen, nodes| {
            bar.inc(1);
            if shown.is_ok() {
                shown = bar.suspend(|| writeln!(output, "position {number}: {nodes} {fen}"));
            }
        });
        bar.finish_and_clear();
        shown?;
        writeln!(output, "time {} ms", measured.time.as_millis())?;
        writeln!(output, "{} nodes {} nps", measured.nodes, measured.nodes_per_second())?;
        output.finish()
    }
}
