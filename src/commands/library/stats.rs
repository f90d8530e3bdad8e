//! `chuhe library stats` and `check`.

use super::{LibraryFile, table};
use crate::commands::Failure;
use crate::commands::output::{Output, note};
use crate::commands::progress;
use crate::types::counted;
use clap::Args;

/// Examples in the help text of `chuhe library stats`.
pub(super) const STATS_EXAMPLES: &str = "Examples:
  chuhe library stats --top 20";

/// Arguments of `chuhe library stats`.
#[derive(Args, Debug)]
pub struct StatsArguments {
    #[command(flatten)]
    library: LibraryFile,
    /// Number of players and openings to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl StatsArguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        let stats = self.library.open()?.stats(self.top)?;
        let mut output = Output::new();
        if self.json {
            output.json(&stats)?;
            return output.finish();
        }
        let share = |count: u32| format!("{:.1} %", f64::from(count) * 100.0 / f64::from(stats.games.max(1)));
        writeln!(output, "games {} variants {} files {}", stats.games, stats.variants, stats.files)?;
        let each = |total: f64| total / f64::from(stats.games.max(1));
        writeln!(output, "plies {}, {:.1} a game", stats.plies, each(stats.plies as f64))?;
        writeln!(output, "bytes {}, {:.1} a game", stats.bytes, each(stats.bytes as f64))?;
        let results =
            [("red wins", stats.red_wins), ("black wins", stats.black_wins), ("draws", stats.draws), ("unknown", stats.unknown)];
        for (name, count) in results {
            writeln!(output, "{name} {count}, {}", share(count))?;
        }
        if let Some((first, last)) = stats.years {
            writeln!(output, "years {first} to {last}")?;
        }
        writeln!(output, "players {} openings {}", stats.all_players, stats.all_openings)?;
        let number = |number: u32| number.to_string();
        if !stats.players.is_empty() {
            let mut table = table(["player", " games", " wins", " draws", " losses"]);
            for player in stats.players {
                table.row(vec![
                    player.name,
                    number(player.games),
                    number(player.wins),
                    number(player.draws),
                    number(player.losses),
                ]);
            }
            writeln!(output)?;
            write!(output, "{table}")?;
        }
        if !stats.openings.is_empty() {
            let mut table = table(["opening", " games", " red wins", " draws", " black wins"]);
            for opening in stats.openings {
                let results = [opening.red_wins, opening.draws, opening.black_wins].map(number);
                table.row([vec![opening.name, number(opening.games)], results.to_vec()].concat());
            }
            writeln!(output)?;
            write!(output, "{table}")?;
        }
        output.finish()
    }
}

/// Examples in the help text of `chuhe library check`.
pub(super) const CHECK_EXAMPLES: &str = "Examples:
  chuhe library check
  chuhe library check --library my.chuhe";

/// Arguments of `chuhe library check`.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    library: LibraryFile,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(super) fn run(self) -> Result<(), Failure> {
        let library = self.library.open()?;
        let bar = progress::bar(library.len()?.into(), "games");
        let checked = library.check(&mut |game| bar.set_position(game.into()))?;
        bar.finish_and_clear();
        let path = self.library.path()?;
        let path = path.display();
        for fault in &checked.faults {
            note(format_args!("{path}: {fault}"));
        }
        let mut output = Output::new();
        if self.json {
            output.json(&checked)?;
        } else {
            let verdict = if checked.faults.is_empty() { "no faults" } else { "damaged" };
            writeln!(
                output,
                "games {} segments {} incomplete files {}",
                checked.games, checked.segments, checked.incomplete_files
            )?;
            writeln!(output, "{verdict}")?;
        }
        output.finish()?;
        match checked.faults.len() {
            0 => Ok(()),
            faults => Err(format!("{path}: damaged in {}", counted(faults, "place")).into()),
        }
    }
}
