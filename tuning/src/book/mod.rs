//! The opening book: growing it by search, and searching what is in it.

pub mod grow;
pub mod prune;
pub mod verify;

use chuhe::board::{Board, Position, START_FEN};
use chuhe::book::Contents;
use chuhe::book::compile::Compiler;
use chuhe::book::place::{Turn, place_of};
use chuhe::search::{Bound, Info, Limits, Report, Score, Settings};
use chuhe::threads::Pool;
use chuhe::types::Move;
use std::path::{Path, PathBuf};

/// Centipawns that stand for a mate; a longer one is worth less.
const MATE: i32 = 30_000;

/// What stops work on the book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A line of a file is not as it must be.
    #[error("{}: line {line}: expected {expected}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What was expected there.
        expected: String,
    },
    /// What the book's compiler says of a source, with file and line.
    #[error("{0}")]
    Source(String),
}

impl BookError {
    /// What the system says of this file.
    pub fn io(path: &Path) -> impl Fn(std::io::Error) -> BookError + Copy {
        move |error| BookError::Io { path: path.into(), error }
    }

    /// What the book's compiler says.
    fn source(error: impl std::fmt::Display) -> BookError {
        BookError::Source(error.to_string())
    }
}

/// The sources in a folder, in the order of their names, without the one that is about to be written.
///
/// # Errors
/// When the folder cannot be read.
pub fn sources(folder: &Path, except: Option<&Path>) -> Result<Vec<PathBuf>, BookError> {
    let entries = std::fs::read_dir(folder).map_err(BookError::io(folder))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    let own = except.and_then(Path::file_name);
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wxf") && path.file_name() != own);
    paths.sort();
    Ok(paths)
}

/// Compiles sources.
///
/// # Errors
/// File, line and reason.
pub fn compile(paths: &[PathBuf]) -> Result<Contents, BookError> {
    let mut compiler = Compiler::new().map_err(BookError::source)?;
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(BookError::io(path))?;
        compiler.read(&name, &text).map_err(BookError::source)?;
    }
    compiler.finish().map_err(BookError::source)
}

/// A board as the book stores it: itself or its mirror image.
pub fn stored(board: &Board) -> Board {
    if place_of(board).1 == Turn::Mirrored { board.mirrored() } else { *board }
}

/// The start of the game.
fn start() -> Board {
    Board::from_fen(START_FEN).unwrap_or_else(|_| *Position::startpos().board())
}

/// Keeps the last line of each rank.
#[derive(Default)]
struct Lines(Vec<(Move, i32)>);

impl Report for Lines {
    fn line(&mut self, info: &Info) {
        let Some(&mv) = info.pv.first() else { return };
        if info.bound != Bound::Exact {
            return;
        }
        let score = match info.score {
            Score::Centipawns(score) => score,
            Score::Mate(moves) if moves > 0 => MATE - moves,
            Score::Mate(moves) => -MATE - moves,
        };
        if self.0.len() < info.multipv {
            self.0.resize(info.multipv, (Move::NONE, -MATE));
        }
        self.0[info.multipv - 1] = (mv, score);
    }
}

/// The best lines of a position, or of some of its moves, best first.
fn search(pool: &mut Pool, board: &Board, moves: &[Move], multipv: usize, limits: &Limits) -> Vec<(Move, i32)> {
    let position = Position::new(*board, 0, 1);
    let limits = Limits { search_moves: moves.to_vec(), multipv, ..limits.clone() };
    let mut lines = Lines::default();
    let outcome = pool.search(&position, &limits, &Settings::default(), &mut lines);
    lines.0.retain(|(mv, _)| !mv.is_none());
    if lines.0.is_empty() {
        lines.0.extend(outcome.best.map(|mv| (mv, 0)));
    }
    lines.0
}
