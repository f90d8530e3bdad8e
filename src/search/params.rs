//! Every tuned number of the search, in one table: name, default, least, greatest and step of a tuning run.
//!
//! Floor 4. In a normal build each row is a constant function. Under the feature `tuning` each is a variable that
//! `set` changes by its name, so that a tuner can drive the engine from outside.

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name, also of the option under the feature `tuning`.
    pub name: &'static str,
    /// Value in normal builds.
    pub default: i32,
    /// Least value that makes sense.
    pub min: i32,
    /// Greatest value that makes sense.
    pub max: i32,
    /// Size of the last steps of a tuning run (`c_end` of SPSA).
    pub step: f64,
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $min:literal, $max:literal, $step:literal;)*) => {
        /// All rows in the order of the table.
        pub const ALL: &[Parameter] = &[
            $(Parameter { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
        ];

        #[cfg(feature = "tuning")]
        mod variables {
            #![allow(non_upper_case_globals)]
            use std::sync::atomic::AtomicI32;
            $(pub static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                variables::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Changes a value for all searches from now on.
        ///
        /// # Errors
        /// A sentence when there is no such row or the value is out of its range.
        #[cfg(feature = "tuning")]
        pub fn set(name: &str, value: i32) -> Result<(), String> {
            let row = ALL.iter().find(|row| row.name == name).ok_or_else(|| format!("there is no parameter '{name}'"))?;
            if !(row.min..=row.max).contains(&value) {
                return Err(format!("'{name}' takes {} to {}, not {value}", row.min, row.max));
            }
            match name {
                $(stringify!($name) => variables::$name.store(value, std::sync::atomic::Ordering::Relaxed),)*
                _ => {}
            }
            Ok(())
        }
    };
}

parameters! {
    /// Half width of the first aspiration window, centipawns.
    aspiration_width: 14, 5, 40, 2.0;
    /// Growth of the window after a fail, percent.
    aspiration_growth: 55, 20, 150, 8.0;

    /// Razoring: margin at depth 0.
    razoring_base: 260, 100, 500, 25.0;
    /// Razoring: margin for each depth squared.
    razoring_depth: 180, 80, 400, 20.0;

    /// Reverse futility: greatest depth.
    reverse_futility_depth: 11, 5, 16, 1.0;
    /// Reverse futility: margin of a ply.
    reverse_futility_margin: 72, 30, 140, 6.0;
    /// Reverse futility: taken off when improving.
    reverse_futility_improving: 58, 10, 140, 6.0;

    /// Null move: static evaluation may lie this far under beta at depth 0.
    null_base: 220, 50, 400, 20.0;
    /// Null move: taken off for each ply.
    null_depth: 18, 5, 40, 2.0;
    /// Null move: reduction before the terms below, in plies.
    null_reduction: 4, 2, 7, 0.5;
    /// Null move: plies for one more ply of reduction.
    null_reduction_depth: 3, 2, 6, 0.5;
    /// Null move: evaluation above beta for one more ply of reduction.
    null_reduction_eval: 190, 80, 400, 15.0;
    /// Null move: depth from which a verification search is made.
    null_verification_depth: 14, 8, 24, 1.0;

    /// ProbCut: the capture has to beat beta by this.
    probcut_margin: 190, 80, 400, 16.0;
    /// ProbCut: less when improving.
    probcut_improving: 50, 0, 150, 8.0;
    /// Small ProbCut: table bound above beta.
    small_probcut_margin: 400, 200, 800, 30.0;

    /// Late-move pruning: moves at depth 0.
    late_move_base: 4, 1, 8, 0.5;

    /// Futility of quiets: margin at depth 0.
    futility_base: 75, 20, 200, 8.0;
    /// Futility of quiets: margin of a reduced ply.
    futility_depth: 92, 40, 180, 8.0;
    /// Futility of quiets: history for one centipawn.
    futility_history: 96, 32, 256, 8.0;
    /// Futility of quiets: greatest reduced depth.
    futility_limit: 9, 5, 14, 1.0;
    /// Futility of captures: margin at depth 0.
    capture_futility_base: 200, 80, 400, 16.0;
    /// Futility of captures: margin of a reduced ply.
    capture_futility_depth: 170, 80, 340, 16.0;

    /// History pruning: bound of a ply.
    history_pruning: 3400, 1500, 7000, 250.0;
    /// Exchange pruning of quiets: loss allowed for a reduced ply squared.
    exchange_quiet: 22, 8, 60, 3.0;
    /// Exchange pruning of captures: loss allowed for a ply.
    exchange_capture: 110, 40, 240, 10.0;

    /// Singular search: margin of a ply, 64ths of a centipawn.
    singular_margin: 56, 20, 160, 8.0;
    /// Singular search: least depth.
    singular_depth: 6, 4, 9, 0.5;
    /// Singular search: under the bound by this for a double extension.
    double_margin: 18, 0, 60, 4.0;
    /// Singular search: under the bound by this for a triple extension.
    triple_margin: 90, 30, 250, 10.0;

    /// Late-move reduction: factor of the product of logarithms, 1024ths.
    reduction_factor: 430, 250, 800, 25.0;
    /// Late-move reduction: constant part, 1024ths.
    reduction_base: 560, 0, 1500, 60.0;
    /// Less at nodes that are or were on a principal variation.
    reduction_table_pv: 1250, 400, 2400, 100.0;
    /// Less at principal-variation nodes.
    reduction_pv: 700, 0, 2000, 100.0;
    /// More at expected cut nodes.
    reduction_cut_node: 1700, 600, 3000, 120.0;
    /// More without hash move at expected cut nodes.
    reduction_no_hash_move: 900, 0, 2000, 100.0;
    /// More when not improving.
    reduction_not_improving: 700, 0, 2000, 100.0;
    /// More when the hash move is a capture.
    reduction_hash_capture: 900, 0, 2000, 100.0;
    /// More when the child's moves failed high often.
    reduction_cutoff_count: 800, 0, 2000, 100.0;
    /// Less when the move gives check.
    reduction_check: 900, 0, 2000, 100.0;
    /// Less for each 1024 of history.
    reduction_history: 105, 40, 240, 10.0;
    /// Less for each 1024 of history of a capture.
    reduction_capture_history: 200, 20, 500, 20.0;
    /// Less for each centipawn of correction.
    reduction_correction: 6, 0, 30, 2.0;

    /// Quiescence: evaluation this far under alpha gives a capture up.
    quiescence_futility: 190, 80, 400, 16.0;
    /// Quiescence: loss in exchange allowed.
    quiescence_exchange: 40, 0, 200, 10.0;

    /// History bonus: slope of a ply.
    history_bonus_depth: 170, 60, 350, 15.0;
    /// History bonus: constant part.
    history_bonus_base: 80, 0, 300, 15.0;
    /// History bonus: ceiling.
    history_bonus_limit: 1700, 800, 3000, 100.0;
    /// History malus: slope of a ply.
    history_malus_depth: 200, 60, 500, 20.0;
    /// History malus: constant part.
    history_malus_base: 90, 0, 400, 15.0;
    /// History malus: ceiling.
    history_malus_limit: 1400, 600, 3000, 100.0;

    /// Quiet ordering: bonus of a safe check.
    order_check: 9000, 2000, 20000, 800.0;
    /// Quiet ordering: weight of leaving the reach of a lesser attacker.
    order_escape: 11000, 2000, 24000, 800.0;

    /// Correction: weight of the pawn history, 1024ths.
    correction_pawn: 1000, 300, 2500, 100.0;
    /// Correction: weight of the minor-piece history, 1024ths.
    correction_minor: 800, 300, 2500, 100.0;
    /// Correction: weight of the two non-pawn histories, 1024ths.
    correction_non_pawn: 900, 300, 2500, 100.0;
    /// Correction: weight of the continuation history, 1024ths.
    correction_continuation: 800, 300, 2500, 100.0;

    /// Time: share of the soft limit at best, percent, when the best move took all nodes.
    time_node_base: 215, 150, 300, 10.0;
    /// Time: how much the share of the best move's nodes saves, percent.
    time_node_slope: 150, 80, 250, 10.0;
    /// Time: factor of an unstable best move, percent.
    time_stability_base: 130, 100, 180, 6.0;
    /// Time: saved for each iteration with the same best move, percent.
    time_stability_slope: 7, 2, 15, 1.0;
    /// Time: more for each centipawn that the score fell, 1000ths.
    time_score_slope: 8, 2, 25, 2.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sound() {
        for (index, row) in ALL.iter().enumerate() {
            assert!(row.min <= row.default && row.default <= row.max && row.step > 0.0, "{}", row.name);
            assert!(ALL[..index].iter().all(|other| other.name != row.name), "{} occurs twice", row.name);
        }
    }
}
