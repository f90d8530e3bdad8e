//! Moves counted and repetitions judged.

mod endgames;
mod perft;
mod repetition_property;
mod repetition_search;
mod repetitions;
