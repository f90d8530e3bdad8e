//! Play: matches, games on a terminal, levels, the board in the browser, openings for test frameworks.

mod book;
mod endgames;
mod genfens;
mod levels;
mod match_files;
mod matches;
mod network;
mod serve;
mod terminal;
