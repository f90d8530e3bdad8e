//! From floating point to the integers that play.

use super::model::{HIDDEN_BIASES, Model, OUTPUT_BIASES, OUTPUT_WEIGHTS};
use super::{Recipe, Sample};
use chuhe::board::Board;
use chuhe::nnue::{
    ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT, HIDDEN, INPUTS, Network, NetworkError, OUTPUT_BUCKETS, OUTPUT_ONE,
    OUTPUT_WEIGHT_LIMIT, Parameters, Row, VALUE_LIMIT,
};

/// Rounds the numbers at `first` and after to a row.
fn row(model: &Model, first: usize, one: i32, limit: i16) -> Row {
    let mut row = Row([0; HIDDEN]);
    for (number, value) in row.0.iter_mut().zip(&model.parameters[first..]) {
        *number = (value * one as f32).round().clamp(-limit as f32, limit as f32) as i16;
    }
    row
}

/// The network that a model becomes.
///
/// # Errors
/// When the engine would refuse it.
pub fn quantise(model: &Model, recipe: &Recipe, description: String) -> Result<Network, NetworkError> {
    // With one bucket trained, all phases of the game use it.
    let trained = |bucket: usize| if recipe.output_buckets == 1 { 0 } else { bucket };
    let feature_row = |first| row(model, first, ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT);
    let output_row =
        |bucket, view| row(model, OUTPUT_WEIGHTS + (trained(bucket) * 2 + view) * HIDDEN, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT);
    let output_one = (ACCUMULATOR_ONE * OUTPUT_ONE) as f32;
    Network::new(Parameters {
        description,
        scale: recipe.target.scale as i32,
        hidden_biases: feature_row(HIDDEN_BIASES),
        feature_weights: (0..INPUTS).map(|feature| feature_row(feature * HIDDEN)).collect(),
        output_weights: (0..OUTPUT_BUCKETS).map(|bucket| [output_row(bucket, 0), output_row(bucket, 1)]).collect(),
        output_biases: (0..OUTPUT_BUCKETS)
            .map(|bucket| (model.parameters[OUTPUT_BIASES + trained(bucket)] * output_one).round() as i32)
            .collect(),
    })
}

/// How far the integers are from the floating point, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct QuantisationError {
    /// Positions compared.
    pub positions: usize,
    /// Mean size of the difference.
    pub mean: f64,
    /// Largest size of a difference.
    pub largest: f64,
    /// Mean size of the evaluation, to compare with.
    pub evaluation: f64,
}

/// Compares a model and its network on boards.
pub fn measure_quantisation(model: &Model, network: &Network, recipe: &Recipe, boards: &[Board]) -> QuantisationError {
    let mut error = QuantisationError { positions: boards.len(), ..QuantisationError::default() };
    for board in boards {
        let sample = Sample::new(board, 0, 0);
        let sample = if recipe.output_buckets == 1 { sample.in_first_bucket() } else { sample };
        let limit = VALUE_LIMIT as f64;
        let exact = (model.output(&sample) as f64 * recipe.target.scale as f64).clamp(-limit, limit);
        let difference = (exact - network.evaluate(board) as f64).abs();
        error.mean += difference;
        error.evaluation += exact.abs();
        error.largest = error.largest.max(difference);
    }
    error.mean /= boards.len().max(1) as f64;
    error.evaluation /= boards.len().max(1) as f64;
    error
}
