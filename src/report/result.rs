//! The result of searching a position.

use crate::board::{Board, Position};
use crate::notation::Notation;
use crate::search::{BestLines, Info, Limits, Score, Settings};
use crate::threads::Pool;
use crate::types::{Color, Move};

/// Bound in centipawns above every non-mate score; see [`centipawns`].
pub(super) const MATE_IN_SIGHT: i32 = 20_000;

/// A score in centipawns, with mates mapped beyond all other scores, for comparing and drawing.
pub fn centipawns(score: Score) -> i32 {
    /// Larger than the magnitude of any non-mate score.
    const MATE: i32 = 30_000;
    match score {
        Score::Centipawns(score) => score,
        Score::Mate(moves) if moves > 0 => MATE - moves.min(1000),
        Score::Mate(moves) => -MATE - moves.max(-1000),
    }
}

/// One of the best lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Rank of the line, 1 for the best.
    pub multipv: usize,
    /// Score from the side to move's view.
    pub score: Score,
    /// Win, draw and loss probabilities in thousandths.
    pub wdl: [u16; 3],
    /// The moves, all legal in sequence.
    pub pv: Vec<Move>,
}

impl From<Info> for Line {
    fn from(info: Info) -> Line {
        Line { multipv: info.multipv, score: info.score, wdl: info.wdl, pv: info.pv }
    }
}

/// The result of searching a position.
#[derive(Clone, Debug)]
pub struct PositionResult {
    /// The board.
    pub board: Board,
    /// The position with its counters.
    pub fen: String,
    /// Depth of the last completed iteration, in plies.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent, in milliseconds.
    pub time_ms: u64,
    /// The best lines, best first; empty if there is no legal move.
    pub lines: Vec<Line>,
    /// The best move; none if there is no legal move.
    pub best: Option<Move>,
}

impl PositionResult {
    /// Searches a position.
    pub fn search(pool: &mut Pool, position: &Position, limits: &Limits, settings: &Settings) -> PositionResult {
        let start = web_time::Instant::now();
        let mut best = BestLines::default();
        let outcome = pool.search(position, limits, settings, &mut best);
        PositionResult {
            board: *position.board(),
            fen: position.to_fen(),
            depth: outcome.depth,
            nodes: outcome.nodes,
            time_ms: start.elapsed().as_millis().min(u64::MAX as u128) as u64,
            lines: best.0.into_iter().map(Line::from).collect(),
            best: outcome.best,
        }
    }

    /// The expected score of the side to move in thousandths: win probability plus half the draw probability. 0 without a legal move, since
    /// the side to move has then lost.
    pub fn expectation(&self) -> i32 {
        self.lines.first().map_or(0, |line| line.wdl[0] as i32 + line.wdl[1] as i32 / 2)
    }

    /// The score from the side to move's view; mate in 0 without a legal move.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::Mate(0), |line| line.score)
    }

    /// Red's expected score in percentage points.
    pub fn red_expectation(&self) -> f64 {
        let own = self.expectation() as f64 / 10.0;
        if self.board.side_to_move() == Color::Red { own } else { 100.0 - own }
    }

    /// The moves of the best line in a notation; empty if there is no legal move.
    pub fn best_line(&self, notation: &Notation) -> Vec<String> {
        self.lines.first().map(|line| notation.write_line(&self.board, &line.pv)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_ordered_by_distance_beyond_other_scores() {
        let order = [
            Score::Mate(0),
            Score::Mate(-3),
            Score::Centipawns(-MATE_IN_SIGHT),
            Score::Centipawns(9),
            Score::Mate(3),
            Score::Mate(1),
        ];
        assert!(order.windows(2).all(|pair| centipawns(pair[0]) < centipawns(pair[1])));
    }
}
