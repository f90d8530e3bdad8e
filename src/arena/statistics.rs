//! Elo with error bars, likelihood of superiority, and the sequential test, all from pairs of games.
//!
//! The sequential test is the generalised one of Michel Van den Bergh ("The generalized sequential probability ratio test
//! for the trinomial and pentanomial models"), as fishtest uses it.

use super::error::SprtError;
use std::fmt;
use std::str::FromStr;

/// How often a pair of games brought 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// Scores of a pair, as a share of what there was to win.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Two-sided 95% of the normal distribution, in standard deviations.
const NINETY_FIVE: f64 = 1.959_963_984_540_054;

/// Elo that normalised Elo gives a standard deviation of one game: 800 / ln 10.
const NORMALISED: f64 = 347.435_585_522_601_6;

/// Weight, in observations, of the belief before the first one: all outcomes are equally likely (Perks' prior). It keeps the
/// spread of a few equal results from looking like certainty, and is soon forgotten.
const PRIOR: f64 = 1.0;

/// Mean and variance of outcomes that were seen this often, with the prior.
fn moments<const N: usize>(counts: [u64; N], shares: [f64; N]) -> (f64, f64) {
    let each = PRIOR / N as f64;
    let total = counts.iter().sum::<u64>() as f64 + PRIOR;
    let weighted = |f: &dyn Fn(f64) -> f64| -> f64 {
        counts.iter().zip(shares).map(|(&count, share)| (count as f64 + each) / total * f(share)).sum()
    };
    let mean = weighted(&|share| share);
    (mean, weighted(&|share| (share - mean) * (share - mean)))
}

impl Pentanomial {
    /// Counts a pair that brought this many half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Shares of the outcomes, none of them zero: what has not been seen yet is not impossible.
    fn shares(&self) -> [f64; 5] {
        let counts = self.0.map(|count| (count as f64).max(1e-3));
        let sum: f64 = counts.iter().sum();
        counts.map(|count| count / sum)
    }

    /// The same pairs from the view of the other side.
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// Mean and variance of a pair's share of the points, with the prior of [`PRIOR`].
    fn moments(&self) -> (f64, f64) {
        moments(self.0, SHARES)
    }
}

/// The result of a match so far, from the first engine's view.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs.
    pub pairs: Pentanomial,
}

impl Summary {
    /// Counts a game that brought this many half points, 0 to 2.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points won, 1/2 without games.
    pub fn share(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64 }
    }

    /// The same result from the view of the other engine.
    pub fn reversed(self) -> Summary {
        Summary { wins: self.losses, losses: self.wins, draws: self.draws, pairs: self.pairs.reversed() }
    }

    /// Counts the games of another match as well.
    pub fn merge(&mut self, other: &Summary) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.0.iter_mut().zip(other.pairs.0).for_each(|(count, more)| *count += more);
    }

    /// Independent observations, and the standard error of the share that they give: pairs where there are any, else games.
    fn standard_error(&self) -> (f64, f64) {
        let pairs = self.pairs.pairs();
        let (count, (_, variance)) = if pairs > 0 {
            (pairs, self.pairs.moments())
        } else {
            (self.games(), moments([self.losses, self.draws, self.wins], [0.0, 0.5, 1.0]))
        };
        (count as f64, (variance / (count as f64 + PRIOR)).sqrt())
    }

    /// The difference in Elo and half the width of its 95% interval. Infinite where the games set no bound: the difference
    /// after a clean sweep, and the interval while it reaches a clean sweep.
    pub fn elo(&self) -> (f64, f64) {
        let (_, error) = self.standard_error();
        let (low, high) = (self.share() - NINETY_FIVE * error, self.share() + NINETY_FIVE * error);
        let bar = if self.games() == 0 || low <= 0.0 || high >= 1.0 { f64::INFINITY } else { (elo_of(high) - elo_of(low)) / 2.0 };
        (elo_of(self.share()), bar)
    }

    /// Normalised Elo: the difference in units of a game's own spread, which hardly depends on how drawish the play is.
    pub fn normalised_elo(&self) -> f64 {
        let (mean, variance) = self.pairs.moments();
        (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED
    }

    /// Likelihood of superiority: how sure it is that the first engine is stronger, 0 to 1.
    pub fn superiority(&self) -> f64 {
        let (count, error) = self.standard_error();
        // The prior holds the engines equal.
        let lead = (self.share() - 0.5) * count / (count + PRIOR);
        normal(lead / error)
    }
}

impl fmt::Display for Summary {
    /// `score W-D-L elo E +/- B los L`; E and B may be `inf`, E also `-inf`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, bar) = self.elo();
        let (wins, draws, losses) = (self.wins, self.draws, self.losses);
        write!(f, "score {wins}-{draws}-{losses} elo {elo:.1} +/- {bar:.1} los {:.3}", self.superiority())
    }
}

/// The Elo difference that brings this share of the points; infinite for none or all of them.
fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of the points that an Elo difference brings.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution's cumulative function.
fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// In which Elo the bounds of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// The usual one.
    Logistic,
    /// In units of a game's own spread.
    #[default]
    Normalised,
}

/// A sequential test of "stronger by `elo1`" against "by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The weaker hypothesis.
    pub elo0: f64,
    /// The stronger hypothesis.
    pub elo1: f64,
    /// Chance to accept `elo1` when `elo0` holds.
    pub alpha: f64,
    /// Chance to accept `elo0` when `elo1` holds.
    pub beta: f64,
    /// What Elo means here.
    pub model: Model,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtStatus {
    /// More games are needed.
    Undecided,
    /// `elo0` is accepted.
    AcceptsZero,
    /// `elo1` is accepted.
    AcceptsOne,
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic`; all but the first two may be missing.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let mut sprt = Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::default() };
        for part in text.split(',') {
            let at = |expected| SprtError::Part { part: part.into(), expected };
            let (key, value) = part.split_once('=').ok_or_else(|| at("key=value"))?;
            let number = || value.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(|| at("a number"));
            let chance = || number().and_then(|n| if n > 0.0 && n < 0.5 { Ok(n) } else { Err(SprtError::Rates) });
            match key {
                "elo0" => sprt.elo0 = number()?,
                "elo1" => sprt.elo1 = number()?,
                "alpha" => sprt.alpha = chance()?,
                "beta" => sprt.beta = chance()?,
                "model" => {
                    sprt.model = match value {
                        "logistic" => Model::Logistic,
                        "normalized" | "normalised" => Model::Normalised,
                        _ => return Err(at("logistic or normalized")),
                    }
                }
                _ => return Err(at("elo0, elo1, alpha, beta or model as the key")),
            }
        }
        // Not a number fails this, too.
        if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err(SprtError::Hypotheses) }
    }
}

impl Sprt {
    /// Where the log-likelihood ratio ends the test, below and above.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the pairs so far.
    pub fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let shares = pairs.shares();
        let (zero, one) = match self.model {
            Model::Logistic => (share_of(self.elo0), share_of(self.elo1)),
            Model::Normalised => {
                // The spread is taken from the sample, as if it were known.
                let mean: f64 = shares.iter().zip(SHARES).map(|(p, share)| p * share).sum();
                let variance: f64 = shares.iter().zip(SHARES).map(|(p, share)| p * (share - mean) * (share - mean)).sum();
                let game = (2.0 * variance).sqrt();
                let share = |elo: f64| (0.5 + elo / NORMALISED * game).clamp(1e-6, 1.0 - 1e-6);
                (share(self.elo0), share(self.elo1))
            }
        };
        let (under_zero, under_one) = (likeliest(&shares, zero), likeliest(&shares, one));
        let gain: f64 = (0..5).map(|i| shares[i] * (under_one[i] / under_zero[i]).ln()).sum();
        pairs.pairs() as f64 * gain
    }

    /// Where the test stands.
    pub fn status(&self, pairs: &Pentanomial) -> SprtStatus {
        let (ratio, (low, high)) = (self.ratio(pairs), self.bounds());
        if ratio >= high {
            SprtStatus::AcceptsOne
        } else if ratio <= low {
            SprtStatus::AcceptsZero
        } else {
            SprtStatus::Undecided
        }
    }
}

/// Of all distributions with this mean the one under which the sample is likeliest: `p / (1 + t (a - mean))`, with `t` such
/// that the mean is met.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let excess =
        |t: f64| -> f64 { shares.iter().zip(SHARES).map(|(p, share)| p * (share - mean) / (1.0 + t * (share - mean))).sum() };
    // Within these bounds every probability is positive, and the excess falls with t from plus to minus.
    let (mut low, mut high) = (-1.0 / (1.0 - mean) + 1e-9, 1.0 / mean - 1e-9);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + t * (SHARES[i] - mean)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value}, expected {expected}");
    }

    fn summary(wins: u64, draws: u64, losses: u64, pairs: [u64; 5]) -> Summary {
        Summary { wins, draws, losses, pairs: Pentanomial(pairs) }
    }

    #[test]
    fn elo_of_known_scores() {
        near(elo_of(0.75), 190.85, 0.01);
        near(share_of(elo_of(0.6)), 0.6, 1e-12);
        near(normal(1.96), 0.975_002_105, 1e-9);
        near(normal(-1.0), 0.158_655_254, 1e-9);
        near(normal(0.0), 0.5, 1e-15);
    }

    #[test]
    fn summaries() {
        // 100 pairs, and one more for the prior, a fifth of it in each place.
        let result = summary(80, 60, 60, [10, 15, 40, 15, 20]);
        near(result.share(), 0.55, 1e-12);
        let (mean, variance) = result.pairs.moments();
        near(mean, 55.5 / 101.0, 1e-12);
        let spread = |share: f64| (share - mean) * (share - mean);
        let sum = 10.2 * spread(0.0) + 15.2 * spread(0.25) + 40.2 * spread(0.5) + 15.2 * spread(0.75) + 20.2 * spread(1.0);
        near(variance, sum / 101.0, 1e-12);
        let (elo, bar) = result.elo();
        near(elo, 34.86, 0.01);
        near(bar, 41.64, 0.01);
        near(result.superiority(), 0.9497, 0.001);
        assert_eq!(result.to_string(), format!("score 80-60-60 elo 34.9 +/- {bar:.1} los {:.3}", result.superiority()));
    }

    #[test]
    fn few_games_prove_little() {
        assert_eq!(summary(0, 0, 0, [0; 5]).to_string(), "score 0-0-0 elo 0.0 +/- inf los 0.500");
        // One pair won: the difference has no bound, but the better engine is far from certain.
        let pair = summary(2, 0, 0, [0, 0, 0, 0, 1]);
        assert!(pair.to_string().starts_with("score 2-0-0 elo inf +/- inf los 0.84"), "{pair}");
        assert!(pair.reversed().to_string().starts_with("score 0-0-2 elo -inf +/- inf los 0.15"), "{}", pair.reversed());
        let game = summary(1, 0, 0, [0; 5]);
        assert!((0.7..0.9).contains(&game.superiority()), "{game}");
        // A pair of draws says that the engines may be equal, and not that they surely are.
        let draws = summary(0, 2, 0, [0, 0, 1, 0, 0]);
        let (elo, bar) = draws.elo();
        assert!(elo == 0.0 && bar > 200.0 && bar.is_finite(), "{draws}");
        // More of the same is worth more.
        let pairs = |count: u64| summary(2 * count, 0, 0, [0, 0, 0, 0, count]).superiority();
        assert!(pairs(1) < pairs(2) && pairs(2) < pairs(4) && pairs(2) < 0.99 && pairs(100) > 0.9999);
        assert!(summary(150, 0, 50, [0, 0, 50, 0, 50]).elo().1 < 50.0);
    }

    #[test]
    fn results_turn_and_add_up() {
        let mut sum = summary(2, 1, 1, [0, 0, 0, 1, 0]);
        sum.merge(&summary(0, 0, 2, [1, 0, 0, 0, 0]).reversed());
        assert_eq!(sum, summary(4, 1, 1, [0, 0, 0, 1, 1]));
    }

    #[test]
    fn the_ratio_agrees_with_its_approximation_and_is_antisymmetric() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let pairs = Pentanomial([100, 400, 1000, 450, 120]);
        let (mean, variance) = pairs.moments();
        let (s0, s1) = (share_of(0.0), share_of(10.0));
        let approximation = pairs.pairs() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        near(sprt.ratio(&pairs), approximation, 0.05);
        let mirrored = Sprt { elo0: -10.0, elo1: 0.0, ..sprt };
        let mut turned = pairs.0;
        turned.reverse();
        near(mirrored.ratio(&Pentanomial(turned)), -sprt.ratio(&pairs), 1e-6);
    }

    #[test]
    fn tests_end_at_their_bounds() {
        let sprt: Sprt = "elo0=0,elo1=5".parse().unwrap();
        near(sprt.bounds().1, 2.944, 0.001);
        assert_eq!(sprt.status(&Pentanomial([0; 5])), SprtStatus::Undecided);
        assert_eq!(sprt.status(&Pentanomial([100, 1000, 4000, 1500, 300])), SprtStatus::AcceptsOne);
        assert_eq!(sprt.status(&Pentanomial([300, 1500, 4000, 1000, 100])), SprtStatus::AcceptsZero);
        assert_eq!(sprt.status(&Pentanomial([1, 10, 40, 12, 1])), SprtStatus::Undecided);
        for bad in ["", "elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=5,alpha=0.7", "elo0=0,elo1=x", "elo0=0,elo1=5,model=x"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }
}
