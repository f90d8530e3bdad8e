//! Exports a reviewed game as a record, with scores as `[%eval …]` in comments and marks as glyphs, as read by lichess and python-chess.

use super::result::PositionResult;
use super::review::{GameReview, Judgement};
use crate::records::{NodeId, Record};
use crate::search::Score;
use crate::types::Color;
use std::borrow::Cow;

/// Prefix of a score in a comment.
const EVAL: &str = "[%eval ";
/// In the comment of a scored move whose mark is from another source, so that the next review keeps that mark too.
const KEPT: &str = "[%mark kept]";
/// In the comment of a move without a score, because the game is over, whose mark is from a review, so that the next one replaces that mark.
const OWN: &str = "[%mark own]";
/// The numeric glyphs that judge a move (`!` to `?!` in PGN).
const JUDGING: std::ops::RangeInclusive<u8> = 1..=6;

/// The numeric glyph for `?!`, `?` or `??`.
fn glyph(judgement: Judgement) -> Option<u8> {
    match judgement {
        Judgement::Unjudged | Judgement::Book | Judgement::Good => None,
        Judgement::Inaccuracy => Some(6),
        Judgement::Mistake => Some(2),
        Judgement::Blunder => Some(4),
    }
}

/// The score from Red's view: pawns, or `#` and moves to mate.
fn eval(result: &PositionResult) -> Option<String> {
    let sign = if result.board.side_to_move() == Color::Red { 1 } else { -1 };
    match result.lines.first()?.score {
        Score::Centipawns(score) => Some(format!("{EVAL}{:.2}]", f64::from(sign * score) / 100.0)),
        Score::Mate(moves) => Some(format!("{EVAL}#{}]", sign * moves)),
    }
}

/// Removes what a review has added to a comment.
fn without_evals(comment: &str) -> String {
    let mut rest = comment;
    let mut kept = String::new();
    while let Some(at) = [EVAL, KEPT, OWN].into_iter().filter_map(|command| rest.find(command)).min() {
        let Some(end) = rest[at..].find(']') else { break };
        kept.push_str(rest[..at].trim_end());
        let following = rest[at + end + 1..].trim_start();
        if !kept.is_empty() && !following.is_empty() {
            kept.push(' ');
        }
        rest = following;
    }
    kept.push_str(rest);
    kept
}

/// The comment of a move without what an earlier review has added.
pub(super) fn remark(record: &Record, node: NodeId) -> Cow<'_, str> {
    let comment = record.comment(node);
    let is_reviewed = [EVAL, KEPT, OWN].iter().any(|command| comment.contains(command));
    if is_reviewed { without_evals(comment).into() } else { comment.into() }
}

/// Whether the mark of a move with this comment is that of an earlier review.
fn has_our_mark(comment: &str) -> bool {
    [EVAL, OWN].iter().any(|sign| comment.contains(sign)) && !comment.contains(KEPT)
}

/// Whether a review may have given this glyph.
fn is_ours(glyph: u8) -> bool {
    [2, 4, 6].contains(&glyph)
}

/// The glyphs of a move of the main line without the mark of an earlier review.
pub(super) fn other_glyphs(record: &Record, node: NodeId) -> Vec<u8> {
    let has_our_mark = has_our_mark(record.comment(node));
    record.glyphs(node).iter().copied().filter(|&glyph| !(has_our_mark && is_ours(glyph))).collect()
}

impl GameReview {
    /// Returns the game with the score after each searched move, from Red's view, at the start of its comment, and the mark of each move as a
    /// glyph. Comments and variations are kept. Scores and marks of an earlier review are replaced; existing marks from other sources are kept
    /// instead of ours.
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
    let glyphs = record.glyphs(node).to_vec();
    let is_kept = other_glyphs(record, node).iter().any(|glyph| JUDGING.contains(glyph));
    let kept = eval.is_some() && is_kept;
    let comment = without_evals(&before);
    let own = eval.is_none() && !is_kept && mark.is_some();
    let parts = [eval.as_deref(), kept.then_some(KEPT), own.then_some(OWN), Some(&*comment)];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let after = parts.join(" ");
    if after != before {
        record.set_comment(node, &after);
    }
    if is_kept {
        return;
    }
    let glyphs: Vec<u8> = mark.into_iter().chain(glyphs.into_iter().filter(|&glyph| !is_ours(glyph))).collect();
    record.set_glyphs(node, &glyphs);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Setup;
    use crate::types::Move;

    #[test]
    fn only_scores_of_an_earlier_review_are_removed() {
        for (comment, kept) in [
            ("", ""),
            ("good", "good"),
            ("[%eval 0.35]", ""),
            ("[%eval 0.35] good", "good"),
            ("good [%eval #-3] and fine", "good and fine"),
            ("[%clk 0:01] [%eval 0.35]", "[%clk 0:01]"),
            ("[%eval 0.35", "[%eval 0.35"),
            ("[%eval 0.35] [%mark kept] good", "good"),
            ("[%mark kept]", ""),
            ("[%mark own] good", "good"),
        ] {
            assert_eq!(without_evals(comment), kept, "{comment}");
        }
    }

    #[test]
    fn marks_of_other_sources_survive_every_review() {
        let mut record = Record::new(Setup::standard());
        let node = record.add(record.root(), Move::from_uci("h2e2").unwrap()).unwrap();
        record.set_glyphs(node, &[2]);
        for eval in ["[%eval 0.10]", "[%eval 0.20]", "[%eval 0.30]"] {
            annotate(&mut record, node, Some(eval.into()), Some(4));
            assert_eq!((record.glyphs(node), record.comment(node)), (&[2][..], &*format!("{eval} [%mark kept]")));
        }
        // The mark of a review is replaced by that of the next.
        record.set_glyphs(node, &[]);
        for mark in [Some(4), Some(6), None] {
            annotate(&mut record, node, Some("[%eval 0.10]".into()), mark);
            assert_eq!((record.glyphs(node).first().copied(), record.comment(node)), (mark, "[%eval 0.10]"));
        }
        // So is that of a move that ended the game, which has no score.
        annotate(&mut record, node, None, Some(4));
        assert_eq!((record.glyphs(node), record.comment(node)), (&[4][..], "[%mark own]"));
        annotate(&mut record, node, Some("[%eval 0.10]".into()), None);
        assert_eq!((record.glyphs(node), record.comment(node)), (&[][..], "[%eval 0.10]"));
    }
}
