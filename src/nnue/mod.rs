//! Layer 4: the evaluation network. Features, accumulators, inference and the network file, all in integer arithmetic.
//!
//! A position is evaluated from two perspectives, one for each side. Each has [`INPUTS`] features, one for each piece and square that it
//! can reach, as that side sees the board: flipped top to bottom for Black, and left to right if [`mirrored`] returns true. The weight rows of the
//! active features are added up to an *accumulator* of [`Width`] numbers. Both accumulators, that of the side to move first, are
//! clipped to 0..=[`ACCUMULATOR_ONE`], squared (and halved, to fit 16 bits), and multiplied by the output weights of the [`bucket`]
//! of the position.
//!
//! The width is a property of the network; the program loads networks of all widths. The feature weights of a network are stored in
//! eight bits, which halves the table, if all are within [`EIGHT_BIT_LIMIT`], and otherwise in sixteen; the evaluation is the same.
//! [`Network::builtin`] is the built-in network.
//!
//! The architecture follows the advice of public trainers (bullet's documentation): plain piece-square inputs, one hidden layer,
//! squared clipped activation. Legal-square inputs and mirroring come from Pikafish; the tie-break by balance is our own.

mod accumulator;
mod architecture;
mod builtin;
mod features;
mod file;
mod material;
mod network;
mod simd;

pub use accumulator::Accumulators;
pub use architecture::{ACCUMULATOR_ONE, INPUTS, OUTPUT_BUCKETS, OUTPUT_ONE, Width, architecture_hash};
pub use builtin::provide;
pub use features::{Balance, bucket, feature, mirrored};
pub use file::NetworkFileError;
pub use network::{Network, NetworkError, Parameters};
pub use simd::Simd;

/// Maximum absolute value of feature weights and hidden biases: the sum of 32 rows and a bias of this size still fits into 16 bits.
pub const FEATURE_WEIGHT_LIMIT: i16 = 992;
/// Feature weights are stored in eight bits if none exceeds this absolute value.
pub const EIGHT_BIT_LIMIT: i16 = i8::MAX as i16;
/// Maximum absolute value of output weights: sums of products stay within 32 bits.
pub const OUTPUT_WEIGHT_LIMIT: i16 = 508;
/// Right shift of a squared number, so that it fits into 16 bits with a sign.
pub(crate) const SQUARE_SHIFT: u32 = 1;
/// Evaluations are clamped to this absolute value in centipawns.
pub const VALUE_LIMIT: i32 = 10_000;

/// The largest squared number.
const LARGEST_SQUARE: i32 = (ACCUMULATOR_ONE * ACCUMULATOR_ONE) >> SQUARE_SHIFT;
const _: () = assert!(LARGEST_SQUARE <= i16::MAX as i32 && ACCUMULATOR_ONE * ACCUMULATOR_ONE <= u16::MAX as i32);
const _: () = assert!((FEATURE_WEIGHT_LIMIT as i32) * 33 <= i16::MAX as i32);

#[cfg(test)]
mod tests;
