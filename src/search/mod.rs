//! Layer 6: the search of a single thread, from `go` to the best move. The threads themselves are one layer up.
//!
//! Input is [`Limits`] and [`Settings`], output [`Report`] and [`Outcome`]. The threads use only `Searcher`, `Task`, `ThreadResult`, `Shared`
//! and `Signals`.
//!
//! Each module calls only modules below it:
//!
//! ```text
//! driver                     iterative deepening, aspiration windows, limits, reports
//! ├── mate                   full-width search for the shortest mate
//! ├── node                   alpha-beta: the steps of a node in order
//! │   └── quiescence         quiescence search: captures, evasions and first checks
//! │       ├── searcher       state of a thread; makes moves, applies the rules, evaluates, probes and stores
//! │       │   ├── stack      per-ply state of the current line
//! │       │   └── correction correction history of the evaluation
//! │       └── picker         staged move picker
//! │           ├── history    history statistics
//! │           └── margins    formulas of pruning and reduction, static exchange evaluation
//! └── task                   one search request and the result of each thread
//!     ├── time               time management
//!     └── shared             data shared by all threads
//!         └── table          the transposition table, in memory from `memory`
//! ```
//!
//! `interface` contains the public types, `score` the numbers that stand for mates and draws, [`params`] every tuned number.

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
mod score;
mod searcher;
mod shared;
mod stack;
mod table;
mod task;
mod time;

pub use interface::{BestLines, Bound, Clock, Info, Limits, Outcome, Probe, PvNode, Report, Score, Settings};
pub(crate) use searcher::Searcher;
pub(crate) use shared::{Shared, Signals};
pub(crate) use task::{Task, ThreadResult};
#[cfg(feature = "program")]
pub(crate) use time::node_time;
