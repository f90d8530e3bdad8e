//! The distance to the next capture or mate in won positions, counted where mates take longer than the natural limit: a capture resets the
//! clock, so the winner needs only reach the next one in time. The winner hurries to a capture (its own, or one that the loser
//! must make) or mate; the loser delays it. A capture counts only if the position after it is won in time as well, with the clock at 0:
//! otherwise the loser saves itself by a capture after which the next one takes too long.
//!
//! Positions with fewer advisors and elephants are therefore counted first. The passes are those of `solve`, over positions whose result
//! is known: 1 means no ply, that is, mate, and `1 + d` means `d` plies. Draws and wins by repetition have 0, and positions that no pass has reached
//! within the limit have [`TOO_LONG`]: they would be won or lost by mate if there were no limit.

use super::layout::{Next, Placement};
use super::solve::{Solution, Step, in_parts};
use super::value::{self, LOST_NOW, MATED, TOO_LONG, Value, is_in_time};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

/// Not yet counted, or nothing to count.
const NOTHING: u8 = 0;
/// One ply: an immediate capture or mate.
const AT_ONCE: u8 = 2;
/// Numbers that a thread processes at a time.
const CHUNK: usize = 1 << 15;

fn is_won(value: Value) -> bool {
    value::is_mate(value) && value::is_win(value)
}

fn is_lost(value: Value) -> bool {
    value::is_mate(value) && value::is_loss(value)
}

impl Solution {
    /// Counts the plies to the next capture or mate in all positions that are won or lost by mate.
    pub(super) fn count_to_captures(&mut self, threads: usize, progress: &(dyn Fn(Step) + Sync)) {
        let all = self.layout.positions();
        let counts: [Vec<AtomicU8>; 2] = [0, 1].map(|_| (0..all).map(|_| AtomicU8::new(NOTHING)).collect());
        let counting = Counting { solution: self, counts: &counts };
        for defenders in 0..=self.layout.max_defenders() {
            counting.run(defenders, threads, progress);
        }
        self.captures = Some(counts);
    }
}

/// The data used by the passes.
struct Counting<'a> {
    solution: &'a Solution,
    counts: &'a [Vec<AtomicU8>; 2],
}

impl Counting<'_> {
    /// Counts in the positions with this many advisors and elephants.
    fn run(&self, defenders: usize, threads: usize, progress: &(dyn Fn(Step) + Sync)) {
        let layout = &self.solution.layout;
        let all = 2 * layout.positions() as u64;
        let each = |pass: usize, work: &(dyn Fn(usize, usize) + Sync)| {
            let done = AtomicUsize::new(0);
            for side in 0..2 {
                in_parts(layout.rows(), threads, CHUNK.div_ceil(layout.row()), &|rows| {
                    for row in rows.clone() {
                        layout.numbers_with(row, defenders).for_each(|number| work(side, number));
                    }
                    let numbers = rows.len() * layout.row();
                    progress(Step { pass, done: (done.fetch_add(numbers, Relaxed) + numbers) as u64, all });
                });
            }
        };
        each(0, &|side, number| self.counts[side][number].store(self.first(side, number), Relaxed));
        for pass in MATED..=self.solution.limit {
            let is_found = AtomicBool::new(false);
            each(pass.into(), &|side, number| {
                if self.counts[side][number].load(Relaxed) == pass {
                    is_found.store(true, Relaxed);
                    self.spread(side, number, pass);
                }
            });
            if pass >= AT_ONCE && !is_found.into_inner() {
                break;
            }
        }
        each(self.solution.limit as usize + 1, &|side, number| {
            let count = &self.counts[side][number];
            if count.load(Relaxed) == NOTHING && value::is_mate(self.solution.value(side, number)) {
                count.store(TOO_LONG, Relaxed);
            }
        });
    }

    fn count(&self, side: usize, placement: &Placement) -> u8 {
        self.solution.layout.number(placement).map_or(NOTHING, |number| self.counts[side][number].load(Relaxed))
    }

    /// Whether the position after a capture is decided in time.
    fn is_in_time(&self, side: usize, next: &Next) -> bool {
        let count = match next.taken {
            None => Some(self.count(side, &next.placement)),
            Some(taken) => self.solution.exit_count(side, &next.placement, taken),
        };
        is_in_time(self.solution.next_value(side, next), count, self.solution.limit)
    }

    /// The counts known at once: mates, and captures that keep the win or that the loser must make.
    fn first(&self, side: usize, number: usize) -> u8 {
        let solution = self.solution;
        let value = solution.value(side, number);
        if !value::is_mate(value) {
            return NOTHING;
        }
        if value == LOST_NOW {
            return MATED;
        }
        let placement = solution.layout.placement(number);
        let is_at_once = if value::is_win(value) {
            // The shortest mate takes one ply, and is found from the final position.
            solution.layout.any_next(&placement, side, |next| {
                next.captures && is_lost(solution.next_value(1 - side, &next)) && self.is_in_time(1 - side, &next)
            })
        } else {
            !solution.layout.any_next(&placement, side, |next| !next.captures || !self.is_in_time(1 - side, &next))
        };
        if is_at_once { AT_ONCE } else { NOTHING }
    }

    /// Updates the predecessors of a position.
    fn spread(&self, side: usize, number: usize, pass: u8) {
        let solution = self.solution;
        let placement = solution.layout.placement(number);
        let mover = 1 - side;
        let is_after_win = is_lost(solution.value(side, number));
        solution.layout.for_each_before(&placement, mover, |before, captures| {
            let Some(number) = solution.layout.number(&before).filter(|_| !captures) else { return };
            let cell = &self.counts[mover][number];
            let value = solution.value(mover, number);
            if cell.load(Relaxed) != NOTHING {
                return;
            }
            if is_after_win && is_won(value) {
                cell.store(pass + 1, Relaxed);
            } else if !is_after_win
                && is_lost(value)
                && let Some(longest) = self.longest(mover, &before, pass)
            {
                cell.store(longest + 1, Relaxed);
            }
        });
    }

    /// The longest count after the moves of a lost position, once all are counted; `None` before that, and if a capture saves it.
    fn longest(&self, side: usize, placement: &Placement, pass: u8) -> Option<u8> {
        let mut longest = NOTHING;
        let is_open = self.solution.layout.any_next(placement, side, |next: Next| {
            let count = if !next.captures {
                self.count(1 - side, &next.placement)
            } else if self.is_in_time(1 - side, &next) {
                MATED
            } else {
                TOO_LONG
            };
            longest = longest.max(count);
            count == NOTHING || count > pass
        });
        (!is_open).then_some(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::endgame::Solver;
    use std::collections::HashMap;

    /// Whether a side wins within the limit, by a plain search with the board's own moves: `left` is the number of plies until the draw.
    struct Plain {
        limit: u8,
        known: HashMap<(u64, bool, u8), bool>,
    }

    impl Plain {
        fn after(&mut self, board: &Board, mv: crate::types::Move, wins: bool, left: u8) -> bool {
            let next = board.after(mv);
            let is_capture = board.piece_on(mv.to()).is_some();
            let left = if is_capture { self.limit } else { left - 1 };
            // The limit draws unless the game has already ended on the board.
            if wins { self.wins(&next, left) } else { self.loses(&next, left) }
        }

        fn wins(&mut self, board: &Board, left: u8) -> bool {
            if left == 0 {
                return false;
            }
            let key = (board.key(), true, left);
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            let found = board.legal_moves().into_iter().any(|mv| self.after(board, mv, false, left));
            self.known.insert(key, found);
            found
        }

        fn loses(&mut self, board: &Board, left: u8) -> bool {
            let moves = board.legal_moves();
            if moves.is_empty() {
                return true;
            }
            if left == 0 {
                return false;
            }
            let key = (board.key(), false, left);
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            let found = moves.into_iter().all(|mv| self.after(board, mv, true, left));
            self.known.insert(key, found);
            found
        }
    }

    #[test]
    fn captures_in_time_are_those_of_a_plain_search() {
        let limit = 4;
        for (name, step) in [("P-D", 19), ("N-P", 61), ("N-D", 199)] {
            let mut solver = Solver::new(2, &|_, _| {});
            (solver.limit, solver.captures_from) = (limit, 0);
            let solution = solver.solve(&name.parse().unwrap()).unwrap();
            let counts = solution.captures.as_ref().unwrap();
            let (mut in_time, mut too_long) = (0, 0);
            for (side, counts) in counts.iter().enumerate() {
                let decided = (0..solution.layout.positions()).filter(|&number| value::is_mate(solution.value(side, number)));
                for number in decided.step_by(step) {
                    let value = solution.value(side, number);
                    let count = counts[number].load(Relaxed);
                    let board = solution.layout.board(&solution.layout.placement(number), side).unwrap();
                    let mut plain = Plain { limit, known: HashMap::new() };
                    for left in 0..=limit {
                        let found = if value::is_win(value) { plain.wins(&board, left) } else { plain.loses(&board, left) };
                        let expected = value - 1 <= left.into() || count - 1 <= left;
                        assert_eq!(found, expected, "{name} {} with {left} plies: {value} {count}", board.to_fen());
                    }
                    *if count == TOO_LONG { &mut too_long } else { &mut in_time } += 1;
                }
            }
            assert!(in_time > 20 && too_long > 20, "{name}: {in_time} {too_long}");
            let beyond = solution.summary(2).map(|summary| summary.beyond_limit);
            assert!(beyond[0] + beyond[1] > 0, "{name}");
        }
    }
}
