//! Perft counts, repetition verdicts and endgame tables.

mod endgames;
mod perft;
mod repetition_property;
mod repetition_search;
mod repetitions;
