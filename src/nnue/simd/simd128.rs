//! WebAssembly with 128-bit vectors: eight 16-bit numbers each.

use super::{ACCUMULATOR_ONE, SQUARE_SHIFT, Weight};
use std::arch::wasm32::*;

const VECTOR: usize = 8;
type Vector = v128;
type Sum = v128;

/// Loads a vector of numbers; eight-bit numbers are widened to sixteen.
#[inline]
#[target_feature(enable = "simd128")]
fn load<T: Weight, const W: usize>(row: &[T; W], at: usize) -> Vector {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: the loops step by full vectors through rows whose length is a multiple of the vector length. The numbers have
    // eight or sixteen bits, and exactly one vector of them is read.
    unsafe {
        let from = row.as_ptr().add(at);
        if const { size_of::<T>() == 1 } { i16x8_load_extend_i8x8(from.cast()) } else { v128_load(from.cast()) }
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn store<const W: usize>(row: &mut [i16; W], at: usize, vector: Vector) {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: as in `load`.
    unsafe { v128_store(row.as_mut_ptr().add(at).cast(), vector) }
}

#[inline]
#[target_feature(enable = "simd128")]
fn add(a: Vector, b: Vector) -> Vector {
    i16x8_add(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn sub(a: Vector, b: Vector) -> Vector {
    i16x8_sub(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn zero_sum() -> Sum {
    i32x4_splat(0)
}

/// A clipped number squared and halved fits into 16 bits; multiplied by the weight it needs 32.
#[inline]
#[target_feature(enable = "simd128")]
fn accumulate(sum: Sum, numbers: Vector, weights: Vector) -> Sum {
    let clipped = i16x8_min(i16x8_max(numbers, i16x8_splat(0)), i16x8_splat(ACCUMULATOR_ONE as i16));
    let squared = u16x8_shr(i16x8_mul(clipped, clipped), SQUARE_SHIFT);
    i32x4_add(sum, i32x4_dot_i16x8(squared, weights))
}

#[inline]
#[target_feature(enable = "simd128")]
fn total(sum: Sum) -> i64 {
    let pairs = i64x2_add(i64x2_extend_low_i32x4(sum), i64x2_extend_high_i32x4(sum));
    i64x2_extract_lane::<0>(pairs) + i64x2_extract_lane::<1>(pairs)
}

kernels!("simd128");
