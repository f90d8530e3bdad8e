//! The result of searching a position.

use crate::board::{Board, Position};
use crate::notation::Notation;
use crate::rules::{GameResult, Rules};
use crate::search::{BestLines, Info, Limits, Score, Settings};
use crate::threads::Pool;
use crate::types::{Color, Move};

/// Bound in centipawns between evaluations and decided scores: mates (see [`centipawns`]), and endgame table wins that the search does not
/// announce as mates.
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
    /// The best lines, best first; empty if the game is over.
    pub lines: Vec<Line>,
    /// The best move; none if the game is over.
    pub best: Option<Move>,
    /// The result if the rules end the game here although there are legal moves.
    pub ended: Option<GameResult>,
}

impl PositionResult {
    /// The result of a position in which the rules end the game although there are legal moves; none for any other position. It is not
    /// searched: a search assumes that the game goes on.
    pub fn of_rules(position: &Position, rules: &Rules) -> Option<PositionResult> {
        let result = rules.game_result(position).filter(|_| position.board().has_legal_move())?;
        Some(PositionResult::ended(position, result))
    }

    /// A position without a legal move, which is lost; none for any other position. There is nothing to search.
    pub fn of_mate(position: &Position) -> Option<PositionResult> {
        let result = PositionResult { ended: None, ..PositionResult::ended(position, GameResult::Draw) };
        (!position.board().has_legal_move()).then_some(result)
    }

    /// Whether the side to move has no legal move.
    pub(super) fn is_mate(&self) -> bool {
        self.ended.is_none() && self.best.is_none() && !self.board.has_legal_move()
    }

    /// A position after the end of the game, with the result of the game.
    pub(super) fn ended(position: &Position, result: GameResult) -> PositionResult {
        let (board, fen) = (*position.board(), position.to_fen());
        PositionResult { board, fen, depth: 0, nodes: 0, time_ms: 0, lines: Vec::new(), best: None, ended: Some(result) }
    }

    /// Searches a position unless the rules end the game there.
    pub fn search(pool: &mut Pool, position: &Position, limits: &Limits, settings: &Settings) -> PositionResult {
        if let Some(result) = PositionResult::of_rules(position, &settings.rules) {
            return result;
        }
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
            ended: None,
        }
    }

    /// The expected score of the side to move in thousandths: win probability plus half the draw probability. At the end of the game, 1000,
    /// 500 or 0.
    pub fn expectation(&self) -> i32 {
        match self.ended {
            Some(GameResult::Draw) => 500,
            Some(GameResult::Loses(loser)) if loser != self.board.side_to_move() => 1000,
            Some(GameResult::Loses(_)) => 0,
            None => self.lines.first().map_or(0, |line| line.wdl[0] as i32 + line.wdl[1] as i32 / 2),
        }
    }

    /// The score from the side to move's view; mate in 0 without a legal move. If the rules end the game, 0 for a draw, and that of a mate
    /// for the side that wins.
    pub fn score(&self) -> Score {
        match self.ended {
            Some(GameResult::Draw) => Score::Centipawns(0),
            Some(GameResult::Loses(loser)) if loser != self.board.side_to_move() => Score::Mate(1),
            Some(GameResult::Loses(_)) => Score::Mate(0),
            None => self.lines.first().map_or(Score::Mate(0), |line| line.score),
        }
    }

    /// Red's expected score in percentage points.
    pub fn red_expectation(&self) -> f64 {
        let own = self.expectation() as f64 / 10.0;
        if self.board.side_to_move() == Color::Red { own } else { 100.0 - own }
    }

    /// The moves of the best line in a notation; empty if the game is over.
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
