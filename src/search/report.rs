//! What a search reports, as data; the protocol turns it into text.

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
    /// From a score of the search.
    pub(super) fn of(score: i32) -> Score {
        match score {
            _ if !is_mate(score) => Score::Centipawns(score),
            _ if score > 0 => Score::Mate((MATE - score + 1) / 2),
            _ => Score::Mate(-(MATE + score + 1) / 2),
        }
    }
}

/// A model of the chances of a score: the win follows a logistic curve, the loss its mirror image, and the rest is the draw (as in
/// Stockfish). Both parameters of the curve depend on the number of pieces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Centipawns at which half of the games are won: with sixteen pieces, and how many more with thirty-two.
    pub win_at: [f64; 2],
    /// Scale of the logistic curve in centipawns: with sixteen pieces, and how much more with thirty-two.
    pub slope: [f64; 2],
}

/// Fitted to games of the built-in network by `chuhe-tuning wdl`.
pub const CHANCES: Chances = Chances { win_at: [179.4, -100.3], slope: [121.1, 99.6] };

impl Chances {
    /// The chance to win, between 0 and 1, at a score with so many pieces on the board, kings included.
    pub fn win(&self, score: i32, pieces: usize) -> f64 {
        let share = (pieces as f64 - 16.0) / 16.0;
        let win_at = (self.win_at[0] + self.win_at[1] * share).max(0.0);
        let slope = (self.slope[0] + self.slope[1] * share).max(1.0);
        1.0 / (1.0 + ((win_at - score as f64) / slope).exp())
    }
}

/// Chances to win, draw and lose at a score with so many pieces on the board, in thousandths that add to 1000.
pub fn win_draw_loss(score: i32, pieces: usize) -> [u16; 3] {
    let chance = |score: i32| (1000.0 * CHANCES.win(score, pieces)).round() as u16;
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

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; none when there is no legal move, or none that is allowed.
    pub best: Option<Move>,
    /// The expected reply, to ponder on.
    pub ponder: Option<Move>,
    /// Value of the best move for the side to move.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: i32,
    /// Nodes over all threads.
    pub nodes: u64,
}

/// What the transposition table knows about a position.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The best move found.
    pub best: Option<Move>,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: i32,
}

/// Receives the progress of a search, on the thread that called it.
pub trait Report {
    /// A line was found or improved.
    fn line(&mut self, info: &Info);

    /// A root move is about to be searched; `number` counts from 1 at each depth. Called from the first iteration on; whoever shows
    /// it should wait until the search has become a long one.
    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        let _ = (depth, mv, number);
    }
}

/// Ignores all reports.
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
        for pieces in [2, 9, 16, 32] {
            let mut last = 0;
            for score in -32_000..=32_000 {
                let [win, draw, loss] = win_draw_loss(score, pieces);
                assert_eq!(win + draw + loss, 1000, "{score}");
                assert_eq!(win_draw_loss(-score, pieces), [loss, draw, win], "{score}");
                assert!(win >= last, "{score}");
                last = win;
            }
            assert_eq!(last, 1000);
        }
    }
}
