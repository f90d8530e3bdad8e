//! SPSA: simultaneous perturbation stochastic approximation (Spall 1998), in the form that fishtest made popular for engines.
//!
//! Every iteration perturbs all parameters by a random sign times a step, plays a short match between the two perturbed
//! sets, and moves the parameters towards the better one. Steps shrink during the run.

mod runner;
mod tuner;

pub use runner::{MatchRunner, Runner};
pub use tuner::{Row, Settings, State};

use std::path::PathBuf;

/// An error that ends a run.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// A name that is not in the search's table of parameters.
    #[error("'{0}' is not a parameter of the search")]
    UnknownParameter(String),
    /// The state or the match program cannot be read, written or started.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: std::io::Error,
    },
    /// The state is damaged.
    #[error("{}: {error}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// The error in it.
        #[source]
        error: serde_json::Error,
    },
    /// The match program has failed.
    #[error("{} match: {message}", program.display())]
    Match {
        /// The program.
        program: PathBuf,
        /// Its last line, or what was expected there.
        message: String,
    },
}
