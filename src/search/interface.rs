//! Input and output of a search as data; the protocol converts them from and to text.

use super::score::{MATE, is_mate};
use crate::board::Board;
use crate::endgame::Tables;
use crate::nnue::Network;
use crate::rules::Rules;
use crate::types::Move;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Remaining time.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search. The first one reached ends it; without limits it runs until it is stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time of the request; all times count from here.
    pub start: Instant,
    /// Maximum iteration depth in plies, clamped to 1 to 199.
    pub depth: Option<i32>,
    /// Maximum nodes, summed over all threads.
    pub nodes: Option<u64>,
    /// Fixed time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Stop when a mate in at most this many moves of the side to move is proved.
    pub mate: Option<u32>,
    /// Search only these root moves; empty for all.
    pub search_moves: Vec<Move>,
    /// Do not search these root moves.
    pub banned_moves: Vec<Move>,
    /// Return only after a stop, regardless of the other limits (`go infinite`, `go ponder`).
    pub wait_for_stop: bool,
    /// Number of best lines to find, at least 1.
    pub multipv: usize,
    /// Polled every few hundred nodes; returns whether to stop. For builds without threads, where no other thread can stop the search.
    pub interrupt: Option<fn() -> bool>,
}

impl Limits {
    /// No limits; time counts from now.
    pub fn none() -> Limits {
        Limits {
            start: Instant::now(),
            depth: None,
            nodes: None,
            movetime: None,
            clock: None,
            mate: None,
            search_moves: Vec::new(),
            banned_moves: Vec::new(),
            wait_for_stop: false,
            multipv: 1,
            interrupt: None,
        }
    }

    /// The legal moves allowed by `search_moves` and `banned_moves`.
    pub fn root_moves(&self, board: &Board) -> impl Iterator<Item = Move> + use<'_> {
        let is_allowed =
            |mv: &Move| !self.banned_moves.contains(mv) && (self.search_moves.is_empty() || self.search_moves.contains(mv));
        board.legal_moves().into_iter().filter(is_allowed)
    }

    /// The outcome if there is no move to search: mate in 0 if the side to move has no legal move, which loses in check or not, and 0
    /// centipawns if the limits exclude all moves.
    pub fn outcome_without_moves(&self, board: &Board) -> Option<Outcome> {
        if self.root_moves(board).next().is_some() {
            return None;
        }
        let score = if !board.has_legal_move() { Score::Mate(0) } else { Score::Centipawns(0) };
        Some(Outcome { best: None, ponder: None, score, depth: 0, nodes: 0 })
    }
}

/// Settings that persist between searches.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules of repetition and the natural limit.
    pub rules: Rules,
    /// Time reserved on each move for communication.
    pub move_overhead: Duration,
    /// Nodes that count as a millisecond of time limits; 0 for real time. Then games with a clock do not depend on the speed of the machine
    /// or its load (the idea of Stockfish's `nodestime`).
    pub nodes_per_ms: u32,
    /// Playing strength in Elo above a player of random moves, from 0 to that of the strongest limited level (`threads::ELO_RANGE`); `None` for
    /// full strength.
    pub elo: Option<u32>,
    /// Amplitude of random noise on root scores in centipawns, 0 for none and at most 1000 (UCCI `randomness`).
    pub randomness: i32,
    /// The evaluation network.
    pub network: Arc<Network>,
    /// Endgame tables; `None` to search without. A search of limited strength does not use them.
    pub endgames: Option<Arc<Tables>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            rules: Rules::default(),
            move_overhead: Duration::from_millis(10),
            nodes_per_ms: 0,
            elo: None,
            randomness: 0,
            network: Arc::clone(Network::builtin()),
            endgames: Some(Arc::clone(Tables::builtin())),
        }
    }
}

/// A score as shown to users; in JSON `{"cp":31}` or `{"mate":-2}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Score {
    /// Centipawns from the side to move's view.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to mate; negative when the side to move gets mated, 0 when it already is.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Score {
    /// Converts an internal score.
    pub(super) fn of(score: i32) -> Score {
        match score {
            _ if !is_mate(score) => Score::Centipawns(score),
            _ if score > 0 => Score::Mate((MATE - score + 1) / 2),
            _ => Score::Mate(-(MATE + score + 1) / 2),
        }
    }
}

/// Whether a score is exact or a bound.
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
    /// Depth of the iteration in plies.
    pub depth: i32,
    /// Greatest ply, with 1 for the root, of a node searched with an open window, quiescence included.
    pub selective_depth: i32,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// Score of the line from the side to move's view.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Probabilities of win, draw and loss in thousandths, summing to 1000.
    pub wdl: [u16; 3],
    /// Nodes, summed over all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// Share of the transposition table filled by this search, in thousandths, estimated from a sample.
    pub hashfull: u16,
    /// Endgame table hits, summed over all threads.
    pub tbhits: u64,
    /// The principal variation, never empty.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; `None` if no move is legal or the limits allow none.
    pub best: Option<Move>,
    /// The expected reply, to ponder on.
    pub ponder: Option<Move>,
    /// Score of the best move from the side to move's view.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: i32,
    /// Nodes over all threads.
    pub nodes: u64,
}

/// The transposition table entry of a position.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The best move found.
    pub best: Option<Move>,
    /// Its score from the side to move's view.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Plies searched below the position; 0 or -1 if the entry is that of a quiescence search.
    pub depth: i32,
}

/// A node of the search tree with an exact score: a quiet position below the root, not in check, on a principal variation of any
/// iteration. Training can learn from it in addition to the root (the idea of TreeStrap: Veness, Silver, Uther and Blair, *Bootstrapping
/// from Game Tree Search*, 2009).
#[derive(Clone, Debug)]
pub struct PvNode {
    /// The moves from the root.
    pub line: Vec<Move>,
    /// Its score from the view of the side to move, never a mate.
    pub score: Score,
    /// Plies searched below it.
    pub depth: i32,
    /// The key of the position ([`Board::key`](crate::board::Board::key)), to recognise it.
    pub key: u64,
}

/// Receives progress reports, on the thread that called the search.
pub trait Report {
    /// A line was found or improved.
    fn line(&mut self, info: &Info);

    /// The list that receives the nodes with an exact score of the reporting thread when the search ends, each position with its deepest
    /// score; `None` if they are not wanted.
    fn pv_nodes(&mut self) -> Option<&mut Vec<PvNode>> {
        None
    }

    /// A root move is about to be searched; `number` counts from 1 in each iteration. Called from the first iteration on; the receiver
    /// should suppress it for short searches.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
}

/// The current best lines of a search, best first: for each rank the latest exact one, or the first bound if there is none yet.
#[derive(Clone, Default, Debug)]
pub struct BestLines(pub Vec<Info>);

impl BestLines {
    /// Records a line, except a bound for a rank that already has a line. Returns whether it was recorded.
    pub fn take(&mut self, info: &Info) -> bool {
        match self.0.get_mut(info.multipv.saturating_sub(1)) {
            Some(_) if info.bound != Bound::Exact => return false,
            Some(line) => line.clone_from(info),
            // Ranks are reported in ascending order.
            None => self.0.push(info.clone()),
        }
        true
    }
}

impl Report for BestLines {
    fn line(&mut self, info: &Info) {
        self.take(info);
    }
}

/// Ignores all reports.
impl Report for () {
    fn line(&mut self, _: &Info) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::{mate_in, mated_in};

    #[test]
    fn mates_count_own_moves() {
        assert_eq!([1, 3, 5].map(|ply| Score::of(mate_in(ply))), [1, 2, 3].map(Score::Mate));
        assert_eq!([0, 2, 4].map(|ply| Score::of(mated_in(ply))), [0, -1, -2].map(Score::Mate));
        assert_eq!(Score::of(-35), Score::Centipawns(-35));
    }
}
