//! `chuhe endgame atlas`: which endings are won and drawn, by the advisors and elephants.

use super::{Folder, Threads};
use crate::board::Position;
use crate::commands::Failure;
use crate::commands::output::Output;
use crate::commands::values::listed;
use crate::endgame::{AtlasRow, Family, Summary, Tables};
use crate::notation::{Notation, System};
use clap::Args;
use serde::Serialize;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe endgame atlas R-N N-P";

/// Arguments of `chuhe endgame atlas`.
#[derive(Args, Debug)]
pub struct Atlas {
    /// Families, like R-D (default: all)
    #[arg(value_name = "FAMILY")]
    families: Vec<Family>,
    #[command(flatten)]
    folder: Folder,
    /// Notation of the solutions
    #[arg(long, value_name = "SYS", default_value = "wxr", value_parser = listed::<System>(System::ids()))]
    notation: System,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

/// A row in JSON.
#[derive(Serialize)]
struct Row {
    family: String,
    /// Advisors and elephants of the first side and of the second, as in names of families.
    defenders: [String; 2],
    first: Summary,
    second: Summary,
    /// The position with the longest win.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// Its solution.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    solution: Vec<String>,
}

impl Atlas {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tables = self.folder.open()?;
        let mut output = Output::streaming();
        for family in super::chosen(&tables, &self.families)? {
            super::check_memory("the atlas", tables.memory_to_verify(&family)).map_err(Failure::at(&family))?;
            for row in tables.atlas(&family, self.threads.count()).map_err(Failure::at(&family))? {
                let row = self.row(&tables, &family, row);
                if self.json {
                    output.json(&row)?;
                    continue;
                }
                let [first, second] = &row.defenders;
                let share = |share: &Summary| {
                    let percent = |part: u64| 100.0 * part as f64 / share.positions.max(1) as f64;
                    let shares = format!("{:.2} % won {:.2} % lost", percent(share.wins), percent(share.losses));
                    let beyond = match share.beyond_limit {
                        0 => String::new(),
                        beyond => format!(" beyond the limit {beyond}"),
                    };
                    format!("{shares} longest {}{beyond}", share.longest)
                };
                let shown = |defenders: &str| if defenders.is_empty() { "none".to_string() } else { defenders.to_string() };
                writeln!(
                    output,
                    "{family} {} against {}: first to move {}; second to move {}",
                    shown(first),
                    shown(second),
                    share(&row.first),
                    share(&row.second)
                )?;
                if let Some(fen) = &row.fen {
                    writeln!(output, "  {fen}: {}", row.solution.join(" "))?;
                }
            }
        }
        output.finish()
    }

    fn row(&self, tables: &Tables, family: &Family, row: AtlasRow) -> Row {
        let letters =
            |(advisors, elephants): (u8, u8)| format!("{}{}", "A".repeat(advisors as usize), "B".repeat(elephants as usize));
        let position = row.longest.map(|board| Position::new(board, 0, 1));
        let notation = Notation::new(self.notation);
        Row {
            family: family.to_string(),
            defenders: row.defenders.map(letters),
            first: row.summaries[0],
            second: row.summaries[1],
            solution: position
                .as_ref()
                .map(|position| notation.write_line(position.board(), &tables.best_line(position)))
                .unwrap_or_default(),
            fen: position.map(|position| position.to_fen()),
        }
    }
}
