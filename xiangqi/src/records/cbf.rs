//! CBF, the XML sibling of CBR. Only main lines are known from real files; a move that carries variations is said.

use super::format::File;
use super::source::with_unreadable;
use super::{Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::types::{Move, RANKS, Square};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// XML elements of the head and their tags. Elements that are not listed keep their own name.
const NAMES: [(&str, &str); 9] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("TimeRule", "TimeControl"),
    ("RedRating", "RedElo"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("Referee", "Judge"),
    ("DateCreated", "Created"),
    ("DateModified", "Modified"),
];
/// Elements that become part of the record itself.
const RESULT: &str = "RecordResult";
const FEN: &str = "FEN";

/// Reads a CBF file.
///
/// # Errors
/// As [`read`].
pub(super) fn read_file(file: File) -> Result<Record, RecordError> {
    let text = file.text();
    read(&text).map(|record| with_unreadable(record, &text))
}

/// Reads a CBF file, whose text is UTF-8.
///
/// # Errors
/// When the XML is broken before the first move, the root element is another one, or the FEN cannot be read.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut reader = Reader::from_str(text);
    let mut state =
        State { record: Record::new(Setup::standard()), at: None, path: Vec::new(), text: String::new(), ended: false };
    loop {
        let place = reader.buffer_position();
        let at = |problem: RecordProblem| RecordError::new(format!("byte {place}"), problem);
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                let name = name_of(&element);
                if state.path.is_empty() && name != "ChineseChessRecord" {
                    return Err(at(format!("the root element is <{name}>, expected <ChineseChessRecord>").into()));
                }
                state.text.clear();
                if name == "Move" {
                    state.add_move(&element, place as usize).map_err(at)?;
                }
                state.path.push(name);
            }
            Ok(Event::Empty(element)) => {
                if name_of(&element) == "Move" {
                    state.add_move(&element, place as usize).map_err(at)?;
                }
            }
            Ok(Event::End(_)) => state.close().map_err(at)?,
            Ok(Event::Text(text)) => state.text.push_str(&text.decode().unwrap_or_default()),
            Ok(Event::CData(text)) => state.text.push_str(&String::from_utf8_lossy(&text)),
            Ok(Event::GeneralRef(entity)) => {
                let name = String::from_utf8_lossy(&entity).into_owned();
                let resolved = entity.resolve_char_ref().ok().flatten().map(String::from);
                let known = resolved.or_else(|| quick_xml::escape::resolve_predefined_entity(&name).map(String::from));
                state.text.push_str(&known.unwrap_or(format!("&{name};")));
            }
            Ok(Event::Eof) if state.record.moves_in_tree() == 0 && !state.ended => {
                return Err(at("the file ends before </ChineseChessRecord>".into()));
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) if state.record.moves_in_tree() == 0 => return Err(at(error.to_string().into())),
            Err(error) => {
                state.record.warn(format!("byte {place}: {error}; the rest is left out"));
                break;
            }
        }
    }
    if !state.ended {
        state.record.warn("the file ends before </ChineseChessRecord>".to_string());
    }
    let first = state.record.next(state.record.root()).and_then(|id| state.record.mv(id));
    state.record.start.trust_first_move(first);
    Ok(state.record.legal_part())
}

struct State {
    record: Record,
    /// The node whose comment is being read.
    at: Option<super::NodeId>,
    path: Vec<String>,
    text: String,
    ended: bool,
}

impl State {
    fn add_move(&mut self, element: &BytesStart<'_>, place: usize) -> Result<(), RecordProblem> {
        let value = element.try_get_attribute("value").ok().flatten();
        let value = value.map(|value| String::from_utf8_lossy(&value.value).into_owned()).unwrap_or_default();
        if self.path.last().is_some_and(|name| name == "Move") {
            self.record.warn(format!("byte {place}: the move '{value}' inside another move is left out"));
            return Ok(());
        }
        if value == "00-00" && self.at.is_none() {
            self.at = Some(self.record.root());
            return Ok(());
        }
        let mv = read_move(&value).unwrap_or(Move::NONE);
        let parent = self.at.unwrap_or(self.record.root());
        self.at = Some(self.record.add(parent, mv)?);
        Ok(())
    }

    fn close(&mut self) -> Result<(), RecordProblem> {
        let name = self.path.pop().unwrap_or_default();
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        match (name.as_str(), self.path.last().map(String::as_str)) {
            ("ChineseChessRecord", None) => self.ended = true,
            ("Move", Some("MoveList")) => {
                let node = self.at.unwrap_or(self.record.root());
                self.record.append_comment(node, text);
            }
            (RESULT, Some("Head")) => {
                self.record.result = match text {
                    "1" => RecordResult::RedWins,
                    "2" => RecordResult::BlackWins,
                    "3" => RecordResult::Draw,
                    _ => RecordResult::Unknown,
                }
            }
            (FEN, Some("Head")) if !text.is_empty() => {
                self.record.start = Setup::from_fen(text)?;
            }
            (name, Some("Head")) => {
                let tag = NAMES.iter().find(|(element, _)| *element == name).map_or(name, |(_, tag)| tag);
                self.record.set_tag(tag, text);
            }
            _ => {}
        }
        Ok(())
    }
}

fn name_of(element: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(element.local_name().as_ref()).into_owned()
}

/// Reads `77-47`: file and row from the top of origin and goal.
fn read_move(text: &str) -> Option<Move> {
    let &[a, b, b'-', c, d] = text.as_bytes() else { return None };
    move_from_digits([a, b, c, d])
}

/// The move of four digits: file and row from Black's back rank of origin and goal, as CBF and DhtmlXQ have them.
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
    fn broken_files_are_explained() {
        assert!(read("<a></a>").unwrap_err().to_string().contains("expected <ChineseChessRecord>"));
        for length in (0..GAME.len()).filter(|&length| GAME.is_char_boundary(length)) {
            if let Ok(record) = read(&GAME[..length]) {
                assert!(!record.warnings().is_empty(), "{length}");
            }
        }
        let illegal = read(&GAME.replace("70-62", "70-61")).unwrap();
        assert!(illegal.plies() == 1 && illegal.warnings().len() == 1);
    }
}
