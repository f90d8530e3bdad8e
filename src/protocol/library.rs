//! The opening books of a conversation: opened when they are first needed and probed before a search.

use super::dialect::Dialect;
use super::go::GoRequest;
use super::options::{EMBEDDED, Id, Options};
use super::registry::EMPTY;
use crate::board::Position;
use crate::book::{self, Book, Chosen, Opening, Question};
use crate::types::{Color, Move};
use std::hash::{BuildHasher, RandomState};

/// The books that the options name.
#[derive(Debug, Default)]
pub struct Library {
    /// The list that has been opened.
    opened: Option<Vec<u8>>,
    books: Vec<Book>,
}

impl Library {
    /// Opens the books of the list in the options, with `;` between, unless they are open already; an empty list has none.
    /// Returns what is wrong with those that cannot be opened; they are left out.
    fn open(&mut self, options: &Options) -> Vec<String> {
        let list = options.text(Id::BookFile);
        if self.opened.as_deref() == Some(list) {
            return Vec::new();
        }
        self.opened = Some(list.to_vec());
        self.books.clear();
        let mut problems = Vec::new();
        // The byte of `;` is no part of a character in any encoding that a client uses.
        for name in list.split(|&byte| byte == b';').map(<[u8]>::trim_ascii) {
            if name.is_empty() || name == EMPTY.as_bytes() {
                continue;
            }
            match if name == EMBEDDED.as_bytes() { Ok(Book::Embedded) } else { Book::open(&options.path(name)) } {
                Ok(book) => self.books.push(book),
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        problems
    }

    /// The move that the books give, if this request wants one from them, and what went wrong with them.
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
        let mut problems = self.open(options);
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
