//! How much was searched, and how firm the judgements of so much are.

use super::result::PositionResult;
use crate::rules::Language;

/// Twenty games of masters, searched with this many nodes for every position; then the positions before and after every marked move
/// (inaccuracy, mistake, blunder) with ten times as many. `docs/src/users/analysis.md` shows the measurement.
const MEASURED: [Firmness; 5] = [
    Firmness { nodes: 1_000, same: 23, marked: 49, blunders: 58 },
    Firmness { nodes: 3_000, same: 30, marked: 51, blunders: 71 },
    Firmness { nodes: 10_000, same: 30, marked: 54, blunders: 82 },
    Firmness { nodes: 30_000, same: 35, marked: 57, blunders: 98 },
    Firmness { nodes: 100_000, same: 47, marked: 69, blunders: 97 },
];

/// What was measured for a number of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Firmness {
    /// Nodes for every position.
    pub nodes: u64,
    /// Marks of a hundred that are the same with ten times the nodes.
    pub same: u32,
    /// Marks of a hundred that are still marks of some kind then.
    pub marked: u32,
    /// Blunders of a hundred that are still marked then.
    pub blunders: u32,
}

/// Positions searched, and with how many nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    positions: u64,
    nodes: u64,
}

impl Effort {
    /// Counts a result, unless there was nothing to search.
    pub fn add(&mut self, result: &PositionResult) {
        if result.best.is_some() {
            self.positions += 1;
            self.nodes += result.nodes;
        }
    }

    /// Nodes for a position on average; none where nothing was searched.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes.checked_div(self.positions)
    }

    /// What was measured for about this many nodes: the next lower row, since more nodes are only firmer. None below all rows.
    pub fn firmness(&self) -> Option<Firmness> {
        // Searches end a little below or above their limit.
        let nodes = self.nodes()? * 10 / 9;
        MEASURED.into_iter().rev().find(|row| row.nodes <= nodes)
    }

    /// How much was searched and how firm the marks are, in two sentences; the limit is one of [`super::View`].
    pub fn text(&self, limit: &str, language: Language) -> Option<String> {
        let nodes = self.nodes()?;
        let limit = if limit.is_empty() { String::new() } else { format!(" ({limit})") };
        let firm = self.firmness();
        Some(match language {
            Language::English => {
                let firm = firm.map_or("so few that the marks say little".into(), |row| {
                    format!(
                        "with ten times as many, {} % of the blunders stay marked, {} % of all marks stay, {} % unchanged",
                        row.blunders, row.marked, row.same
                    )
                });
                format!("{} nodes a position{limit}; {firm}.", grouped(nodes))
            }
            Language::Chinese => {
                let firm = firm.map_or("数量过少，标记参考价值不大".into(), |row| {
                    format!(
                        "节点数增至十倍后，{}%的漏着仍有标记，全部标记中保留{}%，等级不变的占{}%",
                        row.blunders, row.marked, row.same
                    )
                });
                format!("每个局面{}个节点{limit}；{firm}。", grouped(nodes))
            }
        })
    }
}

/// A number with blanks between thousands.
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
    fn firmness_is_that_of_the_next_lower_row() {
        assert_eq!((of(&[]).nodes(), of(&[400]).firmness()), (None, None));
        assert_eq!(of(&[950, 1000]).firmness(), Some(MEASURED[0]));
        assert_eq!(of(&[9_000_000]).firmness(), MEASURED.last().copied());
        assert!(MEASURED.windows(2).all(|rows| rows[0].nodes < rows[1].nodes && rows[0].same <= rows[1].same));
    }

    #[test]
    fn the_text_names_nodes_and_limit() {
        let text = of(&[1000, 1500]).text("--nodes 1000", Language::English).unwrap();
        assert!(text.starts_with("1\u{a0}250 nodes a position (--nodes 1000); with ten times as many, "), "{text}");
        assert!(of(&[3]).text("", Language::English).unwrap().ends_with("say little."));
        assert!(of(&[2000]).text("", Language::Chinese).unwrap().starts_with("每个局面2\u{a0}000个节点；"));
    }
}
