//! PFC, the XML of 鹏飞象棋 (Pengfei): an element for the start position, which contains those of the moves, each inside the one before it.
//! Only read.
//!
//! Based on real files and, for the names of the attributes, on vschess.

use super::format::Head;
use super::source::{File, with_unreadable};
use super::{NodeId, Record, RecordError, RecordProblem, Setup};
use crate::records::warning::warning;
use crate::types::Move;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// The name of every element, and its beginning.
const ELEMENT: &str = "n";
const OPENING: &str = "<n ";
/// Attributes: the position or move, the comment, and whether the move continues the main line.
const MOVE: &str = "m";
const COMMENT: &str = "c";
const DEFAULT: &str = "default";
/// Attributes of the first element: the result, and the version of the format.
const RESULT: &str = "win";
const VERSION: &str = "version";
/// Other attributes of the first element and their tags. Further ones keep their own names with the prefix [`OWN`].
const NAMES: [(&str, &str); 13] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("author", "Author"),
    ("remark", "Remark"),
    ("timerule", "TimeControl"),
    ("create-time", "Created"),
];
const OWN: &str = "PFC-";

/// The text from the first element on. `None` if anything but a declaration, blanks and the start of a comment is before it.
fn body(text: &str) -> Option<&str> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    rest = rest.strip_prefix("<!--").unwrap_or(rest).trim_start();
    if rest.starts_with("<?xml") {
        rest = rest.split_once("?>")?.1.trim_start();
    }
    rest.starts_with(OPENING).then_some(rest)
}

/// Whether a file is PFC.
pub(super) fn is_pfc(head: &Head) -> bool {
    let text = if head.text.starts_with(b"<") { String::from_utf8_lossy(&head.text) } else { return false };
    body(&text).is_some_and(|body| body.split('>').next().is_some_and(|element| element.contains(" m=")))
}

/// Reads a PFC file.
///
/// # Errors
/// Same as [`read`].
pub(super) fn read_file(file: File) -> Result<Record, RecordError> {
    let text = file.text();
    read(&text).map(|record| with_unreadable(record, &text))
}

/// An open element.
struct Element {
    node: NodeId,
    /// The child that continues the main line, if the file says so.
    default: Option<NodeId>,
}

/// Reads the text of a PFC file.
///
/// # Errors
/// Returns an error if the first element is missing, or its position is invalid, or there are too many moves.
fn read(text: &str) -> Result<Record, RecordError> {
    let body = body(text).ok_or_else(|| {
        RecordError::new("byte 0", RecordProblem::NotThisFormat("a PFC record, which begins with an element '<n … m=\"FEN\">'"))
    })?;
    let offset = text.len() - body.len();
    let mut reader = Reader::from_str(body);
    reader.config_mut().expand_empty_elements = true;
    let mut record = Record::new(Setup::standard());
    let mut open: Vec<Element> = Vec::new();
    loop {
        let at = offset + reader.buffer_position() as usize;
        let place = || format!("byte {at}");
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) if open.is_empty() => return Err(RecordError::new(place(), error.to_string())),
            Err(error) => {
                record.warn(warning!(
                    "byte {0}: {1}; the rest is skipped",
                    "第{0}字节：{1}；其余部分略过",
                    at,
                    error.to_string()
                ));
                break;
            }
        };
        match event {
            Event::Start(element) => {
                let node = match open.last() {
                    None => {
                        read_head(&mut record, &element).map_err(|problem| RecordError::new(place(), problem))?;
                        record.root()
                    }
                    Some(parent) => {
                        let is_move = element.local_name().into_inner() == ELEMENT;
                        let mv = attribute(&element, MOVE).and_then(|text| Move::from_uci(text.trim()).ok()).filter(|_| is_move);
                        let full = |full| RecordError::new(place(), full);
                        record.add(parent.node, mv.unwrap_or(Move::NONE)).map_err(full)?
                    }
                };
                record.append_comment(node, &attribute(&element, COMMENT).unwrap_or_default());
                if let Some(parent) = open.last_mut().filter(|_| attribute(&element, DEFAULT).as_deref() == Some("true")) {
                    parent.default.get_or_insert(node);
                }
                open.push(Element { node, default: None });
            }
            Event::End(_) => {
                close(&mut record, open.pop());
                if open.is_empty() {
                    let end = reader.buffer_position() as usize;
                    if let Some(next) = body.get(end..).and_then(|rest| rest.find(OPENING)) {
                        record.warn_of_another(offset + end + next);
                    }
                    break;
                }
            }
            Event::Eof => {
                record.warn(warning!("the file ends before the last </n>", "文件在最后的</n>之前结束"));
                break;
            }
            _ => {}
        }
    }
    while let Some(element) = open.pop() {
        close(&mut record, Some(element));
    }
    record.trust_first_move();
    Ok(record.legal_part())
}

/// Puts the continuation of the main line before its alternatives.
fn close(record: &mut Record, element: Option<Element>) {
    if let Some(child) = element.and_then(|element| element.default) {
        record.put_first(child);
    }
}

/// Reads the attributes of the first element.
fn read_head(record: &mut Record, element: &BytesStart) -> Result<(), RecordProblem> {
    if let Some(fen) = attribute(element, MOVE).filter(|fen| !fen.trim().is_empty()) {
        record.read_start(fen.trim())?;
    }
    for attribute in element.attributes().flatten() {
        let (name, value) = (attribute.key.local_name().into_inner(), plain(&attribute.value));
        match name {
            MOVE | COMMENT | VERSION | DEFAULT => {}
            RESULT => record.read_result(value.trim()),
            name => match NAMES.iter().find(|(known, _)| *known == name) {
                Some((_, tag)) => record.set_tag(tag, value.trim()),
                None => record.set_tag(&format!("{OWN}{name}"), value.trim()),
            },
        }
    }
    Ok(())
}

fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    element.try_get_attribute(name).ok().flatten().map(|attribute| plain(&attribute.value))
}

/// The value of an attribute without escapes, if all of them are known.
fn plain(value: &str) -> String {
    unescape(value).map_or_else(|_| value.to_string(), |value| value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fuzzing::PFC as GAME;
    use crate::records::result::RESULT_NOTE;
    use crate::records::{Format, RecordResult, Records};

    fn tree(record: &Record) -> Vec<String> {
        record.walk().skip(1).map(|(depth, id)| format!("{depth}{}{}", record.mv(id).unwrap(), record.comment(id))).collect()
    }

    #[test]
    fn a_game_is_read() {
        for text in [GAME.to_string(), format!("\u{feff}{GAME}"), format!("<!--{GAME}-->"), format!("<!-- \n{} -->", &GAME[38..])]
        {
            assert_eq!(Format::shown_by(text.as_bytes()), Some(Format::Pfc), "{text}");
            let record = Records::new(text.clone().into_bytes(), None).unwrap().next().unwrap().unwrap();
            assert_eq!(tree(&record), ["1h2e2", "2b9c7&<马>", "3h0g2", "2h9g7", "1b2e2"], "{text}");
            assert_eq!((record.comment(record.root()), record.result), ("评\n注", RecordResult::RedWins));
            let tags: Vec<_> = record.tags().collect();
            assert_eq!(tags, [("Created", "2012-01-27 22:29:27"), ("Red", "甲"), ("PFC-x", "1")]);
            assert_eq!(record.warnings(), [""; 0]);
        }
        assert_eq!(read(&GAME.replace("1-0", "?!")).unwrap().tag(RESULT_NOTE), Some("?!"));
    }

    #[test]
    fn other_files_are_not_detected() {
        for text in [
            "<n a=\"1\"><m/></n>",
            "<html><n m=\"\"></html>",
            "<?xml version=\"1.0\"?>",
            "<?xml <n m=\"\"/>",
            "<n",
            "<nm m=\"\">",
            "a<n m=\"\">",
        ] {
            assert_ne!(Format::shown_by(text.as_bytes()), Some(Format::Pfc), "{text}");
        }
        assert!(read("<html>").is_err());
    }

    #[test]
    fn malformed_files_are_reported() {
        for length in (0..GAME.len()).filter(|&length| GAME.is_char_boundary(length)) {
            if let Ok(record) = read(&GAME[..length]) {
                assert!(!record.warnings().is_empty(), "{length}");
            }
        }
        assert!(read(&GAME.replace("m=\"rnb", "m=\"9rnb")).is_err());
        let illegal = read(&GAME.replace("h9g7", "h9g8")).unwrap();
        assert!(illegal.moves_in_tree() == 4 && illegal.warnings().len() == 1);
        let foreign = read(&GAME.replace("<n m=\"b2e2\"/>", "<x m=\"b2e2\"/>")).unwrap();
        assert!(foreign.moves_in_tree() == 4 && foreign.warnings().len() == 1);
    }

    #[test]
    fn a_second_record_in_the_file_is_reported() {
        let record = read(&format!("{GAME}\n{GAME}")).unwrap();
        assert!(record.moves_in_tree() == 5 && record.warnings()[0].contains("another record begins"), "{:?}", record.warnings());
    }

    #[test]
    fn deep_and_wide_trees_are_read() {
        let cycle = ["h0g2", "h9g7", "g2h0", "g7h9"];
        let deep: String = cycle.iter().cycle().take(20_000).map(|mv| format!("<n m=\"{mv}\" default=\"true\">")).collect();
        let start = &GAME[..GAME.find("<n m=\"h2e2\"").unwrap()];
        let record = read(&format!("{start}{deep}")).unwrap();
        assert_eq!(record.plies(), crate::records::MAX_PLIES);
        let wide = "<n m=\"h0g2\" default=\"true\"/>".repeat(50_000);
        assert_eq!(read(&format!("{start}{wide}</n>")).unwrap().moves_in_tree(), 50_000);
    }
}
