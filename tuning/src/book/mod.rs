//! The opening book: growing it by search, and searching what is in it.

pub mod grow;
pub mod prune;
pub mod verify;

use chuhe::board::{Board, Position, START_FEN};
use chuhe::book::Contents;
use chuhe::book::compile::Compiler;
use chuhe::book::place::{Turn, place_of};
use chuhe::report::centipawns;
use chuhe::search::{BestLines, Limits, Settings};
use chuhe::threads::Pool;
use chuhe::types::Move;
use std::path::{Path, PathBuf};

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

/// The best lines of a position, or of some of its moves, best first.
fn search(pool: &mut Pool, board: &Board, moves: &[Move], multipv: usize, limits: &Limits) -> Vec<(Move, i32)> {
    let position = Position::new(*board, 0, 1);
    let limits = Limits { search_moves: moves.to_vec(), multipv, ..limits.clone() };
    let mut best = BestLines::default();
    let outcome = pool.search(&position, &limits, &Settings::default(), &mut best);
    let mut lines: Vec<(Move, i32)> =
        best.0.iter().filter_map(|info| Some((*info.pv.first()?, centipawns(info.score)))).collect();
    if lines.is_empty() {
        lines.extend(outcome.best.map(|mv| (mv, 0)));
    }
    lines
}
