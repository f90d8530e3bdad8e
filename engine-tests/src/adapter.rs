//! UCI adapter for opponents with other interfaces, with the subset that `chuhe match` needs: one game at a time, no pondering, no `stop`.

use std::io::{self, BufRead, Write};
use thiserror::Error;

/// An error that ends an opponent.
#[derive(Debug, Error)]
pub enum AdapterError {
    /// An error of standard input or output.
    #[error("standard input or output: {0}")]
    Client(#[from] io::Error),
    /// The opponent's program could not be started.
    #[error("{program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The opponent's program has ended.
    #[error("{0} has gone")]
    Gone(&'static str),
    /// The opponent rejects a position.
    #[error("{opponent} does not take the position {fen}")]
    Position {
        /// Its name.
        opponent: &'static str,
        /// The position.
        fen: String,
    },
    /// The opponent rejects a move or reports an error.
    #[error("{opponent} refuses: {text}")]
    Refused {
        /// Its name.
        opponent: &'static str,
        /// The move, or the opponent's message.
        text: String,
    },
}

/// The limits of a `go`.
#[derive(Clone, Copy, Default, Debug)]
pub struct GoLimits {
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Remaining time of the side to move in milliseconds.
    pub clock: Option<u64>,
    /// Increment in milliseconds.
    pub increment: u64,
}

impl GoLimits {
    fn parse(words: &[&str], red_to_move: bool) -> GoLimits {
        let number = |name: &str| -> Option<u64> {
            let at = words.iter().position(|&word| word == name)?;
            Some(words.get(at + 1)?.parse::<i64>().ok()?.max(0) as u64)
        };
        let (clock, increment) = if red_to_move { ("wtime", "winc") } else { ("btime", "binc") };
        GoLimits {
            movetime: number("movetime"),
            depth: number("depth").map(|depth| depth.clamp(1, 64) as u32),
            clock: number(clock),
            increment: number(increment).unwrap_or(0),
        }
    }

    /// The time for this move in milliseconds: as given, or a fraction of the clock; none if only the depth is limited.
    pub fn time(&self) -> Option<u64> {
        self.movetime.or_else(|| self.clock.map(|clock| (clock / 30 + self.increment * 3 / 4).min(clock / 2).max(1)))
    }
}

/// A move, if the opponent has one, and its score if it reports one.
pub type Reply = (Option<String>, Option<i32>);

/// A program that plays xiangqi.
pub trait Opponent {
    /// Its name.
    fn name(&self) -> String;

    /// Starts a new game.
    fn new_game(&mut self);

    /// Its move in the position after `moves` (as `h2e2`) from `fen`, in the same notation, with its score in centipawns if it
    /// reports one. None if it has no move.
    ///
    /// # Errors
    /// When it can't continue; the adapter then exits, like a crashed opponent.
    fn think(&mut self, fen: &str, moves: &[String], go: GoLimits) -> Result<Reply, AdapterError>;
}

/// Speaks UCI on stdin and stdout until `quit`.
///
/// # Errors
/// When the opponent can't continue.
pub fn serve(opponent: &mut dyn Opponent) -> Result<(), AdapterError> {
    let mut output = io::stdout().lock();
    let start = chuhe::board::START_FEN.to_string();
    let (mut fen, mut moves) = (start.clone(), Vec::new());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.split_first() {
            Some((&"uci", _)) => writeln!(output, "id name {}\nuciok", opponent.name())?,
            Some((&"isready", _)) => writeln!(output, "readyok")?,
            Some((&"ucinewgame", _)) => opponent.new_game(),
            Some((&"position", rest)) => {
                let at = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
                moves = rest.iter().skip(at + 1).map(|word| word.to_string()).collect();
                fen = if rest.first() == Some(&"fen") { rest[1..at].join(" ") } else { start.clone() };
            }
            Some((&"go", rest)) => {
                let black_begins = fen.split(' ').nth(1) == Some("b");
                let red_to_move = moves.len().is_multiple_of(2) != black_begins;
                let (best, score) = opponent.think(&fen, &moves, GoLimits::parse(rest, red_to_move))?;
                if let (Some(best), Some(score)) = (&best, score) {
                    writeln!(output, "info depth 1 score cp {score} pv {best}")?;
                }
                writeln!(output, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
            }
            Some((&"quit", _)) => break,
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
