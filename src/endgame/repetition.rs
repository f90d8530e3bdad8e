//! The World rules of repetition. A position that the passes leave as a draw may be a win, if the loser's only saving moves are perpetual check
//! or perpetual chase of one and the same piece. docs/src/rules/endgames.md has the definition and states what is proven.
//!
//! For a side and an offence, a trap is a set of drawn positions such that with that side to move every move that does not lose commits the
//! offence and stays within the trap, and the other side always has an answer that stays within it. A side that moves in a trap commits the
//! offence forever and loses. The largest traps are lost for the offender, and the consequences are found by the same passes as mates; this
//! is repeated until there is no trap. It is the classical algorithm for generalised Büchi games: the offender can hold a position if and only
//! if, for each offence, it can make a move without it again and again.

use super::error::EndgameError;
use super::layout::{Next, Placement};
use super::solve::{Answers, Highest, Solution, Step, in_chunks};
use super::value::{DRAW, ILLEGAL, RULED};
use crate::rules;
use crate::types::{Move, Square};
use parking_lot::Mutex;
use std::collections::HashMap;

/// A set of offences: bit 0 is check, bit `1 + n` a chase of attacker `n`.
type Offences = u8;

const CHECK: Offences = 1;

fn move_of(next: &Next) -> Move {
    Move::new(Square::from_index(next.from as usize), Square::from_index(next.to as usize))
}

impl Solution {
    /// The offences that a side could commit in this family.
    fn possible(&self, side: usize) -> Offences {
        let attackers = &self.layout.attackers;
        let can_check = attackers.iter().any(|&(_, owner, _)| owner == side);
        // A position does not show which of two equal pieces is which, so their chases are not followed.
        let is_single = |at: usize| attackers.iter().filter(|other| other.2 == attackers[at].2).count() == 1;
        let victims = (0..attackers.len()).filter(|&at| attackers[at].1 != side && is_single(at));
        victims.fold(if can_check { CHECK } else { 0 }, |offences, at| offences | 2 << at)
    }

    /// The subset of these offences that a move commits.
    fn offences(&self, placement: &Placement, side: usize, next: &Next, wanted: Offences) -> Offences {
        let layout = &self.layout;
        let mut found = 0;
        if wanted & CHECK != 0 && layout.is_in_check(&next.placement, 1 - side) {
            found |= CHECK;
        }
        let threatened = |at: usize| wanted & 2 << at != 0 && layout.threatens(&next.placement, side, next.placement.squares[at]);
        let threatened: Vec<usize> = (0..layout.attackers.len()).filter(|&at| threatened(at)).collect();
        if !threatened.is_empty()
            && let Ok(board) = layout.board(placement, side)
        {
            let chased = rules::chased(&board, move_of(next));
            for at in threatened {
                if chased.has(Square::from_index(next.placement.squares[at] as usize)) {
                    found |= 2 << at;
                }
            }
        }
        found
    }

    /// Whether a move neither checks nor chases anything.
    fn is_inoffensive(&self, placement: &Placement, side: usize, next: &Next) -> bool {
        !self.layout.is_in_check(&next.placement, 1 - side)
            && self.layout.board(placement, side).is_ok_and(|board| rules::chased(&board, move_of(next)).is_empty())
    }

    /// The offences that every saving move of a drawn position commits.
    fn forced(&self, placement: &Placement, side: usize, possible: Offences) -> Offences {
        let mut offences = possible;
        // A victim that no enemy can reach is not chased; this test is cheap and comes first.
        let has_attackers = self.layout.attackers.iter().any(|&(_, owner, _)| owner == side);
        if !has_attackers {
            for at in 0..self.layout.attackers.len() {
                if !self.layout.is_in_reach(side, placement.squares[at]) {
                    offences &= !(2 << at);
                }
            }
        }
        if offences == 0 {
            return 0;
        }
        self.layout.any_next(placement, side, |next| {
            if self.next_value(1 - side, &next) == DRAW {
                offences = if next.taken.is_some() { 0 } else { self.offences(placement, side, &next, offences) };
            }
            offences == 0
        });
        offences
    }

    /// Decides draws by the rules of repetition.
    pub(super) fn rule(&self, threads: usize, highest: &Highest, progress: &(dyn Fn(Step) + Sync)) -> Result<(), EndgameError> {
        let mut seed = RULED;
        loop {
            self.spread_all(seed, ILLEGAL, threads, highest, progress)?;
            // Later traps continue counting from the results decided so far, so that no value changes again.
            seed = (highest.before(ILLEGAL).max(RULED - 1) + 1) | 1;
            let mut is_new = false;
            for side in 0..2 {
                for number in self.traps(side, threads, progress) {
                    if seed >= ILLEGAL - 2 {
                        return Err(EndgameError::TooLong(self.family().clone()));
                    }
                    is_new = true;
                    self.set(side, number, seed);
                    highest.add(seed);
                }
            }
            if !is_new {
                return Ok(());
            }
        }
    }

    /// The positions of the greatest traps of a side, for all offences.
    fn traps(&self, side: usize, threads: usize, progress: &(dyn Fn(Step) + Sync)) -> Vec<usize> {
        let possible = self.possible(side);
        if possible == 0 {
            return Vec::new();
        }
        let all = self.layout.positions();
        let forced: Mutex<HashMap<usize, Offences>> = Mutex::new(HashMap::new());
        in_chunks(all, threads, &|range| {
            progress(Step { pass: RULED as usize, done: range.start as u64, all: all as u64 });
            for number in range {
                if self.value(side, number) == DRAW {
                    let offences = self.forced(&self.layout.placement(number), side, possible);
                    if offences != 0 {
                        forced.lock().insert(number, offences);
                    }
                }
            }
        });
        let forced = forced.into_inner();
        let mut lost = Vec::new();
        for offence in (0..8).map(|bit| 1 << bit).filter(|offence| possible & offence != 0) {
            let mut trap: HashMap<usize, Placement> = HashMap::new();
            for (&number, _) in forced.iter().filter(|&(_, offences)| offences & offence != 0) {
                trap.insert(number, self.layout.placement(number));
            }
            loop {
                let leaves = |placement: &Placement| {
                    self.layout.any_next(placement, side, |next| {
                        self.next_value(1 - side, &next) == DRAW && !self.has_answer(&next.placement, 1 - side, &trap)
                    })
                };
                let gone: Vec<usize> =
                    trap.iter().filter(|(_, placement)| leaves(placement)).map(|(&number, _)| number).collect();
                if gone.is_empty() {
                    break;
                }
                for number in gone {
                    trap.remove(&number);
                }
            }
            lost.extend(trap.into_keys());
        }
        lost.sort_unstable();
        lost.dedup();
        lost
    }

    /// Whether a side has a move into a trap of the other.
    fn has_answer(&self, placement: &Placement, side: usize, trap: &HashMap<usize, Placement>) -> bool {
        self.layout.any_next(placement, side, |next| {
            next.taken.is_none()
                && self.layout.number(&next.placement).is_some_and(|number| trap.contains_key(&number))
                && (self.answers == Answers::All || self.is_inoffensive(placement, side, &next))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Position};
    use crate::endgame::Solver;
    use crate::endgame::value::{self, Value};
    use crate::rules::{GameResult, NaturalLimit, Rules};
    use crate::types::Color;
    use rand::{RngExt, SeedableRng};

    #[test]
    #[ignore = "prints the numbers of the documentation"]
    fn decided_by_repetition() {
        let names = std::env::var("FAMILIES").unwrap_or_else(|_| "R-D N-D P-D C-D R-R R-N R-C N-N N-C C-C".into());
        for name in names.split_whitespace() {
            for answers in [Answers::Inoffensive, Answers::All] {
                let mut solver = Solver::new(2, &|_, _| {});
                solver.answers = answers;
                let solution = solver.solve(&name.parse().unwrap()).unwrap();
                println!("{name} {answers:?} {:?}", solution.summary(2).map(|summary| summary.by_repetition));
            }
        }
    }

    /// The value of a board whose material may have left the family.
    fn value_of(solution: &Solution, board: &Board) -> Value {
        match solution.layout.of_board(board) {
            Some((placement, side)) => solution.value_at(side, &placement),
            None => DRAW,
        }
    }

    /// Plays a position out by the table, with random longest-lasting moves for the loser, until the referee ends the game.
    fn play_out(solution: &Solution, board: Board, random: &mut impl RngExt) -> Option<GameResult> {
        let rules = Rules { natural_limit: NaturalLimit::NONE, ..Rules::default() };
        let mut game = Position::new(board, 0, 1);
        for _ in 0..600 {
            if !game.board().has_legal_move() {
                return Some(GameResult::Loses(game.side_to_move()));
            }
            if let Some(result) = rules.game_result(&game) {
                return Some(result);
            }
            let board = game.board();
            let own = value_of(solution, board);
            let moves: Vec<(Move, Value)> =
                board.legal_moves().into_iter().map(|mv| (mv, value_of(solution, &board.after(mv)))).collect();
            let fitting: Vec<Move> = if value::is_win(own) {
                // In a trap the answer must commit no offence.
                let steps = moves.iter().filter(|&&(_, next)| next == own - 1).map(|&(mv, _)| mv);
                let quiet = |mv: &Move| !board.gives_check(*mv) && rules::chased(board, *mv).is_empty();
                let (quiet, other): (Vec<Move>, Vec<Move>) = steps.partition(quiet);
                if quiet.is_empty() { other } else { quiet }
            } else {
                let longest = moves.iter().map(|&(_, next)| next).max()?;
                moves.into_iter().filter(|&(_, next)| next == longest).map(|(mv, _)| mv).collect()
            };
            game.make(*fitting.get(random.random_range(0..fitting.len().max(1)))?);
        }
        None
    }

    #[test]
    fn the_referee_gives_what_traps_promise() {
        let solution = Solver::new(2, &|_, _| {}).solve(&"R-N".parse().unwrap()).unwrap();
        let summary = solution.summary(2);
        assert!(summary[0].by_repetition > 100 && summary[1].by_repetition > 100, "{summary:?}");
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(44);
        let mut played = 0;
        for side in 0..2 {
            for number in
                (0..solution.layout.positions()).filter(|&number| (RULED..ILLEGAL).contains(&solution.value(side, number)))
            {
                if !random.random_bool(0.1) {
                    continue;
                }
                let board = solution.layout.board(&solution.layout.placement(number), side).unwrap();
                let loser = if value::is_win(solution.value(side, number)) { 1 - side } else { side };
                let result = play_out(&solution, board, &mut random);
                assert_eq!(result, Some(GameResult::Loses(Color::ALL[loser])), "{}", board.to_fen());
                played += 1;
            }
        }
        assert!(played > 50, "only {played} games");
    }
}
