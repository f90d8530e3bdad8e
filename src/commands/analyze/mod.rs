//! `chuhe analyze`: analyses positions and games in input order, with output as text for a terminal, as JSON Lines or as a page.
//!
//! # Distribution over several machines
//!
//! Each line of input gives one line of output, so a list can be split anywhere and distributed by existing tools:
//! `engine-tests/scripts/analyze_parallel.sh` does it with GNU parallel (over ssh with `--sshlogin`) and
//! `python -m chuhe.cluster analyze` with a Ray cluster. Both keep the order of the input. With `--fresh` and a depth or node limit the
//! results, node counts included, do not depend on the machine; without `--fresh` a search reuses the hash table of the previous one.

mod earlier;
mod error;
mod input;
mod resume;
mod run;
mod writer;

pub(super) use input::{Item, read_all};

use super::files::{Force, check_not_stream};
use super::inputs::is_page;
use super::output::note;
use super::values::{listed, one_of};
use super::{Failure, check_hash};
use crate::book::{Book, PATIENCE};
use crate::endgame::Tables;
use crate::notation::{Notation, Script, System};
use crate::records::Format;
use crate::report::{PieceStyle, ScoreUnit, View};
use crate::rules::{Language, RuleSet, Rules};
use crate::search::{Limits, Settings};
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Arguments of `chuhe analyze`.
#[derive(Args, Debug)]
pub struct Analyze {
    /// FEN or EPD lists, game files of any known format, or folders of them; `-` is standard input
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
    /// Search depth in plies
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
    /// Threads per position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Positions searched in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Hash table size per job in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Clear hash table and histories before each position, so that results are independent of each other; slower in long lists
    #[arg(long)]
    fresh: bool,
    /// JSON Lines, even on a terminal
    #[arg(long, conflicts_with = "summary")]
    json: bool,
    /// Readable text, even if the output is not a terminal
    #[arg(long, conflicts_with = "resume")]
    summary: bool,
    /// Notation of all moves in the text and the reviews, and initial notation of the page (default: wxr in English,
    /// chinese-simplified in Chinese)
    #[arg(long, value_parser = listed::<System>(System::ids()))]
    notation: Option<System>,
    /// Script of the notations shorthand and descriptive
    #[arg(long, default_value_t, value_parser = one_of::<Script>(Script::NAMES))]
    script: Script,
    /// Language of the text, and initial language of the page
    #[arg(long, alias = "lang", default_value_t, value_parser = listed::<Language>(Language::NAMES))]
    language: Language,
    /// Unit of scores in the text, and initial unit in the page: pawns with two digits from Red's view, or Red's expected score in percent
    #[arg(long, default_value_t, value_parser = one_of::<ScoreUnit>(ScoreUnit::NAMES))]
    score: ScoreUnit,
    /// Opening book, whose moves are marked instead of judged: any file that `chuhe book` reads, or `none` (default: the built-in
    /// one)
    #[arg(long, value_name = "FILE|none")]
    book: Option<PathBuf>,
    /// Folder of endgame tables written by `chuhe endgame build`, in addition to the built-in ones; may be repeated
    #[arg(long, value_name = "DIR")]
    endgames: Vec<PathBuf>,
    /// The tables of these folders, read on first use
    #[arg(skip)]
    tables: OnceLock<Arc<Tables>>,
    /// Repetition rules
    #[arg(long, default_value_t, value_parser = one_of::<RuleSet>(RuleSet::ids()))]
    rules: RuleSet,
    /// Format of the files, by name or extension (default: by the file's content)
    #[arg(long, value_parser = listed::<Format>(Format::ids()))]
    from_format: Option<Format>,
    /// File to write JSON Lines to, continuing after the results it already contains
    #[arg(long, value_name = "OUT")]
    resume: Option<PathBuf>,
    /// Write a self-contained HTML page with diagrams, graph and moves
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Write the games with scores ([%eval]) and marks (?!, ?, ??) as a record: .pgn, .xqf or another format by extension
    #[arg(long, value_name = "RECORD")]
    annotate: Option<PathBuf>,
    /// Initial piece style of the page
    #[arg(long, default_value_t, requires = "report", value_parser = one_of::<PieceStyle>(PieceStyle::NAMES))]
    pieces: PieceStyle,
    /// Replace an existing report or record, and continue in a file of --resume with other settings; inputs are never replaced
    #[arg(long)]
    force: bool,
}

/// Time for a position when no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

/// Value of `--book` for no book; a file of this name can be given as `./none`.
const NO_BOOK: &str = "none";

impl Analyze {
    pub(super) fn run(self) -> Result<(), Failure> {
        check_hash(self.hash as usize, self.jobs as usize)?;
        run::run(&self)
    }

    fn movetime(&self) -> Option<u64> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.movetime.or(unlimited.then_some(DEFAULT_MOVETIME))
    }

    /// The limits of a search that starts now.
    fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime().map(Duration::from_millis),
            multipv: self.multipv as usize,
            ..Limits::none()
        }
    }

    fn settings(&self) -> Settings {
        let set = self.rules;
        let rules = Rules { set, ..Rules::default() };
        Settings { rules, move_overhead: Duration::ZERO, endgames: Some(self.tables().clone()), ..Settings::default() }
    }

    /// The endgame tables; unusable files are reported and ignored.
    fn tables(&self) -> &Arc<Tables> {
        self.tables.get_or_init(|| {
            if self.endgames.is_empty() {
                return Tables::builtin().clone();
            }
            let (tables, faults) = Tables::open_lenient(&self.endgames);
            faults.iter().for_each(|fault| note(format_args!("{fault}; ignored")));
            Arc::new(tables)
        })
    }

    /// Whether results are written as readable text rather than JSON Lines.
    fn is_summary(&self) -> bool {
        self.summary || (!self.json && self.resume.is_none() && std::io::stdout().is_terminal())
    }

    /// The book whose moves are not judged; none with `--book none`.
    fn book(&self) -> Result<Option<Book>, Failure> {
        match &self.book {
            None => Ok(Some(Book::Builtin)),
            Some(path) if path.as_os_str() == NO_BOOK => Ok(None),
            Some(path) => {
                check_not_stream(path, "the name of a book")?;
                Ok(Some(Book::open_for_lookups(path, PATIENCE)?))
            }
        }
    }

    fn force(&self) -> Force {
        Force { force: self.force }
    }

    /// Whether the report may replace a file: with `--resume` also the page of an earlier run of the same command.
    fn report_force(&self) -> Force {
        Force { force: self.force || self.resume.is_some() && self.report.as_deref().is_some_and(is_page) }
    }

    fn system(&self) -> System {
        self.notation.unwrap_or(View::usual_notation(self.language))
    }

    /// The search limits as command-line options.
    fn limit_text(&self) -> String {
        let depth = self.depth.map(|depth| format!("--depth {depth}"));
        let nodes = self.nodes.map(|nodes| format!("--nodes {nodes}"));
        let movetime = self.movetime().map(|time| format!("--movetime {time}"));
        [depth, nodes, movetime].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// The display settings.
    fn view(&self) -> View {
        let mut notation = Notation::new(self.system());
        notation.script = self.script;
        View { notation, language: self.language, unit: self.score, style: self.pieces, limit: self.limit_text() }
    }
}
