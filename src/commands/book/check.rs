//! `chuhe book check` and `chuhe book export`.

use super::{contents, open};
use crate::book::{self, Book, text};
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;

/// Arguments of `chuhe book check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Book of any form (default: the one that the program carries)
    file: Option<PathBuf>,
    /// Plies from the start of the game after which the walk through the book turns round
    #[arg(long, default_value_t = 200)]
    max_plies: usize,
}

impl Check {
    pub(super) fn run(self) -> Result<(), String> {
        let within = |error: String| match &self.file {
            Some(file) => format!("{}: {error}", file.display()),
            None => format!("the book of the program: {error}"),
        };
        let book = open(self.file.as_deref())?;
        // Ours holds nothing that can't be stated; of the others only what can be reached can be judged.
        let entries = match &book {
            Book::Table(_) | Book::Embedded => contents(&book, self.max_plies).map_err(within)?.entries.len(),
            Book::BookDat(book) => book.len(),
            Book::Obk(_) | Book::Xqb(_) => 0,
        };
        let (mut positions, mut moves, mut ends, mut deepest) = (0u64, 0u64, 0u64, 0);
        let mut names = HashSet::new();
        let visited = book::walk(&book, self.max_plies, &mut |reached| {
            positions += !reached.moves.is_empty() as u64;
            moves += reached.moves.len() as u64;
            ends += reached.moves.is_empty() as u64;
            deepest = deepest.max(reached.ply);
            names.extend(book.table().and_then(|table| table.opening(reached.board)));
            Ok(())
        });
        visited.map_err(within)?;
        print!("positions {positions} moves {moves} ends {ends} names {} plies {deepest}", names.len());
        match book.table() {
            // What a limit on games has cut off the way to is there, but never asked.
            Some(table) => println!(" unreached {}", entries.saturating_sub(moves as usize + bare_names(table))),
            None => println!(),
        }
        Ok(())
    }
}

/// Entries that give a position without moves its name.
fn bare_names(table: &book::Table) -> usize {
    table.contents().map_or(0, |contents| contents.entries.iter().filter(|entry| entry.mv.is_none()).count())
}

/// Arguments of `chuhe book export`.
#[derive(Args, Debug)]
pub struct Export {
    /// Book of any form (default: the one that the program carries)
    file: Option<PathBuf>,
    /// File to write, `-` for standard output
    #[arg(short, long, default_value = "-")]
    output: PathBuf,
    /// Plies from the start of the game to which books of other programs are followed
    #[arg(long, default_value_t = 200)]
    max_plies: usize,
}

impl Export {
    pub(super) fn run(self) -> Result<(), String> {
        let book = open(self.file.as_deref())?;
        let text = text::write(&contents(&book, self.max_plies)?);
        if self.output.as_os_str() == "-" {
            print!("{text}");
            return Ok(());
        }
        std::fs::write(&self.output, text).map_err(|error| format!("{}: {error}", self.output.display()))
    }
}
