//! `chuhe library`: a file of games that finds them by position, names, openings and the like.

mod add;
mod criteria;
mod explore;
mod export;
mod search;
mod stats;

use crate::commands::Failure;
use crate::library::Library;
use crate::report::Table;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe library add games/ tournament.pgn
  chuhe library search --player 'Hu Ronghua' --date 1960..1985 --result 1-0
  chuhe library search --moves h2e2 h9g7 h0g2
  chuhe library search --pattern 'Ce2 Re4 ke9' --material RC-D
  chuhe library explore --moves h2e2
  chuhe library export --opening 'Central Cannon' -o central.pgn
  chuhe library stats";

/// Arguments of `chuhe library`.
#[derive(Args, Debug)]
pub struct LibraryArguments {
    #[command(subcommand)]
    command: LibraryCommand,
}

#[derive(Subcommand, Debug)]
enum LibraryCommand {
    /// Adds the games of files and folders; begins the library where there is none
    Add(add::Add),
    /// Proves that the library is whole: file, moves, index
    Check(stats::Check),
    /// Shows what was played from a position, with results and players
    Explore(explore::Explore),
    /// Writes the games that have everything asked for as records of any format
    Export(export::Export),
    /// Lists the games that have everything asked for
    Search(search::Search),
    /// Counts games, players and openings
    Stats(stats::StatsArguments),
}

impl LibraryArguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.command {
            LibraryCommand::Add(add) => add.run(),
            LibraryCommand::Check(check) => check.run(),
            LibraryCommand::Explore(explore) => explore.run(),
            LibraryCommand::Export(export) => export.run(),
            LibraryCommand::Search(search) => search.run(),
            LibraryCommand::Stats(stats) => stats.run(),
        }
    }
}

/// Widest cell of a table, in columns of a terminal.
const WIDEST: usize = 32;

/// A table with these columns.
fn table<const COLUMNS: usize>(heads: [&str; COLUMNS]) -> Table {
    Table::new(heads).cut(WIDEST)
}

/// Which library.
#[derive(Args, Debug)]
struct LibraryFile {
    /// The library
    #[arg(long, value_name = "FILE", env = "CHUHE_LIBRARY", hide_env_values = true, default_value = "library.chuhe")]
    library: PathBuf,
}

impl LibraryFile {
    fn open(&self) -> Result<Library, Failure> {
        Ok(Library::open(&self.library)?)
    }
}
