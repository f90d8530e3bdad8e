//! Layer 6: the search. What one thread does between `go` and its best move; the threads themselves are one layer up.
//!
//! [`Limits`] and [`Settings`] go in, [`Report`] and [`Outcome`] come out. The threads use `Searcher`, `Task`, `Found`, `Shared` and
//! `Signals`, nothing else.
//!
//! Each module calls only modules below it:
//!
//! ```text
//! driver                     iterative deepening, aspiration windows, limits, reports
//! ├── mate                   shortest mates by full width
//! ├── node                   alpha-beta: the steps of a node in order
//! │   └── quiescence         captures, evasions and first checks
//! │       ├── searcher       what a thread owns; makes moves, applies the rules, evaluates, probes and stores
//! │       │   ├── stack      the state of the nodes on the line
//! │       │   └── correction corrections of the evaluation
//! │       └── picker         the moves of a node in order
//! │           ├── history    statistics of moves
//! │           └── margins    formulas of pruning and reduction, exchanges
//! └── task                   what is asked for, what each thread finds
//!     ├── time               how long to think
//!     └── shared             what all threads share
//!         └── table          the transposition table, in the pages of memory
//! ```
//!
//! `interface` holds the public data, [`params`] every tuned number.

mod correction;
mod driver;
mod history;
mod interface;
mod margins;
pub mod mate;
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

pub use interface::{BestLines, Bound, Clock, Info, Limits, Outcome, Probe, Report, Score, Settings};
pub(crate) use searcher::Searcher;
pub(crate) use shared::{Shared, Signals};
pub(crate) use task::{Found, Task};
