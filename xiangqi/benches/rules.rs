//! Benchmarks of the rules: complete adjudications, and the repetition query made at every node of a search.
//!
//! `cargo bench --bench rules`; the relevant figure is items per second.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use xiangqi::board::Position;
use xiangqi::rules::Rules;
use xiangqi::types::Move;

fn suite() -> Vec<(&'static str, Position)> {
    let text = include_str!("../../engine-tests/data/repetitions.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let cases = lines.filter_map(|line| {
        let mut fields = line.split('\t');
        let (id, fen, moves) = (fields.next()?, fields.next()?, fields.next()?);
        let mut position = Position::from_diagram(fen).ok()?;
        moves.split(' ').filter_map(|text| Move::from_uci(text).ok()).for_each(|mv| position.make(mv));
        Some((id, position))
    });
    cases.collect()
}

fn repeated() -> impl Iterator<Item = (&'static str, Position)> {
    suite().into_iter().filter(|(_, position)| position.plies_to_repetition().is_some())
}

/// Windows of exactly twelve plies from the repetition suite: loops of twelve plies at the second occurrence (diagrams 25, 27
/// and 81) and of six plies at the third (63 and 103). Two of them allow no early exit.
fn twelve_ply_windows() -> Vec<(&'static str, Position)> {
    let mut windows = Vec::new();
    for (id, mut position) in repeated() {
        match position.plies_to_repetition() {
            Some(12) => (0..12).for_each(|_| position.unmake()),
            Some(6) => {}
            _ => continue,
        }
        windows.push((id, position));
    }
    assert_eq!(windows.len(), 5);
    windows
}

fn judge_all(bencher: Bencher, positions: Vec<Position>) {
    let rules = Rules::default();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in &positions {
            black_box(rules.verdict(black_box(position)));
        }
    });
}

/// Loops of twelve plies.
#[divan::bench]
fn twelve_ply_loops(bencher: Bencher) {
    judge_all(bencher, twelve_ply_windows().into_iter().map(|(_, position)| position).collect());
}

/// The worst case: one side chases on each of its moves in the twelve plies, so there is no early exit.
#[divan::bench(args = ["wxf-025", "wxf-081"])]
fn twelve_ply_chase(bencher: Bencher, id: &str) {
    judge_all(bencher, twelve_ply_windows().into_iter().filter(|(name, _)| *name == id).map(|(_, position)| position).collect());
}

/// All lines of the suite that end in a repetition.
#[divan::bench]
fn suite_lines(bencher: Bencher) {
    judge_all(bencher, repeated().map(|(_, position)| position).collect());
}

/// No repetition: the cost at every node of a search, by plies since the last capture.
#[divan::bench(args = [0, 8, 20, 40, 80])]
fn nothing_repeats(bencher: Bencher, plies: usize) {
    let mut position = Position::startpos();
    let mut seed = 1u64;
    while position.plies() < plies {
        let quiet: Vec<Move> =
            position.board().legal_moves().into_iter().filter(|&mv| !position.board().is_capture(mv)).collect();
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        position.make(quiet[(seed >> 33) as usize % quiet.len()]);
        if position.plies_to_repetition().is_some() {
            position.unmake();
        }
    }
    judge_all(bencher, vec![position]);
}

fn main() {
    divan::main();
}
