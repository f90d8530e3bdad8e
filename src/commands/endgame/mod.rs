//! `chuhe endgame`: builds, lists, verifies and probes endgame tables.

mod atlas;
mod build;
mod list;
mod probe;

use crate::commands::output::{Output, note};
use crate::commands::{Failure, check_memory};
use crate::endgame::{EndgameError, Family, Tables};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::sync::Arc;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe endgame probe '3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w'
  chuhe endgame list
  chuhe endgame atlas R-D
  chuhe endgame build P-D CD- -o tables
  chuhe endgame verify P-D --path tables";

/// Arguments of `chuhe endgame`.
#[derive(Args, Debug)]
pub struct EndgameArguments {
    #[command(subcommand)]
    command: EndgameCommand,
}

#[derive(Subcommand, Debug)]
enum EndgameCommand {
    /// Prints win, draw and loss counts for each set of defenders, with the longest win and its solution
    #[command(after_help = atlas::EXAMPLES)]
    Atlas(atlas::Atlas),
    /// Generates endgame tables for families of material
    #[command(after_help = build::EXAMPLES)]
    Build(build::Build),
    /// Lists the built-in tables and those of a folder: index size (positions), bytes, file
    #[command(after_help = list::LIST_EXAMPLES)]
    List(list::List),
    /// Looks up the exact result of a position and of each move
    #[command(after_help = probe::EXAMPLES)]
    Probe(probe::Probe),
    /// Checks that every value of a table follows from those of its moves
    #[command(after_help = list::VERIFY_EXAMPLES)]
    Verify(list::Verify),
}

impl EndgameArguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.command {
            EndgameCommand::Atlas(atlas) => atlas.run(),
            EndgameCommand::Build(build) => build.run(),
            EndgameCommand::List(list) => list.run(),
            EndgameCommand::Probe(probe) => probe.run(),
            EndgameCommand::Verify(verify) => verify.run(),
        }
    }
}

/// Where tables are read beside the built-in ones.
#[derive(Args, Debug)]
struct Folder {
    /// Folder with further tables (default: only the built-in ones)
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
}

impl Folder {
    /// All tables; the first that cannot be used is an error.
    fn open(&self) -> Result<Arc<Tables>, Failure> {
        match &self.path {
            Some(folder) => Ok(Arc::new(Tables::open(folder)?)),
            None => Ok(Tables::builtin().clone()),
        }
    }

    /// The tables that can be used, and what is wrong with the others.
    fn open_all(&self) -> (Arc<Tables>, Vec<EndgameError>) {
        let Some(folder) = &self.path else { return (Tables::builtin().clone(), Vec::new()) };
        let (tables, faults) = Tables::open_lenient(std::slice::from_ref(folder));
        (Arc::new(tables), faults)
    }

    /// The tables that can be used; for each of the others a note is printed on standard error.
    fn open_lenient(&self) -> Arc<Tables> {
        let (tables, faults) = self.open_all();
        faults.iter().for_each(|fault| note(format_args!("{fault}; ignored")));
        tables
    }
}

/// The families that were named, or all that there are.
fn chosen(tables: &Tables, named: &[Family]) -> Result<Vec<Family>, Failure> {
    let known: Vec<Family> = tables.list().into_iter().map(|table| table.family).collect();
    if let Some(unknown) = named.iter().find(|family| !known.contains(family)) {
        return Err(format!("{unknown}: no such table, see chuhe endgame list").into());
    }
    Ok(known.into_iter().filter(|family| named.is_empty() || named.contains(family)).collect())
}

/// Prints a line for each family, made by `work`. A family that fails is reported, and the others follow. Returns how many failed.
fn for_each_family(families: &[&Family], work: impl Fn(&Family) -> Result<String, Failure>) -> Result<usize, Failure> {
    let mut output = Output::streaming();
    let mut failed = 0;
    for family in families {
        match work(family) {
            Ok(line) => writeln!(output, "{family}: {line}")?,
            Err(fault) => {
                note(format_args!("{family}: {fault}"));
                failed += 1;
            }
        }
    }
    output.finish()?;
    Ok(failed)
}

/// How many threads work.
#[derive(Args, Debug)]
struct Threads {
    /// Number of threads, which does not affect the result (default: one per core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    fn count(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()), usize::from)
    }
}
