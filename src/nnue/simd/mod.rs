//! Vector code: the same two functions for every instruction set, with bit-identical results, selected at run time, each compiled for
//! every width of the hidden layer and both sizes of feature weights.
//!
//! Each file has the few vector operations of its instruction set; the loops are written once, in the macro below. The portable code
//! is the reference.

use super::{ACCUMULATOR_ONE, LARGEST_SQUARE, OUTPUT_WEIGHT_LIMIT, SQUARE_SHIFT};
use crate::board::Level;
use crate::memory::HugeBox;
use bytemuck::{Pod, Zeroable};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

mod scalar;

/// Number of products that can be summed in 32-bit lanes without overflow: each file has at least eight lanes for the sums of an accumulator
/// (two vectors of four, eight or sixteen).
const PRODUCTS_IN_LANES: usize = 8 * (i32::MAX as i64 / (LARGEST_SQUARE as i64 * OUTPUT_WEIGHT_LIMIT as i64)) as usize;

/// Whether the lanes must be summed in 64 bits after each accumulator instead of after both.
#[cfg_attr(all(target_arch = "wasm32", not(feature = "simd128")), expect(dead_code, reason = "there is no vector code"))]
const fn totals_each_accumulator(width: usize) -> bool {
    assert!(width <= PRODUCTS_IN_LANES);
    2 * width > PRODUCTS_IN_LANES
}

/// A type of feature weights: eight-bit or sixteen-bit integers. The vector code distinguishes them by size.
pub(super) trait Weight: Pod + Into<i16> {}

impl Weight for i8 {}
impl Weight for i16 {}

/// The loops over vectors, for a file that defines `VECTOR` (numbers per vector), `Vector`, `Sum`, `load`, `store`, `add`, `sub`,
/// `zero_sum`, `accumulate` and `total`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", all(target_arch = "wasm32", feature = "simd128")))]
macro_rules! kernels {
    ($features:literal) => {
        /// Number of vectors processed at once, limited by the number of registers.
        const TILE: usize = 8;

        /// See [`super::Simd::change`].
        #[target_feature(enable = $features)]
        pub(super) fn change<T: $crate::nnue::simd::Weight, const W: usize>(
            weights: &[[T; W]],
            base: &[i16; W],
            added: &[u16],
            removed: &[u16],
            out: &mut [i16; W],
        ) {
            const { assert!(W.is_multiple_of(TILE * VECTOR)) };
            for start in (0..W).step_by(TILE * VECTOR) {
                let mut tile = [load(base, start); TILE];
                for (n, vector) in tile.iter_mut().enumerate().skip(1) {
                    *vector = load(base, start + n * VECTOR);
                }
                for &row in added {
                    let row = &weights[row as usize];
                    for (n, vector) in tile.iter_mut().enumerate() {
                        *vector = add(*vector, load(row, start + n * VECTOR));
                    }
                }
                for &row in removed {
                    let row = &weights[row as usize];
                    for (n, vector) in tile.iter_mut().enumerate() {
                        *vector = sub(*vector, load(row, start + n * VECTOR));
                    }
                }
                for (n, &vector) in tile.iter().enumerate() {
                    store(out, start + n * VECTOR, vector);
                }
            }
        }

        /// See [`super::Simd::activate`].
        #[target_feature(enable = $features)]
        pub(super) fn activate<const W: usize>(accumulators: [&[i16; W]; 2], weights: [&[i16; W]; 2]) -> i64 {
            const { assert!(W.is_multiple_of(2 * VECTOR)) };
            let mut result = 0;
            let mut sums = [zero_sum(); 2];
            for (accumulator, weights) in accumulators.iter().zip(weights) {
                for start in (0..W).step_by(2 * VECTOR) {
                    for (n, sum) in sums.iter_mut().enumerate() {
                        let at = start + n * VECTOR;
                        *sum = accumulate(*sum, load(accumulator, at), load(weights, at));
                    }
                }
                if const { $crate::nnue::simd::totals_each_accumulator(W) } {
                    result += total(sums[0]) + total(sums[1]);
                    sums = [zero_sum(); 2];
                }
            }
            result + total(sums[0]) + total(sums[1])
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_arch = "wasm32", feature = "simd128"))]
mod simd128;

/// An instruction set with vector code. Detection of the processor is in one place, [`Level`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simd {
    /// Portable code.
    Scalar,
    /// x86-64 with 256-bit integer vectors.
    Avx2,
    /// x86-64 with 512-bit vectors of 16-bit numbers.
    Avx512,
    /// 64-bit ARM.
    Neon,
    /// WebAssembly with 128-bit vectors. Runtimes without them reject a module that contains such instructions, so there is no selection
    /// at run time: the loader chooses between two builds.
    Simd128,
}

/// Calls a function of the instruction set's file, or the portable one if the processor lacks the set.
macro_rules! call {
    ($simd:expr, $function:ident($($argument:expr),*)) => {
        match $simd {
            // SAFETY: each arm is taken only if the processor has every feature that its file enables.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if Simd::Avx2.is_available() => unsafe { avx2::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if Simd::Avx512.is_available() => unsafe { avx512::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Simd::Neon if Simd::Neon.is_available() => unsafe { neon::$function($($argument),*) },
            #[cfg(all(target_arch = "wasm32", feature = "simd128"))]
            Simd::Simd128 => simd128::$function($($argument),*),
            _ => scalar::$function($($argument),*),
        }
    };
}

impl Simd {
    /// All instruction sets.
    pub const ALL: [Simd; 5] = [Simd::Scalar, Simd::Avx2, Simd::Avx512, Simd::Neon, Simd::Simd128];

    /// The processor level that includes the instruction set; `None` on other architectures.
    #[inline(always)]
    fn level(self) -> Option<Level> {
        match self {
            Simd::Scalar => Some(Level::Baseline),
            Simd::Avx2 => cfg!(target_arch = "x86_64").then_some(Level::V3),
            Simd::Avx512 => cfg!(target_arch = "x86_64").then_some(Level::V4),
            Simd::Neon => cfg!(target_arch = "aarch64").then_some(Level::Baseline),
            Simd::Simd128 => cfg!(all(target_arch = "wasm32", feature = "simd128")).then_some(Level::Baseline),
        }
    }

    /// Whether this processor has the instruction set. Cheap: a load and a test.
    #[inline(always)]
    pub fn is_available(self) -> bool {
        self.level().is_some_and(Level::is_available)
    }

    /// The widest instruction set that this processor has.
    pub fn best() -> Simd {
        [Simd::Avx512, Simd::Avx2, Simd::Neon, Simd::Simd128].into_iter().find(|simd| simd.is_available()).unwrap_or(Simd::Scalar)
    }

    /// Sets `out` to `base` plus the added rows of `weights` minus the removed rows, with wrapping arithmetic.
    #[inline(always)]
    pub(super) fn change<T: Weight, const W: usize>(
        self,
        weights: &[[T; W]],
        base: &[i16; W],
        added: &[u16],
        removed: &[u16],
        out: &mut [i16; W],
    ) {
        call!(self, change(weights, base, added, removed, out))
    }

    /// The sum of `(clip(accumulator)² >> SQUARE_SHIFT) * weight` over both accumulators.
    #[inline(always)]
    pub(super) fn activate<const W: usize>(self, accumulators: [&[i16; W]; 2], weights: [&[i16; W]; 2]) -> i64 {
        call!(self, activate(accumulators, weights))
    }
}

/// The activation of a hidden unit: clipped, squared and shifted.
#[inline(always)]
fn squared(number: i16) -> i32 {
    let clipped = (number as i32).clamp(0, ACCUMULATOR_ONE);
    (clipped * clipped) >> SQUARE_SHIFT
}

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// Bytes of a cache line.
const LINE: usize = 64;

// SAFETY: the bytes fill the line without padding, and every bit pattern is valid.
unsafe impl Zeroable for Line {}
// SAFETY: as above.
unsafe impl Pod for Line {}

/// A table of numbers aligned to a cache line. Its length is a multiple of a cache line.
#[derive(Clone)]
pub(super) struct Numbers<T = i16>(HugeBox<[Line]>, PhantomData<T>);

impl<T: Pod> Numbers<T> {
    /// Number of cache lines for this many numbers.
    fn lines(length: usize) -> usize {
        debug_assert!((length * size_of::<T>()).is_multiple_of(LINE));
        (length * size_of::<T>()).div_ceil(LINE)
    }

    /// A table of zeros; `length` must fill entire cache lines.
    pub(super) fn zeros(length: usize) -> Numbers<T> {
        Numbers(HugeBox::<[Line]>::zeros(Self::lines(length)), PhantomData)
    }

    /// A table of these numbers, which must fill entire cache lines.
    pub(super) fn from_slice(numbers: &[T]) -> Numbers<T> {
        let mut table = Numbers::zeros(numbers.len());
        table[..numbers.len()].copy_from_slice(numbers);
        table
    }

    /// Appends `length` zeros.
    pub(super) fn grow(&mut self, length: usize) {
        let mut longer = HugeBox::<[Line]>::zeros(self.0.len() + Self::lines(length));
        longer[..self.0.len()].copy_from_slice(&self.0);
        self.0 = longer;
    }

    /// The table as rows of this width.
    #[inline(always)]
    pub(super) fn rows<const W: usize>(&self) -> &[[T; W]] {
        self.as_chunks().0
    }

    /// The table as mutable rows of this width.
    #[inline(always)]
    pub(super) fn rows_mut<const W: usize>(&mut self) -> &mut [[T; W]] {
        self.as_chunks_mut().0
    }
}

impl<T: Pod> Deref for Numbers<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.0)
    }
}

impl<T: Pod> DerefMut for Numbers<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

impl<T: Pod> std::fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} numbers", self.len())
    }
}
