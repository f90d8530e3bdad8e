//! What a search tells while it runs. Text is made elsewhere, by the protocol.

use crate::types::Move;
use std::time::Duration;

/// A score as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns from the side to move's view.
    Centipawns(i32),
    /// Own moves to mate; negative when the side to move is mated, 0 when it already is.
    Mate(i32),
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: i32,
    /// Deepest ply reached.
    pub selective_depth: i32,
    /// Which of the best lines, from 1.
    pub multipv: usize,
    /// Value of the line for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Chances to win, draw and lose, in thousandths that add to 1000.
    pub wdl: [u16; 3],
    /// Nodes over all threads.
    pub nodes: u64,
    /// Since the start of the search.
    pub time: Duration,
    /// Table entries in use, in thousandths.
    pub hashfull: u16,
    /// The line, never empty.
    pub pv: Vec<Move>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; none when there is no legal move, or none that is allowed.
    pub best: Option<Move>,
    /// The reply to think about meanwhile.
    pub ponder: Option<Move>,
    /// Value of the best move for the side to move.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: i32,
    /// Nodes over all threads.
    pub nodes: u64,
}

/// Receives the progress of a search, on the thread that runs it.
pub trait Report {
    /// A line was found or improved.
    fn line(&mut self, info: &Info);

    /// A root move is being searched: its number from 1 at this depth. Told only in long searches.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
}

/// Tells nobody.
impl Report for () {
    fn line(&mut self, _: &Info) {}
}
