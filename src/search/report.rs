//! What a search tells while it runs. Text is made elsewhere, by the protocol.

use crate::types::Move;
use crate::types::score::{MATE, is_mate};
use std::time::Duration;

/// A score as people read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns from the side to move's view.
    Centipawns(i32),
    /// Own moves to mate; negative when the side to move is mated, 0 when it already is.
    Mate(i32),
}

impl Score {
    /// A score of the search as people read it.
    pub(crate) fn of(score: i32) -> Score {
        match score {
            _ if !is_mate(score) => Score::Centipawns(score),
            _ if score > 0 => Score::Mate((MATE - score + 1) / 2),
            _ => Score::Mate(-(MATE + score + 1) / 2),
        }
    }
}

/// Centipawns at which half of the games are won.
const WIN_AT: f64 = 210.0;
/// Centipawns over which the chances change.
const WIN_SLOPE: f64 = 85.0;

/// Chances to win, draw and lose at a score, in thousandths that add to 1000.
pub(crate) fn win_draw_loss(score: i32) -> [u16; 3] {
    let chance = |score: i32| (1000.0 / (1.0 + ((WIN_AT - score as f64) / WIN_SLOPE).exp())).round() as u16;
    let (win, loss) = (chance(score), chance(-score));
    [win, 1000u16.saturating_sub(win + loss), loss.min(1000 - win)]
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

    /// A root move is about to be searched: its number from 1 at this depth. Told from the first iteration on; whoever shows it
    /// waits until the search has become a long one.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
}

/// Tells nobody.
impl Report for () {
    fn line(&mut self, _: &Info) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::{mate_in, mated_in};

    #[test]
    fn mates_count_own_moves() {
        assert_eq!([1, 3, 5].map(|ply| Score::of(mate_in(ply))), [1, 2, 3].map(Score::Mate));
        assert_eq!([0, 2, 4].map(|ply| Score::of(mated_in(ply))), [0, -1, -2].map(Score::Mate));
        assert_eq!(Score::of(-35), Score::Centipawns(-35));
    }

    #[test]
    fn chances_add_to_a_thousand() {
        for score in -32_000..=32_000 {
            let [win, draw, loss] = win_draw_loss(score);
            assert_eq!(win + draw + loss, 1000, "{score}");
            assert_eq!(win_draw_loss(-score), [loss, draw, win], "{score}");
        }
    }
}
