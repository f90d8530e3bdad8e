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

pub(crate) use error::{ArenaError, OpeningsError};
pub(crate) use game::{Adjudication, Ending, GameRecord};
pub(crate) use openings::{Balance, Openings, RandomOpenings};
pub(crate) use pgn::today;
pub(crate) use settings::{Fixture, MatchSettings, Pairing};
pub(crate) use spec::{EngineSpec, TimeControl};
pub use statistics::{Pentanomial, Summary};
pub(crate) use statistics::{Sprt, SprtStatus};
pub(crate) use tournament::{Standing, Watcher, run};
