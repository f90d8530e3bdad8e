//! Conversion from floating point to the integers of the engine.

use super::model::Model;
use super::{Recipe, Sample};
use chuhe::board::Board;
use chuhe::nnue::{
    ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT, Network, NetworkError, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT, Parameters,
    VALUE_LIMIT,
};

/// Rounds numbers to integers, with 1.0 represented by `one`.
fn rounded(numbers: &[f32], one: i32, limit: i16) -> impl Iterator<Item = i16> {
    numbers.iter().map(move |value| (value * one as f32).round().clamp(-limit as f32, limit as f32) as i16)
}

/// The quantised network of a model; an output of 1.0 is an evaluation of `scale` centipawns.
///
/// # Errors
/// When the engine would reject it.
pub fn quantise(model: &Model, recipe: &Recipe, scale: u16, description: String) -> Result<Network, NetworkError> {
    // If only one bucket is trained, all phases of the game use it.
    let trained = |bucket: usize| if recipe.output_buckets == 1 { 0 } else { bucket };
    let (layout, units) = (model.layout(), model.width.units());
    let (features, outputs) = model.parameters.split_at(layout.output_weights());
    let (feature_weights, hidden_biases) = features.split_at(layout.hidden_biases());
    let (output_weights, output_biases) = outputs.split_at(OUTPUT_BUCKETS * 2 * units);
    let output_one = (ACCUMULATOR_ONE * OUTPUT_ONE) as f32;
    Network::new(Parameters {
        description,
        scale: scale as i32,
        width: model.width,
        hidden_biases: rounded(hidden_biases, ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT).collect(),
        feature_weights: rounded(feature_weights, ACCUMULATOR_ONE, recipe.optimizer.feature_limit).collect(),
        output_weights: (0..OUTPUT_BUCKETS)
            .flat_map(|bucket| {
                rounded(&output_weights[trained(bucket) * 2 * units..][..2 * units], OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT)
            })
            .collect(),
        output_biases: (0..OUTPUT_BUCKETS).map(|bucket| (output_biases[trained(bucket)] * output_one).round() as i32).collect(),
    })
}

/// The difference between the quantised network and the model, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct QuantisationError {
    /// Number of positions compared.
    pub positions: usize,
    /// Mean absolute difference.
    pub mean: f64,
    /// Largest absolute difference.
    pub largest: f64,
    /// Mean absolute evaluation, for comparison.
    pub evaluation: f64,
}

/// Compares a model and its network on boards.
pub fn measure_quantisation(model: &Model, network: &Network, recipe: &Recipe, boards: &[Board]) -> QuantisationError {
    let mut error = QuantisationError { positions: boards.len(), ..QuantisationError::default() };
    let scale = network.parameters().scale as f64;
    for board in boards {
        let sample = Sample::new(board, 0, 0);
        let sample = if recipe.output_buckets == 1 { sample.in_first_bucket() } else { sample };
        let limit = VALUE_LIMIT as f64;
        let exact = (model.output(&sample) as f64 * scale).clamp(-limit, limit);
        let difference = (exact - network.evaluate(board) as f64).abs();
        error.mean += difference;
        error.evaluation += exact.abs();
        error.largest = error.largest.max(difference);
    }
    error.mean /= boards.len().max(1) as f64;
    error.evaluation /= boards.len().max(1) as f64;
    error
}
