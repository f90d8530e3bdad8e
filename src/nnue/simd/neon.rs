//! 64-bit ARM with NEON: vectors of eight 16-bit numbers.

use super::{ACCUMULATOR_ONE, SQUARE_SHIFT, Weight};
use std::arch::aarch64::*;

const VECTOR: usize = 8;
type Vector = int16x8_t;
type Sum = int32x4_t;

/// Loads a vector of numbers; eight-bit numbers are widened to sixteen.
#[inline]
#[target_feature(enable = "neon")]
fn load<T: Weight, const W: usize>(row: &[T; W], at: usize) -> Vector {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: the loops step by full vectors through rows whose length is a multiple of the vector length. The numbers have
    // eight or sixteen bits, and exactly one vector of them is read.
    unsafe {
        let from = row.as_ptr().add(at);
        if const { size_of::<T>() == 1 } { vmovl_s8(vld1_s8(from.cast())) } else { vld1q_s16(from.cast()) }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn store<const W: usize>(row: &mut [i16; W], at: usize, vector: Vector) {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: as in `load`.
    unsafe { vst1q_s16(row.as_mut_ptr().add(at), vector) }
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: Vector, b: Vector) -> Vector {
    vaddq_s16(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn sub(a: Vector, b: Vector) -> Vector {
    vsubq_s16(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn zero_sum() -> Sum {
    vdupq_n_s32(0)
}

/// A clipped number squared and halved fits into 16 bits; multiplied by the weight it needs 32.
#[inline]
#[target_feature(enable = "neon")]
fn accumulate(sum: Sum, numbers: Vector, weights: Vector) -> Sum {
    let clipped = vminq_s16(vmaxq_s16(numbers, vdupq_n_s16(0)), vdupq_n_s16(ACCUMULATOR_ONE as i16));
    let squared = vreinterpretq_u16_s16(vmulq_s16(clipped, clipped));
    let squared = vreinterpretq_s16_u16(vshrq_n_u16::<{ SQUARE_SHIFT as i32 }>(squared));
    let sum = vmlal_s16(sum, vget_low_s16(squared), vget_low_s16(weights));
    vmlal_high_s16(sum, squared, weights)
}

#[inline]
#[target_feature(enable = "neon")]
fn total(sum: Sum) -> i64 {
    vaddlvq_s32(sum)
}

kernels!("neon");
