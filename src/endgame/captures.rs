//! The distance to the next capture or mate in won positions, counted where mates take longer than the natural limit: a capture sets the
//! clock back, so that the winner needs only reach the next one in time. The winner hurries to a capture (its own, or one that the loser
//! must make) or mate that leaves the game won; the loser puts it off.
//!
//! The passes are those of `solve`, over positions whose result is known: 1 stands for no ply, for mate, and `1 + d` for `d` plies. Draws
//! and wins that rest on repetition have 0.

use super::layout::{Next, Place};
use super::solve::{Solution, Step, in_chunks};
use super::value::{self, DRAW, ILLEGAL, LOST_NOW, RULED, Value};
use crate::rules::NaturalLimit;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// Not counted yet, or nothing to count.
const NOTHING: Value = 0;
/// One ply: a capture or mate comes at once.
const AT_ONCE: Value = 2;

/// Whether the side to move wins by mate.
fn is_mate(value: Value) -> bool {
    value < RULED && value::is_win(value)
}

/// Whether the side to move is mated.
fn is_mated(value: Value) -> bool {
    value < RULED && value::is_loss(value)
}

impl Solution {
    /// Counts the plies to the next capture or mate in all positions that are won or lost by mate.
    pub(super) fn count_to_captures(&mut self, threads: usize, progress: &(dyn Fn(Step) + Sync)) {
        let all = self.layout.positions();
        let counts: [Vec<AtomicU8>; 2] = [0, 1].map(|_| (0..all).map(|_| AtomicU8::new(NOTHING)).collect());
        let counting = Counting { solution: self, counts: &counts };
        for (side, of_side) in counts.iter().enumerate() {
            in_chunks(all, threads, &|range| {
                progress(Step { pass: 0, done: (side * all + range.start) as u64, all: 2 * all as u64 });
                for number in range {
                    of_side[number].store(counting.first(side, number), Relaxed);
                }
            });
        }
        let mut pass = LOST_NOW;
        loop {
            let is_found = AtomicBool::new(false);
            for (side, of_side) in counts.iter().enumerate() {
                in_chunks(all, threads, &|range| {
                    progress(Step { pass: pass as usize, done: (side * all + range.start) as u64, all: 2 * all as u64 });
                    for number in range {
                        if of_side[number].load(Relaxed) == pass {
                            is_found.store(true, Relaxed);
                            counting.spread(side, number, pass);
                        }
                    }
                });
            }
            // No distance is longer than that to mate, which fits.
            if pass > AT_ONCE && !is_found.into_inner() || pass >= RULED {
                break;
            }
            pass += 1;
        }
        // With a longer way to a capture than the natural limit allows, a win that is near may be none after the capture.
        let is_within = (pass as u16) <= NaturalLimit::STANDARD.plies() + 1;
        self.captures = is_within.then_some(counts);
    }
}

/// What the passes look at.
struct Counting<'a> {
    solution: &'a Solution,
    counts: &'a [Vec<AtomicU8>; 2],
}

impl Counting<'_> {
    fn count(&self, side: usize, place: &Place) -> Value {
        self.solution.layout.number(place).map_or(NOTHING, |number| self.counts[side][number].load(Relaxed))
    }

    /// What is known at once: mates, and captures that keep the win or that the loser must make.
    fn first(&self, side: usize, number: usize) -> Value {
        let solution = self.solution;
        let value = solution.value(side, number);
        if value == DRAW || value >= RULED || value == ILLEGAL {
            return NOTHING;
        }
        if value == LOST_NOW {
            return LOST_NOW;
        }
        let place = solution.layout.place(number);
        let is_at_once = if value::is_win(value) {
            // The shortest mate is one ply, and is found from its end.
            solution.layout.any_next(&place, side, |next| next.captures && is_mated(solution.next_value(1 - side, &next)))
        } else {
            !solution.layout.any_next(&place, side, |next| !next.captures)
        };
        if is_at_once { AT_ONCE } else { NOTHING }
    }

    /// Gives the positions before one what follows for them.
    fn spread(&self, side: usize, number: usize, pass: Value) {
        let solution = self.solution;
        let place = solution.layout.place(number);
        let mover = 1 - side;
        let is_lost = is_mated(solution.value(side, number));
        solution.layout.for_each_before(&place, mover, |before, captures| {
            let Some(number) = solution.layout.number(&before).filter(|_| !captures) else { return };
            let cell = &self.counts[mover][number];
            let value = solution.value(mover, number);
            if cell.load(Relaxed) != NOTHING || value == ILLEGAL {
                return;
            }
            if is_lost && is_mate(value) {
                cell.store(pass + 1, Relaxed);
            } else if !is_lost
                && is_mated(value)
                && let Some(longest) = self.longest(mover, &before, pass)
            {
                cell.store(longest + 1, Relaxed);
            }
        });
    }

    /// The longest count after the moves of a lost position, once all are counted.
    fn longest(&self, side: usize, place: &Place, pass: Value) -> Option<Value> {
        let mut longest = NOTHING;
        let is_open = self.solution.layout.any_next(place, side, |next: Next| {
            let count = if next.captures { LOST_NOW } else { self.count(1 - side, &next.place) };
            longest = longest.max(count);
            count == NOTHING || count > pass
        });
        (!is_open).then_some(longest)
    }
}
