//! Solution trees.

use super::prover::{Choice, Prover};
use super::{Goal, Margin};
use crate::board::{Board, Position};
use crate::endgame::{EndgameResult, Tables};
use crate::records::{NodeId, Record, Setup};
use crate::search::Score;
use crate::search::mate::Solver;
use crate::types::Move;

/// Length in own moves of the longest mate proved against every defence. A longer one is treated as a line of winning moves.
pub const MAX_MATE: u8 = 5;
/// Maximum number of boards visited by the proof of a mate.
const MATE_BUDGET: u64 = 4_000_000;
/// Maximum number of lines in a tree; a mate with more is not a reasonable puzzle.
const MAX_LINES: usize = 100;
/// Maximum own moves of a line without mate.
const MAX_LINE_MOVES: usize = 5;

/// A solution.
pub struct Solution {
    /// The task.
    pub goal: Goal,
    /// The tree.
    pub tree: Record,
    /// The search's continuation after the main line.
    pub tail: Vec<Move>,
}

impl Solution {
    fn new(board: &Board, goal: Goal) -> Solution {
        Solution { goal, tree: Record::new(Setup::from_board(board)), tail: Vec::new() }
    }

    /// Adds a move after a node. This does not fail in practice: a tree is far below the size limit of a record.
    fn add(&mut self, parent: NodeId, mv: Move) -> Option<NodeId> {
        self.tree.add(parent, mv).ok()
    }
}

/// Length in own moves of a mate reported by the search, if it is short enough to be proved.
pub fn seen_mate(choice: &Choice) -> Option<u8> {
    match choice.score {
        Score::Mate(moves) if moves > 0 && moves <= MAX_MATE as i32 => Some(moves as u8),
        _ => None,
    }
}

/// The shortest mate in at most `longest` own moves with every defence, by exhaustive search. None if there is no such mate, the budget is
/// exceeded, or more than one first move mates in time.
pub fn mate(board: &Board, longest: u8) -> Option<Solution> {
    let mut must_stop = |boards| boards > MATE_BUDGET;
    let mut solver = Solver::new(&Position::new(*board, 0, 1), Vec::new(), &mut must_stop);
    let moves = (1..=longest as u32).find(|&moves| solver.can_mate(board, moves))?;
    let mut solution = Solution::new(board, Goal::Mate(moves as u8));
    let root = solution.tree.root();
    let mut lines = 0;
    attack(&mut solver, &mut solution, root, board, moves, &mut lines)?;
    let is_single = solution.tree.children(root).count() == 1;
    (is_single && !solver.is_stopped()).then_some(solution)
}

/// Adds all moves that mate within `moves`, with all defences.
fn attack(
    solver: &mut Solver<'_>,
    solution: &mut Solution,
    node: NodeId,
    board: &Board,
    moves: u32,
    lines: &mut usize,
) -> Option<()> {
    for mv in board.legal_moves() {
        let next = board.after(mv);
        if !solver.is_mated(&next, moves - 1) {
            continue;
        }
        let child = solution.add(node, mv)?;
        // Longest defences first: they are played against the solver.
        let mut replies = Vec::new();
        for reply in next.legal_moves() {
            let after = next.after(reply);
            let length = (1..moves).find(|&length| solver.can_mate(&after, length))?;
            replies.push((length, reply, after));
        }
        replies.sort_by_key(|&(length, ..)| std::cmp::Reverse(length));
        if replies.is_empty() {
            *lines += 1;
        }
        if solver.is_stopped() || *lines > MAX_LINES {
            return None;
        }
        for (length, reply, after) in replies {
            let below = solution.add(child, reply)?;
            attack(solver, solution, below, &after, length, lines)?;
        }
    }
    Some(())
}

/// The line of only winning moves from a position, starting with `first`, against the best defence found by search. It ends when a second
/// move also wins or the game is over.
pub fn win(prover: &mut Prover, board: &Board, first: Choice, nodes: u64) -> Option<Solution> {
    let mut solution = Solution::new(board, Goal::Win);
    let (mut board, mut node) = (*board, solution.tree.root());
    let mut only = first;
    for turn in 1.. {
        node = solution.add(node, only.mv)?;
        board = board.after(only.mv);
        solution.tail = only.line[1..].to_vec();
        if turn == MAX_LINE_MOVES {
            break;
        }
        let Some(defence) = prover.best(&board, 1, nodes).0.into_iter().next() else { break };
        let after = board.after(defence.mv);
        let Some(next) = prover.best(&after, 2, nodes).only(Margin::PROOF).cloned() else { break };
        node = solution.add(node, defence.mv)?;
        (board, only) = (after, next);
    }
    Some(solution)
}

/// The line of only moves of an endgame in the tables: only winning moves in a won position, only drawing moves in a drawn one. None if
/// there is no table or the first move is not unique.
pub fn exact(tables: &Tables, board: &Board) -> Option<Solution> {
    let result = tables.probe(board)?.result;
    let goal = match result {
        EndgameResult::Win => Goal::Win,
        EndgameResult::Draw => Goal::Draw,
        EndgameResult::Loss => return None,
    };
    let mut solution = Solution::new(board, goal);
    let (mut board, mut node) = (*board, solution.tree.root());
    let mut pending = None;
    for _ in 0..MAX_LINE_MOVES {
        let Some(only) = only_exact(tables, &board, result) else { break };
        if let Some(defence) = pending.take() {
            node = solution.add(node, defence)?;
        }
        node = solution.add(node, only)?;
        board = board.after(only);
        // The opponent's best table move: the longest defence in a won position, the best try in a drawn one.
        let Some(&(defence, _)) = tables.ranked_moves(&board).first() else { break };
        board = board.after(defence);
        if result == EndgameResult::Draw && tables.probe(&board).is_none_or(|outcome| outcome.result != result) {
            break;
        }
        pending = Some(defence);
    }
    (solution.tree.plies() > 0).then_some(solution)
}

/// The only move that preserves the result; none if any move is not in the tables.
pub fn only_exact(tables: &Tables, board: &Board, result: EndgameResult) -> Option<Move> {
    let moves = tables.ranked_moves(board);
    if moves.iter().any(|(_, outcome)| outcome.is_none()) {
        return None;
    }
    let mut keeping = moves.iter().filter(|(_, outcome)| outcome.is_some_and(|outcome| outcome.result == result));
    let only = keeping.next()?;
    keeping.next().is_none().then_some(only.0)
}
