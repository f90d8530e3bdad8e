//! Batch evaluation of positions by the network.

use crate::board::Board;
use crate::{error, file_error};
use chuhe::eval;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyList};
use std::path::PathBuf;
use std::sync::Arc;

/// An evaluation network; without a path, the built-in one.
#[pyclass(frozen, module = "chuhe")]
#[derive(Clone)]
pub struct Network(pub Arc<chuhe::nnue::Network>);

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Network> {
        Ok(Network(match path {
            Some(path) => Arc::new(chuhe::nnue::Network::read(&path).map_err(|fault| file_error(&path, fault))?),
            None => Arc::clone(chuhe::nnue::Network::builtin()),
        }))
    }

    /// Description of the network and its training.
    #[getter]
    fn description(&self) -> &str {
        self.0.description()
    }

    fn __repr__(&self) -> String {
        format!("Network('{}')", self.0.description().lines().next().unwrap_or_default())
    }
}

/// Most threads.
const MOST: usize = 256;

/// Evaluates positions, given as FENs or boards, in centipawns for the side to move. Returns a sequence of 16-bit integers in native byte
/// order, which `chuhe.evaluate` converts to an array.
#[pyfunction]
#[pyo3(signature = (positions, network = None, threads = 1))]
pub fn evaluate<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyList>,
    network: Option<PyRef<'_, Network>>,
    threads: i64,
) -> PyResult<Bound<'py, PyBytes>> {
    let known = usize::try_from(threads).ok().filter(|threads| (1..=MOST).contains(threads));
    let threads = known.ok_or_else(|| error(format!("threads {threads}: expected 1 to {MOST}")))?;
    let network = network.map_or_else(|| Arc::clone(chuhe::nnue::Network::builtin()), |network| Arc::clone(&network.0));
    let mut texts = Vec::new();
    let mut boards = Vec::new();
    for (index, item) in positions.iter().enumerate() {
        if let Ok(board) = item.cast::<Board>() {
            boards.push(*board.borrow().position.board());
        } else if let Ok(text) = item.extract::<PyBackedStr>() {
            texts.push(text);
        } else {
            return Err(PyTypeError::new_err(format!("position {index}: expected a FEN or a Board")));
        }
    }
    if !texts.is_empty() && !boards.is_empty() {
        return Err(PyTypeError::new_err("expected FENs or Boards, and both were given"));
    }
    let values = py.detach(|| match texts.is_empty() {
        true => in_parts(&boards, threads, |_, board| Ok(value(&network, board))),
        false => in_parts(&texts, threads, |index, text| {
            let board = chuhe::board::Board::from_fen(text).map_err(|fault| format!("position {index}: {fault}"))?;
            Ok(value(&network, &board))
        }),
    });
    let values = values.map_err(error)?;
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// Fits 16 bits: evaluations are within 10 000 centipawns.
fn value(network: &chuhe::nnue::Network, board: &chuhe::board::Board) -> i16 {
    eval::evaluate(network, board) as i16
}

/// Processes a list on several threads, and returns the error of the first part with one.
fn in_parts<T: Sync>(
    items: &[T],
    threads: usize,
    work: impl Fn(usize, &T) -> Result<i16, String> + Sync,
) -> Result<Vec<i16>, String> {
    let part = items.len().div_ceil(threads).max(1);
    let run = |number: usize, items: &[T]| -> Result<Vec<i16>, String> {
        items.iter().enumerate().map(|(index, item)| work(number * part + index, item)).collect()
    };
    if items.len() <= part {
        return run(0, items);
    }
    let run = &run;
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            items.chunks(part).enumerate().map(|(number, items)| scope.spawn(move || run(number, items))).collect();
        let mut values = Vec::with_capacity(items.len());
        for thread in threads {
            values.extend(thread.join().map_err(|_| "a thread has failed".to_string())??);
        }
        Ok(values)
    })
}

/// Evaluations per second of a pure Rust loop over the same positions, for comparison.
#[pyfunction]
#[pyo3(signature = (positions))]
pub fn _evaluations_per_second(py: Python<'_>, positions: &Bound<'_, PyList>) -> PyResult<f64> {
    let network = Arc::clone(chuhe::nnue::Network::builtin());
    let boards: Option<Vec<_>> =
        positions.iter().map(|item| item.cast::<Board>().ok().map(|board| *board.borrow().position.board())).collect();
    let texts: Option<Vec<String>> = positions.iter().map(|item| item.extract().ok()).collect();
    py.detach(|| {
        let start = std::time::Instant::now();
        let sum: i64 = match (&boards, &texts) {
            (Some(boards), _) => boards.iter().map(|board| value(&network, board) as i64).sum(),
            (None, Some(texts)) => {
                let boards = texts.iter().filter_map(|text| chuhe::board::Board::from_fen(text).ok());
                boards.map(|board| value(&network, &board) as i64).sum()
            }
            (None, None) => return Err(PyTypeError::new_err("expected FENs or Boards")),
        };
        std::hint::black_box(sum);
        Ok(positions_count(&boards, &texts) / start.elapsed().as_secs_f64().max(1e-9))
    })
}

fn positions_count<A, B>(boards: &Option<Vec<A>>, texts: &Option<Vec<B>>) -> f64 {
    boards.as_ref().map_or_else(|| texts.as_ref().map_or(0, Vec::len), Vec::len) as f64
}
