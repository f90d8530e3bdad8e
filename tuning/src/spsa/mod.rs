//! SPSA: simultaneous perturbation stochastic approximation (Spall 1998), in the form that fishtest made popular for engines.
//!
//! Every iteration perturbs all parameters by a random sign times a step, plays a short match between the two perturbed
//! sets, and moves the parameters towards the better one. Steps shrink during the run.

mod runner;
mod tuner;

pub use runner::{MatchRunner, Runner};
pub use tuner::{Row, Settings, State};
