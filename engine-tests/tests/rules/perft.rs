//! Perft counts compared with those of other move generators.

use chuhe::board::{Board, Level};

/// Larger counts are only tested by `cargo test --release -- --ignored`.
const QUICK: u64 = 140_000_000;

fn compare(table: &str, counts: impl Fn(&[u64]) -> Vec<(u32, u64)>) -> usize {
    let mut compared = 0;
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut fields = line.split('\t');
        let fen = fields.next().unwrap_or_default();
        let numbers: Vec<u64> = fields.map(|field| field.parse().expect("a count")).collect();
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, expected) in counts(&numbers) {
            assert_eq!(board.perft(depth, false, Level::best()), expected, "counted, {depth} plies from {fen}");
            assert_eq!(board.perft(depth, true, Level::Baseline), expected, "listed, {depth} plies from {fen}");
            compared += 1;
        }
    }
    compared
}

fn numbered(numbers: &[u64]) -> impl Iterator<Item = (u32, u64)> {
    (1..).zip(numbers.iter().copied())
}

#[test]
fn known_positions() {
    let compared = compare(include_str!("../../data/perft.tsv"), |numbers| numbered(numbers).filter(|n| n.1 <= QUICK).collect());
    assert_eq!(compared, 5 + 5 + 5 + 5 + 3 * 4);
}

#[test]
#[ignore = "takes half a minute in a release build"]
fn known_positions_to_full_depth() {
    assert!(compare(include_str!("../../data/perft.tsv"), |numbers| numbered(numbers).filter(|n| n.1 > QUICK).collect()) > 0);
}

/// Eight thousand positions counted by Fairy-Stockfish, see `src/bin/perft_differential.rs`.
#[test]
fn an_independent_generator_agrees() {
    let compared = compare(include_str!("../../data/perft-differential.tsv"), |numbers| numbered(numbers).collect());
    assert_eq!(compared, 16_000);
}
