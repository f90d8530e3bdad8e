//! Floor 4: the search. What a thread does between "go" and its best move; threads themselves are the floor above.
//!
//! [`Limits`] and [`Settings`] go in, [`Report`] and [`Outcome`] come out. Inside, from the top: `driver` deepens, `node` searches a
//! position, `quiescence` its captures; `picker` orders moves by the statistics of `history`; `margins` and `reductions` hold the
//! formulas of pruning with the numbers of [`params`]; `correction` improves evaluations; `table` remembers; `time` plans.

mod correction;
pub(crate) mod driver;
mod history;
mod limits;
mod margins;
mod mate;
mod node;
pub mod params;
mod picker;
mod quiescence;
mod reductions;
mod report;
pub(crate) mod shared;
pub(crate) mod table;
mod time;
pub(crate) mod worker;

pub use limits::{Clock, Limits, Settings};
pub use report::{Bound, CHANCES, Chances, Info, Outcome, Report, Score, win_draw_loss};
