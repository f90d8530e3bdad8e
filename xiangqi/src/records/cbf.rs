//! CBF, the XML variant of CBR. Element names and their order follow real files.
//!
//! The moves are a flat list in the order of CBR: `end="1"` marks the last move of a line, and `branch="1"` a move whose alternative follows
//! after the move's entire line. Earlier versions of chuhe nested an alternative line inside the move that it replaces, as a sequence of
//! moves up to one with `end="1"`; such files are still read.

use super::cbr::SEVERAL_RESULTS;
use super::format::Head;
use super::result::RESULT_NOTE;
use super::source::{File, with_unreadable};
use super::{Losses, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::records::warning::warning;
use crate::types::{Move, RANKS, Square};
use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use std::fmt::Write;

/// XML elements of the head and their tags. Other elements keep their own names.
const NAMES: [(&str, &str); 11] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("TimeRule", "TimeControl"),
    ("RedRating", "RedElo"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("Creator", "Author"),
    ("Referee", "Judge"),
    ("ResultType", "Termination"),
    ("DateCreated", "Created"),
    ("DateModified", "Modified"),
];
/// The elements in the head of every real file, in order.
const HEAD: [&str; 33] = [
    "Name",
    "URL",
    "From",
    "ContestType",
    "Contest",
    "Round",
    "Group",
    "Table",
    "Date",
    "Site",
    "TimeRule",
    "Red",
    "RedTeam",
    "RedTime",
    "RedRating",
    "Black",
    "BlackTeam",
    "BlackTime",
    "BlackRating",
    "Referee",
    "Recorder",
    "Commentator",
    "CommentatorURL",
    "Creator",
    "CreatorURL",
    "DateCreated",
    "DateModified",
    "ECCO",
    "RecordType",
    "RecordKind",
    RESULT,
    "ResultType",
    FEN,
];
/// Elements that are not stored as tags.
const RESULT: &str = "RecordResult";
const FEN: &str = "FEN";
/// Name of the element of a move, which many readers look for in the whole file.
const MOVE: &str = "Move";
/// Value of the first `Move` element, which represents the start position.
const START: &str = "00-00";

/// The tag for an element of the head.
fn tag_of(element: &str) -> &str {
    NAMES.iter().find(|(name, _)| *name == element).map_or(element, |(_, tag)| tag)
}

/// Reads a CBF file.
///
/// # Errors
/// Same as [`read`].
pub(super) fn read_file(file: File) -> Result<Record, RecordError> {
    let text = file.text();
    read(&text).map(|record| with_unreadable(record, &text))
}

/// Whether a file is CBF: its first element is the root of the format.
pub(super) fn is_cbf(head: &Head) -> bool {
    let text = String::from_utf8_lossy(&head.text);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    // The declaration of XML, comments and a document type may precede the root.
    for (start, end) in [("<?", "?>"), ("<!--", "-->"), ("<!", ">"), ("<!--", "-->")] {
        while let Some((_, behind)) = rest.strip_prefix(start).and_then(|inside| inside.split_once(end)) {
            rest = behind.trim_start();
        }
    }
    rest.starts_with("<ChineseChessRecord")
}

/// Reads the text of a CBF file.
///
/// # Errors
/// Returns an error if the XML is malformed before the first move, the root element is wrong, or the FEN is invalid.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut state = State { record: Record::new(Setup::standard()), open: Vec::new(), ended: false, behind: 0 };
    loop {
        let place = reader.buffer_position();
        let at = |problem: RecordProblem| RecordError::new(format!("byte {place}"), problem);
        match reader.read_event() {
            // Its moves would become variations, and its result and position replace those of the first record.
            Ok(Event::Start(_)) if state.ended => {
                state.record.warn_of_another(place as usize);
                break;
            }
            Ok(Event::Start(element)) => {
                let name = name_of(&element);
                if state.open.is_empty() && name != "ChineseChessRecord" {
                    return Err(at(format!("the root element is <{name}>, expected <ChineseChessRecord>").into()));
                }
                // In the head it is a tag of that name.
                let is_move = name == MOVE && state.open.last().is_none_or(|outer| outer.name != "Head");
                let node = if is_move { state.add_move(&element, place as usize).map_err(at)? } else { None };
                state.open.push(Element { name, node, ..Element::default() });
            }
            Ok(Event::End(_)) => state.close().map_err(at)?,
            Ok(Event::Text(text)) => state.add_text(&text),
            Ok(Event::CData(text)) => state.add_comment(&text),
            Ok(Event::GeneralRef(entity)) => {
                let resolved = entity.resolve_char_ref().ok().flatten().map(String::from);
                let known = resolved.or_else(|| quick_xml::escape::resolve_predefined_entity(&entity).map(String::from));
                state.add_text(&known.unwrap_or(format!("&{};", &*entity)));
            }
            Ok(Event::Eof) if state.record.moves_in_tree() == 0 && !state.ended => {
                return Err(at("the file ends before </ChineseChessRecord>".into()));
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) if state.record.moves_in_tree() == 0 => return Err(at(error.to_string().into())),
            Err(error) => {
                state.record.warn(warning!(
                    "byte {0}: {1}; the rest is skipped",
                    "第{0}字节：{1}；其余部分略过",
                    place,
                    error.to_string()
                ));
                break;
            }
        }
    }
    if !state.ended {
        state.record.warn(warning!("the file ends before </ChineseChessRecord>", "文件在</ChineseChessRecord>之前结束"));
    }
    if state.behind > 0 {
        state.record.warn(warning!(
            "moves after the end of the last line, left out: {0}",
            "最后一条线结束之后的着法，已略去：{0}",
            state.behind
        ));
    }
    state.record.trust_first_move();
    let mut record = state.record.legal_part();
    record.leave_out(state.behind);
    Ok(record)
}

/// An open element.
#[derive(Default)]
struct Element {
    name: String,
    /// The node, if this is a move.
    node: Option<NodeId>,
    /// The last move of the line inside the element, while that line continues.
    tip: Option<NodeId>,
    /// Parents of the alternatives in a flat list that have not been read yet.
    pending: Vec<NodeId>,
    /// Whether the current line of a flat list has ended.
    is_ended: bool,
    text: String,
    /// Whether the text is CDATA, which is not trimmed.
    has_comment: bool,
}

struct State {
    record: Record,
    open: Vec<Element>,
    ended: bool,
    /// Number of moves after the end of the last line.
    behind: usize,
}

impl State {
    fn add_text(&mut self, text: &str) {
        // Text between elements and next to comments is just indentation.
        if let Some(element) = self.open.last_mut().filter(|element| !element.has_comment) {
            element.text.push_str(text);
        }
    }

    fn add_comment(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            if !std::mem::replace(&mut element.has_comment, true) {
                element.text.truncate(element.text.trim_end().len());
            }
            element.text.push_str(text);
        }
    }

    /// Adds a move according to the position of its element. `None` if a move is not allowed there.
    fn add_move(&mut self, element: &BytesStart<'_>, place: usize) -> Result<Option<NodeId>, RecordProblem> {
        let attribute = |name| {
            let value = element.try_get_attribute(name).ok().flatten();
            value.map(|value| value.value.into_owned()).unwrap_or_default()
        };
        let value = attribute("value");
        let Some(outer) = self.open.last_mut() else { return Ok(None) };
        let root = self.record.root();
        if outer.name != "Move" {
            if std::mem::take(&mut outer.is_ended) {
                outer.tip = outer.pending.pop();
                if outer.tip.is_none() {
                    outer.is_ended = true;
                    self.behind += 1;
                    return Ok(None);
                }
            }
            let id = if value == START && outer.tip.is_none() {
                root
            } else {
                let parent = outer.tip.unwrap_or(root);
                if attribute("branch") == "1" {
                    outer.pending.push(parent);
                }
                self.record.add(parent, read_move(&value).unwrap_or(Move::NONE))?
            };
            outer.tip = Some(id);
            outer.is_ended = attribute("end") == "1";
            return Ok(Some(id));
        }
        let Some(parent) = outer.tip.or_else(|| self.record.parent(outer.node?)) else {
            self.record.warn(warning!(
                "byte {0}: the move '{1}' inside one that it cannot replace is skipped",
                "第{0}字节：着法“{1}”位于不能被它替换的着法之内，已略过",
                place,
                value
            ));
            return Ok(None);
        };
        let id = self.record.add(parent, read_move(&value).unwrap_or(Move::NONE))?;
        outer.tip = Some(id).filter(|_| attribute("end") != "1");
        Ok(Some(id))
    }

    fn close(&mut self) -> Result<(), RecordProblem> {
        let Some(Element { name, node, text, has_comment, pending, .. }) = self.open.pop() else { return Ok(()) };
        if !pending.is_empty() {
            self.record.warn(warning!(
                "alternatives announced but missing in <{0}>: {1}",
                "<{0}>中声明但缺少的变着：{1}",
                name,
                pending.len()
            ));
        }
        let text = if has_comment { text.as_str() } else { text.trim() };
        match (name.as_str(), self.open.last().map(|outer| outer.name.as_str())) {
            ("ChineseChessRecord", None) => self.ended = true,
            (MOVE, outer) if outer != Some("Head") => {
                if let Some(node) = node {
                    self.record.append_comment(node, text);
                }
            }
            (RESULT, Some("Head")) => {
                self.record.result = match text.trim() {
                    "1" => RecordResult::RedWins,
                    "2" => RecordResult::BlackWins,
                    "3" => RecordResult::Draw,
                    // As in CBR, its variations have different results.
                    "4" => {
                        self.record.set_tag(RESULT_NOTE, SEVERAL_RESULTS);
                        RecordResult::Unknown
                    }
                    _ => RecordResult::Unknown,
                }
            }
            (FEN, Some("Head")) if !text.is_empty() => {
                self.record.read_start(text.trim())?;
            }
            (name, Some("Head")) => self.record.set_tag_once(tag_of(name), text.trim()),
            _ => {}
        }
        Ok(())
    }
}

/// Writes a record. Returns the data that the format cannot store.
///
/// # Errors
/// Never fails: the format can store every start position and tree.
pub(super) fn write(record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
    let mut losses = Losses::default();
    let mut out =
        String::from("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n <Head>\n");
    write_head(record, &mut out, &mut losses);
    out.push_str(" </Head>\n <MoveList>\n");
    write_moves(record, &mut out, &mut losses);
    out.push_str(" </MoveList>\n</ChineseChessRecord>\n");
    losses.add("move marks such as ! and ?", record.glyph_count());
    Ok((out.into_bytes(), losses))
}

fn write_head(record: &Record, out: &mut String, losses: &mut Losses) {
    let mut element = |name: &str, value: &str| {
        let value = escape(plain(value, losses)).into_owned();
        let _ = match value.is_empty() {
            true => writeln!(out, "  <{name} />"),
            false => writeln!(out, "  <{name}>{value}</{name}>"),
        };
    };
    let fen = record.start.to_fen();
    for name in HEAD {
        let value = match (name, record.result) {
            (FEN, _) => fen.as_str(),
            (RESULT, RecordResult::Unknown) if record.tag(RESULT_NOTE) == Some(SEVERAL_RESULTS) => "4",
            (RESULT, RecordResult::Unknown) => "0",
            (RESULT, RecordResult::RedWins) => "1",
            (RESULT, RecordResult::BlackWins) => "2",
            (RESULT, RecordResult::Draw) => "3",
            _ => record.tag(tag_of(name)).unwrap_or_default(),
        };
        element(name, value);
    }
    // Other tags become elements with the same name, if the name is valid.
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && name != MOVE
    };
    let is_known =
        |name: &str| HEAD.iter().any(|known| known.eq_ignore_ascii_case(name) || tag_of(known).eq_ignore_ascii_case(name));
    let mut lost = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        let is_first = !seen.iter().any(|known| known.eq_ignore_ascii_case(name));
        seen.push(name.to_string());
        if is_first && !is_known(name) && is_name(name) {
            element(name, value);
        } else if !is_first
            || !HEAD.iter().any(|known| tag_of(known).eq_ignore_ascii_case(name) && ![FEN, RESULT].contains(known))
        {
            lost.push(name);
        }
    }
    lost.into_iter().for_each(|name| losses.tag(name));
}

fn write_moves(record: &Record, out: &mut String, losses: &mut Losses) {
    for (_, id) in record.walk() {
        let value = record.mv(id).map_or(START.to_string(), move_text);
        let end = if record.next(id).is_none() { " end=\"1\"" } else { "" };
        let branch = if record.next_sibling(id).is_some() { " branch=\"1\"" } else { "" };
        let comment = plain(record.comment(id), losses).replace("]]>", "]]]]><![CDATA[>");
        let _ = match comment.is_empty() {
            true => writeln!(out, "  <Move value=\"{value}\"{end}{branch} />"),
            false => writeln!(out, "  <Move value=\"{value}\"{end}{branch}><![CDATA[{comment}]]></Move>"),
        };
    }
}

/// Removes and counts characters that are not allowed in XML.
fn plain(text: &str, losses: &mut Losses) -> String {
    let is_held = |letter: &char| !matches!(letter, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    losses.add("characters that XML lacks, left out", text.chars().filter(|letter| !is_held(letter)).count());
    text.chars().filter(is_held).collect()
}

/// Writes `77-47`, the inverse of [`read_move`].
fn move_text(mv: Move) -> String {
    let digits = |square: Square| (square.file() as usize, RANKS - 1 - square.rank() as usize);
    let ((a, b), (c, d)) = (digits(mv.from()), digits(mv.to()));
    format!("{a}{b}-{c}{d}")
}

fn name_of(element: &BytesStart<'_>) -> String {
    element.local_name().into_inner().to_string()
}

/// Parses `77-47`: file and row, from the top, of origin and destination.
fn read_move(text: &str) -> Option<Move> {
    let &[a, b, b'-', c, d] = text.as_bytes() else { return None };
    move_from_digits([a, b, c, d])
}

/// Parses the four digits of a move in CBF and DhtmlXQ: file and row, from Black's back rank, of origin and destination.
pub(super) fn move_from_digits(digits: [u8; 4]) -> Option<Move> {
    let point = |file: u8, row: u8| {
        let digit = |byte: u8| (byte as char).to_digit(10).map(|digit| digit as i32);
        Square::at(digit(file)?, RANKS as i32 - 1 - digit(row)?)
    };
    let (from, to) = (point(digits[0], digits[1])?, point(digits[2], digits[3])?);
    (from != to).then_some(Move::new(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fuzzing::CBF as GAME;

    #[test]
    fn a_game_is_read() {
        let record = read(GAME).unwrap();
        assert_eq!(record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
        assert_eq!((record.tag("Title"), record.tag("Red")), (Some("甲 & 乙"), Some("红")));
        assert_eq!((record.comment(record.root()), record.comments()), ("评", 2));
        assert_eq!((record.result, record.warnings().len()), (RecordResult::RedWins, 0));
    }

    #[test]
    fn malformed_files_are_reported() {
        assert!(read("<a></a>").unwrap_err().to_string().contains("expected <ChineseChessRecord>"));
        for length in (0..GAME.len()).filter(|&length| GAME.is_char_boundary(length)) {
            if let Ok(record) = read(&GAME[..length]) {
                assert!(!record.warnings().is_empty(), "{length}");
            }
        }
        let illegal = read(&GAME.replace("70-62", "70-61")).unwrap();
        assert!(illegal.plies() == 1 && illegal.warnings().len() == 1);
    }

    #[test]
    fn a_second_record_in_the_file_is_reported() {
        let other = GAME.replace("77-47", "17-47").replace("<RecordResult>1<", "<RecordResult>2<");
        let record = read(&format!("{GAME}\n{other}")).unwrap();
        assert_eq!((record.moves_in_tree(), record.result), (2, RecordResult::RedWins));
        let warnings = record.warnings();
        assert!(warnings.len() == 1 && warnings[0].contains("another record begins"), "{warnings:?}");
    }

    #[test]
    fn a_record_round_trips() {
        let mut record =
            Record::new(Setup::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 5 40").unwrap());
        record.set_tag("Title", "甲 & <乙>");
        record.set_tag("Red", "红");
        record.set_tag("Ending", "mate");
        record.result = RecordResult::RedWins;
        // Each move and the index of its parent (0 is the start position).
        let mut ids = vec![record.root()];
        for (parent, text) in
            [(0, "h2e2"), (1, "h9g7"), (2, "h0g2"), (0, "b2e2"), (4, "h9g7"), (4, "b9c7"), (6, "h0g2"), (6, "b0c2"), (0, "c3c4")]
        {
            let id = record.add(ids[parent], Move::from_uci(text).unwrap()).unwrap();
            record.append_comment(id, &format!("  {text}\n]]> 评 "));
            ids.push(id);
        }
        record.append_comment(record.root(), "start");
        let (bytes, losses) = write(&record).unwrap();
        assert!(losses.is_empty(), "{losses}");
        let text = String::from_utf8(bytes).unwrap();
        let back = read(text.trim_start_matches('\u{feff}')).unwrap();
        assert_eq!((back.warnings(), &back), (vec![], &record), "{text}");
        // One element for each node, in the order of CBR.
        let elements: Vec<(&str, bool, bool)> = text
            .match_indices("<Move value=\"")
            .map(|(at, start)| {
                let value = &text[at + start.len()..];
                let attributes = value[..value.find('>').unwrap()].to_string();
                (&value[..5], attributes.contains(" end=\"1\""), attributes.contains(" branch=\"1\""))
            })
            .collect();
        let expected = [
            ("00-00", false, false),
            ("77-47", false, true),
            ("70-62", false, false),
            ("79-67", true, false),
            ("17-47", false, true),
            ("70-62", true, true),
            ("10-22", false, false),
            ("79-67", true, true),
            ("19-27", true, false),
            ("26-25", true, false),
        ];
        assert_eq!(elements, expected, "{text}");
    }

    #[test]
    fn the_texts_of_a_record_are_those_of_cbr() {
        let mut record = Record::new(Setup::standard());
        for (tag, value) in [("Author", "甲"), ("RecordKind", "快棋"), ("RecordType", "1"), ("Termination", "认输")] {
            record.set_tag(tag, value);
        }
        record.set_tag(RESULT_NOTE, SEVERAL_RESULTS);
        let (bytes, losses) = write(&record).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(losses.is_empty() && text.contains("<RecordResult>4<"), "{losses}\n{text}");
        for element in ["<Creator>甲<", "<RecordKind>快棋<", "<RecordType>1<", "<ResultType>认输<"] {
            assert!(text.contains(element), "{text}");
        }
        let back = read(text.trim_start_matches('\u{feff}')).unwrap();
        let (_, losses) = crate::records::cbr::write(&back).unwrap();
        assert!(losses.is_empty(), "{losses}");
        assert!(record.tags().all(|(tag, value)| back.tag(tag) == Some(value)), "{:?}", back.tags().collect::<Vec<_>>());
    }

    #[test]
    fn nested_alternatives_of_earlier_versions_are_read() {
        let start = GAME.find("<Move value=\"77-47\"").unwrap();
        let nested = "<Move value=\"77-47\"><![CDATA[a]]><Move value=\"17-47\"><![CDATA[b]]></Move>\
            <Move value=\"10-22\"><Move value=\"70-62\" end=\"1\"/></Move><Move value=\"79-67\" end=\"1\"/>\
            <Move value=\"26-25\" end=\"1\"/></Move><Move value=\"70-62\" end=\"1\"/></MoveList></ChineseChessRecord>";
        let record = read(&format!("{}{nested}", &GAME[..start])).unwrap();
        let tree: Vec<String> =
            record.walk().skip(1).map(|(depth, id)| format!("{depth}{}{}", record.mv(id).unwrap(), record.comment(id))).collect();
        assert_eq!(tree, ["1h2e2a", "2h9g7", "1b2e2b", "2b9c7", "3h0g2", "2h9g7", "1c3c4"]);
        assert_eq!(record.warnings(), [""; 0]);
    }

    #[test]
    fn damaged_marks_of_lines_are_reported() {
        let record = read(&GAME.replace("<Move value=\"77-47\"/>", "<Move value=\"77-47\" end=\"1\"/>")).unwrap();
        assert_eq!((record.plies(), record.left_out()), (1, 1));
        assert_eq!(record.warnings(), ["moves after the end of the last line, left out: 1"]);
        let record = read(&GAME.replace("<Move value=\"77-47\"/>", "<Move value=\"77-47\" branch=\"1\"/>")).unwrap();
        assert_eq!(record.moves_in_tree(), 2);
        assert_eq!(record.warnings(), ["alternatives announced but missing in <MoveList>: 1"]);
        let text = GAME.replace("\"77-47\"", "\"77-47\" branch=\"1\"").replace("\"70-62\" end", "\"70-62\" branch");
        assert_eq!(read(&text).unwrap().warnings(), ["alternatives announced but missing in <MoveList>: 2"]);
    }

    #[test]
    fn losses_are_reported() {
        let mut record = read(GAME).unwrap();
        record.add_tag("Red", "twice");
        record.add_tag("Name", "no title");
        record.add_tag("a b", "no element");
        record.add_glyph(record.root(), 1);
        record.append_comment(record.root(), "\u{1}");
        let (bytes, losses) = write(&record).unwrap();
        let expected = "characters that XML lacks, left out 1, move marks such as ! and ? 1, tag Name 1, tag Red 1, tag a b 1";
        assert_eq!(losses.to_string(), expected);
        let back = read(std::str::from_utf8(&bytes).unwrap()).unwrap();
        assert_eq!((back.tag("Red"), back.tag("Title")), (Some("红"), Some("甲 & 乙")));
    }

    #[test]
    fn a_tag_with_the_name_of_the_element_of_moves_is_no_move() {
        let mut record = read(GAME).unwrap();
        record.set_tag("Move", "12");
        let (bytes, losses) = write(&record).unwrap();
        let back = read(std::str::from_utf8(&bytes).unwrap()).unwrap();
        assert_eq!((losses.to_string().as_str(), back.warnings(), back.plies()), ("tag Move 1", vec![], 2));
        let record = read(&GAME.replace("<URL />", "<Move>12</Move>")).unwrap();
        assert_eq!((record.tag("Move"), record.warnings(), record.plies()), (Some("12"), vec![], 2));
    }

    #[test]
    fn moves_inside_the_start_element_are_skipped() {
        let text = GAME.replace("<![CDATA[评]]>", "<Move value=\"77-47\"/>");
        let record = read(&text).unwrap();
        assert_eq!((record.plies(), record.warnings().len()), (2, 1));
    }
}
