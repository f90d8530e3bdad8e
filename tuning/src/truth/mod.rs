//! The truth set: quiet positions of many sources with the scores of deep searches, and the error of a network's static evaluation
//! against them.
//!
//! It takes two thousand games to measure a difference of twelve Elo between two networks. The squared difference between a
//! network's evaluation and a deep search shows it in a minute, since it needs only positions, not results. The score of a
//! search depends only a little on its network (the second teacher verifies this: the ranking of the
//! networks is the same with either one).

mod label;
mod measure;
mod set;

pub use label::{Labelling, label};
pub use measure::{Error, Report, chance, measure};
pub use set::{Entry, Header, Set, Source};
