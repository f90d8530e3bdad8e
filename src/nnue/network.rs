//! The network: its numbers, and the evaluation of a position from scratch.

use super::features::{Balance, bucket, feature, mirrored};
use super::{
    ACCUMULATOR_ONE, FEATURE_WEIGHT_LIMIT, INPUTS, NetworkError, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT, Row,
    SQUARE_SHIFT, Simd, VALUE_LIMIT,
};
use crate::board::Board;
use crate::types::{Color, PieceType, Square};

/// The numbers of a network, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// What the network is and how it was made.
    pub description: String,
    /// Centipawns of an output of 1.0: 1 to 4096.
    pub scale: i32,
    /// Start of the accumulators; 1.0 is [`ACCUMULATOR_ONE`].
    pub hidden_biases: Row,
    /// One row for each feature, on the same scale.
    pub feature_weights: Vec<Row>,
    /// For each bucket the weights of the view of the side to move and of the other; 1.0 is [`OUTPUT_ONE`].
    pub output_weights: Vec<[Row; 2]>,
    /// For each bucket; 1.0 is [`ACCUMULATOR_ONE`] times [`OUTPUT_ONE`].
    pub output_biases: Vec<i32>,
}

/// A network that is fit for use.
#[derive(Clone, Debug)]
pub struct Network {
    parameters: Parameters,
    simd: Simd,
}

/// Largest size of output biases: far more than any evaluation, and far from the end of 64-bit sums.
const OUTPUT_BIAS_LIMIT: i32 = 1 << 24;

impl Network {
    /// Checks the numbers and takes the best instruction set of this processor.
    ///
    /// # Errors
    /// Names the first table of a wrong size or number out of range.
    pub fn new(parameters: Parameters) -> Result<Network, NetworkError> {
        let size = |what, found: usize, expected: usize| {
            if found == expected { Ok(()) } else { Err(NetworkError::Size { what, found, expected }) }
        };
        size("feature weight rows", parameters.feature_weights.len(), INPUTS)?;
        size("output weight sets", parameters.output_weights.len(), OUTPUT_BUCKETS)?;
        size("output biases", parameters.output_biases.len(), OUTPUT_BUCKETS)?;
        let within = |what, row: &Row, limit: i16| match row.0.iter().find(|number| !(-limit..=limit).contains(number)) {
            None => Ok(()),
            Some(&number) => Err(NetworkError::Range { what, found: number as i32, limit: limit as i32 }),
        };
        within("hidden bias", &parameters.hidden_biases, FEATURE_WEIGHT_LIMIT)?;
        parameters.feature_weights.iter().try_for_each(|row| within("feature weight", row, FEATURE_WEIGHT_LIMIT))?;
        parameters.output_weights.iter().flatten().try_for_each(|row| within("output weight", row, OUTPUT_WEIGHT_LIMIT))?;
        let limit = OUTPUT_BIAS_LIMIT;
        if let Some(&found) = parameters.output_biases.iter().find(|bias| !(-limit..=limit).contains(*bias)) {
            return Err(NetworkError::Range { what: "output bias", found, limit });
        }
        if !(1..=4096).contains(&parameters.scale) {
            return Err(NetworkError::Range { what: "scale", found: parameters.scale, limit: 4096 });
        }
        Ok(Network { parameters, simd: Simd::best() })
    }

    /// The same network on another instruction set, or on the portable code where the processor lacks it.
    pub fn with_simd(mut self, simd: Simd) -> Network {
        self.simd = if simd.is_available() { simd } else { Simd::Scalar };
        self
    }

    /// The instruction set in use.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// The numbers.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// `out` = `base` and the rows of the added features, less those of the removed ones.
    #[inline(always)]
    pub(super) fn change(&self, base: &Row, added: &[u16], removed: &[u16], out: &mut Row) {
        self.simd.change(&self.parameters.feature_weights, base, added, removed, out);
    }

    /// The evaluation in centipawns from accumulators, that of the side to move first.
    #[inline(always)]
    pub(super) fn output(&self, views: [&Row; 2], bucket: usize) -> i32 {
        let sum = self.simd.activate(views, &self.parameters.output_weights[bucket]);
        let output = (sum << SQUARE_SHIFT) / ACCUMULATOR_ONE as i64 + self.parameters.output_biases[bucket] as i64;
        let value = output * self.parameters.scale as i64 / (ACCUMULATOR_ONE * OUTPUT_ONE) as i64;
        value.clamp(-VALUE_LIMIT as i64, VALUE_LIMIT as i64) as i32
    }

    /// The evaluation of a position from scratch: centipawns from the view of the side to move, at most [`VALUE_LIMIT`] in
    /// size. The search uses [`super::Accumulators`], which give the same.
    pub fn evaluate(&self, board: &Board) -> i32 {
        self.evaluate_without(board, None)
    }

    /// What the piece on a point contributes: the evaluation less that without the piece, from the view of the side to move
    /// in centipawns. None for kings and empty points. View, bucket and all else stay as they are.
    pub fn contribution(&self, board: &Board, square: Square) -> Option<i32> {
        let piece = board.piece_on(square).filter(|piece| piece.kind() != PieceType::King);
        piece.map(|_| self.evaluate(board) - self.evaluate_without(board, Some(square)))
    }

    fn evaluate_without(&self, board: &Board, left_out: Option<Square>) -> i32 {
        let balance = Balance::of(board);
        let views = Color::ALL.map(|perspective| {
            let mirrored = mirrored(perspective, board, balance);
            let pieces = board.pieces().filter(|&(_, square)| Some(square) != left_out);
            let features: Vec<u16> = pieces.map(|(piece, square)| feature(perspective, mirrored, piece, square)).collect();
            let mut view = self.parameters.hidden_biases;
            self.change(&self.parameters.hidden_biases, &features, &[], &mut view);
            view
        });
        let side = board.side_to_move();
        self.output([&views[side.index()], &views[(!side).index()]], bucket(board))
    }
}
