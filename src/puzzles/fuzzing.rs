//! The body of the puzzles fuzz target, shared with a bounded random test on stable Rust.

use super::{Puzzle, text};
use crate::records::PgnOptions;

/// Parses arbitrary bytes as a puzzle file and checks that each puzzle survives a round trip through JSON and PGN. Returns the number of
/// puzzles.
///
/// # Panics
/// If a puzzle changes in a round trip.
pub fn file(bytes: &[u8]) -> usize {
    let mut puzzles = 0;
    for puzzle in text::read(bytes.to_vec()).take(20).flatten() {
        assert!(puzzle.board.legal_moves().contains(&puzzle.main_line()[0]));
        assert!(!puzzle.accepted().is_empty());
        for (_, node) in puzzle.solution.walk() {
            assert!(puzzle.defence(node).is_none_or(|reply| puzzle.solution.parent(reply) == Some(node)));
        }
        let line = puzzle.to_json();
        let Ok(copy) = Puzzle::from_json(&line) else { panic!("what was written cannot be read: {line}") };
        assert_same(&puzzle, &copy, &line);
        assert!(puzzle.source == copy.source, "{line}");
        let Ok(pgn) = puzzle.to_pgn(&PgnOptions::default()) else { panic!("PGN can hold every puzzle") };
        let shown = String::from_utf8_lossy(&pgn).into_owned();
        let Some(Ok(copy)) = text::read(pgn).next() else { panic!("what was written cannot be read: {shown}") };
        assert_same(&puzzle, &copy, &shown);
        puzzles += 1;
    }
    puzzles
}

fn assert_same(puzzle: &Puzzle, copy: &Puzzle, shown: &str) {
    assert!(puzzle.board == copy.board && puzzle.goal == copy.goal, "{shown}");
    assert!(puzzle.lines() == copy.lines(), "{:?} {:?} {shown}", puzzle.lines(), copy.lines());
    assert!((puzzle.rating, puzzle.nodes, &puzzle.themes) == (copy.rating, copy.nodes, &copy.themes), "{shown}");
}

/// Seed files in JSON Lines and PGN.
pub fn seeds() -> Vec<Vec<u8>> {
    let few = || super::builtin().filter(|puzzle| puzzle.lines().len() < 4).step_by(60).take(3);
    let lines: Vec<String> = few().map(|puzzle| puzzle.to_json()).collect();
    let games = few().filter_map(|puzzle| puzzle.to_pgn(&PgnOptions::default()).ok());
    std::iter::once(lines.join("\n").into_bytes()).chain(games).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn damaged_puzzles_do_no_harm() {
        let seeds = seeds();
        assert_eq!(seeds.iter().map(|seed| file(seed)).collect::<Vec<_>>(), [3, 1, 1, 1]);
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(9);
        for round in 0..400 {
            let mut bytes = seeds[round % seeds.len()].clone();
            for _ in 0..random.random_range(1..5) {
                let at = random.random_range(0..bytes.len());
                match random.random_range(0..3) {
                    0 => bytes[at] = random.random(),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"0129/\"[]{},w "[random.random_range(0..13)]),
                }
            }
            file(&bytes);
        }
    }
}
