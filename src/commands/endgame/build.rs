//! `chuhe endgame build`: solves families and writes their tables.

use super::Threads;
use crate::commands::Failure;
use crate::commands::output::{Output, note};
use crate::commands::progress;
use crate::endgame::{self, EXTENSION, Family, Solver, Tables};
use crate::system;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `chuhe endgame build`.
#[derive(Args, Debug)]
pub struct Build {
    /// Families, like R-D: rook against any defenders, CAABB-D: cannon with two advisors and two elephants against any defenders,
    /// R-ND: rook against horse and any defenders
    #[arg(required = true, value_name = "FAMILY")]
    families: Vec<Family>,
    /// Folder for the tables; one that has a family already is left as it is, so that a build that was stopped can be run again
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Store the plies to the next capture as well where a mate takes longer than this many plies (default: 120, the natural limit)
    #[arg(long, value_name = "PLIES")]
    captures_from: Option<u16>,
    #[command(flatten)]
    threads: Threads,
    /// Solve again what the folder has already
    #[arg(long)]
    force: bool,
}

impl Build {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = self.output.display();
        std::fs::create_dir_all(&self.output).map_err(Failure::at(&folder))?;
        let threads = self.threads.count();
        let (known, faults) = Tables::open_lenient(std::slice::from_ref(&self.output));
        faults.iter().for_each(note);
        let is_built = |family: &Family| known.list().iter().any(|table| table.family == *family && table.path.is_some());
        let mut output = Output::streaming();
        for family in &self.families {
            if is_built(family) && !self.force {
                writeln!(output, "{family}: the folder has it already")?;
                continue;
            }
            let memory = Solver::memory(family);
            note(format_args!("{family}: solving takes {} MiB of memory", memory.div_ceil(1 << 20)));
            let start = Instant::now();
            let bar = progress::bar(0, "positions");
            let show = |solving: &Family, step: endgame::Step| {
                bar.set_length(step.all);
                bar.set_position(step.done);
                bar.set_message(format!(", {solving} pass {}", step.pass));
            };
            let mut solver = Solver::new(threads, &show);
            solver.longest_without_captures = self.captures_from.unwrap_or(solver.longest_without_captures);
            let solution = solver.solve(family)?;
            let solved = start.elapsed();
            let pack = |done: u64, all: u64| {
                bar.set_length(all);
                bar.set_position(done);
                bar.set_message(", packing");
            };
            let bytes = endgame::write(&solution, threads, &pack)?;
            bar.finish_and_clear();
            let path = self.output.join(format!("{family}.{EXTENSION}"));
            system::replace(&path, &bytes).map_err(Failure::at(path.display()))?;
            let [first, second] = solution.summary(threads);
            writeln!(
                output,
                "{family}: {} bytes, {:.1} s to solve, {:.1} s in all; first side to move: {first}; second side to move: {second}",
                bytes.len(),
                solved.as_secs_f64(),
                start.elapsed().as_secs_f64(),
            )?;
        }
        output.finish()
    }
}
