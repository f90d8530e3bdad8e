//! Opening books.

use crate::board::Board;
use crate::ruling::rules;
use crate::{error, file_error};
use chuhe::book::{self, BookChoice, Question};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;

/// An opening book of any form that chuhe reads; without a path the one that is built in.
#[pyclass(frozen, module = "chuhe")]
pub struct Book {
    // Books in SQLite files are used by one thread at a time.
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
            None => book::Book::Embedded,
        };
        Ok(Book { book: Mutex::new(book), path })
    }

    /// The legal moves that the book knows in a position with their weights, the heaviest first.
    fn moves(&self, board: PyRef<'_, Board>) -> PyResult<Vec<(String, u32)>> {
        let moves = self.with(|book| book.moves(board.position.board())).map_err(error)?;
        Ok(moves.into_iter().map(|found| (found.mv.to_string(), found.weight)).collect())
    }

    /// A move to play: the heaviest, or by weight where `draw` is any number; none when the book knows none that is safe by
    /// the rules.
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
