//! The shape of the network and the frame of its file, apart from the rest so that the build script can check the network it
//! embeds with the very same numbers.

/// Number of features: own king 6 (after mirroring), other king 9, advisors 5, elephants 7, pawns 55 and all others 90 each.
pub const INPUTS: usize = 689;
/// Width of the hidden layer, for each of the two views.
pub const HIDDEN: usize = 256;
/// Number of output weight sets; [`super::bucket`] picks one.
pub const OUTPUT_BUCKETS: usize = 8;
/// What 1.0 is in an accumulator.
pub const ACCUMULATOR_ONE: i32 = 255;
/// What 1.0 is in an output weight.
pub const OUTPUT_ONE: i32 = 256;

/// How a network file begins.
pub const MAGIC: &[u8; 8] = b"chuhenet";
/// Version of the file's layout.
pub const VERSION: u32 = 1;
/// Version of the features and of the arithmetic: to be raised when either changes and the sizes do not.
const MEANING: u64 = 1;

/// What the numbers of a network mean, as a number: FNV-1a over everything that must agree between the program that wrote a
/// network and the one that reads it.
pub const fn architecture_hash() -> u64 {
    let parts = [MEANING, INPUTS as u64, HIDDEN as u64, OUTPUT_BUCKETS as u64, ACCUMULATOR_ONE as u64, OUTPUT_ONE as u64];
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut at = 0;
    while at < parts.len() * 8 {
        hash = (hash ^ (parts[at / 8] >> (at % 8 * 8) & 0xff)).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}

/// Bytes of magic, version, architecture hash, scale and length of the description.
pub const HEAD: usize = 8 + 4 + 8 + 4 + 4;
/// Bytes of the numbers, after the description; a CRC-32 of four bytes follows.
pub const NUMBERS: usize = 2 * HIDDEN * (1 + INPUTS + 2 * OUTPUT_BUCKETS) + OUTPUT_BUCKETS * 4;
