//! Floor 2: moves as people write them. Fourteen systems, each with one strict writer and one lenient reader.
//!
//! A move is written for, and read against, a [`Board`]: most systems name a piece by its file and say how far it goes, which
//! means nothing without the position. Readers take every usual variant (full-width characters, either case, traditional and
//! simplified characters mixed, stray blanks) and answer with the one legal move or a [`ReadError`] that tells what is
//! wrong. Which texts are written is fixed; see [`System`] for what each system is.
//!
//! ```
//! use chuhe::board::Position;
//! use chuhe::notation::{self, System};
//!
//! let start = Position::startpos();
//! let mv = notation::read(System::Chinese, start.board(), "炮二平五")?;
//! assert_eq!(notation::write(System::Wxr, start.board(), mv), "C2=5");
//! assert_eq!(notation::write(System::Iccs, start.board(), mv), "H2-E2");
//! # Ok::<(), chuhe::notation::ReadError>(())
//! ```

mod chinese;
mod components;
mod coordinates;
mod error;
#[cfg(test)]
mod examples;
mod numbering;
mod system;
mod tandem;
mod text;
mod western;

pub use error::{LineError, ReadError};
pub use system::System;

use crate::board::Board;
use crate::types::Move;
use chinese::Characters;
use error::Fault;
use western::Dialect;

/// Writes a legal move of this board.
pub fn write(system: System, board: &Board, mv: Move) -> String {
    let mut text = String::with_capacity(16);
    write_into(system, board, mv, &mut text);
    text
}

fn write_into(system: System, board: &Board, mv: Move, out: &mut String) {
    match system {
        System::Iccs => coordinates::write_iccs(mv, out),
        System::Uci10 => coordinates::write_uci10(mv, out),
        System::Wxf | System::Tandem => western::write(Dialect::Standard1999, board, mv, out),
        System::Wxr => western::write(Dialect::Rules2018, board, mv, out),
        System::Chinese => chinese::write(Characters::Traditional, board, mv, out),
        System::ChineseSimplified => chinese::write(Characters::Simplified, board, mv, out),
        _ => coordinates::write_uci(mv, out),
    }
}

fn read_bare(system: System, board: &Board, text: &str) -> Result<Move, Fault> {
    match system {
        System::Uci10 => coordinates::read_uci10(board, text),
        System::Wxf | System::Tandem => western::read(Dialect::Standard1999, board, text),
        System::Wxr => western::read(Dialect::Rules2018, board, text),
        System::Chinese | System::ChineseSimplified => chinese::read(board, text),
        _ => coordinates::read(board, text),
    }
}

/// Reads a move against a board.
///
/// # Errors
/// When the text is not the notation of exactly one legal move.
pub fn read(system: System, board: &Board, text: &str) -> Result<Move, ReadError> {
    read_bare(system, board, text).map_err(|fault| ReadError::new(fault, text, system, || looks_like(system, board, text)))
}

/// A system other than `system` that the text has the form of; one in which it is a legal move if there is such.
fn looks_like(system: System, board: &Board, text: &str) -> Option<System> {
    let others = System::ALL.into_iter().filter(|&other| other != system);
    let mut form = None;
    for other in others {
        match read_bare(other, board, text) {
            Ok(_) => return Some(other),
            Err(Fault::Form) => {}
            Err(_) => form = form.or(Some(other)),
        }
    }
    form
}

/// Writes a line of legal moves played from this board.
pub fn write_line(system: System, board: &Board, moves: &[Move]) -> Vec<String> {
    let mut board = *board;
    moves
        .iter()
        .map(|&mv| {
            let text = write(system, &board, mv);
            board = board.after(mv);
            text
        })
        .collect()
}

/// Reads a line of moves played from this board.
///
/// # Errors
/// The first move that is not read, with its number from 1.
pub fn read_line<T: AsRef<str>>(system: System, board: &Board, texts: &[T]) -> Result<Vec<Move>, LineError> {
    let mut board = *board;
    let mut moves = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let mv = read(system, &board, text.as_ref()).map_err(|error| LineError { number: index + 1, error })?;
        board = board.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}
