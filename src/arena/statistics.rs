//! Elo with error bars, likelihood of superiority, and the sequential test, all from pairs of games.
//!
//! The sequential test is the generalised likelihood ratio test of Michel Van den Bergh, as used by fishtest: under each hypothesis the
//! distribution of the outcomes of a pair is the maximum-likelihood one, after "The generalized sequential probability ratio test for the
//! trinomial and pentanomial models" for logistic Elo and section 4.1 of "Normalized Elo (practical)" for normalised Elo.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Numbers of pairs of games that scored 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// Scores of a pair, as a share of the maximum.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Half width of the two-sided 95% interval of the normal distribution, in standard deviations.
const NINETY_FIVE: f64 = 1.959_963_984_540_054;

/// Normalised Elo of one standard deviation of a game: 800 / ln 10.
const NORMALISED: f64 = 347.435_585_522_601_6;

/// Weight of the prior in observations; it makes all outcomes equally likely (Perks' prior). It prevents a few equal results from looking
/// like certainty, and soon becomes negligible.
const PRIOR: f64 = 1.0;

/// Number of observations assumed in the likelihoods for an outcome never seen, as in fishtest, since it is not impossible.
const UNSEEN: f64 = 1e-3;

/// Maximum absolute Elo of a hypothesis.
const MAX_ELO: f64 = 1000.0;

/// Mean and variance of outcomes with these probabilities.
fn mean_and_variance<const N: usize>(probabilities: [f64; N], shares: [f64; N]) -> (f64, f64) {
    let expected = |f: &dyn Fn(f64) -> f64| -> f64 {
        probabilities.iter().zip(shares).map(|(probability, share)| probability * f(share)).sum()
    };
    let mean = expected(&|share| share);
    (mean, expected(&|share| (share - mean) * (share - mean)))
}

/// Mean and variance of outcomes with these counts, including the prior.
fn moments<const N: usize>(counts: [u64; N], shares: [f64; N]) -> (f64, f64) {
    let total = counts.iter().sum::<u64>() as f64 + PRIOR;
    mean_and_variance(counts.map(|count| (count as f64 + PRIOR / N as f64) / total), shares)
}

impl Pentanomial {
    /// Adds a pair that scored this many half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        if let Some(count) = self.0.get_mut(half_points) {
            *count += 1;
        }
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs from the other side's view.
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }

    /// Mean and variance of a pair's share of the points, with [`PRIOR`].
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
    /// Adds a game that scored this many half points, 0 to 2.
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

    /// Share of the points won; 1/2 without games.
    pub fn share(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64 }
    }

    /// The same result from the other engine's view.
    pub fn reversed(self) -> Summary {
        Summary { wins: self.losses, losses: self.wins, draws: self.draws, pairs: self.pairs.reversed() }
    }

    /// Adds the games of another match.
    pub fn merge(&mut self, other: &Summary) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.0.iter_mut().zip(other.pairs.0).for_each(|(count, more)| *count += more);
    }

    /// Number of independent observations, and the standard error of the share of points: from pairs if there are any, otherwise from
    /// games.
    fn standard_error(&self) -> (f64, f64) {
        let pairs = self.pairs.pairs();
        let (count, (_, variance)) = if pairs > 0 {
            (pairs, self.pairs.moments())
        } else {
            (self.games(), moments([self.losses, self.draws, self.wins], [0.0, 0.5, 1.0]))
        };
        (count as f64, (variance / (count as f64 + PRIOR)).sqrt())
    }

    /// The Elo difference and half the width of its 95% interval. They are infinite if the games set no bound: the difference after a clean
    /// sweep, and the interval while it includes a clean sweep.
    pub fn elo(&self) -> (f64, f64) {
        let (_, error) = self.standard_error();
        let (low, high) = (self.share() - NINETY_FIVE * error, self.share() + NINETY_FIVE * error);
        let bar = if self.games() == 0 || low <= 0.0 || high >= 1.0 { f64::INFINITY } else { (elo_of(high) - elo_of(low)) / 2.0 };
        (elo_of(self.share()), bar)
    }

    /// Normalised Elo: the difference in units of a game's standard deviation, which hardly depends on the draw rate.
    pub fn normalised_elo(&self) -> f64 {
        let (mean, variance) = self.pairs.moments();
        // Rounding to the precision of the sums, so that equal scores give exactly 0.
        let lead = ((mean - 0.5) * 1e12).round() / 1e12;
        if lead == 0.0 { 0.0 } else { lead / (2.0 * variance).sqrt() * NORMALISED }
    }

    /// Likelihood of superiority: the probability that the first engine is stronger, 0 to 1.
    pub fn superiority(&self) -> f64 {
        let (count, error) = self.standard_error();
        // The prior assumes equal engines.
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

/// The Elo difference for this share of the points; infinite for none or all of them.
fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of the points for an Elo difference.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative distribution function of the normal distribution.
fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The kind of Elo in which the bounds of a test are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Ordinary logistic Elo.
    Logistic,
    /// Normalised Elo, in units of a game's standard deviation.
    #[default]
    Normalised,
}

/// A sequential probability ratio test of the hypothesis `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The hypothesis of the smaller difference.
    pub elo0: f64,
    /// The hypothesis of the larger difference.
    pub elo1: f64,
    /// Probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
    /// The kind of Elo.
    pub model: Model,
}

/// The status of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtStatus {
    /// More games are needed.
    Undecided,
    /// `elo0` is accepted.
    AcceptsZero,
    /// `elo1` is accepted.
    AcceptsOne,
}

/// An error in the specification of a sequential test.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SprtError {
    /// A part is invalid.
    #[error("'{part}': expected {expected}")]
    Part {
        /// The part.
        part: String,
        /// Description of the valid form.
        expected: &'static str,
    },
    /// Both hypotheses are needed, in this order.
    #[error("expected elo0 and elo1, elo0 less than elo1")]
    Hypotheses,
    /// An error rate is out of range.
    #[error("alpha and beta must be above 0 and below 0.5")]
    Rates,
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic`; all but the first two are optional.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let mut sprt = Sprt { elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05, model: Model::default() };
        for part in text.split(',') {
            let at = |expected| SprtError::Part { part: part.into(), expected };
            let (key, value) = part.split_once('=').ok_or_else(|| at("key=value"))?;
            let number = || value.parse::<f64>().map_err(|_| at("a number"));
            let elo = || number().and_then(|n| if n.abs() <= MAX_ELO { Ok(n) } else { Err(at("a number from -1000 to 1000")) });
            let chance = || number().and_then(|n| if n > 0.0 && n < 0.5 { Ok(n) } else { Err(SprtError::Rates) });
            match key {
                "elo0" => sprt.elo0 = elo()?,
                "elo1" => sprt.elo1 = elo()?,
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
        // NaN fails this comparison too.
        if sprt.elo0 < sprt.elo1 { Ok(sprt) } else { Err(SprtError::Hypotheses) }
    }
}

impl Sprt {
    /// The lower and upper bounds of the log-likelihood ratio at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The natural logarithm of the likelihood ratio of the pairs so far; 0 without pairs.
    pub fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| (count as f64).max(UNSEEN));
        let total: f64 = counts.iter().sum();
        let sample = counts.map(|count| count / total);
        let [zero, one] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => likeliest(&sample, SHARES.map(|share| share - share_of(elo))),
            // The standard deviation of a pair's share is that of a game divided by the square root of two.
            Model::Normalised => likeliest_normalised(&sample, elo / NORMALISED * std::f64::consts::SQRT_2),
        });
        (0..counts.len()).map(|i| counts[i] * (one[i] / zero[i]).ln()).sum()
    }

    /// The status of the test.
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

/// The maximum-likelihood distribution for the sample among those under which these values have mean zero: `p / (1 + t v)`, with `t` such
/// that the mean is zero. The values must have both signs; otherwise there is no such distribution, and the sample itself is returned.
fn likeliest(sample: &[f64; 5], values: [f64; 5]) -> [f64; 5] {
    let (least, greatest) = values.iter().fold((0f64, 0f64), |(low, high), &value| (low.min(value), high.max(value)));
    if least == 0.0 || greatest == 0.0 {
        return *sample;
    }
    let average = |t: f64| -> f64 { sample.iter().zip(values).map(|(p, value)| p * value / (1.0 + t * value)).sum() };
    // Between these bounds every probability is positive, and the mean decreases with t from positive to negative.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if average(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    std::array::from_fn(|i| sample[i] / (1.0 + t * values[i]))
}

/// The maximum-likelihood distribution for the sample among those whose mean is this many of their own standard deviations above 1/2.
///
/// At the maximum of the likelihood the condition may be replaced by its linearisation, for which [`likeliest`] has the solution. The
/// linearisation is found by iteration from equal probabilities; a distant condition is approached in steps, since its linearisation
/// at a point too far away has no solution.
fn likeliest_normalised(sample: &[f64; 5], deviations: f64) -> [f64; 5] {
    const STEP: f64 = 0.25;
    const ITERATIONS: usize = 100;
    const PRECISION: f64 = 1e-12;
    let mut probabilities = [1.0 / SHARES.len() as f64; 5];
    let steps = (deviations.abs() / STEP).ceil().max(1.0);
    for step in 1..=steps as usize {
        let wanted = deviations * step as f64 / steps;
        for _ in 0..ITERATIONS {
            let (mean, variance) = mean_and_variance(probabilities, SHARES);
            let deviation = variance.sqrt();
            let linear = |share: f64| share - 0.5 - wanted * (deviation + (share - mean) * (share - mean) / deviation) / 2.0;
            let next = likeliest(sample, SHARES.map(linear));
            let change = probabilities.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
            probabilities = next;
            if change < PRECISION {
                break;
            }
        }
    }
    probabilities
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
        // 100 pairs, plus one for the prior, a fifth in each category.
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
    fn few_games_give_little_certainty() {
        assert_eq!(summary(0, 0, 0, [0; 5]).to_string(), "score 0-0-0 elo 0.0 +/- inf los 0.500");
        // One pair won: the difference has no bound, but superiority is far from certain.
        let pair = summary(2, 0, 0, [0, 0, 0, 0, 1]);
        assert!(pair.to_string().starts_with("score 2-0-0 elo inf +/- inf los 0.84"), "{pair}");
        assert!(pair.reversed().to_string().starts_with("score 0-0-2 elo -inf +/- inf los 0.15"), "{}", pair.reversed());
        let game = summary(1, 0, 0, [0; 5]);
        assert!((0.7..0.9).contains(&game.superiority()), "{game}");
        // A pair of draws does not make it certain that the engines are equal.
        let draws = summary(0, 2, 0, [0, 0, 1, 0, 0]);
        let (elo, bar) = draws.elo();
        assert!(elo == 0.0 && bar > 200.0 && bar.is_finite(), "{draws}");
        // More pairs with the same result increase the certainty.
        let pairs = |count: u64| summary(2 * count, 0, 0, [0, 0, 0, 0, count]).superiority();
        assert!(pairs(1) < pairs(2) && pairs(2) < pairs(4) && pairs(2) < 0.99 && pairs(100) > 0.9999);
        assert!(summary(150, 0, 50, [0, 0, 50, 0, 50]).elo().1 < 50.0);
    }

    #[test]
    fn results_are_reversed_and_merged() {
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

    /// Log-likelihood ratios of elo0 and elo1 in both models, computed with scipy and mpmath without the formulas used here: the likelihood
    /// was maximised numerically (SLSQP on the logarithms of the five probabilities from 24 starting points, with the Elo as an equality
    /// constraint), and the result refined by Newton's method on the Lagrange equations with 40 digits.
    const RATIOS: [([u64; 5], [f64; 2], [f64; 2]); 22] = [
        ([0, 0, 0, 0, 1], [0.0, 5.0], [0.020153121, 0.014315849]),
        ([0, 0, 0, 0, 1], [0.0, 50.0], [0.181887922, 0.133836946]),
        ([0, 0, 0, 0, 20], [0.0, 5.0], [0.402883563, 0.285780516]),
        ([0, 0, 0, 0, 20], [-3.0, 1.0], [0.326962121, 0.230944391]),
        ([0, 0, 0, 0, 20], [0.0, 50.0], [3.637022680, 2.672083397]),
        ([0, 0, 0, 0, 1000], [0.0, 5.0], [20.143711433, 14.287636076]),
        ([0, 0, 0, 0, 1000], [-3.0, 1.0], [16.347697217, 11.546085029]),
        ([0, 0, 0, 0, 1000], [0.0, 50.0], [181.849176467, 133.592092805]),
        ([20, 0, 0, 0, 0], [0.0, 5.0], [-0.411167358, -0.289923309]),
        ([20, 0, 0, 0, 0], [-3.0, 1.0], [-0.324310978, -0.229618669]),
        ([20, 0, 0, 0, 0], [0.0, 50.0], [-4.448873978, -3.084954855]),
        ([0, 0, 20, 0, 0], [0.0, 5.0], [-0.006124896, -0.283681179]),
        ([0, 0, 20, 0, 0], [-3.0, 1.0], [0.001667376, 0.114709009]),
        ([0, 0, 0, 1, 19], [0.0, 5.0], [0.397761210, 0.285765734]),
        ([0, 5, 30, 40, 10], [0.0, 5.0], [0.968347649, 1.214366159]),
        ([0, 5, 30, 40, 10], [0.0, 50.0], [8.340984496, 11.353845574]),
        ([10, 15, 40, 15, 20], [0.0, 5.0], [0.313667198, 0.360717200]),
        ([10, 15, 40, 15, 20], [0.0, 50.0], [1.286516076, 1.104494543]),
        ([100, 1000, 4000, 1500, 300], [-3.0, 1.0], [19.545565387, 36.618256354]),
        ([100, 1000, 4000, 1500, 300], [0.0, 50.0], [97.683170162, -35.972019801]),
        ([388, 3814, 10250, 4030, 388], [0.0, 5.0], [1.863418147, -2.756461108]),
        ([388, 3814, 10250, 4030, 388], [-3.0, 1.0], [5.866954440, 12.868277312]),
    ];

    #[test]
    fn ratios_agree_with_numerical_maximisation() {
        for (pairs, [elo0, elo1], expected) in RATIOS {
            for (model, expected) in [Model::Normalised, Model::Logistic].into_iter().zip(expected) {
                let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
                let ratio = sprt.ratio(&Pentanomial(pairs));
                assert!((ratio - expected).abs() < 1e-7, "{pairs:?} {elo0} {elo1} {model:?}: {ratio}, expected {expected}");
                let mirrored = Sprt { elo0: -elo1, elo1: -elo0, ..sprt };
                near(mirrored.ratio(&Pentanomial(pairs).reversed()), -ratio, 1e-7);
            }
        }
    }

    /// The distribution found meets the condition of the hypothesis, even far from the sample.
    #[test]
    fn hypotheses_far_from_the_sample_are_met() {
        for counts in [
            [1e-3, 1e-3, 1e-3, 1e-3, 1.0],
            [1e-3, 1e-3, 20.0, 1e-3, 1e-3],
            [1e5, 1e-3, 1e-3, 1e-3, 1e-3],
            [1.0, 2.0, 3.0, 4.0, 5.0],
        ] {
            let total: f64 = counts.iter().sum();
            let sample = counts.map(|count| count / total);
            for elo in [-MAX_ELO, -500.0, -230.0, -5.0, 0.0, 5.0, 230.0, 500.0, MAX_ELO] {
                let deviations = elo / NORMALISED * std::f64::consts::SQRT_2;
                let found = likeliest_normalised(&sample, deviations);
                let (mean, variance) = mean_and_variance(found, SHARES);
                near((mean - 0.5) / variance.sqrt(), deviations, 1e-5);
                near(found.iter().sum(), 1.0, 1e-6);
                let found = likeliest(&sample, SHARES.map(|share| share - share_of(elo)));
                near(mean_and_variance(found, SHARES).0, share_of(elo), 1e-6);
            }
        }
    }

    #[test]
    fn tests_end_at_their_bounds() {
        let sprt: Sprt = "elo0=0,elo1=5".parse().unwrap();
        near(sprt.bounds().1, 2.944, 0.001);
        assert_eq!(sprt.status(&Pentanomial([0; 5])), SprtStatus::Undecided);
        assert_eq!(sprt.status(&Pentanomial([100, 1000, 4000, 1500, 300])), SprtStatus::AcceptsOne);
        assert_eq!(sprt.status(&Pentanomial([300, 1500, 4000, 1000, 100])), SprtStatus::AcceptsZero);
        assert_eq!(sprt.status(&Pentanomial([1, 10, 40, 12, 1])), SprtStatus::Undecided);
        // One side wins everything.
        assert_eq!(sprt.status(&Pentanomial([0, 0, 0, 0, 140])), SprtStatus::Undecided);
        assert_eq!(sprt.status(&Pentanomial([0, 0, 0, 0, 150])), SprtStatus::AcceptsOne);
        assert_eq!(sprt.status(&Pentanomial([150, 0, 0, 0, 0])), SprtStatus::AcceptsZero);
        for bad in [
            "",
            "elo0=0",
            "elo0=5,elo1=0",
            "elo0=0,elo1=5,alpha=0.7",
            "elo0=0,elo1=x",
            "elo0=0,elo1=1001",
            "elo0=0,elo1=inf",
            "elo0=0,elo1=5,model=x",
        ] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }
}
