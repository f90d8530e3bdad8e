//! Exact endgames.

use crate::board::Board;
use crate::file_error;
use chuhe::endgame::{Outcome, Tables};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Endgame tables: the built-in ones and, with a path, those in a folder written by `chuhe endgame build`.
#[pyclass(frozen, subclass, module = "chuhe._chuhe")]
pub struct Endgame {
    tables: Arc<Tables>,
    path: Option<PathBuf>,
}

/// A result, its plies to mate (`None` for a draw), and whether the win depends on the rules of repetition.
type Exact = (&'static str, Option<u16>, bool);

fn exact(outcome: Outcome) -> Exact {
    (outcome.result.name(), outcome.distance(), outcome.by_repetition)
}

#[pymethods]
impl Endgame {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Endgame> {
        let tables = match &path {
            Some(path) => Arc::new(py.detach(|| Tables::open(path)).map_err(|fault| file_error_of(path, fault))?),
            None => Arc::clone(Tables::builtin()),
        };
        Ok(Endgame { tables, path })
    }

    /// The material families of the tables, such as `R-D`, sorted.
    #[getter]
    fn families(&self) -> Vec<String> {
        self.tables.list().into_iter().map(|table| table.family.to_string()).collect()
    }

    /// The exact result of a position for the side to move.
    fn _probe(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<Option<Exact>> {
        // Copied here and below, because other threads may play on the board meanwhile.
        let board = *board.try_borrow()?.position.board();
        Ok(py.detach(|| self.tables.probe(&board)).map(exact))
    }

    /// The exact results of the legal moves for the side that plays them, best first.
    fn _moves(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<Vec<(String, Option<Exact>)>> {
        let board = *board.try_borrow()?.position.board();
        let moves = py.detach(|| self.tables.ranked_moves(&board));
        Ok(moves.into_iter().map(|(mv, outcome)| (mv.to_string(), outcome.map(exact))).collect())
    }

    /// The moves of best play to the end; empty for a draw, and if no table contains the position.
    fn best_line(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<Vec<String>> {
        let position = board.try_borrow()?.position.clone();
        Ok(py.detach(|| self.tables.best_line(&position)).iter().map(ToString::to_string).collect())
    }

    fn __repr__(&self) -> String {
        match &self.path {
            Some(path) => format!("Endgame('{}')", path.display()),
            None => "Endgame()".into(),
        }
    }
}

/// The error for a folder that cannot be read, or for an invalid table in it.
fn file_error_of(path: &std::path::Path, fault: impl std::fmt::Display) -> PyErr {
    if path.is_dir() { crate::error(fault) } else { file_error(path, fault) }
}
