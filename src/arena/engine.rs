//! An engine as a child process.

use super::announced::{self, AnnouncedOption};
use super::error::{ArenaError, EngineError, OptionError};
use super::reply::{Listener, Reply};
use super::spec::{EngineSpec, Ranks, TimeControl};
use super::transcript::{Speaker, Transcript};
use crate::board::{Board, Position};
use crate::notation::{self, System};
use crate::protocol::Dialect;
use crate::records::decode;
use crate::types::{Color, Move};
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::{timeout, timeout_at};

/// The answer to `isready`.
const READY: &str = "readyok";
/// Timeout of the handshake: engines read networks and books before they answer, on a busy machine many at once, and Wine prepares itself.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout of `readyok` before a move.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of `readyok` after options and after the announcement of a game: to clear a hash table of many gigabytes takes an engine longer
/// than anything else that it does between moves.
const PREPARATION_TIMEOUT: Duration = Duration::from_secs(60);
/// Time for the first answer to `isready` in UCCI, whose definition for tournaments does not include this command.
const OPTIONAL_READY_TIMEOUT: Duration = Duration::from_secs(2);
/// The option of UCCI for times in milliseconds.
const MILLISECONDS: &str = "usemillisec";
/// The option of UCI for the game, and its value.
const VARIANT: &str = "UCI_Variant";
const XIANGQI: &str = "xiangqi";
/// Timeout of sending a line. A pipe holds more than any line of ours, so only an engine that has stopped reading takes longer.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for an engine to exit after `quit`: some save then what they have learnt.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for a process that has ended or been killed to disappear, and for an engine at fault to exit after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// Number of unread lines after which an engine that is expected to write has to wait.
const UNREAD_LINES: usize = 256;

/// A technical failure of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineFault {
    /// The process ended.
    Crash,
    /// The engine did not answer.
    Hang,
}

/// The data of a request for a move.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The initial position of the game.
    pub opening: &'a Position,
    /// The moves played since.
    pub moves: &'a [Move],
    /// The side to move.
    pub side: Color,
    /// The time control of the side to move.
    pub time: TimeControl,
    /// Remaining time of both sides, by colour; meaningful only with clocks.
    pub clocks: [Duration; 2],
    /// Increments per move, by colour.
    pub increments: [Duration; 2],
    /// Moves to the next time control, by colour.
    pub moves_to_go: [Option<u32>; 2],
    /// Whether the opponent has offered a draw.
    pub draw_offered: bool,
}

/// A running engine. Dropping it kills the process and its descendants.
pub struct Engine {
    protocol: Dialect,
    name: String,
    /// The coordinate system of its moves.
    squares: System,
    /// UCCI: whether times are in milliseconds.
    milliseconds: bool,
    /// Whether it answers `isready`; `None` until it should have answered once.
    answers_isready: Option<bool>,
    child: Box<dyn ChildWrapper>,
    stdin: ChildStdin,
    lines: Receiver<(Instant, String)>,
    /// Whether the match waits for lines of this engine; see [`LineFilter`].
    is_awaited: Arc<AtomicBool>,
    errors: Option<JoinHandle<()>>,
    transcript: Transcript,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Its child processes may outlive it. It is not an error if there is nothing left to kill.
        let _ = self.child.start_kill();
    }
}

/// Forwards the lines that an engine writes while the match waits for it, and drops all others: they answer nothing, and their number has no
/// limit.
struct LineFilter {
    lines: Sender<(Instant, String)>,
    is_awaited: Arc<AtomicBool>,
}

impl LineFilter {
    /// Forwards or drops a line that arrived at this time; false if no more lines are wanted.
    async fn passes(&self, line: (Instant, String)) -> bool {
        if self.is_awaited.load(Ordering::Acquire) {
            return self.lines.send(line).await.is_ok();
        }
        // It may come after the timeout, and shows that the engine knows `isready`.
        if line.1 == READY {
            let _ = self.lines.try_send(line);
        }
        !self.lines.is_closed()
    }
}

/// The text of a line. Engines made for China write their names in GBK, and some programs begin with a byte order mark.
fn text_of(line: &[u8]) -> String {
    decode(line).trim().to_string()
}

/// The program of an engine. A path without a root may begin in the engine's own folder or in that of the match: systems differ in where
/// they look for it, so it is looked for here.
fn program(spec: &EngineSpec) -> PathBuf {
    let path = Path::new(&spec.command);
    let Some(folder) = &spec.folder else { return path.into() };
    if path.is_absolute() {
        return path.into();
    }
    // A bare name that is not in the engine's folder is looked up in the search path.
    let here = (path.components().count() > 1).then(|| path.to_path_buf());
    let found = std::iter::once(folder.join(path)).chain(here).find(|path| path.is_file());
    found.and_then(|path| std::path::absolute(path).ok()).unwrap_or_else(|| path.into())
}

/// Reads the lines of a pipe until it ends or the receiver is dropped.
fn listen(
    pipe: impl AsyncRead + Unpin + Send + 'static,
    speaker: Speaker,
    transcript: Transcript,
    filter: Option<LineFilter>,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut reader = tokio::io::BufReader::new(pipe);
        while let Ok(Some(line)) = crate::protocol::next_line(&mut reader).await {
            // Before the log is written, which must not count as time of the engine.
            let at = Instant::now();
            let text = text_of(&line);
            transcript.add(speaker, &text);
            if let Some(filter) = &filter
                && !filter.passes((at, text)).await
            {
                break;
            }
        }
    })
}

impl Engine {
    /// Starts an engine for games with this time control and sets its options. If a folder for logs is given, the traffic is logged to a new
    /// file in it.
    ///
    /// # Errors
    /// [`ArenaError::Engine`], also for an option that the engine does not have, or a time control that its protocol can't express.
    pub async fn start(spec: &EngineSpec, time: TimeControl, logs: Option<&Path>) -> Result<Engine, ArenaError> {
        Engine::try_start(spec, time, logs).await.map_err(|error| ArenaError::Engine { engine: spec.command.clone(), error })
    }

    async fn try_start(spec: &EngineSpec, time: TimeControl, logs: Option<&Path>) -> Result<Engine, EngineError> {
        // The system's error would be that of a missing program.
        if let Some(folder) = spec.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(EngineError::NoFolder(folder.clone()));
        }
        let transcript = Transcript::open(logs, spec.label())?;
        let mut command = CommandWrap::with_new(program(spec), |command| {
            command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            if let Some(folder) = &spec.folder {
                command.current_dir(folder);
            }
        });
        // Engines that are scripts start other processes; all are killed together.
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        // A match without a console must not open one for each engine.
        #[cfg(windows)]
        command
            .wrap(process_wrap::tokio::CreationFlags(windows::Win32::System::Threading::CREATE_NO_WINDOW))
            .wrap(process_wrap::tokio::JobObject);
        let mut child = command.spawn().map_err(EngineError::Spawn)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin().take(), child.stdout().take(), child.stderr().take())
        else {
            return Err(EngineError::NoPipes);
        };
        let (sender, lines) = channel(UNREAD_LINES);
        let is_awaited = Arc::new(AtomicBool::new(true));
        listen(stdout, Speaker::Engine, transcript.clone(), Some(LineFilter { lines: sender, is_awaited: is_awaited.clone() }));
        let errors = Some(listen(stderr, Speaker::Errors, transcript.clone(), None));
        let mut engine = Engine {
            protocol: spec.protocol,
            name: spec.name.clone(),
            squares: System::Uci,
            milliseconds: false,
            answers_isready: None,
            child,
            stdin,
            lines,
            is_awaited,
            errors,
            transcript,
        };
        let announced = match engine.handshake(spec).await {
            Ok(announced) => announced,
            Err(EngineFault::Crash) => return Err(EngineError::Ended(engine.exit_description().await)),
            Err(EngineFault::Hang) => return Err(engine.silent(engine.greeting(), HANDSHAKE_TIMEOUT)),
        };
        // A multi-variant engine may have been built without xiangqi; it would play another game.
        if let Err(error @ OptionError::Value { .. }) = announced::check(&announced, VARIANT, XIANGQI) {
            return Err(error.into());
        }
        let mut options = Vec::with_capacity(spec.options.len());
        for (name, value) in &spec.options {
            options.push(announced::check(&announced, name, value)?);
            if engine.protocol == Dialect::Ucci && name.eq_ignore_ascii_case(MILLISECONDS) {
                engine.milliseconds = value == "true";
            }
        }
        if engine.protocol == Dialect::Ucci && !engine.milliseconds && !time.is_in_whole_seconds() {
            return Err(EngineError::WholeSeconds(time));
        }
        match engine.set_options(&options).await {
            Ok(()) => {
                engine.set_awaited(false);
                Ok(engine)
            }
            Err(EngineFault::Crash) => Err(EngineError::Ended(engine.exit_description().await)),
            Err(EngineFault::Hang) => Err(engine.silent("isready", PREPARATION_TIMEOUT)),
        }
    }

    fn silent(&self, command: &'static str, limit: Duration) -> EngineError {
        EngineError::Silent { command, limit, last_errors: self.transcript.last_errors() }
    }

    /// The first command, to which the engine introduces itself.
    fn greeting(&self) -> &'static str {
        match self.protocol {
            Dialect::Uci => "uci",
            Dialect::Ucci => "ucci",
        }
    }

    /// The exit status of a process that has ended and its last lines on stderr, for appending to a sentence.
    pub async fn exit_description(&mut self) -> String {
        let status = match timeout(EXIT_TIMEOUT, self.child.wait()).await {
            Ok(Ok(status)) => format!(" with {status}"),
            _ => String::new(),
        };
        // Its last output may still be in the pipe, which its child processes may hold open.
        if let Some(errors) = self.errors.take() {
            let _ = timeout(EXIT_TIMEOUT, errors).await;
        }
        self.transcript.add(Speaker::Remark, &format!("the process ended{status}"));
        format!("{status}{}", self.transcript.last_errors())
    }

    /// The error that ended the log early, returned once.
    pub fn log_fault(&self) -> Option<ArenaError> {
        let error = self.transcript.take_fault()?;
        Some(ArenaError::Engine { engine: self.name.clone(), error })
    }

    /// The last lines on stderr, for appending to a sentence.
    pub fn last_errors(&self) -> String {
        self.transcript.last_errors()
    }

    /// The name from the command line, otherwise the engine's own.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives it another name, by which it can be told from the other engines of the match.
    pub fn rename(&mut self, name: &str) {
        self.name = name.into();
    }

    /// Performs the handshake and returns the announced options.
    async fn handshake(&mut self, spec: &EngineSpec) -> Result<Vec<AnnouncedOption>, EngineFault> {
        let ready = format!("{}ok", self.greeting());
        self.send(self.greeting()).await?;
        let deadline = Instant::now() + HANDSHAKE_TIMEOUT;
        let mut counts_from_one = false;
        let mut announced = Vec::new();
        loop {
            let (_, line) = self.line(deadline).await?;
            if line == ready {
                break;
            }
            announced.extend(AnnouncedOption::read(&line, self.protocol));
            if let Some(name) = line.strip_prefix("id name ") {
                if self.name.is_empty() {
                    self.name = name.trim().into();
                }
            } else if line.starts_with("option name UCI_Variant ") {
                // A multi-variant engine names the ranks as in its default variant, from 1.
                counts_from_one = !line.contains(" default xiangqi");
                self.send(&format!("setoption name {VARIANT} value {XIANGQI}")).await?;
            } else if line.starts_with("option usemillisec ") {
                self.milliseconds = true;
                self.send(&format!("setoption {MILLISECONDS} true")).await?;
            }
        }
        if self.name.is_empty() {
            self.name = spec.command.clone();
        }
        self.squares = match spec.ranks {
            Ranks::FromZero => System::Uci,
            Ranks::Auto if !counts_from_one => System::Uci,
            Ranks::Auto | Ranks::FromOne => System::Uci10,
        };
        Ok(announced)
    }

    async fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        for (name, value) in options {
            let line = match self.protocol {
                Dialect::Uci if value.is_empty() => format!("setoption name {name}"),
                Dialect::Uci => format!("setoption name {name} value {value}"),
                Dialect::Ucci => format!("setoption {name} {value}"),
            };
            self.send(&line).await?;
        }
        self.ready(PREPARATION_TIMEOUT).await
    }

    /// Sends a line and returns when it began to: after the log was written, which must not count as time of the engine.
    async fn send(&mut self, line: &str) -> Result<Instant, EngineFault> {
        log::trace!("{} < {line}", self.name);
        self.transcript.add(Speaker::Match, line);
        let write = async {
            self.stdin.write_all(format!("{line}\n").as_bytes()).await?;
            self.stdin.flush().await
        };
        let start = Instant::now();
        match timeout(SEND_TIMEOUT, write).await {
            Ok(Ok(())) => Ok(start),
            Ok(Err(_)) => Err(EngineFault::Crash),
            Err(_) => Err(EngineFault::Hang),
        }
    }

    async fn line(&mut self, deadline: Instant) -> Result<(Instant, String), EngineFault> {
        match timeout_at(deadline.into(), self.lines.recv()).await {
            Ok(Some((at, line))) => {
                self.received(&line);
                Ok((at, line))
            }
            Ok(None) => Err(EngineFault::Crash),
            Err(_) => Err(EngineFault::Hang),
        }
    }

    fn received(&mut self, line: &str) {
        log::trace!("{} > {line}", self.name);
        // Late, perhaps.
        if line == READY {
            self.answers_isready = Some(true);
        }
    }

    /// Begins or ends to wait for lines of this engine.
    fn set_awaited(&mut self, is_awaited: bool) {
        self.is_awaited.store(is_awaited, Ordering::Release);
        self.drop_lines();
    }

    /// Drops the lines received so far.
    fn drop_lines(&mut self) {
        while let Ok((_, line)) = self.lines.try_recv() {
            self.received(&line);
        }
    }

    /// Waits until the engine has executed all earlier commands; what it wrote before is dropped.
    async fn ready(&mut self, limit: Duration) -> Result<(), EngineFault> {
        self.drop_lines();
        if self.answers_isready == Some(false) {
            return Ok(());
        }
        self.send("isready").await?;
        let is_optional = self.protocol == Dialect::Ucci && self.answers_isready.is_none();
        let deadline = Instant::now() + if is_optional { OPTIONAL_READY_TIMEOUT } else { limit };
        loop {
            match self.line(deadline).await {
                Err(EngineFault::Hang) if is_optional => {
                    self.answers_isready = Some(false);
                    return Ok(());
                }
                answer => {
                    if answer?.1 == READY {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Announces a new game.
    ///
    /// # Errors
    /// If the engine has exited or does not answer.
    pub async fn new_game(&mut self) -> Result<(), EngineFault> {
        self.set_awaited(true);
        self.send(match self.protocol {
            Dialect::Uci => "ucinewgame",
            Dialect::Ucci => "setoption newgame",
        })
        .await?;
        let ready = self.ready(PREPARATION_TIMEOUT).await;
        self.set_awaited(false);
        ready
    }

    /// Requests a move and waits for it up to `patience`. Returns the reply and the time taken. Lines written before the request, such as a
    /// second answer to the previous one, are ignored.
    ///
    /// # Errors
    /// If the engine has exited or does not answer in time.
    pub async fn think(&mut self, turn: &Turn<'_>, patience: Duration) -> Result<(Reply, Duration), EngineFault> {
        self.set_awaited(true);
        let answer = self.ask(turn, patience).await;
        self.set_awaited(false);
        answer
    }

    async fn ask(&mut self, turn: &Turn<'_>, patience: Duration) -> Result<(Reply, Duration), EngineFault> {
        let mut position = format!("position fen {}", turn.opening.to_fen());
        if !turn.moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&notation::write_line(self.squares, turn.opening.board(), turn.moves).join(" "));
        }
        self.send(&position).await?;
        self.ready(READY_TIMEOUT).await?;
        let go = match self.protocol {
            Dialect::Uci => go_uci(turn),
            Dialect::Ucci => go_ucci(turn, self.milliseconds),
        };
        let start = self.send(&go).await?;
        let mut listener = Listener::default();
        loop {
            let (at, line) = self.line(start + patience).await?;
            if let Some(reply) = listener.take(&line, self.protocol) {
                return Ok((reply, at.saturating_duration_since(start)));
            }
        }
    }

    /// Parses a move of this engine; `None` if it is not legal on this board.
    pub fn read_move(&self, board: &Board, text: &str) -> Option<Move> {
        notation::read(self.squares, board, text).ok()
    }

    /// The other value of `ranks`, if an illegal move of this engine would be legal with it.
    pub fn fitting_ranks(&self, board: &Board, text: &str) -> Option<u8> {
        let (other, ranks) = if self.squares == System::Uci { (System::Uci10, 1) } else { (System::Uci, 0) };
        notation::read(other, board, text).is_ok().then_some(ranks)
    }

    /// Ends the process: with `quit`, then by force.
    pub async fn dismiss(self) {
        self.end(QUIT_TIMEOUT).await;
    }

    /// As [`Engine::dismiss`], for an engine at fault, which might never exit.
    pub async fn remove(self) {
        self.end(EXIT_TIMEOUT).await;
    }

    async fn end(mut self, limit: Duration) {
        let _ = self.send("quit").await;
        match timeout(limit, self.child.wait()).await {
            Ok(Ok(status)) => self.transcript.add(Speaker::Remark, &format!("the process ended with {status}")),
            _ => {
                self.transcript.add(Speaker::Remark, "killed, as it did not exit on quit");
                let _ = self.child.start_kill();
                let _ = timeout(EXIT_TIMEOUT, self.child.wait()).await;
            }
        }
    }
}

/// A remaining time in milliseconds. An engine that has used it up without exceeding the margin plays on, and to many engines a time of 0
/// means that there is no clock.
fn milliseconds_left(time: Duration) -> u128 {
    time.as_millis().max(1)
}

fn go_uci(turn: &Turn) -> String {
    match turn.time {
        TimeControl::Clock { .. } => {
            let [red, black] = turn.clocks.map(milliseconds_left);
            let [red_more, black_more] = turn.increments.map(|time| time.as_millis());
            let mut text = format!("go wtime {red} btime {black} winc {red_more} binc {black_more}");
            if let Some(moves) = turn.moves_to_go[turn.side.index()] {
                text.push_str(&format!(" movestogo {moves}"));
            }
            text
        }
        TimeControl::MoveTime(time) => format!("go movetime {}", time.as_millis()),
        TimeControl::Nodes(nodes) => format!("go nodes {nodes}"),
        TimeControl::Depth(depth) => format!("go depth {depth}"),
    }
}

fn go_ucci(turn: &Turn, milliseconds: bool) -> String {
    let unit = |time: Duration| if milliseconds { time.as_millis() } else { time.as_secs() as u128 };
    let draw = if turn.draw_offered { "draw " } else { "" };
    let (own, other) = (turn.side.index(), 1 - turn.side.index());
    match turn.time {
        TimeControl::Clock { .. } => {
            let left = |side: usize| if milliseconds { milliseconds_left(turn.clocks[side]) } else { unit(turn.clocks[side]) };
            let (time, other_time) = (left(own), left(other));
            // The two sides may have different kinds of clocks.
            let rest = |side: usize, opp: &str| match turn.moves_to_go[side] {
                Some(moves) => format!("{opp}movestogo {moves}"),
                None => format!("{opp}increment {}", unit(turn.increments[side])),
            };
            format!("go {draw}time {time} {} opptime {other_time} {}", rest(own, ""), rest(other, "opp"))
        }
        // UCCI has no time per move; a time control of one move is equivalent.
        TimeControl::MoveTime(time) => format!("go {draw}time {} movestogo 1", unit(time)),
        TimeControl::Nodes(nodes) => format!("go {draw}nodes {nodes}"),
        TimeControl::Depth(depth) => format!("go {draw}depth {depth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_lines() {
        let second = Duration::from_secs(1);
        let start = Position::startpos();
        let mut turn = Turn {
            opening: &start,
            moves: &[],
            side: Color::Black,
            time: "1+0.01".parse().unwrap(),
            clocks: [second * 5, second * 4],
            increments: [Duration::from_millis(10), Duration::from_millis(20)],
            moves_to_go: [None; 2],
            draw_offered: true,
        };
        assert_eq!(go_uci(&turn), "go wtime 5000 btime 4000 winc 10 binc 20");
        assert_eq!(go_ucci(&turn, true), "go draw time 4000 increment 20 opptime 5000 oppincrement 10");
        assert_eq!(go_ucci(&turn, false), "go draw time 4 increment 0 opptime 5 oppincrement 0");
        turn.moves_to_go = [Some(6), Some(7)];
        turn.draw_offered = false;
        assert_eq!(go_uci(&turn), "go wtime 5000 btime 4000 winc 10 binc 20 movestogo 7");
        assert_eq!(go_ucci(&turn, true), "go time 4000 movestogo 7 opptime 5000 oppmovestogo 6");
        turn.moves_to_go = [None, Some(7)];
        assert_eq!(go_ucci(&turn, true), "go time 4000 movestogo 7 opptime 5000 oppincrement 10");
        turn.clocks = [second, Duration::ZERO];
        assert_eq!(go_uci(&turn), "go wtime 1000 btime 1 winc 10 binc 20 movestogo 7");
        assert_eq!(go_ucci(&turn, true), "go time 1 movestogo 7 opptime 1000 oppincrement 10");
        turn.time = "movetime:100".parse().unwrap();
        assert_eq!((go_uci(&turn), go_ucci(&turn, true)), ("go movetime 100".into(), "go time 100 movestogo 1".into()));
    }

    #[test]
    fn names_in_gbk_are_read() {
        assert_eq!(text_of(b"id name \xcf\xf3\xc6\xe5\r"), "id name 象棋");
        assert_eq!(text_of("id name 象棋".as_bytes()), "id name 象棋");
        assert_eq!(text_of(b"\xef\xbb\xbfuciok"), "uciok");
    }

    #[test]
    fn programs_are_found_in_both_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        let own = folder.path().join("bin").join("engine");
        std::fs::write(&own, "").unwrap();
        let found = |command: &str, folder: Option<&Path>| {
            program(&EngineSpec { command: command.into(), folder: folder.map(PathBuf::from), ..EngineSpec::default() })
        };
        assert_eq!(found("bin/engine", Some(folder.path())), own);
        assert_eq!(found("src/lib.rs", Some(folder.path())), std::path::absolute("src/lib.rs").unwrap());
        let bin = folder.path().join("bin");
        assert_eq!(found("engine", Some(bin.as_path())), own);
        for (command, folder) in [("src/lib.rs", None), ("engine", Some(folder.path())), ("bin/other", Some(folder.path()))] {
            assert_eq!(found(command, folder), Path::new(command));
        }
    }

    /// The lines that arrive from a pipe with this text.
    fn heard(text: &str, is_awaited: bool) -> Vec<String> {
        let (sender, mut lines) = channel(UNREAD_LINES);
        let filter = LineFilter { lines: sender, is_awaited: Arc::new(AtomicBool::new(is_awaited)) };
        let pipe = std::io::Cursor::new(text.as_bytes().to_vec());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let reader = listen(pipe, Speaker::Engine, Transcript::open(None, "x").unwrap(), Some(filter));
            let mut heard = Vec::new();
            while let Some((_, line)) = lines.recv().await {
                heard.push(line);
            }
            reader.await.unwrap();
            heard
        })
    }

    #[test]
    fn only_lines_that_are_awaited_are_kept() {
        let many = "info depth 1\n".repeat(10 * UNREAD_LINES);
        let text = format!("{many}readyok\nbestmove h2e2");
        let all = heard(&text, true);
        assert_eq!((all.len(), all.last().map(String::as_str)), (10 * UNREAD_LINES + 2, Some("bestmove h2e2")));
        assert_eq!(heard(&text, false), [READY]);
    }
}
