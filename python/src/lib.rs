//! The Python extension module `chuhe._chuhe`. Its public interface is in `chuhe/__init__.py` and `chuhe/_chuhe.pyi`.
//!
//! One file per class. Any input from Python gives a result or an [`Error`], never a panic: the package's tests pass arbitrary strings and
//! numbers.

mod board;
mod book;
mod endgame;
mod engine;
mod evaluate;
mod library;
mod program;
mod puzzles;
mod record;
mod ruling;

use pyo3::exceptions::{PyIsADirectoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::Path;

pyo3::create_exception!(
    chuhe,
    Error,
    PyValueError,
    "Invalid input: one line that names the input, the location in it and what was expected."
);

/// Converts an error of the library to a Python exception, with control characters escaped so that the message is one line.
fn error(error: impl std::fmt::Display) -> PyErr {
    let escaped = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    Error::new_err(error.to_string().chars().map(escaped).collect::<String>())
}

/// Converts a system error to the exception that Python's `open` would raise: the matching subclass of `OSError`, with `errno` and `filename`.
fn system_error(path: &Path, fault: &std::io::Error) -> PyErr {
    let file = path.as_os_str().to_os_string();
    // Remove the error number that Rust appends.
    let text = fault.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_string();
    match fault.raw_os_error() {
        // The fourth argument is the Windows error code, from which Python derives `errno`.
        Some(code) if cfg!(windows) => PyOSError::new_err((0, text, file, code)),
        Some(code) => PyOSError::new_err((code, text, file)),
        // Libraries that add the path to the message keep only the kind.
        None => {
            let errno = match fault.kind() {
                ErrorKind::NotFound => 2,
                ErrorKind::PermissionDenied => 13,
                ErrorKind::NotADirectory => 20,
                _ => return PyOSError::new_err(format!("{}: {fault}", path.display())),
            };
            PyOSError::new_err((errno, text, file))
        }
    }
}

/// The exception for a file that cannot be used: the system error if it cannot be opened, otherwise the given error in its contents.
fn file_error(path: &Path, fault: impl std::fmt::Display) -> PyErr {
    let system = match path.metadata() {
        Ok(data) if data.is_dir() => {
            // Unix opens directories but fails to read them; Windows denies access.
            return PyIsADirectoryError::new_err((21, "Is a directory", path.as_os_str().to_os_string()));
        }
        // Opening a pipe would block until it has a writer.
        Ok(data) if data.is_file() => std::fs::File::open(path).err(),
        Ok(_) => None,
        Err(missing) => Some(missing),
    };
    system.map_or_else(|| error(fault), |system| system_error(path, &system))
}

/// Parses a keyword, such as the name of a notation.
fn word<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(error)
}

#[pymodule]
mod _chuhe {
    #[pymodule_export]
    use super::Error;
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::book::Book;
    #[pymodule_export]
    use super::endgame::Endgame;
    #[pymodule_export]
    use super::engine::{_require_searchable, _score_from_ucci, Engine};
    #[pymodule_export]
    use super::evaluate::{_evaluations_per_second, Network, evaluate};
    #[pymodule_export]
    use super::library::Library;
    #[pymodule_export]
    use super::program::run_program;
    #[pymodule_export]
    use super::puzzles::{_puzzle_record, _puzzles};
    #[pymodule_export]
    use super::record::{_player_name, Node, Record, Records};
    #[pymodule_export]
    use super::ruling::Ruling;

    use chuhe::notation::System;
    use chuhe::records::Format;
    use chuhe::rules::RuleSet;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
        module.add("START_FEN", chuhe::board::Position::startpos().to_fen())?;
        module.add("SYSTEMS", System::ids().collect::<Vec<_>>())?;
        module.add("FORMATS", Format::ids().collect::<Vec<_>>())?;
        module.add("RULES", RuleSet::ids().collect::<Vec<_>>())
    }
}
