//! An engine as a child process.

use super::reply::{Listener, Reply};
use super::spec::{EngineSpec, Protocol, Ranks, TimeControl};
use crate::board::{Board, Position};
use crate::notation::{self, System};
use crate::types::{Color, Move};
use std::fmt;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout_at;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long an engine may take to read what it is sent: a pipe holds more than any line of ours, so only one that has
/// stopped reading takes longer.
const SENDING: Duration = Duration::from_secs(5);
/// How long a dismissed engine may take to go.
const LEAVING: Duration = Duration::from_millis(500);

/// What an engine can do wrong besides playing badly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It could not be started or didn't greet; a sentence.
    Start(String),
    /// Its process ended.
    Crash,
    /// It didn't answer.
    Hang,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Start(error) => f.write_str(error),
            Fault::Crash => f.write_str("the process ended"),
            Fault::Hang => f.write_str("no answer"),
        }
    }
}

/// What an engine is asked for a move with.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Where the game began.
    pub opening: &'a Position,
    /// The moves since.
    pub moves: &'a [Move],
    /// Who is to move.
    pub side: Color,
    /// How long it may think.
    pub time: TimeControl,
    /// Time left on both clocks, by colour; of meaning only with a clock.
    pub clocks: [Duration; 2],
    /// What a move adds, by colour.
    pub increments: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// The opponent has offered a draw.
    pub draw_offered: bool,
}

/// A running engine.
pub struct Engine {
    protocol: Protocol,
    name: String,
    /// How it writes moves.
    squares: System,
    /// UCCI: whether times are in milliseconds.
    milliseconds: bool,
    child: Child,
    stdin: ChildStdin,
    lines: UnboundedReceiver<(Instant, String)>,
}

impl Engine {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// [`Fault::Start`] with a sentence that names the program.
    pub async fn start(spec: &EngineSpec) -> Result<Engine, Fault> {
        let failed = |error: String| Fault::Start(format!("engine '{}': {error}", spec.command));
        let mut command = Command::new(&spec.command);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(|error| failed(format!("can't be started: {error}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("has no pipes".into()));
        };
        let (sender, lines) = unbounded_channel();
        tokio::spawn(async move {
            let mut reader = tokio::io::BufReader::new(stdout);
            while let Ok(Some(line)) = crate::protocol::next_line(&mut reader).await {
                let text = String::from_utf8_lossy(&line).trim().to_string();
                if sender.send((Instant::now(), text)).is_err() {
                    break;
                }
            }
        });
        let (protocol, name) = (spec.protocol, spec.name.clone());
        let mut engine = Engine { protocol, name, squares: System::Uci, milliseconds: false, child, stdin, lines };
        engine.handshake(spec).await.map_err(|fault| match fault {
            Fault::Crash => failed("ended during the handshake".into()),
            _ => failed(format!("did not answer the handshake within {} s", HANDSHAKE.as_secs())),
        })?;
        Ok(engine)
    }

    /// The name of the command line, or else the engine's own.
    pub fn name(&self) -> &str {
        &self.name
    }

    async fn handshake(&mut self, spec: &EngineSpec) -> Result<(), Fault> {
        let (greeting, ready) = match self.protocol {
            Protocol::Uci => ("uci", "uciok"),
            Protocol::Ucci => ("ucci", "ucciok"),
        };
        self.send(greeting).await?;
        let deadline = Instant::now() + HANDSHAKE;
        let mut counts_from_one = false;
        loop {
            let (_, line) = self.line(deadline).await?;
            if line == ready {
                break;
            }
            if let Some(name) = line.strip_prefix("id name ") {
                if self.name.is_empty() {
                    self.name = name.trim().into();
                }
            } else if line.starts_with("option name UCI_Variant ") {
                // An engine of many games keeps its squares for xiangqi too.
                counts_from_one = !line.contains(" default xiangqi");
                self.send("setoption name UCI_Variant value xiangqi").await?;
            } else if line.starts_with("option usemillisec ") {
                self.milliseconds = true;
                self.send("setoption usemillisec true").await?;
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
        for (name, value) in &spec.options {
            let line = match self.protocol {
                Protocol::Uci if value.is_empty() => format!("setoption name {name}"),
                Protocol::Uci => format!("setoption name {name} value {value}"),
                Protocol::Ucci => format!("setoption {name} {value}"),
            };
            self.send(&line).await?;
        }
        self.ready().await
    }

    async fn send(&mut self, line: &str) -> Result<(), Fault> {
        log::trace!("{} < {line}", self.name);
        let write = async {
            self.stdin.write_all(format!("{line}\n").as_bytes()).await?;
            self.stdin.flush().await
        };
        match tokio::time::timeout(SENDING, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Fault::Crash),
            Err(_) => Err(Fault::Hang),
        }
    }

    async fn line(&mut self, deadline: Instant) -> Result<(Instant, String), Fault> {
        match timeout_at(deadline.into(), self.lines.recv()).await {
            Ok(Some((at, line))) => {
                log::trace!("{} > {line}", self.name);
                Ok((at, line))
            }
            Ok(None) => Err(Fault::Crash),
            Err(_) => Err(Fault::Hang),
        }
    }

    async fn ready(&mut self) -> Result<(), Fault> {
        self.send("isready").await?;
        let deadline = Instant::now() + HANDSHAKE;
        while self.line(deadline).await?.1 != "readyok" {}
        Ok(())
    }

    /// Tells that a new game begins.
    ///
    /// # Errors
    /// When the engine has gone or doesn't answer.
    pub async fn new_game(&mut self) -> Result<(), Fault> {
        self.send(match self.protocol {
            Protocol::Uci => "ucinewgame",
            Protocol::Ucci => "setoption newgame",
        })
        .await?;
        self.ready().await
    }

    /// Asks for a move and waits for it at most this long. Returns the reply and how long it took.
    ///
    /// # Errors
    /// When the engine has gone or doesn't answer in time.
    pub async fn think(&mut self, turn: &Turn<'_>, patience: Duration) -> Result<(Reply, Duration), Fault> {
        let mut position = format!("position fen {}", turn.opening.to_fen());
        if !turn.moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&notation::write_line(self.squares, turn.opening.board(), turn.moves).join(" "));
        }
        self.send(&position).await?;
        let go = match self.protocol {
            Protocol::Uci => go_uci(turn),
            Protocol::Ucci => go_ucci(turn, self.milliseconds),
        };
        let start = Instant::now();
        self.send(&go).await?;
        let mut listener = Listener::default();
        loop {
            let (at, line) = self.line(start + patience).await?;
            if let Some(reply) = listener.hear(&line, self.protocol) {
                return Ok((reply, at.saturating_duration_since(start)));
            }
        }
    }

    /// Reads a move of this engine; none when it is not legal here.
    pub fn read_move(&self, board: &Board, text: &str) -> Option<Move> {
        notation::read(self.squares, board, text).ok()
    }

    /// Ends the process: politely, then by force.
    pub async fn dismiss(mut self) {
        let _ = self.send("quit").await;
        if tokio::time::timeout(LEAVING, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

fn go_uci(turn: &Turn) -> String {
    match turn.time {
        TimeControl::Clock { .. } => {
            let [red, black] = turn.clocks.map(|time| time.as_millis());
            let [red_more, black_more] = turn.increments.map(|time| time.as_millis());
            let mut text = format!("go wtime {red} btime {black} winc {red_more} binc {black_more}");
            if let Some(moves) = turn.moves_to_go {
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
            let (time, other_time) = (unit(turn.clocks[own]), unit(turn.clocks[other]));
            match turn.moves_to_go {
                Some(moves) => format!("go {draw}time {time} movestogo {moves} opptime {other_time} oppmovestogo {moves}"),
                None => format!(
                    "go {draw}time {time} increment {} opptime {other_time} oppincrement {}",
                    unit(turn.increments[own]),
                    unit(turn.increments[other])
                ),
            }
        }
        // UCCI knows no time for a move; the time to a control of one move is the same.
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
            moves_to_go: None,
            draw_offered: true,
        };
        assert_eq!(go_uci(&turn), "go wtime 5000 btime 4000 winc 10 binc 20");
        assert_eq!(go_ucci(&turn, true), "go draw time 4000 increment 20 opptime 5000 oppincrement 10");
        assert_eq!(go_ucci(&turn, false), "go draw time 4 increment 0 opptime 5 oppincrement 0");
        turn.moves_to_go = Some(7);
        turn.draw_offered = false;
        assert_eq!(go_uci(&turn), "go wtime 5000 btime 4000 winc 10 binc 20 movestogo 7");
        assert_eq!(go_ucci(&turn, true), "go time 4000 movestogo 7 opptime 5000 oppmovestogo 7");
        turn.time = "movetime:100".parse().unwrap();
        assert_eq!((go_uci(&turn), go_ucci(&turn, true)), ("go movetime 100".into(), "go time 100 movestogo 1".into()));
    }
}
