//! Every tuned number of the search in one table: name, default, minimum, maximum and step of a tuning run.
//!
//! In a normal build each row is a constant function. With the feature `tuning` each row is a variable that `set` changes
//! by name, so that a tuner can drive the engine from outside.
//!
//! Scores and margins are in centipawns, depths in plies, unless a row says otherwise. A divisor is the amount of a statistic that
//! makes one unit.

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name, also of the option under the feature `tuning`.
    pub name: &'static str,
    /// Value in normal builds.
    pub default: i32,
    /// Minimum.
    pub min: i32,
    /// Maximum.
    pub max: i32,
    /// Size of the last steps of a tuning run (`c_end` of SPSA).
    pub step: f64,
}

/// Why a parameter was not changed.
#[cfg(feature = "tuning")]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// The table has no such row.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// The row takes no such value.
    #[error("'{name}' takes {min} to {max}, not {value}")]
    Range {
        /// Name of the row.
        name: &'static str,
        /// The value that was given.
        value: i32,
        /// Smallest value that the row takes.
        min: i32,
        /// Largest value that the row takes.
        max: i32,
    },
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
            pub(super) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                variables::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        /// Changes a value for all later searches.
        ///
        /// # Errors
        /// When there is no such row or the value is out of its range.
        #[cfg(feature = "tuning")]
        pub fn set(name: &str, value: i32) -> Result<(), ParameterError> {
            let row = ALL.iter().find(|row| row.name == name).ok_or_else(|| ParameterError::Unknown(name.into()))?;
            if !(row.min..=row.max).contains(&value) {
                return Err(ParameterError::Range { name: row.name, value, min: row.min, max: row.max });
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
    // Aspiration windows and the root.

    /// Aspiration: half width of the first window.
    aspiration_width: 14, 5, 40, 2.0;
    /// Aspiration: growth of the window after a fail, percent.
    aspiration_growth: 55, 20, 150, 8.0;
    /// Aspiration: first depth with a window.
    aspiration_depth: 4, 1, 8, 0.5;
    /// Aspiration: square of the expected score that widens the window by one.
    aspiration_spread: 16000, 4000, 64000, 2000.0;
    /// Aspiration: width at which the window is opened.
    aspiration_limit: 1500, 500, 4000, 150.0;
    /// Root: weight of the average against a new score of 1.
    root_average_weight: 1, 1, 6, 0.5;
    /// Root: depth at which the only legal move is played.
    only_move_depth: 6, 1, 12, 0.5;
    /// Root: iterations for each ply of a mate before it counts as final.
    settled_mate_depth: 2, 1, 6, 0.5;

    // Table and static evaluation.

    /// Table: depth from which a cutoff asks the position after the hash move too.
    table_check_depth: 8, 4, 14, 0.5;
    /// Table: the opponent's first quiet moves that a cutoff blames.
    table_blame_count: 3, 0, 6, 0.5;
    /// Table: up to this depth a cutoff needs a score on the expected side of beta.
    table_cut_depth: 5, 0, 12, 1.0;
    /// Evaluation change: history of the opponent's quiet move for each centipawn.
    evaluation_change_slope: 7, 2, 24, 1.0;
    /// Evaluation change: limit of that history.
    evaluation_change_limit: 1200, 400, 3000, 120.0;
    /// Evaluation change: constant part.
    evaluation_change_base: 300, -400, 1200, 60.0;
    /// Hindsight: parent's reduction from which a ply is given back, 1024ths.
    hindsight_deeper: 3072, 1024, 6144, 300.0;
    /// Hindsight: parent's reduction from which a ply may be taken off, 1024ths.
    hindsight_shallower: 1024, 512, 4096, 250.0;
    /// Hindsight: sum of both sides' evaluations over which a ply is taken off.
    hindsight_margin: 120, 30, 300, 15.0;
    /// Hindsight: minimum depth of taking a ply off.
    hindsight_depth: 2, 1, 6, 0.5;

    // Pruning of whole nodes.

    /// Razoring: margin at depth 0.
    razoring_base: 264, 100, 500, 25.0;
    /// Razoring: margin for each depth squared.
    razoring_depth: 183, 80, 400, 20.0;

    /// Reverse futility: maximum depth.
    reverse_futility_depth: 11, 5, 16, 1.0;
    /// Reverse futility: margin of a ply.
    reverse_futility_margin: 38, 30, 140, 6.0;
    /// Reverse futility: margin of a ply squared.
    reverse_futility_square: 10, 0, 16, 1.0;
    /// Reverse futility: less when improving.
    reverse_futility_improving: 33, 10, 140, 6.0;
    /// Reverse futility: divisor of the correction that widens the margin.
    reverse_futility_correction: 4, 1, 16, 0.5;
    /// Reverse futility: share of beta in the returned score, thirds.
    reverse_futility_blend: 2, 0, 3, 0.5;

    /// Null move: static evaluation may be this far under beta at depth 0.
    null_base: 185, 50, 400, 20.0;
    /// Null move: less for each ply.
    null_depth: 20, 5, 40, 2.0;
    /// Null move: constant part of the reduction, plies.
    null_reduction: 4, 2, 7, 0.5;
    /// Null move: plies for one more ply of reduction.
    null_reduction_depth: 3, 2, 6, 0.5;
    /// Null move: estimate above beta for one more ply of reduction.
    null_reduction_eval: 179, 80, 400, 15.0;
    /// Null move: limit of the reduction by the estimate, plies.
    null_reduction_eval_limit: 4, 1, 8, 0.5;
    /// Null move: minimum depth of a verification search.
    null_verification_depth: 14, 8, 24, 1.0;
    /// Null move: part of the verification without null moves, quarters.
    null_verification_share: 3, 1, 4, 0.5;

    /// Internal iterative reduction: minimum depth.
    iterative_reduction_depth: 4, 2, 9, 0.5;

    /// ProbCut: the capture has to beat beta by this.
    probcut_margin: 161, 80, 400, 16.0;
    /// ProbCut: less when improving.
    probcut_improving: 50, 0, 150, 8.0;
    /// ProbCut: minimum depth.
    probcut_depth: 4, 3, 9, 0.5;
    /// ProbCut: plies taken off the search of the capture.
    probcut_reduction: 4, 2, 7, 0.5;
    /// ProbCut: plies by which the table's depth may fall short to advise against it.
    probcut_table_depth: 3, 1, 6, 0.5;
    /// Small ProbCut: table bound above beta.
    small_probcut_margin: 400, 200, 800, 30.0;
    /// Small ProbCut: plies by which the table's depth may fall short.
    small_probcut_depth: 4, 1, 7, 0.5;

    // Pruning of single moves.

    /// Move pruning: divisor of the history that changes the reduced depth.
    pruning_depth_history: 8, 2, 32, 1.0;
    /// Late-move pruning: moves at depth 0.
    late_move_base: 4, 1, 8, 0.5;

    /// Futility of quiets: margin at depth 0.
    futility_base: 48, 20, 200, 8.0;
    /// Futility of quiets: margin of a reduced ply.
    futility_depth: 102, 40, 180, 8.0;
    /// Futility of quiets: history for one centipawn.
    futility_history: 96, 32, 256, 8.0;
    /// Futility of quiets: reduced depth from which it ends.
    futility_limit: 9, 5, 14, 1.0;
    /// Futility of captures: margin at depth 0.
    capture_futility_base: 203, 80, 400, 16.0;
    /// Futility of captures: margin of a reduced ply.
    capture_futility_depth: 148, 80, 340, 16.0;
    /// Futility of captures: history for one centipawn.
    capture_futility_history: 32, 8, 128, 4.0;
    /// Futility of captures: reduced depth from which it ends.
    capture_futility_limit: 7, 3, 12, 1.0;

    /// History pruning: limit for each ply.
    history_pruning: 3372, 1500, 7000, 250.0;
    /// History pruning: reduced depth from which it ends.
    history_pruning_limit: 8, 3, 14, 1.0;
    /// Exchange pruning of quiets: loss allowed for a reduced ply squared.
    exchange_quiet: 22, 8, 60, 3.0;
    /// Exchange pruning of quiet checks: loss allowed for a ply.
    exchange_check: 141, 40, 300, 12.0;
    /// Exchange pruning of captures: loss allowed for a ply.
    exchange_capture: 122, 40, 240, 10.0;
    /// Exchange pruning of captures: history for one centipawn.
    exchange_capture_history: 32, 8, 128, 4.0;

    // Extensions.

    /// Singular search: margin of a ply, 64ths of a centipawn.
    singular_margin: 57, 20, 160, 8.0;
    /// Singular search: minimum depth.
    singular_depth: 6, 4, 9, 0.5;
    /// Singular search: plies by which the table's depth may fall short.
    singular_table_depth: 3, 1, 6, 0.5;
    /// Singular search: under the bound by this for a double extension.
    double_margin: 20, 0, 60, 4.0;
    /// Singular search: under the bound by this for a triple extension.
    triple_margin: 76, 30, 250, 10.0;
    /// Singular search: more for a triple extension of a capture.
    triple_capture_margin: 60, 0, 200, 10.0;
    /// Singular search: more for both at principal-variation nodes.
    singular_pv_margin: 200, 0, 500, 20.0;
    /// Singular search: divisor of the correction that adds to both.
    singular_correction: 8, 1, 32, 1.0;
    /// Singular search: under this depth a double extension deepens the other moves too.
    singular_deeper_depth: 14, 6, 20, 1.0;
    /// Negative extension: plies off when the table's score is over beta.
    negative_extension_beta: 3, 0, 5, 0.5;
    /// Negative extension: plies off at other expected cut nodes.
    negative_extension_cut: 2, 0, 4, 0.5;
    /// Extensions: deepest ply in multiples of the iteration's depth.
    extension_plies_depth: 2, 1, 4, 0.5;
    /// Extensions: constant part of the deepest ply.
    extension_plies_base: 16, 0, 40, 4.0;

    // Reductions and searches after them.

    /// Late-move reduction: factor of the product of logarithms, 1024ths.
    reduction_factor: 568, 250, 800, 25.0;
    /// Late-move reduction: constant part, 1024ths.
    reduction_base: 1184, 0, 2000, 80.0;
    /// Less at nodes that are or were on a principal variation.
    reduction_table_pv: 1006, 400, 2400, 100.0;
    /// Less at principal-variation nodes.
    reduction_pv: 700, 0, 2000, 100.0;
    /// Less at principal-variation nodes by the window's share in the root's.
    reduction_window: 500, 0, 1500, 80.0;
    /// Less when the table's score is over alpha.
    reduction_hash_high: 566, 0, 2000, 100.0;
    /// Less when the table's depth is at least the node's.
    reduction_hash_deep: 400, 0, 2000, 100.0;
    /// Less for each move tried before: the logarithm grows too fast.
    reduction_count: 30, 0, 120, 8.0;
    /// More where all moves are expected to fail low: share of the reduction at depth 0, 1024ths.
    reduction_all_node: 864, 0, 3072, 150.0;
    /// More at expected cut nodes.
    reduction_cut_node: 2356, 600, 3000, 120.0;
    /// More without hash move at expected cut nodes.
    reduction_no_hash_move: 937, 0, 2000, 100.0;
    /// More when not improving.
    reduction_not_improving: 914, 0, 2000, 100.0;
    /// More when the hash move is a capture.
    reduction_hash_capture: 634, 0, 2000, 100.0;
    /// More when the child's moves failed high often.
    reduction_cutoff_count: 874, 0, 2000, 100.0;
    /// Fail highs of the child's moves that are not yet often.
    reduction_cutoff_limit: 2, 0, 6, 0.5;
    /// Less when the move gives check.
    reduction_check: 872, 0, 2000, 100.0;
    /// Less for each 1024 of history.
    reduction_history: 100, 40, 240, 10.0;
    /// Less for each 1024 of history of a capture.
    reduction_capture_history: 200, 20, 500, 20.0;
    /// Less for each centipawn of correction.
    reduction_correction: 6, 0, 30, 2.0;
    /// Weight of the from-to history in the history of a quiet move.
    reduction_main_weight: 2, 0, 5, 0.5;

    /// Search after a reduction: one ply deeper over the best score by this.
    deeper_margin: 37, 10, 120, 6.0;
    /// Search after a reduction: more of it for each ply.
    deeper_depth: 2, 0, 8, 0.5;
    /// Search after a reduction: one ply shallower when less over the best score.
    shallower_margin: 8, 0, 40, 3.0;
    /// Full search of the hash move: root depth from which it stays out of quiescence.
    hash_move_root_depth: 8, 2, 16, 1.0;
    /// Raised alpha: depth over which the other moves lose a ply.
    raised_alpha_least: 2, 1, 6, 0.5;
    /// Raised alpha: depth from which they do not.
    raised_alpha_most: 14, 6, 24, 1.0;

    // Quiescence.

    /// Quiescence: plies in which quiet checks are tried.
    quiescence_checks: 1, 0, 3, 0.5;
    /// Quiescence: evaluation this far under alpha gives a capture up.
    quiescence_futility: 153, 80, 400, 16.0;
    /// Quiescence: loss in exchange allowed.
    quiescence_exchange: 37, 0, 200, 10.0;
    /// Quiescence: captures that need no other reason to be searched.
    quiescence_captures: 3, 1, 8, 0.5;
    /// Quiescence: evasions searched when they are quiet.
    quiescence_evasions: 3, 1, 8, 0.5;

    // Histories.

    /// History bonus: slope of a ply.
    history_bonus_depth: 208, 60, 350, 15.0;
    /// History bonus: constant part.
    history_bonus_base: 54, 0, 300, 15.0;
    /// History bonus: limit.
    history_bonus_limit: 1925, 800, 3000, 100.0;
    /// History bonus: more for the hash move.
    history_bonus_hash: 200, 0, 800, 30.0;
    /// History malus: slope of a ply.
    history_malus_depth: 266, 60, 500, 20.0;
    /// History malus: constant part.
    history_malus_base: 67, 0, 400, 15.0;
    /// History malus: limit.
    history_malus_limit: 1482, 600, 3000, 100.0;
    /// History malus: what each further quiet move gets of the one before, 16ths.
    history_malus_decay: 15, 8, 16, 0.5;
    /// Fail low: share of the bonus for the opponent's last move, percent.
    fail_low_base: 48, 0, 200, 10.0;
    /// Fail low: more when that move came late.
    fail_low_late: 30, 0, 150, 10.0;
    /// Fail low: moves tried before a late one.
    fail_low_late_count: 8, 2, 20, 1.0;
    /// Fail low: more when the search was deep.
    fail_low_deep: 40, 0, 150, 10.0;
    /// Fail low: divisor of that move's history, which takes from the share.
    fail_low_history: 250, 50, 1000, 40.0;
    /// Fail low: depth over which it was.
    fail_low_deep_depth: 5, 2, 12, 0.5;

    // Move ordering.

    /// Quiet ordering: bonus of a safe check.
    order_check: 13000, 2000, 20000, 800.0;
    /// Quiet ordering: weight of leaving the reach of a lesser attacker.
    order_escape: 11800, 2000, 24000, 800.0;
    /// Quiet ordering: times that weight for a rook.
    order_escape_rook: 2, 1, 5, 0.5;
    /// Quiet ordering: weight of the from-to history.
    order_main: 2, 0, 5, 0.5;
    /// Quiet ordering: weight of the pawn-structure history.
    order_pawn: 2, 0, 5, 0.5;
    /// Quiet ordering: weight of the history near the root.
    order_low_ply: 8, 0, 20, 1.0;
    /// Quiet ordering: score under which moves come after the losing captures.
    order_good_quiet: -5756, -20000, 0, 800.0;
    /// Capture ordering: weight of the captured piece's value.
    order_victim: 8, 2, 20, 1.0;
    /// Capture ordering: divisor of the score that a good capture's exchange may lose.
    order_good_capture: 27, 8, 96, 3.0;

    /// Exchanges: value of an advisor.
    value_advisor: 117, 50, 250, 8.0;
    /// Exchanges: value of an elephant.
    value_elephant: 113, 50, 250, 8.0;
    /// Exchanges: value of a horse.
    value_horse: 248, 150, 450, 12.0;
    /// Exchanges: value of a rook.
    value_rook: 595, 400, 900, 20.0;
    /// Exchanges: value of a cannon.
    value_cannon: 301, 150, 450, 12.0;
    /// Exchanges: value of a pawn.
    value_pawn: 77, 30, 200, 8.0;

    // Correction history.

    /// Correction: weight of the pawn history, 1024ths.
    correction_pawn: 765, 300, 2500, 100.0;
    /// Correction: weight of the minor-piece history, 1024ths.
    correction_minor: 939, 300, 2500, 100.0;
    /// Correction: weight of the two non-pawn histories, 1024ths.
    correction_non_pawn: 986, 300, 2500, 100.0;
    /// Correction: weight of the continuation history, 1024ths.
    correction_continuation: 930, 300, 2500, 100.0;
    /// Correction: divisor of error times depth in an update.
    correction_depth: 8, 2, 24, 1.0;

    // Time and threads.

    /// Time: moves that the rest of a game is planned for.
    time_expected_moves: 38, 20, 60, 2.0;
    /// Time: increments counted on, in multiples of the time left.
    time_increment_share: 4, 1, 8, 0.5;
    /// Time: maximum share of the time left for a move, percent.
    time_move_share: 55, 25, 75, 4.0;
    /// Time: the same for the last move before a time control, percent.
    time_last_move_share: 80, 50, 90, 4.0;
    /// Time: hard limit in multiples of the soft one.
    time_hard_factor: 4, 2, 8, 0.5;
    /// Time: share of the soft limit, percent, when the best move took no nodes.
    time_node_base: 215, 150, 300, 10.0;
    /// Time: less when the best move took all nodes, percent.
    time_node_slope: 150, 80, 250, 10.0;
    /// Time: factor after a change of the best move, percent.
    time_stability_base: 130, 100, 180, 6.0;
    /// Time: less for each iteration with the same best move, percent.
    time_stability_slope: 7, 2, 15, 1.0;
    /// Time: iterations with the same best move that count.
    time_stability_limit: 8, 3, 12, 1.0;
    /// Time: more for each change of the best move, later ones counting more, percent.
    time_change_slope: 12, 0, 60, 4.0;
    /// Time: more for each centipawn that the score fell, 1000ths.
    time_score_slope: 8, 2, 25, 2.0;
    /// Time: least factor of the score, 1000ths.
    time_score_least: 800, 500, 1000, 40.0;
    /// Time: greatest factor of the score, 1000ths.
    time_score_most: 1600, 1100, 2500, 80.0;
    /// Time: weight of the average that the score is compared with, against 1 of the new score.
    time_average_weight: 2, 1, 8, 0.5;
    /// Vote of the threads: weight of a thread whose score is the lowest.
    vote_base: 12, 1, 60, 4.0;
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
