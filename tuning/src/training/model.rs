//! The network in floating point: one flat list of numbers.

use super::samples::{Features, Sample};
use chuhe::nnue::{ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT, HIDDEN, INPUTS, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where the hidden biases begin; the feature weights, a row each, come before.
pub const HIDDEN_BIASES: usize = INPUTS * HIDDEN;
/// Where the output weights begin: for each bucket those of the view of the side to move, then those of the other.
pub const OUTPUT_WEIGHTS: usize = HIDDEN_BIASES + HIDDEN;
/// Where the output biases begin, one for each bucket.
pub const OUTPUT_BIASES: usize = OUTPUT_WEIGHTS + OUTPUT_BUCKETS * 2 * HIDDEN;
/// Numbers in all.
pub const PARAMETERS: usize = OUTPUT_BIASES + OUTPUT_BUCKETS;

/// Typical number of pieces, for the size of first weights.
const TYPICAL_PIECES: f32 = 24.0;

/// The largest size of a parameter that survives quantisation.
pub fn limit(parameter: usize) -> f32 {
    if parameter < OUTPUT_WEIGHTS {
        FEATURE_WEIGHT_LIMIT as f32 / ACCUMULATOR_ONE as f32
    } else if parameter < OUTPUT_BIASES {
        OUTPUT_WEIGHT_LIMIT as f32 / OUTPUT_ONE as f32
    } else {
        8.0
    }
}

/// The numbers of a network in training.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// See the constants of this module for their order.
    pub parameters: Vec<f32>,
}

impl Model {
    /// First weights: feature weights small enough that sums mostly stay within the clip, output weights so that outputs are
    /// well under 1.
    pub fn new(seed: u64) -> Model {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let features = 1.0 / TYPICAL_PIECES.sqrt();
        let outputs = 1.0 / (2.0 * HIDDEN as f32).sqrt();
        let parameters = (0..PARAMETERS)
            .map(|parameter| {
                // 24 random bits: the same number on every machine.
                let unit = (random.random::<u32>() >> 8) as f32 / (1 << 23) as f32 - 1.0;
                if parameter < HIDDEN_BIASES {
                    unit * features
                } else if (OUTPUT_WEIGHTS..OUTPUT_BIASES).contains(&parameter) {
                    unit * outputs
                } else {
                    0.0
                }
            })
            .collect();
        Model { parameters }
    }

    /// The output for a position: 1.0 is one `scale` of centipawns. Slow and plain, the reference for the training step.
    pub fn output(&self, sample: &Sample) -> f32 {
        let mut features = Features::NONE;
        sample.features(&mut features);
        let mut output = self.parameters[OUTPUT_BIASES + sample.bucket()];
        for view in 0..2 {
            let weights = &self.parameters[OUTPUT_WEIGHTS + (sample.bucket() * 2 + view) * HIDDEN..][..HIDDEN];
            for (unit, weight) in weights.iter().enumerate() {
                let rows = features.view(view).iter().map(|&row| self.parameters[row as usize * HIDDEN + unit]);
                let sum = self.parameters[HIDDEN_BIASES + unit] + rows.sum::<f32>();
                let clipped = sum.clamp(0.0, 1.0);
                output += clipped * clipped * weight;
            }
        }
        output
    }
}
