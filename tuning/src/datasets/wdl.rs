//! The fit of the win-draw-loss model to games.

use crate::records::{Game, MATE_SCORE};
use chuhe::eval::WdlModel;

/// Scores beyond this are decided and excluded.
const MAX_FITTED_SCORE: i16 = 3000;
/// Maximum number of pieces on a board.
const PIECES: usize = 32;
/// Initial step sizes of the fit for each parameter, and the step size at which it ends.
const STEPS: [f64; 4] = [40.0, 40.0, 20.0, 20.0];
const LAST_STEP: f64 = 0.05;

/// Games won, drawn and lost by the side to move, by pieces on the board and score.
pub struct Tally {
    cells: Vec<[u32; 3]>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { cells: vec![[0; 3]; (PIECES + 1) * (2 * MAX_FITTED_SCORE as usize + 1)] }
    }
}

impl Tally {
    /// Counts every position of a game that has a score, except mates.
    pub fn add(&mut self, game: &Game) {
        game.replay(|position, ply| {
            let Some(score) = ply.score.filter(|score| score.abs() < MATE_SCORE.min(MAX_FITTED_SCORE)) else { return };
            let pieces = position.board().occupied().len().min(PIECES);
            let won = game.won.half_points(position.side_to_move());
            self.cells[pieces * (2 * MAX_FITTED_SCORE as usize + 1) + (score + MAX_FITTED_SCORE) as usize][2 - won as usize] += 1;
        });
    }

    fn cells(&self) -> impl Iterator<Item = (usize, i32, [u32; 3])> {
        let width = 2 * MAX_FITTED_SCORE as usize + 1;
        let place =
            move |(index, counts): (usize, &[u32; 3])| (index / width, (index % width) as i32 - MAX_FITTED_SCORE as i32, *counts);
        self.cells.iter().enumerate().filter(|(_, counts)| **counts != [0; 3]).map(place)
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.cells.iter().flatten().map(|&count| count as u64).sum()
    }

    /// Mean negative log-likelihood of the results under the model.
    pub fn loss(&self, model: &WdlModel) -> f64 {
        let surprise = |count: u32, chance: f64| if count == 0 { 0.0 } else { -(count as f64) * chance.max(1e-9).ln() };
        let sum: f64 = self
            .cells()
            .map(|(pieces, score, [won, drawn, lost])| {
                let (win, loss) = (model.win(score, pieces), model.win(-score, pieces));
                surprise(won, win) + surprise(drawn, 1.0 - win - loss) + surprise(lost, loss)
            })
            .sum();
        sum / self.positions().max(1) as f64
    }

    /// The model with the smallest loss, by pattern search over its parameters (Hooke and Jeeves 1961).
    pub fn fit(&self, start: &WdlModel) -> WdlModel {
        let model = |numbers: &[f64; 4]| WdlModel { win_at: [numbers[0], numbers[1]], slope: [numbers[2], numbers[3]] };
        let mut best = [start.win_at[0], start.win_at[1], start.slope[0], start.slope[1]];
        let mut least = self.loss(&model(&best));
        let mut steps = STEPS;
        while steps.iter().any(|step| step.abs() > LAST_STEP) {
            for index in 0..best.len() {
                let mut better = None;
                for step in [steps[index], -steps[index]] {
                    let mut tried = best;
                    tried[index] += step;
                    let loss = self.loss(&model(&tried));
                    if loss < least {
                        (best, least, better) = (tried, loss, Some(step));
                        break;
                    }
                }
                steps[index] = better.map_or(steps[index] / 2.0, |step| step * 1.2);
            }
        }
        model(&best)
    }

    /// Observed mean points of the side to move and those expected by a model, for the positions with numbers of pieces in a range and
    /// scores in a half-open range; none if there are no positions.
    pub fn points(&self, model: &WdlModel, pieces: [usize; 2], scores: [i32; 2]) -> Option<(u64, f64, f64)> {
        let (mut count, mut happened, mut expected) = (0u64, 0.0, 0.0);
        for (pieces, score, [won, drawn, lost]) in self
            .cells()
            .filter(|&(left, score, _)| (pieces[0]..=pieces[1]).contains(&left) && (scores[0]..scores[1]).contains(&score))
        {
            let all = won + drawn + lost;
            count += all as u64;
            happened += won as f64 + drawn as f64 / 2.0;
            expected += all as f64 * (1.0 + model.win(score, pieces) - model.win(-score, pieces)) / 2.0;
        }
        (count > 0).then(|| (count, happened / count as f64, expected / count as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_recovers_the_model_that_generated_the_counts() {
        let truth = WdlModel { win_at: [180.0, -60.0], slope: [90.0, 25.0] };
        let mut tally = Tally::default();
        let width = 2 * MAX_FITTED_SCORE as usize + 1;
        for pieces in (4..=PIECES).step_by(4) {
            for score in (-600..=600).step_by(20) {
                let (win, loss) = (truth.win(score, pieces), truth.win(-score, pieces));
                let counts = [win, 1.0 - win - loss, loss].map(|chance| (10_000.0 * chance).round() as u32);
                tally.cells[pieces * width + (score + MAX_FITTED_SCORE as i32) as usize] = counts;
            }
        }
        let start = WdlModel { win_at: [300.0, 0.0], slope: [50.0, 0.0] };
        let fitted = tally.fit(&start);
        let errors = [0, 1].map(|index| {
            (fitted.win_at[index] - truth.win_at[index]).abs().max((fitted.slope[index] - truth.slope[index]).abs())
        });
        assert!(errors.iter().all(|&error| error < 1.0), "{fitted:?}");
        assert!(tally.loss(&fitted) < tally.loss(&start));
        let (_, happened, expected) = tally.points(&fitted, [2, 32], [0, 101]).unwrap_or_default();
        assert!((happened - expected).abs() < 0.005 && happened > 0.5, "{happened} {expected}");
    }
}
