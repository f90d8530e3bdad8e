//! Going through a book from its starts: what can be reached is what will ever be played.

use super::{Book, BookError, BookMove};
use crate::board::Board;
use crate::board::START_FEN;
use std::collections::{HashSet, VecDeque};

/// A position of a book.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    /// The position.
    pub board: &'a Board,
    /// Plies from the start.
    pub ply: usize,
    /// The legal moves that the book knows there, the heaviest first.
    pub moves: &'a [BookMove],
}

/// Visits every position within this many plies of the start of the game and the starts of the book, the nearest first and
/// every position once; a position and its mirror image are one.
///
/// # Errors
/// What the book says when it cannot be read, or the visitor.
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
