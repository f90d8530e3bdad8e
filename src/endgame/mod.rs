//! Layer 5: endgame tables: whether a position with few pieces is won, drawn or lost, and in how many plies.

mod captures;
mod error;
mod family;
mod file;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod king_groups;
mod layout;
mod map;
mod outcome;
mod repetition;
mod solve;
mod tables;
mod value;

pub use error::EndgameError;
pub use family::{Defenders, Family, MAX_ATTACKERS, Side, UnknownFamily};
pub use file::write;
pub use outcome::{EndgameResult, Outcome};
pub use solve::{Answers, Solution, Solver, Step, Summary};
pub use tables::{AtlasRow, EXTENSION, TableInfo, Tables, Verified};
