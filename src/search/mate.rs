//! Full-width search for the shortest mate, for `go mate`. All moves of both sides are searched, so a mate found is the shortest on the
//! board, and if none is found none exists. Wins by repetition are left to the normal search.
//!
//! In xiangqi a side without a legal move has lost, in check or not, so a quiet move can mate too. All moves are tried, checks first.

use crate::board::{Board, Position};
use crate::types::{Move, sort_by};
use ahash::{HashMap, HashMapExt, HashSet};

/// Maximum number of cached results; the cache is cleared when it is reached.
const MAX_RESULTS: usize = 1 << 20;
/// Positions searched between two calls of `must_stop`.
const STOP_INTERVAL: u64 = 1 << 9;

/// Why no mate was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMate {
    /// There is no mate of this length.
    Excluded,
    /// The search was stopped first.
    Interrupted,
}

/// A mate search from one position.
pub struct Solver<'a> {
    root: Board,
    root_moves: Vec<Move>,
    /// Positions that occurred twice in the game: a third occurrence ends it.
    repeated: HashSet<u64>,
    /// Whether there is a mate, by position key with the attacker to move and moves left.
    results: HashMap<(u64, u32), bool>,
    /// Positions searched; those of the last ply are estimated.
    pub nodes: u64,
    /// The value of `nodes` at which `must_stop` is called next; `nodes` may skip values.
    next_check: u64,
    must_stop: &'a mut dyn FnMut(u64) -> bool,
    stopped: bool,
}

impl<'a> Solver<'a> {
    /// `must_stop` is called every few hundred positions with the number searched so far.
    pub fn new(position: &Position, root_moves: Vec<Move>, must_stop: &'a mut dyn FnMut(u64) -> bool) -> Solver<'a> {
        let states = position.states();
        let reach = (position.state().reversible as usize).min(states.len() - 1);
        let mut once = HashSet::default();
        let past = states[states.len() - 1 - reach..].iter().map(|state| state.board.key());
        let repeated = past.filter(|&key| !once.insert(key)).collect();
        let (root, results) = (*position.board(), HashMap::new());
        Solver { root, root_moves, repeated, results, nodes: 0, next_check: STOP_INTERVAL, must_stop, stopped: false }
    }

    /// A mating line of exactly `moves` attacker moves, provided that shorter mates are disproved. A stop while the line is completed can
    /// make it shorter, but the mate is proved.
    ///
    /// # Errors
    /// If there is no such mate, or the search was stopped.
    pub fn solve(&mut self, moves: u32) -> Result<Vec<Move>, NoMate> {
        let Some(rest) = moves.checked_sub(1) else { return Err(NoMate::Excluded) };
        let root = self.root;
        for mv in self.ordered(&root, &self.root_moves.clone()) {
            let next = root.after(mv);
            if self.is_mated(&next, rest) {
                let mut line = vec![mv];
                self.defence(next, rest, &mut line);
                return Ok(line);
            }
            if self.stopped {
                return Err(NoMate::Interrupted);
            }
        }
        Err(if self.stopped { NoMate::Interrupted } else { NoMate::Excluded })
    }

    /// The moves in search order: checks first, then the others, each group by ascending number of replies.
    fn ordered(&self, board: &Board, moves: &[Move]) -> Vec<Move> {
        let mut ordered: Vec<(bool, usize, Move)> = moves
            .iter()
            .map(|&mv| {
                let next = board.after(mv);
                (!next.in_check(), next.legal_moves().len(), mv)
            })
            .collect();
        sort_by(&mut ordered, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        ordered.into_iter().map(|(_, _, mv)| mv).collect()
    }

    /// Whether the search was stopped, in which case a result of "no mate" is not reliable.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the defender, to move, is mated within this many attacker moves.
    pub fn is_mated(&mut self, board: &Board, moves: u32) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + STOP_INTERVAL;
            self.stopped |= (self.must_stop)(self.nodes);
        }
        if self.stopped {
            return false;
        }
        if moves == 0 {
            return !board.has_legal_move();
        }
        // A game that ends by repetition is no mate.
        !self.repeated.contains(&board.key())
            && board.legal_moves().iter().all(|&mv| {
                let next = board.after(mv);
                self.can_mate(&next, moves)
            })
    }

    /// Whether the attacker, to move, mates within this many moves.
    pub fn can_mate(&mut self, board: &Board, moves: u32) -> bool {
        let legal = board.legal_moves();
        if moves == 0 || self.repeated.contains(&board.key()) {
            return false;
        }
        if moves == 1 {
            self.nodes += legal.len() as u64 / 8;
            return legal.iter().any(|&mv| !board.after(mv).has_legal_move());
        }
        if let Some(&found) = self.results.get(&(board.key(), moves)) {
            return found;
        }
        // Shorter mates first: they are cheap to find, and a mate in fewer moves counts too.
        let found = self.can_mate(board, moves - 1)
            || self.ordered(board, &legal).iter().any(|&mv| self.is_mated(&board.after(mv), moves - 1));
        if !self.stopped {
            if self.results.len() >= MAX_RESULTS {
                self.results.clear();
            }
            self.results.insert((board.key(), moves), found);
        }
        found
    }

    /// Completes the line from a board on which the side to move is mated within `moves`: the longest defence and the shortest mate
    /// against it.
    fn defence(&mut self, mut board: Board, mut moves: u32, line: &mut Vec<Move>) {
        while moves > 0 && !self.stopped {
            // Prefer a reply that is not mated one move sooner. In the shortest line there may be none.
            let replies = board.legal_moves();
            let longest = replies.iter().copied().find(|&mv| moves == 1 || !self.can_mate(&board.after(mv), moves - 1));
            let Some(reply) = longest.or_else(|| replies.first().copied()) else { return };
            let attack = board.after(reply);
            while moves > 1 && self.can_mate(&attack, moves - 1) {
                moves -= 1;
            }
            let candidates = self.ordered(&attack, &attack.legal_moves());
            let Some(mv) = candidates.into_iter().find(|&mv| self.is_mated(&attack.after(mv), moves - 1)) else { return };
            line.extend([reply, mv]);
            board = attack.after(mv);
            moves -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(fen: &str, moves: u32) -> Result<Vec<Move>, NoMate> {
        let position = match Position::from_fen(fen) {
            Ok(position) => position,
            Err(error) => panic!("{error}"),
        };
        let mut never = |_| false;
        Solver::new(&position, position.board().legal_moves().to_vec(), &mut never).solve(moves)
    }

    #[test]
    fn mates_have_their_exact_length() {
        // From the classic collection of basic mates reprinted in xiangqi primers.
        for (fen, moves) in [
            ("r4k3/9/9/9/9/4R4/9/9/9/4K4 w", 1),
            ("C1bak4/3RaR3/4b1n2/9/4c4/4r4/9/9/2r1A4/4KA3 w", 2),
            ("3a1k3/4a4/7R1/9/8R/9/r8/9/r3A4/3K1A3 w", 3),
            ("3ak4/4a4/9/7N1/9/4R4/9/9/1n1rAp3/4KA3 w", 3),
        ] {
            for shorter in 1..moves {
                assert_eq!(solve(fen, shorter), Err(NoMate::Excluded), "{fen} {shorter}");
            }
            assert_eq!(solve(fen, moves).map(|line| line.len()), Ok(2 * moves as usize - 1), "{fen}");
        }
    }

    #[test]
    fn there_is_no_mate_in_no_moves() {
        let fen = "r4k3/9/9/9/9/4R4/9/9/9/4K4 w";
        assert_eq!(solve(fen, 0), Err(NoMate::Excluded));
        let position = Position::from_fen(fen).unwrap();
        let mut never = |_| false;
        assert!(!Solver::new(&position, Vec::new(), &mut never).can_mate(position.board(), 0));
    }

    #[test]
    fn stalemate_counts_as_mate() {
        // The black king may not face the red one and the pawn controls the other squares: Black has no move and is not in check.
        let line = solve("3k5/9/4P4/9/9/9/9/9/9/4K4 w", 1);
        assert_eq!(line.map(|line| line.len()), Ok(1));
    }

    #[test]
    fn the_limits_are_checked_often() {
        let position = Position::startpos();
        let (mut last, mut longest) = (0, 0);
        let mut never = |nodes: u64| {
            longest = longest.max(nodes - last);
            last = nodes;
            false
        };
        let moves = position.board().legal_moves().to_vec();
        assert_eq!(Solver::new(&position, moves, &mut never).solve(3), Err(NoMate::Excluded));
        assert!(last > 4 * STOP_INTERVAL && longest < 2 * STOP_INTERVAL, "{last} {longest}");
    }

    #[test]
    fn a_stop_is_obeyed() {
        let position = Position::startpos();
        let mut at_once = |_| true;
        let moves = position.board().legal_moves().to_vec();
        assert_eq!(Solver::new(&position, moves, &mut at_once).solve(5), Err(NoMate::Interrupted));
    }
}
