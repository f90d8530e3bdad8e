//! Layer 9: the arena. Matches between UCI and UCCI engine processes: clocks, openings, adjudication by our own rules, and statistics of
//! the result.
//!
//! Every opening is played twice with colours reversed, and the two games count as one observation, so that most of an opening's advantage
//! for one side cancels out (pentanomial statistics, as in fishtest and OpenBench).

mod announced;
mod engine;
mod error;
mod game;
mod openings;
mod outputs;
mod pgn;
mod reply;
mod settings;
mod spec;
mod state;
mod statistics;
mod tournament;
mod transcript;

pub use error::{ArenaError, EngineError, GameNotWritten, OpeningsError, OptionError, OutputProblem, StateProblem};
pub use game::{Adjudication, Ending, GameRecord, Played};
pub use openings::{Balance, Openings, RandomOpenings};
pub use pgn::today;
pub use settings::{Fixture, MatchSettings, Pairing, Schedule};
pub use spec::{EngineSpec, Ranks, SpecError, TimeControl, TimeControlError};
pub use statistics::{Model, Pentanomial, Sprt, SprtError, SprtStatus, Summary};
pub use tournament::{Standing, Watcher, run};
