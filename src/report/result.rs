//! The result of one position: a line of JSON.

use crate::board::Position;
use crate::notation::{self, System};
use crate::search::{Bound, Info, Limits, Report, Score, Settings};
use crate::threads::Pool;
use crate::types::Move;
use serde::{Deserialize, Serialize};

/// A score in JSON: `{"cp":31}` or `{"mate":-2}`, from the side to move's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreValue {
    /// Centipawns.
    Cp(i32),
    /// Own moves to mate, negative when the side to move is mated.
    Mate(i32),
}

impl ScoreValue {
    /// Centipawns with mates beyond every other score, for comparing and drawing.
    pub fn centipawns(self) -> i32 {
        /// Further from 0 than scores without mate are.
        const MATE: i32 = 30_000;
        match self {
            ScoreValue::Cp(score) => score,
            ScoreValue::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            ScoreValue::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

impl From<Score> for ScoreValue {
    fn from(score: Score) -> ScoreValue {
        match score {
            Score::Centipawns(score) => ScoreValue::Cp(score),
            Score::Mate(moves) => ScoreValue::Mate(moves),
        }
    }
}

/// One of the best lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// From 1, the best.
    pub multipv: usize,
    /// Value for the side to move.
    pub score: ScoreValue,
    /// Chances to win, draw and lose in thousandths.
    pub wdl: [u16; 3],
    /// The moves in the form `h2e2`.
    pub pv: Vec<String>,
    /// The same in the notation of the World Xiangqi Rules.
    pub pv_wxr: Vec<String>,
    /// The same in Chinese characters.
    pub pv_chinese: Vec<String>,
}

/// What a search found in one position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PositionResult {
    /// Number of the game in the input, from 1; none for a single position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// Plies played in the game before this position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// The position.
    pub fen: String,
    /// Plies of the last finished iteration.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent, in milliseconds.
    pub time_ms: u64,
    /// The best lines, the best first; empty when there is no legal move.
    pub lines: Vec<Line>,
    /// The best move; none when there is no legal move.
    pub bestmove: Option<String>,
}

/// Keeps the latest exact line of every rank.
#[derive(Default)]
struct Collector {
    lines: Vec<Option<Info>>,
}

impl Report for Collector {
    fn line(&mut self, info: &Info) {
        let index = info.multipv.saturating_sub(1);
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        let slot = &mut self.lines[index];
        if info.bound == Bound::Exact || slot.is_none() {
            *slot = Some(info.clone());
        }
    }
}

impl PositionResult {
    /// Searches a position and keeps what was found.
    pub fn search(pool: &mut Pool, position: &Position, limits: &Limits, settings: &Settings) -> PositionResult {
        let start = std::time::Instant::now();
        let mut collector = Collector::default();
        let outcome = pool.search(position, limits, settings, &mut collector);
        let board = position.board();
        let write = |system, moves: &[Move]| notation::write_line(system, board, moves);
        let line = |info: Info| Line {
            multipv: info.multipv,
            score: info.score.into(),
            wdl: info.wdl,
            pv: write(System::Uci, &info.pv),
            pv_wxr: write(System::Wxr, &info.pv),
            pv_chinese: write(System::Chinese, &info.pv),
        };
        PositionResult {
            game: None,
            ply: None,
            fen: position.to_fen(),
            depth: outcome.depth,
            nodes: outcome.nodes,
            time_ms: start.elapsed().as_millis().min(u64::MAX as u128) as u64,
            lines: collector.lines.into_iter().flatten().map(line).collect(),
            bestmove: outcome.best.map(|mv| mv.to_string()),
        }
    }

    /// The expected score of the side to move in thousandths: chances to win and half of those to draw. Without a legal
    /// move the side to move has lost.
    pub fn expectation(&self) -> i32 {
        self.lines.first().map_or(0, |line| line.wdl[0] as i32 + line.wdl[1] as i32 / 2)
    }

    /// The value for the side to move, in centipawns with mates beyond every other score.
    pub fn centipawns(&self) -> i32 {
        self.lines.first().map_or(ScoreValue::Mate(0), |line| line.score).centipawns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_has_the_agreed_form() {
        let result = PositionResult {
            game: None,
            ply: None,
            fen: "f".into(),
            depth: 3,
            nodes: 4,
            time_ms: 5,
            lines: vec![Line {
                multipv: 1,
                score: ScoreValue::Mate(-2),
                wdl: [0, 0, 1000],
                pv: vec!["h2e2".into()],
                pv_wxr: vec!["C2=5".into()],
                pv_chinese: vec!["炮二平五".into()],
            }],
            bestmove: Some("h2e2".into()),
        };
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(
            text,
            "{\"fen\":\"f\",\"depth\":3,\"nodes\":4,\"time_ms\":5,\"lines\":[{\"multipv\":1,\"score\":{\"mate\":-2},\
             \"wdl\":[0,0,1000],\"pv\":[\"h2e2\"],\"pv_wxr\":[\"C2=5\"],\"pv_chinese\":[\"炮二平五\"]}],\"bestmove\":\"h2e2\"}"
        );
        assert_eq!(serde_json::from_str::<PositionResult>(&text).unwrap(), result);
    }

    #[test]
    fn mates_are_beyond_all_other_scores_and_nearer_ones_further() {
        let order = [
            ScoreValue::Mate(0),
            ScoreValue::Mate(-3),
            ScoreValue::Cp(-20_000),
            ScoreValue::Cp(9),
            ScoreValue::Mate(3),
            ScoreValue::Mate(1),
        ];
        assert!(order.windows(2).all(|pair| pair[0].centipawns() < pair[1].centipawns()));
    }
}
