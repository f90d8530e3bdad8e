//! `chuhe book edit`: adds, removes and reweights the moves of one position.

use crate::book::{self, Book, Change, Form};
use crate::commands::Failure;
use crate::commands::files::{Force, OutputFile};
use crate::commands::output::Output;
use crate::commands::read_position;
use crate::notation::{self, System};
use crate::types::Move;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `chuhe book edit`.
#[derive(Args, Debug)]
pub struct Edit {
    /// Book in any format; the rest of it is not changed
    file: PathBuf,
    /// Position (default: the start of the game)
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from the position, such as h2e2
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Add a move to the position or change its weight, such as h2e2=50; weight 0 keeps a move in the book without playing it
    #[arg(long, value_name = "MOVE=WEIGHT", value_parser = weighted)]
    set: Vec<Change>,
    /// Remove a move from the position
    #[arg(long, value_name = "MOVE", value_parser = removed)]
    remove: Vec<Change>,
    /// Book to write (default: the same file, which is replaced when the new one is complete)
    #[arg(short, long)]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

fn read_move(text: &str) -> Result<Move, String> {
    Move::from_uci(text).map_err(|error| error.to_string())
}

fn weighted(text: &str) -> Result<Change, String> {
    let (mv, weight) = text.split_once('=').ok_or("expected a move and its weight, as h2e2=50")?;
    let most = book::text::LARGEST_WEIGHT;
    let weight = weight.parse().ok().filter(|&weight: &u32| weight <= most);
    let weight = weight.ok_or_else(|| format!("expected a weight from 0 to {most} after the ="))?;
    Ok(Change { mv: read_move(mv)?, weight: Some(weight) })
}

fn removed(text: &str) -> Result<Change, String> {
    Ok(Change { mv: read_move(text)?, weight: None })
}

impl Edit {
    pub(super) fn run(self) -> Result<(), Failure> {
        let changes: Vec<Change> = self.set.iter().chain(&self.remove).copied().collect();
        if changes.is_empty() {
            return Err(Failure::Usage("nothing to change, expected --set MOVE=WEIGHT or --remove MOVE".into()));
        }
        if let (Some(form), Some(other)) = (Form::of_path(&self.file), self.output.as_deref().and_then(Form::of_path))
            && form != other
        {
            let expected = "expected the extension of the book that is edited; `chuhe book convert` changes the form";
            return Err(Failure::Usage(format!("--output names another form of book, {expected}")));
        }
        let position = read_position(self.fen.as_deref(), &self.moves)?;
        let board = position.board();
        let bytes = book::edited(&self.file, board, &changes)?;
        let target = match &self.output {
            Some(target) => {
                OutputFile::write_whole(target, &bytes, std::slice::from_ref(&self.file), self.force)?;
                target
            }
            // Editing in place implies permission to replace the file.
            None => {
                OutputFile::write_whole(&self.file, &bytes, &[], Force { force: true })?;
                &self.file
            }
        };
        let mut output = Output::new();
        for found in Book::open(target)?.moves(board)? {
            let [wxr, chinese] = [System::Wxr, System::Chinese].map(|system| notation::write(system, board, found.mv));
            writeln!(output, "{} weight {} {wxr} {chinese}", found.mv, found.weight)?;
        }
        output.finish()
    }
}
