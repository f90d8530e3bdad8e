//! Layer 11: the command line. One file per subcommand, with its arguments and a `run`. Shared modules: `failure` (errors and exit
//! statuses), [`output`] (standard output), `files` (output files), `record_output` (files of records), `inputs` (input files),
//! `pipeline` (parallel work in input order), `progress`.

mod analyze;
mod bench;
mod book;
mod convert;
mod diagram;
mod endgame;
mod failure;
mod files;
mod genfens;
mod inputs;
mod judge;
#[cfg(feature = "sqlite")]
mod library;
mod matches;
mod notation;
pub mod output;
mod perft;
mod pipeline;
mod play;
mod progress;
mod puzzles;
mod record_output;
#[cfg(feature = "serve")]
mod serve;
mod shell;
#[cfg(feature = "serve")]
mod site;
mod values;

pub use failure::Failure;

pub use genfens::split_command;

use crate::board::{Position, Setup};
use crate::memory::{available_memory, too_little_for_tables};
use crate::notation::LineReader;
use crate::records::RecordResult;
use clap::{Parser, Subcommand};

/// The command line of chuhe.
#[derive(Parser, Debug)]
#[command(name = "chuhe", bin_name = "chuhe", version, long_version = shell::long_version(), about = "A xiangqi (Chinese chess) engine and toolbox", long_about = shell::ABOUT, after_help = shell::EXAMPLES)]
pub struct Arguments {
    /// The tool to run; the engine's protocol loop when absent.
    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// The help text of a command.
fn help_of(command: &str) -> String {
    let mut program = <Arguments as clap::CommandFactory>::command();
    program.build();
    program.find_subcommand_mut(command).map(|command| command.render_help().to_string()).unwrap_or_default()
}

#[derive(Subcommand, Debug)]
enum CliCommand {
    /// Analyses positions and games, as text, JSON Lines or an HTML report
    #[command(after_help = shell::ANALYZE_EXAMPLES)]
    Analyze(analyze::Analyze),
    /// Searches fixed positions and counts nodes
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Bench),
    /// Builds, queries, checks, converts, edits and exports opening books
    #[command(after_help = book::EXAMPLES)]
    Book(book::BookArguments),
    /// Prints a shell completion script
    #[command(after_help = shell::COMPLETION_EXAMPLES)]
    Completions(shell::Completions),
    /// Converts game records
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Convert),
    /// Draws a position
    #[command(after_help = shell::DIAGRAM_EXAMPLES)]
    Diagram(diagram::Diagram),
    /// Probes and builds endgame tables
    #[command(after_help = endgame::EXAMPLES)]
    Endgame(endgame::EndgameArguments),
    /// Prints balanced random openings for test frameworks
    #[command(name = "genfens", after_help = genfens::EXAMPLES)]
    GenFens(genfens::GenFens),
    /// Adjudicates the final position of a line of moves and gives the reasons
    #[command(after_help = judge::EXAMPLES)]
    Judge(judge::Judge),
    /// Stores games in a library that can be searched by position
    #[cfg(feature = "sqlite")]
    #[command(after_help = library::EXAMPLES)]
    Library(Box<library::LibraryArguments>),
    /// Prints manual pages
    #[command(after_help = shell::MAN_EXAMPLES)]
    Man(shell::Man),
    /// Runs matches between UCI or UCCI engines
    #[command(after_help = matches::EXAMPLES)]
    Match(Box<matches::Match>),
    /// Converts a line of moves from one notation into others
    #[command(after_help = notation::EXAMPLES)]
    Notation(notation::Convert),
    /// Counts the leaf nodes of the move generation tree
    #[command(after_help = perft::EXAMPLES)]
    Perft(perft::Perft),
    /// Plays a game on the terminal
    #[command(after_help = play::EXAMPLES)]
    Play(play::Play),
    /// Finds puzzles in games, verifies them, and offers training
    #[command(after_help = puzzles::EXAMPLES)]
    Puzzles(puzzles::Puzzles),
    /// Opens a board in the browser
    #[cfg(feature = "serve")]
    #[command(after_help = serve::EXAMPLES)]
    Serve(serve::Serve),
    /// Writes the board as a folder of static files for any web host
    #[cfg(feature = "serve")]
    #[command(after_help = site::EXAMPLES)]
    Site(site::Site),
}

/// Runs the selected command.
///
/// # Errors
/// A one-line message that names the input, the place in it and what was expected.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    files::outlive_size_limits();
    match arguments.command {
        None => Ok(crate::protocol::run()?),
        Some(CliCommand::Analyze(analyze)) => analyze.run(),
        Some(CliCommand::Bench(bench)) => bench.run(),
        Some(CliCommand::Book(book)) => book.run(),
        Some(CliCommand::Completions(completions)) => completions.run(),
        Some(CliCommand::Convert(convert)) => convert.run(),
        Some(CliCommand::Diagram(diagram)) => diagram.run(),
        Some(CliCommand::Endgame(endgame)) => endgame.run(),
        Some(CliCommand::GenFens(genfens)) => genfens.run(),
        Some(CliCommand::Judge(judge)) => judge.run(),
        #[cfg(feature = "sqlite")]
        Some(CliCommand::Library(library)) => library.run(),
        Some(CliCommand::Man(man)) => man.run(),
        Some(CliCommand::Match(arguments)) => arguments.run(),
        Some(CliCommand::Notation(notation)) => notation.run(),
        Some(CliCommand::Perft(perft)) => perft.run(),
        Some(CliCommand::Play(play)) => play.run(),
        Some(CliCommand::Puzzles(puzzles)) => puzzles.run(),
        #[cfg(feature = "serve")]
        Some(CliCommand::Serve(serve)) => serve.run(),
        #[cfg(feature = "serve")]
        Some(CliCommand::Site(site)) => site.run(),
    }
}

/// An error where `work` takes more memory than is free, before it begins.
fn check_memory(work: &str, bytes: u64) -> Result<(), Failure> {
    let free = available_memory();
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    if bytes <= free { Ok(()) } else { Err(too_little_memory(work, mib(bytes), mib(free))) }
}

/// An error where the hash tables of `jobs`, of `mib` MiB each, take more memory than is free.
fn check_hash(mib: usize, jobs: usize) -> Result<(), Failure> {
    let all = mib.saturating_mul(jobs);
    let work = if jobs > 1 { format!("--hash {mib} with --jobs {jobs}") } else { format!("--hash {mib}") };
    too_little_for_tables(all).map_or(Ok(()), |free| Err(too_little_memory(&work, all as u64, free)))
}

fn too_little_memory(work: &str, mib: u64, free: u64) -> Failure {
    format!("{work} takes {mib} MiB of memory, expected at most the {free} MiB that are free").into()
}

/// Parses `--fen`, which may be a composed diagram; defaults to the start position.
///
/// # Errors
/// If the FEN is invalid.
fn start_position(fen: Option<&str>) -> Result<Position, Failure> {
    fen.map_or_else(|| Ok(Position::startpos()), |fen| Position::from_diagram(fen).map_err(Failure::at("--fen")))
}

/// Parses `--fen` and plays the moves, which may be in any notation.
///
/// # Errors
/// If the FEN is invalid or a move is illegal or unreadable.
fn read_position(fen: Option<&str>, moves: &[String]) -> Result<Position, Failure> {
    Ok(LineReader::default().read(start_position(fen)?, &without_result(moves))?.position)
}

/// An error if moves begin with a position, which no notation can be mistaken for.
fn check_moves(moves: &[String]) -> Result<(), Failure> {
    let first = moves.first().and_then(|text| text.split_whitespace().next()).unwrap_or_default();
    match Setup::from_fen(first) {
        Ok(_) => Err(format!("'{first}' is a position, which is given with --fen; expected moves").into()),
        Err(_) => Ok(()),
    }
}

/// The moves without a result behind them, as in lines that are pasted from a game: `1-0`, `红胜`, `（和棋）`.
fn without_result(moves: &[String]) -> Vec<String> {
    let mut moves = moves.to_vec();
    while let Some(last) = moves.last_mut() {
        let text = last.trim_end();
        // The last word, or the last three: `1 - 0`.
        let start =
            |words: usize| text.rmatch_indices(char::is_whitespace).nth(words - 1).map_or(0, |(at, blank)| at + blank.len());
        let is_result = |text: &str| {
            let bare = text.trim_matches(|letter| "()（）[]【】.。,，;；!！".contains(letter));
            text.is_empty() || RecordResult::at_end(bare).is_some()
        };
        let Some(end) = [start(1), start(3)].into_iter().find(|&at| is_result(&text[at..])) else { break };
        last.truncate(end);
        if last.is_empty() {
            moves.pop();
        }
    }
    moves
}
