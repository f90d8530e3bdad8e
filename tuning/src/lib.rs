//! The laboratory of chuhe: everything that makes and measures a network or a set of parameters, and nothing that plays.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`book`] | growing and checking the opening book |
//! | [`records`] | games of self-play on disk: format, reader, writer |
//! | [`datasets`] | many record files at once: statistics, deduplication, shuffling |
//! | [`fuzzing`] | what the fuzz targets call |
//! | [`generation`] | a whole generation of networks, from self-play to report |
//! | [`output`] | standard output that nothing panics on |
//! | [`networks`] | networks by name |
//! | [`commands`] | the command line, one file a sub-command |
//! | [`selfplay`] | games of the engine against itself |
//! | [`spsa`] | tuning of the search's numbers by games |
//! | [`training`] | the trainer |
//! | [`truth`] | the distance between evaluations and deep searches |
//!
//! The engine never depends on this crate.

#![deny(missing_docs)]

pub mod book;
pub mod commands;
pub mod datasets;
pub mod fuzzing;
pub mod generation;
pub mod networks;
pub mod output;
pub mod records;
pub mod selfplay;
pub mod spsa;
pub mod training;
pub mod truth;
