//! `chuhe puzzles`: finds puzzles in games, verifies them, and trains on the terminal.

mod find;
mod output;
mod train;
mod verify;

use super::files::{Force, OutputFile};
use super::output::note;
use super::values::{listed, one_of};
use super::{Failure, check_hash};
use crate::notation::System;
use crate::puzzles::{Theme, builtin};
use crate::records::Format;
use crate::report::PieceStyle;
use crate::system::{clean_up, handle_interrupts, pgn_of_system};
use crate::threads::Control;
use clap::Args;
use output::{PuzzleFormat, expected_format};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe puzzles games.pgn -o puzzles.jsonl
  chuhe puzzles games/ -o more.pgn --nodes 20000 --jobs 4
  chuhe puzzles games/ -o later.pgn --nodes 20000 --resume
  chuhe puzzles --verify puzzles.jsonl
  chuhe puzzles --builtin -o builtin.pgn
  chuhe puzzles --train
  chuhe puzzles --train --tag mate-in-2 --min-rating 900";

/// Default node limit of a proof.
const DEFAULT_NODES: u64 = 50_000;
/// Factor by which verification searches more nodes.
const CHECK_FACTOR: u64 = 10;

/// The arguments without training. An option that requires training has to exclude them too: clap does not enforce a requirement that
/// conflicts with another argument.
const NOT_TRAINING: [&str; 3] = ["verify", "builtin", "output"];

/// What searches nothing, so that options of the search have no effect.
const NOT_SEARCHING: [&str; 2] = ["builtin", "train"];

/// Arguments of `chuhe puzzles`.
#[derive(Args, Debug)]
pub struct Puzzles {
    /// Game files of any known format, FEN or EPD lists, or folders of them; with --verify and --train, puzzle files
    #[arg(required_unless_present_any = ["builtin", "train"])]
    files: Vec<PathBuf>,
    /// Puzzle file to write: .jsonl or .pgn; with --verify, for the puzzles that pass
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["verify", "train"])]
    output: Option<PathBuf>,
    /// Nodes of the search that proves that the winning move is unique, at least 1000 (default: 50000; with --verify ten times as many)
    #[arg(long, conflicts_with_all = NOT_SEARCHING, value_parser = clap::value_parser!(u64).range(1000..))]
    nodes: Option<u64>,
    /// Games or puzzles processed in parallel, which does not affect the result
    #[arg(long, default_value_t = 1, conflicts_with_all = NOT_SEARCHING, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Hash table size per job in MiB (default: 16; with --verify 32)
    #[arg(long, conflicts_with_all = NOT_SEARCHING, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Continue an interrupted run
    #[arg(long, conflicts_with = "verify")]
    resume: bool,
    /// Check puzzles: search each again in the mirrored position, with ten times the nodes, and play out every mate
    #[arg(long)]
    verify: bool,
    /// Write the built-in puzzles
    #[arg(long, conflicts_with_all = ["files", "verify", "resume"])]
    builtin: bool,
    /// Solve puzzles on the terminal: those of the files, or the built-in ones
    #[arg(long, conflicts_with_all = ["verify", "builtin", "resume", "output", "from_format", "force"])]
    train: bool,
    /// Train puzzles with this tag only
    #[arg(long, requires = "train", conflicts_with_all = NOT_TRAINING, value_parser = listed::<Theme>(Theme::NAMES))]
    tag: Option<Theme>,
    /// Train puzzles with at least this rating
    #[arg(long, value_name = "R", requires = "train", conflicts_with_all = NOT_TRAINING)]
    min_rating: Option<u16>,
    /// Train puzzles with at most this rating
    #[arg(long, value_name = "R", requires = "train", conflicts_with_all = NOT_TRAINING)]
    max_rating: Option<u16>,
    /// Piece style while training
    #[arg(long, default_value_t, requires = "train", conflicts_with_all = NOT_TRAINING, value_parser = one_of::<PieceStyle>(PieceStyle::NAMES))]
    pieces: PieceStyle,
    /// Notation of displayed moves while training
    #[arg(long, value_name = "SYS", default_value = "wxr", requires = "train", conflicts_with_all = NOT_TRAINING, value_parser = listed::<System>(System::ids()))]
    notation: System,
    /// Print one JSON object per checked puzzle
    #[arg(long, requires = "verify", conflicts_with_all = ["builtin", "train", "resume", "from_format"])]
    json: bool,
    /// Format of the game files, by name or extension (default: by the file's content)
    #[arg(long, value_parser = listed::<Format>(Format::ids()), conflicts_with_all = ["verify", "builtin"])]
    from_format: Option<Format>,
    #[command(flatten)]
    force: Force,
}

impl Puzzles {
    pub(super) fn run(self) -> Result<(), Failure> {
        if self.builtin {
            return self.export();
        }
        if self.train {
            return train::run(&self);
        }
        check_hash(self.hash(), self.jobs as usize)?;
        if self.verify { verify::run(&self) } else { find::run(&self) }
    }

    /// Writes the built-in puzzles.
    fn export(&self) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Err(Failure::Usage("-o: expected a file to write".into())) };
        let format = PuzzleFormat::of_path(path).ok_or_else(|| expected_format(path))?;
        let (mut bytes, options) = (Vec::new(), pgn_of_system());
        for puzzle in builtin() {
            bytes.extend(format.write(&puzzle, &options).map_err(Failure::at(path.display()))?);
        }
        Ok(OutputFile::write_whole(path, &bytes, &[], self.force)?)
    }

    fn nodes(&self) -> u64 {
        self.nodes.unwrap_or(if self.verify { CHECK_FACTOR * DEFAULT_NODES } else { DEFAULT_NODES })
    }

    /// Hash table size in MiB. Verification uses another size than the first search, so that it does not have the same collisions.
    fn hash(&self) -> usize {
        self.hash.unwrap_or(if self.verify { 32 } else { 16 }) as usize
    }
}

/// Interrupt flag, and controls to stop the running searches.
#[derive(Clone, Default)]
struct Interrupt {
    stopped: Arc<AtomicBool>,
    controls: Arc<Mutex<Vec<Control>>>,
}

impl Interrupt {
    /// Stops at the first interrupt, and ends the process at the second.
    fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let handle = interrupt.clone();
        handle_interrupts(move || {
            if handle.stopped.swap(true, Ordering::SeqCst) {
                clean_up();
                std::process::exit(1);
            }
            note("stopping; interrupt again to stop at once");
            // A stop ends one search, and a puzzle takes several, the next of which may begin just now.
            let stopping = handle.clone();
            let stop_all = move || {
                while stopping.is_stopped() {
                    stopping.controls.lock().iter().for_each(Control::stop);
                    std::thread::sleep(Duration::from_millis(20));
                }
            };
            if std::thread::Builder::new().spawn(stop_all).is_err() {
                handle.controls.lock().iter().for_each(Control::stop);
            }
        });
        interrupt
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}
