//! Benchmarks of the notations: `cargo bench --bench notation`. Throughput is per move.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use xiangqi::board::{Board, START_FEN};
use xiangqi::notation::{Notation, System};
use xiangqi::types::Move;

fn main() {
    divan::main();
}

/// Start position, middle games, and a position with tandem pawns on two files.
const FENS: [&str; 5] = [
    START_FEN,
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
    "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b",
    "3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w",
];

fn moves() -> Vec<(Board, Move)> {
    FENS.iter()
        .filter_map(|fen| Board::from_fen(fen).ok())
        .flat_map(|board| board.legal_moves().into_iter().map(move |mv| (board, mv)).collect::<Vec<_>>())
        .collect()
}

/// All systems except `vietnamese`, and `descriptive`, whose reader compares the text with every legal move.
const SYSTEMS: [System; 13] = [
    System::Wxr,
    System::Chinese,
    System::ChineseSimplified,
    System::Iccs,
    System::Uci,
    System::Uci10,
    System::Wxf,
    System::Tandem,
    System::Shorthand,
    System::OldManual,
    System::Poem,
    System::Meng,
    System::Hodges,
];

#[divan::bench(args = SYSTEMS)]
fn write(bencher: Bencher, system: System) {
    let moves = moves();
    let notation = Notation::new(system);
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut text = String::with_capacity(32);
        for (board, mv) in &moves {
            text.clear();
            notation.write_into(black_box(board), *mv, &mut text);
            black_box(&text);
        }
    });
}

#[divan::bench(args = SYSTEMS)]
fn read(bencher: Bencher, system: System) {
    let notation = Notation::new(system);
    let texts: Vec<(Board, String)> = moves().into_iter().map(|(board, mv)| (board, notation.write(&board, mv))).collect();
    bencher.counter(ItemsCount::new(texts.len())).bench_local(|| {
        for (board, text) in &texts {
            let _ = black_box(notation.read(black_box(board), text));
        }
    });
}
