//! Totals of the players over several games.

use super::effort::Effort;
use super::review::{GameReview, Judgement};
use crate::records::RecordResult;
use crate::types::{Color, sort_by};
use std::collections::HashMap;

/// The identity of a player. Players without a name count as different people in every game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The name in the record.
    Named(String),
    /// A side of one game.
    Nameless {
        /// The title of the game.
        game: String,
        /// The file.
        file: String,
        /// Its number in the file.
        number: usize,
        /// The side.
        side: Color,
    },
}

/// The totals of one player.
#[derive(Clone, PartialEq, Debug)]
pub struct Total {
    /// The player.
    pub player: Player,
    /// Games played.
    pub games: usize,
    /// Games won, drawn and lost; games without a result are not counted.
    pub results: [usize; 3],
    /// Moves that were judged.
    pub judged: usize,
    /// Their total loss, in tenths of percentage points.
    loss_tenths: u64,
    /// Blunders, mistakes and inaccuracies.
    pub errors: [usize; 3],
}

impl Total {
    fn new(player: Player) -> Total {
        Total { player, games: 0, results: [0; 3], judged: 0, loss_tenths: 0, errors: [0; 3] }
    }

    fn add(&mut self, review: &GameReview, side: Color) {
        self.games += 1;
        let result = match review.record.result {
            RecordResult::Unknown => None,
            RecordResult::Draw => Some(1),
            RecordResult::RedWins => Some(if side == Color::Red { 0 } else { 2 }),
            RecordResult::BlackWins => Some(if side == Color::Black { 0 } else { 2 }),
        };
        if let Some(result) = result {
            self.results[result] += 1;
        }
        for mv in review.judged(side) {
            self.judged += 1;
            self.loss_tenths += (mv.loss * 10.0).round() as u64;
        }
        for (count, kind) in self.errors.iter_mut().zip(Judgement::ERRORS) {
            *count += review.count(side, kind);
        }
    }

    /// The mean loss of a judged move in percentage points; none without such a move.
    pub fn loss(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.loss_tenths as f64 / 10.0 / self.judged as f64)
    }

    /// Points of games with a result, such as `2½/4`; `–` without such a game.
    pub fn score(&self) -> String {
        let [won, drawn, lost] = self.results;
        let games = won + drawn + lost;
        let points = won + drawn / 2;
        match (games, points, drawn % 2) {
            (0, ..) => "–".into(),
            (_, 0, 1) => format!("½/{games}"),
            (_, _, 1) => format!("{points}½/{games}"),
            _ => format!("{points}/{games}"),
        }
    }
}

/// Totals over several games: the players, and the search effort.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    totals: Vec<Total>,
    places: HashMap<Player, usize>,
    /// The search effort.
    pub effort: Effort,
}

impl Totals {
    /// Counts a game for both of its players.
    pub fn add(&mut self, review: &GameReview) {
        review.results().iter().for_each(|result| self.effort.add(result));
        for side in Color::ALL {
            let player = match review.record.player(side) {
                Some(name) => Player::Named(name),
                None => Player::Nameless { game: review.title(), file: review.file.clone(), number: review.game, side },
            };
            let place = *self.places.entry(player.clone()).or_insert_with(|| {
                self.totals.push(Total::new(player));
                self.totals.len() - 1
            });
            self.totals[place].add(review, side);
        }
    }

    /// Number of games counted.
    pub fn games(&self) -> usize {
        self.totals.iter().map(|total| total.games).sum::<usize>() / 2
    }

    /// Players with a name, sorted by number of games, descending, then by name.
    pub fn named(&self) -> Vec<&Total> {
        let mut named: Vec<&Total> = self.totals.iter().filter(|total| matches!(total.player, Player::Named(_))).collect();
        fn name(total: &Total) -> &str {
            match &total.player {
                Player::Named(name) => name,
                Player::Nameless { .. } => "",
            }
        }
        sort_by(&mut named, |a, b| b.games.cmp(&a.games).then_with(|| name(a).cmp(name(b))));
        named
    }

    /// Players without a name, in the order of their games.
    pub fn nameless(&self) -> impl Iterator<Item = &Total> {
        self.totals.iter().filter(|total| matches!(total.player, Player::Nameless { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::review::tests::blunder;

    #[test]
    fn padded_names_are_those_of_one_player_and_placeholders_none() {
        let mut totals = Totals::default();
        for (red, black) in [("吕　钦", "-"), ("NN", "吕钦")] {
            let mut review = blunder();
            review.record.set_tag("Red", red);
            review.record.set_tag("Black", black);
            totals.add(&review);
        }
        let named: Vec<_> = totals.named().iter().map(|total| (total.player.clone(), total.games)).collect();
        assert_eq!((named, totals.nameless().count()), (vec![(Player::Named("吕钦".into()), 2)], 2));
    }

    #[test]
    fn totals_are_those_of_the_games() {
        let mut totals = Totals::default();
        for (red, black, result) in
            [("A", "B", RecordResult::BlackWins), ("B", "A", RecordResult::Draw), ("A", "", RecordResult::Unknown)]
        {
            let mut review = blunder();
            review.record.set_tag("Red", red);
            review.record.set_tag("Black", black);
            review.record.result = result;
            totals.add(&review);
        }
        let named = totals.named();
        let rows: Vec<_> = named.iter().map(|total| (&total.player, total.games, total.score(), total.errors)).collect();
        let [a, b] = ["A", "B"].map(|name| Player::Named(name.into()));
        assert_eq!(rows, [(&a, 3, "½/2".into(), [1, 0, 0]), (&b, 2, "1½/2".into(), [1, 0, 0])]);
        // A lost nothing with Red twice and 40 points with Black.
        assert_eq!((named[0].judged, named[0].loss()), (3, Some(40.0 / 3.0)));
        let nameless: Vec<_> = totals.nameless().collect();
        assert_eq!((nameless.len(), nameless[0].games, nameless[0].score()), (1, 1, "–".into()));
    }
}
