//! The opening books of a session.

use super::dialect::Dialect;
use super::options::{BUILTIN_BOOK, BookMode, Options, names};
use crate::board::Position;
use crate::book::{self, Book, BookChoice, Opening, Question, Version};
use crate::types::{Color, Move};
use std::path::PathBuf;
use std::time::Duration;

/// Time to wait for another program that writes a book; short, since the clock is running.
const LOCK_TIMEOUT: Duration = Duration::from_millis(50);

/// The opening books of the options, opened at `isready` or when first needed, and probed before a search.
#[derive(Debug, Default)]
pub struct Books {
    /// The value of `Book File` that has been opened.
    opened: Option<Vec<u8>>,
    /// For each of its files the time of the last change and the length; `None` if there is no file.
    versions: Vec<Option<Version>>,
    books: Vec<Book>,
    /// Errors from opening them that have not been reported.
    problems: Vec<String>,
}

impl Books {
    /// Opens the books listed in `Book File`, separated by `;`, if they are used, unless they are already open and unchanged. Books that
    /// cannot be opened are skipped; [`Books::choose`] returns their errors.
    pub fn open(&mut self, dialect: Dialect, options: &Options) {
        if !options.uses_book(dialect) {
            return;
        }
        let list = &options.values.book_file[..];
        let path = |name: &[u8]| (name != BUILTIN_BOOK.as_bytes()).then(|| options.input_path(name));
        let paths: Vec<Option<PathBuf>> = names(list).map(path).collect();
        let versions: Vec<_> = paths.iter().map(|path| book::version_of(path.as_ref()?)).collect();
        // A file that is gone for the moment stays as it was read.
        let is_changed = versions.iter().zip(&self.versions).any(|(now, before)| now.is_some() && now != before);
        if self.opened.as_deref() == Some(list) && !is_changed {
            return;
        }
        (self.opened, self.versions) = (Some(list.to_vec()), versions);
        self.books.clear();
        self.problems.clear();
        for path in paths {
            match path.map_or(Ok(Book::Builtin), |path| Book::open_for_lookups(&path, LOCK_TIMEOUT)) {
                Ok(book) => self.books.push(book),
                Err(problem) => self.problems.push(problem.to_string()),
            }
        }
    }

    /// Probes the books if the options allow a book move. Also returns errors from opening them.
    pub fn choose(
        &mut self,
        dialect: Dialect,
        options: &Options,
        position: &Position,
        banned: &[Move],
    ) -> (BookChoice, Vec<String>) {
        let plies = 2 * (position.fullmove().max(1) as i64 - 1) + (position.side_to_move() == Color::Black) as i64;
        if options.values.multipv > 1 || !options.uses_book(dialect) || plies >= options.values.book_depth {
            return (BookChoice::default(), Vec::new());
        }
        self.open(dialect, options);
        let rules = options.settings().rules;
        let draw = (options.values.book_mode == BookMode::Weighted).then(|| fastrand::u64(..));
        let choice = book::choose(&self.books, &Question { position, rules: &rules, banned, draw });
        (choice, std::mem::take(&mut self.problems))
    }

    /// The name of the opening that a game has reached, from the books in use or from the built-in one.
    pub fn opening(&self, game: &Position) -> Option<&Opening> {
        let own = self.books.iter().filter_map(Book::compiled).find_map(|compiled| compiled.opening_of(game));
        own.or_else(|| book::opening_of(game))
    }
}
