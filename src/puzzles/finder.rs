//! The puzzles of a game.

use super::prover::Prover;
use super::rating::Weak;
use super::solution::{self, Solution};
use super::themes::{self, wins_by_exchange};
use super::{Goal, Margin, Puzzle, Source, identity};
use crate::board::Board;
use crate::endgame::Tables;
use crate::threads::Control;
use crate::types::Move;
use std::collections::HashSet;
use std::sync::Arc;

/// The share of the nodes of a proof that a first short search gets.
const GLANCE_DIVISOR: u64 = 100;
/// Nodes of a first short search, at least.
const GLANCE_NODES: u64 = 200;
/// The share of the nodes of a proof that a second search gets.
const LOOK_DIVISOR: u64 = 10;
/// Legal moves of a position that leaves a choice, at least.
const CHOICE: usize = 3;
/// Centipawns of the teaching rule that a plain capture wins at least: those of an advisor.
const FREE_PIECE: i32 = 200;

/// A game that is searched for puzzles.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it is from; the ply is that of its first position.
    pub source: Source,
    /// The first position.
    pub start: Board,
    /// The moves, legal one after another.
    pub moves: Vec<Move>,
}

/// Finds the puzzles of games. What it finds in one game depends on that game and the number of nodes alone.
pub struct Finder {
    prover: Prover,
    weak: Weak,
    tables: Arc<Tables>,
    nodes: u64,
}

impl Finder {
    /// A finder that proves with searches of this many nodes.
    pub fn new(nodes: u64, hash_mib: usize) -> Finder {
        Finder { prover: Prover::new(hash_mib), weak: Weak::new(), tables: Arc::clone(Tables::builtin()), nodes }
    }

    /// The handle that stops a search in work.
    pub fn control(&self) -> Control {
        self.prover.control()
    }

    /// The puzzles of a game in its order, none twice. None when `is_stopped` says so: then not all was searched.
    pub fn find(&mut self, game: &Game, is_stopped: &dyn Fn() -> bool) -> Option<Vec<Puzzle>> {
        self.prover.clear();
        let (mut board, mut found, mut seen) = (game.start, Vec::new(), HashSet::new());
        let mut last = None;
        for ply in 0..=game.moves.len() {
            if seen.insert(identity(&board))
                && let Some((solution, is_exact)) = self.solution(&board, last)
                && !is_trivial(&board, &solution, is_exact, last)
            {
                // The rest of the line is no puzzle of its own.
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

    /// The solution of a position, and whether the endgame tables give it.
    fn solution(&mut self, board: &Board, last: Option<(Board, Move)>) -> Option<(Solution, bool)> {
        if board.count_legal_moves() < CHOICE as u32 {
            return None;
        }
        if self.tables.probe(board).is_some() {
            return solution::exact(&self.tables, board).map(|solution| (solution, true));
        }
        self.prover.best(board, 2, (self.nodes / GLANCE_DIVISOR).max(GLANCE_NODES)).only(Margin::GLANCE)?;
        self.prover.best(board, 2, self.nodes / LOOK_DIVISOR).only(Margin::LOOK)?;
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

/// Whether a move takes back on the point of the capture before it.
fn is_recapture(last: Option<(Board, Move)>, mv: Move) -> bool {
    last.is_some_and(|(before, taken)| before.is_capture(taken) && taken.to() == mv.to())
}

/// Whether a solution is not worth looking for: no mate, and its first move takes back; or it is one move that takes a free piece, or that
/// only leaves check, without an endgame that takes knowledge.
fn is_trivial(board: &Board, solution: &Solution, is_exact: bool, last: Option<(Board, Move)>) -> bool {
    let Some(first) = solution.tree.moves().next() else { return true };
    if matches!(solution.goal, Goal::Mate(_)) {
        return false;
    }
    let is_free = board.is_capture(first) && wins_by_exchange(board, first, FREE_PIECE);
    is_recapture(last, first) || solution.tree.plies() == 1 && !is_exact && (is_free || board.in_check())
}
