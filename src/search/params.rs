//! All tunable parameters of the search in one table: name, default, minimum, maximum and step of a tuning run.
//!
//! In a normal build each row is a constant function. With the feature `tuning` each row is a variable that `set` changes by name,
//! so that an external tuner can control the engine.
//!
//! Scores and margins are in centipawns and depths in plies unless stated otherwise. A divisor is the amount of a statistic that is
//! worth one unit.

/// A tunable parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name, also of the protocol option with the feature `tuning`.
    pub name: &'static str,
    /// Default, and the value in normal builds.
    pub default: i32,
    /// Minimum.
    pub min: i32,
    /// Maximum.
    pub max: i32,
    /// Size of the final steps of a tuning run (`c_end` of SPSA).
    pub step: f64,
}

/// An error from changing a parameter.
#[cfg(feature = "tuning")]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// There is no parameter with this name.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// The value is out of range.
    #[error("'{name}' takes {min} to {max}, not {value}")]
    Range {
        /// Name of the parameter.
        name: &'static str,
        /// The rejected value.
        value: i32,
        /// Minimum.
        min: i32,
        /// Maximum.
        max: i32,
    },
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $min:literal, $max:literal, $step:literal;)*) => {
        /// All parameters in table order.
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
        /// If there is no such parameter or the value is out of range.
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
    aspiration_width: 20, 5, 40, 2.0;
    /// Aspiration: growth of the window after a fail low or fail high, percent.
    aspiration_growth: 74, 20, 150, 8.0;
    /// Aspiration: first depth with a narrowed window.
    aspiration_depth: 4, 1, 8, 0.5;
    /// Aspiration: divisor of the squared expected score that widens the window.
    aspiration_spread: 15848, 4000, 64000, 2000.0;
    /// Aspiration: width at which the window is opened fully.
    aspiration_limit: 1500, 500, 4000, 150.0;
    /// Root: weight of the running average, relative to 1 for a new score.
    root_average_weight: 1, 1, 6, 0.5;
    /// Root: depth at which the only legal move is played.
    only_move_depth: 6, 1, 12, 0.5;
    /// Root: depth per ply of a mate at which it counts as final.
    settled_mate_depth: 2, 1, 6, 0.5;

    // Table and static evaluation.

    /// Table: depth from which a cutoff also probes the position after the hash move.
    table_check_depth: 8, 4, 14, 0.5;
    /// Table: a cutoff penalises the opponent's last move if it is quiet and was among this many first moves of its node.
    table_blame_count: 4, 0, 6, 0.5;
    /// Table: depth up to which a cutoff needs a score on the expected side of beta.
    table_cut_depth: 5, 0, 12, 1.0;
    /// Evaluation change: history bonus of the opponent's quiet move per centipawn.
    evaluation_change_slope: 7, 2, 24, 1.0;
    /// Evaluation change: limit of the variable part.
    evaluation_change_limit: 1084, 400, 3000, 120.0;
    /// Evaluation change: constant part.
    evaluation_change_base: 76, -400, 1200, 60.0;
    /// Hindsight: parent's reduction from which the depth may rise by a ply, 1024ths.
    hindsight_deeper: 3113, 1024, 6144, 300.0;
    /// Hindsight: parent's reduction from which the depth may fall by a ply, 1024ths.
    hindsight_shallower: 1087, 512, 4096, 250.0;
    /// Hindsight: sum of both sides' evaluations above which the depth falls.
    hindsight_margin: 61, 30, 300, 15.0;
    /// Hindsight: minimum depth at which the depth may fall.
    hindsight_depth: 2, 1, 6, 0.5;

    // Pruning of whole nodes.

    /// Razoring: margin at depth 0.
    razoring_base: 278, 100, 500, 25.0;
    /// Razoring: margin per depth squared.
    razoring_depth: 209, 80, 400, 20.0;

    /// Reverse futility: maximum depth.
    reverse_futility_depth: 10, 5, 16, 1.0;
    /// Reverse futility: margin per ply.
    reverse_futility_margin: 32, 30, 140, 6.0;
    /// Reverse futility: margin per depth squared.
    reverse_futility_square: 9, 0, 16, 1.0;
    /// Reverse futility: margin decrease when improving.
    reverse_futility_improving: 27, 10, 140, 6.0;
    /// Reverse futility: divisor of the correction that widens the margin.
    reverse_futility_correction: 4, 1, 16, 0.5;
    /// Reverse futility: share of beta in the returned score, thirds.
    reverse_futility_blend: 2, 0, 3, 0.5;

    /// Null move: required distance of the static evaluation above beta at depth 0.
    null_base: 182, 50, 400, 20.0;
    /// Null move: decrease of that distance per ply.
    null_depth: 17, 5, 40, 2.0;
    /// Null move: constant part of the reduction, plies.
    null_reduction: 4, 2, 7, 0.5;
    /// Null move: depth per additional ply of reduction.
    null_reduction_depth: 3, 2, 6, 0.5;
    /// Null move: estimate above beta per additional ply of reduction.
    null_reduction_eval: 170, 80, 400, 15.0;
    /// Null move: limit of the reduction from the estimate, plies.
    null_reduction_eval_limit: 4, 1, 8, 0.5;
    /// Null move: minimum depth of a verification search.
    null_verification_depth: 15, 8, 24, 1.0;
    /// Null move: part of the verification search without null moves, quarters.
    null_verification_share: 3, 1, 4, 0.5;

    /// Internal iterative reduction: minimum depth.
    iterative_reduction_depth: 4, 2, 9, 0.5;

    /// ProbCut: margin by which the capture has to beat beta.
    probcut_margin: 136, 80, 400, 16.0;
    /// ProbCut: margin decrease when improving.
    probcut_improving: 46, 0, 150, 8.0;
    /// ProbCut: minimum depth.
    probcut_depth: 3, 3, 9, 0.5;
    /// ProbCut: reduction of the search of the capture, plies.
    probcut_reduction: 4, 2, 7, 0.5;
    /// ProbCut: plies by which a table entry that argues against it may be shallower.
    probcut_table_depth: 3, 1, 6, 0.5;
    /// Small ProbCut: required distance of the table bound above beta.
    small_probcut_margin: 460, 200, 800, 30.0;
    /// Small ProbCut: plies by which the table entry may be shallower.
    small_probcut_depth: 3, 1, 7, 0.5;

    // Pruning of single moves.

    /// Move pruning: divisor of the history that adjusts the reduced depth.
    pruning_depth_history: 8, 2, 32, 1.0;
    /// Move pruning: decrease of the reduced depth when not improving, 1024ths of a ply.
    pruning_not_improving: 827, 0, 2000, 100.0;
    /// Late-move pruning: number of moves at depth 0.
    late_move_base: 4, 1, 8, 0.5;
    /// Late-move pruning: additional moves per depth squared, 64ths.
    late_move_square: 75, 24, 128, 5.0;
    /// Late-move pruning: share of that number when not improving, 64ths.
    late_move_not_improving: 36, 16, 64, 4.0;

    /// Futility of quiets: margin at depth 0.
    futility_base: 57, 20, 200, 8.0;
    /// Futility of quiets: margin per reduced ply.
    futility_depth: 108, 40, 180, 8.0;
    /// Futility of quiets: history per centipawn.
    futility_history: 107, 32, 256, 8.0;
    /// Futility of quiets: reduced depth from which it is off.
    futility_limit: 7, 5, 14, 1.0;
    /// Futility of captures: margin at depth 0.
    capture_futility_base: 223, 80, 400, 16.0;
    /// Futility of captures: margin per reduced ply.
    capture_futility_depth: 142, 80, 340, 16.0;
    /// Futility of captures: history per centipawn.
    capture_futility_history: 27, 8, 128, 4.0;
    /// Futility of captures: reduced depth from which it is off.
    capture_futility_limit: 7, 3, 12, 1.0;

    /// History pruning: limit per ply.
    history_pruning: 3741, 1500, 7000, 250.0;
    /// History pruning: reduced depth from which it is off.
    history_pruning_limit: 7, 3, 14, 1.0;
    /// Exchange pruning of quiets: allowed loss per reduced depth squared.
    exchange_quiet: 27, 8, 60, 3.0;
    /// Exchange pruning of quiet checks: allowed loss per ply.
    exchange_check: 137, 40, 300, 12.0;
    /// Exchange pruning of captures: allowed loss per ply.
    exchange_capture: 97, 40, 240, 10.0;
    /// Exchange pruning of captures: history per centipawn.
    exchange_capture_history: 29, 8, 128, 4.0;

    // Extensions.

    /// Singular search: margin per ply, 64ths of a centipawn.
    singular_margin: 63, 20, 160, 8.0;
    /// Singular search: minimum depth.
    singular_depth: 5, 4, 9, 0.5;
    /// Singular search: share of the remaining depth, 64ths.
    singular_share: 27, 20, 48, 2.0;
    /// Singular search: plies by which the table entry may be shallower.
    singular_table_depth: 3, 1, 6, 0.5;
    /// Singular search: distance below the bound for a double extension.
    double_margin: 21, 0, 60, 4.0;
    /// Singular search: distance below the bound for a triple extension.
    triple_margin: 67, 30, 250, 10.0;
    /// Singular search: additional distance for a triple extension of a capture.
    triple_capture_margin: 80, 0, 200, 10.0;
    /// Singular search: additional distance for both at principal-variation nodes.
    singular_pv_margin: 168, 0, 500, 20.0;
    /// Singular search: divisor of the correction added to both.
    singular_correction: 7, 1, 32, 1.0;
    /// Singular search: depth below which a double extension deepens the other moves too.
    singular_deeper_depth: 13, 6, 20, 1.0;
    /// Negative extension: plies if the table's score is above beta.
    negative_extension_beta: 3, 0, 5, 0.5;
    /// Negative extension: plies at other expected cut-nodes.
    negative_extension_cut: 2, 0, 4, 0.5;
    /// Extensions: maximum ply in multiples of the iteration's depth.
    extension_plies_depth: 2, 1, 4, 0.5;
    /// Extensions: constant part of the maximum ply.
    extension_plies_base: 17, 0, 40, 4.0;

    // Reductions and searches after them. Amounts of a reduction are in 1024ths of a ply.

    /// Late-move reduction: factor of the product of logarithms, 1024ths.
    reduction_factor: 641, 250, 800, 25.0;
    /// Late-move reduction: constant part, 1024ths.
    reduction_base: 1194, 0, 2000, 80.0;
    /// Less at nodes that are or were on a principal variation.
    reduction_table_pv: 1126, 400, 2400, 100.0;
    /// Less at principal-variation nodes.
    reduction_pv: 590, 0, 2000, 100.0;
    /// Less at principal-variation nodes, by the width of the window relative to the root window.
    reduction_window: 498, 0, 1500, 80.0;
    /// Less when the table's score is above alpha.
    reduction_hash_high: 591, 0, 2000, 100.0;
    /// Less when the table's depth is at least the node's.
    reduction_hash_deep: 323, 0, 2000, 100.0;
    /// Less per preceding move: the logarithm grows too fast.
    reduction_count: 27, 0, 120, 8.0;
    /// More at expected all-nodes: share of the reduction at depth 0, 1024ths.
    reduction_all_node: 952, 0, 3072, 150.0;
    /// More at expected cut-nodes.
    reduction_cut_node: 2411, 600, 3000, 120.0;
    /// More at expected cut-nodes without a hash move.
    reduction_no_hash_move: 1270, 0, 2000, 100.0;
    /// More when not improving.
    reduction_not_improving: 996, 0, 2000, 100.0;
    /// More when the hash move is a capture.
    reduction_hash_capture: 728, 0, 2000, 100.0;
    /// More when nodes at the next ply have failed high often since the parent was entered.
    reduction_cutoff_count: 868, 0, 2000, 100.0;
    /// Number of such fail highs above which they are frequent.
    reduction_cutoff_limit: 3, 0, 6, 0.5;
    /// Less when the move gives check.
    reduction_check: 955, 0, 2000, 100.0;
    /// Less per 1024 of history.
    reduction_history: 71, 40, 240, 10.0;
    /// Less per 1024 of history of a capture.
    reduction_capture_history: 181, 20, 500, 20.0;
    /// Less per centipawn of correction.
    reduction_correction: 7, 0, 30, 2.0;
    /// Weight of the from-to history in the history of a quiet move.
    reduction_main_weight: 2, 0, 5, 0.5;

    /// First move off the principal variation: reduction above which it is searched one ply shallower, 1024ths.
    first_move_reduction: 3900, 1000, 10000, 300.0;
    /// Search after a reduction: distance above the best score for one ply deeper.
    deeper_margin: 42, 10, 120, 6.0;
    /// Search after a reduction: increase of that distance per ply.
    deeper_depth: 3, 0, 8, 0.5;
    /// Search after a reduction: distance above the best score below which it is one ply shallower.
    shallower_margin: 7, 0, 40, 3.0;
    /// Full search of the hash move: root depth above which it does not drop into quiescence.
    hash_move_root_depth: 7, 2, 16, 1.0;
    /// Raised alpha: depth above which the remaining moves are reduced by a ply.
    raised_alpha_least: 2, 1, 6, 0.5;
    /// Raised alpha: depth from which they are not.
    raised_alpha_most: 16, 6, 24, 1.0;

    // Quiescence.

    /// Quiescence: plies in which quiet checks are tried.
    quiescence_checks: 2, 0, 3, 0.5;
    /// Quiescence: futility margin of captures.
    quiescence_futility: 160, 80, 400, 16.0;
    /// Quiescence: allowed loss in an exchange.
    quiescence_exchange: 39, 0, 200, 10.0;
    /// Quiescence: number of moves after which captures are skipped unless they recapture or give check.
    quiescence_captures: 3, 1, 8, 0.5;
    /// Quiescence: number of moves after which quiet evasions are skipped.
    quiescence_evasions: 4, 1, 8, 0.5;

    // Histories.

    /// History bonus: slope per ply.
    history_bonus_depth: 269, 60, 350, 15.0;
    /// History bonus: constant part, which is subtracted.
    history_bonus_base: 53, 0, 300, 15.0;
    /// History bonus: limit.
    history_bonus_limit: 2168, 800, 3000, 100.0;
    /// History bonus: increase for the hash move.
    history_bonus_hash: 216, 0, 800, 30.0;
    /// History bonus: share in the continuation of the last move, 64ths.
    learn_continuation_1: 70, 24, 112, 5.0;
    /// History bonus: share in the continuation of the move two plies back, 64ths.
    learn_continuation_2: 72, 24, 112, 5.0;
    /// History bonus: share in the continuation of the move four plies back, 64ths.
    learn_continuation_4: 28, 8, 80, 4.0;
    /// History bonus: share in the continuation of the move six plies back, 64ths.
    learn_continuation_6: 28, 8, 80, 4.0;
    /// History bonus: share in the pawn-structure history, 64ths.
    learn_pawn: 24, 8, 96, 4.0;
    /// History bonus: share in the history near the root, 64ths.
    learn_low_ply: 40, 8, 96, 4.0;
    /// Bound of the from-to histories.
    bound_main: 5682, 3000, 16000, 500.0;
    /// Bound of the capture history.
    bound_capture: 8294, 4000, 24000, 800.0;
    /// Bound of the continuation history.
    bound_continuation: 28717, 15000, 32000, 1000.0;
    /// Bound of the pawn-structure history.
    bound_pawn: 7522, 3000, 16000, 500.0;
    /// History malus: slope per ply.
    history_malus_depth: 322, 60, 500, 20.0;
    /// History malus: constant part, which is subtracted.
    history_malus_base: 60, 0, 400, 15.0;
    /// History malus: limit.
    history_malus_limit: 1164, 600, 3000, 100.0;
    /// History malus: factor from one quiet move to the next, 16ths.
    history_malus_decay: 15, 8, 16, 0.5;
    /// Fail low: share of the bonus for the opponent's last move, percent.
    fail_low_base: 54, 0, 200, 10.0;
    /// Fail low: increase of the share if that move came late.
    fail_low_late: 32, 0, 150, 10.0;
    /// Fail low: move number above which a move is late.
    fail_low_late_count: 8, 2, 20, 1.0;
    /// Fail low: increase of the share if the search was deep.
    fail_low_deep: 41, 0, 150, 10.0;
    /// Fail low: divisor of that move's history, which is subtracted from the share.
    fail_low_history: 183, 50, 1000, 40.0;
    /// Fail low: depth above which a search is deep.
    fail_low_deep_depth: 5, 2, 12, 0.5;
    /// Fail low: increase of the share if the score is far below the evaluation.
    fail_low_surprise: 87, 0, 200, 10.0;
    /// Fail low: distance of the score below the evaluation from which it is far below.
    fail_low_surprise_margin: 78, 20, 200, 10.0;
    /// Fail low: share of the bonus in the pawn-structure history, 16ths.
    fail_low_pawn: 8, 0, 32, 2.0;

    // Move ordering.

    /// Quiet ordering: bonus for a check; for a rook, horse or cannon only where no lesser piece attacks it.
    order_check: 12448, 2000, 20000, 800.0;
    /// Quiet ordering: weight of escaping from a lesser attacker.
    order_escape: 9084, 2000, 24000, 800.0;
    /// Quiet ordering: factor of that weight for a rook.
    order_escape_rook: 2, 1, 5, 0.5;
    /// Quiet ordering: weight of the from-to history.
    order_main: 2, 0, 5, 0.5;
    /// Quiet ordering: weight of the pawn-structure history.
    order_pawn: 2, 0, 5, 0.5;
    /// Quiet ordering: weight of the continuation of the last move, 32nds.
    order_continuation_1: 30, 8, 80, 3.0;
    /// Quiet ordering: weight of the continuation of the move two plies back, 32nds.
    order_continuation_2: 29, 8, 80, 3.0;
    /// Quiet ordering: weight of the continuation of the move four plies back, 32nds.
    order_continuation_4: 13, 0, 64, 2.0;
    /// Quiet ordering: weight of the continuation of the move six plies back, 32nds.
    order_continuation_6: 16, 0, 64, 2.0;
    /// Quiet ordering: weight of the history near the root.
    order_low_ply: 8, 0, 20, 1.0;
    /// Quiet ordering: score below which moves come after the losing captures.
    order_good_quiet: -6291, -20000, 0, 800.0;
    /// Capture ordering: weight of the captured piece's value.
    order_victim: 7, 2, 20, 1.0;
    /// Capture ordering: divisor of the score that gives the loss allowed to a good capture.
    order_good_capture: 26, 8, 96, 3.0;

    /// Exchanges: value of an advisor.
    value_advisor: 100, 50, 250, 8.0;
    /// Exchanges: value of an elephant.
    value_elephant: 106, 50, 250, 8.0;
    /// Exchanges: value of a horse.
    value_horse: 239, 150, 450, 12.0;
    /// Exchanges: value of a rook.
    value_rook: 700, 400, 900, 20.0;
    /// Exchanges: value of a cannon.
    value_cannon: 339, 150, 450, 12.0;
    /// Exchanges: value of a pawn.
    value_pawn: 55, 30, 200, 8.0;

    // Correction history.

    /// Correction: weight of the pawn history, 1024ths.
    correction_pawn: 434, 300, 2500, 100.0;
    /// Correction: weight of the minor-piece history, 1024ths.
    correction_minor: 844, 300, 2500, 100.0;
    /// Correction: weight of the two non-pawn histories, 1024ths.
    correction_non_pawn: 1306, 300, 2500, 100.0;
    /// Correction: weight of the continuation history, 1024ths.
    correction_continuation: 969, 300, 2500, 100.0;
    /// Correction: divisor of the product of error and depth in an update.
    correction_depth: 6, 2, 24, 1.0;

    // Time and threads.

    /// Time: number of moves for which the rest of a game is planned.
    time_expected_moves: 38, 20, 60, 2.0;
    /// Time: limit of the expected increments, in multiples of the time left.
    time_increment_share: 4, 1, 8, 0.5;
    /// Time: maximum share of the time left for one move, percent.
    time_move_share: 55, 25, 75, 4.0;
    /// Time: the same for the last move before a time control, percent.
    time_last_move_share: 80, 50, 90, 4.0;
    /// Time: hard limit in multiples of the soft one.
    time_hard_factor: 4, 2, 8, 0.5;
    /// Time: factor of the soft limit if the best move took no nodes, percent.
    time_node_base: 215, 150, 300, 10.0;
    /// Time: decrease of that factor if the best move took all nodes, percent.
    time_node_slope: 150, 80, 250, 10.0;
    /// Time: factor after a change of the best move, percent.
    time_stability_base: 130, 100, 180, 6.0;
    /// Time: decrease of that factor per iteration with the same best move, percent.
    time_stability_slope: 7, 2, 15, 1.0;
    /// Time: maximum number of such iterations.
    time_stability_limit: 8, 3, 12, 1.0;
    /// Time: increase per change of the best move, with later ones weighted more, percent.
    time_change_slope: 12, 0, 60, 4.0;
    /// Time: increase per centipawn of score drop, 1000ths.
    time_score_slope: 8, 2, 25, 2.0;
    /// Time: minimum factor of the score, 1000ths.
    time_score_least: 800, 500, 1000, 40.0;
    /// Time: maximum factor of the score, 1000ths.
    time_score_most: 1600, 1100, 2500, 80.0;
    /// Time: weight of the running average of scores, relative to 1 for a new score.
    time_average_weight: 2, 1, 8, 0.5;
    /// Vote of the threads: base weight, that of the thread with the lowest score.
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
