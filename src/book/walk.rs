//! Walking through a book from its start positions: only reachable positions can ever be probed in a game.

use super::{Book, BookError, BookMove};
use crate::board::Board;
use crate::board::START_FEN;
use std::collections::{HashSet, VecDeque};

/// A position reached in a book.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    /// The position.
    pub board: &'a Board,
    /// Plies from the start.
    pub ply: usize,
    /// The legal book moves, highest weight first.
    pub moves: &'a [BookMove],
}

/// Visits every position within `most_plies` of the start of the game or another start position of the book, in breadth-first order. A
/// position and its mirror image count as one.
///
/// # Errors
/// If the book cannot be read, or the error of the visitor.
pub fn walk<E: From<BookError>>(
    book: &Book,
    most_plies: usize,
    visit: &mut dyn FnMut(Reached<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let starts = book.table().map(|table| table.starts()).unwrap_or_default();
    let starts = std::iter::once(START_FEN).chain(starts.iter().map(String::as_str));
    let mut next: VecDeque<(Board, usize)> = starts.filter_map(|fen| Some((Board::from_fen(fen).ok()?, 0))).collect();
    let mut seen: HashSet<u64> = next.iter().map(|(board, _)| board.key().min(board.mirrored_key())).collect();
    while let Some((board, ply)) = next.pop_front() {
        let moves = book.moves(&board)?;
        visit(Reached { board: &board, ply, moves: &moves })?;
        if ply >= most_plies {
            continue;
        }
        for found in &moves {
            let child = board.after(found.mv);
            if seen.insert(child.key().min(child.mirrored_key())) {
                next.push_back((child, ply + 1));
            }
        }
    }
    Ok(())
}
