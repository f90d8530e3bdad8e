//! Solves a family backwards from its mates, pass by pass: pass `n` processes every position whose value is `n`, and updates the positions one
//! ply before it. If the side to move has lost, all of these are won. If it has won, those are lost in which
//! every move leads to a win of the opponent.
//!
//! Captures of attackers leave the family. Their values come from the smaller families, which are solved first, and a position that
//! wins by one has its value before the pass of that value; a shorter win that is found before then replaces it.
//!
//! Within a pass all written values are equal and none of them is read, so the result does not depend on the number
//! of threads.

use super::error::EndgameError;
use super::family::Family;
use super::layout::{Layout, Next, Placement};
use super::value::{self, DRAW, ILLEGAL, LIMIT, LOST_NOW, RULED, Value};
use crate::memory::available_memory;
use crate::types::counted;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicUsize, Ordering::Relaxed};

/// Positions that a thread processes at a time.
const CHUNK: usize = 1 << 15;

/// Which answers of the side that does not offend are admitted in a trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    /// Only those that neither check nor chase anything: then the verdict is certain. Tables contain these results.
    Inoffensive,
    /// All answers. The opponent may then offend as well, which can make the game a draw: an upper bound of what the rules decide.
    All,
}

/// A solved family.
pub struct Solution {
    pub(super) layout: Layout,
    /// By the side to move.
    values: [Vec<AtomicU16>; 2],
    /// Plies to the next capture or mate, by the side to move, where the table needs them; see `captures`.
    pub(super) captures: Option<[Vec<AtomicU8>; 2]>,
    /// The natural limit, in plies without a capture.
    pub(super) limit: u8,
    exits: Exits,
    /// Which answers are admitted in a trap.
    pub(super) answers: Answers,
}

/// The families into which captures of attackers lead, by attacker.
struct Exits {
    smaller: Vec<Option<Arc<Solution>>>,
    /// Kings with advisors and elephants only.
    bare: Layout,
}

/// The progress of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The pass, 0 for the first one over all positions.
    pub pass: usize,
    /// Positions processed in this pass, with either side to move.
    pub done: u64,
    /// Positions to process in this pass.
    pub all: u64,
}

/// Settings of the solver.
pub struct Solver<'a> {
    /// Threads; the result does not depend on it.
    pub threads: usize,
    /// Which answers of the winner are admitted if the loser must offend against the rules of repetition.
    pub answers: Answers,
    /// A family in which a mate takes more plies than this gets the distances to the next capture as well: 120 by default, the natural
    /// limit, since beyond it the clock matters even if it begins at 0. Larger values count as 120.
    pub captures_from: u16,
    /// The natural limit that these distances respect, in plies.
    pub(super) limit: u8,
    /// Called often, by any thread, with the progress.
    pub progress: &'a (dyn Fn(&Family, Step) + Sync),
    solved: HashMap<Family, Arc<Solution>>,
}

impl<'a> Solver<'a> {
    /// The value of [`Solver::captures_from`] for the built-in tables.
    pub const BUILTIN_CAPTURES_FROM: u16 = 30;

    /// A solver without any solved family.
    pub fn new(threads: usize, progress: &'a (dyn Fn(&Family, Step) + Sync)) -> Solver<'a> {
        Solver {
            threads: threads.max(1),
            answers: Answers::Inoffensive,
            captures_from: LIMIT.into(),
            limit: LIMIT,
            progress,
            solved: HashMap::new(),
        }
    }

    /// Memory in bytes of the solution of a family, including the families into which its captures lead. If a mate takes longer than the natural
    /// limit, half as much again is needed.
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
        families.iter().map(|family| 2 * size_of::<Value>() as u64 * Layout::new(family).positions() as u64).sum()
    }

    /// Solves a family, after those into which its captures lead.
    ///
    /// # Errors
    /// If a distance is longer than a table can represent, or if distances to captures need more memory than is free.
    pub fn solve(&mut self, family: &Family) -> Result<Arc<Solution>, EndgameError> {
        if let Some(solution) = self.solved.get(family) {
            return Ok(solution.clone());
        }
        let mut smaller = Vec::new();
        for gone in 0..family.attackers().len() {
            smaller.push(family.without(gone).map(|family| self.solve(&family)).transpose()?);
        }
        let exits = Exits { smaller, bare: Layout::new(&Family::bare()) };
        let mut solution = Solution::new(Layout::new(family), exits, self.answers, self.limit);
        let progress = |step| (self.progress)(family, step);
        solution.run(self.threads, &progress)?;
        if solution.longest_mate() > self.captures_from.min(self.limit.into()) {
            // Only now it is known that they are counted; without the memory the system would kill the process.
            let (needed, free) = (2 * solution.layout.positions() as u64, available_memory());
            if needed > free {
                return Err(EndgameError::Memory { family: family.clone(), mib: needed.div_ceil(1 << 20), free: free >> 20 });
            }
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
        // If the system allows fewer threads, those that have started do the work.
        let _ = (1..threads).all(|_| std::thread::Builder::new().spawn_scoped(scope, run).is_ok());
        run();
    });
}

impl Solution {
    fn new(layout: Layout, exits: Exits, answers: Answers, limit: u8) -> Solution {
        let values = [0, 1].map(|_| (0..layout.positions()).map(|_| AtomicU16::new(DRAW)).collect());
        Solution { layout, values, captures: None, limit, exits, answers }
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

    /// The value of a placement.
    #[inline]
    pub(super) fn value_at(&self, side: usize, placement: &Placement) -> Value {
        self.layout.number(placement).map_or(ILLEGAL, |number| self.value(side, number))
    }

    /// The solution that contains the position after a capture, its side to move there, and its number; `None` if only advisors and elephants
    /// are left.
    fn exit(&self, side: usize, placement: &Placement, taken: usize) -> Option<(&Solution, usize, Option<usize>)> {
        let smaller = self.exits.smaller[taken].as_ref()?;
        match self.layout.without_attacker(placement, taken, &smaller.layout) {
            Some((placement, exchanged)) => Some((smaller, side ^ exchanged as usize, smaller.layout.number(&placement))),
            None => unreachable!("{} leads to {}", self.family(), smaller.family()),
        }
    }

    /// The value of a position after a capture, with `side` to move.
    fn exit_value(&self, side: usize, placement: &Placement, taken: usize) -> Value {
        match self.exit(side, placement, taken) {
            Some((smaller, side, number)) => number.map_or(ILLEGAL, |number| smaller.value(side, number)),
            None => {
                let bare = &self.exits.bare;
                let has_move = self
                    .layout
                    .without_attacker(placement, taken, bare)
                    .is_some_and(|(placement, exchanged)| bare.any_next(&placement, side ^ exchanged as usize, |_| true));
                if has_move { DRAW } else { LOST_NOW }
            }
        }
    }

    /// The plies to the next capture or mate in a position after a capture, if they were counted; see `captures`.
    pub(super) fn exit_count(&self, side: usize, placement: &Placement, taken: usize) -> Option<u8> {
        let (smaller, side, number) = self.exit(side, placement, taken)?;
        Some(smaller.captures.as_ref()?[side][number?].load(Relaxed))
    }

    /// The value of the position after a move, for the side that is then to move.
    #[inline]
    pub(super) fn next_value(&self, side: usize, next: &Next) -> Value {
        match next.taken {
            None => self.value_at(side, &next.placement),
            Some(taken) => self.exit_value(side, &next.placement, taken),
        }
    }

    /// The first pass over a position: whether it is legal, has moves, and is won or lost by captures alone.
    fn first_value(&self, side: usize, number: usize) -> Value {
        let placement = self.layout.placement(number);
        if !self.layout.is_legal(&placement, side) {
            return ILLEGAL;
        }
        let mut is_open = self.layout.any_next(&placement, side, |next| next.taken.is_none());
        let (mut best_win, mut longest_loss) = (ILLEGAL, DRAW);
        self.layout.any_capture_of_attacker(&placement, side, |next| {
            match next.taken.map(|taken| self.exit_value(1 - side, &next.placement, taken)) {
                Some(value) if value::is_loss(value) => best_win = best_win.min(value + 1),
                Some(value) if value::is_win(value) => longest_loss = longest_loss.max(value),
                _ => is_open = true,
            }
            false
        });
        match (best_win, is_open) {
            (ILLEGAL, true) => DRAW,
            // Without any move the longest loss is 0, which gives 1.
            (ILLEGAL, false) => longest_loss + 1,
            (win, _) => win,
        }
    }

    /// Whether every move of a position leads to a win of the opponent that is decided in pass `pass`: then the value of the loss.
    fn loss_value(&self, side: usize, placement: &Placement, pass: Value) -> Option<Value> {
        let mut longest = DRAW;
        let is_saved = self.layout.any_next(placement, side, |next| {
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
        let highest = Highest::default();
        for side in 0..2 {
            let done = AtomicUsize::new(0);
            in_chunks(all, threads, &|range| {
                for number in range.clone() {
                    let value = self.first_value(side, number);
                    if value != ILLEGAL {
                        highest.add(value);
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

    /// Runs the passes from one value up to another, or to the highest value before that.
    ///
    /// # Errors
    /// If a distance is longer than a table can represent.
    pub(super) fn spread_all(
        &self,
        first: Value,
        end: Value,
        threads: usize,
        highest: &Highest,
        progress: &(dyn Fn(Step) + Sync),
    ) -> Result<(), EndgameError> {
        let all = self.layout.positions();
        let mut pass = first;
        while pass <= highest.before(end) {
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

    /// Updates the predecessors of a position whose value is final.
    fn spread(&self, side: usize, number: usize, pass: Value, highest: &Highest) {
        let placement = self.layout.placement(number);
        let mover = 1 - side;
        self.layout.for_each_before(&placement, mover, |before, _| {
            let Some(number) = self.layout.number(&before) else { return };
            let old = self.value(mover, number);
            if old == ILLEGAL {
                return;
            }
            if value::is_loss(pass) {
                if old == DRAW || old > pass + 1 {
                    self.set(mover, number, pass + 1);
                    highest.add(pass + 1);
                }
            } else if old == DRAW
                && let Some(value) = self.loss_value(mover, &before, pass)
            {
                self.set(mover, number, value);
                highest.add(value);
            }
        });
    }

    /// The longest distance to mate, in plies.
    fn longest_mate(&self) -> u16 {
        let values = self.values.iter().flatten().map(|value| value.load(Relaxed));
        values.filter(|&value| value::is_mate(value)).max().unwrap_or(LOST_NOW) - 1
    }

    /// Whether every value fits into a byte.
    pub(super) fn is_narrow(&self) -> bool {
        let mut values = self.values.iter().flatten().map(|value| value.load(Relaxed));
        values.all(|value| value == ILLEGAL || value::to_byte(value).is_some())
    }

    /// The results of the positions, by the side to move.
    pub fn summary(&self, threads: usize) -> [Summary; 2] {
        self.count(threads, None)
    }

    /// As [`Solution::summary`], for positions with these advisors and elephants of each side, or all of them if `defenders` is `None`. A
    /// position and its mirror image count as two.
    pub fn count(&self, threads: usize, defenders: Option<[(u8, u8); 2]>) -> [Summary; 2] {
        let total = parking_lot::Mutex::new([Summary::default(); 2]);
        for side in 0..2 {
            in_chunks(self.layout.positions(), threads, &|range| {
                let mut counted = Summary::default();
                for number in range {
                    let value = self.value(side, number);
                    if value == ILLEGAL {
                        continue;
                    }
                    let placement = self.layout.placement(number);
                    if defenders.is_none_or(|wanted| wanted == self.layout.defenders(&placement)) {
                        let count = self.captures.as_ref().map(|captures| captures[side][number].load(Relaxed));
                        counted.add(value, value::is_in_time(value, count, self.limit), self.layout.weight(&placement));
                    }
                }
                total.lock()[side].merge(counted);
            });
        }
        total.into_inner()
    }
}

/// The highest value so far of mates, and of results by the rules of repetition.
#[derive(Default)]
pub(super) struct Highest {
    mate: AtomicU16,
    ruled: AtomicU16,
}

impl Highest {
    pub(super) fn add(&self, value: Value) {
        if value < RULED { &self.mate } else { &self.ruled }.fetch_max(value, Relaxed);
    }

    /// Of mates where the values end before [`RULED`], else of results by repetition.
    pub(super) fn before(&self, end: Value) -> Value {
        if end <= RULED { &self.mate } else { &self.ruled }.load(Relaxed)
    }
}

/// The results of the positions of a family with one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Summary {
    /// All positions.
    pub positions: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that it loses.
    pub losses: u64,
    /// Those of the two that the rules of repetition decide.
    pub by_repetition: u64,
    /// Those of the two in which the natural limit comes before the mate and before a capture that keeps the win.
    pub beyond_limit: u64,
    /// The longest distance to mate, in plies.
    pub longest: u16,
}

impl Summary {
    /// Adds `weight` positions with this value.
    pub(super) fn add(&mut self, value: Value, is_in_time: bool, weight: u64) {
        let if_so = |is_so: bool| if is_so { weight } else { 0 };
        self.positions += weight;
        self.wins += if_so(value::is_win(value));
        self.losses += if_so(value::is_loss(value));
        self.by_repetition += if_so(value >= RULED);
        if value::is_mate(value) {
            self.beyond_limit += if_so(!is_in_time);
            self.longest = self.longest.max(value - 1);
        }
    }

    /// Adds separately counted positions.
    pub(super) fn merge(&mut self, other: Summary) {
        self.positions += other.positions;
        self.wins += other.wins;
        self.losses += other.losses;
        self.by_repetition += other.by_repetition;
        self.beyond_limit += other.beyond_limit;
        self.longest = self.longest.max(other.longest);
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |part: u64| 100.0 * part as f64 / self.positions.max(1) as f64;
        let (wins, losses) = (share(self.wins), share(self.losses));
        write!(f, "{wins:.2} % won, {losses:.2} % lost of {}, longest {}", self.positions, counted(self.longest, "ply"))?;
        if self.by_repetition > 0 {
            write!(f, ", {} by repetition", self.by_repetition)?;
        }
        if self.beyond_limit > 0 { write!(f, ", {} beyond the natural limit", self.beyond_limit) } else { Ok(()) }
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
            let full = solution.count(2, Some([(0, 0), (2, 2)]));
            let tenths = |part: u64, all: u64| (1000.0 * part as f64 / all as f64).round() as u64;
            let found = [tenths(full[0].wins, full[0].positions), tenths(full[1].losses, full[1].positions)];
            assert_eq!(found, shares, "{name}");
            // Fewer defenders never hold against a rook with the move.
            for defenders in (0..3).flat_map(|advisors| (0..3).map(move |elephants| (advisors, elephants))) {
                let [first, _] = solution.count(2, Some([(0, 0), defenders]));
                assert!(name != "R-D" || (first.wins == first.positions) == (defenders != (2, 2)), "{name} {defenders:?}");
            }
        }
    }
}
