//! Difficulty of a solution, measured by the nodes that a weak search needs to find it.
//!
//! The weak search is the engine's with a network that only counts material, without endgame tables, and with the hash table cleared before
//! each move. It has found a move when its best move is an accepted one from that point to the end of the search.

use crate::board::{Board, Position};
use crate::nnue::Network;
use crate::search::{Info, Limits, Report, Settings};
use crate::threads::Pool;
use crate::types::Move;
use std::sync::Arc;

/// Node limit of the weak search per move.
pub const WEAK_NODES: u64 = 1 << 15;
/// Up to this many nodes all puzzles have the lowest rating.
const EASIEST: f64 = 16.0;
/// The rating of the easiest puzzles.
const MIN_RATING: f64 = 600.0;
/// Rating points per doubling of nodes.
const DOUBLING: f64 = 150.0;
/// The rating of the hardest puzzles.
const MAX_RATING: f64 = 2800.0;

/// The rating of a puzzle whose moves took the weak search this many nodes in total: 600 up to 16 nodes, plus 150 per doubling, at most 2800.
/// A move that was not found counts as twice [`WEAK_NODES`]. The scale orders puzzles; it is not comparable to players' ratings.
///
/// ```
/// use chuhe::puzzles::rating_of;
///
/// assert_eq!([rating_of(1), rating_of(16), rating_of(32), rating_of(1 << 16)], [600, 600, 750, 2400]);
/// ```
pub fn rating_of(nodes: u64) -> u16 {
    (MIN_RATING + DOUBLING * (nodes as f64 / EASIEST).max(1.0).log2()).min(MAX_RATING).round() as u16
}

/// The weak search.
pub struct WeakSearch {
    pool: Pool,
    settings: Settings,
}

/// Records the node count since which the best move has been an accepted one.
struct Watch<'a> {
    accepted: &'a [Move],
    since: Option<u64>,
}

impl Report for Watch<'_> {
    fn line(&mut self, info: &Info) {
        let is_found = info.pv.first().is_some_and(|mv| self.accepted.contains(mv));
        self.since = if is_found { self.since.or(Some(info.nodes)) } else { None };
    }
}

impl WeakSearch {
    /// Creates a weak search.
    pub fn new() -> WeakSearch {
        let network = Arc::new(Network::material());
        WeakSearch { pool: Pool::new(1, 1), settings: Settings { network, endgames: None, ..Settings::default() } }
    }

    /// Nodes after which the best move remained an accepted one; none if it is not at the end.
    pub fn nodes(&mut self, board: &Board, accepted: &[Move]) -> Option<u64> {
        self.pool.clear();
        let mut watch = Watch { accepted, since: None };
        let limits = Limits { nodes: Some(WEAK_NODES), ..Limits::none() };
        self.pool.search(&Position::new(*board, 0, 1), &limits, &self.settings, &mut watch);
        watch.since
    }

    /// Rates a main line, given the accepted moves of each turn; also returns the nodes if every move was found.
    pub fn rate(&mut self, board: &Board, line: &[Move], accepted: &[Vec<Move>]) -> (u16, Option<u64>) {
        let (mut board, mut total, mut is_found) = (*board, 0, true);
        for (ply, &mv) in line.iter().enumerate() {
            if let Some(moves) = accepted.get(ply / 2).filter(|_| ply % 2 == 0) {
                let nodes = self.nodes(&board, moves);
                is_found &= nodes.is_some();
                total += nodes.unwrap_or(2 * WEAK_NODES);
            }
            board = board.after(mv);
        }
        (rating_of(total), is_found.then_some(total))
    }
}
