//! `chuhe library search`: lists games.

use super::criteria::Criteria;
use super::table;
use crate::commands::Failure;
use crate::commands::output::Output;
use crate::library::{Hit, Library, Summary};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Default number of games in the table.
const LIMIT: usize = 50;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe library search --player 'Hu Ronghua' --player 'Liu Dahua' --date 1960..1985
  chuhe library search --pattern 'Ce2 ke9' --plies 3.. --json";

/// Arguments of `chuhe library search`.
#[derive(Args, Debug)]
pub struct Search {
    #[command(flatten)]
    criteria: Criteria,
    /// Maximum number of games to list, 0 for all (default: 50, with --json all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON object per game, with the files it came from
    #[arg(long)]
    json: bool,
}

/// A game in JSON output.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    mirrored: bool,
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Source {
    file: PathBuf,
    number: u32,
}

impl Search {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (library, hits) = self.criteria.search()?;
        let limit = match (self.limit, self.json) {
            (Some(0), _) | (None, true) => usize::MAX,
            (Some(limit), _) => limit,
            (None, false) => LIMIT,
        };
        let mut output = Output::new();
        let shown = &hits[..hits.len().min(limit)];
        if self.json {
            for hit in shown {
                output.json(&found(&library, hit)?)?;
            }
        } else {
            let mut table = table([" game", "date", "red", "result", "black", " plies", " ply", "event", "opening"]);
            for hit in shown {
                table.row(cells(library.summary(hit.game)?, hit));
            }
            if !shown.is_empty() {
                write!(output, "{table}")?;
            }
            let rest = if shown.len() < hits.len() { format!(", {} shown", shown.len()) } else { String::new() };
            writeln!(output, "games {}{rest}", hits.len())?;
        }
        output.finish()
    }
}

fn cells(game: Summary, hit: &Hit) -> Vec<String> {
    let text = |text: Option<String>| text.unwrap_or_default();
    let ply = hit.ply.map_or(String::new(), |ply| format!("{ply}{}", if hit.mirrored { "m" } else { "" }));
    vec![
        game.game.to_string(),
        text(game.date),
        text(game.red),
        game.result.token().into(),
        text(game.black),
        game.plies.to_string(),
        ply,
        text(game.event),
        text(game.opening),
    ]
}

fn found(library: &Library, hit: &Hit) -> Result<Found, Failure> {
    let summary = library.summary(hit.game)?;
    let sources = library.sources(hit.game)?.into_iter().map(|(file, number)| Source { file, number }).collect();
    Ok(Found { summary, ply: hit.ply, mirrored: hit.mirrored, sources })
}
