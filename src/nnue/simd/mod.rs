//! The vector code: the same two functions for every instruction set, bit for bit equal, chosen at run time.
//!
//! Each file has the handful of vector operations of its instruction set; the loops over them are written once, in the macro
//! below. The portable code is the reference.

use super::{ACCUMULATOR_ONE, HIDDEN, Row, SQUARE_SHIFT};

mod scalar;

/// The two loops over vectors, for a file that has `VECTOR` (numbers in a vector), `Vector`, `Sum`, `load`, `store`, `add`,
/// `sub`, `zero_sum`, `accumulate` and `total`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! kernels {
    ($features:literal) => {
        /// Vectors worked on at once: as many as registers hold.
        const TILE: usize = if $crate::nnue::HIDDEN / VECTOR < 8 { $crate::nnue::HIDDEN / VECTOR } else { 8 };
        const _: () = assert!($crate::nnue::HIDDEN % (TILE * VECTOR) == 0);

        /// See [`super::Simd::change`].
        #[target_feature(enable = $features)]
        pub(super) fn change(weights: &[Row], base: &Row, added: &[u16], removed: &[u16], out: &mut Row) {
            for start in (0..$crate::nnue::HIDDEN).step_by(TILE * VECTOR) {
                let mut tile = [load(&base.0, start); TILE];
                for (n, vector) in tile.iter_mut().enumerate().skip(1) {
                    *vector = load(&base.0, start + n * VECTOR);
                }
                for &row in added {
                    let row = &weights[row as usize].0;
                    for (n, vector) in tile.iter_mut().enumerate() {
                        *vector = add(*vector, load(row, start + n * VECTOR));
                    }
                }
                for &row in removed {
                    let row = &weights[row as usize].0;
                    for (n, vector) in tile.iter_mut().enumerate() {
                        *vector = sub(*vector, load(row, start + n * VECTOR));
                    }
                }
                for (n, &vector) in tile.iter().enumerate() {
                    store(&mut out.0, start + n * VECTOR, vector);
                }
            }
        }

        /// See [`super::Simd::activate`].
        #[target_feature(enable = $features)]
        pub(super) fn activate(views: [&Row; 2], weights: &[Row; 2]) -> i64 {
            let mut sums = [zero_sum(); 2];
            for (view, weights) in views.iter().zip(weights) {
                for start in (0..$crate::nnue::HIDDEN).step_by(2 * VECTOR) {
                    for (n, sum) in sums.iter_mut().enumerate() {
                        let at = start + n * VECTOR;
                        *sum = accumulate(*sum, load(&view.0, at), load(&weights.0, at));
                    }
                }
            }
            total(sums[0]) + total(sums[1])
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

/// An instruction set that the vector code is written for.
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
}

/// Calls a function of the instruction set's file, or the portable one where the processor lacks the set.
macro_rules! call {
    ($simd:expr, $function:ident($($argument:expr),*)) => {
        match $simd {
            // SAFETY: each arm is taken only when the processor has every feature that its file enables.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if Simd::Avx2.is_available() => unsafe { avx2::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 if Simd::Avx512.is_available() => unsafe { avx512::$function($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "aarch64")]
            Simd::Neon if Simd::Neon.is_available() => unsafe { neon::$function($($argument),*) },
            _ => scalar::$function($($argument),*),
        }
    };
}

impl Simd {
    /// All of them.
    pub const ALL: [Simd; 4] = [Simd::Scalar, Simd::Avx2, Simd::Avx512, Simd::Neon];

    /// Whether this processor has the instruction set. The answer is cached by the standard library: a load and a test.
    #[inline(always)]
    pub fn is_available(self) -> bool {
        match self {
            Simd::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => std::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("avx512bw"),
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// The widest instruction set that this processor has.
    pub fn best() -> Simd {
        [Simd::Avx512, Simd::Avx2, Simd::Neon].into_iter().find(|simd| simd.is_available()).unwrap_or(Simd::Scalar)
    }

    /// `out` = `base` and the added rows of `weights`, less the removed rows. Numbers wrap.
    #[inline(always)]
    pub(super) fn change(self, weights: &[Row], base: &Row, added: &[u16], removed: &[u16], out: &mut Row) {
        call!(self, change(weights, base, added, removed, out))
    }

    /// The sum of `(clip(view)² >> SQUARE_SHIFT) * weight` over both views.
    #[inline(always)]
    pub(super) fn activate(self, views: [&Row; 2], weights: &[Row; 2]) -> i64 {
        call!(self, activate(views, weights))
    }
}

/// The number of a hidden unit, clipped and squared.
#[inline(always)]
fn squared(number: i16) -> i32 {
    let clipped = (number as i32).clamp(0, ACCUMULATOR_ONE);
    clipped * clipped >> SQUARE_SHIFT
}

const _: () = assert!(size_of::<Row>() == 2 * HIDDEN);
