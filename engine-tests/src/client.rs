//! A client of the program, like a GUI: it communicates through pipes, and checks rules that hold for every line of output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Timeout of operations without their own limit, generous for busy machines.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Longest line that all known clients can read.
const MAX_LINE: usize = 1000;

/// Wine's error if it could not start one of many programs started at the same time: ERROR_INTERNAL_ERROR.
const WINE_IS_BUSY: i32 = 1359;

/// Starts a program, with a second try on a busy Wine.
fn spawn(command: &mut Command) -> std::io::Result<Child> {
    match command.spawn() {
        Err(error) if cfg!(windows) && error.raw_os_error() == Some(WINE_IS_BUSY) => {
            std::thread::sleep(Duration::from_secs(1));
            command.spawn()
        }
        started => started,
    }
}

/// A running program and its output.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, Vec<u8>)>,
    stderr: Option<JoinHandle<String>>,
    /// All input and output, for the message of a failed check.
    transcript: Vec<String>,
    may_write_to_stderr: bool,
}

impl Client {
    /// Starts `chuhe` without arguments.
    pub fn start() -> Client {
        Client::start_with(|_| {})
    }

    /// Starts `chuhe` with changes to the command.
    ///
    /// # Panics
    /// When it can't be started.
    pub fn start_with(change: impl FnOnce(&mut Command)) -> Client {
        let mut command = Command::new(super::chuhe());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env_remove("RUST_LOG")
            .env_remove("CHUHE_OPTIONS");
        change(&mut command);
        let may_write_to_stderr = command.get_envs().any(|(name, value)| name == "RUST_LOG" && value.is_some());
        let mut child = spawn(&mut command).expect("the program starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let mut errors = child.stderr.take().expect("stderr is a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                if sender.send((Instant::now(), std::mem::take(&mut line))).is_err() {
                    break;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Client { child, stdin, lines, stderr: Some(stderr), transcript: Vec::new(), may_write_to_stderr }
    }

    /// A program after the UCI handshake.
    pub fn uci() -> Client {
        let mut client = Client::start();
        client.ask("uci", "uciok");
        client
    }

    /// A program after the UCCI handshake, without its opening book, since most tests need searches.
    pub fn ucci() -> Client {
        let mut client = Client::start();
        client.ask("ucci", "ucciok");
        client.send("setoption usebook false");
        client
    }

    /// Sends raw bytes. If the program has exited, the next read fails.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.transcript.push(format!("> {}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)])));
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line within this time, with its arrival time. None also at the end of output.
    ///
    /// # Panics
    /// When the line violates a rule for all lines.
    pub fn next_bytes(&mut self, time: Duration) -> Option<(Instant, Vec<u8>)> {
        let (at, line) = match self.lines.recv_timeout(time) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        let text = String::from_utf8_lossy(&line).into_owned();
        self.transcript.push(format!("< {text}"));
        assert!(line.len() <= MAX_LINE, "a line of {} bytes: {text}", line.len());
        assert!(!text.ends_with([' ', '\t', '\r']), "blanks at the end of '{text}'");
        Some((at, line))
    }

    /// The next line as text.
    pub fn next_line(&mut self, time: Duration) -> Option<String> {
        self.next_bytes(time).map(|(_, line)| String::from_utf8_lossy(&line).into_owned())
    }

    /// All lines up to and including the first that begins with the word.
    ///
    /// # Panics
    /// When it doesn't come.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        self.until_within(word, PATIENCE).0
    }

    /// As [`Client::until`], with a timeout, and with the arrival time of the line.
    ///
    /// # Panics
    /// When it doesn't come in time.
    pub fn until_within(&mut self, word: &str, limit: Duration) -> (Vec<String>, Instant) {
        let deadline = Instant::now() + limit;
        let mut lines = Vec::new();
        while let Some((at, line)) = self.next_bytes(deadline.saturating_duration_since(Instant::now())) {
            let text = String::from_utf8_lossy(&line).into_owned();
            let is_last = text.split(' ').next() == Some(word);
            lines.push(text);
            if is_last {
                return (lines, at);
            }
        }
        panic!("no '{word}' within {limit:?}\n{}", self.transcript());
    }

    /// Sends a line and returns everything up to the line that begins with the word.
    pub fn ask(&mut self, line: &str, word: &str) -> Vec<String> {
        self.send(line);
        self.until(word)
    }

    /// All output up to `readyok`: output of earlier commands is sent before it.
    pub fn pending(&mut self) -> Vec<String> {
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines
    }

    /// Asserts that there is no output before `readyok`, and none for a moment after it.
    ///
    /// # Panics
    /// When there is output.
    pub fn assert_silent(&mut self) {
        let mut lines = self.pending();
        lines.extend(self.next_line(Duration::from_millis(50)));
        assert!(lines.is_empty(), "expected silence, got {lines:?}\n{}", self.transcript());
    }

    /// Asserts that no line that begins with the word comes for a while.
    ///
    /// # Panics
    /// When one comes.
    pub fn assert_none(&mut self, word: &str, time: Duration) {
        let deadline = Instant::now() + time;
        while let Some(line) = self.next_line(deadline.saturating_duration_since(Instant::now())) {
            assert_ne!(line.split(' ').next(), Some(word), "too early: {line}\n{}", self.transcript());
        }
    }

    /// Sends `go …` and returns all lines up to and including the answer.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.ask(line, "bestmove")
    }

    /// Sends `go …` and returns the move of the answer.
    pub fn best(&mut self, line: &str) -> String {
        let lines = self.go(line);
        lines.last().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_string()
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to exit; returns its status and the remaining lines.
    ///
    /// # Panics
    /// When it doesn't end within the time.
    pub fn wait(&mut self, limit: Duration) -> (ExitStatus, Vec<String>) {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child can be waited for") {
                let mut lines = Vec::new();
                while let Some(line) = self.next_line(PATIENCE) {
                    lines.push(line);
                }
                return (status, lines);
            }
            assert!(Instant::now() < deadline, "still running after {limit:?}\n{}", self.transcript());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the input, waits for the process to exit and returns its standard error.
    ///
    /// # Panics
    /// When the status isn't 0.
    pub fn finish(mut self) -> String {
        self.close_input();
        let (status, _) = self.wait(PATIENCE);
        assert!(status.success(), "{status}\n{}", self.transcript());
        self.stderr.take().and_then(|reader| reader.join().ok()).unwrap_or_default()
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The input and output so far.
    pub fn transcript(&self) -> String {
        let start = self.transcript.len().saturating_sub(40);
        self.transcript[start..].join("\n")
    }
}

impl Drop for Client {
    /// Ends the process, and checks that it never wrote to stderr, which some clients read like stdout.
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(text) = self.stderr.take().and_then(|reader| reader.join().ok())
            && !self.may_write_to_stderr
            && !std::thread::panicking()
        {
            assert_eq!(text, "", "written to stderr");
        }
    }
}

/// The value after a name in a line, such as the number after `depth`.
pub fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|&word| word == name)?;
    words.next()
}

/// The moves after `pv`.
pub fn pv(line: &str) -> Vec<&str> {
    line.split_once(" pv ").map(|(_, moves)| moves.split(' ').collect()).unwrap_or_default()
}
