//! Opening books.

use crate::board::Board;
use crate::ruling::rules;
use crate::{error, file_error};
use chuhe::book::{self, BookChoice, Question};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;

/// An opening book in any format that chuhe reads; without a path, the built-in book.
#[pyclass(frozen, module = "chuhe")]
pub struct Book {
    // SQLite books can be used by only one thread at a time.
    book: Mutex<book::Book>,
    path: Option<PathBuf>,
}

impl Book {
    fn with<T>(&self, ask: impl FnOnce(&book::Book) -> T) -> T {
        ask(&self.book.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Book> {
        let book = match &path {
            Some(path) => book::Book::open(path).map_err(|fault| file_error(path, fault))?,
            None => book::Book::Builtin,
        };
        Ok(Book { book: Mutex::new(book), path })
    }

    /// The book's legal moves in a position with their weights, by descending weight.
    fn moves(&self, board: PyRef<'_, Board>) -> PyResult<Vec<(String, u32)>> {
        let moves = self.with(|book| book.moves(board.position.board())).map_err(error)?;
        Ok(moves.into_iter().map(|found| (found.mv.to_string(), found.weight)).collect())
    }

    /// Chooses a move to play: the heaviest, or with a random number `draw` one with probability by weight; `None` if the book has no move
    /// that is safe under the rules.
    #[pyo3(signature = (board, draw = None, rules = "world"))]
    fn choose(&self, board: PyRef<'_, Board>, draw: Option<u64>, rules: &str) -> PyResult<Option<String>> {
        let rules = self::rules(rules)?;
        let question = Question { position: &board.position, rules: &rules, banned: &[], draw };
        let BookChoice { chosen, problems, .. } = self.with(|book| book::choose(std::slice::from_ref(book), &question));
        match problems.into_iter().next() {
            Some(problem) => Err(error(problem)),
            None => Ok(chosen.map(|chosen| chosen.mv.to_string())),
        }
    }

    fn __repr__(&self) -> String {
        match &self.path {
            Some(path) => format!("Book('{}')", path.display()),
            None => "Book()".into(),
        }
    }
}
