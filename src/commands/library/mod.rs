//! `chuhe library`: a game database that can be searched by position, pattern, material, player, opening and more.

mod add;
mod criteria;
mod explore;
mod export;
mod search;
mod stats;

use crate::commands::Failure;
use crate::commands::files::check_not_stream;
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
    /// Adds the games of files and folders; creates the library if it does not exist
    #[command(after_help = add::EXAMPLES)]
    Add(add::Add),
    /// Verifies the integrity of the library: file, moves, index
    #[command(after_help = stats::CHECK_EXAMPLES)]
    Check(stats::Check),
    /// Shows the moves played from a position, with results and players
    #[command(after_help = explore::EXAMPLES)]
    Explore(explore::Explore),
    /// Writes the games that meet all criteria as records of any format
    #[command(after_help = export::EXAMPLES)]
    Export(export::Export),
    /// Lists the games that meet all criteria
    #[command(after_help = search::EXAMPLES)]
    Search(search::Search),
    /// Counts games, players and openings
    #[command(after_help = stats::STATS_EXAMPLES)]
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

/// Maximum width of a table cell, in terminal columns.
const WIDEST: usize = 32;

/// An empty table with these column heads.
fn table<const COLUMNS: usize>(heads: [&str; COLUMNS]) -> Table {
    Table::new(heads).cut(WIDEST)
}

/// The `--library` option.
#[derive(Args, Debug)]
struct LibraryFile {
    /// The library (default: the file that the environment variable CHUHE_LIBRARY names, otherwise library.chuhe)
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

impl LibraryFile {
    fn open(&self) -> Result<Library, Failure> {
        Ok(Library::open(&self.path()?)?)
    }

    /// The path of the library.
    ///
    /// # Errors
    /// If it is `-`, which stands for standard input or output.
    fn path(&self) -> Result<PathBuf, Failure> {
        // An empty variable counts as unset, as service managers and containers pass it on.
        let named = || std::env::var_os("CHUHE_LIBRARY").filter(|name| !name.is_empty()).map(PathBuf::from);
        let path = self.library.clone().or_else(named).unwrap_or_else(|| "library.chuhe".into());
        check_not_stream(&path, "the name of a library")?;
        Ok(path)
    }
}
