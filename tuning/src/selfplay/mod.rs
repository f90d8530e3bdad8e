//! Games of the engine against itself, as data for training.
//!
//! A run is a [`Plan`]: a seed and all that decides how games are played. Game number `n` of a plan is the same whoever
//! plays it and when: every game starts with an empty table and with randomness drawn from the seed and its number alone. So
//! a run can be stopped at any moment, by a kill too, and continues with the numbers that are missing in its file.

mod adjudication;
mod compare;
mod game;
mod opening;
mod plan;
mod run;

pub use adjudication::Adjudicator;
pub use compare::{Score, compare};
pub use game::{Player, play, play_pair};
pub use opening::{random_move, random_opening};
pub use plan::{Adjudication, Plan};
pub use run::{Progress, SelfPlayError, run};
