//! Adjudication of decided games.

use super::Adjudication;
use crate::records::{Ending, Won};
use chuhe::types::Color;

/// Tracks the scores of one game.
pub struct Adjudicator<'a> {
    settings: &'a Adjudication,
    /// The side that is ahead, and for how many consecutive plies.
    ahead: Option<(Color, u16)>,
    /// Number of consecutive plies with a level score.
    level: u16,
}

impl Adjudicator<'_> {
    /// At the start of a game.
    pub fn new(settings: &Adjudication) -> Adjudicator<'_> {
        Adjudicator { settings, ahead: None, level: 0 }
    }

    /// Takes the score of the side to move, in centipawns from its view, at this ply of the game. Returns the result if it is
    /// decided.
    pub fn observe(&mut self, side: Color, score: i16, ply: usize) -> Option<(Won, Ending)> {
        let size = score.unsigned_abs();
        self.ahead = if size >= self.settings.win_score {
            let winner = if score > 0 { side } else { !side };
            Some((winner, self.ahead.filter(|(before, _)| *before == winner).map_or(1, |(_, plies)| plies + 1)))
        } else {
            None
        };
        self.level = if size <= self.settings.draw_score { self.level + 1 } else { 0 };
        if let Some((winner, _)) = self.ahead.filter(|(_, plies)| *plies >= self.settings.win_plies) {
            return Some((Won::by(winner), Ending::AdjudicatedWin));
        }
        let is_level = self.level >= self.settings.draw_plies && ply >= self.settings.draw_after as usize;
        is_level.then_some((Won::Nobody, Ending::AdjudicatedDraw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Adjudication = Adjudication { win_score: 1000, win_plies: 4, draw_score: 10, draw_plies: 3, draw_after: 20 };

    /// The first ply at which a result is found, for scores from Red's view.
    fn found(scores: &[i16]) -> Option<(usize, Won)> {
        let mut adjudicator = Adjudicator::new(&SETTINGS);
        scores.iter().enumerate().find_map(|(ply, &score)| {
            let (side, score) = if ply % 2 == 0 { (Color::Red, score) } else { (Color::Black, -score) };
            adjudicator.observe(side, score, ply).map(|(won, _)| (ply, won))
        })
    }

    #[test]
    fn both_sides_must_agree_without_a_break() {
        assert_eq!(found(&[1200; 8]), Some((3, Won::Red)));
        assert_eq!(found(&[-1200; 8]), Some((3, Won::Black)));
        assert_eq!(found(&[1200, 1200, 1200, 900, 1200, 1200, 1200]), None);
        assert_eq!(found(&[1200, -1200, 1200, -1200, 1200, -1200]), None);
    }

    #[test]
    fn draws_wait_for_their_ply() {
        assert_eq!(found(&[0; 30]), Some((20, Won::Nobody)));
        assert_eq!(found(&[11; 30]), None);
    }
}
