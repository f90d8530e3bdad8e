//! Floor 8: the protocols. UCCI 3.0 and UCI on stdin and stdout, in one loop.
//!
//! A line becomes a [`Command`] without regard to the state; the [`Session`] decides what it means now.
//! Besides the search threads there are three: this loop, which waits for nothing but input and events; the worker, which
//! owns the pool and runs one task after the other; and the writer, so that a client that does not read blocks neither
//! of the other two. A fourth looks every second whether the client's process still exists.

mod command;
mod dialect;
mod encoding;
mod format;
mod go;
mod input;
mod library;
mod messages;
mod options;
mod output;
mod parent;
mod people;
mod points;
mod queue;
mod registry;
mod session;
mod telling;
#[cfg(test)]
mod tests;
#[cfg(windows)]
mod windows;
mod worker;

pub use crate::notation::PositionText;
pub use command::Command;
pub use dialect::{Dialect, UnknownDialect};
pub use encoding::pgn_of_system;
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
use crate::threads::check_available;
use std::io::{IsTerminal, Write};
#[cfg(any(test, feature = "fuzzing"))]
use std::time::Instant;
use tokio::sync::mpsc::{channel, unbounded_channel};

/// Lines read ahead of the loop. What exceeds them stays in the client's pipe.
const READ_AHEAD: usize = 16;

/// What reaches the loop besides input.
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

/// Why there was no conversation.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The runtime cannot be started.
    #[error("the protocol loop cannot start: {0}")]
    Runtime(#[source] std::io::Error),
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
    check_available(THREADS).map_err(ProtocolError::Threads)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(ProtocolError::Runtime)?;
    runtime.block_on(serve());
    // The thread that waits for input cannot be woken.
    runtime.shutdown_background();
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

async fn serve() {
    let terminal = Terminal { input: std::io::stdin().is_terminal(), output: std::io::stdout().is_terminal() };
    if terminal.input {
        // Not to stdout, which may be recorded as a conversation.
        let _ = writeln!(std::io::stderr(), "{}", people::GREETING.join("\n"));
    }
    let output = Output::start(std::io::stdout(), |error| end_without_output(&error));
    let (sender, mut events) = unbounded_channel();
    let client_gone = sender.clone();
    let mut session = Session::new(output, sender, terminal);
    if session.options().is_on(Id::WatchParent) {
        parent::watch(move || {
            // A failed send can only mean that the process is ending.
            let _ = client_gone.send(Event::ClientGone);
        });
    }
    let mut reader = tokio::io::BufReader::with_capacity(1 << 16, tokio::io::stdin());
    let (line_sender, mut lines) = channel(READ_AHEAD);
    // A task of its own, because reading a line cannot be interrupted and resumed.
    tokio::spawn(async move {
        while let Ok(Some(line)) = next_line(&mut reader).await {
            if line_sender.send(line).await.is_err() {
                break;
            }
        }
    });
    let mut has_input = true;
    let mut flow = Flow::Continue;
    while flow == Flow::Continue {
        let deadline = session.deadline();
        let time_is_up = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        flow = tokio::select! {
            biased;
            Some(event) = events.recv() => session.hear(event),
            () = time_is_up => session.time_is_up(),
            line = lines.recv(), if has_input && session.has_room() => match line {
                Some(line) => session.receive(&line),
                None => {
                    has_input = false;
                    session.end_of_input()
                }
            },
        };
    }
}
