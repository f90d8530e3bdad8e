//! Floor 6: the search. What a thread does between "go" and its best move; the threads themselves are one floor up.
//!
//! [`Limits`] and [`Settings`] go in, [`Report`] and [`Outcome`] come out. The threads use `Searcher`, `Task`, `Found`, `Shared` and
//! `Signals`, nothing else. From the top: `driver` deepens; `node` searches a position in steps, which `evaluation`, `pruning`,
//! `extensions` and `reductions` hold, with the formulas of `margins` and the numbers of [`params`]; `quiescence` searches captures; `picker` orders moves by `exchange` and by the statistics of `history`; `correction` corrects evaluations; `table`
//! stores results in `memory`; `time` plans; `mate` proves shortest mates.

mod correction;
mod driver;
mod history;
mod interface;
mod margins;
mod mate;
mod memory;
mod node;
pub mod params;
mod picker;
mod quiescence;
mod searcher;
mod shared;
mod stack;
mod table;
mod task;
mod time;

pub use interface::{Bound, Clock, Info, Limits, Outcome, Probe, Report, Score, Settings};
pub(crate) use memory::has_memory;
pub(crate) use searcher::Searcher;
pub(crate) use shared::{Shared, Signals};
pub(crate) use task::{Found, Task};
