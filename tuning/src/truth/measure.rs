//! The error of a network's static evaluation against the truth set.

use super::set::{Entry, Set, attackers};
use chuhe::eval::evaluate;
use chuhe::nnue::Network;

/// Scale of the logistic curve from scores to winning probabilities in centipawns.
const SCALE: f64 = 400.0;
/// Fraction of worst positions excluded from the trimmed error: a twentieth of the positions accounts for about half of the error, and its noise.
const TRIMMED: f64 = 0.05;
/// Range of slopes: far beyond those of networks early in a series from scratch, whose scale may be several times too large or too small.
const SLOPES: [f64; 2] = [0.02, 50.0];
/// Normal quantile of a two-sided 95 % interval.
const NORMAL_95: f64 = 1.96;

/// The expected result of a score in centipawns, 0 to 1.
pub fn chance(score: f64) -> f64 {
    1.0 / (1.0 + (-score / SCALE).exp())
}

/// Mean squared differences of winning probabilities, in millionths.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Error {
    /// Number of positions.
    pub count: usize,
    /// With the network's score unchanged.
    pub raw: f64,
    /// The factor on the network's score that minimises the error.
    pub slope: f64,
    /// With that factor.
    pub sloped: f64,
    /// With that factor, without the worst twentieth of the positions.
    pub trimmed: f64,
}

/// The errors of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// On all positions.
    pub all: Error,
    /// Against the scores of each teacher alone.
    pub teachers: [Error; 2],
    /// By source, number of attackers and material, each with its name. The slope is that of all positions.
    pub parts: Vec<(String, Error)>,
    /// The squared differences of every position, raw and with the common slope, for paired comparisons.
    pub distances: [Vec<f64>; 2],
}

impl Report {
    /// The change of the errors relative to another network on the same positions, raw and with the slopes, in percent, each with the half
    /// width of its 95 % interval: negative is better.
    pub fn changes_from(&self, other: &Report) -> [(f64, f64); 2] {
        [0, 1].map(|kind| change(&self.distances[kind], &other.distances[kind]))
    }
}

/// The mean change between paired numbers in percent of the mean of the second ones, and the half width of its 95 % interval.
fn change(own: &[f64], other: &[f64]) -> (f64, f64) {
    let differences: Vec<f64> = own.iter().zip(other).map(|(own, other)| own - other).collect();
    let count = differences.len().max(2) as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let base = other.iter().sum::<f64>() / count;
    (100.0 * mean / base, 100.0 * NORMAL_95 * (variance / count).sqrt() / base)
}

/// Static scores with the target winning probabilities.
struct Points(Vec<(f64, f64)>);

impl Points {
    fn distances(&self, slope: f64) -> impl Iterator<Item = f64> + '_ {
        self.0.iter().map(move |&(score, truth)| (chance(slope * score) - truth).powi(2))
    }

    fn mean(&self, slope: f64) -> f64 {
        1e6 * self.distances(slope).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The best slope, by ternary search over its logarithm: the error has a single minimum in the range.
    fn best_slope(&self) -> f64 {
        let [mut low, mut high] = SLOPES.map(f64::ln);
        while high - low > 1e-4 {
            let (first, second) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if self.mean(first.exp()) < self.mean(second.exp()) { high = second } else { low = first }
        }
        ((low + high) / 2.0).exp()
    }

    fn error(&self, slope: f64) -> Error {
        let mut distances: Vec<f64> = self.distances(slope).collect();
        distances.sort_unstable_by(f64::total_cmp);
        distances.truncate(distances.len() - (distances.len() as f64 * TRIMMED) as usize);
        let trimmed = 1e6 * distances.iter().sum::<f64>() / distances.len().max(1) as f64;
        Error { count: self.0.len(), raw: self.mean(1.0), slope, sloped: self.mean(slope), trimmed }
    }
}

/// Measures a network.
pub fn measure(set: &Set, network: &Network) -> Report {
    let scores: Vec<f64> = set.entries.iter().map(|entry| evaluate(network, &entry.board) as f64).collect();
    let truth = |entry: &Entry| entry.scores.map(|score| chance(score as f64));
    let points = |truth: &dyn Fn(&Entry) -> f64, keep: &dyn Fn(&Entry) -> bool| {
        let kept = set.entries.iter().zip(&scores).filter(|(entry, _)| keep(entry));
        Points(kept.map(|(entry, &score)| (score, truth(entry))).collect())
    };
    let both = |entry: &Entry| truth(entry).iter().sum::<f64>() / 2.0;
    let all = points(&both, &|_| true);
    let slope = all.best_slope();
    let teachers = [0, 1].map(|teacher| {
        let alone = points(&|entry| truth(entry)[teacher], &|_| true);
        alone.error(alone.best_slope())
    });
    let mut parts = Vec::new();
    let mut part = |name: String, keep: &dyn Fn(&Entry) -> bool| {
        let part = points(&both, keep);
        if !part.0.is_empty() {
            parts.push((name, part.error(slope)));
        }
    };
    let mut sources: Vec<&str> = Vec::new();
    for entry in &set.entries {
        if !sources.contains(&entry.source.as_str()) {
            sources.push(&entry.source);
        }
    }
    for source in sources {
        part(format!("source {source}"), &|entry| entry.source == source);
    }
    for (low, high) in [(0, 3), (4, 7), (8, 10), (11, 12)] {
        part(format!("attackers {low}-{high}"), &|entry| (low..=high).contains(&attackers(&entry.board)));
    }
    let material = Network::material();
    for (low, high) in [(0, 60), (61, 250), (251, i32::MAX)] {
        let name = if high == i32::MAX { format!("material over {}", low - 1) } else { format!("material {low}-{high}") };
        part(name, &|entry| (low..=high).contains(&material.evaluate(&entry.board).abs()));
    }
    let distances = [1.0, slope].map(|slope| all.distances(slope).collect());
    Report { all: all.error(slope), teachers, parts, distances }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::Header;
    use chuhe::board::Board;

    /// Positions whose true score is that of the material network times a factor.
    fn set(factor: f64) -> Set {
        let boards = [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 b",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/7C1/9/RNBAKABNR b",
            "rnbakabnr/9/1c5c1/p1p3p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "3k5/4a4/9/9/9/9/9/9/9/R3K4 w",
        ];
        let header = Header { engine: String::new(), teachers: Default::default(), nodes: 1, seed: 1, sources: Vec::new() };
        let entry = |fen: &&str| {
            let board = Board::from_fen(fen).expect("a position");
            let score = (factor * evaluate(&Network::material(), &board) as f64) as i16;
            Entry { source: "test".into(), candidate: 0, board, scores: [score; 2] }
        };
        Set { header, entries: boards.iter().map(entry).collect() }
    }

    #[test]
    fn the_slope_is_found_and_the_error_with_it_is_zero() {
        for factor in [0.2, 1.3, 8.0] {
            let report = measure(&set(factor), &Network::material());
            assert!((report.all.slope / factor - 1.0).abs() < 0.02, "{factor}: {:?}", report.all);
            assert!(report.all.raw > 100.0 && report.all.sloped < 1.0, "{factor}: {:?}", report.all);
        }
        let report = measure(&set(1.3), &Network::material());
        assert_eq!(report.teachers[0], report.teachers[1]);
        let counts = |prefix: &str| -> usize {
            report.parts.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, error)| error.count).sum()
        };
        assert_eq!([counts("source"), counts("attackers"), counts("material")], [4; 3]);
    }

    #[test]
    fn a_better_network_has_a_negative_change() {
        let set = set(1.0);
        let (good, bad) = (measure(&set, &Network::material()), measure(&set, Network::builtin()));
        for (change, error) in good.changes_from(&bad) {
            assert!(change < -90.0 && error > 0.0, "{change} {error}");
        }
        assert_eq!(bad.changes_from(&bad), [(0.0, 0.0); 2]);
    }

    #[test]
    fn the_trimmed_error_excludes_the_worst() {
        let mut points: Vec<(f64, f64)> = vec![(0.0, 0.6); 99];
        points.push((0.0, 1.0));
        let error = Points(points).error(1.0);
        assert!((error.trimmed - 10_000.0).abs() < 1.0 && error.sloped > 12_000.0, "{error:?}");
    }
}
