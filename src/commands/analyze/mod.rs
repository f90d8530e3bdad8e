//! `chuhe analyze`: positions and games, one after another, as JSON Lines.
//!
//! # Many machines
//!
//! A line of output answers one line of input, so a list is cut anywhere and shared out by tools made for that:
//! `engine-tests/scripts/analyze_parallel.sh` does it with GNU parallel (over ssh with `--sshlogin`) and
//! `engine-tests/scripts/analyze_ray.py` with a Ray cluster. Both keep the order of the input. With `--fresh` and a limit of
//! depth or nodes the answers are the same to the last node wherever they were found; without it a search profits from what
//! the one before it left in the table.

mod input;
mod pipeline;

use super::Failure;
use crate::notation::System;
use crate::records::Format;
use crate::report::PieceStyle;
use crate::rules::{RuleSet, Rules};
use crate::search::{Limits, Settings};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `chuhe analyze`.
#[derive(Args, Debug)]
pub struct Analyze {
    /// Lists of FEN or EPD, or game files of any known format; `-` is standard input
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
    /// Plies to search
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=200))]
    depth: Option<i32>,
    /// Nodes to search
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds to search (default: 1000, when neither depth nor nodes are given)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    movetime: Option<u64>,
    /// Best lines to find
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,
    /// Threads for one position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Positions searched at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// MiB of hash table for each job
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Forget everything learnt before each position, so that its result depends on nothing else; slower in long lists
    #[arg(long)]
    fresh: bool,
    /// Notation of the moves of games
    #[arg(long, default_value = "chinese")]
    notation: System,
    /// Rules of repetition
    #[arg(long, value_enum, default_value_t = RulesName::World)]
    rules: RulesName,
    /// Format of the files: pgn, xqf, cbr, cbl, cbf, ubb or fen (default: by the file's mark or extension)
    #[arg(long)]
    from_format: Option<Format>,
    /// File to write to, going on behind the results that it holds already
    #[arg(long, value_name = "OUT")]
    resume: Option<PathBuf>,
    /// One self-contained page with diagrams, graph and moves
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// What is drawn on the pieces of the report at first
    #[arg(long, value_enum, default_value_t = StyleName::Characters)]
    pieces: StyleName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RulesName {
    World,
    Chinese,
    Simple,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleName {
    Characters,
    Letters,
}

/// Time for a position when no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

impl Analyze {
    pub(super) fn run(self) -> Result<(), Failure> {
        Ok(pipeline::run(&self)?)
    }

    /// The limits of one search that begins now.
    fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let movetime = self.movetime.or(unlimited.then_some(DEFAULT_MOVETIME));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: movetime.map(Duration::from_millis),
            multipv: self.multipv as usize,
            ..Limits::none()
        }
    }

    fn settings(&self) -> Settings {
        let set = match self.rules {
            RulesName::World => RuleSet::World,
            RulesName::Chinese => RuleSet::Chinese,
            RulesName::Simple => RuleSet::Simple,
        };
        Settings { rules: Rules { set, ..Rules::default() }, move_overhead: Duration::ZERO, ..Settings::default() }
    }

    fn style(&self) -> PieceStyle {
        match self.pieces {
            StyleName::Characters => PieceStyle::Characters,
            StyleName::Letters => PieceStyle::Letters,
        }
    }
}
