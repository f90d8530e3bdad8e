//! Statistics of record files.

use crate::records::{Ending, Game, MATE_SCORE, Won};
use chuhe::board::Position;
use std::fmt;

/// Bounds of the score histogram in centipawns; the last class is everything above except mates.
const SCORE_CLASSES: [u16; 6] = [25, 100, 200, 400, 800, 1600];

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// Moves of all games.
    pub plies: u64,
    /// Positions with a score.
    pub labels: u64,
    /// Of these, those off the games.
    pub variations: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Games won by Red, drawn, won by Black.
    pub results: [u64; 3],
    /// Games by ending, in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// Labels by absolute score: up to 25, 100, 200, 400, 800, 1600 centipawns, more, mates.
    pub scores: [u64; SCORE_CLASSES.len() + 2],
    /// Labels by number of pieces on the board, from two (the kings alone) up.
    pub pieces: [u64; 31],
    /// Labels of positions in check.
    pub in_check: u64,
    /// Labels of positions in which a capture was played.
    pub captures: u64,
    /// Labels whose sign agrees with the result, and all labels that have a sign and whose game has a winner.
    pub agreement: [u64; 2],
}

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.results[game.won as usize] += 1;
        self.endings[game.ending as usize] += 1;
        self.variations += game.variations.len() as u64;
        game.replay_variations(|position, variation| self.add_label(position, variation.score));
        game.replay(|position, ply| {
            let Some(score) = ply.score else { return };
            self.add_label(position, score);
            self.in_check += position.in_check() as u64;
            self.captures += position.board().is_capture(ply.mv) as u64;
            if score != 0 && game.won != Won::Nobody {
                self.agreement[1] += 1;
                self.agreement[0] += ((score > 0) == (game.won.half_points(position.side_to_move()) == 2)) as u64;
            }
        });
    }

    fn add_label(&mut self, position: &Position, score: i16) {
        self.labels += 1;
        let size = score.unsigned_abs();
        let class = if size >= MATE_SCORE as u16 {
            SCORE_CLASSES.len() + 1
        } else {
            SCORE_CLASSES.iter().position(|&bound| size <= bound).unwrap_or(SCORE_CLASSES.len())
        };
        self.scores[class] += 1;
        self.pieces[position.board().occupied().len().clamp(2, 32) - 2] += 1;
    }

    /// Bytes on disk per labelled position.
    pub fn bytes_per_position(&self) -> f64 {
        self.bytes as f64 / self.labels.max(1) as f64
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "games {} plies {} positions {}", self.games, self.plies, self.labels)?;
        if self.variations > 0 {
            writeln!(f, "variations {} {:.1}%", self.variations, share(self.variations, self.labels))?;
        }
        writeln!(f, "bytes {} bytes-per-position {:.3}", self.bytes, self.bytes_per_position())?;
        writeln!(f, "plies-per-game {:.1}", self.plies as f64 / self.games.max(1) as f64)?;
        let [red, draws, black] = self.results.map(|count| share(count, self.games));
        writeln!(f, "red-wins {red:.1}% draws {draws:.1}% black-wins {black:.1}%")?;
        for (ending, &count) in Ending::ALL.iter().zip(&self.endings) {
            writeln!(f, "ending {ending:?} {count} {:.1}%", share(count, self.games))?;
        }
        for (class, &count) in self.scores.iter().enumerate() {
            let name = match SCORE_CLASSES.get(class) {
                Some(bound) => format!("up-to-{bound}"),
                None if class == SCORE_CLASSES.len() => "above".into(),
                None => "mate".into(),
            };
            writeln!(f, "score {name} {count} {:.1}%", share(count, self.labels))?;
        }
        for (count, &labels) in self.pieces.iter().enumerate().filter(|(_, labels)| **labels > 0) {
            writeln!(f, "pieces {} {labels} {:.1}%", count + 2, share(labels, self.labels))?;
        }
        writeln!(f, "in-check {:.1}% captures {:.1}%", share(self.in_check, self.labels), share(self.captures, self.labels))?;
        writeln!(f, "sign-agrees-with-result {:.1}%", share(self.agreement[0], self.agreement[1]))
    }
}
