//! Test positions from seeded random games.

use super::{Board, START_FEN};
use crate::types::split_mix::{STEP, split_mix};

/// A small pseudo-random number generator (SplitMix64) with an explicit seed, so that failures are reproducible.
///
/// ```
/// use xiangqi::board::test_positions::Random;
///
/// assert_eq!(Random(7).below(1000), Random(7).below(1000));
/// ```
pub struct Random(pub u64);

impl Random {
    /// A random number less than `bound`.
    ///
    /// ```
    /// use xiangqi::board::test_positions::Random;
    ///
    /// assert!(Random(1).below(6) < 6);
    /// ```
    pub fn below(&mut self, bound: usize) -> usize {
        let number = split_mix(self.0, 0);
        self.0 = self.0.wrapping_add(STEP);
        (number % bound.max(1) as u64) as usize
    }

    /// A random item; `None` if there is none.
    ///
    /// ```
    /// use xiangqi::board::test_positions::Random;
    ///
    /// assert_eq!(Random(1).pick(&[7]), Some(7));
    /// ```
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}

/// Visits the positions of a random game of at most `plies` plies. Games with a seed divisible by three prefer captures, so that
/// positions with few pieces and open lines occur as well.
///
/// ```
/// use xiangqi::board::test_positions::random_walk;
///
/// let mut positions = 0;
/// random_walk(1, 10, |_| positions += 1);
/// assert_eq!(positions, 10);
/// ```
pub fn random_walk(seed: u64, plies: usize, mut visit: impl FnMut(&Board)) {
    let mut random = Random(seed);
    let mut board = Board::from_fen(START_FEN).expect("the start position");
    for _ in 0..plies {
        visit(&board);
        let moves = board.legal_moves();
        let captures: Vec<_> = moves.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
        let mv = if seed.is_multiple_of(3) && !captures.is_empty() {
            captures[random.below(captures.len())]
        } else if moves.is_empty() {
            break;
        } else {
            moves[random.below(moves.len())]
        };
        board = board.after(mv);
    }
}
