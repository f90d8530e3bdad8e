//! `chuhe book`: builds, queries, checks, converts and edits opening books.

mod build;
mod check;
mod convert;
mod edit;
mod games;
mod probe;
mod variety;

use crate::book::{self, Book, Walked};
use crate::commands::Failure;
use crate::commands::files::check_not_stream;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use std::path::Path;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe book probe --moves h2e2 h9g7
  chuhe book build games.pgn lines.wxf -o my.book --min-games 3
  chuhe book check my.book
  chuhe book export my.book -o my.wxf
  chuhe book convert -o my.obk
  chuhe book edit my.book --moves h2e2 --set h9g7=50";

/// Arguments of `chuhe book`.
#[derive(Args, Debug)]
pub struct BookArguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Builds a book from sources, games and other books, in chuhe's binary format or that of another program
    #[command(after_help = build::EXAMPLES)]
    Build(build::Build),
    /// Checks a book and counts its positions and moves
    #[command(after_help = check::CHECK_EXAMPLES)]
    Check(check::Check),
    /// Converts a book between chuhe's formats and those of other programs
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Convert),
    /// Adds, removes and reweights moves of a position
    #[command(after_help = edit::EXAMPLES)]
    Edit(edit::Edit),
    /// Writes a book as a human-readable, editable source
    #[command(after_help = check::EXPORT_EXAMPLES)]
    Export(check::Export),
    /// Lists the book moves of a position
    #[command(after_help = probe::EXAMPLES)]
    Probe(probe::Probe),
    /// Measures how varied the openings of games are
    #[command(after_help = variety::EXAMPLES)]
    Variety(variety::Variety),
}

impl BookArguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.command {
            BookCommand::Build(build) => build.run(),
            BookCommand::Check(check) => check.run(),
            BookCommand::Convert(convert) => convert.run(),
            BookCommand::Edit(edit) => edit.run(),
            BookCommand::Export(export) => export.run(),
            BookCommand::Probe(probe) => probe.run(),
            BookCommand::Variety(variety) => variety.run(),
        }
    }
}

/// Opens a book file, or the built-in book.
fn open(path: Option<&Path>) -> Result<Book, Failure> {
    let Some(path) = path else { return Ok(Book::Builtin) };
    check_not_stream(path, "the name of a book")?;
    Ok(Book::open(path)?)
}

fn name_of(file: Option<&Path>) -> String {
    file.map_or("the book of the program".into(), |file| file.display().to_string())
}

/// Adds the name of a book to an error of reading it, unless the error has one already.
fn within(file: Option<&Path>) -> impl Fn(Failure) -> Failure + use<> {
    let name = name_of(file);
    move |failure| match failure {
        Failure::Book(error) => Failure::Book(error.within(Path::new(&name))),
        other => other,
    }
}

/// The plies to which a book is walked: compiled ones to the end.
fn walk_depth(book: &Book, max_plies: usize) -> usize {
    if book.compiled().is_some() { usize::MAX } else { max_plies }
}

/// Messages about positions that were not reached by a walk to `max_plies`.
fn omitted(walked: &Walked, max_plies: usize) -> Vec<String> {
    let unreached = walked.unreached().map(|positions| format!("not carried over: {positions}"));
    unreached.into_iter().chain(walked.cut(max_plies)).collect()
}

/// The entire contents of a compiled book, or of another book everything reachable from the start of the game. The bar counts the
/// moves of the latter.
fn contents(book: &Book, max_plies: usize, bar: &ProgressBar) -> Result<(book::Contents, Walked), Failure> {
    if let Some(compiled) = book.compiled() {
        return Ok((compiled.contents()?, Walked::default()));
    }
    let sorting = Failure::at::<std::io::Error>("sorting on disk");
    let mut collector = book::Collector::default();
    let mut bytes = Vec::new();
    let walked = book::walk(book, max_plies, &mut |reached| {
        bar.inc(reached.moves.len() as u64);
        collector.reached(reached).map_err(&sorting)
    })?;
    collector.finish(&mut bytes, 0).map_err(&sorting)?;
    Ok((book::CompiledBook::new(book::Bytes::Owned(bytes))?.contents()?, walked))
}

/// A book as a source. Of a compiled book it omits positions that no line reaches, of which only the keys are known. The bar counts the
/// moves read and written.
fn source(book: &Book, max_plies: usize, bar: &ProgressBar) -> Result<(String, Walked), Failure> {
    let (contents, mut walked) = contents(book, max_plies, bar)?;
    if book.compiled().is_some() {
        walked = book::walk(book, usize::MAX, &mut |reached| {
            bar.inc(reached.moves.len() as u64);
            Ok::<(), Failure>(())
        })?;
    }
    Ok((book::text::write_with(&contents, &mut |moves| bar.inc(moves as u64)), walked))
}
