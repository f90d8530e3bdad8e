//! The tuning tools of chuhe: training and measurement of networks and search parameters. It contains no part of the engine.
//!
//! | module | contents |
//! | --- | --- |
//! | [`book`] | extending and verifying the opening book |
//! | [`records`] | games of self-play on disk: format, reader, writer |
//! | [`datasets`] | operations on many record files: reading, statistics, merging |
//! | [`fuzzing`] | entry points of the fuzz targets |
//! | [`generation`] | a complete generation of networks, from self-play to report |
//! | [`output`] | standard output without panics |
//! | [`networks`] | networks by name |
//! | [`commands`] | the command line, one file per sub-command |
//! | [`selfplay`] | games of the engine against itself |
//! | [`spsa`] | tuning of search parameters by games |
//! | [`training`] | the trainer |
//! | [`truth`] | the error of evaluations against deep searches |
//!
//! The engine does not depend on this crate.

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

use std::fmt::Display;
use std::path::Path;

/// Adds the name of a file to an error.
fn at<E: Display>(path: &Path) -> impl Fn(E) -> anyhow::Error + Copy {
    move |error| anyhow::anyhow!("{}: {error}", path.display())
}

/// The error for a malformed line of a file, numbered from 1.
fn at_line(path: &Path, line: usize, expected: impl Display) -> anyhow::Error {
    anyhow::anyhow!("{}: line {line}: expected {expected}", path.display())
}
