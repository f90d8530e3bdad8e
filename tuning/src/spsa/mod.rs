//! SPSA: simultaneous perturbation stochastic approximation (Spall 1998), in the form that fishtest made common for engines.
//!
//! Every iteration moves all parameters at once by a random sign times a step, plays a short match between the two sides of
//! the step, and moves the parameters towards the side that did better. Steps shrink as the run continues.

mod runner;
mod tuner;

pub use runner::{MatchRunner, Runner};
pub use tuner::{Row, Settings, State};

use std::path::PathBuf;

/// What ends a run.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// A name that the table of the search does not have.
    #[error("'{0}' is not a parameter of the search")]
    UnknownParameter(String),
    /// The state or the match program cannot be read, written or started.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// The state is damaged.
    #[error("{}: {error}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: serde_json::Error,
    },
    /// The match program has failed.
    #[error("{} match: {message}", program.display())]
    Match {
        /// The program.
        program: PathBuf,
        /// Its last line, or what was expected of it.
        message: String,
    },
}
