//! SPSA: simultaneous perturbation stochastic approximation (Spall 1998), in the form that fishtest made common for engines.
//!
//! Every iteration moves all parameters at once by a random sign times a step, plays a short match between the two sides of
//! the step, and moves the parameters towards the side that did better. Steps shrink as the run goes on.

mod runner;
mod tuner;

pub use runner::{MatchRunner, Runner};
pub use tuner::{Row, Settings, State};
