//! Games of the engine against itself, as training data.
//!
//! A run is defined by a [`SelfPlayPlan`]: a seed and all settings of the games. Game number `n` of a plan is always the same, on every
//! machine: every game starts with an empty table, and its random numbers depend only on the seed and its number. So
//! a run can be interrupted at any moment, even by a kill, and continues with the numbers that are missing in its file.

mod adjudication;
mod compare;
mod game;
mod opening;
mod plan;
mod run;

pub use adjudication::Adjudicator;
pub use compare::{Score, compare};
pub use game::{NetworkPlayer, play, play_pair};
pub use opening::{random_endgame, random_move, random_opening};
pub use plan::{Adjudication, SelfPlayPlan};
pub use run::{Progress, SelfPlayError, run};
