//! Win, draw and loss probabilities of a score.

/// A model of the outcome probabilities: the win probability is a logistic function of the score, the loss probability its mirror image,
/// and the draw the remainder (as in Stockfish). Both parameters of the function depend linearly on the number of pieces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// Centipawns at which half of the games are won: value with 16 pieces, and its change from 16 to 32 pieces.
    pub win_at: [f64; 2],
    /// Scale of the logistic function in centipawns: value with 16 pieces, and its change from 16 to 32 pieces.
    pub slope: [f64; 2],
}

/// The model fitted to games of the built-in network by `chuhe-tuning wdl`.
pub const WDL_MODEL: WdlModel = WdlModel { win_at: [224.1, -121.3], slope: [103.3, 70.3] };

impl WdlModel {
    /// The win probability, between 0 and 1, at a score in centipawns with `pieces` pieces on the board, kings included.
    pub fn win(&self, score: i32, pieces: usize) -> f64 {
        let share = (pieces as f64 - 16.0) / 16.0;
        let win_at = (self.win_at[0] + self.win_at[1] * share).max(0.0);
        let slope = (self.slope[0] + self.slope[1] * share).max(1.0);
        1.0 / (1.0 + ((win_at - score as f64) / slope).exp())
    }
}

/// Win, draw and loss probabilities in thousandths, summing to 1000, at a score with `pieces` pieces on the board.
pub fn win_draw_loss(score: i32, pieces: usize) -> [u16; 3] {
    let win = |score: i32| (1000.0 * WDL_MODEL.win(score, pieces)).round() as u16;
    let (win, loss) = (win(score), win(score.saturating_neg()));
    [win, 1000u16.saturating_sub(win + loss), loss.min(1000 - win)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_a_thousand() {
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
            assert_eq!([i32::MIN, i32::MAX].map(|score| win_draw_loss(score, pieces)), [[0, 0, 1000], [1000, 0, 0]]);
        }
    }
}
