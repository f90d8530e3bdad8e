//! Layer 4: the evaluation network. Features, accumulators, inference and the network file; integers to the end.
//!
//! A position is seen twice, once by each side. Each view is a set of [`INPUTS`] features, one for every piece on every point
//! it can stand on, from the own side's view: turned top to bottom for Black, and left to right where [`mirrored`] says so.
//! The rows of the features that are present are added up to an *accumulator* of [`Width`] numbers. Both accumulators, the
//! one of the side to move first, are clipped to 0..=[`ACCUMULATOR_ONE`], squared (and halved, to fit 16 bits), and
//! multiplied with the output weights of the [`bucket`] of the position.
//!
//! The width is a property of the network: one program loads networks of all widths. So is the kind of its feature weights: those
//! of a network that keeps to [`EIGHT_BIT_LIMIT`] are held in eight bits, half the table, and others in sixteen; the evaluation
//! is the same. [`embedded`] is the network that the
//! program carries.
//!
//! The shape follows the advice of public trainers (bullet's documentation): plain piece-square inputs, one hidden layer,
//! squared clipped activation. Legal-square inputs and the mirror were seen in Pikafish; the tie rule is our own.

mod accumulator;
mod architecture;
mod embedded;
mod features;
mod file;
mod material;
mod network;
mod simd;

pub use accumulator::Accumulators;
pub use architecture::{ACCUMULATOR_ONE, INPUTS, OUTPUT_BUCKETS, OUTPUT_ONE, Width, architecture_hash};
pub use embedded::{embedded, embedded_name, provide};
pub use features::{Balance, bucket, feature, mirrored};
pub use file::{NetworkError, NetworkFileError};
pub use network::{Network, Parameters};
pub use simd::Simd;

/// Largest size of feature weights and hidden biases: 32 rows and a bias of this size still fit into 16 bits.
pub const FEATURE_WEIGHT_LIMIT: i16 = 992;
/// A network whose feature weights are all of this size at most holds them in eight bits each.
pub const EIGHT_BIT_LIMIT: i16 = i8::MAX as i16;
/// Largest size of output weights: sums of products stay within 32 bits.
pub const OUTPUT_WEIGHT_LIMIT: i16 = 508;
/// Bits dropped from a squared number, so that it fits into 16 bits with a sign.
pub(crate) const SQUARE_SHIFT: u32 = 1;
/// Evaluations are cut to this size, in centipawns.
pub const VALUE_LIMIT: i32 = 10_000;

/// The largest squared number.
const LARGEST_SQUARE: i32 = (ACCUMULATOR_ONE * ACCUMULATOR_ONE) >> SQUARE_SHIFT;
const _: () = assert!(LARGEST_SQUARE <= i16::MAX as i32 && ACCUMULATOR_ONE * ACCUMULATOR_ONE <= u16::MAX as i32);
const _: () = assert!((FEATURE_WEIGHT_LIMIT as i32) * 33 <= i16::MAX as i32);

#[cfg(test)]
mod tests;
