//! Benchmarks of the board: `cargo bench --bench board`.
//!
//! Each benchmark runs over a fixed set of positions or moves taken from games; the throughput it reports is per position or move.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use xiangqi::board::{Board, Level, Position, START_FEN, Wanted};
use xiangqi::types::{Move, MoveList};

fn main() {
    divan::main();
}

const FENS: [&str; 6] = [
    START_FEN,
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w",
    "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b",
    "r1bakab1r/9/1cn3n1c/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b",
];

fn boards() -> Vec<Board> {
    FENS.iter()
        .filter_map(|fen| Board::from_fen(fen).ok())
        .flat_map(|board| board.legal_moves().into_iter().map(move |mv| board.after(mv)).collect::<Vec<_>>())
        .collect()
}

fn moves() -> Vec<(Board, Move)> {
    boards()
        .into_iter()
        .flat_map(|board| board.legal_moves().into_iter().map(move |mv| (board, mv)).collect::<Vec<_>>())
        .collect()
}

const SEE_VALUES: [i32; 7] = [0, 20, 25, 40, 90, 45, 10];

fn per_board(bencher: Bencher, work: impl Fn(&Board) + Sync) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench(|| boards.iter().for_each(|board| work(black_box(board))));
}

fn per_move(bencher: Bencher, work: impl Fn(&Board, Move) + Sync) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench(|| moves.iter().for_each(|(board, mv)| work(black_box(board), *mv)));
}

#[divan::bench(args = [Wanted::All, Wanted::Captures, Wanted::Quiets])]
fn generate(bencher: Bencher, wanted: &Wanted) {
    per_board(bencher, |board| {
        let mut moves = MoveList::new();
        board.generate(*wanted, &mut moves);
        black_box(&moves);
    });
}

#[divan::bench]
fn count_legal_moves(bencher: Bencher) {
    per_board(bencher, |board| {
        black_box(board.count_legal_moves());
    });
}

#[divan::bench]
fn in_check(bencher: Bencher) {
    per_board(bencher, |board| {
        black_box(board.in_check());
    });
}

#[divan::bench]
fn copy_make_with_key(bencher: Bencher) {
    per_move(bencher, |board, mv| {
        black_box(board.after(mv));
    });
}

#[divan::bench]
fn key_after(bencher: Bencher) {
    per_move(bencher, |board, mv| {
        black_box(board.key_after(mv));
    });
}

#[divan::bench]
fn recomputed_key(bencher: Bencher) {
    per_board(bencher, |board| {
        black_box(board.recomputed_key());
    });
}

#[divan::bench]
fn is_legal(bencher: Bencher) {
    per_move(bencher, |board, mv| {
        black_box(board.is_legal(mv));
    });
}

#[divan::bench]
fn gives_check(bencher: Bencher) {
    per_move(bencher, |board, mv| {
        black_box(board.gives_check(mv));
    });
}

#[divan::bench]
fn exchange_evaluation(bencher: Bencher) {
    per_move(bencher, |board, mv| {
        black_box(board.see_ge(mv, 0, &SEE_VALUES));
    });
}

/// `Position::make` with check detection and clocks, generation of all legal moves, then `unmake`.
#[divan::bench]
fn make_generate_unmake(bencher: Bencher) {
    let mut positions: Vec<(Position, MoveList)> =
        boards().into_iter().map(|board| (Position::new(board, 0, 1), board.legal_moves())).collect();
    let count: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for (position, moves) in &mut positions {
            for &mv in moves.iter() {
                position.make(mv);
                black_box(position.board().legal_moves());
                position.unmake();
            }
        }
    });
}

/// Perft to depth 3 from the start position, at each instruction level the processor supports.
#[divan::bench(args = Level::ALL.into_iter().filter(|level| level.is_available()).flat_map(|level| [(level, false), (level, true)]))]
fn perft(bencher: Bencher, (level, every_leaf): (Level, bool)) {
    let board = Position::startpos();
    bencher.counter(ItemsCount::new(79_666usize)).bench(|| black_box(board.board().perft(3, every_leaf, level)));
}
