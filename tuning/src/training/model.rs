//! The network in floating point, as one flat array of parameters.

use super::samples::{Features, Sample};
use chuhe::nnue::{
    ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT, INPUTS, Network, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT, Parameters, Width,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Offsets of the parts of a model in its array of parameters. The feature weights, one row per feature, come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout(pub Width);

impl Layout {
    /// Offset of the hidden biases.
    pub const fn hidden_biases(self) -> usize {
        INPUTS * self.0.units()
    }

    /// Offset of the output weights: for each bucket those of the view of the side to move, then those of the other.
    pub const fn output_weights(self) -> usize {
        self.hidden_biases() + self.0.units()
    }

    /// Offset of the output biases, one for each bucket.
    pub const fn output_biases(self) -> usize {
        self.output_weights() + OUTPUT_BUCKETS * 2 * self.0.units()
    }

    /// Total number of parameters.
    pub const fn parameters(self) -> usize {
        self.output_biases() + OUTPUT_BUCKETS
    }

    /// The largest absolute value of a parameter that can be quantised with feature weights of at most `feature_limit`, in units
    /// of the network's file.
    pub fn limit(self, parameter: usize, feature_limit: i16) -> f32 {
        if parameter < self.hidden_biases() {
            feature_limit as f32 / ACCUMULATOR_ONE as f32
        } else if parameter < self.output_weights() {
            FEATURE_WEIGHT_LIMIT as f32 / ACCUMULATOR_ONE as f32
        } else if parameter < self.output_biases() {
            OUTPUT_WEIGHT_LIMIT as f32 / OUTPUT_ONE as f32
        } else {
            8.0
        }
    }
}

/// The parameters of a network in training.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Width of the hidden layer.
    pub width: Width,
    /// In the order of [`Layout`].
    pub parameters: Vec<f32>,
}

impl Model {
    /// Initial parameters: feature weights uniformly distributed with this standard deviation, output weights such that outputs are well
    /// below 1, biases of zero.
    pub fn new(width: Width, seed: u64, deviation: f32) -> Model {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let layout = Layout(width);
        let features = deviation * 3f32.sqrt();
        let outputs = 1.0 / (2.0 * width.units() as f32).sqrt();
        let parameters = (0..layout.parameters())
            .map(|parameter| {
                // 24 random bits: the same number on every machine.
                let unit = (random.random::<u32>() >> 8) as f32 / (1 << 23) as f32 - 1.0;
                if parameter < layout.hidden_biases() {
                    unit * features
                } else if (layout.output_weights()..layout.output_biases()).contains(&parameter) {
                    unit * outputs
                } else {
                    0.0
                }
            })
            .collect();
        Model { width, parameters }
    }

    /// The parameters of a network that is to be trained further; `scale` is the number of centipawns of an output of 1.0 in the model.
    pub fn of_network(network: &Network, scale: i32) -> Model {
        let Parameters { scale: own_scale, width, hidden_biases, feature_weights, output_weights, output_biases, .. } =
            network.parameters();
        let rescale = own_scale as f32 / scale as f32;
        let (accumulator, output) = (1.0 / ACCUMULATOR_ONE as f32, rescale / OUTPUT_ONE as f32);
        let parameters = feature_weights.iter().chain(&hidden_biases).map(|&weight| weight as f32 * accumulator);
        let parameters = parameters.chain(output_weights.iter().map(|&weight| weight as f32 * output));
        let parameters = parameters.chain(output_biases.iter().map(|&bias| bias as f32 * accumulator * output));
        Model { width, parameters: parameters.collect() }
    }

    /// The offsets of the parts.
    pub fn layout(&self) -> Layout {
        Layout(self.width)
    }

    /// The output for a position: 1.0 is one `scale` of centipawns. Slow reference implementation for the training step.
    pub fn output(&self, sample: &Sample) -> f32 {
        let mut features = Features::NONE;
        sample.features(&mut features);
        let (layout, units) = (self.layout(), self.width.units());
        let mut output = self.parameters[layout.output_biases() + sample.bucket()];
        for view in 0..2 {
            let weights = &self.parameters[layout.output_weights() + (sample.bucket() * 2 + view) * units..][..units];
            for (unit, weight) in weights.iter().enumerate() {
                let rows = features.view(view).iter().map(|&row| self.parameters[row as usize * units + unit]);
                let sum = self.parameters[layout.hidden_biases() + unit] + rows.sum::<f32>();
                let clipped = sum.clamp(0.0, 1.0);
                output += clipped * clipped * weight;
            }
        }
        output
    }
}
