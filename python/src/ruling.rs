//! Rulings: verdicts and their reasons.

use crate::{error, word};
use chuhe::rules::{Cause, Fold, GameResult, Language, Verdict};
use chuhe::types::Color;
use pyo3::prelude::*;

/// The verdict of the rules on a position, with its reasons.
#[pyclass(frozen, module = "chuhe")]
pub struct Ruling(pub chuhe::rules::Ruling);

fn language(name: &str) -> PyResult<Language> {
    name.parse().map_err(error)
}

#[pymethods]
impl Ruling {
    /// `red-loses`, `black-loses`, `draw` or `undecided`. For the verdict that a further repetition would bring, see `threatens`.
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.0.verdict {
            Verdict::Final(result) => name(result),
            Verdict::None | Verdict::Provisional(_) => "undecided",
        }
    }

    /// The verdict if the position is repeated once more; `None` without a repetition.
    #[getter]
    fn threatens(&self) -> Option<&'static str> {
        match self.0.verdict {
            Verdict::Provisional(result) => Some(name(result)),
            Verdict::None | Verdict::Final(_) => None,
        }
    }

    /// The cause: `ongoing`, `checkmate`, `stalemate`, `repetition`, `natural-limit` or `bare-material`.
    #[getter]
    fn cause(&self) -> &'static str {
        match &self.0.cause {
            Cause::Ongoing => "ongoing",
            Cause::Checkmate(_) => "checkmate",
            Cause::Stalemate(_) => "stalemate",
            Cause::Repetition(_) => "repetition",
            Cause::NaturalLimit(_) => "natural-limit",
            Cause::BareMaterial => "bare-material",
        }
    }

    /// The number of occurrences of a repeated position that are judged, 2 or 3; `None` without a repetition.
    #[getter]
    fn fold(&self) -> Option<u8> {
        match &self.0.cause {
            Cause::Repetition(repetition) => Some(if repetition.fold == Fold::Second { 2 } else { 3 }),
            _ => None,
        }
    }

    /// The moves of the loop, oldest first; empty without a repetition.
    #[getter]
    fn loop_moves(&self) -> Vec<String> {
        match &self.0.cause {
            Cause::Repetition(repetition) => repetition.moves.iter().map(|report| report.mv.to_string()).collect(),
            _ => Vec::new(),
        }
    }

    /// A one-sentence summary, in English (`en`) or Chinese (`zh`).
    #[pyo3(signature = (lang = "en"))]
    fn summary(&self, lang: &str) -> PyResult<String> {
        Ok(self.0.summary(language(lang)?))
    }

    /// The classification of each move and the offences of each side, one line each.
    #[pyo3(signature = (lang = "en"))]
    fn reasons(&self, lang: &str) -> PyResult<Vec<String>> {
        Ok(self.0.lines(language(lang)?))
    }

    fn __repr__(&self) -> String {
        format!("Ruling('{}')", self.0.summary(Language::English))
    }
}

fn name(result: GameResult) -> &'static str {
    match result {
        GameResult::Loses(Color::Red) => "red-loses",
        GameResult::Loses(Color::Black) => "black-loses",
        GameResult::Draw => "draw",
    }
}

/// The rules of a rule set by name, with the standard natural limit.
pub fn rules(name: &str) -> PyResult<chuhe::rules::Rules> {
    Ok(chuhe::rules::Rules { set: word(name)?, ..Default::default() })
}
