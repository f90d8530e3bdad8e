//! The network: its parameters, and the evaluation of a position from scratch.

use super::architecture::{MAX_DESCRIPTION, VERSION, architecture_hash, at_width};
use super::features::{Balance, bucket, feature, mirrored};
use super::simd::Numbers;
use super::{
    ACCUMULATOR_ONE, EIGHT_BIT_LIMIT, FEATURE_WEIGHT_LIMIT, INPUTS, OUTPUT_BUCKETS, OUTPUT_ONE, OUTPUT_WEIGHT_LIMIT,
    SQUARE_SHIFT, Simd, VALUE_LIMIT, Width,
};
use crate::board::Board;
use crate::types::{Color, PieceType, Square};

/// The unchecked parameters of a network. Tables are flat, row after row; a row has one number for each hidden unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Description of the network and its training.
    pub description: String,
    /// Centipawns of an output of 1.0, from 1 to 4096.
    pub scale: i32,
    /// Width of the hidden layer.
    pub width: Width,
    /// Initial values of the accumulators, one row; 1.0 is [`ACCUMULATOR_ONE`].
    pub hidden_biases: Vec<i16>,
    /// One row for each feature, on the same scale.
    pub feature_weights: Vec<i16>,
    /// For each bucket a row for the perspective of the side to move and one for the other side; 1.0 is [`OUTPUT_ONE`].
    pub output_weights: Vec<i16>,
    /// For each bucket; 1.0 is [`ACCUMULATOR_ONE`] times [`OUTPUT_ONE`].
    pub output_biases: Vec<i32>,
}

/// An error in the contents of a network file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file does not begin with the signature.
    #[error("not a network file, expected it to begin with 'chuhenet'")]
    NotNetwork,
    /// Another version of the file layout.
    #[error("network file version {0}, expected {VERSION}")]
    Version(u32),
    /// Another architecture: different features, dimensions or arithmetic.
    #[error("network architecture {0:016x}, expected one of {known}", known = architectures())]
    Architecture(u64),
    /// Wrong file size: bytes found, bytes expected.
    #[error("network file of {0} bytes, expected {1}")]
    Length(usize, usize),
    /// The checksum does not match the contents.
    #[error("network file is damaged: its checksum does not match")]
    Checksum,
    /// The description is too long or not UTF-8.
    #[error("network description, expected at most {MAX_DESCRIPTION} bytes of UTF-8")]
    Description,
    /// A table has a wrong number of entries.
    #[error("network has {found} {what}, expected {expected}")]
    Size {
        /// Name of the table.
        what: &'static str,
        /// Number of its entries.
        found: usize,
        /// Required number.
        expected: usize,
    },
    /// A number is out of range.
    #[error("network has a {what} of {found}, expected at most {limit} in absolute value")]
    Range {
        /// Kind of number.
        what: &'static str,
        /// Its value.
        found: i32,
        /// The largest absolute value allowed.
        limit: i32,
    },
}

/// The supported architectures, for an error message.
fn architectures() -> String {
    let one =
        |width| format!("{:016x} ({INPUTS} to {}) x 2 to {OUTPUT_BUCKETS} buckets", architecture_hash(width), width.units());
    Width::ALL.map(one).join(", ")
}

/// A network with validated parameters.
#[derive(Clone, Debug)]
pub struct Network {
    description: String,
    scale: i32,
    width: Width,
    hidden_biases: Numbers,
    feature_weights: FeatureWeights,
    output_weights: Numbers,
    output_biases: Vec<i32>,
    simd: Simd,
}

/// The feature weights, the largest table.
#[derive(Clone, Debug)]
enum FeatureWeights {
    /// All weights are within [`EIGHT_BIT_LIMIT`].
    Eight(Numbers<i8>),
    Sixteen(Numbers<i16>),
}

impl FeatureWeights {
    /// Uses eight bits if all weights fit.
    fn new(weights: &[i16]) -> FeatureWeights {
        if weights.iter().any(|weight| !(-EIGHT_BIT_LIMIT..=EIGHT_BIT_LIMIT).contains(weight)) {
            return FeatureWeights::Sixteen(Numbers::from_slice(weights));
        }
        let mut table = Numbers::<i8>::zeros(weights.len());
        table.iter_mut().zip(weights).for_each(|(narrow, &weight)| *narrow = weight as i8);
        FeatureWeights::Eight(table)
    }

    fn to_vec(&self) -> Vec<i16> {
        match self {
            FeatureWeights::Eight(table) => table.iter().map(|&weight| weight.into()).collect(),
            FeatureWeights::Sixteen(table) => table.to_vec(),
        }
    }
}

/// Compiles an expression once for each size of feature weights, with their rows as a named variable, and runs the one for the network.
macro_rules! with_rows {
    ($network:expr, $rows:ident => $code:expr) => {
        match &$network.feature_weights {
            FeatureWeights::Eight(table) => {
                let $rows = table.rows();
                $code
            }
            FeatureWeights::Sixteen(table) => {
                let $rows = table.rows();
                $code
            }
        }
    };
}

/// Maximum absolute value of output biases: far above any evaluation, and far from overflowing 64-bit sums.
const OUTPUT_BIAS_LIMIT: i32 = 1 << 24;

impl Network {
    /// Validates the parameters and selects the best instruction set of this processor.
    ///
    /// # Errors
    /// The first table of a wrong size or number out of range.
    pub fn new(parameters: Parameters) -> Result<Network, NetworkError> {
        let size = |what, found: usize, expected: usize| {
            if found == expected { Ok(()) } else { Err(NetworkError::Size { what, found, expected }) }
        };
        let units = parameters.width.units();
        size("hidden biases", parameters.hidden_biases.len(), units)?;
        size("feature weights", parameters.feature_weights.len(), INPUTS * units)?;
        size("output weights", parameters.output_weights.len(), OUTPUT_BUCKETS * 2 * units)?;
        size("output biases", parameters.output_biases.len(), OUTPUT_BUCKETS)?;
        let within = |what, numbers: &[i16], limit: i16| match numbers.iter().find(|number| !(-limit..=limit).contains(number)) {
            None => Ok(()),
            Some(&number) => Err(NetworkError::Range { what, found: number as i32, limit: limit as i32 }),
        };
        within("hidden bias", &parameters.hidden_biases, FEATURE_WEIGHT_LIMIT)?;
        within("feature weight", &parameters.feature_weights, FEATURE_WEIGHT_LIMIT)?;
        within("output weight", &parameters.output_weights, OUTPUT_WEIGHT_LIMIT)?;
        let limit = OUTPUT_BIAS_LIMIT;
        if let Some(&found) = parameters.output_biases.iter().find(|bias| !(-limit..=limit).contains(*bias)) {
            return Err(NetworkError::Range { what: "output bias", found, limit });
        }
        if !(1..=4096).contains(&parameters.scale) {
            return Err(NetworkError::Range { what: "scale", found: parameters.scale, limit: 4096 });
        }
        Ok(Network {
            description: parameters.description,
            scale: parameters.scale,
            width: parameters.width,
            hidden_biases: Numbers::from_slice(&parameters.hidden_biases),
            feature_weights: FeatureWeights::new(&parameters.feature_weights),
            output_weights: Numbers::from_slice(&parameters.output_weights),
            output_biases: parameters.output_biases,
            simd: Simd::best(),
        })
    }

    /// The same network with another instruction set, or with the portable code if the processor lacks it.
    pub fn with_simd(mut self, simd: Simd) -> Network {
        self.simd = if simd.is_available() { simd } else { Simd::Scalar };
        self
    }

    /// The instruction set in use.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// The same network with sixteen-bit feature weights regardless of their values, to compare the two sizes.
    pub fn with_sixteen_bits(mut self) -> Network {
        self.feature_weights = FeatureWeights::Sixteen(Numbers::from_slice(&self.feature_weights.to_vec()));
        self
    }

    /// Bits per feature weight: 8 if all are within [`EIGHT_BIT_LIMIT`], otherwise 16.
    pub fn weight_bits(&self) -> u32 {
        match self.feature_weights {
            FeatureWeights::Eight(_) => i8::BITS,
            FeatureWeights::Sixteen(_) => i16::BITS,
        }
    }

    /// Width of the hidden layer.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Description of the network and its training.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// A copy of the parameters.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            description: self.description.clone(),
            scale: self.scale,
            width: self.width,
            hidden_biases: self.hidden_biases.to_vec(),
            feature_weights: self.feature_weights.to_vec(),
            output_weights: self.output_weights.to_vec(),
            output_biases: self.output_biases.clone(),
        }
    }

    /// The initial values of the accumulators.
    pub(super) fn hidden_biases(&self) -> &[i16] {
        &self.hidden_biases
    }

    /// Sets `out` to `base` plus the rows of the added features minus those of the removed ones. `W` must be the width of the network.
    #[inline(always)]
    pub(super) fn change<const W: usize>(&self, base: &[i16; W], added: &[u16], removed: &[u16], out: &mut [i16; W]) {
        with_rows!(self, rows => self.simd.change(rows, base, added, removed, out));
    }

    /// The evaluation in centipawns from accumulators, that of the side to move first. `W` must be the width of the network.
    #[inline(always)]
    pub(super) fn output<const W: usize>(&self, accumulators: [&[i16; W]; 2], bucket: usize) -> i32 {
        let weights = self.output_weights.rows();
        let sum = self.simd.activate(accumulators, [&weights[bucket * 2], &weights[bucket * 2 + 1]]);
        let output = (sum << SQUARE_SHIFT) / ACCUMULATOR_ONE as i64 + self.output_biases[bucket] as i64;
        let value = output * self.scale as i64 / (ACCUMULATOR_ONE * OUTPUT_ONE) as i64;
        value.clamp(-VALUE_LIMIT as i64, VALUE_LIMIT as i64) as i32
    }

    /// The evaluation of a position from scratch: centipawns from the view of the side to move, within ±[`VALUE_LIMIT`]. The search uses
    /// [`super::Accumulators`], with the same result.
    pub fn evaluate(&self, board: &Board) -> i32 {
        at_width!(self.width, W => self.evaluate_without::<W>(board, None))
    }

    /// The contribution of the piece on a square: the evaluation minus the evaluation without the piece, in centipawns from the view of
    /// the side to move; `None` for kings and empty squares. Mirroring and bucket are those of the full position.
    pub fn contribution(&self, board: &Board, square: Square) -> Option<i32> {
        let piece = board.piece_on(square).filter(|piece| piece.kind() != PieceType::King);
        let without = |square| at_width!(self.width, W => self.evaluate_without::<W>(board, Some(square)));
        piece.map(|_| self.evaluate(board) - without(square))
    }

    fn evaluate_without<const W: usize>(&self, board: &Board, left_out: Option<Square>) -> i32 {
        let balance = Balance::of(board);
        let biases = &self.hidden_biases.rows::<W>()[0];
        let accumulators = Color::ALL.map(|perspective| {
            let mirrored = mirrored(perspective, board, balance);
            let pieces = board.pieces().filter(|&(_, square)| Some(square) != left_out);
            let features: Vec<u16> = pieces.map(|(piece, square)| feature(perspective, mirrored, piece, square)).collect();
            let mut accumulator = *biases;
            self.change(biases, &features, &[], &mut accumulator);
            accumulator
        });
        let side = board.side_to_move();
        self.output([&accumulators[side.index()], &accumulators[(!side).index()]], bucket(board))
    }
}
