//! A handmade network that evaluates material: for builds without a network file, and to generate the training data of a first
//! network.

use super::{ACCUMULATOR_ONE, INPUTS, Network, OUTPUT_BUCKETS, Parameters, Width, feature};
use crate::board::zone;
use crate::types::{Color, Piece, PieceType, Square};

/// Piece values in centipawns after the traditional rule: rook 9, cannon 4½, horse 4, advisor and elephant 2, pawn 1, or 2 once it has
/// crossed the river; a crossed pawn is 100 centipawns.
const VALUES: [(PieceType, i16); 6] = [
    (PieceType::Rook, 450),
    (PieceType::Cannon, 225),
    (PieceType::Horse, 200),
    (PieceType::Advisor, 100),
    (PieceType::Elephant, 100),
    (PieceType::Pawn, 50),
];
/// Additional value of a pawn across the river.
const CROSSED: i16 = 50;
/// First rank across the river from the own perspective.
const FAR_BANK: u8 = 5;

/// A hidden unit that indicates whether a side has at least `min` pieces of a kind.
struct Counter {
    kind: PieceType,
    /// Counts only pieces across the river.
    crossed: bool,
    min: i16,
    value: i16,
}

fn counters() -> Vec<Counter> {
    let counters = |kind, crossed, value| {
        let max = if kind == PieceType::Pawn { 5 } else { 2 };
        (1..=max).map(move |min| Counter { kind, crossed, min, value })
    };
    let plain = VALUES.into_iter().flat_map(|(kind, value)| counters(kind, false, value));
    plain.chain(counters(PieceType::Pawn, true, CROSSED)).collect()
}

impl Network {
    /// A network whose evaluation is the material balance, accurate to one or two centipawns.
    pub fn material() -> Network {
        let width = Width::W256;
        let units = width.units();
        let mut parameters = Parameters {
            description: "Material: made by hand, knows the worth of the pieces only.".into(),
            // With this scale output weights are in centipawns.
            scale: 256,
            width,
            hidden_biases: vec![0; units],
            feature_weights: vec![0; INPUTS * units],
            output_weights: vec![0; OUTPUT_BUCKETS * 2 * units],
            output_biases: vec![0; OUTPUT_BUCKETS],
        };
        for (unit, counter) in counters().into_iter().enumerate() {
            // With one piece fewer the unit is at zero, with `min` pieces at the clipping limit. The step for the fifth pawn is
            // a little smaller, as the bias would be out of range.
            let step = if counter.min < 5 { ACCUMULATOR_ONE as i16 } else { 247 };
            parameters.hidden_biases[unit] = -step * (counter.min - 1);
            let piece = Piece::new(Color::Red, counter.kind);
            let squares = zone(piece).into_iter().filter(|square: &Square| !counter.crossed || square.rank() >= FAR_BANK);
            for square in squares {
                parameters.feature_weights[feature(Color::Red, false, piece, square) as usize * units + unit] = step;
            }
            let one = f64::from(ACCUMULATOR_ONE) / f64::from(step);
            let weight = (f64::from(counter.value) * one * one).round() as i16;
            for bucket in 0..OUTPUT_BUCKETS {
                parameters.output_weights[bucket * 2 * units + unit] = weight;
                parameters.output_weights[(bucket * 2 + 1) * units + unit] = -weight;
            }
        }
        // All numbers are within the limits, as a test verifies.
        Network::new(parameters).expect("a network made by hand is sound")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn value(fen: &str) -> i32 {
        Network::material().evaluate(&Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
    }

    #[test]
    fn only_material_counts() {
        assert_eq!(value(crate::board::START_FEN), 0);
        let near = |fen: &str, expected: i32| {
            let found = value(fen);
            assert!((found - expected).abs() <= 2, "{fen}: {found}, expected {expected}");
        };
        near("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 b", 450);
        near("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w", -450);
        near("rnbakabnr/9/7c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w", 25);
        near("3k5/9/9/9/P1P1P1P1P/9/9/9/9/4K4 w", 5 * (50 + 50));
        near("3k5/9/9/9/9/9/P1P1P1P1P/9/9/4K4 b", -5 * 50);
        near("3k5/4a4/3a5/9/9/2B6/9/9/4A4/2BK1A3 w", 2 * 100);
    }
}
