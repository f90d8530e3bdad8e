//! Solves a family backwards from its mates, pass by pass: pass `n` looks at every position whose value is `n`, and gives the positions one
//! ply before it what follows for them. Where the side to move has lost, all of these are won. Where it has won, those are lost from which
//! every move leads to a win of the opponent.
//!
//! Captures of attackers leave the family. Their values come from the smaller families, which are solved before, and a position that
//! wins by one holds its value before the pass of that value comes; a shorter way that is found until then replaces it.
//!
//! Within a pass all values that are written are alike and none of them is read, so that the result does not depend on the number
//! of threads.

use super::error::EndgameError;
use super::family::Family;
use super::layout::{Layout, Next, Place};
use super::repetition::Answers;
use super::value::{self, DRAW, ILLEGAL, LOST_NOW, RULED, Value};
use crate::rules::NaturalLimit;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 15;

/// A solved family.
pub struct Solution {
    pub(super) layout: Layout,
    /// By the side to move.
    values: [Vec<AtomicU8>; 2],
    /// Plies to the next capture or mate, by the side to move, where the table needs them; see `captures`.
    pub(super) captures: Option<[Vec<AtomicU8>; 2]>,
    exits: Exits,
    /// Which answers count in a trap.
    pub(super) answers: Answers,
}

/// Where captures of attackers lead, by the attacker.
struct Exits {
    smaller: Vec<Option<Arc<Solution>>>,
    /// Kings with advisors and elephants only.
    bare: Layout,
}

/// How far the solver is.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Which pass, 0 for the first look at all positions.
    pub pass: usize,
    /// Positions looked at in this pass, with either side to move.
    pub done: u64,
    /// Positions to look at in this pass.
    pub all: u64,
}

/// How to solve.
pub struct Solver<'a> {
    /// Threads; the result does not depend on it.
    pub threads: usize,
    /// Which answers of the winner count where the loser must offend against the rules of repetition.
    pub answers: Answers,
    /// A family in which a mate takes more plies than this gets the distances to the next capture as well: 120 by default, the natural
    /// limit, since then the clock decides even where it begins at 0.
    pub longest_without_captures: u16,
    /// Is called often, by any thread, to show how far the solver is.
    pub progress: &'a (dyn Fn(&Family, Step) + Sync),
    solved: HashMap<Family, Arc<Solution>>,
}

impl<'a> Solver<'a> {
    /// A solver that has solved nothing yet.
    pub fn new(threads: usize, progress: &'a (dyn Fn(&Family, Step) + Sync)) -> Solver<'a> {
        Solver {
            threads: threads.max(1),
            answers: Answers::Inoffensive,
            longest_without_captures: NaturalLimit::STANDARD.plies(),
            progress,
            solved: HashMap::new(),
        }
    }

    /// The bytes of memory that the solution of a family takes, with those of the families into which its captures lead. Where a mate
    /// takes longer than the natural limit it is twice as much.
    pub fn memory(family: &Family) -> u64 {
        let mut families = vec![family.clone()];
        let mut at = 0;
        while at < families.len() {
            for smaller in families[at].after_captures() {
                if !families.contains(&smaller) {
                    families.push(smaller);
                }
            }
            at += 1;
        }
        families.iter().map(|family| 2 * Layout::new(family).positions() as u64).sum()
    }

    /// Solves a family, and before it those that its captures lead to.
    ///
    /// # Errors
    /// When a distance is longer than a table can hold.
    pub fn solve(&mut self, family: &Family) -> Result<Arc<Solution>, EndgameError> {
        if let Some(solution) = self.solved.get(family) {
            return Ok(solution.clone());
        }
        let mut smaller = Vec::new();
        for gone in 0..family.attackers().len() {
            smaller.push(family.without(gone).map(|family| self.solve(&family)).transpose()?);
        }
        let exits = Exits { smaller, bare: Layout::new(&Family::bare()) };
        let mut solution = Solution::new(Layout::new(family), exits, self.answers);
        let progress = |step| (self.progress)(family, step);
        solution.run(self.threads, &progress)?;
        if solution.longest_mate() > self.longest_without_captures {
            solution.count_to_captures(self.threads, &progress);
        }
        let solution = Arc::new(solution);
        self.solved.insert(family.clone(), solution.clone());
        Ok(solution)
    }
}

/// Runs `work` on every chunk of `0..all`, on several threads.
pub(super) fn in_chunks(all: usize, threads: usize, work: &(impl Fn(std::ops::Range<usize>) + Sync)) {
    in_parts(all, threads, CHUNK, work);
}

/// Runs `work` on parts of `0..all` of this size, on several threads.
pub(super) fn in_parts(all: usize, threads: usize, size: usize, work: &(impl Fn(std::ops::Range<usize>) + Sync)) {
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let start = next.fetch_add(size, Relaxed);
            if start >= all {
                return;
            }
            work(start..(start + size).min(all));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run();
    });
}

impl Solution {
    fn new(layout: Layout, exits: Exits, answers: Answers) -> Solution {
        let values = [0, 1].map(|_| (0..layout.positions()).map(|_| AtomicU8::new(DRAW)).collect());
        Solution { layout, values, captures: None, exits, answers }
    }

    /// The family.
    pub fn family(&self) -> &Family {
        self.layout.family()
    }

    /// The value of the position with this number.
    #[inline]
    pub(super) fn value(&self, side: usize, number: usize) -> Value {
        self.values[side][number].load(Relaxed)
    }

    #[inline]
    pub(super) fn set(&self, side: usize, number: usize, value: Value) {
        self.values[side][number].store(value, Relaxed);
    }

    /// The value of a place.
    #[inline]
    pub(super) fn value_at(&self, side: usize, place: &Place) -> Value {
        self.layout.number(place).map_or(ILLEGAL, |number| self.value(side, number))
    }

    /// The value of a position into which a capture has led, with `side` to move.
    fn exit_value(&self, side: usize, place: &Place, taken: usize) -> Value {
        match &self.exits.smaller[taken] {
            Some(smaller) => match self.layout.without_attacker(place, taken, &smaller.layout) {
                Some((place, exchanged)) => smaller.value_at(side ^ exchanged as usize, &place),
                None => unreachable!("{} leads to {}", self.family(), smaller.family()),
            },
            None => {
                let bare = &self.exits.bare;
                let has_move = self
                    .layout
                    .without_attacker(place, taken, bare)
                    .is_some_and(|(place, exchanged)| bare.any_next(&place, side ^ exchanged as usize, |_| true));
                if has_move { DRAW } else { LOST_NOW }
            }
        }
    }

    /// The value of what a move leads to, for the side that is then to move.
    #[inline]
    pub(super) fn next_value(&self, side: usize, next: &Next) -> Value {
        match next.taken {
            None => self.value_at(side, &next.place),
            Some(taken) => self.exit_value(side, &next.place, taken),
        }
    }

    /// The first look at a position: whether it is one, has moves, and wins or loses by captures alone.
    fn first_value(&self, side: usize, number: usize) -> Value {
        let place = self.layout.place(number);
        if !self.layout.is_legal(&place, side) {
            return ILLEGAL;
        }
        let mut is_open = self.layout.any_next(&place, side, |next| next.taken.is_none());
        let (mut best_win, mut longest_loss) = (ILLEGAL, DRAW);
        self.layout.any_capture_of_attacker(&place, side, |next| {
            match next.taken.map(|taken| self.exit_value(1 - side, &next.place, taken)) {
                Some(value) if value::is_loss(value) => best_win = best_win.min(value + 1),
                Some(value) if value::is_win(value) => longest_loss = longest_loss.max(value),
                _ => is_open = true,
            }
            false
        });
        match (best_win, is_open) {
            (ILLEGAL, true) => DRAW,
            // Without any move the longest loss is 0, and this is 1.
            (ILLEGAL, false) => longest_loss + 1,
            (win, _) => win,
        }
    }

    /// Whether every move of a position leads to a win of the opponent that is settled in pass `pass`: then the value of the loss.
    fn loss_value(&self, side: usize, place: &Place, pass: Value) -> Option<Value> {
        let mut longest = DRAW;
        let is_saved = self.layout.any_next(place, side, |next| {
            let value = self.next_value(1 - side, &next);
            longest = longest.max(value);
            let is_settled = next.taken.is_some() || value <= pass;
            !(value::is_win(value) && is_settled)
        });
        (!is_saved).then_some(longest + 1)
    }

    /// Solves the family.
    fn run(&self, threads: usize, progress: &(dyn Fn(Step) + Sync)) -> Result<(), EndgameError> {
        let all = self.layout.positions();
        let highest = AtomicU8::new(0);
        for side in 0..2 {
            let done = AtomicUsize::new(0);
            in_chunks(all, threads, &|range| {
                for number in range.clone() {
                    let value = self.first_value(side, number);
                    if value != ILLEGAL {
                        highest.fetch_max(value, Relaxed);
                    }
                    self.set(side, number, value);
                }
                let done = done.fetch_add(range.len(), Relaxed) + range.len();
                progress(Step { pass: 0, done: (side * all + done) as u64, all: 2 * all as u64 });
            });
        }
        self.spread_all(LOST_NOW, RULED, threads, &highest, progress)?;
        self.rule(threads, &highest, progress)
    }

    /// Runs the passes from one value up to another, or to the highest value that there is.
    ///
    /// # Errors
    /// When a distance is longer than a table can hold.
    pub(super) fn spread_all(
        &self,
        first: Value,
        end: Value,
        threads: usize,
        highest: &AtomicU8,
        progress: &(dyn Fn(Step) + Sync),
    ) -> Result<(), EndgameError> {
        let all = self.layout.positions();
        let mut pass = first;
        while pass <= highest.load(Relaxed) && pass < end {
            let found = AtomicUsize::new(0);
            for side in 0..2 {
                let done = AtomicUsize::new(0);
                in_chunks(all, threads, &|range| {
                    for number in range.clone() {
                        if self.value(side, number) == pass {
                            found.fetch_add(1, Relaxed);
                            self.spread(side, number, pass, highest);
                        }
                    }
                    let done = done.fetch_add(range.len(), Relaxed) + range.len();
                    progress(Step { pass: pass as usize, done: (side * all + done) as u64, all: 2 * all as u64 });
                });
            }
            if found.into_inner() > 0 && pass + 2 >= end {
                return Err(EndgameError::TooLong(self.family().clone()));
            }
            pass += 1;
        }
        Ok(())
    }

    /// Gives the positions before one whose value is settled what follows for them.
    fn spread(&self, side: usize, number: usize, pass: Value, highest: &AtomicU8) {
        let place = self.layout.place(number);
        let mover = 1 - side;
        self.layout.for_each_before(&place, mover, |before, _| {
            let Some(number) = self.layout.number(&before) else { return };
            let old = self.value(mover, number);
            if old == ILLEGAL {
                return;
            }
            if value::is_loss(pass) {
                if old == DRAW || old > pass + 1 {
                    self.set(mover, number, pass + 1);
                    highest.fetch_max(pass + 1, Relaxed);
                }
            } else if old == DRAW
                && let Some(value) = self.loss_value(mover, &before, pass)
            {
                self.set(mover, number, value);
                highest.fetch_max(value, Relaxed);
            }
        });
    }

    /// The longest way to mate, in plies.
    fn longest_mate(&self) -> u16 {
        let values = self.values.iter().flatten().map(|value| value.load(Relaxed));
        values.filter(|&value| value < RULED).max().unwrap_or(LOST_NOW).max(LOST_NOW) as u16 - 1
    }

    /// Counts for people, by the side to move.
    pub fn summary(&self, threads: usize) -> [Summary; 2] {
        self.count(threads, None).map(|counts| Summary::of(&counts))
    }

    /// Numbers of the values, by the side to move and the value, of positions with these advisors and elephants of each side, all of them
    /// where `defenders` is `None`. A position and its mirror image count as two.
    pub fn count(&self, threads: usize, defenders: Option<[(u8, u8); 2]>) -> [[u64; 256]; 2] {
        let total = parking_lot::Mutex::new([[0u64; 256]; 2]);
        for side in 0..2 {
            in_chunks(self.layout.positions(), threads, &|range| {
                let mut counts = [0u64; 256];
                for number in range {
                    let value = self.value(side, number);
                    if value == ILLEGAL {
                        continue;
                    }
                    let place = self.layout.place(number);
                    if defenders.is_none_or(|wanted| wanted == self.layout.defenders(&place)) {
                        counts[value as usize] += self.layout.weight(&place);
                    }
                }
                let mut total = total.lock();
                total[side].iter_mut().zip(counts).for_each(|(total, count)| *total += count);
            });
        }
        total.into_inner()
    }
}

/// How the positions of a family with one side to move end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// All positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that it loses.
    pub losses: u64,
    /// Of these two, those that the rules of repetition decide.
    pub by_repetition: u64,
    /// The longest way to mate, in plies.
    pub longest: u16,
}

impl Summary {
    /// From the numbers of positions by value.
    pub(super) fn of(counts: &[u64; 256]) -> Summary {
        let mut summary = Summary::default();
        for value in 0..ILLEGAL {
            let count = counts[value as usize];
            summary.positions += count;
            summary.wins += if value::is_win(value) { count } else { 0 };
            summary.losses += if value::is_loss(value) { count } else { 0 };
            summary.by_repetition += if value >= RULED { count } else { 0 };
            if count > 0 && value > DRAW && value < RULED {
                summary.longest = value as u16 - 1;
            }
        }
        summary
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |part: u64| 100.0 * part as f64 / self.positions.max(1) as f64;
        let (wins, losses) = (share(self.wins), share(self.losses));
        write!(f, "{wins:.2} % won, {losses:.2} % lost of {}, longest {} plies", self.positions, self.longest)?;
        if self.by_repetition > 0 { write!(f, ", {} by repetition", self.by_repetition) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_numbers_of_single_attackers_come_out() {
        // Longest win of the attacker, longest loss of the defender; shares won against all defenders in tenths of a percent.
        for (name, longest, shares) in [("R-D", [63, 64], [820, 514]), ("N-D", [43, 42], [5, 1]), ("P-D", [19, 20], [1, 0])] {
            let solution = Solver::new(2, &|_, _| {}).solve(&name.parse().unwrap()).unwrap();
            assert_eq!(solution.summary(2).map(|summary| summary.longest), longest, "{name}");
            let full = solution.count(2, Some([(0, 0), (2, 2)])).map(|counts| Summary::of(&counts));
            let tenths = |part: u64, all: u64| (1000.0 * part as f64 / all as f64).round() as u64;
            let found = [tenths(full[0].wins, full[0].positions), tenths(full[1].losses, full[1].positions)];
            assert_eq!(found, shares, "{name}");
            // Fewer defenders never hold against a rook that moves.
            for defenders in (0..3).flat_map(|advisors| (0..3).map(move |elephants| (advisors, elephants))) {
                let [first, _] = solution.count(2, Some([(0, 0), defenders])).map(|counts| Summary::of(&counts));
                assert!(name != "R-D" || (first.wins == first.positions) == (defenders != (2, 2)), "{name} {defenders:?}");
            }
        }
    }
}
