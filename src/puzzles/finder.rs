//! Finds the puzzles in a game.

use super::prover::Prover;
use super::rating::WeakSearch;
use super::solution::{self, MAX_MATE, Solution};
use super::themes::{self, wins_by_exchange};
use super::{Goal, Margin, Puzzle, Source, identity};
use crate::board::Board;
use crate::endgame::{EndgameResult, Tables};
use crate::threads::Control;
use crate::types::Move;
use std::collections::HashSet;
use std::sync::Arc;

/// The first, short search gets the nodes of a proof divided by this.
const FIRST_DIVISOR: u64 = 100;
/// Minimum nodes of the first search.
const MIN_FIRST_NODES: u64 = 200;
/// The second search gets the nodes of a proof divided by this.
const SECOND_DIVISOR: u64 = 10;
/// Minimum number of legal moves of a puzzle position.
const CHOICE: usize = 3;
/// A plain capture that wins at least this much is trivial: the value of an advisor, in the units of the exchange values.
const FREE_PIECE: i32 = 200;

/// A game to search for puzzles.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its source, with the ply of its first position.
    pub source: Source,
    /// The first position.
    pub start: Board,
    /// The moves, all legal in sequence.
    pub moves: Vec<Move>,
}

/// Finds puzzles in games. The puzzles of a game depend only on that game and the number of nodes.
pub struct Finder {
    prover: Prover,
    weak: WeakSearch,
    tables: Arc<Tables>,
    nodes: u64,
}

impl Finder {
    /// Creates a finder; `nodes` is the node limit of a proof.
    pub fn new(nodes: u64, hash_mib: usize) -> Finder {
        Finder { prover: Prover::new(hash_mib), weak: WeakSearch::new(), tables: Arc::clone(Tables::builtin()), nodes }
    }

    /// The handle to stop a running search.
    pub fn control(&self) -> Control {
        self.prover.control()
    }

    /// The puzzles of a game in order, without duplicates; `None` if `is_stopped` interrupted the search.
    pub fn find(&mut self, game: &Game, is_stopped: &dyn Fn() -> bool) -> Option<Vec<Puzzle>> {
        self.prover.clear();
        let (mut board, mut found, mut seen) = (game.start, Vec::new(), HashSet::new());
        let mut last = None;
        for ply in 0..=game.moves.len() {
            if seen.insert(identity(&board))
                && let Some((solution, is_exact)) = self.solution(&board, last)
                && !is_trivial(&board, &solution, is_exact, last)
            {
                // Later positions of the solution are not separate puzzles.
                let mut at = board;
                for mv in solution.tree.moves() {
                    at = at.after(mv);
                    seen.insert(identity(&at));
                }
                let source = Source { ply: game.source.ply + ply, ..game.source.clone() };
                found.push(self.puzzle(&board, solution, is_exact, source));
            }
            if is_stopped() {
                return None;
            }
            let Some(&mv) = game.moves.get(ply) else { break };
            last = Some((board, mv));
            board = board.after(mv);
        }
        Some(found)
    }

    /// The solution of a position, and whether it is from the endgame tables.
    fn solution(&mut self, board: &Board, last: Option<(Board, Move)>) -> Option<(Solution, bool)> {
        if board.count_legal_moves() < CHOICE as u32 {
            return None;
        }
        if let Some(known) = self.tables.probe(board) {
            // Also of a mate the first move must be the only one that wins: another may win more slowly.
            let exact = solution::exact(&self.tables, board)?;
            let is_short = known.result == EndgameResult::Win && known.plies < 2 * MAX_MATE as u16;
            let mate = is_short.then(|| solution::mate(board, MAX_MATE)).flatten();
            return Some(mate.map_or((exact, true), |mate| (mate, false)));
        }
        self.prover.best(board, 2, (self.nodes / FIRST_DIVISOR).max(MIN_FIRST_NODES)).only(Margin::FIRST_SEARCH)?;
        self.prover.best(board, 2, self.nodes / SECOND_DIVISOR).only(Margin::SECOND_SEARCH)?;
        let first = self.prover.best(board, 2, self.nodes).only(Margin::PROOF)?.clone();
        if let Some(mate) = solution::seen_mate(&first).and_then(|moves| solution::mate(board, moves)) {
            return Some((mate, false));
        }
        if is_recapture(last, first.mv) {
            return None;
        }
        solution::win(&mut self.prover, board, first, self.nodes).map(|solution| (solution, false))
    }

    fn puzzle(&mut self, board: &Board, solution: Solution, is_exact: bool, source: Source) -> Puzzle {
        let themes = themes::of(board, &solution, is_exact);
        let (rating, nodes) = (0, None);
        let mut puzzle = Puzzle { board: *board, goal: solution.goal, solution: solution.tree, rating, nodes, themes, source };
        (puzzle.rating, puzzle.nodes) = self.weak.rate(board, &puzzle.main_line(), &puzzle.accepted());
        puzzle
    }
}

/// Whether a move recaptures on the point of the preceding capture.
fn is_recapture(last: Option<(Board, Move)>, mv: Move) -> bool {
    last.is_some_and(|(before, taken)| before.is_capture(taken) && taken.to() == mv.to())
}

/// Whether a solution is too trivial for a puzzle: not a mate, and its first move recaptures; or a single move that captures a free piece or
/// just evades check, unless it is an exact endgame.
fn is_trivial(board: &Board, solution: &Solution, is_exact: bool, last: Option<(Board, Move)>) -> bool {
    let Some(first) = solution.tree.moves().next() else { return true };
    if matches!(solution.goal, Goal::Mate(_)) {
        return false;
    }
    let is_free = board.is_capture(first) && wins_by_exchange(board, first, FREE_PIECE);
    is_recapture(last, first) || solution.tree.plies() == 1 && !is_exact && (is_free || board.in_check())
}
