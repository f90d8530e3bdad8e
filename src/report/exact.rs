//! Moves that gave away the result of an endgame, with proof from the endgame tables.

use super::view::View;
use crate::board::{Board, Position};
use crate::endgame::{EndgameResult, Outcome, Tables};
use crate::notation::Notation;
use crate::rules::{Language, NaturalLimit};
use crate::types::{Move, counted};
use serde::Serialize;

/// Maximum number of result-preserving moves shown.
const SHOWN_KEEPERS: usize = 6;

/// A result given away by a move, proven by the endgame tables.
#[derive(Clone, Debug)]
pub struct Giveaway {
    /// The mover's result before the move; plies count from that position.
    pub before: Outcome,
    /// The mover's result after the move; plies count from the position before it.
    pub after: Outcome,
    /// All moves that preserve the result, best first.
    pub keeping: Vec<Move>,
    /// The proof as a line from the position before the move: for a win given away, the line to the missed mate; for a draw given away, the
    /// move and the line to the mate that it allows.
    pub proof: Vec<Move>,
}

/// Whether a move worsened the result.
fn is_worse(before: Outcome, after: Outcome) -> bool {
    after.result < before.result
}

impl Giveaway {
    /// The result given away by a move, if any. Also `None` if the natural limit makes the table results uncertain.
    pub(super) fn find(tables: &Tables, position: &Position, mv: Move, natural_limit: NaturalLimit) -> Option<Giveaway> {
        let board = position.board();
        if board.occupied().len() > tables.max_pieces() + 1 {
            return None;
        }
        let before = tables.probe(board)?;
        let ranked = tables.ranked_moves(board);
        let after = ranked.iter().find(|(other, _)| *other == mv).and_then(|&(_, outcome)| outcome)?;
        // A capture resets the clock, so the clock before the move is an upper bound.
        let is_certain = |outcome: Outcome| outcome.is_certain(position.clock(), natural_limit);
        if !is_worse(before, after) || !is_certain(before) || !is_certain(after) {
            return None;
        }
        // A win that the natural limit may prevent does not keep one that is certain.
        let is_kept = |mv: Move, after: Outcome| {
            let clock = if board.is_capture(mv) { 0 } else { position.clock() };
            after.result == before.result && after.is_certain(clock, natural_limit)
        };
        let keeping = ranked.iter().filter(|&&(mv, outcome)| outcome.is_some_and(|outcome| is_kept(mv, outcome)));
        let keeping: Vec<Move> = keeping.map(|&(mv, _)| mv).collect();
        let proof = if before.result == EndgameResult::Win {
            tables.best_line(position)
        } else {
            let mut next = position.clone();
            next.make(mv);
            [mv].into_iter().chain(tables.best_line(&next)).collect()
        };
        Some(Giveaway { before, after, keeping, proof })
    }

    /// The words for it, such as `drawn since move 41, won before`; `number` is that of the move, with or without its dot.
    pub(super) fn text(&self, number: &str, language: Language) -> String {
        let number = number.trim_end_matches(['.', '…']);
        let word = |result: EndgameResult| match (result, language) {
            (EndgameResult::Win, Language::English) => "won",
            (EndgameResult::Draw, Language::English) => "drawn",
            (EndgameResult::Loss, Language::English) => "lost",
            (EndgameResult::Win, Language::Chinese) => "必胜",
            (EndgameResult::Draw, Language::Chinese) => "必和",
            (EndgameResult::Loss, Language::Chinese) => "必负",
        };
        let [before, after] = [self.before.result, self.after.result].map(word);
        match language {
            Language::English => format!("{after} since move {number}, {before} before"),
            Language::Chinese => format!("第{number}着起{after}，此前{before}"),
        }
    }

    /// The expected score lost, in percentage points.
    pub(super) fn lost_points(&self) -> f64 {
        let points = |outcome: Outcome| match outcome.result {
            EndgameResult::Win => 100.0,
            EndgameResult::Draw => 50.0,
            EndgameResult::Loss => 0.0,
        };
        points(self.before) - points(self.after)
    }

    /// The result-preserving moves to show, and the number of further ones.
    fn keepers(&self) -> (&[Move], usize) {
        let shown = self.keeping.len().min(SHOWN_KEEPERS);
        (&self.keeping[..shown], self.keeping.len() - shown)
    }

    /// Plies to the mate at the end of the proof.
    pub(super) fn plies(&self) -> u16 {
        if self.before.result == EndgameResult::Win { self.before.plies } else { self.after.plies }
    }

    pub(super) fn form(&self, text: String, board: &Board, notation: &Notation) -> GiveawayForm {
        GiveawayForm {
            text,
            before: self.before.result.name(),
            after: self.after.result.name(),
            plies: self.plies(),
            keeping: self.keeping.iter().map(|&mv| notation.write(board, mv)).collect(),
            proof: notation.write_line(board, &self.proof),
        }
    }
}

impl View {
    /// The two lines of text that describe a giveaway and prove it.
    pub(super) fn giveaway_lines(&self, number: &str, board: &Board, giveaway: &Giveaway) -> [String; 2] {
        let text = giveaway.text(number, self.language);
        let (keepers, more) = giveaway.keepers();
        let keepers: Vec<String> = keepers.iter().map(|&mv| self.notation.write(board, mv)).collect();
        let proof = self.notation.write_line(board, &giveaway.proof).join(" ");
        let plies = giveaway.plies();
        match self.language {
            Language::English => {
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let verb = if giveaway.before.result == EndgameResult::Win { "won" } else { "held" };
                [
                    format!("{text} (endgame tables); {verb}: {}{more}", keepers.join(", ")),
                    format!("proof, mate in {}: {proof}", counted(plies, "ply")),
                ]
            }
            Language::Chinese => {
                let more = if more > 0 { format!("等{}着", keepers.len() + more) } else { String::new() };
                [format!("{text}（残局库）；应走：{}{more}", keepers.join("、")), format!("证明（{plies}着成杀）：{proof}")]
            }
        }
    }
}

/// A giveaway as JSON, with moves in a chosen notation.
#[derive(Debug, Serialize)]
pub(super) struct GiveawayForm {
    text: String,
    before: &'static str,
    after: &'static str,
    plies: u16,
    keeping: Vec<String>,
    proof: Vec<String>,
}
