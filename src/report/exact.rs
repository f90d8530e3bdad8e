//! Moves that gave away the result of an endgame, with proof from the endgame tables.

use super::review::{GameReview, Judgement};
use super::view::View;
use crate::board::{Board, Position};
use crate::endgame::{EndgameResult, Outcome, Tables};
use crate::notation::Notation;
use crate::rules::Language;
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

/// The result given away by a move, if any. Also `None` if the natural limit makes the table results uncertain.
fn giveaway(tables: &Tables, position: &Position, mv: Move, natural_limit: u16) -> Option<Giveaway> {
    let board = position.board();
    if board.occupied().len() > tables.most_pieces() + 1 {
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
    let keeping = ranked.iter().filter(|(_, outcome)| outcome.is_some_and(|outcome| outcome.result == before.result));
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

impl GameReview {
    /// Marks the moves that provably gave away a won or drawn endgame as blunders, whatever the search found. `natural_limit` is that of the
    /// rules, in plies.
    pub fn mark_endgames(&mut self, tables: &Tables, natural_limit: u16) {
        let Ok(mut position) = self.record.start.position() else { return };
        for mv in &mut self.moves {
            if mv.judgement != Judgement::Book {
                mv.giveaway = giveaway(tables, &position, mv.mv, natural_limit);
                if let Some(giveaway) = &mv.giveaway {
                    mv.judgement = Judgement::Blunder;
                    mv.loss = mv.loss.max(giveaway.lost_points());
                }
            }
            position.make(mv.mv);
        }
        self.rate();
    }

    /// The move number of a ply, without a dot.
    fn move_number(&self, ply: usize) -> String {
        self.number(ply).trim_end_matches(['.', '…']).to_string()
    }

    /// Describes a giveaway: `drawn since move 41, won before`.
    pub(super) fn giveaway_text(&self, ply: usize, giveaway: &Giveaway, language: Language) -> String {
        let number = self.move_number(ply);
        let word = |result: EndgameResult| match (result, language) {
            (EndgameResult::Win, Language::English) => "won",
            (EndgameResult::Draw, Language::English) => "drawn",
            (EndgameResult::Loss, Language::English) => "lost",
            (EndgameResult::Win, Language::Chinese) => "必胜",
            (EndgameResult::Draw, Language::Chinese) => "必和",
            (EndgameResult::Loss, Language::Chinese) => "必负",
        };
        let [before, after] = [giveaway.before.result, giveaway.after.result].map(word);
        match language {
            Language::English => format!("{after} since move {number}, {before} before"),
            Language::Chinese => format!("第{number}着起{after}，此前{before}"),
        }
    }
}

impl Giveaway {
    /// The expected score lost, in percentage points.
    fn lost_points(&self) -> f64 {
        let points = |outcome: Outcome| match outcome.result {
            EndgameResult::Win => 100.0,
            EndgameResult::Draw => 50.0,
            EndgameResult::Loss => 0.0,
        };
        points(self.before) - points(self.after)
    }

    /// The result-preserving moves to show, and the number of further ones.
    pub(super) fn keepers(&self) -> (&[Move], usize) {
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
    pub(super) fn giveaway_lines(&self, review: &GameReview, ply: usize, board: &Board, giveaway: &Giveaway) -> [String; 2] {
        let text = review.giveaway_text(ply, giveaway, self.language);
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
                [format!("{text}（残局库）；应走：{}{more}", keepers.join("、")), format!("证明（{plies}步杀）：{proof}")]
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

#[cfg(all(test, feature = "endgames"))]
mod tests {
    use super::*;
    use crate::notation::System;
    use crate::records::{Record, Setup};
    use crate::rules::Rules;

    /// Reviews moves from a position without search results.
    fn reviewed(fen: &str, moves: &[&str], limit: u16) -> GameReview {
        let mut record = Record::new(Setup::from_position(&Position::from_fen(fen).unwrap()));
        let mut node = record.root();
        for mv in moves {
            node = record.add(node, Move::from_uci(mv).unwrap()).unwrap();
        }
        let mut review = GameReview::new("a.pgn", 1, record, Vec::new(), &Rules::default(), None).unwrap();
        review.mark_endgames(Tables::builtin(), limit);
        review
    }

    #[test]
    fn a_win_given_away_is_proven() {
        let fen = "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w - - 0 41";
        // The king move gives away the win that e1e7 keeps; Black's reply gives nothing away.
        let review = reviewed(fen, &["d0e0", "a7c5"], 120);
        let given = review.moves[0].giveaway.as_ref().expect("a giveaway");
        assert_eq!((given.before.result, given.after.result), (EndgameResult::Win, EndgameResult::Draw));
        assert_eq!((given.before.plies, given.keeping.len()), (17, 1));
        assert_eq!(given.keeping[0].to_string(), "e1e7");
        let mut line = review.moves[0].board;
        for &mv in &given.proof {
            assert!(line.is_legal(mv));
            line = line.after(mv);
        }
        assert!(given.proof.len() == 17 && !line.has_legal_move());
        assert_eq!((review.moves[0].judgement, review.moves[0].loss), (Judgement::Blunder, 50.0));
        assert!(review.moves[1].giveaway.is_none());
        let view = View { notation: Notation::new(System::Wxr), ..View::default() };
        let [text, proof] = view.giveaway_lines(&review, 1, &review.moves[0].board, given);
        assert!(text.starts_with("drawn since move 1, won before (endgame tables); won: R5+6"), "{text}");
        assert!(proof.starts_with("proof, mate in 17 plies: R5+6 "), "{proof}");
        let chinese = review.giveaway_text(1, given, Language::Chinese);
        assert_eq!(chinese, "第1着起必和，此前必胜");
        // A result-preserving move is not a giveaway.
        assert!(reviewed(fen, &["e1e7"], 120).moves[0].giveaway.is_none());
    }

    #[test]
    fn results_uncertain_by_the_natural_limit_are_not_marked() {
        let late = "3ak4/9/b3ba3/9/9/9/9/9/4R4/3K5 w - - 50 90";
        assert!(reviewed(late, &["d0e0"], 60).moves[0].giveaway.is_none());
        assert!(reviewed(late, &["d0e0"], 120).moves[0].giveaway.is_some());
    }

    #[test]
    fn a_draw_given_away_shows_the_mate() {
        let review = reviewed("2bak4/4a4/4b4/9/9/9/9/9/4R4/4K4 b", &["c9a7"], 120);
        let given = review.moves[0].giveaway.as_ref().expect("a giveaway");
        assert_eq!((given.before.result, given.after.result), (EndgameResult::Draw, EndgameResult::Loss));
        assert_eq!((given.keeping.len(), given.proof.len(), given.plies()), (7, 16, 16));
        assert_eq!(given.proof[0].to_string(), "c9a7");
    }
}
