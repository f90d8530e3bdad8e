//! Search effort per position, and the measured reliability of marks at that effort.

use super::result::PositionResult;
use crate::rules::Language;

/// Measured by commit aa250a5 (network `thirteenth`) on twenty master games: every position was searched with this many nodes, then the
/// positions before and after every marked move (inaccuracy, mistake, blunder) with ten times as many. `docs/src/users/analysis.md`
/// describes the measurement.
const MEASURED: [Reliability; 5] = [
    Reliability { nodes: 1_000, same: 23, marked: 49, blunders: 58 },
    Reliability { nodes: 3_000, same: 30, marked: 51, blunders: 71 },
    Reliability { nodes: 10_000, same: 30, marked: 54, blunders: 82 },
    Reliability { nodes: 30_000, same: 35, marked: 57, blunders: 98 },
    Reliability { nodes: 100_000, same: 47, marked: 69, blunders: 97 },
];

/// Reliability of marks at a number of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reliability {
    /// Nodes per position.
    nodes: u64,
    /// Percentage of marks that are unchanged with ten times the nodes.
    same: u32,
    /// Percentage of marked moves that still have any mark then.
    marked: u32,
    /// Percentage of blunders that still have any mark then.
    blunders: u32,
}

/// Number of positions searched and total nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    positions: u64,
    nodes: u64,
}

impl Effort {
    /// Counts a result, unless there was no legal move.
    pub fn add(&mut self, result: &PositionResult) {
        if result.best.is_some() {
            self.positions += 1;
            self.nodes += result.nodes;
        }
    }

    /// Mean nodes per position; none if nothing was searched.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes.checked_div(self.positions)
    }

    /// The measurement for about this many nodes: the next lower row, since reliability grows with nodes. None below the lowest row.
    fn reliability(&self) -> Option<Reliability> {
        // Searches end slightly below or above their limit.
        let nodes = self.nodes()? * 10 / 9;
        MEASURED.into_iter().rev().find(|row| row.nodes <= nodes)
    }

    /// Describes the effort and the reliability of the marks; `limit` is that of [`super::View`].
    pub fn text(&self, limit: &str, language: Language) -> Option<String> {
        let nodes = self.nodes()?;
        let limit = if limit.is_empty() { String::new() } else { format!(" ({limit})") };
        let reliability = self.reliability();
        Some(match language {
            Language::English => {
                let reliability = reliability.map_or("too few for reliable marks".into(), |row| {
                    format!(
                        "with ten times as many, {} % of the blunders stay marked, {} % of all marks stay, {} % unchanged",
                        row.blunders, row.marked, row.same
                    )
                });
                format!("{} nodes per position{limit}; {reliability}.", grouped(nodes))
            }
            Language::Chinese => {
                let reliability = reliability.map_or("数量过少，标记参考价值不大".into(), |row| {
                    format!(
                        "节点数增至十倍后，{}%的漏着仍有标记，全部标记中保留{}%，等级不变的占{}%",
                        row.blunders, row.marked, row.same
                    )
                });
                format!("每个局面{}个节点{limit}；{reliability}。", grouped(nodes))
            }
        })
    }
}

/// Formats a number with spaces between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::report::review::tests::result;

    fn of(nodes: &[u64]) -> Effort {
        let mut effort = Effort::default();
        for &nodes in nodes {
            let found = result(Position::startpos().board(), [300, 400, 300], 12, "h2e2");
            effort.add(&PositionResult { nodes, ..found });
        }
        effort
    }

    #[test]
    fn reliability_is_that_of_the_next_lower_row() {
        assert_eq!((of(&[]).nodes(), of(&[400]).reliability()), (None, None));
        assert_eq!(of(&[950, 1000]).reliability(), Some(MEASURED[0]));
        assert_eq!(of(&[9_000_000]).reliability(), MEASURED.last().copied());
        assert!(MEASURED.windows(2).all(|rows| rows[0].nodes < rows[1].nodes && rows[0].same <= rows[1].same));
    }

    #[test]
    fn the_text_names_nodes_and_limit() {
        let text = of(&[1000, 1500]).text("--nodes 1000", Language::English).unwrap();
        assert!(text.starts_with("1\u{a0}250 nodes per position (--nodes 1000); with ten times as many, "), "{text}");
        assert!(of(&[3]).text("", Language::English).unwrap().ends_with("reliable marks."));
        assert!(of(&[2000]).text("", Language::Chinese).unwrap().starts_with("每个局面2\u{a0}000个节点；"));
    }
}
