//! Layer 8: puzzles from games. Positions with exactly one winning move, found by search, proved with a margin, rated and tagged.
//!
//! Searching for jumps in the win probability and ending a line where a second move wins are ideas of lichess-puzzler, as are most of the
//! tags.
//!
//! | module | contents |
//! | --- | --- |
//! | `prover` | searches that compare a position's best move with its second best |
//! | `solution` | solution trees: mates with every defence, lines of only moves, exact endgames |
//! | `finder` | finding the puzzles in a game |
//! | [`themes`] | tags for the contents of a solution |
//! | `rating` | difficulty of a solution |
//! | `builtin` | the built-in puzzles |
//! | [`text`] | puzzles as JSON Lines and PGN |
//! | `verifier` | independent verification of a puzzle |

mod builtin;
mod finder;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod prover;
mod rating;
mod solution;
pub mod text;
pub mod themes;
mod verifier;

#[cfg(test)]
mod tests;

pub use builtin::{builtin, builtin_text};
pub use finder::{Finder, Game};
pub use rating::{WEAK_NODES, rating_of};
pub use themes::Theme;
pub use verifier::{Finding, Verifier};

use crate::board::Board;
use crate::records::Record;
use crate::types::{Color, Move};

/// Thresholds on win probabilities, in thousandths, that separate a winning move from all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margin {
    /// Minimum win probability of the solution.
    pub solution: u16,
    /// Maximum win probability of any other move.
    pub other: u16,
}

impl Margin {
    /// Required of the first, short search.
    pub const FIRST_SEARCH: Margin = Margin { solution: 600, other: 750 };
    /// Required of the second search, with a tenth of the nodes.
    pub const SECOND_SEARCH: Margin = Margin { solution: 800, other: 550 };
    /// Required of the full search for a puzzle.
    pub const PROOF: Margin = Margin { solution: 900, other: 450 };
    /// Required of verification with ten times the nodes.
    pub const CHECK: Margin = Margin { solution: 800, other: 600 };

    /// Whether the win probabilities of the best and the second best move satisfy the thresholds.
    pub fn holds(self, best: u16, second: u16) -> bool {
        best >= self.solution && second <= self.other
    }
}

/// The task of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Mate in this many own moves. Stalemate counts as mate, as in the rules.
    Mate(u8),
    /// Play the only winning move at each turn.
    Win,
    /// Play the only move that holds the draw at each turn.
    Draw,
}

/// The source of a puzzle.
#[derive(Clone, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// The file, as named by the user.
    pub file: String,
    /// Number of the game or line in the file, from 1.
    pub game: usize,
    /// Ply of the position in the game.
    pub ply: usize,
    /// The Red player.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub red: String,
    /// The Black player.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub black: String,
}

/// A puzzle.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position; the side to move solves.
    pub board: Board,
    /// The task.
    pub goal: Goal,
    /// The solution tree, main line first: all accepted moves at the solver's turns, and the covered defences at the opponent's turns. A mate
    /// contains every defence.
    pub solution: Record,
    /// Difficulty; see [`rating_of`].
    pub rating: u16,
    /// Nodes that the weak search needed for the moves of the main line; none if it failed to find one of them.
    pub nodes: Option<u64>,
    /// Its themes, in the order of [`Theme::ALL`].
    pub themes: Vec<Theme>,
    /// Its source.
    pub source: Source,
}

impl Puzzle {
    /// The main line, with the solver's moves at even indices.
    pub fn main_line(&self) -> Vec<Move> {
        self.solution.moves().collect()
    }

    /// The accepted moves at each of the solver's turns on the main line, main move first.
    pub fn accepted(&self) -> Vec<Vec<Move>> {
        let nodes = std::iter::once(self.solution.root()).chain(self.solution.main_line());
        let turns = nodes.step_by(2).map(|node| self.solution.children(node).filter_map(|id| self.solution.mv(id)).collect());
        turns.filter(|moves: &Vec<Move>| !moves.is_empty()).collect()
    }

    /// A hash of the position that is invariant under left-right mirroring and under exchanging colours.
    pub fn identity(&self) -> u64 {
        identity(&self.board)
    }
}

/// A hash of the position that is invariant under left-right mirroring and under exchanging colours.
fn identity(board: &Board) -> u64 {
    let board = if board.side_to_move() == Color::Red { *board } else { board.color_flipped() };
    board.key().min(board.mirrored_key())
}
