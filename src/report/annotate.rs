//! A reviewed game as a record: scores as `[%eval …]` in the comments and marks as glyphs, the form that lichess and python-chess read.

use super::result::PositionResult;
use super::review::{GameReview, Judgement};
use crate::records::{NodeId, Record};
use crate::search::Score;
use crate::types::Color;

/// How a score begins in a comment.
const EVAL: &str = "[%eval ";
/// The glyphs that judge a move (`!` to `?!` in PGN).
const JUDGING: std::ops::RangeInclusive<u8> = 1..=6;

/// The glyph of a mark: `?!`, `?` or `??`.
fn glyph(judgement: Judgement) -> Option<u8> {
    match judgement {
        Judgement::Book | Judgement::Good => None,
        Judgement::Inaccuracy => Some(6),
        Judgement::Mistake => Some(2),
        Judgement::Blunder => Some(4),
    }
}

/// The score of a position from Red's view: pawns, or `#` and moves to mate.
fn eval(result: &PositionResult) -> Option<String> {
    let sign = if result.board.side_to_move() == Color::Red { 1 } else { -1 };
    match result.lines.first()?.score {
        Score::Centipawns(score) => Some(format!("{EVAL}{:.2}]", f64::from(sign * score) / 100.0)),
        Score::Mate(moves) => Some(format!("{EVAL}#{}]", sign * moves)),
    }
}

/// A comment without the scores that were written into it.
fn without_evals(comment: &str) -> String {
    let mut rest = comment;
    let mut kept = String::new();
    while let Some(at) = rest.find(EVAL) {
        let Some(end) = rest[at..].find(']') else { break };
        kept.push_str(rest[..at].trim_end());
        let behind = rest[at + end + 1..].trim_start();
        if !kept.is_empty() && !behind.is_empty() {
            kept.push(' ');
        }
        rest = behind;
    }
    kept.push_str(rest);
    kept
}

impl GameReview {
    /// The game with the score after each searched move at the head of its comment, from Red's view, and the mark of each move as a
    /// glyph. Comments and variations stay. Scores and marks of an earlier review are replaced; a mark that somebody else gave stays in
    /// place of ours.
    pub fn annotated(&self) -> Record {
        let mut record = self.record.clone();
        for (index, review) in self.moves.iter().enumerate() {
            annotate(&mut record, review.node, self.result(index + 1).and_then(eval), glyph(review.judgement));
        }
        record
    }
}

fn annotate(record: &mut Record, node: NodeId, eval: Option<String>, mark: Option<u8>) {
    let before = record.comment(node).to_string();
    let was_reviewed = before.contains(EVAL);
    let comment = without_evals(&before);
    let parts: Vec<&str> = eval.as_deref().into_iter().chain(Some(&*comment)).filter(|part| !part.is_empty()).collect();
    let after = parts.join(" ");
    if after != before {
        record.set_comment(node, &after);
    }
    let glyphs = record.glyphs(node).to_vec();
    let ours = |glyph: &u8| [2, 4, 6].contains(glyph);
    if glyphs.iter().any(|glyph| JUDGING.contains(glyph) && !(was_reviewed && ours(glyph))) {
        return;
    }
    let glyphs: Vec<u8> = mark.into_iter().chain(glyphs.into_iter().filter(|glyph| !ours(glyph))).collect();
    record.set_glyphs(node, &glyphs);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_an_earlier_review_are_taken_out_and_nothing_else() {
        for (comment, kept) in [
            ("", ""),
            ("good", "good"),
            ("[%eval 0.35]", ""),
            ("[%eval 0.35] good", "good"),
            ("good [%eval #-3] and fine", "good and fine"),
            ("[%clk 0:01] [%eval 0.35]", "[%clk 0:01]"),
            ("[%eval 0.35", "[%eval 0.35"),
        ] {
            assert_eq!(without_evals(comment), kept, "{comment}");
        }
    }
}
