//! Layer 8: the protocols UCCI 3.0 and UCI on stdin and stdout.
//!
//! Lines are parsed into commands (`command`) independently of the state; the session (`session`) executes them. Besides the search
//! threads, three threads use the session: the input thread, which waits only for input; the worker, which owns the pool, runs one task
//! after another and writes the answers; and the main thread, which waits for the end. Another thread writes output that the client does
//! not read immediately, and one checks every second whether the client process still exists.

mod books;
mod command;
mod dialect;
mod kinds;
mod messages;
mod options;
mod queue;
mod session;
mod stdio;
mod worker;

pub use dialect::{Dialect, score_from_ucci};
pub use options::options_table;
pub use stdio::next_line;

use crate::threads::check_memory;
use parking_lot::{Condvar, Mutex};
use session::{Session, Terminal};
use std::io::{BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use stdio::{Output, read_line};
use worker::Event;
#[cfg(any(test, feature = "fuzzing"))]
use {
    crate::board::Position,
    command::{Command, read_position},
    dialect::Ranks,
    options::Options,
    std::time::Instant,
};

/// An error that keeps the protocol loop from starting.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The system has no resources for the threads that read, write and search.
    #[error("cannot start {THREADS} threads or allocate their memory: {0}")]
    Threads(#[source] std::io::Error),
}

/// Sessions in both protocols, as seeds for mutation.
#[cfg(any(test, feature = "fuzzing"))]
pub const SEEDS: [&str; 3] = [
    "uci\nsetoption name Hash value 32\nsetoption name MultiPV value 2\nsetoption name UCI_Elo value 1500\nisready\nucinewgame\n\
     position startpos moves h2e2 h9g7 h0g2\ngo wtime 60000 btime 60000 winc 100 binc 100 movestogo 20 searchmoves i9h9 b9c7\n\
     ponderhit\nstop\nquit\n",
    "ucci\nsetoption usemillisec true\nsetoption bookfiles a;b\nposition fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 3 9 moves d0d1\n\
     banmoves e9e8\ngo draw time 3000 movestogo 3 opptime 4000\nprobe startpos moves b2e2\ngo ponder depth 5\nstop\n",
    "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\ngo nodes 1000\ngo mate 3\ngo perft 2\nd\neval\nbench 3\n",
];

/// Interprets bytes as the lines of a client, without searching. For fuzzing: must return for any input. Returns the number of positions
/// set up and the number of lines that are not commands.
#[cfg(any(test, feature = "fuzzing"))]
pub fn digest(bytes: &[u8]) -> [usize; 2] {
    let [mut positions, mut unknown] = [0; 2];
    let mut options = Options::default();
    let mut position = Position::startpos();
    for line in bytes.split(|&byte| byte == b'\n') {
        match Command::parse(line) {
            Command::SetOption(name, value) => {
                let _ = options.set(&name, value.as_deref());
                let _ = (options.settings(), options.move_text(Dialect::Ucci), options.path(&options.values.book_file));
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

/// Number of threads needed: one each for input, output, search and watching the parent process.
const THREADS: usize = 4;

/// Serves a client on stdin and stdout until `quit` or the end of input.
///
/// # Errors
/// If the system does not provide the threads.
pub fn run() -> Result<(), ProtocolError> {
    check_memory().and_then(|()| converse()).map_err(ProtocolError::Threads)
}

fn converse() -> std::io::Result<()> {
    let terminal = Terminal { input: std::io::stdin().is_terminal(), output: std::io::stdout().is_terminal() };
    if terminal.input {
        // Not to stdout, which may be recorded as protocol output.
        let _ = writeln!(std::io::stderr(), "{}", messages::GREETING.join("\n"));
    }
    let output = Output::start(std::io::stdout(), stdio::has_room, |error| end_without_output(&error))?;
    let conversation = Conversation::begin(output, terminal)?;
    let watched = Arc::clone(&conversation);
    crate::system::watch_parent(move || {
        watched.handle(Event::ClientGone);
    });
    let read = Arc::clone(&conversation);
    // The input thread blocks on its input and cannot be woken: it ends with the process.
    std::thread::Builder::new().name("input".into()).spawn(move || read.read(&mut std::io::stdin().lock()))?;
    conversation.wait();
    Ok(())
}

/// Ends the process after a write error: silently if the client has closed the pipe.
fn end_without_output(error: &std::io::Error) {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    let _ = writeln!(std::io::stderr(), "chuhe: standard output: {error}");
    std::process::exit(1);
}

/// The session shared by the threads of the process, one at a time. Each thread handles its own events: the input thread executes a
/// command, the worker writes its answer. Passing them to another thread would cost another wake-up, which on a busy machine takes longer
/// than everything else.
#[derive(Default)]
struct Conversation {
    state: Mutex<State>,
    /// Notified when there may be space for another line, or at the end.
    has_room: Condvar,
    /// Notified at the end, or when its deadline is known.
    has_end: Condvar,
}

#[derive(Default)]
struct State {
    /// Always present after [`Conversation::begin`].
    session: Option<Session>,
    is_over: bool,
}

impl State {
    /// Whether another line can be accepted.
    fn has_room(&self) -> bool {
        self.session.as_ref().is_none_or(Session::has_room)
    }
}

impl Conversation {
    /// Starts a conversation and the worker thread.
    ///
    /// # Errors
    /// If the system does not provide a thread.
    fn begin(output: Output, terminal: Terminal) -> std::io::Result<Arc<Conversation>> {
        let conversation = Arc::new(Conversation::default());
        let listener = Arc::clone(&conversation);
        // Locked, so that the worker's first event waits for the session.
        let mut state = conversation.state.lock();
        state.session = Some(Session::new(output, move |event| listener.handle(event), terminal)?);
        drop(state);
        Ok(conversation)
    }

    /// Runs `work` on the session unless the conversation is over.
    fn run(&self, state: &mut State, work: impl FnOnce(&mut Session) -> ControlFlow<()>) {
        if let (false, Some(session)) = (state.is_over, &mut state.session) {
            state.is_over = work(session).is_break();
            if state.is_over || session.deadline().is_some() {
                self.has_end.notify_all();
            }
            self.has_room.notify_all();
        }
    }

    /// Handles an event; returns whether the conversation continues.
    fn handle(&self, event: Event) -> bool {
        let mut state = self.state.lock();
        self.run(&mut state, |session| session.handle(event));
        !state.is_over
    }

    /// Handles all lines of the input and its end.
    fn read(&self, input: &mut impl BufRead) {
        let Some(control) = self.state.lock().session.as_ref().map(|session| session.control().clone()) else { return };
        while let Ok(Some(line)) = read_line(input, || control.pause_preparation(true)) {
            let mut state = self.state.lock();
            while !state.is_over && !state.has_room() {
                self.has_room.wait(&mut state);
            }
            self.run(&mut state, |session| session.receive(&line));
            if state.is_over {
                return;
            }
            control.pause_preparation(false);
        }
        control.pause_preparation(false);
        self.run(&mut self.state.lock(), Session::end_of_input);
    }

    /// Waits for the end.
    fn wait(&self) {
        let mut state = self.state.lock();
        while !state.is_over {
            match state.session.as_ref().and_then(Session::deadline) {
                None => self.has_end.wait(&mut state),
                Some(deadline) => {
                    if self.has_end.wait_until(&mut state, deadline).timed_out() {
                        self.run(&mut state, Session::time_is_up);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::command::{CLAUSES, Command, words};
    use super::options::Options;
    use super::session::{Session, Terminal};
    use super::stdio::Output;
    use super::{SEEDS, digest};
    use crossbeam::channel::{Sender, unbounded};
    use proptest::prelude::*;
    use std::time::Duration;

    /// Known words, so that random lines get beyond the first word.
    fn known_words() -> Vec<&'static str> {
        let commands = "uci ucci isready setoption name value position fen startpos moves banmoves go stop probe quit";
        let values = "Hash Threads MultiPV usemillisec true off -1 0 5 99999999999999999999 h2e2 h9g7 a0a9 4k4/9/9/9/9/9/9/9/9/3K5 \
            rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
        commands.split(' ').chain(CLAUSES).chain(values.split(' ')).collect()
    }

    /// All lines of the fuzzing seeds are understood.
    #[test]
    fn seeds_are_conversations() {
        assert_eq!(SEEDS.map(|seed| digest(seed.as_bytes())), [[1, 0], [2, 0], [1, 0]]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            digest(&bytes);
        }

        #[test]
        fn any_words(words in prop::collection::vec(prop_oneof![4 => prop::sample::select(known_words()), 1 => Just("\u{0}é馬"), 1 => Just("\n")], 0..40)) {
            digest(words.join(" ").as_bytes());
        }

        #[test]
        fn any_option(name in ".{0,20}", value in prop::option::of(".{0,20}")) {
            let mut options = Options::default();
            let _ = options.set(&name, value.as_deref().map(str::as_bytes));
        }

        #[test]
        fn blanks_make_no_difference(words in prop::collection::vec(prop::sample::select(known_words()), 1..20), blanks in prop::collection::vec("[ \t]{1,4}", 20)) {
            let plain = words.join(" ");
            let spread: String = words.iter().zip(&blanks).flat_map(|(word, blank)| [blank.as_str(), word]).collect::<String>() + "\r";
            // Blanks within the value of an option are part of it.
            let read = |line: &str| match Command::parse(line.as_bytes()) {
                Command::SetOption(name, value) => {
                    let value = value.map(|value| self::words(&String::from_utf8_lossy(&value)).collect::<Vec<_>>().join(" ").into_bytes());
                    Command::SetOption(name, value)
                }
                command => command,
            };
            prop_assert_eq!(read(&plain), read(&spread));
        }
    }

    /// Forwards written lines to a channel, one at a time as [`Output`] writes them.
    struct Lines(Sender<Vec<u8>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _ = self.0.send(bytes.to_vec());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Rust accepts only UTF-8 for a Windows console; anything else would abort the output in the middle of a line.
    #[test]
    fn a_console_of_windows_gets_utf8_whatever_encoding_is_asked_for() {
        let utf8 = "开局库".as_bytes();
        let gbk: &[u8] = b"\xbf\xaa\xbe\xd6\xbf\xe2";
        for is_terminal in [false, true] {
            let (lines, written) = unbounded();
            let output =
                Output::start(Lines(lines), || true, |error| panic!("a channel takes everything: {error}")).expect("a thread");
            let mut session = Session::new(output, |_| true, Terminal { input: false, output: is_terminal }).expect("threads");
            for line in [b"ucci", &b"setoption encoding GBK"[..], &[b"setoption evalfile nowhere/", gbk].concat()] {
                assert!(session.receive(line).is_continue());
            }
            let is_error = |line: &Vec<u8>| line.windows(8).any(|part| part == b"EvalFile");
            let error =
                std::iter::from_fn(|| written.recv_timeout(Duration::from_secs(30)).ok()).find(is_error).expect("an error");
            let name = if is_terminal && cfg!(windows) { utf8 } else { gbk };
            assert!(error.windows(name.len()).any(|part| part == name), "{is_terminal}: {}", error.escape_ascii());
        }
    }
}
