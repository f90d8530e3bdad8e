//! Puzzles.

use crate::record::Record;
use crate::{error, file_error};
use chuhe::puzzles::text::read;
use chuhe::puzzles::{Puzzle, builtin_text};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The puzzles of a file, or the built-in ones, each as a line of JSON.
#[pyfunction]
#[pyo3(signature = (path = None))]
pub fn _puzzles(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Vec<String>> {
    let Some(path) = path else { return Ok(builtin_text().lines().map(str::to_string).collect()) };
    py.detach(|| {
        let bytes = std::fs::read(&path).map_err(|fault| file_error(&path, fault))?;
        let lines = read(bytes).map(|puzzle| puzzle.map(|puzzle| puzzle.to_json()));
        lines.collect::<Result<_, _>>().map_err(|fault| error(format!("{}: {fault}", path.display())))
    })
}

/// Converts a puzzle, given as a line of JSON, to a game record with its tags.
#[pyfunction]
pub fn _puzzle_record(line: &str) -> PyResult<Record> {
    Ok(Record { record: Puzzle::from_json(line).map_err(error)?.to_record() })
}
