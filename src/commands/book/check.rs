//! `chuhe book check` and `chuhe book export`.

use super::{name_of, omitted, open, source, walk_depth, within};
use crate::book::{self, Book, BookFormat};
use crate::commands::Failure;
use crate::commands::files::{Force, Sink};
use crate::commands::output::{Output, note};
use crate::commands::progress;
use clap::Args;
use indicatif::ProgressBar;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Examples in the help text of `chuhe book check`.
pub(super) const CHECK_EXAMPLES: &str = "Examples:
  chuhe book check
  chuhe book check my.book";

/// Arguments of `chuhe book check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Book in any format (default: the built-in one)
    file: Option<PathBuf>,
    /// Maximum depth of the walk through the book, in plies from the start of the game
    #[arg(long, default_value_t = 200)]
    max_plies: usize,
}

impl Check {
    pub(super) fn run(self) -> Result<(), Failure> {
        let name = name_of(self.file.as_deref());
        let book = open(self.file.as_deref())?;
        let bar = bar(self.file.as_deref(), &book, 1);
        let (mut positions, mut moves, mut ends, mut deepest) = (0u64, 0u64, 0u64, 0);
        let mut names = HashSet::new();
        let visited = book::walk(&book, self.max_plies, &mut |reached| {
            bar.inc(reached.moves.len() as u64);
            positions += !reached.moves.is_empty() as u64;
            moves += reached.moves.len() as u64;
            ends += reached.moves.is_empty() as u64;
            deepest = deepest.max(reached.ply);
            names.extend(book.compiled().and_then(|compiled| compiled.opening(reached.board)));
            Ok::<(), Failure>(())
        });
        let walked = visited.map_err(within(self.file.as_deref()))?;
        bar.finish_and_clear();
        let mut output = Output::new();
        let (names, unreached) = (names.len(), walked.unreached);
        writeln!(output, "positions {positions} moves {moves} ends {ends} names {names} plies {deepest} unreached {unreached}")?;
        output.finish()?;
        walked.cut(self.max_plies).into_iter().for_each(|line| note(format_args!("{name}: {line}")));
        Ok(())
    }
}

/// A bar for this many passes through a book file; none for the built-in book, which is quick.
fn bar(file: Option<&Path>, book: &Book, passes: u64) -> ProgressBar {
    file.map_or_else(ProgressBar::hidden, |_| progress::bar(passes * book.size(), "moves"))
}

/// Examples in the help text of `chuhe book export`.
pub(super) const EXPORT_EXAMPLES: &str = "Examples:
  chuhe book export -o builtin.wxf
  chuhe book export my.obk -o from-obk.wxf --max-plies 20";

/// Arguments of `chuhe book export`.
#[derive(Args, Debug)]
pub struct Export {
    /// Book in any format (default: the built-in one)
    file: Option<PathBuf>,
    /// File to write, `-` for standard output
    #[arg(short, long, default_value = "-")]
    output: PathBuf,
    /// Depth to which books of other programs are read, in plies from the start of the game
    #[arg(long, default_value_t = 200)]
    max_plies: usize,
    #[command(flatten)]
    force: Force,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        if BookFormat::of_path(&self.output).is_some_and(|format| format != BookFormat::Source) {
            let expected = "expected the extension .wxf, as the output is a text; `chuhe book convert` writes the other formats";
            return Err(Failure::Usage(format!("--output names another format of books, {expected}")));
        }
        let inputs: Vec<PathBuf> = self.file.iter().cloned().collect();
        let mut sink = Sink::open(&self.output, &inputs, self.force)?;
        let book = open(self.file.as_deref())?;
        let bar = bar(self.file.as_deref(), &book, 2);
        let (text, walked) = source(&book, self.max_plies, &bar).map_err(within(self.file.as_deref()))?;
        bar.suspend(|| sink.bytes(text.as_bytes()))?;
        sink.finish()?;
        bar.finish_and_clear();
        let name = name_of(self.file.as_deref());
        let lines = omitted(&walked, walk_depth(&book, self.max_plies));
        lines.into_iter().for_each(|line| note(format_args!("{name}: {line}")));
        Ok(())
    }
}
