//! A quick match inside one process: two evaluations, the same search, the same nodes. For selecting networks; final
//! tests use `chuhe match`.

use super::{NetworkPlayer, SelfPlayPlan, play_pair};
use chuhe::arena::{Pentanomial, Summary};
use chuhe::nnue::Network;
use crossbeam::channel::bounded;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The score of a match.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    /// Games won, drawn and lost by the first player.
    pub games: [u64; 3],
    /// Pairs by the first player's half points, 0 to 4.
    pub pairs: [u64; 5],
}

impl Score {
    /// Counts a pair of games by the first player's half points.
    pub fn add(&mut self, pair: [u8; 2]) {
        pair.iter().for_each(|&half_points| self.games[2 - half_points.min(2) as usize] += 1);
        self.pairs[pair.iter().sum::<u8>().min(4) as usize] += 1;
    }

    /// Elo difference in favour of the first player, and the half width of its 95% interval, computed as in `chuhe match`.
    pub fn elo(&self) -> (f64, f64) {
        let [wins, draws, losses] = self.games;
        Summary { wins, draws, losses, pairs: Pentanomial(self.pairs) }.elo()
    }
}

impl fmt::Display for Score {
    /// `W-D-L elo E +/- B pairs [...]`, from the first player's view.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([won, drawn, lost], (elo, error)) = (self.games, self.elo());
        write!(f, "{won}-{drawn}-{lost} elo {elo:.1} +/- {error:.1} pairs {:?}", self.pairs)
    }
}

/// Plays the pairs of games with the given numbers between two evaluations on `threads` threads. `report` is called after each pair
/// with its number and the first player's half points in both games.
pub fn compare(
    plan: &SelfPlayPlan,
    networks: [Arc<Network>; 2],
    pairs: Vec<u64>,
    threads: usize,
    mut report: impl FnMut(u64, [u8; 2]),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = bounded(threads.max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, networks, pairs) = (sender.clone(), &next, &networks, &pairs);
            scope.spawn(move || {
                let [mut first, mut second] = networks.each_ref().map(|network| NetworkPlayer::new(plan, network.clone()));
                while let Some(&id) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send((id, play_pair(&mut first, &mut second, plan, id))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (id, pair) in results {
            report(id, pair);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_follows_the_points() {
        let mut score = Score::default();
        for pair in [[2, 0], [1, 1], [2, 2], [0, 0]] {
            score.add(pair);
        }
        assert_eq!((score.games, score.pairs), ([3, 2, 3], [1, 0, 2, 0, 1]));
        assert_eq!(score.elo().0, 0.0);
        (0..20).for_each(|_| score.add([2, 1]));
        let (elo, error) = score.elo();
        // 17 of 24 points: a share of 0.7083.
        assert!((elo - 154.0).abs() < 1.0 && error > 30.0, "{elo} {error}");
    }
}
