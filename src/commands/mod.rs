//! Floor 8: the command line. One file a sub-command; each has its arguments and a `run`. What they share: [`failure`] (why a
//! command ends and with which status), [`output`] (standard output), [`files`] (files that are written).

mod analyze;
mod bench;
mod book;
mod convert;
mod diagram;
pub mod failure;
pub mod files;
mod judge;
mod matches;
mod notation;
pub mod output;
mod perft;

pub use failure::Failure;

use clap::{Parser, Subcommand};

/// chuhe (楚河), a xiangqi engine. Without a command it speaks UCCI and UCI on stdin and stdout.
#[derive(Parser, Debug)]
#[command(name = "chuhe", version, about)]
pub struct Arguments {
    /// What to do; the protocol loop when absent.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Analyses positions and games, as JSON Lines and as a page to read
    Analyze(analyze::Analyze),
    /// Searches fixed positions and counts nodes
    Bench(bench::Bench),
    /// Makes, asks and checks opening books
    Book(book::BookArguments),
    /// Converts game records
    Convert(convert::Convert),
    /// Draws a position
    Diagram(diagram::Diagram),
    /// Adjudicates the final position of a line of moves and gives the reasons
    Judge(judge::Judge),
    /// Plays engine against engine, UCI or UCCI
    Match(Box<matches::Match>),
    /// Converts a line of moves from one notation into others
    Notation(notation::Convert),
    /// Counts leaf positions of the move generator
    Perft(perft::Perft),
}

/// Does what the arguments ask.
///
/// # Errors
/// One line that names the input, the place in it and what was expected.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    files::outlive_size_limits();
    match arguments.command {
        None => Ok(crate::protocol::run()?),
        Some(Command::Analyze(analyze)) => Ok(analyze.run()?),
        Some(Command::Bench(bench)) => Ok(bench.run()?),
        Some(Command::Book(book)) => Ok(book.run()?),
        Some(Command::Convert(convert)) => Ok(convert.run()?),
        Some(Command::Diagram(diagram)) => Ok(diagram.run()?),
        Some(Command::Judge(judge)) => Ok(judge.run()?),
        Some(Command::Match(arguments)) => Ok(arguments.run()?),
        Some(Command::Notation(notation)) => Ok(notation.run()?),
        Some(Command::Perft(perft)) => Ok(perft.run()?),
    }
}

/// Reads `--fen` and the moves played from it.
///
/// # Errors
/// What is wrong with the FEN, or which move is not legal and why.
pub fn read_position(fen: Option<&str>, moves: &[String]) -> Result<crate::board::Position, String> {
    use crate::board::Position;
    let mut position = match fen {
        None => Position::startpos(),
        Some(fen) => Position::from_fen(fen).map_err(|error| format!("--fen: {error}"))?,
    };
    for (number, text) in moves.iter().enumerate() {
        let at = |error: String| format!("move {}: {error}", number + 1);
        let mv = crate::types::Move::from_uci(text).map_err(at)?;
        if !position.board().is_legal(mv) {
            return Err(at(format!("'{text}' is not legal in {}", position.to_fen())));
        }
        position.make(mv);
    }
    Ok(position)
}
