//! DhtmlXQ (东萍, dpxq.com), also called UBB: games as bracketed text in web pages, with variations and comments. The site's own pages have the
//! moves in a script, `var DhtmlXQ_movelist='…'`, as a field or as segments `[0_1_0]…[/0_1_0]`. DHJHtmlXQ (打虎将, 01xq.com) is the same
//! format with numbers as field names.

use super::cbf::move_from_digits;
use super::result::RESULT_NOTE;
use super::source::{Source, TextGames};
use super::{Losses, MAX_PLIES, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup, TextEncoding, encode};
use crate::board::Position;
use crate::records::warning::{Count, two_values, warning};
use crate::types::{Color, FILES, Move, Piece, RANKS, Square};
use quick_xml::escape::resolve_predefined_entity;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Fields and their tags, as dpxq.com names them: `remark` is the commentator, `other` a remark on the game. Other fields keep their own names with
/// the prefix [`OWN`].
const NAMES: [(&str, &str); 25] = [
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
    ("remark", "Annotator"),
    ("other", "Remark"),
    ("group", "Group"),
    ("table", "Table"),
    ("judge", "Judge"),
    ("record", "Recorder"),
    ("endtype", "Termination"),
    ("type", "Type"),
    ("timerule", "TimeControl"),
    ("open", "Opening"),
    ("class", "Category"),
];
const OWN: &str = "DhtmlXQ-";

/// Field numbers of DHJHtmlXQ and the corresponding names, from the converter of vschess.
const NUMBERS: [(&str, &str); 20] = [
    ("10", "title"),
    ("11", "event"),
    ("13", "date"),
    ("14", "place"),
    ("15", "round"),
    ("16", "table"),
    ("17", "red"),
    ("18", "redname"),
    ("20", "redrating"),
    ("21", "black"),
    ("22", "blackname"),
    ("24", "blackrating"),
    ("28", "result"),
    ("29", "redtime"),
    ("30", "blacktime"),
    ("34", "movelist"),
    ("36", "open"),
    ("37", "variation"),
    ("40", "remark"),
    ("41", "author"),
];
/// Field numbers of the board and the side to move in DHJHtmlXQ.
const BOARD: &str = "31";
const SIDE: &str = "32";

/// Fields that a game has once, besides those with tags: the moves, the result and the position.
const ONCE: [&str; 5] = ["movelist", "result", "fen", "binit", BOARD];

/// Beginnings of the opening tag of a game, see [`opening`].
const OPENINGS: [&str; 2] = ["[DhtmlXQ", DHJ];
const DHJ: &str = "[DHJHtmlXQ";
/// Prefixes of the opening tag of a field; the last is for comments in DHJHtmlXQ.
const FIELDS: [&str; 3] = ["[DhtmlXQ_", "[DHJHtmlXQ_", "[game_"];
/// Prefixes of the closing tag of a field.
const CLOSINGS: [&str; 3] = ["[/DhtmlXQ", "[/DHJHtmlXQ", "[/comment_"];
/// Beginnings of tags that show that a text is a web page, with character references.
const PAGE: [&str; 4] = ["<html", "<body", "<div", "<script"];
/// The script variable of a page that contains the moves.
const VARIABLE: &str = "DhtmlXQ_movelist";

/// The offset of the first signature of the format in a text.
pub(super) fn find_mark(text: &str) -> Option<usize> {
    let bracketed = [find_opening(text), find_first(text, &FIELDS[..2])];
    let script = in_script(text).map(|value| value.as_ptr() as usize - text.as_ptr() as usize);
    bracketed.into_iter().flatten().map(|(at, _)| at).chain(script).min()
}

/// Whether a text begins with another one, ignoring case.
fn begins(text: &str, wanted: &str) -> bool {
    text.as_bytes().get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// The opening tag of a game at the start of a text: `[DhtmlXQ]`, or with letters for the way in which a page shows the game, such as `[DhtmlXQHTML]`
/// or `[DhtmlXQiFrame]`. A longer name with other characters is a PGN tag with a field of this format.
fn opening(text: &str) -> Option<&str> {
    const LONGEST: usize = 16;
    let name = OPENINGS.iter().find(|name| begins(text, name))?.len();
    let letters = text[name..].bytes().take(LONGEST).take_while(u8::is_ascii_alphabetic).count();
    text[name + letters..].starts_with(']').then(|| &text[..=name + letters])
}

fn find_opening(text: &str) -> Option<(usize, &str)> {
    text.match_indices('[').find_map(|(at, _)| Some((at, opening(&text[at..])?)))
}

/// Finds the first of several texts that begin with the same bracket, ignoring case. Uses a single pass, so that a file full of brackets is not searched once per
/// text.
fn find_first<'a>(text: &str, wanted: &[&'a str]) -> Option<(usize, &'a str)> {
    let bracket = wanted.first()?.chars().next()?;
    let brackets = text.match_indices(bracket).map(|(at, _)| at);
    brackets.filter_map(|at| wanted.iter().find(|wanted| begins(&text[at..], wanted)).map(|found| (at, *found))).next()
}

/// The value of the script variable of a page.
fn in_script(text: &str) -> Option<&str> {
    text.match_indices(VARIABLE).find_map(|(at, _)| {
        let value = text[at + VARIABLE.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| "'\"`".contains(*quote))?;
        value[1..].split_once(quote).map(|(value, _)| value)
    })
}

/// Opens a file.
///
/// # Errors
/// Returns an error if it contains no game.
pub(super) fn open(text: String) -> Result<Box<dyn Source>, RecordError> {
    if find_mark(&text).is_none() {
        return Err(RecordError::new("byte 0", RecordProblem::NoGame("'[DhtmlXQ]' somewhere in the file")));
    }
    let is_page = find_first(&text, &PAGE).is_some();
    Ok(TextGames::source(if is_page { text_of_page(&text) } else { text }, next))
}

/// The length of the tag `<br>` at the start of a text, with the line break that most writers of pages put behind it.
fn break_length(text: &str) -> Option<usize> {
    let inside = text.get(3..).filter(|_| begins(text, "<br"))?;
    let behind = inside.trim_start_matches([' ', '/']).strip_prefix('>')?;
    let behind = behind.strip_prefix('\r').unwrap_or(behind);
    Some(text.len() - behind.strip_prefix('\n').unwrap_or(behind).len())
}

/// The text of a web page with a character in place of every character reference, such as `&amp;` or `&#33;`, and line breaks in place of the tag
/// `<br>`. Unknown references are kept.
fn text_of_page(text: &str) -> String {
    const LONGEST: usize = 9;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('<') {
            let length = break_length(rest);
            out.push(if length.is_some() { '\n' } else { '<' });
            rest = &rest[length.unwrap_or(1)..];
            continue;
        }
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
        let letter = end.and_then(|end| match &rest[1..end] {
            "nbsp" => Some(' '),
            name => match name.strip_prefix('#') {
                Some(number) => {
                    let hexadecimal = number.strip_prefix(['x', 'X']);
                    let radix = if hexadecimal.is_some() { 16 } else { 10 };
                    u32::from_str_radix(hexadecimal.unwrap_or(number), radix).ok()?.try_into().ok()
                }
                None => resolve_predefined_entity(name)?.chars().next(),
            },
        });
        let length = match (letter, end) {
            (Some(letter), Some(end)) => {
                out.push(letter);
                end + 1
            }
            _ => {
                out.push('&');
                1
            }
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// The next game of a text at or after `at`, and the offset at which to continue.
fn next(text: &str, at: usize) -> Option<(Result<Record, RecordError>, usize)> {
    let rest = text.get(at..)?;
    let Some((start, opening)) = find_opening(rest) else {
        // Pasted text may have only the fields, and a page only its script.
        let is_game = at == 0 && find_mark(rest).is_some();
        return is_game.then(|| (read_body(rest, in_script(rest), false, true), text.len()));
    };
    let body_at = start + opening.len();
    let body = &rest[body_at..];
    // The end tag may be wrong or missing, so the next game also ends this one.
    let end_tag = opening.replace('[', "[/");
    let found = body.match_indices('[').find_map(|(at, _)| {
        let rest = &body[at..];
        let is_end = begins(rest, &end_tag) || begins(rest, "[/DhtmlXQ]");
        (is_end || self::opening(rest).is_some()).then_some((at, is_end))
    });
    let (end, is_ended) = found.unwrap_or((body.len(), false));
    let behind = &body[end..];
    let page = body_at + end + find_opening(behind).map_or(behind.len(), |(at, _)| at);
    // Pages have the script before their text or behind it. In joined pages, one between two games belongs to the first of them
    // if there is none before the first game of the file.
    let is_before = || at == 0 || find_opening(text).is_some_and(|(first, _)| in_script(&text[..first]).is_some());
    let script = in_script(&rest[..start]).filter(|_| is_before()).or_else(|| in_script(&rest[start..page]));
    let result = read_body(&body[..end], script, begins(opening, DHJ), is_ended);
    Some((result.map_err(|error| error.within(&format!("byte {}", at + start))), at + body_at + end))
}

/// A field of a game.
struct Field<'a> {
    name: &'a str,
    value: &'a str,
    /// Whether a closing tag follows.
    is_closed: bool,
}

/// The fields of a game. A field ends at the next closing tag of any name.
fn fields(body: &str) -> Vec<Field<'_>> {
    let mut found: Vec<Field<'_>> = Vec::new();
    let mut rest = body;
    while let Some((start, mark)) = find_first(rest, &FIELDS) {
        let Some((name, value)) = rest[start + mark.len()..].split_once(']') else {
            found.push(Field { name: &rest[start + mark.len()..], value: "", is_closed: false });
            break;
        };
        let end = find_first(value, &[CLOSINGS, FIELDS].concat());
        let is_closed = end.is_some_and(|(_, mark)| CLOSINGS.contains(&mark));
        let end = end.map_or(value.len(), |(at, _)| at);
        // The list of moves may contain its lines as fields.
        let is_empty_list = |list: &Field| list.name.eq_ignore_ascii_case("movelist") && list.value.trim().is_empty();
        if let Some(list) = found.last_mut().filter(|list| is_empty_list(list)) {
            list.is_closed |= begins(name, "move_");
        }
        found.push(Field { name, value: &value[..end], is_closed });
        rest = &value[end..];
    }
    found
}

/// The lines of a game in the file.
#[derive(Default)]
struct Lines<'a> {
    main: &'a str,
    variations: Vec<Variation<'a>>,
    /// The first segment that is neither a line nor the end of one.
    unknown: Option<&'a str>,
}

impl<'a> Lines<'a> {
    /// Adds the value of the list of moves: either just the main line, or segments for all lines.
    fn add_list(&mut self, list: &'a str) {
        let mut rest = list;
        if !list.contains('[') && !list.trim().is_empty() {
            self.main = list;
        }
        while let Some((name, behind)) = rest.split_once('[').and_then(|(_, behind)| behind.split_once(']')) {
            let end = behind.find('[').unwrap_or(behind.len());
            match numbers::<3>(name) {
                Some(numbers) => self.add(numbers, &behind[..end]),
                None if name.starts_with('/') && !name.contains('[') => {}
                None => self.unknown = self.unknown.or(Some(name)),
            }
            rest = &behind[end..];
        }
    }

    /// Adds a line with its parent, first ply and number. The main line has number 0.
    fn add(&mut self, [parent, ply, number]: [usize; 3], moves: &'a str) {
        if number > 0 {
            self.variations.push(Variation { number, parent, ply, moves });
        } else if !moves.trim().is_empty() {
            self.main = moves;
        }
    }
}

/// A line of moves in the record.
struct Line {
    /// Ply of the first move, counted from 1.
    first_ply: usize,
    nodes: Vec<NodeId>,
    /// The node before the first move.
    before: NodeId,
}

impl Line {
    /// The node after a ply of the game, which may be the node before the line.
    fn after_ply(&self, ply: usize) -> Option<NodeId> {
        if self.first_ply.checked_sub(1) == Some(ply) {
            Some(self.before)
        } else {
            self.nodes.get(ply.checked_sub(self.first_ply)?).copied()
        }
    }
}

/// A variation in the file.
struct Variation<'a> {
    number: usize,
    parent: usize,
    ply: usize,
    moves: &'a str,
}

/// Reads a game. `script` is the value of the script variable; `is_dhj` is set for DHJHtmlXQ.
fn read_body(body: &str, script: Option<&str>, is_dhj: bool, is_ended: bool) -> Result<Record, RecordError> {
    let mut fields = fields(body);
    let mut record = Record::new(Setup::standard());
    // A missing closing tag is the only sign of a truncated text.
    for field in fields.iter().filter(|field| !field.is_closed) {
        record.warn(warning!(
            "field '{0}' has no closing tag; it may be cut off",
            "字段“{0}”没有结束标记，可能被截断",
            short(field.name)
        ));
    }
    if !is_ended {
        record.warn(warning!(
            "the end tag [/DhtmlXQ] is missing; the game may be cut off",
            "缺少结束标记[/DhtmlXQ]，对局可能被截断"
        ));
    }
    keep_first_values(&mut fields, &mut record);
    let mut lines = Lines::default();
    let mut comments: Vec<(usize, usize, &str)> = Vec::new();
    // A FEN has the side to move and the counters too, so it counts even if a board is behind it, as vschess writes them.
    let (positions, others): (Vec<&Field<'_>>, Vec<&Field<'_>>) =
        fields.iter().partition(|field| field.name.eq_ignore_ascii_case("fen"));
    for field in others.into_iter().chain(positions) {
        read_field(field, &mut record, &mut lines, &mut comments)?;
    }
    if let Some(script) = script.filter(|_| lines.main.is_empty()) {
        match self::fields(script) {
            found if found.is_empty() => lines.add_list(script),
            found => found.iter().try_for_each(|field| read_field(field, &mut record, &mut lines, &mut comments))?,
        }
    }
    if let Some(name) = lines.unknown {
        record.warn(warning!("'[{0}]' in the list of moves is not understood", "不理解着法列表中的“[{0}]”", short(name)));
    }
    // An empty list says that the game has no moves; without one they may be elsewhere.
    let is_empty_list = |field: &Field<'_>| field.is_closed && field.value.trim().is_empty() && name_of(field.name) == "movelist";
    let has_no_moves = script.is_none() && fields.iter().any(is_empty_list);
    if lines.main.is_empty() && record.start.is_standard() && !has_no_moves {
        record.warn(warning!("there is no list of moves", "没有着法列表"));
    }
    // DHJHtmlXQ counts rows from Red's side, but not all of its writers do.
    let legal = |moves: &str| record.start.position().map_or(0, |position| legal_plies(position, moves));
    let is_turned = is_dhj && legal(&turned(lines.main)) > legal(lines.main);
    let own = |moves: &str| if is_turned { turned(moves) } else { moves.to_string() };
    let root = record.root();
    let mut read = HashMap::from([(0, add_line(&mut record, root, 1, &own(lines.main))?)]);
    let variations: Vec<String> = lines.variations.iter().map(|variation| own(variation.moves)).collect();
    let variations = lines.variations.iter().zip(&variations).map(|(&Variation { number, parent, ply, .. }, moves)| Variation {
        number,
        parent,
        ply,
        moves: moves.as_str(),
    });
    add_variations(&mut record, &mut read, variations.collect())?;
    add_comments(&mut record, &read, comments);
    record.trust_first_move();
    Ok(record.legal_part())
}

/// Drops all values of a repeated field but the first, as for the fields with tags.
fn keep_first_values<'a>(fields: &mut Vec<Field<'a>>, record: &mut Record) {
    let mut known: HashMap<Cow<'_, str>, &'a str> = HashMap::new();
    fields.retain(|field| {
        let name = name_of(field.name);
        if !ONCE.contains(&name.as_ref()) || field.value.trim().is_empty() {
            return true;
        }
        let first = *known.entry(name).or_insert(field.value);
        if first.trim() != field.value.trim() {
            record.warn(two_values(&short(field.name)));
        }
        std::ptr::eq(first, field.value)
    });
}

/// Adds each comment, with its line and ply, to its move; the comment of a move that does not exist to the start.
fn add_comments(record: &mut Record, read: &HashMap<usize, Line>, comments: Vec<(usize, usize, &str)>) {
    for (line, ply, text) in comments {
        match read.get(&line).and_then(|line| line.after_ply(ply)) {
            Some(node) => record.append_comment(node, &unescape(text)),
            None if text.is_empty() => {}
            None => {
                record.append_comment(record.root(), &unescape(text));
                record.warn(warning!(
                    "ply {0} of line {1} does not exist, its comment was moved to the start",
                    "变着{1}没有第{0}着，其注释移至开头",
                    ply,
                    line
                ));
            }
        }
    }
}

/// The name of a field in lower case, which may be written as its number.
fn name_of(name: &str) -> Cow<'static, str> {
    let named = NUMBERS.iter().find(|(number, _)| *number == name);
    named.map_or_else(|| name.to_ascii_lowercase().into(), |(_, name)| (*name).into())
}

fn read_field<'a>(
    &Field { name, value, .. }: &Field<'a>,
    record: &mut Record,
    lines: &mut Lines<'a>,
    comments: &mut Vec<(usize, usize, &'a str)>,
) -> Result<(), RecordError> {
    let fault = |problem: RecordProblem| RecordError::new(format!("field '{}'", short(name)), problem);
    let known = &*name_of(name);
    if let Some((_, tag)) = NAMES.iter().find(|(field, _)| *field == known) {
        // Line breaks of a text are escaped; those around it only lay out the page.
        record.set_tag_once(tag, unescape(value.trim_matches(['\r', '\n'])));
    } else if let Some(numbers) = known.strip_prefix("move_").and_then(numbers::<3>) {
        lines.add(numbers, value);
    } else if let Some(place) = known.strip_prefix("comment") {
        match (numbers::<1>(place), numbers::<2>(place.trim_start_matches('_'))) {
            (Some([ply]), _) => comments.push((0, ply, value)),
            (None, Some([line, ply])) => comments.push((line, ply, value)),
            (None, None) => record.warn(warning!("field '{0}' is not understood", "不理解字段“{0}”", short(name))),
        }
    } else {
        match known {
            "movelist" => lines.add_list(value),
            "result" => record.read_result(&unescape(value)),
            "fen" if !value.is_empty() => {
                record.read_start(value).map_err(|error| fault(error.into()))?;
            }
            "binit" if !value.is_empty() => read_board(value, record).map_err(fault)?,
            BOARD if !value.is_empty() => record.start = read_letters(value).map_err(fault)?,
            SIDE => record.start.side = if value.trim() == "1" { Color::Black } else { record.start.side },
            // If both fields exist, the other one includes the team.
            "redname" if record.tag("Red").is_none() => record.set_tag("Red", unescape(value)),
            "blackname" if record.tag("Black").is_none() => record.set_tag("Black", unescape(value)),
            // Display settings of the page.
            "ver" | "init" | "fen" | "binit" | BOARD | "33" | "firstnum" | "generator" => {}
            _ => record.set_tag_once(&format!("{OWN}{}", short(name)), unescape(value)),
        }
    }
    Ok(())
}

/// Flips the rows of the moves.
fn turned(moves: &str) -> String {
    let digits = moves.chars().filter(char::is_ascii_digit).enumerate();
    digits.map(|(at, digit)| if at % 2 == 1 { (b'9' - (digit as u8 - b'0')) as char } else { digit }).collect()
}

/// The number of leading moves of a line that are legal.
fn legal_plies(mut position: Position, moves: &str) -> usize {
    let digits: Vec<u8> = moves.bytes().filter(u8::is_ascii_digit).collect();
    let legal = digits.chunks_exact(4).map_while(|chunk| {
        let mv = chunk.try_into().ok().and_then(move_from_digits).filter(|mv| position.board().is_legal(*mv))?;
        position.make(mv);
        Some(())
    });
    legal.take(MAX_PLIES).count()
}

/// Parses a board of 90 letters, row by row from Black's side. Other characters are empty points.
fn read_letters(text: &str) -> Result<Setup, RecordProblem> {
    let letters: Vec<char> = text.trim().chars().map(|letter| if letter.is_ascii_alphabetic() { letter } else { '1' }).collect();
    let rows: Vec<String> = letters.chunks(FILES).map(String::from_iter).collect();
    Ok(Setup::from_fen(&rows.join("/"))?)
}

fn short(name: &str) -> String {
    name.chars().take(30).collect()
}

fn numbers<const N: usize>(text: &str) -> Option<[usize; N]> {
    let numbers: Vec<usize> = text.split('_').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// Reads the start position from a board of 32 points with two digits each.
fn read_board(text: &str, record: &mut Record) -> Result<(), RecordProblem> {
    let digits = text.trim().as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_digit) {
        return Err(format!("'{}' is not a board, expected 64 digits", short(text)).into());
    }
    record.start = Setup::empty();
    for (piece, place) in super::xqf::piece_order().zip(digits.chunks_exact(2)) {
        if place == b"99" {
            continue;
        }
        let square = Square::at((place[0] - b'0') as i32, RANKS as i32 - 1 - (place[1] - b'0') as i32);
        let square = square.ok_or_else(|| format!("'{}' is not a point of the board", String::from_utf8_lossy(place)))?;
        if record.start.put(square, Some(piece)).is_some() {
            record.warn(warning!("there are two pieces on {0}; the later one is kept", "{0}上有两个棋子，保留后者", square));
        }
    }
    Ok(())
}

/// Writes a board as [`read_board`] reads it. `None` if it has more pieces of a kind than a game.
fn write_board(setup: &Setup) -> Option<String> {
    let mut standing: Vec<(Piece, Square)> = setup.pieces().collect();
    let mut out = String::with_capacity(64);
    for piece in super::xqf::piece_order() {
        match standing.iter().position(|&(other, _)| other == piece) {
            Some(at) => {
                let (file, row) = digits(standing.remove(at).1);
                let _ = write!(out, "{file}{row}");
            }
            None => out.push_str("99"),
        }
    }
    standing.is_empty().then_some(out)
}

fn add_line(record: &mut Record, before: NodeId, first_ply: usize, moves: &str) -> Result<Line, RecordError> {
    // As in the viewer of dpxq.com, signs such as commas only separate moves.
    let digits: String = moves.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let digits = digits.as_bytes();
    let chunks = digits.chunks_exact(4);
    if !chunks.remainder().is_empty() {
        record.warn(warning!(
            "a line that begins at ply {0} ends inside a move",
            "从第{0}着开始的一条线在着法中间结束",
            first_ply
        ));
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

/// Adds the variations, which may be in any order, each after the line that it branches from.
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
    // Lines whose parent has been added, sorted by number to keep the order of alternatives.
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
        record.warn(warning!(
            "{0} left out, the line or move to branch from is missing",
            "略去变着{0}条，缺少其所接的线或着法",
            Count(left, "variation")
        ));
    }
    Ok(())
}

/// Signs before `u` and four hexadecimal digits that stand for a character. The viewer of dpxq.com reads all of them and writes the first.
const SIGNS: [char; 3] = ['\\', '%', '_'];

/// The character of the escape at the start of a text, and the length of the escape in bytes: `\u4e00`, `%u4e00` or `_u4e00`, or two for a
/// character that is a surrogate pair in UTF-16, as JavaScript writes it (`\ud83d\ude00`).
fn escaped(text: &str) -> Option<(char, usize)> {
    const LENGTH: usize = 6;
    let unit = |at: usize| {
        let code = text.get(at..)?.strip_prefix(SIGNS)?.strip_prefix('u')?.get(..4)?;
        u16::from_str_radix(code, 16).ok().filter(|_| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let letter = char::decode_utf16([unit(0)?, unit(LENGTH).unwrap_or_default()]).next()?.ok()?;
    Some((letter, LENGTH * letter.len_utf16()))
}

/// Unescapes the text of a field: `||` is a line break, and see [`escaped`].
fn unescape(text: &str) -> String {
    let text = text.replace("||", "\n");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(SIGNS) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match escaped(rest) {
            Some((letter, length)) => {
                out.push(letter);
                rest = &rest[length..];
            }
            // All signs are single bytes.
            None => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Escapes the text of a field, with the characters that the encoding lacks. Bars and the signs of escapes are escaped only where they would be read
/// as a line break or a character, and `<` where it would make the text a web page.
fn escape(text: &str, encoding: TextEncoding) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let is_whole = encode(text, encoding).1 == 0;
    let is_lacking = |letter: char| !is_whole && encode(letter.encode_utf8(&mut [0; 4]), encoding).1 > 0;
    for (at, letter) in text.char_indices() {
        let behind = &text[at + letter.len_utf8()..];
        match letter {
            '[' => out.push_str("\\u005b"),
            ']' => out.push_str("\\u005d"),
            '\n' => out.push_str("||"),
            '|' if "|\n".contains(before) || behind.starts_with(['|', '\n']) => out.push_str("\\u007c"),
            '<' if PAGE.iter().any(|sign| begins(&text[at..], sign)) => out.push_str("\\u003c"),
            letter if escaped(&text[at..]).is_some() || is_lacking(letter) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            letter => out.push(letter),
        }
        before = letter;
    }
    out
}

fn digits(square: Square) -> (u8, u8) {
    (square.file(), RANKS as u8 - 1 - square.rank())
}

/// Writes a record, with its result in characters of the encoding. Returns the data that the format cannot store.
pub fn write(record: &Record, encoding: TextEncoding) -> (String, Losses) {
    let mut losses = Losses::default();
    let mut out = String::from("[DhtmlXQ]\n");
    let mut put = |name: &str, value: &str| {
        let _ = writeln!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    };
    // Of a repeated tag the first value counts.
    let mut written: Vec<&str> = Vec::new();
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        // Written below as the result.
        if notes_result(record) && name.eq_ignore_ascii_case(RESULT_NOTE) {
            continue;
        }
        let own = name.strip_prefix(OWN);
        let known = NAMES.iter().find(|(_, tag)| tag.eq_ignore_ascii_case(name)).map(|(field, _)| *field);
        match known.or(own) {
            Some(field) if !written.contains(&field) => {
                written.push(field);
                put(field, &escape(value, encoding));
            }
            _ => losses.tag(name),
        }
    }
    let note = escape(record.tag(RESULT_NOTE).unwrap_or_default(), encoding);
    put(
        "result",
        match record.result {
            RecordResult::Unknown if notes_result(record) => &note,
            RecordResult::Unknown => "未知",
            // Big5 lacks simplified characters.
            RecordResult::RedWins if encoding == TextEncoding::Big5 => "紅勝",
            RecordResult::BlackWins if encoding == TextEncoding::Big5 => "黑勝",
            RecordResult::RedWins => "红胜",
            RecordResult::BlackWins => "黑胜",
            RecordResult::Draw => "和局",
        },
    );
    if !record.start.is_standard() {
        // Only vschess and chuhe know the FEN; the viewer of dpxq.com would show the standard start position.
        if let Some(board) = write_board(&record.start) {
            put("binit", &board);
        }
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
        let text = escape(record.comment(id), encoding);
        if line == 0 { put(&format!("comment{ply}"), &text) } else { put(&format!("comment{line}_{ply}"), &text) }
    }
    out.push_str("[/DhtmlXQ]\n");
    (out, losses)
}

/// Whether the result is given only by the tag [`RESULT_NOTE`].
fn notes_result(record: &Record) -> bool {
    record.result == RecordResult::Unknown && record.tag(RESULT_NOTE).is_some_and(|note| RecordResult::understand(note).is_none())
}

struct WrittenLine {
    parent: usize,
    first_ply: usize,
    moves: String,
}

/// The tree as numbered lines, and the comments with line, ply and node.
fn lines_of(record: &Record) -> (Vec<WrittenLine>, Vec<(usize, usize, NodeId)>) {
    let mut lines = vec![WrittenLine { parent: 0, first_ply: 1, moves: String::new() }];
    let mut comments = Vec::new();
    // The line of each node on the current path.
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
mod tests;
