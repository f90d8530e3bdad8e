//! `chuhe endgame`: builds, lists, checks and probes exact endgames.

mod build;
mod list;
mod probe;

use crate::commands::Failure;
use crate::endgame::Tables;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::sync::Arc;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe endgame probe '3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w'
  chuhe endgame list
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
    /// Solves families of endgames and writes their tables
    Build(build::Build),
    /// Lists the built-in tables and those of a folder
    List(list::List),
    /// Tells the exact result of positions and of their moves
    Probe(probe::Probe),
    /// Checks that every value of a table follows from those of its moves
    Verify(list::Verify),
}

impl EndgameArguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.command {
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
    /// Folder with tables (default: the built-in ones only)
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
}

impl Folder {
    fn open(&self) -> Result<Arc<Tables>, Failure> {
        match &self.path {
            Some(folder) => Ok(Arc::new(Tables::open(folder)?)),
            None => Ok(Tables::builtin().clone()),
        }
    }
}
