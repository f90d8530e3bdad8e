//! How much less deep late moves are searched, in 1024ths of a ply. Floor 4.

use super::params;

/// Natural logarithms of 1 to 255 in 1024ths, by whole numbers only, so that every machine has the same.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 2;
    while n < 256 {
        // log2 in 1/65536: the whole part from the bit length, the rest by squaring the mantissa.
        let whole = 63 - (n as u64).leading_zeros() as i64;
        let mut mantissa = ((n as u64) << 32) >> whole;
        let mut fraction = 0i64;
        let mut bit = 1 << 15;
        while bit > 0 {
            mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
            if mantissa >= 2 << 32 {
                mantissa >>= 1;
                fraction |= bit;
            }
            bit >>= 1;
        }
        // ln 2 is 45426 / 65536.
        table[n] = ((((whole << 16) | fraction) * 45426) >> 22) as i32;
        n += 1;
    }
    table
};

fn logarithm(n: i32) -> i32 {
    LOGARITHMS[n.clamp(1, 255) as usize]
}

/// The reduction by depth and move number alone.
#[inline]
pub(super) fn base(depth: i32, move_number: i32) -> i32 {
    params::reduction_base() + ((logarithm(depth) * logarithm(move_number)) >> 10) * params::reduction_factor() / 1024
}

/// What is known of a node and a move when its reduction is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    pub(super) pv: bool,
    pub(super) table_pv: bool,
    pub(super) cut_node: bool,
    pub(super) has_hash_move: bool,
    pub(super) hash_move_is_capture: bool,
    pub(super) improving: bool,
    pub(super) gives_check: bool,
    pub(super) is_capture: bool,
    /// History of the move.
    pub(super) history: i32,
    /// Correction of the evaluation, centipawns.
    pub(super) correction: i32,
    /// How often moves of the child's siblings failed high.
    pub(super) cutoffs: i32,
}

/// All terms that depend on the circumstances.
#[inline]
pub(super) fn adjustment(of: &Circumstances) -> i32 {
    let mut reduction = 0;
    if of.table_pv {
        reduction -= params::reduction_table_pv();
    }
    if of.pv {
        reduction -= params::reduction_pv();
    }
    if of.cut_node {
        reduction += params::reduction_cut_node();
        if !of.has_hash_move {
            reduction += params::reduction_no_hash_move();
        }
    }
    if !of.improving {
        reduction += params::reduction_not_improving();
    }
    if of.hash_move_is_capture {
        reduction += params::reduction_hash_capture();
    }
    if of.gives_check {
        reduction -= params::reduction_check();
    }
    if of.cutoffs > 2 {
        reduction += params::reduction_cutoff_count();
    }
    reduction -= of.correction.abs() * params::reduction_correction();
    reduction
        - if of.is_capture {
            of.history * params::reduction_capture_history() / 1024
        } else {
            of.history * params::reduction_history() / 1024
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for n in 1..256 {
            let exact = (n as f64).ln() * 1024.0;
            assert!((logarithm(n) as f64 - exact).abs() < 1.5, "{n}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        for depth in 2..60 {
            for number in 2..60 {
                assert!(base(depth, number) <= base(depth + 1, number) && base(depth, number) <= base(depth, number + 1));
            }
        }
    }
}
