//! The Python module `chuhe._chuhe`. What users see of it is in `chuhe/__init__.py` and `chuhe/_chuhe.pyi`.
//!
//! One file a class. Whatever Python hands over becomes a [`Error`] or an answer, never a panic: the tests of the package send
//! arbitrary texts and numbers to every function.

mod board;
mod book;
mod engine;
mod evaluate;
mod program;
mod record;
mod ruling;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    chuhe,
    Error,
    PyValueError,
    "What chuhe cannot do: one line that names the input, the place in it and what was expected."
);

/// An error of the library as one of Python: one line, whatever text it quotes.
fn error(error: impl std::fmt::Display) -> PyErr {
    let escaped = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    Error::new_err(error.to_string().chars().map(escaped).collect::<String>())
}

/// A word of a fixed list, such as the name of a notation.
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
    use super::engine::Engine;
    #[pymodule_export]
    use super::evaluate::{_evaluations_per_second, Network, evaluate};
    #[pymodule_export]
    use super::program::run_program;
    #[pymodule_export]
    use super::record::{Node, Record, Records};
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
