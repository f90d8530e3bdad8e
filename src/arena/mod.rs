//! Floor 7: the arena. Engine against engine: UCI and UCCI processes, clocks, openings, our own rules as the arbiter, and
//! the statistics of the result.
//!
//! Every opening is played twice with colours reversed, and the two games count as one observation: most of what an
//! opening gives to one side cancels out ("pentanomial" statistics, as fishtest and OpenBench use them).

mod engine;
mod game;
mod openings;
mod pgn;
mod reply;
mod spec;
mod state;
mod statistics;
mod tournament;

pub use engine::{Engine, Fault, Turn};
pub use game::{Adjudication, Ending, GameRecord, Played, play};
pub use openings::{Balance, Openings, Random};
pub use pgn::write_pgn;
pub use reply::{Answer, Reply};
pub use spec::{EngineSpec, Protocol, Ranks, TimeControl};
pub use state::{Finished, StateFile};
pub use statistics::{Model, Pentanomial, Sprt, SprtStatus, Summary};
pub use tournament::{Setup, Standing, Watcher, run};
