//! The truth set: quiet positions of many sources with the scores of deep searches, and how far a network's static evaluation is
//! from them.
//!
//! Games between two networks measure a difference of twelve Elo with two thousand games. The squared distance between a
//! network's evaluation and a deep search shows it in a minute, since it needs no result, only positions. The score of a
//! search depends on its network only a little (that is what the second teacher is for: with either one the order of the
//! networks is the same).

mod label;
mod measure;
mod set;

pub use label::{Labelling, label};
pub use measure::{Error, Report, chance, measure};
pub use set::{Entry, Header, Set, SetError, Source};
