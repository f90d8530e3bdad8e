//! `chuhe book edit`: adds, removes and reweights the moves of one position.

use crate::board::Position;
use crate::book::{self, Book, BookFormat, Change};
use crate::commands::Failure;
use crate::commands::files::{self, Force, OutputFile};
use crate::commands::output::Output;
use crate::commands::read_position;
use crate::notation::{self, LineReader, System};
use crate::system::lock_to_edit;
use crate::types::Move;
use clap::Args;
use std::path::PathBuf;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe book edit my.book --moves h2e2 --set 马2进3=40 --set h9g7=60
  chuhe book edit my.book --moves h2e2 --remove h9g7 -o without.book";

/// Arguments of `chuhe book edit`.
#[derive(Args, Debug)]
pub struct Edit {
    /// Book in any format; other positions are not changed
    file: PathBuf,
    /// Position (default: the start of the game)
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from the position, such as h2e2
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
    /// Add a move, in any notation, to the position or change its weight, such as h2e2=50; weight 0 keeps a move in the book without
    /// playing it
    #[arg(long, value_name = "MOVE=WEIGHT", value_parser = weighted)]
    set: Vec<(String, u32)>,
    /// Remove a move from the position
    #[arg(long, value_name = "MOVE")]
    remove: Vec<String>,
    /// Book to write (default: the same file, which is replaced when the new one is complete)
    #[arg(short, long)]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

fn weighted(text: &str) -> Result<(String, u32), String> {
    // The last one, since moves in WXF notation contain the sign too.
    let (mv, weight) = text.rsplit_once('=').ok_or("expected a move and its weight, as h2e2=50")?;
    let most = book::text::MAX_WEIGHT;
    let weight = weight.parse().ok().filter(|&weight: &u32| weight <= most);
    let weight = weight.ok_or_else(|| format!("expected a weight from 0 to {most} after the ="))?;
    Ok((mv.to_string(), weight))
}

impl Edit {
    pub(super) fn run(self) -> Result<(), Failure> {
        if self.set.is_empty() && self.remove.is_empty() {
            return Err(Failure::Usage("nothing to change, expected --set MOVE=WEIGHT or --remove MOVE".into()));
        }
        let is_other = |target: &PathBuf| {
            let (own, other) = (BookFormat::of_path(&self.file), BookFormat::of_path(target));
            // A source is recognised by its extension alone.
            let is_source_in_one = (own == Some(BookFormat::Source)) != (other == Some(BookFormat::Source));
            is_source_in_one || own.zip(other).is_some_and(|(own, other)| own != other)
        };
        if self.output.as_ref().is_some_and(is_other) {
            let expected = "expected the extension of the book that is edited; `chuhe book convert` changes the form";
            return Err(Failure::Usage(format!("--output names another format of books, {expected}")));
        }
        let position = read_position(self.fen.as_deref(), &self.moves)?;
        let board = position.board();
        self.apply(&position)?;
        let target = self.output.as_ref().unwrap_or(&self.file);
        let mut output = Output::new();
        for found in Book::open(target)?.moves(board)? {
            let [wxr, chinese] = [System::Wxr, System::Chinese].map(|system| notation::write(system, board, found.mv));
            writeln!(output, "{} weight {} {wxr} {chinese}", found.mv, found.weight)?;
        }
        output.finish()
    }

    /// The changes, whose moves are read in the position.
    fn changes(&self, position: &Position) -> Result<Vec<Change>, Failure> {
        let read = |option: &str, text: &str, weight| {
            // Coordinates are not checked for legality here, because the book's error is more precise.
            let mv = Move::from_uci(text).or_else(|_| LineReader::default().read_move(position, text));
            mv.map(|mv| Change { mv, weight }).map_err(Failure::at(option))
        };
        let set = self.set.iter().map(|(text, weight)| read("--set", text, Some(*weight)));
        let changes: Vec<Change> =
            set.chain(self.remove.iter().map(|text| read("--remove", text, None))).collect::<Result<_, _>>()?;
        for (index, change) in changes.iter().enumerate() {
            if changes[..index].iter().any(|earlier| earlier.mv == change.mv) {
                return Err(Failure::Usage(format!(
                    "--set and --remove change {} twice, expected one change of a move",
                    change.mv
                )));
            }
        }
        Ok(changes)
    }

    /// Writes the edited book.
    fn apply(&self, position: &Position) -> Result<(), Failure> {
        let changes = self.changes(position)?;
        if let Some(target) = &self.output {
            let inputs = std::slice::from_ref(&self.file);
            // Before the log beside the output is emptied, which changes a book that may not be replaced.
            files::check(target, inputs, self.force)?;
            let bytes = book::edited(&self.file, position.board(), &changes)?;
            book::settle(target)?;
            return Ok(OutputFile::write_whole(target, &bytes, inputs, self.force)?);
        }
        let _lock = lock_to_edit(&self.file).map_err(Failure::at(self.file.display()))?;
        book::settle(&self.file)?;
        let bytes = book::edited(&self.file, position.board(), &changes)?;
        // Editing in place implies permission to replace the file.
        Ok(OutputFile::write_whole(&self.file, &bytes, &[], Force { force: true })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn edit(file: &Path, set: &[(&str, u32)]) -> Edit {
        let set = set.iter().map(|(mv, weight)| (mv.to_string(), *weight)).collect();
        let (moves, remove) = (Vec::new(), Vec::new());
        Edit { file: file.to_path_buf(), fen: None, moves, set, remove, output: None, force: Force::default() }
    }

    #[test]
    fn an_output_that_may_not_be_replaced_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // The log is not one of SQLite, so that emptying it would be another error.
        for name in ["own.wxf", "other.wxf", "other.wxf-wal"] {
            std::fs::write(path(name), "C2.5\n").unwrap();
        }
        let refused = Edit { output: Some(path("other.wxf")), ..edit(&path("own.wxf"), &[("g3g4", 7)]) };
        let error = refused.apply(&Position::startpos()).unwrap_err().to_string();
        assert!(error.contains("exists already"), "{error}");
    }

    #[test]
    fn concurrent_edits_are_all_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.wxf");
        std::fs::write(&path, "C2.5\n").unwrap();
        let start = Position::startpos();
        let moves = ["g3g4", "h0g2", "g0e2", "h2d2", "h2f2", "f0e1", "h2g2", "i0i1", "i3i4", "e3e4", "h0i2", "h2i2"];
        std::thread::scope(|scope| {
            for mv in moves {
                scope.spawn(|| edit(&path, &[(mv, 7)]).apply(&start).unwrap());
            }
        });
        assert_eq!(Book::open(&path).unwrap().moves(start.board()).unwrap().len(), moves.len() + 1);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn moves_to_set_may_be_in_any_notation() {
        let position = Position::startpos();
        let parsed = weighted("C2=5=7").unwrap();
        assert_eq!(parsed, ("C2=5".to_string(), 7));
        assert_eq!(weighted("炮二平五=7").unwrap(), ("炮二平五".to_string(), 7));
        assert!(weighted("h2e2").is_err() && weighted("h2e2=-1").is_err());
        for text in ["C2=5", "炮二平五", "h2e2"] {
            let changes = edit(Path::new("x"), &[(text, 7)]).changes(&position).unwrap();
            assert!(changes.iter().all(|change| change.mv.to_string() == "h2e2" && change.weight == Some(7)));
        }
        let error = edit(Path::new("x"), &[("C2=5", 7), ("h2e2", 8)]).changes(&position).unwrap_err().to_string();
        assert!(error.contains("h2e2 twice"), "{error}");
        let error = edit(Path::new("x"), &[("炮三平五", 7)]).changes(&position).unwrap_err().to_string();
        assert!(error.starts_with("--set: '炮三平五'"), "{error}");
    }
}
