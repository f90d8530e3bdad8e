//! Independent verification of puzzles: in the mirrored position, with ten times the nodes and an empty hash table of another size. Mates
//! are played through against every defence, and other mates are searched for exhaustively.

use super::prover::Prover;
use super::solution::only_exact;
use super::{Goal, Margin, Puzzle, Theme};
use crate::board::{Board, Position};
use crate::endgame::{EndgameResult, Tables};
use crate::records::NodeId;
use crate::search::mate::Solver;
use crate::threads::Control;
use crate::types::Move;
use std::sync::Arc;

/// Maximum number of boards visited by the search for other mates.
const MATE_BUDGET: u64 = 400_000_000;

/// The result of verifying a puzzle.
#[derive(Clone, Debug, Default)]
pub struct Finding {
    /// The reason the puzzle fails; none if it holds.
    pub fault: Option<String>,
    /// The lowest win probability of a move of the solution, in thousandths; 1000 if it is proved.
    pub solution: u16,
    /// The highest win probability of another move, in thousandths.
    pub other: u16,
    /// Node limit of each search; 0 if no search was needed.
    pub nodes: u64,
}

/// Verifies puzzles.
pub struct Verifier {
    prover: Prover,
    tables: Arc<Tables>,
    nodes: u64,
    is_stopped: Box<dyn Fn() -> bool + Send>,
}

impl Verifier {
    /// Creates a verifier; `nodes` is the limit of each search.
    pub fn new(nodes: u64, hash_mib: usize) -> Verifier {
        let (prover, tables) = (Prover::new(hash_mib), Arc::clone(Tables::builtin()));
        Verifier { prover, tables, nodes, is_stopped: Box::new(|| false) }
    }

    /// Sets a function that ends the full-width search of a mate when it returns true; the finding then means nothing. Other searches
    /// are stopped through [`Verifier::control`].
    pub fn stopped_by(self, is_stopped: impl Fn() -> bool + Send + 'static) -> Verifier {
        Verifier { is_stopped: Box::new(is_stopped), ..self }
    }

    /// The handle to stop a running search.
    pub fn control(&self) -> Control {
        self.prover.control()
    }

    /// Checks that the solution achieves the goal and that no other move does.
    pub fn check(&mut self, puzzle: &Puzzle) -> Finding {
        self.prover.clear();
        let mut finding = Finding { solution: 1000, nodes: self.nodes, ..Finding::default() };
        finding.fault = self.fault(puzzle, &mut finding).err();
        finding
    }

    fn fault(&mut self, puzzle: &Puzzle, finding: &mut Finding) -> Result<(), String> {
        let tree = &puzzle.solution;
        if tree.children(tree.root()).count() != 1 {
            return Err("more than one first move is accepted".into());
        }
        let Some(first) = tree.moves().next() else { return Err("there is no solution".into()) };
        if let Some(theme) = puzzle.themes.iter().find(|theme| theme.goal().is_some_and(|goal| goal != puzzle.goal)) {
            return Err(format!("the tag {theme} contradicts the solution"));
        }
        // A mate has to be one even if the tables know the endgame.
        if let Goal::Mate(moves) = puzzle.goal {
            mate_fault(puzzle, tree.root(), &puzzle.board, moves as u32, &*self.is_stopped)?;
            return self.other(&puzzle.board, first, finding);
        }
        let turns = turns(puzzle)?;
        if puzzle.themes.contains(&Theme::Exact) || puzzle.goal == Goal::Draw {
            return self.exact(puzzle, &turns, finding);
        }
        for (board, mv) in turns {
            let found = self.prover.best_of(&board.mirrored(), vec![mv.mirrored()], self.nodes);
            let win = found.map_or(0, |choice| choice.win());
            finding.solution = finding.solution.min(win);
            if win < Margin::CHECK.solution {
                return Err(format!("{mv} wins {win} of 1000, expected at least {}", Margin::CHECK.solution));
            }
            self.other(&board, mv, finding)?;
        }
        Ok(())
    }

    /// Checks that no other move wins.
    fn other(&mut self, board: &Board, solution: Move, finding: &mut Finding) -> Result<(), String> {
        let others = board.legal_moves().into_iter().filter(|&mv| mv != solution).map(Move::mirrored).collect();
        let Some(other) = self.prover.best_of(&board.mirrored(), others, self.nodes) else { return Ok(()) };
        finding.other = finding.other.max(other.win());
        if other.win() <= Margin::CHECK.other {
            return Ok(());
        }
        let (mv, most) = (other.mv.mirrored(), Margin::CHECK.other);
        Err(format!("{mv} besides {solution} wins {} of 1000, expected at most {most}", other.win()))
    }

    /// Checks a solution with the endgame tables.
    fn exact(&self, puzzle: &Puzzle, turns: &[(Board, Move)], finding: &mut Finding) -> Result<(), String> {
        let wanted = if puzzle.goal == Goal::Draw { EndgameResult::Draw } else { EndgameResult::Win };
        for (board, mv) in turns {
            let result = self.tables.probe_or_bare(board).map(|outcome| outcome.result);
            if result != Some(wanted) || only_exact(&self.tables, board, wanted) != Some(*mv) {
                return Err(format!("the endgame tables do not give {mv} as the only move to {}", wanted.name()));
            }
        }
        finding.nodes = 0;
        Ok(())
    }
}

/// The positions of all lines in which the solver moves, with the move accepted there: except in mates it is the only one.
fn turns(puzzle: &Puzzle) -> Result<Vec<(Board, Move)>, String> {
    let tree = &puzzle.solution;
    let (mut boards, mut turns): (Vec<Board>, Vec<(Board, Move)>) = Default::default();
    for (depth, node) in tree.walk() {
        boards.truncate(depth);
        let board = match (boards.last(), tree.mv(node)) {
            (Some(before), Some(mv)) => before.after(mv),
            _ => puzzle.board,
        };
        boards.push(board);
        if depth % 2 == 0 {
            let accepted: Vec<Move> = tree.children(node).filter_map(|id| tree.mv(id)).collect();
            let [mv] = accepted[..] else {
                return Err(format!("{} moves are accepted in {}, expected one", accepted.len(), board.to_fen()));
            };
            turns.push((board, mv));
        }
    }
    Ok(turns)
}

/// Checks that all accepted moves from a node mate within `moves` against every defence, and that no other move does.
fn mate_fault(puzzle: &Puzzle, node: NodeId, board: &Board, moves: u32, is_stopped: &dyn Fn() -> bool) -> Result<(), String> {
    let tree = &puzzle.solution;
    let accepted: Vec<NodeId> = tree.children(node).collect();
    if moves == 0 || accepted.is_empty() {
        return Err(format!("no mate in time in {}", board.to_fen()));
    }
    for &child in &accepted {
        let Some(mv) = tree.mv(child).filter(|&mv| board.is_legal(mv)) else { return Err("a move is not legal".into()) };
        let next = board.after(mv);
        let replies = next.legal_moves();
        let answered: Vec<Option<Move>> = tree.children(child).map(|id| tree.mv(id)).collect();
        if let Some(missing) = replies.iter().find(|&&reply| !answered.contains(&Some(reply))) {
            return Err(format!("{mv} does not answer {missing}"));
        }
        for reply in tree.children(child) {
            let Some(after) = tree.mv(reply).filter(|&mv| next.is_legal(mv)).map(|mv| next.after(mv)) else {
                return Err("a defence is not legal".into());
            };
            mate_fault(puzzle, reply, &after, moves - 1, is_stopped)?;
        }
    }
    // The depth of this subtree, which may be less than the remaining moves.
    let length = tree_moves(puzzle, accepted[0]);
    let mirrored = board.mirrored();
    let mut must_stop = |boards| boards > MATE_BUDGET || is_stopped();
    let mut solver = Solver::new(&Position::new(mirrored, 0, 1), Vec::new(), &mut must_stop);
    for mv in board.legal_moves() {
        let is_accepted = accepted.iter().any(|&child| tree.mv(child) == Some(mv));
        if !is_accepted && solver.is_mated(&mirrored.after(mv.mirrored()), length - 1) {
            return Err(format!("{mv} also mates in {length} in {}", board.to_fen()));
        }
    }
    if solver.is_stopped() { Err("the search for other mates takes too long".into()) } else { Ok(()) }
}

/// Number of own moves from this one to the end of the longest line, inclusive.
fn tree_moves(puzzle: &Puzzle, own: NodeId) -> u32 {
    let tree = &puzzle.solution;
    let below = tree.children(own).filter_map(|reply| tree.next(reply)).map(|next| tree_moves(puzzle, next));
    1 + below.max().unwrap_or(0)
}
