//! Floor 4: the search.

mod limits;
mod report;

pub use limits::{Clock, Limits, Settings};
pub use report::{Bound, Info, Outcome, Report, Score};
