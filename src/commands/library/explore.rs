//! `chuhe library explore`: statistics of the moves played from a position.

use super::{LibraryFile, table};
use crate::book::MoveStats;
use crate::commands::output::Output;
use crate::commands::values::listed;
use crate::commands::{Failure, read_position};
use crate::library::ExploredMove;
use crate::notation::{self, System};
use crate::records::player_name;
use clap::Args;
use serde::Serialize;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe library explore --moves 炮二平五 马8进7 --notation wxr";

/// Arguments of `chuhe library explore`.
#[derive(Args, Debug)]
pub struct Explore {
    #[command(flatten)]
    library: LibraryFile,
    /// The position (default: the start of the game)
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from it, in any notation
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Notation of the moves
    #[arg(long, value_name = "SYS", default_value = "uci", value_parser = listed::<System>(System::ids()))]
    notation: System,
    /// Number of latest games to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    latest: usize,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// The JSON output.
#[derive(Serialize)]
struct Answer {
    fen: String,
    games: u32,
    moves: Vec<AnswerMove>,
    latest: Vec<u32>,
}

#[derive(Serialize)]
struct AnswerMove {
    #[serde(rename = "move")]
    mv: String,
    games: u32,
    red_wins: u32,
    draws: u32,
    black_wins: u32,
    last_year: Option<u32>,
    players: Vec<(String, u32)>,
    latest: u32,
}

impl Explore {
    pub(super) fn run(self) -> Result<(), Failure> {
        let position = read_position(self.fen.as_deref(), &self.moves)?;
        let library = self.library.open()?;
        let found = library.explore(position.board(), self.latest)?;
        let text = |mv| notation::write(self.notation, position.board(), mv);
        let mut output = Output::new();
        if self.json {
            let moves = found.moves.into_iter().map(|ExploredMove { mv, stats, latest }| AnswerMove {
                mv: text(mv),
                games: stats.games,
                red_wins: stats.red_wins,
                draws: stats.draws,
                black_wins: stats.black_wins,
                last_year: stats.last_year,
                players: stats.players.into_iter().map(|player| (player.name, player.games)).collect(),
                latest,
            });
            let moves = moves.collect();
            output.json(&Answer { fen: position.to_fen(), games: found.games, moves, latest: found.latest })?;
            return output.finish();
        }
        if !found.moves.is_empty() {
            let mut table = table(["move", " games", " red", " draw", " black", " last", "players"]);
            for found in &found.moves {
                table.row(cells(text(found.mv), &found.stats));
            }
            write!(output, "{table}")?;
        }
        for game in found.latest {
            let game = library.summary(game)?;
            let name = |name: Option<String>| name.and_then(|name| player_name(&name)).unwrap_or_else(|| "?".into());
            let date = game.date.unwrap_or_default();
            let line = format!("game {}: {} {} {} {date}", game.game, name(game.red), game.result.token(), name(game.black));
            writeln!(output, "{}", line.trim_end())?;
        }
        writeln!(output, "games {}", found.games)?;
        output.finish()
    }
}

fn cells(mv: String, found: &MoveStats) -> Vec<String> {
    // Percentages refer to the games with a result.
    let decided = found.red_wins + found.draws + found.black_wins;
    let share =
        |count: u32| if decided == 0 { "-".into() } else { format!("{:.0} %", f64::from(count) * 100.0 / f64::from(decided)) };
    let players: Vec<String> = found.players.iter().map(|player| format!("{} {}", player.name, player.games)).collect();
    vec![
        mv,
        found.games.to_string(),
        share(found.red_wins),
        share(found.draws),
        share(found.black_wins),
        found.last_year.map_or(String::new(), |year| year.to_string()),
        players.join(", "),
    ]
}
