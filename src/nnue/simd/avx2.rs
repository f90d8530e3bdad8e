//! x86-64 with AVX2: vectors of sixteen 16-bit numbers.

use super::{ACCUMULATOR_ONE, SQUARE_SHIFT, Weight};
use std::arch::x86_64::*;

const VECTOR: usize = 16;
type Vector = __m256i;
type Sum = __m256i;

/// Loads a vector of numbers; eight-bit numbers are widened to sixteen.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T: Weight, const W: usize>(row: &[T; W], at: usize) -> Vector {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: the loops step by full vectors through rows whose length is a multiple of the vector length. The numbers have
    // eight or sixteen bits, and exactly one vector of them is read.
    unsafe {
        let from = row.as_ptr().add(at);
        if const { size_of::<T>() == 1 } {
            _mm256_cvtepi8_epi16(_mm_loadu_si128(from.cast()))
        } else {
            _mm256_loadu_si256(from.cast())
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store<const W: usize>(row: &mut [i16; W], at: usize, vector: Vector) {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: as in `load`.
    unsafe { _mm256_storeu_si256(row.as_mut_ptr().add(at).cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm256_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm256_sub_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn zero_sum() -> Sum {
    _mm256_setzero_si256()
}

/// A clipped number squared and halved fits into 16 bits; multiplied by the weight and added in pairs it needs 32.
#[inline]
#[target_feature(enable = "avx2")]
fn accumulate(sum: Sum, numbers: Vector, weights: Vector) -> Sum {
    let one = _mm256_set1_epi16(ACCUMULATOR_ONE as i16);
    let clipped = _mm256_min_epi16(_mm256_max_epi16(numbers, _mm256_setzero_si256()), one);
    let squared = _mm256_srli_epi16::<{ SQUARE_SHIFT as i32 }>(_mm256_mullo_epi16(clipped, clipped));
    _mm256_add_epi32(sum, _mm256_madd_epi16(squared, weights))
}

#[inline]
#[target_feature(enable = "avx2")]
fn total(sum: Sum) -> i64 {
    let mut lanes = [0i32; 8];
    // SAFETY: the array has the size of the vector.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
    lanes.iter().map(|&lane| lane as i64).sum()
}

kernels!("avx2");
