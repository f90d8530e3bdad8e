//! `chuhe endgame build`: solves families and writes their tables.

use super::Threads;
use crate::commands::Failure;
use crate::commands::files;
use crate::commands::output::{Output, note};
use crate::commands::progress;
use crate::endgame::{self, EXTENSION, EndgameError, Family, Solver, Tables};
use crate::rules::NaturalLimit;
use crate::system::{self, AtomicFile};
use clap::Args;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe endgame build R-N -o tables
  chuhe endgame build N-P -o tables --captures-from 30";

/// Arguments of `chuhe endgame build`.
#[derive(Args, Debug)]
pub struct Build {
    /// Families, like R-D: rook against any defenders, CAABB-D: cannon with two advisors and two elephants against any defenders,
    /// R-ND: rook against horse and any defenders
    #[arg(required = true, value_name = "FAMILY")]
    families: Vec<Family>,
    /// Output folder; families whose tables it already contains are not solved again, so an interrupted build can be resumed
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Also store distances to the next capture if a mate takes more than PLIES plies, at most 120, the natural limit (default: 120; 30 for
    /// families that are built in, whose tables have these distances)
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(..=NaturalLimit::STANDARD.plies() as i64))]
    captures_from: Option<u16>,
    #[command(flatten)]
    threads: Threads,
    /// Rebuild tables that the folder already contains
    #[arg(long)]
    force: bool,
}

impl Build {
    pub(super) fn run(self) -> Result<(), Failure> {
        files::check_folder("--output", &self.output)?;
        let folder = Failure::at(self.output.display());
        std::fs::create_dir_all(&self.output).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => folder(EndgameError::NoFolder),
            _ => folder(error.into()),
        })?;
        let (known, faults) = Tables::open_lenient(std::slice::from_ref(&self.output));
        faults.iter().filter(|fault| !fault.is_empty_folder()).for_each(note);
        let built: Vec<Family> =
            known.list().into_iter().filter(|table| table.path.is_some()).map(|table| table.family).collect();
        // Windows cannot replace a file that is mapped, as --force does.
        drop(known);
        let build = |family: &Family| match built.contains(family) && !self.force {
            true if self.captures_from.is_some() => {
                Ok("the folder has it already, so --captures-from has no effect without --force".to_string())
            }
            true => Ok("the folder has it already".to_string()),
            false => self.build(family),
        };
        if let [family] = &self.families[..] {
            let line = build(family).map_err(Failure::at(family))?;
            let mut output = Output::streaming();
            writeln!(output, "{family}: {line}")?;
            return output.finish();
        }
        let mut families: Vec<&Family> = Vec::new();
        for family in &self.families {
            if !families.contains(&family) {
                families.push(family);
            }
        }
        match super::for_each_family(&families, build)? {
            0 => Ok(()),
            failed => Err(format!("{failed} of {} families could not be built", families.len()).into()),
        }
    }

    /// Solves a family and writes its table; returns a line about it.
    fn build(&self, family: &Family) -> Result<String, Failure> {
        let path = self.output.join(format!("{family}.{EXTENSION}"));
        let at_path = Failure::at(path.display());
        // Whether the file can be written is known before the long work.
        if path.is_dir() {
            return Err(at_path(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        drop(AtomicFile::create(&path).map_err(&at_path)?);
        super::check_memory("solving", Solver::memory(family))?;
        // Whether distances to captures are counted is known only when the family is solved.
        let [least, most] = [2, 3].map(|halves| (Solver::memory(family) / 2 * halves).div_ceil(1 << 20));
        note(format_args!("{family}: solving takes {least} MiB, or with distances to captures {most} MiB of memory"));
        let threads = self.threads.count();
        let start = Instant::now();
        let bar = progress::bar(0, "positions");
        let show = |solving: &Family, step: endgame::Step| {
            bar.set_length(step.all);
            bar.set_position(step.done);
            bar.set_message(format!(", {solving} pass {}", step.pass));
        };
        let mut solver = Solver::new(threads, &show);
        // A table in a folder replaces the built-in one, so it must not know less.
        let is_builtin = Tables::builtin().list().iter().any(|table| table.family == *family);
        let default = if is_builtin { Solver::BUILTIN_CAPTURES_FROM } else { solver.captures_from };
        solver.captures_from = self.captures_from.unwrap_or(default);
        let pack = |done: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(done);
            bar.set_message(", packing");
        };
        let solved = solver.solve(family).map(|solution| (solution, start.elapsed()));
        let written = solved.and_then(|(solution, time)| Ok((endgame::write(&solution, threads, &pack)?, solution, time)));
        bar.finish_and_clear();
        let (bytes, solution, solved) = written?;
        system::write_atomically(&path, &bytes).map_err(at_path)?;
        let [first, second] = solution.summary(threads);
        Ok(format!(
            "{} bytes, {:.1} s to solve, {:.1} s in all; first side to move: {first}; second side to move: {second}",
            bytes.len(),
            solved.as_secs_f64(),
            start.elapsed().as_secs_f64(),
        ))
    }
}
