//! Floor 6: the protocols. UCCI 3.0 and UCI on stdin and stdout, in one loop.
//!
//! A line becomes a [`Command`] without regard to the state; the [`Session`] decides what it means now.
//! Three threads take part besides the search's own: this loop, which reads all the time and never waits for anything but
//! input and events; the worker, which owns the pool and runs one task after the other; and the writer, so that a
//! client that doesn't read can't hold up the other two.

mod command;
mod dialect;
mod format;
mod go;
mod input;
mod library;
mod options;
mod output;
mod people;
mod session;
mod telling;
#[cfg(test)]
mod tests;
mod worker;

pub use command::{Command, PositionText};
pub use dialect::{Dialect, UnknownDialect};
pub use format::score_from_ucci;
pub use go::GoRequest;
pub use input::next_line;
pub use options::{Entry, Id, Kind, Options, TABLE};
pub use output::Output;
pub use session::{Flow, Session};
pub use telling::Telling;

use crate::board::Position;
use crate::search::Outcome;
use std::time::Instant;
use tokio::sync::mpsc::unbounded_channel;

/// What the loop hears of the worker.
#[derive(Debug)]
pub enum Event {
    /// A search has ended.
    Finished(Outcome),
    /// A count of positions has ended.
    Counted,
    /// Any other task has ended.
    Done,
}

/// Reads bytes as the lines of a client, up to what would be searched. For fuzzing: whatever the bytes are, it returns.
pub fn digest(bytes: &[u8]) {
    let mut options = Options::default();
    let mut position = Position::startpos();
    for line in bytes.split(|&byte| byte == b'\n') {
        match Command::parse(line) {
            Command::SetOption(name, value) => {
                let _ = options.set(&name, value.as_deref());
                let _ = (options.settings(), options.telling());
            }
            Command::Position(text) | Command::Probe(text) => {
                if let Ok((read, _)) = text.read() {
                    position = read;
                }
            }
            Command::Go(request) => {
                let limits = request.limits(&position, Instant::now(), 1000);
                assert!(limits.search_moves.iter().all(|&mv| position.board().is_legal(mv)));
            }
            _ => {}
        }
    }
}

/// Speaks with the client on stdin and stdout until `quit` or the end of input.
///
/// # Errors
/// When the runtime can't be started.
pub fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(|error| format!("the protocol loop can't start: {error}"))?;
    runtime.block_on(serve());
    // The thread that waits for input can't be woken.
    runtime.shutdown_background();
    Ok(())
}

async fn serve() {
    // A client that has gone wants no last words.
    let output = Output::start(std::io::stdout(), || std::process::exit(0));
    let (sender, mut events) = unbounded_channel();
    let mut session = Session::new(output, sender);
    let mut reader = tokio::io::BufReader::with_capacity(1 << 16, tokio::io::stdin());
    let (line_sender, mut lines) = unbounded_channel();
    // A task of its own, because reading a line half-way can't be given up and taken up again.
    tokio::spawn(async move {
        while let Ok(Some(line)) = next_line(&mut reader).await {
            if line_sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut has_input = true;
    let mut flow = Flow::Continue;
    while flow == Flow::Continue {
        flow = tokio::select! {
            biased;
            Some(event) = events.recv() => session.hear(event),
            line = lines.recv(), if has_input => match line {
                Some(line) => session.receive(&line),
                None => {
                    has_input = false;
                    session.end_of_input()
                }
            },
        };
    }
}
