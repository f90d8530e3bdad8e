//! `chuhe book convert`: converts a book between formats.

use super::{contents, omitted, open, source, walk_depth, within};
use crate::book::{self, Book, BookError, BookFormat, Written};
use crate::commands::Failure;
use crate::commands::files::{self, Force, OutputFile};
use crate::commands::output::{Output, note};
use crate::commands::progress;
use clap::Args;
use indicatif::ProgressBar;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe book convert my.book -o BOOK.DAT
  chuhe book convert my.obk -o from-obk.book";

/// Arguments of `chuhe book convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// Book in any format (default: the built-in one)
    file: Option<PathBuf>,
    /// Book to write; format by extension: .book, .wxf (text), .obk, .xqb or .dat (BOOK.DAT)
    #[arg(short, long)]
    output: PathBuf,
    /// Depth to which books of other programs are read, in plies from the start of the game
    #[arg(long, default_value_t = 200)]
    max_plies: usize,
    #[command(flatten)]
    force: Force,
}

impl Convert {
    pub(super) fn run(self) -> Result<(), Failure> {
        let inputs: Vec<PathBuf> = self.file.iter().cloned().collect();
        let expected = "the extension names no format of books, expected .book, .wxf, .obk, .xqb or .dat";
        let format = BookFormat::of_path(&self.output).ok_or_else(|| Failure::at(self.output.display())(expected))?;
        files::try_out(&self.output, &inputs, self.force)?;
        let book = open(self.file.as_deref())?;
        let bar = progress::bar(2 * book.size(), "moves");
        let made = make(&book, format, self.max_plies, &bar);
        let made = made.map_err(naming(&self.output)).map_err(within(self.file.as_deref()));
        let Made { bytes, written, losses } = made?;
        book::settle(&self.output)?;
        OutputFile::write_whole(&self.output, &bytes, &inputs, self.force)?;
        bar.finish_and_clear();
        losses.into_iter().for_each(|loss| note(format_args!("{}: {loss}", self.output.display())));
        let mut output = Output::new();
        writeln!(output, "positions {} moves {}", written.positions, written.moves)?;
        output.finish()
    }
}

/// A converted book.
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    pub(super) written: Written,
    /// What the format cannot represent, one message each.
    pub(super) losses: Vec<String>,
}

/// Encodes a book in a format. Compiled books are walked to the end, other books to `max_plies`. A book without moves is an error, as it
/// would replace one with moves.
pub(super) fn make(book: &Book, format: BookFormat, max_plies: usize, bar: &ProgressBar) -> Result<Made, Failure> {
    let mut losses = Vec::new();
    let (bytes, written, walked) = match format {
        BookFormat::Compiled => {
            let (contents, walked) = contents(book, max_plies, bar)?;
            (contents.to_bytes(), written(&contents), walked)
        }
        BookFormat::Source => {
            let (text, walked) = source(book, max_plies, bar)?;
            let made = book::from_source("the source", &text)?;
            (text.into_bytes(), written(&made.contents()?), walked)
        }
        BookFormat::BookDat | BookFormat::Obk | BookFormat::Xqb => {
            let exported = book::export(book, format, walk_depth(book, max_plies), &mut |moves| bar.inc(moves as u64))?;
            losses.extend(exported.losses.iter().map(|(what, count)| format!("not carried over: {what} {count}")));
            (exported.bytes, exported.written, exported.walked)
        }
    };
    if written.moves == 0 {
        return Err(BookError::NoMoves.into());
    }
    losses.extend(omitted(&walked, walk_depth(book, max_plies)));
    Ok(Made { bytes, written, losses })
}

/// Adds the output to the error that there is nothing to write.
pub(super) fn naming(output: &Path) -> impl Fn(Failure) -> Failure {
    let no_moves = Failure::at::<BookError>(output.display());
    move |failure| match failure {
        Failure::Book(error @ BookError::NoMoves) => no_moves(error),
        other => other,
    }
}

fn written(contents: &book::Contents) -> Written {
    let moves: Vec<u64> = contents.entries.iter().filter(|entry| !entry.mv.is_none()).map(|entry| entry.key).collect();
    let positions: HashSet<u64> = moves.iter().copied().collect();
    Written { positions: positions.len() as u64, moves: moves.len() as u64 }
}
