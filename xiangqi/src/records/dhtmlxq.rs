//! DhtmlXQ (东萍, dpxq.com): games as bracketed text in web pages, with variations and comments. Also called UBB.

use super::cbf::move_from_digits;
use super::format::Head;
use super::result::RESULT_NOTE;
use super::source::{Source, advance};
use super::{Losses, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::types::{Move, RANKS, Square};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Fields and their tags. Fields that are not listed keep their own name with the prefix [`OWN`].
const NAMES: [(&str, &str); 17] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("blacktime", "BlackTime"),
    ("author", "Author"),
    ("remark", "Remark"),
    ("type", "Type"),
    ("timerule", "TimeControl"),
];
const OWN: &str = "DhtmlXQ-";

/// What a game begins with. A name that only begins so is a tag of PGN that holds a field of this format.
const OPENINGS: [&str; 3] = ["[DhtmlXQ]", "[DhtmlXQHTML]", "[DhtmlXQiFrame]"];
const FIELD: &str = "[DhtmlXQ_";
/// What shows the format, wherever it stands.
const MARKS: [&str; 4] = [OPENINGS[0], OPENINGS[1], OPENINGS[2], FIELD];
/// What the closing tag of a field begins with.
const CLOSING: &str = "[/DhtmlXQ";

/// Whether the first bytes of a file have a mark of the format.
pub(super) fn is_certain(head: &Head) -> bool {
    MARKS.iter().any(|mark| head.has(mark.as_bytes()))
}

/// The first of some bracketed texts, in one pass: a file full of brackets must not be searched again for each.
fn find_first<'a>(text: &str, wanted: &[&'a str]) -> Option<(usize, &'a str)> {
    let brackets = text.match_indices('[').map(|(at, _)| at);
    brackets.filter_map(|at| wanted.iter().find(|wanted| text[at..].starts_with(**wanted)).map(|found| (at, *found))).next()
}

/// The games of a file.
struct Games {
    text: String,
    at: usize,
}

impl Source for Games {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        advance(&self.text, &mut self.at, next)
    }

    fn progress(&self) -> (usize, usize) {
        (self.at, self.text.len())
    }
}

/// Opens a file.
///
/// # Errors
/// When no game begins in it.
pub(super) fn open(text: String) -> Result<Box<dyn Source>, RecordError> {
    if find_first(&text, &MARKS).is_none() {
        return Err(RecordError::new("byte 0", RecordProblem::NoGame("'[DhtmlXQ]' somewhere in the file")));
    }
    Ok(Box::new(Games { text, at: 0 }))
}

/// The next game of a text at or after `at`, and where to go on.
fn next(text: &str, at: usize) -> Option<(Result<Record, RecordError>, usize)> {
    let rest = text.get(at..)?;
    let (start, opening) = find_first(rest, &OPENINGS)?;
    let body_at = start + opening.len();
    let body = &rest[body_at..];
    // The end tag may be wrong or missing; the next game ends this one too.
    let end_tag = opening.replace('[', "[/");
    let [first, second, third] = OPENINGS;
    let found = find_first(body, &[&end_tag, "[/DhtmlXQ]", first, second, third]);
    let end = found.map_or(body.len(), |(at, _)| at);
    let is_ended = found.is_some_and(|(_, mark)| mark.starts_with("[/"));
    let result = read_body(&body[..end], is_ended).map_err(|error| error.within(&format!("byte {}", at + start)));
    Some((result, at + body_at + end))
}

/// A field of a game.
struct Field<'a> {
    name: &'a str,
    value: &'a str,
    /// Whether a closing tag follows.
    is_closed: bool,
}

/// The fields of a game. A field ends at the next bracket of any closing tag, whatever name that has.
fn fields(body: &str) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    let mut rest = body;
    while let Some(start) = rest.find(FIELD) {
        let Some((name, value)) = rest[start + FIELD.len()..].split_once(']') else {
            found.push(Field { name: &rest[start + FIELD.len()..], value: "", is_closed: false });
            break;
        };
        let end = find_first(value, &[CLOSING, FIELD]);
        let is_closed = end.is_some_and(|(_, mark)| mark == CLOSING);
        let end = end.map_or(value.len(), |(at, _)| at);
        found.push(Field { name, value: &value[..end], is_closed });
        rest = &value[end..];
    }
    found
}

/// A line of moves: the ply of its first move, counted from 1, and the nodes.
struct Line {
    first_ply: usize,
    nodes: Vec<NodeId>,
    /// The node before the first move.
    before: NodeId,
}

impl Line {
    /// The node after a ply of the game, which may be the one before the line.
    fn after_ply(&self, ply: usize) -> Option<NodeId> {
        if self.first_ply.checked_sub(1) == Some(ply) {
            Some(self.before)
        } else {
            self.nodes.get(ply.checked_sub(self.first_ply)?).copied()
        }
    }
}

/// A variation as the file has it.
struct Variation<'a> {
    number: usize,
    parent: usize,
    ply: usize,
    moves: &'a str,
}

fn read_body(body: &str, is_ended: bool) -> Result<Record, RecordError> {
    let fields = fields(body);
    let mut record = Record::new(Setup::standard());
    // What is cut off at the end of a text is missing without any other sign of it.
    for field in fields.iter().filter(|field| !field.is_closed) {
        record.warn(format!("field '{}' has no closing tag; it may be cut off", short(field.name)));
    }
    if !is_ended {
        record.warn("the end tag [/DhtmlXQ] is missing; the game may be cut off");
    }
    let mut variations = Vec::new();
    let mut comments: Vec<(usize, usize, &str)> = Vec::new();
    let mut main = "";
    for &Field { name, value, .. } in &fields {
        let fault = |problem: RecordProblem| RecordError::new(format!("field '{}'", short(name)), problem);
        if let Some((_, tag)) = NAMES.iter().find(|(field, _)| *field == name) {
            record.set_tag(tag, unescape(value));
        } else if let Some(numbers) = name.strip_prefix("move_").and_then(numbers::<3>) {
            let [parent, ply, number] = numbers;
            variations.push(Variation { number, parent, ply, moves: value });
        } else if let Some(place) = name.strip_prefix("comment") {
            match (numbers::<1>(place), numbers::<2>(place)) {
                (Some([ply]), _) => comments.push((0, ply, value)),
                (None, Some([line, ply])) => comments.push((line, ply, value)),
                (None, None) => record.warn(format!("field '{}' is not understood", short(name))),
            }
        } else {
            match name {
                "movelist" => main = value,
                "result" => match RecordResult::understand(value) {
                    Some(result) => record.result = result,
                    None => record.set_tag(RESULT_NOTE, unescape(value)),
                },
                "fen" if !value.is_empty() => {
                    record.start = Setup::from_fen(value).map_err(|error| fault(error.into()))?;
                }
                "binit" if !value.is_empty() => record.start = read_board(value).map_err(fault)?,
                // How the page draws the board.
                "ver" | "init" | "fen" | "binit" | "firstnum" | "generator" => {}
                _ => record.set_tag(&format!("{OWN}{}", short(name)), unescape(value)),
            }
        }
    }
    let root = record.root();
    let mut lines = HashMap::from([(0, add_line(&mut record, root, 1, main)?)]);
    add_variations(&mut record, &mut lines, variations)?;
    for (line, ply, text) in comments {
        match lines.get(&line).and_then(|line| line.after_ply(ply)) {
            Some(node) => record.append_comment(node, &unescape(text)),
            None if text.is_empty() => {}
            None => {
                record.append_comment(root, &unescape(text));
                record.warn(format!("the comment on ply {ply} of line {line}, which is not there, stands at the start"));
            }
        }
    }
    let first = record.next(root).and_then(|id| record.mv(id));
    record.start.trust_first_move(first);
    Ok(record.legal_part())
}

fn short(name: &str) -> String {
    name.chars().take(30).collect()
}

fn numbers<const N: usize>(text: &str) -> Option<[usize; N]> {
    let numbers: Vec<usize> = text.split('_').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// Reads 32 points of two digits each.
fn read_board(text: &str) -> Result<Setup, RecordProblem> {
    let digits = text.trim().as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(format!("'{}' is no board, expected 64 digits", short(text)).into());
    }
    let mut setup = Setup::empty();
    for (piece, place) in super::xqf::piece_order().zip(digits.chunks_exact(2)) {
        if place == b"99" {
            continue;
        }
        let square = Square::at((place[0] - b'0') as i32, RANKS as i32 - 1 - (place[1] - b'0') as i32);
        let square = square.ok_or_else(|| format!("'{}' is no point of the board", String::from_utf8_lossy(place)))?;
        setup.put(square, Some(piece));
    }
    Ok(setup)
}

fn add_line(record: &mut Record, before: NodeId, first_ply: usize, moves: &str) -> Result<Line, RecordError> {
    let digits: Vec<u8> = moves.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let chunks = digits.chunks_exact(4);
    if !chunks.remainder().is_empty() {
        record.warn(format!("a line that begins at ply {first_ply} ends inside a move"));
    }
    let mut line = Line { first_ply, nodes: Vec::with_capacity(digits.len() / 4), before };
    let mut at = before;
    for chunk in chunks {
        let mv = chunk.try_into().ok().and_then(move_from_digits).unwrap_or(Move::NONE);
        at = record.add(at, mv).map_err(|full| RecordError::new("moves", full))?;
        line.nodes.push(at);
    }
    Ok(line)
}

/// Adds the variations, which come in any order, each after the line it branches from.
fn add_variations(
    record: &mut Record,
    lines: &mut HashMap<usize, Line>,
    variations: Vec<Variation<'_>>,
) -> Result<(), RecordError> {
    let mut waiting: HashMap<usize, Vec<Variation<'_>>> = HashMap::new();
    let mut left = variations.len();
    for variation in variations {
        waiting.entry(variation.parent).or_default().push(variation);
    }
    // Lines whose parent is in place, by number: alternatives to one move must keep their order.
    let mut ready: BTreeMap<usize, Variation<'_>> = BTreeMap::new();
    for variation in waiting.remove(&0).into_iter().flatten() {
        ready.insert(variation.number, variation);
    }
    while let Some((number, variation)) = ready.pop_first() {
        let before = variation.ply.checked_sub(1).and_then(|ply| lines.get(&variation.parent)?.after_ply(ply));
        if let Some(before) = before.filter(|_| !lines.contains_key(&number)) {
            left -= 1;
            let line = add_line(record, before, variation.ply, variation.moves)?;
            lines.insert(number, line);
            for variation in waiting.remove(&number).into_iter().flatten() {
                ready.insert(variation.number, variation);
            }
        }
    }
    if left > 0 {
        record.warn(format!("{left} variations left out, for the line or move they branch from is not there"));
    }
    Ok(())
}

/// Text of a field: `||` is a line break, `\uXXXX` a character.
fn unescape(text: &str) -> String {
    let text = text.replace("||", "\n");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32) {
            Some(letter) => {
                out.push(letter);
                rest = &rest[at + 6..];
            }
            None => {
                out.push_str("\\u");
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn escape(text: &str) -> String {
    text.replace('[', "\\u005b").replace(']', "\\u005d").replace('\n', "||")
}

fn digits(square: Square) -> (u8, u8) {
    (square.file(), RANKS as u8 - 1 - square.rank())
}

/// Writes a record, and says what the format has no room for.
pub fn write(record: &Record) -> (String, Losses) {
    let mut losses = Losses::default();
    let mut out = String::from("[DhtmlXQ]\n");
    let mut put = |name: &str, value: &str| {
        let _ = writeln!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    };
    for (name, value) in record.tags() {
        // Written below, as the result.
        if notes_result(record) && name.eq_ignore_ascii_case(RESULT_NOTE) {
            continue;
        }
        let own = name.strip_prefix(OWN);
        let known = NAMES.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(name)).map(|(field, _)| *field);
        match known.or(own) {
            Some(field) => put(field, &escape(value)),
            None => losses.tag(name),
        }
    }
    let note = escape(record.tag(RESULT_NOTE).unwrap_or_default());
    put(
        "result",
        match record.result {
            RecordResult::Unknown if notes_result(record) => &note,
            RecordResult::Unknown => "未知",
            RecordResult::RedWins => "红胜",
            RecordResult::BlackWins => "黑胜",
            RecordResult::Draw => "和局",
        },
    );
    if !record.start.is_standard() {
        put("fen", &record.start.to_fen());
    }
    losses.add("move marks such as ! and ?", record.glyph_count());
    let (lines, comments) = lines_of(record);
    for (number, line) in lines.iter().enumerate() {
        if number == 0 {
            put("movelist", &line.moves);
        } else {
            put(&format!("move_{}_{}_{number}", line.parent, line.first_ply), &line.moves);
        }
    }
    for (line, ply, id) in comments {
        let text = escape(record.comment(id));
        if line == 0 { put(&format!("comment{ply}"), &text) } else { put(&format!("comment{line}_{ply}"), &text) }
    }
    out.push_str("[/DhtmlXQ]\n");
    (out, losses)
}

/// Whether a tag is all that says how the game ended.
fn notes_result(record: &Record) -> bool {
    record.result == RecordResult::Unknown && record.tag(RESULT_NOTE).is_some_and(|note| RecordResult::understand(note).is_none())
}

struct WrittenLine {
    parent: usize,
    first_ply: usize,
    moves: String,
}

/// The tree as numbered lines, and the comments as line, ply and node.
fn lines_of(record: &Record) -> (Vec<WrittenLine>, Vec<(usize, usize, NodeId)>) {
    let mut lines = vec![WrittenLine { parent: 0, first_ply: 1, moves: String::new() }];
    let mut comments = Vec::new();
    // The line of the node at each depth of the walk's present path.
    let mut path: Vec<usize> = vec![0];
    for (depth, id) in record.walk() {
        path.truncate(depth);
        if let Some(mv) = record.mv(id) {
            let parent_line = path.last().copied().unwrap_or(0);
            let continues = record.parent(id).and_then(|parent| record.next(parent)) == Some(id);
            let number = if continues {
                parent_line
            } else {
                lines.push(WrittenLine { parent: parent_line, first_ply: depth, moves: String::new() });
                lines.len() - 1
            };
            let ((a, b), (c, d)) = (digits(mv.from()), digits(mv.to()));
            let _ = write!(lines[number].moves, "{a}{b}{c}{d}");
            path.push(number);
        } else {
            path.push(0);
        }
        if !record.comment(id).is_empty() {
            comments.push((path.last().copied().unwrap_or(0), depth, id));
        }
    }
    (lines, comments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Record {
        next(text, 0).unwrap().0.unwrap()
    }

    const GAME: &str = "page [DhtmlXQ][DhtmlXQ_title]甲\\u4e59[/DhtmlXQ_titel][DhtmlXQ_result]红胜[/DhtmlXQ_result]\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_move_2_3_3]8070[/DhtmlXQ_move_2_3_3]\
        [DhtmlXQ_move_0_2_2]10222767[/DhtmlXQ_move_0_2_2][DhtmlXQ_move_0_2_1]1747[/DhtmlXQ]_bad\
        [DhtmlXQ_comment0]一||二[/DhtmlXQ_comment0][DhtmlXQ_comment2_2]变[/DhtmlXQ_comment2_2][/DhtmlXQ] more";

    #[test]
    fn lines_in_any_order_and_wrong_end_tags_are_read() {
        let text = GAME.replace("[DhtmlXQ_move_0_2_1]1747[/DhtmlXQ]_bad", "[DhtmlXQ_move_0_2_1]1242[/DhtmlXQ_x]");
        let record = read(&text);
        assert_eq!(record.tag("Title"), Some("甲乙"));
        assert_eq!(record.comment(record.root()), "一\n二");
        assert_eq!(record.result, RecordResult::RedWins);
        let first = record.main_line().next().unwrap();
        let replies: Vec<_> = record.children(first).map(|id| record.mv(id).unwrap().to_string()).collect();
        assert_eq!(replies, ["h9g7", "b7e7", "b9c7"]);
        let third = record.children(first).nth(2).unwrap();
        assert_eq!(record.comment(third), "变");
        // Line 2 goes on with an illegal move, and line 3 branches from there with a legal one of Black's rook for Red.
        assert!(record.warnings().len() >= 2, "{:?}", record.warnings());
    }

    #[test]
    fn a_record_survives_writing_and_reading() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 3 9").unwrap());
        record.set_tag("Red", "甲[1]");
        record.set_tag("DhtmlXQ-owner", "me");
        let mv = |text| Move::from_uci(text).unwrap();
        let a = record.add(record.root(), mv("d9d8")).unwrap();
        let b = record.add(a, mv("e1e5")).unwrap();
        record.add(b, mv("d8d7")).unwrap();
        let c = record.add(a, mv("e1d1")).unwrap();
        record.append_comment(c, "check\nmate?");
        record.add(a, mv("e1e8")).unwrap();
        record.result = RecordResult::Draw;
        let (text, losses) = write(&record);
        assert_eq!(losses.to_string(), "");
        assert_eq!(read(&text), record);
    }

    #[test]
    fn hostile_fields_are_refused_or_told() {
        for (text, part) in [
            ("[DhtmlXQ][DhtmlXQ_binit]0919[/DhtmlXQ_binit]", "64 digits"),
            ("[DhtmlXQ][DhtmlXQ_fen]9/9[/DhtmlXQ_fen]", "expected 10"),
        ] {
            assert!(next(text, 0).unwrap().0.unwrap_err().to_string().contains(part), "{text}");
        }
        // Lines that branch from each other hang nowhere; a ply far away is none.
        let loops = read(
            "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_x][DhtmlXQ_move_2_2_1]1022[/DhtmlXQ_x][DhtmlXQ_move_1_2_2]1022[/DhtmlXQ_x]\
            [DhtmlXQ_move_0_18446744073709551615_3]1022[/DhtmlXQ_x][DhtmlXQ_comment18446744073709551615]x[/DhtmlXQ_x]",
        );
        assert_eq!((loops.moves_in_tree(), loops.warnings().len()), (1, 3), "{:?}", loops.warnings());
    }

    #[test]
    fn what_is_cut_off_is_told() {
        let whole = "[DhtmlXQ][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_red]A[/DhtmlXQ_red][/DhtmlXQ]";
        assert_eq!(read(whole).warnings(), [""; 0]);
        let end = whole.rfind("[/DhtmlXQ]").unwrap();
        for (cut, warnings) in [(end, 1), (whole.find("[/DhtmlXQ_movelist]").unwrap(), 2), (whole.find("A[").unwrap(), 2)] {
            let record = read(&whole[..cut]);
            assert_eq!(record.warnings().len(), warnings, "{:?}", record.warnings());
            assert!(record.warnings().iter().all(|warning| warning.contains("cut off")), "{:?}", record.warnings());
        }
        let open = whole.replacen("[/DhtmlXQ_movelist]", "", 1);
        assert_eq!(read(&open).warnings(), ["field 'movelist' has no closing tag; it may be cut off"]);
    }

    #[test]
    fn a_result_that_is_not_understood_is_kept() {
        let record = read("[DhtmlXQ][DhtmlXQ_result]红方超时[/DhtmlXQ_result][/DhtmlXQ]");
        assert_eq!((record.result, record.tag("ResultNote")), (RecordResult::Unknown, Some("红方超时")));
        let (text, losses) = write(&record);
        assert!(text.contains("[DhtmlXQ_result]红方超时[/") && losses.is_empty(), "{text}");
        assert_eq!(read(&text), record);
        assert_eq!(read("[DhtmlXQ][DhtmlXQ_result]红先胜[/DhtmlXQ_result][/DhtmlXQ]").result, RecordResult::RedWins);
    }

    #[test]
    fn a_tag_of_pgn_that_holds_a_field_is_no_game() {
        let mut record =
            read("[DhtmlXQ][DhtmlXQ_gametype]x[/DhtmlXQ_gametype][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]");
        record.set_tag("Red", "A");
        let (pgn, _) = crate::records::write(&record, crate::records::Format::Pgn, &Default::default()).unwrap();
        assert!(String::from_utf8_lossy(&pgn).contains("[DhtmlXQ-gametype \"x\"]"));
        let back = crate::records::Records::new(pgn, None).unwrap().next().unwrap().unwrap();
        assert!(back.same_tree(&record) && back.tag("DhtmlXQ-gametype") == Some("x"));
    }

    #[test]
    fn comments_on_illegal_moves_are_counted() {
        let record = read(
            "[DhtmlXQ][DhtmlXQ_movelist]774700097967[/DhtmlXQ_movelist][DhtmlXQ_comment1]a[/DhtmlXQ_comment1]\
            [DhtmlXQ_comment2]b[/DhtmlXQ_comment2][DhtmlXQ_comment3]c[/DhtmlXQ_comment3][/DhtmlXQ]",
        );
        assert_eq!(record.warnings().len(), 1);
        assert!(record.warnings()[0].ends_with("left out with the 1 moves after it and 2 comments"), "{:?}", record.warnings());
    }
}
