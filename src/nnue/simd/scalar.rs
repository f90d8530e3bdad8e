//! Portable code, the reference for the others.

use super::{Row, squared};

/// See [`super::Simd::change`].
pub(super) fn change(weights: &[Row], base: &Row, added: &[u16], removed: &[u16], out: &mut Row) {
    *out = *base;
    for &row in added {
        for (number, weight) in out.0.iter_mut().zip(&weights[row as usize].0) {
            *number = number.wrapping_add(*weight);
        }
    }
    for &row in removed {
        for (number, weight) in out.0.iter_mut().zip(&weights[row as usize].0) {
            *number = number.wrapping_sub(*weight);
        }
    }
}

/// See [`super::Simd::activate`].
pub(super) fn activate(views: [&Row; 2], weights: &[Row; 2]) -> i64 {
    let mut total = 0;
    for (view, weights) in views.iter().zip(weights) {
        for (&number, &weight) in view.0.iter().zip(&weights.0) {
            total += (squared(number) * weight as i32) as i64;
        }
    }
    total
}
