//! Layer 9: the arena. Engine against engine: UCI and UCCI processes, clocks, openings, our own rules as the arbiter, and
//! the statistics of the result.
//!
//! Every opening is played twice with colours reversed, and the two games count as one observation: most of what an
//! opening gives to one side cancels out ("pentanomial" statistics, as fishtest and OpenBench use them).

mod announced;
mod engine;
mod error;
mod game;
mod openings;
mod outputs;
mod pgn;
mod reply;
mod schedule;
mod spec;
mod state;
mod statistics;
mod tournament;
mod transcript;

pub use engine::{Engine, EngineFault, Turn};
pub use error::{
    ArenaError, EngineError, GameNotWritten, OpeningsError, OptionError, OutputProblem, SpecError, SprtError, StateProblem,
    TimeControlError,
};
pub use game::{Adjudication, Ending, GameRecord, Played, play};
pub use openings::{Balance, Openings, Random};
pub use pgn::{today, write_pgn};
pub use reply::{Answer, Reply};
pub use schedule::{Fixture, Pairing, Schedule};
pub use spec::{EngineSpec, Ranks, TimeControl};
pub use state::{Finished, StateFile, Stretch};
pub use statistics::{Model, Pentanomial, Sprt, SprtStatus, Summary};
pub use tournament::{Setup, Standing, Watcher, run};
