//! Layer 8: the protocols. UCCI 3.0 and UCI on stdin and stdout.
//!
//! A line becomes a [`Command`] without regard to the state; the [`Session`] decides what it means now. Besides the search threads
//! there are three that use it: the one that reads, which waits for nothing but input; the worker, which owns the pool, runs one task
//! after the other and writes its answer; and the main thread, which waits for the end. Another one writes what a client that does not
//! read leaves in the pipe, and one looks every second whether the client's process still exists.

mod command;
mod conversation;
mod dialect;
mod format;
mod go;
mod input;
mod library;
mod messages;
mod options;
mod output;
mod people;
mod points;
mod queue;
mod registry;
mod session;
mod telling;
#[cfg(test)]
mod tests;
mod worker;

pub use crate::notation::PositionText;
pub use command::Command;
pub use dialect::{Dialect, UnknownDialect};
pub use format::score_from_ucci;
pub use go::GoRequest;
pub use input::next_line;
pub use options::{Id, NetworkError, Options, TABLE, options_table};
pub use output::Output;
pub use points::{PositionError, Ranks, read_position};
pub use registry::{Kind, OptionError, Row};
pub use session::{Flow, Session, Terminal};
pub use telling::Telling;

#[cfg(any(test, feature = "fuzzing"))]
use crate::board::Position;
use crate::search::Outcome;
use crate::threads::check_memory;
use conversation::Conversation;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
#[cfg(any(test, feature = "fuzzing"))]
use std::time::Instant;

/// What reaches the session besides input.
#[derive(Debug)]
pub enum Event {
    /// A search has ended.
    Finished(Outcome),
    /// A count of positions has ended.
    Counted,
    /// Any other task has ended.
    Done,
    /// The table is ready, with fewer MiB than were asked for.
    SmallerHash(usize),
    /// There are fewer search threads than were asked for.
    FewerThreads(usize),
    /// The program that started this one has ended.
    ClientGone,
}

/// An error that keeps the protocol loop from starting.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The system has no room for the threads that read, write and search.
    #[error("expected room for {THREADS} threads and their memory: {0}")]
    Threads(#[source] std::io::Error),
}

/// Conversations in both protocols, to begin a mutation with.
#[cfg(any(test, feature = "fuzzing"))]
pub const SEEDS: [&str; 3] = [
    "uci\nsetoption name Hash value 32\nsetoption name MultiPV value 2\nsetoption name UCI_Elo value 1500\nisready\nucinewgame\n\
     position startpos moves h2e2 h9g7 h0g2\ngo wtime 60000 btime 60000 winc 100 binc 100 movestogo 20 searchmoves i9h9 b9c7\n\
     ponderhit\nstop\nquit\n",
    "ucci\nsetoption usemillisec true\nsetoption bookfiles a;b\nposition fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 3 9 moves d0d1\n\
     banmoves e9e8\ngo draw time 3000 movestogo 3 opptime 4000\nprobe startpos moves b2e2\ngo ponder depth 5\nstop\n",
    "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\ngo nodes 1000\ngo mate 3\ngo perft 2\nd\neval\nbench 3\n",
];

/// Reads bytes as the lines of a client, up to what would be searched. For fuzzing: whatever the bytes are, it returns. Tells how many
/// positions were set up, and how many lines are no command.
#[cfg(any(test, feature = "fuzzing"))]
pub fn digest(bytes: &[u8]) -> [usize; 2] {
    let [mut positions, mut unknown] = [0; 2];
    let mut options = Options::default();
    let mut position = Position::startpos();
    for line in bytes.split(|&byte| byte == b'\n') {
        match Command::parse(line) {
            Command::SetOption(name, value) => {
                let _ = options.set(&name, value.as_deref());
                let _ = (options.settings(), options.telling(Dialect::Ucci), options.path(options.text(Id::BookFile)));
            }
            Command::Position(text) | Command::Probe(text) => {
                if let Ok((read, _)) = read_position(&text, Ranks::default()) {
                    position = read;
                    positions += 1;
                }
            }
            Command::Unknown => unknown += !line.is_empty() as usize,
            Command::Go(request) => {
                let limits = request.limits(&position, Instant::now(), 1000, Ranks::default());
                assert!(limits.search_moves.iter().all(|&mv| position.board().is_legal(mv)));
            }
            _ => {}
        }
    }
    [positions, unknown]
}

/// Threads that the conversation needs: one each to read, to write, to search and to watch the parent process.
const THREADS: usize = 4;

/// Speaks with the client on stdin and stdout until `quit` or the end of input.
///
/// # Errors
/// When the system has no threads for it.
pub fn run() -> Result<(), ProtocolError> {
    check_memory().and_then(|()| converse()).map_err(ProtocolError::Threads)
}

fn converse() -> std::io::Result<()> {
    let terminal = Terminal { input: std::io::stdin().is_terminal(), output: std::io::stdout().is_terminal() };
    if terminal.input {
        // Not to stdout, which may be recorded as a conversation.
        let _ = writeln!(std::io::stderr(), "{}", people::GREETING.join("\n"));
    }
    let output = Output::start(std::io::stdout(), output::has_room, |error| end_without_output(&error))?;
    let conversation = Conversation::begin(output, terminal)?;
    if conversation.watches_parent() {
        let watched = Arc::clone(&conversation);
        crate::system::watch_parent(move || {
            watched.hear(Event::ClientGone);
        });
    }
    let read = Arc::clone(&conversation);
    // The thread that waits for input cannot be woken: it ends with the process.
    std::thread::Builder::new().name("input".into()).spawn(move || read.read(&mut std::io::stdin().lock()))?;
    conversation.wait();
    Ok(())
}

/// Ends the process when nothing can be written any more: quietly when the client has gone.
fn end_without_output(error: &std::io::Error) {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    let _ = writeln!(std::io::stderr(), "chuhe: standard output: {error}");
    std::process::exit(1);
}
