//! Layer 8: puzzles from games. Positions with exactly one winning move, found by search, proved with a margin, rated and tagged.
//!
//! The idea to look for jumps of the winning chance, and to end a line where a second move wins, is that of lichess-puzzler; so are most
//! of the tags.
//!
//! | module | contents |
//! | --- | --- |
//! | `prover` | searches that compare a position's best move with its second |
//! | `solution` | the tree of a solution: mates with every defence, lines of only moves, exact endgames |
//! | `finder` | the puzzles of a game |
//! | [`themes`] | what is in a solution |
//! | `rating` | how hard a solution is to find |
//! | `shipped` | the puzzles that come with the program |
//! | [`text`] | puzzles as JSON Lines and PGN |
//! | `verifier` | the independent check of a puzzle |

mod finder;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod prover;
mod rating;
mod shipped;
mod solution;
pub mod text;
pub mod themes;
mod verifier;

#[cfg(test)]
mod tests;

pub use finder::{Finder, Game};
pub use rating::{WEAK_NODES, rating_of};
pub use shipped::{shipped, shipped_text};
pub use themes::Theme;
pub use verifier::{Finding, Verifier};

use crate::board::Board;
use crate::records::Record;
use crate::types::{Color, Move};

/// Which chances to win, in thousandths, separate a winning move from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Margin {
    /// The solution wins at least so often.
    pub solution: u16,
    /// No other move wins more often.
    pub other: u16,
}

impl Margin {
    /// A first short search: worth a longer one.
    pub const GLANCE: Margin = Margin { solution: 600, other: 750 };
    /// A second search with a tenth of the nodes.
    pub const LOOK: Margin = Margin { solution: 800, other: 550 };
    /// What makes a puzzle.
    pub const PROOF: Margin = Margin { solution: 900, other: 450 };
    /// What a search with ten times the nodes must still show.
    pub const CHECK: Margin = Margin { solution: 800, other: 600 };

    /// Whether the chances of the best move and of the second differ by this margin.
    pub fn holds(self, best: u16, second: u16) -> bool {
        best >= self.solution && second <= self.other
    }
}

/// What the solver is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Mate in this many own moves. Stalemate counts, as in the rules.
    Mate(u8),
    /// Play the only winning move at each turn.
    Win,
    /// Play the only move that holds the draw at each turn.
    Draw,
}

/// Where a puzzle is from.
#[derive(Clone, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// The file, as it was named.
    pub file: String,
    /// Number of the game or of the line in it, from 1.
    pub game: usize,
    /// Plies played before the position.
    pub ply: usize,
    /// Player of the red pieces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub red: String,
    /// Player of the black pieces.
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
    /// The solution: at the solver's turns all moves that are accepted, at the other side's the defences that are answered, the main line
    /// first. A mate holds every defence.
    pub solution: Record,
    /// How hard it is: see [`rating_of`].
    pub rating: u16,
    /// Nodes that the weak search needed for the moves of the main line; none where it did not find one of them.
    pub nodes: Option<u64>,
    /// What is in it, in the order of [`Theme::ALL`].
    pub themes: Vec<Theme>,
    /// Where it is from.
    pub source: Source,
}

impl Puzzle {
    /// The main line, the solver's moves at even places.
    pub fn main_line(&self) -> Vec<Move> {
        self.solution.moves().collect()
    }

    /// The moves that are accepted at each of the solver's turns on the main line, the main one first.
    pub fn accepted(&self) -> Vec<Vec<Move>> {
        let nodes = std::iter::once(self.solution.root()).chain(self.solution.main_line());
        let turns = nodes.step_by(2).map(|node| self.solution.children(node).filter_map(|id| self.solution.mv(id)).collect());
        turns.filter(|moves: &Vec<Move>| !moves.is_empty()).collect()
    }

    /// A number that equals that of the same position mirrored left to right or with colours exchanged.
    pub fn identity(&self) -> u64 {
        identity(&self.board)
    }
}

/// A number that equals that of the same position mirrored left to right or with colours exchanged.
fn identity(board: &Board) -> u64 {
    let board = if board.side_to_move() == Color::Red { *board } else { board.color_flipped() };
    board.key().min(board.mirrored_key())
}
