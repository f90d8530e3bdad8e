//! `chuhe book probe`: lists the book moves of a position.

use super::open;
use crate::book::{self, Opening};
use crate::commands::Failure;
use crate::commands::output::Output;
use crate::commands::read_position;
use crate::notation::{self, System};
use crate::rules::{RuleSet, Rules};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe book probe --moves 炮二平五
  chuhe book probe --book my.obk --moves h2e2 h9g7 --json";

/// Arguments of `chuhe book probe`.
#[derive(Args, Debug)]
pub struct Probe {
    /// Position (default: the start of the game)
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from the position, such as h2e2
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Book in any format (default: the built-in one)
    #[arg(long)]
    book: Option<PathBuf>,
    /// Rules of repetition used to mark moves that would not be played
    #[arg(long, default_value_t, value_parser = crate::commands::values::one_of::<RuleSet>(RuleSet::ids()))]
    rules: RuleSet,
    /// Print one JSON object per move, with the name of the opening it leads to
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found<'a> {
    #[serde(rename = "move")]
    mv: String,
    weight: u32,
    wxr: String,
    chinese: String,
    /// The reason the engine would not play the move in this game.
    #[serde(skip_serializing_if = "Option::is_none")]
    unplayed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<[&'a str; 2]>,
}

impl Probe {
    pub(super) fn run(self) -> Result<(), Failure> {
        let position = read_position(self.fen.as_deref(), &self.moves)?;
        let board = position.board();
        let book = open(self.book.as_deref())?;
        let rules = Rules { set: self.rules, ..Rules::default() };
        let mut output = Output::new();
        for found in book.moves(board)? {
            let [wxr, chinese] = [System::Wxr, System::Chinese].map(|system| notation::write(system, board, found.mv));
            let unplayed = book::objection(&position, &rules, found.mv).map(book::Objection::name);
            if self.json {
                let next = board.after(found.mv);
                let opening = book.compiled().and_then(|compiled| compiled.opening(&next));
                let opening = opening.map(|Opening { english, chinese }| [english.as_str(), chinese.as_str()]);
                let found = Found { mv: found.mv.to_string(), weight: found.weight, wxr, chinese, unplayed, opening };
                output.json(&found)?;
            } else {
                write!(output, "{} weight {} {wxr} {chinese}", found.mv, found.weight)?;
                match unplayed {
                    Some(why) => writeln!(output, " unplayed {why}")?,
                    None => writeln!(output)?,
                }
            }
        }
        output.finish()
    }
}
