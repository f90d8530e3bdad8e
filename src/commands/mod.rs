//! Floor 8: the command line. One file a sub-command; each has its arguments and a `run`.

mod analyze;
mod bench;
mod book;
mod convert;
mod diagram;
mod genfens;
mod judge;
mod matches;
mod notation;
mod perft;

pub use genfens::split_command;

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
    /// Prints balanced random openings for test frameworks
    #[command(name = "genfens")]
    GenFens(genfens::GenFens),
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
pub fn run(arguments: Arguments) -> Result<(), String> {
    // These only print: like other tools they end quietly when nobody reads on (`chuhe perft 5 --divide | head`). The others
    // have work to save or engines to end, and handle the error.
    if let Some(
        Command::Bench(_)
        | Command::Convert(_)
        | Command::Diagram(_)
        | Command::GenFens(_)
        | Command::Judge(_)
        | Command::Notation(_)
        | Command::Perft(_),
    ) = arguments.command
    {
        sigpipe::reset();
    }
    match arguments.command {
        None => crate::protocol::run().map_err(|error| error.to_string()),
        Some(Command::Analyze(analyze)) => analyze.run(),
        Some(Command::Bench(bench)) => bench.run(),
        Some(Command::Book(book)) => book.run(),
        Some(Command::Convert(convert)) => convert.run(),
        Some(Command::Diagram(diagram)) => diagram.run(),
        Some(Command::GenFens(genfens)) => genfens.run(),
        Some(Command::Judge(judge)) => judge.run(),
        Some(Command::Match(arguments)) => arguments.run(),
        Some(Command::Notation(notation)) => notation.run(),
        Some(Command::Perft(perft)) => perft.run(),
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
