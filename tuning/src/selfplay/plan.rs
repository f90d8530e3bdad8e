//! The settings of self-play.

use crate::records::FileHeader;
use chuhe::threads::bench;
use serde::{Deserialize, Serialize};

/// Thresholds for adjudicating a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// A side wins when both players have seen it ahead by this many centipawns ...
    pub win_score: u16,
    /// ... for this many plies in a row.
    pub win_plies: u16,
    /// The game is drawn when both have seen no more than this many centipawns ...
    pub draw_score: u16,
    /// ... for this many plies in a row ...
    pub draw_plies: u16,
    /// ... not before this ply of the game.
    pub draw_after: u16,
}

/// The plan of a self-play run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlayPlan {
    /// The engine: its name, version and the nodes of its benchmark, which identify the search and, through the `Bench:` lines
    /// of the history, the commit.
    pub engine: String,
    /// The evaluation.
    pub evaluation: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// A search ends with the first iteration that reaches this many nodes ...
    pub soft_nodes: u64,
    /// ... and is stopped at this many.
    pub hard_nodes: u64,
    /// If not 0, most moves are only chosen, by searches of this many nodes, and few positions are labelled: more games, so more
    /// different positions, for the same time. The idea is KataGo's playout cap randomization (Wu, *Accelerating Self-Play Learning in
    /// Go*, 2019).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quick_nodes: u64,
    /// With `quick_nodes`, the number of plies in a thousand that are searched with `soft_nodes` and labelled, if the side to move is
    /// not in check and the quick search found neither a capture nor a mate: training does not use those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub labels: u16,
    /// Whether the exact scores of quiet positions in the tree of each labelled position are stored too, as variations.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pv_nodes: bool,
    /// Minimum number of random moves at the start of a game.
    pub random_plies_min: u16,
    /// Maximum number of random moves at the start of a game.
    pub random_plies_max: u16,
    /// Random moves after the opening, per thousand plies, for positions outside the lines that the players would choose.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random_later: u16,
    /// Games that begin with a random endgame instead of random moves from the start, per thousand.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub endgames: u16,
    /// An opening is accepted only if its score is at most this many centipawns for either side.
    pub balance: u16,
    /// Thresholds for adjudication.
    pub adjudication: Adjudication,
    /// A game that reaches this many plies is drawn.
    pub ply_limit: u16,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
}

/// A field that came later is omitted from plans that do not use it, so that files of runs from before it existed can be continued.
fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for SelfPlayPlan {
    fn default() -> SelfPlayPlan {
        SelfPlayPlan {
            engine: concat!("chuhe ", env!("CARGO_PKG_VERSION")).into(),
            evaluation: "embedded network".into(),
            seed: 1,
            soft_nodes: 5_000,
            hard_nodes: 40_000,
            quick_nodes: 0,
            labels: 0,
            pv_nodes: false,
            random_plies_min: 5,
            random_plies_max: 10,
            random_later: 0,
            endgames: 0,
            balance: 200,
            adjudication: Adjudication { win_score: 1200, win_plies: 6, draw_score: 12, draw_plies: 24, draw_after: 100 },
            ply_limit: 400,
            hash_mib: 8,
        }
    }
}

impl SelfPlayPlan {
    /// Name, version and benchmark of this program. Takes as long as `chuhe bench`.
    pub fn this_engine() -> String {
        let measured = bench::run(bench::DEFAULT_DEPTH, 1, bench::DEFAULT_HASH, |_, _, _| {});
        format!("chuhe {} bench {}", env!("CARGO_PKG_VERSION"), measured.nodes)
    }

    /// The plan of a comparison: the same nodes for every move, since a soft limit would let one side spend more.
    pub fn for_comparison(nodes: u64, seed: u64) -> SelfPlayPlan {
        SelfPlayPlan { seed, soft_nodes: nodes, hard_nodes: nodes, balance: 100, ..SelfPlayPlan::default() }
    }

    /// The header of the plan's record file: a file can only be continued with a plan that has the same header. Without quick searches
    /// `labels` has no effect and is omitted, also from headers of runs from before it existed.
    pub fn header(&self) -> FileHeader {
        let labels = if self.quick_nodes > 0 { self.labels } else { 0 };
        FileHeader { description: serde_json::to_string(&SelfPlayPlan { labels, ..self.clone() }).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_distinguish_runs_with_quick_searches_only() {
        let header = |quick_nodes, labels| SelfPlayPlan { quick_nodes, labels, ..SelfPlayPlan::default() }.header();
        assert_eq!(header(0, 400), header(0, 0));
        assert_eq!(header(0, 400), SelfPlayPlan::default().header());
        assert_ne!(header(40, 400), header(40, 300));
    }
}
