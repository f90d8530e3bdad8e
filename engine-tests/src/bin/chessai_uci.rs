//! The crate chessai as a UCI engine, for matches: one thread, no opening book, 16 MiB of hash.

use chessai::{Engine, Limits, Move};
use engine_tests::adapter::{AdapterError, GoLimits, Opponent, Reply, serve};
use std::process::ExitCode;
use std::time::Duration;

const NAME: &str = "chessai";

struct ChessAi {
    engine: Engine,
    /// The moves played in the engine.
    played: Vec<String>,
    fen: String,
}

impl ChessAi {
    fn new() -> ChessAi {
        let engine = Engine::builder().hash_size(16).threads(1).use_book(false).build();
        ChessAi { engine, played: Vec::new(), fen: String::new() }
    }
}

impl Opponent for ChessAi {
    fn name(&self) -> String {
        "chessai 1.0.1".into()
    }

    fn new_game(&mut self) {
        // Takes effect when the next position is not a continuation of the current one.
        self.fen.clear();
    }

    fn think(&mut self, fen: &str, moves: &[String], go: GoLimits) -> Result<Reply, AdapterError> {
        let refused = |text: &str| AdapterError::Refused { opponent: NAME, text: text.into() };
        if self.fen != fen || !moves.starts_with(&self.played) {
            self.engine.set_fen(fen).map_err(|_| AdapterError::Position { opponent: NAME, fen: fen.into() })?;
            self.fen = fen.into();
            self.played.clear();
        }
        for text in &moves[self.played.len()..] {
            let mv = Move::from_iccs(text).map_err(|_| refused(text))?;
            if !self.engine.make_move(mv) {
                return Err(refused(text));
            }
        }
        self.played = moves.to_vec();
        let mut limits = Limits::new();
        if let Some(time) = go.time() {
            limits = limits.time(Duration::from_millis(time));
        }
        if let Some(depth) = go.depth {
            limits = limits.depth(depth as u8);
        }
        let info = self.engine.search(limits);
        Ok((info.best_move.map(|mv| mv.to_iccs().replace('-', "").to_lowercase()), Some(info.score)))
    }
}

fn main() -> ExitCode {
    match serve(&mut ChessAi::new()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chessai_uci: {error}");
            ExitCode::FAILURE
        }
    }
}
