//! A game through Debian's `uci2wb`, the adapter between xboard and UCCI or UCI engines; this test takes the role of xboard.

use chuhe::board::Position;
use chuhe::types::Move;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);

struct XBoard {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    transcript: Vec<String>,
}

impl XBoard {
    /// Starts uci2wb with the program; none if uci2wb isn't installed.
    fn start(mode: &str) -> Option<XBoard> {
        let adapter = ["/usr/games/uci2wb", "/usr/bin/uci2wb"].into_iter().find(|path| Path::new(path).exists())?;
        let mut command = Command::new(adapter);
        if !mode.is_empty() {
            command.arg(mode);
        }
        let mut child =
            command.arg(engine_tests::chuhe()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let stdin = child.stdin.take()?;
        let stdout = BufReader::new(child.stdout.take()?);
        let (sender, lines) = channel();
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Some(XBoard { child, stdin, lines, transcript: Vec::new() })
    }

    fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {line}"));
        writeln!(self.stdin, "{line}").and_then(|()| self.stdin.flush()).expect("uci2wb reads");
    }

    fn until(&mut self, start: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.transcript.push(format!("< {line}"));
            if line.starts_with(start) {
                return line;
            }
        }
        panic!("no '{start}'\n{}", self.transcript.join("\n"));
    }
}

impl Drop for XBoard {
    fn drop(&mut self) {
        let _ = writeln!(self.stdin, "quit");
        std::thread::sleep(Duration::from_millis(100));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays some legal moves against the program.
fn play(mode: &str, plies: usize) {
    let Some(mut xboard) = XBoard::start(mode) else {
        return eprintln!("skipped: uci2wb is not installed (Debian package uci2wb)");
    };
    xboard.send("xboard");
    xboard.send("protover 2");
    let features = xboard.until("feature variants");
    assert!(features.contains("xiangqi"), "{features}");
    xboard.send("accepted done");
    xboard.send("new");
    xboard.send("variant xiangqi");
    xboard.send("level 0 0:10 0");
    xboard.send("post");
    let mut position = Position::startpos();
    let mut rng = 12345usize;
    for ply in 0..plies {
        let legal = position.board().legal_moves();
        if legal.is_empty() {
            break;
        }
        if ply % 2 == 0 {
            rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mv = legal[(rng >> 33) % legal.len()];
            position.make(mv);
            xboard.send("time 1000");
            xboard.send("otim 1000");
            xboard.send(&format!("usermove {mv}"));
        } else {
            let line = xboard.until("move ");
            let mv = Move::from_uci(line[5..].trim()).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(position.board().is_legal(mv), "{mv} in {}\n{}", position.to_fen(), xboard.transcript.join("\n"));
            position.make(mv);
        }
    }
}

#[test]
fn a_game_by_ucci() {
    play("-x", 16);
}

#[test]
fn a_game_by_cyclone() {
    play("-c", 16);
}
