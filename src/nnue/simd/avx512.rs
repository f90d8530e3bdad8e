//! x86-64 with AVX-512: vectors of thirty-two 16-bit numbers.

use super::{ACCUMULATOR_ONE, SQUARE_SHIFT, Weight};
use std::arch::x86_64::*;

const VECTOR: usize = 32;
type Vector = __m512i;
type Sum = __m512i;

/// Loads a vector of numbers; eight-bit numbers are widened to sixteen.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load<T: Weight, const W: usize>(row: &[T; W], at: usize) -> Vector {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: the loops step by full vectors through rows whose length is a multiple of the vector length. The numbers have
    // eight or sixteen bits, and exactly one vector of them is read.
    unsafe {
        let from = row.as_ptr().add(at);
        if const { size_of::<T>() == 1 } {
            _mm512_cvtepi8_epi16(_mm256_loadu_si256(from.cast()))
        } else {
            _mm512_loadu_si512(from.cast())
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store<const W: usize>(row: &mut [i16; W], at: usize, vector: Vector) {
    debug_assert!(at + VECTOR <= W);
    // SAFETY: as in `load`.
    unsafe { _mm512_storeu_si512(row.as_mut_ptr().add(at).cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm512_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sub(a: Vector, b: Vector) -> Vector {
    _mm512_sub_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn zero_sum() -> Sum {
    _mm512_setzero_si512()
}

/// A clipped number squared and halved fits into 16 bits; multiplied by the weight and added in pairs it needs 32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn accumulate(sum: Sum, numbers: Vector, weights: Vector) -> Sum {
    let one = _mm512_set1_epi16(ACCUMULATOR_ONE as i16);
    let clipped = _mm512_min_epi16(_mm512_max_epi16(numbers, _mm512_setzero_si512()), one);
    let squared = _mm512_srli_epi16::<SQUARE_SHIFT>(_mm512_mullo_epi16(clipped, clipped));
    _mm512_add_epi32(sum, _mm512_madd_epi16(squared, weights))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn total(sum: Sum) -> i64 {
    let mut lanes = [0i32; 16];
    // SAFETY: the array has the size of the vector.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), sum) };
    lanes.iter().map(|&lane| lane as i64).sum()
}

kernels!("avx512f,avx512bw");
