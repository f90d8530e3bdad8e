//! Portable code, the reference for the others.

use super::{Weight, squared};

/// See [`super::Simd::change`].
pub(super) fn change<T: Weight, const W: usize>(
    weights: &[[T; W]],
    base: &[i16; W],
    added: &[u16],
    removed: &[u16],
    out: &mut [i16; W],
) {
    *out = *base;
    for &row in added {
        for (number, &weight) in out.iter_mut().zip(&weights[row as usize]) {
            *number = number.wrapping_add(weight.into());
        }
    }
    for &row in removed {
        for (number, &weight) in out.iter_mut().zip(&weights[row as usize]) {
            *number = number.wrapping_sub(weight.into());
        }
    }
}

/// See [`super::Simd::activate`].
pub(super) fn activate<const W: usize>(accumulators: [&[i16; W]; 2], weights: [&[i16; W]; 2]) -> i64 {
    let mut total = 0;
    for (accumulator, weights) in accumulators.iter().zip(weights) {
        for (&number, &weight) in accumulator.iter().zip(weights) {
            total += (squared(number) * weight as i32) as i64;
        }
    }
    total
}
