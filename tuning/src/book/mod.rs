//! The opening book: extending it by search, and verifying its moves.

pub mod grow;
pub mod prune;
pub mod verify;

use crate::at;
use chuhe::board::{Board, Position, START_FEN};
use chuhe::book::Contents;
use chuhe::book::compile::Compiler;
use chuhe::book::key::{Orientation, book_key};
use chuhe::report::centipawns;
use chuhe::search::{BestLines, Limits, Settings};
use chuhe::threads::Pool;
use chuhe::types::Move;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

/// The text of a file that is to be continued; none if it does not exist yet. A file that cannot be read, such as one that is no text, is kept.
fn text_so_far(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(at(path)),
    }
}

/// Opens a file for appending, or creates it, and cuts what follows its last whole line, which ends at this byte.
fn open_cut(path: &Path, whole: usize) -> anyhow::Result<File> {
    // Windows cuts no file that is opened for appending.
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    file.and_then(|file| file.set_len(whole as u64)).map_err(at(path))?;
    OpenOptions::new().append(true).open(path).map_err(at(path))
}

/// The source files in a folder, sorted by name, without the one that is about to be written.
///
/// # Errors
/// When the folder cannot be read.
pub fn sources(folder: &Path, except: Option<&Path>) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(at(folder))?;
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
pub fn compile(paths: &[PathBuf]) -> anyhow::Result<Contents> {
    let mut compiler = Compiler::new()?;
    for path in paths {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(at(path))?;
        compiler.read(&name, &text)?;
    }
    Ok(compiler.finish()?)
}

/// The form in which the book stores a board: itself or its mirror image.
pub fn stored(board: &Board) -> Board {
    if book_key(board).1 == Orientation::Mirrored { board.mirrored() } else { *board }
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
