//! The opening books of a conversation: opened when they are first needed, asked before a search, told of.

use super::format::Dialect;
use super::go::GoRequest;
use super::options::{Id, Options};
use crate::board::Position;
use crate::book::{self, Book, Chosen, Opening, Question};
use crate::types::{Color, Move};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

/// What stands for the book that the program carries in a list of files.
pub const EMBEDDED: &str = "<embedded>";

/// The books that the options name.
#[derive(Debug, Default)]
pub struct Library {
    /// The list that has been opened.
    opened: Option<String>,
    books: Vec<Book>,
}

impl Library {
    /// Opens the books of a list with `;` between, unless they are open already; an empty list has none. Returns what is wrong with those that
    /// can't be; they are left out.
    fn open(&mut self, list: &str) -> Vec<String> {
        if self.opened.as_deref() == Some(list) {
            return Vec::new();
        }
        self.opened = Some(list.to_string());
        self.books.clear();
        let mut problems = Vec::new();
        let names = list.split(';').map(str::trim).filter(|name| !name.is_empty() && *name != "<empty>");
        for name in names {
            match if name == EMBEDDED { Ok(Book::Embedded) } else { Book::open(Path::new(name)) } {
                Ok(book) => self.books.push(book),
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        problems
    }

    /// The move that the books give, if they are wanted for this request, and what went wrong with them.
    pub fn choose(
        &mut self,
        dialect: Dialect,
        options: &Options,
        request: &GoRequest,
        position: &Position,
        banned: &[Move],
    ) -> (Option<Chosen>, Vec<String>) {
        let is_analysis =
            request.infinite || request.mate.is_some() || !request.search_moves.is_empty() || options.number(Id::MultiPv) > 1;
        let plies = 2 * (position.fullmove().max(1) as i64 - 1) + (position.side_to_move() == Color::Black) as i64;
        if is_analysis || !options.uses_book(dialect) || plies >= options.number(Id::BookDepth) {
            return (None, Vec::new());
        }
        let mut problems = self.open(options.text(Id::BookFile));
        let rules = options.settings().rules;
        // The standard hasher is seeded by the system: another draw each time.
        let draw = (options.choice(Id::BookMode) == 0).then(|| RandomState::new().hash_one(plies));
        let (chosen, more) = book::choose(&self.books, &Question { position, rules: &rules, banned, draw });
        problems.extend(more.iter().map(ToString::to_string));
        (chosen, problems)
    }

    /// The name of the opening that a game has reached: by the books in use, or by the one that the program carries.
    pub fn opening(&self, game: &Position) -> Option<&Opening> {
        let own = self.books.iter().filter_map(Book::table).find_map(|table| table.opening_of(game));
        own.or_else(|| book::opening_of(game))
    }
}
