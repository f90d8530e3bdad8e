//! Searches that compare a position's best move with its second best.

use super::Margin;
use crate::board::{Board, Position};
use crate::search::{BestLines, Info, Limits, Score, Settings};
use crate::threads::Pool;
use crate::types::Move;

/// A move with its search result.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Its score from the mover's view.
    pub score: Score,
    /// Its win, draw and loss probabilities in thousandths.
    pub wdl: [u16; 3],
    /// The principal variation starting with it.
    pub line: Vec<Move>,
}

impl Choice {
    /// The win probability in thousandths.
    pub fn win(&self) -> u16 {
        self.wdl[0]
    }
}

/// The best moves of a position, best first.
pub struct Choices(pub Vec<Choice>);

impl Choices {
    /// The best move, if it and the second best satisfy the margin. Without a second legal move, its probability counts as 0.
    pub fn only(&self, margin: Margin) -> Option<&Choice> {
        let best = self.0.first()?;
        let second = self.0.get(1).map_or(0, Choice::win);
        margin.holds(best.win(), second).then_some(best)
    }
}

/// Searches boards without history, so that a result depends only on the position and on the hash table contents.
pub struct Prover {
    pool: Pool,
    settings: Settings,
}

impl Prover {
    /// One search thread with a hash table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> Prover {
        Prover { pool: Pool::new(1, hash_mib), settings: Settings::default() }
    }

    /// The handle to stop a search.
    pub fn control(&self) -> crate::threads::Control {
        self.pool.control()
    }

    /// Clears hash table and histories.
    pub fn clear(&mut self) {
        self.pool.clear();
    }

    /// The `count` best moves by a search of this many nodes.
    pub fn best(&mut self, board: &Board, count: usize, nodes: u64) -> Choices {
        self.run(board, &Limits { multipv: count, nodes: Some(nodes), ..Limits::none() })
    }

    /// The best of the given moves by a search of this many nodes.
    pub fn best_of(&mut self, board: &Board, moves: Vec<Move>, nodes: u64) -> Option<Choice> {
        if moves.is_empty() {
            return None;
        }
        self.run(board, &Limits { search_moves: moves, nodes: Some(nodes), ..Limits::none() }).0.into_iter().next()
    }

    fn run(&mut self, board: &Board, limits: &Limits) -> Choices {
        let mut lines = BestLines::default();
        self.pool.search(&Position::new(*board, 0, 1), limits, &self.settings, &mut lines);
        let choice = |info: Info| {
            let mv = *info.pv.first()?;
            Some(Choice { mv, score: info.score, wdl: info.wdl, line: info.pv })
        };
        Choices(lines.0.into_iter().filter_map(choice).collect())
    }
}
