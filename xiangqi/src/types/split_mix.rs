//! Pseudo-random numbers that are the same on every machine.

/// Distance of the states of two consecutive numbers: the sequence from a seed plus this begins one number later.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number with this index, from 0, in the sequence of SplitMix64 from a seed (Steele, Lea and Flood 2014).
///
/// ```
/// assert_eq!(xiangqi::types::split_mix(1234567, 0), 6457827717110365317);
/// assert_eq!(xiangqi::types::split_mix(1234567, 1), 3203168211198807973);
/// ```
pub const fn split_mix(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(STEP));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
