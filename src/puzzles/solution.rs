//! The tree of a solution.

use super::prover::{Choice, Prover};
use super::{Goal, Margin};
use crate::board::{Board, Position};
use crate::endgame::{EndgameResult, Tables};
use crate::records::{NodeId, Record, Setup};
use crate::search::Score;
use crate::search::mate::Solver;
use crate::types::Move;

/// Own moves of the longest mate that is proved with every defence. A longer one is a line of winning moves.
pub const LONGEST_MATE: u8 = 5;
/// Boards that the proof of a mate may take.
const MATE_BUDGET: u64 = 4_000_000;
/// Lines of a tree, at most: a mate with more of them is no puzzle for people.
const MOST_LINES: usize = 100;
/// Own moves of a line without mate.
const LONGEST_LINE: usize = 5;

/// A solution.
pub struct Solution {
    /// The task.
    pub goal: Goal,
    /// The tree.
    pub tree: Record,
    /// What the search expects after the main line.
    pub tail: Vec<Move>,
}

impl Solution {
    fn new(board: &Board, goal: Goal) -> Solution {
        Solution { goal, tree: Record::new(Setup::from_board(board)), tail: Vec::new() }
    }

    /// Adds a move after a node. A tree is far smaller than what a record may hold.
    fn add(&mut self, parent: NodeId, mv: Move) -> Option<NodeId> {
        self.tree.add(parent, mv).ok()
    }
}

/// Own moves to a mate that a search has seen, if it is short enough to be proved.
pub fn seen_mate(choice: &Choice) -> Option<u8> {
    match choice.score {
        Score::Mate(moves) if moves > 0 && moves <= LONGEST_MATE as i32 => Some(moves as u8),
        _ => None,
    }
}

/// The shortest mate in at most `longest` own moves with every defence, by trying all moves of both sides. None where there is none, where
/// it takes more boards than the budget, and where more than one first move mates in time.
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

/// Adds all moves that mate in `moves`, with all defences.
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
        // The longest defences first: they are what is played against the solver.
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
        if solver.is_stopped() || *lines > MOST_LINES {
            return None;
        }
        for (length, reply, after) in replies {
            let below = solution.add(child, reply)?;
            attack(solver, solution, below, &after, length, lines)?;
        }
    }
    Some(())
}

/// The line of only winning moves from a position, against the best defence that the search finds; the first of them is known. It ends
/// where a second move wins, or the game is over.
pub fn win(prover: &mut Prover, board: &Board, first: Choice, nodes: u64) -> Option<Solution> {
    let mut solution = Solution::new(board, Goal::Win);
    let (mut board, mut node) = (*board, solution.tree.root());
    let mut only = first;
    for turn in 1.. {
        node = solution.add(node, only.mv)?;
        board = board.after(only.mv);
        solution.tail = only.line[1..].to_vec();
        if turn == LONGEST_LINE {
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

/// The line of only moves of an endgame that the tables know: of winning ones in a won position, of drawing ones in a drawn position.
/// None where there is no table, or the first move is not the only one.
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
    for _ in 0..LONGEST_LINE {
        let Some(only) = only_exact(tables, &board, result) else { break };
        if let Some(defence) = pending.take() {
            node = solution.add(node, defence)?;
        }
        node = solution.add(node, only)?;
        board = board.after(only);
        // The longest defence in a won position, the best try in a drawn one.
        let Some(&(defence, _)) = tables.ranked_moves(&board).first() else { break };
        board = board.after(defence);
        if result == EndgameResult::Draw && tables.probe(&board).is_none_or(|outcome| outcome.result != result) {
            break;
        }
        pending = Some(defence);
    }
    (solution.tree.plies() > 0).then_some(solution)
}

/// The only move that keeps the result, if all moves are known.
pub fn only_exact(tables: &Tables, board: &Board, result: EndgameResult) -> Option<Move> {
    let moves = tables.ranked_moves(board);
    if moves.iter().any(|(_, outcome)| outcome.is_none()) {
        return None;
    }
    let mut keeping = moves.iter().filter(|(_, outcome)| outcome.is_some_and(|outcome| outcome.result == result));
    let only = keeping.next()?;
    keeping.next().is_none().then_some(only.0)
}
