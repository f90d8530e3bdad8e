//! `chuhe notation`: converts a line of moves from one notation into others.

use crate::board::Position;
use crate::notation::{Detected, Legend, LineStyle, Notation, Script, System, read_line_among};
use clap::{ArgAction, Args, ValueEnum};
use serde::Serialize;
use std::io::{Read, Write};
use std::str::FromStr;

/// Arguments of `chuhe notation`.
#[derive(Args, Debug)]
// `-h` must be free: `-h-7` is a horse that retreats.
#[command(disable_help_flag = true)]
pub struct Convert {
    /// Notation of the moves, or auto to find it
    #[arg(long, value_name = "SYS", default_value = "auto")]
    from: Source,
    /// Notations to write, one line each
    #[arg(long, value_name = "SYS", required = true, value_delimiter = ',')]
    to: Vec<System>,
    /// Position that the line starts from (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// File with the ninety characters of the poem, top left to bottom right as Red sees the board
    #[arg(long, value_name = "FILE")]
    legend: Option<String>,
    /// Script of shorthand and descriptive
    #[arg(long, value_enum, default_value_t = ScriptName::English)]
    script: ScriptName,
    /// How shorthand shows its lines
    #[arg(long, value_enum, default_value_t = LinesName::Combining)]
    lines: LinesName,
    /// Let descriptive add the form of wxr in brackets
    #[arg(long)]
    unambiguous: bool,
    /// One JSON object a notation
    #[arg(long)]
    json: bool,
    /// The moves, one after another; one with blanks in it is quoted
    #[arg(value_name = "MOVE", required = true, allow_hyphen_values = true)]
    moves: Vec<String>,
    /// Print help
    #[arg(long, action = ArgAction::Help)]
    help: Option<bool>,
}

/// A system, or all of them.
#[derive(Clone, Copy, Debug)]
enum Source {
    Auto,
    System(System),
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        if text == "auto" { Ok(Source::Auto) } else { text.parse().map(Source::System).map_err(|error| format!("{error}, auto")) }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScriptName {
    English,
    Traditional,
    Simplified,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LinesName {
    Combining,
    Html,
    Ansi,
}

/// A line in one notation, as `--json` prints it.
#[derive(Serialize)]
struct Written<'a> {
    system: &'a str,
    moves: Vec<String>,
    /// The notations in which the moves given are these.
    from: &'a [&'static str],
}

impl Convert {
    pub(super) fn run(self) -> Result<(), String> {
        // A move may begin with two dashes (`--.4`), so the argument parser cannot tell an option here; no move goes on with a letter.
        let is_option =
            |text: &&String| text.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
        if let Some(option) = self.moves.iter().find(is_option) {
            return Err(format!("'{}' stands behind a move, expected all options before the moves", option.escape_debug()));
        }
        let position = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(|error| format!("--fen: {error}"))?,
        };
        let legend = self.legend.as_deref().map(read_legend).transpose()?;
        let notation = |system: System| Notation {
            system,
            legend: legend.clone().map(Box::new),
            script: match self.script {
                ScriptName::English => Script::English,
                ScriptName::Traditional => Script::Traditional,
                ScriptName::Simplified => Script::Simplified,
            },
            lines: match self.lines {
                LinesName::Combining => LineStyle::Combining,
                LinesName::Html => LineStyle::Html,
                LinesName::Ansi => LineStyle::Ansi,
            },
            unambiguous: self.unambiguous,
        };
        let Detected { systems, moves } = match self.from {
            Source::Auto => read_line_among(&System::ALL.map(notation), position.board(), &self.moves)?,
            Source::System(system) => {
                Detected { systems: vec![system], moves: notation(system).read_line(position.board(), &self.moves)? }
            }
        };
        let from: Vec<&str> = systems.iter().map(|system| system.id()).collect();
        let mut lines = String::new();
        for &system in &self.to {
            let moves = notation(system).write_line(position.board(), &moves);
            if self.json {
                let written = Written { system: system.id(), moves, from: &from };
                lines += &serde_json::to_string(&written).map_err(|error| error.to_string())?;
            } else {
                lines += &moves.join(" ");
            }
            lines.push('\n');
        }
        std::io::stdout().write_all(lines.as_bytes()).map_err(|error| format!("stdout: {error}"))
    }
}

/// Reads a legend from a file, or from stdin for `-`.
fn read_legend(file: &str) -> Result<Legend, String> {
    let at = |error: &dyn std::fmt::Display| format!("--legend {file}: {error}");
    let mut text = String::new();
    let read = if file == "-" {
        std::io::stdin().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(file).map(|content| text = content)
    };
    read.map_err(|error| at(&error))?;
    text.parse().map_err(|error: crate::notation::LegendError| at(&error))
}
