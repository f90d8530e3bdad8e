//! HoiXiangqi as a UCI engine, for matches. It speaks xboard's protocol; the program is the first argument, or Debian's
//! default path.
//!
//! Its shortest time for a move is a second, so a time per move is set as a session of forty moves: with a session of four seconds it
//! spends 90 to 100 ms per move. It doesn't accept positions (`setboard` fails or ends the process), so openings must begin at
//! the start position.

use engine_tests::adapter::{AdapterError, GoLimits, Opponent, Reply, serve};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

const NAME: &str = "hoixiangqi";
/// Moves per session.
const SESSION: u64 = 40;

struct HoiXiangqi {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// The moves sent to the engine; none before the first game.
    played: Option<Vec<String>>,
    /// The last time control command.
    level: String,
}

impl HoiXiangqi {
    fn start(program: &str) -> Result<HoiXiangqi, AdapterError> {
        let mut child = Command::new(program)
            .arg("--xboard")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| AdapterError::Start { program: program.into(), source })?;
        let stdin = child.stdin.take().ok_or(AdapterError::Gone(NAME))?;
        let stdout = BufReader::new(child.stdout.take().ok_or(AdapterError::Gone(NAME))?);
        let mut engine = HoiXiangqi { child, stdin, stdout, played: None, level: String::new() };
        engine.send("xboard")?;
        engine.send("protover 2")?;
        engine.answer("feature myname")?;
        Ok(engine)
    }

    fn send(&mut self, line: &str) -> Result<(), AdapterError> {
        writeln!(self.stdin, "{line}").and_then(|()| self.stdin.flush()).map_err(|_| AdapterError::Gone(NAME))
    }

    /// The first line that begins with `start`, or that ends the game.
    fn answer(&mut self, start: &str) -> Result<String, AdapterError> {
        let mut line = String::new();
        loop {
            line.clear();
            match self.stdout.read_line(&mut line) {
                Ok(0) | Err(_) => return Err(AdapterError::Gone(NAME)),
                Ok(_) => {}
            }
            let text = line.trim();
            let is_result = ["1-0", "0-1", "1/2-1/2", "resign"].iter().any(|result| text.starts_with(result));
            if text.starts_with(start) || is_result {
                return Ok(text.into());
            }
            if text.starts_with("Illegal move") || text.starts_with("Error") {
                return Err(AdapterError::Refused { opponent: NAME, text: text.into() });
            }
        }
    }
}

impl Opponent for HoiXiangqi {
    fn name(&self) -> String {
        "HoiXiangqi 0.22".into()
    }

    fn new_game(&mut self) {
        self.played = None;
    }

    fn think(&mut self, fen: &str, moves: &[String], go: GoLimits) -> Result<Reply, AdapterError> {
        if fen != chuhe::board::START_FEN {
            return Err(AdapterError::Position { opponent: NAME, fen: fen.into() });
        }
        let known = match &self.played {
            Some(played) if moves.starts_with(played) => played.len(),
            _ => {
                self.level.clear();
                self.send("new")?;
                self.send("force")?;
                self.send("post")?;
                0
            }
        };
        let level = match (go.depth, go.time()) {
            (Some(depth), _) => format!("sd {depth}"),
            (None, time) => {
                let seconds = (time.unwrap_or(1000) * SESSION).div_ceil(1000).max(1);
                format!("level {SESSION} {}:{:02} 0", seconds / 60, seconds % 60)
            }
        };
        if level != self.level {
            self.send(&level)?;
            self.level = level;
        }
        for text in &moves[known..] {
            self.send(text)?;
        }
        self.send("go")?;
        let line = self.answer("move ")?;
        // Otherwise it would answer the next move immediately.
        self.send("force")?;
        let Some(best) = line.strip_prefix("move ") else {
            self.played = None;
            return Ok((None, None));
        };
        let mut played = moves.to_vec();
        played.push(best.into());
        self.played = Some(played);
        Ok((Some(best.into()), None))
    }
}

impl Drop for HoiXiangqi {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() -> ExitCode {
    let given = std::env::args().nth(1);
    let program = given.as_deref().unwrap_or("/usr/games/hoixiangqi");
    match HoiXiangqi::start(program).and_then(|mut engine| serve(&mut engine)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hoixiangqi_uci: {error}");
            ExitCode::FAILURE
        }
    }
}
