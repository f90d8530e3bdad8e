//! Walking through a book from its start positions: only reachable positions can ever be probed in a game.

use super::key::book_key;
use super::{Book, BookError, BookMove};
use crate::board::Board;
use crate::board::START_FEN;
use crate::types::counted;
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
    /// Whether the move that led here is missing from the book, as many replies of an opponent are.
    pub is_off_book: bool,
}

/// Counts of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Walked {
    /// Positions of the book, counted by their keys.
    pub stored: u64,
    /// Those of them that were not reached.
    pub unreached: u64,
    /// Positions with moves at the maximum depth, where the book continues.
    pub cut: u64,
}

impl Walked {
    /// A message for users if positions were not reached.
    pub fn unreached(&self) -> Option<String> {
        let Walked { stored, unreached, cut } = self;
        // Beyond the maximum depth lines may lead to them.
        let lines = if *cut > 0 { "line of this depth" } else { "line" };
        (*unreached > 0).then(|| format!("{unreached} of {}, to which no {lines} leads", counted(*stored, "position")))
    }

    /// A message for users if the walk was cut off at `max_plies`.
    pub fn cut(&self, max_plies: usize) -> Option<String> {
        let cut = self.cut;
        (cut > 0).then(|| format!("the book continues after ply {max_plies} in {}, see --max-plies", counted(cut, "position")))
    }
}

/// Visits every position within `max_plies` of the start of the game or another start position of the book, in breadth-first order. A
/// position and its mirror image count as one.
///
/// The books of other programs lack many replies of the opponent and know the positions after them. So then all legal moves are followed that
/// lead to a position of such a book that was not reached, again in breadth-first order. A compiled book made from it has these positions as start
/// positions.
///
/// # Errors
/// If the book cannot be read, or the error of the visitor.
pub fn walk<E: From<BookError>>(
    book: &Book,
    max_plies: usize,
    visit: &mut dyn FnMut(Reached<'_>) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut unreached = book.stored_keys()?;
    let mut walked = Walked { stored: unreached.len() as u64, ..Walked::default() };
    let starts = book.compiled().map(|compiled| compiled.starts()).unwrap_or_default();
    let starts = std::iter::once(START_FEN).chain(starts.iter().map(String::as_str));
    let mut next: VecDeque<(Board, usize, bool)> =
        starts.filter_map(|fen| Some((Board::from_fen(fen).ok()?, 0, false))).collect();
    let mut seen: HashSet<u64> = next.iter().map(|(board, ..)| book_key(board).0).collect();
    // Positions whose other legal moves may lead on, with their plies. As text, which takes a quarter of the memory.
    let mut others: VecDeque<(Box<str>, usize)> = VecDeque::new();
    loop {
        while let Some((board, ply, is_off_book)) = next.pop_front() {
            let moves = book.moves(&board)?;
            // Another position can have the same key.
            if is_off_book && moves.is_empty() {
                continue;
            }
            book.keys(&board).iter().for_each(|key| _ = unreached.remove(key));
            visit(Reached { board: &board, ply, moves: &moves, is_off_book })?;
            if ply >= max_plies {
                walked.cut += !moves.is_empty() as u64;
                continue;
            }
            let children = moves.iter().map(|found| board.after(found.mv));
            next.extend(children.filter(|child| seen.insert(book_key(child).0)).map(|child| (child, ply + 1, false)));
            if book.compiled().is_none() && !unreached.is_empty() {
                others.push_back((board.to_fen().into(), ply));
            }
        }
        let Some((fen, ply)) = others.pop_front().filter(|_| !unreached.is_empty()) else { break };
        let Ok(board) = Board::from_fen(&fen) else { continue };
        for &mv in &board.legal_moves() {
            let child = board.after(mv);
            if book.keys(&child).iter().any(|key| unreached.contains(key)) && seen.insert(book_key(&child).0) {
                next.push_back((child, ply + 1, true));
            }
        }
    }
    walked.unreached = unreached.len() as u64;
    Ok(walked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookFormat, export, from_source};

    #[test]
    fn positions_beyond_the_depth_are_not_called_unreachable() {
        let walked = Walked { stored: 3, unreached: 1, cut: 1 };
        assert_eq!(walked.unreached().as_deref(), Some("1 of 3 positions, to which no line of this depth leads"));
        let walked = Walked { cut: 0, ..walked };
        assert_eq!(walked.unreached().as_deref(), Some("1 of 3 positions, to which no line leads"));
    }

    #[test]
    fn positions_after_moves_that_a_book_lacks_are_reached() {
        // Black's reply to the pawn's move is missing, and nothing leads to the endgame.
        let after = "rnbaka1nr/9/1c2b2c1/p1p1p1p1p/9/6P2/P1P1P3P/1C5C1/9/RNBAKABNR w";
        let source = format!("P7+1 H8+7\nstart {after} - - 0 1\nH2+3\nstart 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\nR9+5\n");
        let folder = tempfile::tempdir().unwrap();
        let book = Book::Compiled(from_source("x", &source).unwrap());
        for (format, name) in [(BookFormat::BookDat, "BOOK.DAT"), (BookFormat::Obk, "x.obk"), (BookFormat::Xqb, "x.xqb")] {
            let path = folder.path().join(name);
            std::fs::write(&path, export(&book, format, 100, &mut |_| {}).unwrap().bytes).unwrap();
            let (mut moves, mut off_book) = (0, Vec::new());
            let walked = walk(&Book::open(&path).unwrap(), 100, &mut |reached| {
                moves += reached.moves.len();
                off_book.extend(reached.is_off_book.then(|| reached.board.to_fen()));
                Ok::<(), BookError>(())
            });
            assert_eq!(walked.unwrap(), Walked { stored: 4, unreached: 1, cut: 0 }, "{name}");
            assert_eq!((moves, off_book), (3, vec![after.to_string()]), "{name}");
        }
    }
}
