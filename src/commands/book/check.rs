//! `chuhe book check` and `chuhe book export`.

use super::{contents, open};
use crate::book::place::place_of;
use crate::book::{self, Book, text};
use crate::commands::Failure;
use crate::commands::files::{Force, Sink};
use crate::commands::output::{Output, note};
use crate::commands::progress;
use clap::Args;
use indicatif::ProgressBar;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

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
        let within = |failure: Failure| match failure {
            Failure::Book(error) => Failure::at(&name)(error),
            other => other,
        };
        let book = open(self.file.as_deref())?;
        // Our own format can be listed completely; in other formats only reachable positions can be checked.
        let contents = book.table().map(|table| table.contents().map_err(|error| within(error.into()))).transpose()?;
        let bar = bar(self.file.as_deref(), &book, 1);
        let (mut positions, mut moves, mut ends, mut deepest) = (0u64, 0u64, 0u64, 0);
        let mut names = HashSet::new();
        let visited = book::walk(&book, self.max_plies, &mut |reached| {
            bar.inc(reached.moves.len() as u64);
            positions += !reached.moves.is_empty() as u64;
            moves += reached.moves.len() as u64;
            ends += reached.moves.is_empty() as u64;
            deepest = deepest.max(reached.ply);
            names.extend(book.table().and_then(|table| table.opening(reached.board)));
            Ok::<(), Failure>(())
        });
        visited.map_err(within)?;
        bar.finish_and_clear();
        let mut output = Output::new();
        write!(output, "positions {positions} moves {moves} ends {ends} names {} plies {deepest}", names.len())?;
        match contents {
            // Moves can become unreachable when `--min-games` drops a move on the way to them.
            Some(contents) => {
                writeln!(output, " unreached {}", moves_of(&contents).saturating_sub(moves as usize))?;
            }
            None => writeln!(output)?,
        }
        output.finish()
    }
}

fn name_of(file: Option<&Path>) -> String {
    file.map_or("the book of the program".into(), |file| file.display().to_string())
}

/// Number of entries with a move; an entry without one only names its position.
fn moves_of(contents: &book::Contents) -> usize {
    contents.entries.iter().filter(|entry| !entry.mv.is_none()).count()
}

/// A bar for this many passes through a book file; none for the built-in book, which is quick.
fn bar(file: Option<&Path>, book: &Book, passes: u64) -> ProgressBar {
    file.map_or_else(ProgressBar::hidden, |_| progress::bar(passes * book.size(), "moves"))
}

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
        let inputs: Vec<PathBuf> = self.file.iter().cloned().collect();
        let mut sink = Sink::open(&self.output, &inputs, self.force)?;
        let book = open(self.file.as_deref())?;
        // The passes: reading, writing, and one more for the omitted positions.
        let bar = bar(self.file.as_deref(), &book, if book.table().is_some() { 2 } else { 3 });
        let contents = contents(&book, self.max_plies, &bar)?;
        let text = text::write_with(&contents, &mut |moves| bar.inc(moves as u64));
        bar.suspend(|| sink.bytes(text.as_bytes()))?;
        sink.finish()?;
        let omitted = self.omitted(&book, &contents, &bar)?;
        bar.finish_and_clear();
        omitted.into_iter().for_each(note);
        Ok(())
    }

    /// Messages about what a source cannot contain: positions that no line reaches, of which only the keys are known.
    fn omitted(&self, book: &Book, contents: &book::Contents, bar: &ProgressBar) -> Result<Vec<String>, Failure> {
        let name = name_of(self.file.as_deref());
        let mut reached = HashSet::new();
        let (mut moves, mut cut) = (0, 0);
        // Our own tables are walked to the end, as the source writer does.
        let most_plies = if book.table().is_some() { usize::MAX } else { self.max_plies };
        book::walk(book, most_plies, &mut |position| {
            bar.inc(position.moves.len() as u64);
            reached.insert(place_of(position.board).0);
            moves += position.moves.len();
            cut += (position.ply == most_plies && !position.moves.is_empty()) as usize;
            Ok::<(), Failure>(())
        })?;
        let stored: HashSet<u64> = contents.entries.iter().map(|entry| entry.key).collect();
        let lost = stored.iter().filter(|key| !reached.contains(key)).count();
        let known = moves_of(contents);
        let mut lines = Vec::new();
        if lost > 0 {
            let (written, all) = (stored.len() - lost, stored.len());
            lines.push(format!(
                "{name}: {written} of {all} positions are written with {moves} of {known} moves; no line leads to the other {lost}"
            ));
        }
        if cut > 0 {
            lines.push(format!("{name}: the book continues after ply {most_plies} in {cut} positions, see --max-plies"));
        }
        Ok(lines)
    }
}
