//! Speed of the opening book: the cost of a lookup.
//!
//! `cargo bench --bench book`; the relevant figure is items per second, one item being one queried position.

use chuhe::board::{Board, Position};
use chuhe::book::{self, Book};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Positions of the book, and as many that are not in it.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    let visited = book::walk(&Book::Builtin, 200, &mut |reached| {
        boards.push(*reached.board);
        boards.extend(reached.board.legal_moves().last().map(|&mv| reached.board.after(mv)));
        Ok::<(), book::BookError>(())
    });
    assert!(visited.is_ok() && boards.len() > 500);
    boards
}

#[divan::bench]
fn probe(bencher: Bencher) {
    let boards = boards();
    let table = book::builtin();
    bencher
        .counter(ItemsCount::new(boards.len()))
        .bench(|| boards.iter().map(|board| table.moves(black_box(board)).len()).sum::<usize>());
}

#[divan::bench]
fn name(bencher: Bencher) {
    let boards = boards();
    let table = book::builtin();
    bencher
        .counter(ItemsCount::new(boards.len()))
        .bench(|| boards.iter().filter(|board| table.opening(black_box(board)).is_some()).count());
}

#[divan::bench]
fn mirrored_key(bencher: Bencher) {
    let board = *Position::startpos().board();
    bencher.bench(|| black_box(&board).mirrored_key());
}
