//! Headings of a game without tags: names, event, result, start position.

use super::{Drawing, NodeId, RESULT_NOTE, Record, RecordProblem, RecordResult, drawing, titles};

/// Adds the text before the moves of a game without tags: headings become tags, as do the players and the result in the last line that has
/// both; the first title the tag `Title` unless there is a heading for it, and other titles the comment before the game. A drawing is the start
/// position unless there is a FEN.
pub(super) fn read_head(head: &titles::Head<'_>, record: &mut Record, is_drawn: &mut bool) -> Result<(), RecordProblem> {
    let root = record.root();
    let mut titles = head.titles.clone();
    let fen = head.headings.iter().find(|(tag, _)| *tag == titles::FEN).map(|(_, value)| *value);
    match drawing::find(&titles) {
        Some(Drawing::Board(lines, setup)) => {
            titles.drain(lines);
            record.start = setup;
            *is_drawn = fen.is_none_or(str::is_empty);
        }
        Some(Drawing::Unclear) if fen == Some("") => {
            return Err("the start position is drawn in a form that is not understood".into());
        }
        _ => {}
    }
    let is_named = head.headings.iter().any(|(tag, _)| ["Red", "Black"].contains(tag));
    let may_be_paired = !is_named && fen.is_none() && record.start.is_standard();
    let pairing = titles.iter().rposition(|title| may_be_paired && titles::pairing(title).is_some());
    let mut result = None;
    if let Some((at, pairing)) = pairing.and_then(|at| titles::pairing(titles[at]).map(|pairing| (at, pairing))) {
        record.set_tag("Red", pairing.red);
        record.set_tag("Black", pairing.black);
        result = Some(pairing.result);
        titles.splice(at..=at, Some(pairing.note).filter(|note| !note.is_empty()));
    }
    let has_title = head.headings.iter().any(|&(tag, value)| tag == titles::TITLE && !value.is_empty());
    let has_title = has_title || titles.first().is_none_or(|title| titles::has_form_of_heading(title));
    let (title, others) = titles.split_at(!has_title as usize);
    title.iter().for_each(|title| record.set_tag(titles::TITLE, *title));
    others.iter().for_each(|title| record.append_comment(root, title));
    record.result = result.or_else(|| titles.iter().find_map(|title| RecordResult::at_end(title))).unwrap_or_default();
    read_headings(&head.headings, record)
}

fn read_headings(headings: &[(&'static str, &str)], record: &mut Record) -> Result<(), RecordProblem> {
    let mut names = Vec::new();
    for &(tag, value) in headings.iter().filter(|(_, value)| !value.is_empty()) {
        match tag {
            titles::RESULT => read_result(value, record),
            titles::RED_NAME | titles::BLACK_NAME => names.push((tag.trim_end_matches("Name"), value)),
            titles::FEN => record.read_start(value)?,
            titles::MOVES => read_heading_of_moves(value, record.root(), record),
            _ => record.set_tag(tag, value),
        }
    }
    for (tag, value) in names {
        if record.tag(tag).is_none() {
            record.set_tag(tag, value);
        }
    }
    Ok(())
}

/// Reads the text of a heading of the moves, which may be the result: `【主变: 红胜】`.
pub(super) fn read_heading_of_moves(value: &str, node: NodeId, record: &mut Record) {
    match RecordResult::understand(value) {
        Some(result) if record.result == RecordResult::Unknown => record.result = result,
        Some(_) => {}
        None => record.append_comment(node, value),
    }
}

pub(super) fn read_result(value: &str, record: &mut Record) {
    match RecordResult::understand(value) {
        Some(result) => record.result = result,
        // As a tag `Result` it would contradict the one added by the writer.
        None => record.add_tag(RESULT_NOTE, value),
    }
}
