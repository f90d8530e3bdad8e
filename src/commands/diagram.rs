//! `chuhe diagram`: a position as a drawing.

use super::Failure;
use crate::records::Setup;
use crate::report::{ArrowKind, Diagram as Drawing, PieceStyle};
use crate::types::Move;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `chuhe diagram`.
#[derive(Args, Debug)]
pub struct Diagram {
    /// Position to draw, legal or not (default: the start position)
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from it, in the form h2e2; the last one is marked
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Move to mark as the last one, not played on the board
    #[arg(long, conflicts_with = "moves")]
    last_move: Option<String>,
    /// Moves to draw as solid arrows
    #[arg(long, num_args = 1..)]
    arrow: Vec<String>,
    /// Moves to draw as dashed arrows
    #[arg(long, num_args = 1..)]
    dashed_arrow: Vec<String>,
    /// What is drawn on the pieces
    #[arg(long, value_enum, default_value_t = StyleName::Characters)]
    pieces: StyleName,
    /// Black's side at the bottom
    #[arg(long)]
    flip: bool,
    /// No files and ranks along the edges
    #[arg(long)]
    no_coordinates: bool,
    /// File to write, `-` for standard output
    #[arg(short, long)]
    output: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleName {
    Characters,
    Letters,
}

impl Diagram {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut setup = match &self.fen {
            None => Setup::standard(),
            Some(fen) => Setup::from_fen(fen).map_err(|error| format!("--fen: {error}"))?,
        };
        let mut last_move = match &self.last_move {
            None => None,
            Some(text) => Some(Move::from_uci(text).map_err(|error| format!("--last-move: {error}"))?),
        };
        if !self.moves.is_empty() {
            let position = super::read_position(Some(&setup.to_fen()), &self.moves)?;
            last_move = position.moves().last();
            setup = Setup::from_position(&position);
        }
        let read = |name: &str, texts: &[String], kind: ArrowKind| -> Result<Vec<(Move, ArrowKind)>, String> {
            let moves = texts.iter().map(|text| Move::from_uci(text).map(|mv| (mv, kind)));
            moves.collect::<Result<_, _>>().map_err(|error| format!("{name}: {error}"))
        };
        let mut arrows = read("--arrow", &self.arrow, ArrowKind::Better)?;
        arrows.extend(read("--dashed-arrow", &self.dashed_arrow, ArrowKind::Played)?);
        let style = match self.pieces {
            StyleName::Characters => PieceStyle::Characters,
            StyleName::Letters => PieceStyle::Letters,
        };
        let drawing = Drawing { setup: &setup, last_move, arrows, style, flipped: self.flip, coordinates: !self.no_coordinates };
        let svg = drawing.svg();
        if self.output.as_os_str() == "-" {
            print!("{svg}");
            return Ok(());
        }
        std::fs::write(&self.output, svg).map_err(Failure::at(self.output.display()))
    }
}
