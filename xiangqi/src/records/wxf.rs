//! WXF record files, as written by XieXie and PlayOK: headings, then the moves of the main line between `START{` and `}END`.
//!
//! Based on the file format drafted by Huayong Yang for online servers, and on public files and readers: the samples of
//! hartwork/xiangqi-setup, the records of the engine Ki11egg, which has comments in lines that start with `#`, and pages of xqmoon.com, which
//! have them between `/*` and `*/` and mark with `DIAG{ … }` where a diagram is shown.

use super::pgn;
use super::result::RESULT_NOTE;
use super::source::{Source, Step, TextGames};
use super::{Losses, NodeId, PgnOptions, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::board::kind_of_letter;
use crate::notation::{self, PgnForm, System};
use crate::records::warning::{Warning, warning};
use crate::types::{Color, Piece, Square};
use std::fmt::Write;

/// Headings and their tags. Other headings keep their own names with the prefix [`OWN`].
const NAMES: [(&str, &str); 12] = [
    ("GAME", "Title"),
    ("DATE", "Date"),
    ("EVENT", "Event"),
    ("PLACE", "Site"),
    ("SITE", "Site"),
    ("ROUND", "Round"),
    ("TIME", "TimeControl"),
    ("AUTHOR", "Author"),
    ("OPEN", "Opening"),
    ("OPENING", "Opening"),
    ("ECCO", "ECCO"),
    ("REMARK", "Remark"),
];
const OWN: &str = "WXF-";
/// The players' headings and their tags: name, rating, team.
const PLAYERS: [(&str, [&str; 3]); 2] = [("RED", ["Red", "RedElo", "RedTeam"]), ("BLACK", ["Black", "BlackElo", "BlackTeam"])];
/// Values of the `FORMAT` line: the notation of the moves. The last two are long and short algebraic notation.
const FORMATS: [&str; 6] = ["WXF", "AXF", "XQR", "ICCS", "LALG", "SALG"];

/// The offset of the first heading, if a text is in this format: it starts with a `FORMAT` line, or has a heading followed by `START{`.
pub(super) fn find_mark(text: &str) -> Option<usize> {
    let is_format = |line: &str| heading(line).is_some_and(|(name, value)| name == "FORMAT" && format_of(value).is_some());
    let is_player = |line: &str| heading(line).is_some_and(|(name, _)| PLAYERS.iter().any(|(player, _)| *player == name));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let offset = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    if let Some(line) = lines.peek().filter(|line| is_format(line)) {
        return Some(offset(line));
    }
    let mut first = None;
    lines.find_map(|line| {
        if first.is_none() && (is_format(line) || is_player(line)) {
            first = Some(offset(line));
        }
        first.filter(|_| block(line, "START").is_some())
    })
}

/// The name of a heading in capitals, and its value. A heading starts with a word in capital letters, which is rare in prose.
fn heading(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|letter: char| letter.is_whitespace()).unwrap_or(line.len());
    let (name, value) = line.split_at(end);
    let is_name = name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_name || name == "Result").then(|| (if name == "Result" { "RESULT" } else { name }, value.trim()))
}

/// The notation of the moves for a value of `FORMAT`.
fn format_of(value: &str) -> Option<&'static str> {
    let word = value.split([',', ' ', '\t']).next().unwrap_or_default();
    FORMATS.into_iter().find(|format| format.eq_ignore_ascii_case(word))
}

/// The text after the opening brace of a block such as `START{`.
fn block<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name)).map(|_| &line[name.len()..])?;
    rest.trim_start().strip_prefix('{')
}

/// Opens a file.
pub(super) fn open(text: String) -> Box<dyn Source> {
    TextGames::source(text, next)
}

/// State of reading a game before its moves.
struct Reading {
    record: Record,
    format: &'static str,
    /// Whether a line `FORMAT` was found. It is the first in most files; another one begins the next game.
    has_format: bool,
    /// Whether any part of a game was found.
    is_game: bool,
}

/// The next game of a text at or after `at`, and the offset at which to continue.
fn next(text: &str, at: usize) -> Option<Step> {
    let record = Record::new(Setup::standard());
    let mut reading = Reading { record, format: FORMATS[0], has_format: false, is_game: false };
    let mut place = at;
    let mut fault = None;
    while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        let trimmed = line.trim_start_matches('\u{feff}').trim();
        let name = heading(trimmed).map(|(name, _)| name);
        if name == Some("FORMAT") && reading.has_format {
            reading.record.warn(no_moves());
            return Some(finish(reading, "", fault, at, place));
        }
        if let Some(body) = block(trimmed, "START") {
            let body_at = body.as_ptr() as usize - text.as_ptr() as usize;
            let (end, next, is_closed) = end_of_block(text, body_at);
            if !is_closed {
                reading.record.warn(warning!(
                    "the end of the moves, }}END, is missing; the game may be cut off",
                    "缺少着法的结束标记}}END，对局可能被截断"
                ));
            }
            return Some(finish(reading, &text[body_at..end], fault, at, next));
        }
        if let Some(body) = block(trimmed, "SETUP") {
            let body_at = body.as_ptr() as usize - text.as_ptr() as usize;
            let (end, next, _) = end_of_block(text, body_at);
            reading.is_game = true;
            read_setup(&text[body_at..end], &mut reading.record);
            place = next;
            continue;
        }
        if let Err(problem) = reading.line(trimmed) {
            fault = Some(problem);
        }
        place += line.len();
    }
    if !reading.is_game {
        return None;
    }
    reading.record.warn(no_moves());
    Some(finish(reading, "", fault, at, text.len()))
}

fn no_moves() -> Warning {
    warning!("the moves, between START{{ and }}END, are missing", "缺少START{{与}}END之间的着法")
}

fn finish(reading: Reading, body: &str, fault: Option<RecordProblem>, at: usize, next: usize) -> Step {
    let result = match fault {
        Some(problem) => Err(RecordError::new(format!("byte {at}"), problem)),
        None => Ok(pgn::read_moves(reading.record, &with_long_comments(&with_comments(body)), reading.format)),
    };
    (result, next)
}

/// Finds the end of the block whose text starts at `from`. Returns the end, the offset at which to continue, and whether the block is closed.
/// It ends at `}END` before the next game, ignoring single braces before that; without `END`, at the matching brace.
fn end_of_block(text: &str, from: usize) -> (usize, usize, bool) {
    let is_begin =
        |line: &str| heading(line.trim()).is_some_and(|(name, _)| name == "FORMAT") || block(line.trim(), "START").is_some();
    let limit = text[from..].match_indices('\n').map(|(at, _)| from + at + 1);
    let limit = limit.into_iter().find(|&at| is_begin(text[at..].lines().next().unwrap_or_default())).unwrap_or(text.len());
    let body = &text[from..limit];
    let behind_end = |at: usize| {
        let rest = body[at + 1..].trim_start();
        rest.get(..3).filter(|word| word.eq_ignore_ascii_case("end")).map(|_| limit - rest.len() + 3)
    };
    if let Some((end, next)) = body.match_indices('}').find_map(|(at, _)| behind_end(at).map(|next| (from + at, next))) {
        return (end, next, true);
    }
    let mut depth = 0usize;
    let (mut is_line_start, mut is_behind_blank, mut is_comment) = (false, false, false);
    for (at, letter) in body.char_indices() {
        let may_begin = is_line_start || is_behind_blank && depth == 0;
        is_comment = letter != '\n' && (is_comment || (may_begin && letter == '#'));
        is_line_start = letter == '\n' || (is_line_start && letter.is_whitespace());
        is_behind_blank = letter.is_whitespace();
        match letter {
            _ if is_comment => {}
            '{' => depth += 1,
            '}' if depth == 0 => return (from + at, from + at + 1, true),
            '}' => depth -= 1,
            _ => {}
        }
    }
    (limit, limit, false)
}

/// Splits a line of moves before a `#` that begins a comment: at its start, or between blanks and text outside braces. `depth` is that of the
/// braces before the line.
fn split_comment<'a>(line: &'a str, depth: &mut usize) -> (&'a str, Option<&'a str>) {
    for (at, letter) in line.char_indices() {
        let before = &line[..at];
        match letter {
            '{' => *depth += 1,
            '}' => *depth = depth.saturating_sub(1),
            '#' if before.trim_start().is_empty() || *depth == 0 && before.ends_with(char::is_whitespace) => {
                let comment = &line[at + 1..];
                // After a move the sign alone stands for mate.
                if before.trim_start().is_empty() || !comment.trim().is_empty() {
                    return (before, Some(comment.strip_prefix(' ').unwrap_or(comment).trim_end()));
                }
            }
            _ => {}
        }
    }
    (line, None)
}

/// Converts comments after `#` to comments in braces.
fn with_comments(body: &str) -> String {
    let mut text = String::with_capacity(body.len() + 16);
    let (mut is_open, mut depth) = (false, 0);
    for line in body.lines() {
        let (moves, comment) = split_comment(line, &mut depth);
        let is_whole = comment.is_some() && moves.trim().is_empty();
        if is_open && is_whole {
            // Comments on consecutive lines are one.
            text.push('\n');
        } else {
            text.push_str(if is_open {
                "} "
            } else if is_whole {
                ""
            } else {
                "\n"
            });
            text.push_str(moves);
            text.push_str(if comment.is_some() { " {" } else { "" });
        }
        text.push_str(&comment.unwrap_or_default().replace('{', "｛").replace('}', "｝"));
        is_open = comment.is_some();
    }
    if is_open {
        text.push('}');
    }
    text
}

/// Converts comments between `/*` and `*/` to comments in braces, and drops the places of diagrams. Text in braces is left unchanged.
fn with_long_comments(body: &str) -> String {
    let mut text = String::with_capacity(body.len() + 16);
    let mut rest = body;
    while let Some(at) = rest.find(['{', '/', 'D']) {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        rest = behind;
        if let Some(comment) = rest.strip_prefix("/*") {
            let (comment, behind) = comment.split_once("*/").map_or((comment, None), |(comment, behind)| (comment, Some(behind)));
            text.push_str(" {");
            text.push_str(&comment.trim_ascii().replace('{', "｛").replace('}', "｝"));
            // An open brace is reported as a comment that is not closed.
            text.push_str(behind.map_or("", |_| "} "));
            rest = behind.unwrap_or_default();
            continue;
        }
        let is_word = !before.ends_with(char::is_alphanumeric);
        let diagram = block(rest, "DIAG").filter(|_| is_word).and_then(|inside| inside.split_once('}'));
        if let Some((_, behind)) = diagram {
            text.push(' ');
            rest = behind;
            continue;
        }
        let length = if rest.starts_with('{') { rest.find('}').unwrap_or(rest.len() - 1) + 1 } else { 1 };
        text.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    text.push_str(rest);
    text
}

/// Reads the start position from pieces and their points, such as `Re0 ke9 BLACK`. An illegal position is reported with the moves.
fn read_setup(text: &str, record: &mut Record) {
    record.start = Setup::empty();
    for word in text.split(|letter: char| letter.is_whitespace() || ",;".contains(letter)).filter(|word| !word.is_empty()) {
        match word {
            "RED" => record.start.side = Color::Red,
            "BLACK" => record.start.side = Color::Black,
            _ => {
                let mut letters = word.chars();
                let piece = letters.next().and_then(|letter| {
                    let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
                    Some(Piece::new(color, kind_of_letter(letter)?))
                });
                match (piece, letters.as_str().parse::<Square>()) {
                    (Some(piece), Ok(square)) => {
                        if record.start.put(square, Some(piece)).is_some() {
                            record.warn(warning!(
                                "there are two pieces on {0}; the later one is kept",
                                "{0}上有两个棋子，保留后者",
                                square
                            ));
                        }
                    }
                    _ => record.warn(warning!(
                        "'{0}' in SETUP is not a piece on a point; left out",
                        "SETUP中的“{0}”不是某点上的棋子，已略去",
                        word.chars().take(20).collect::<String>()
                    )),
                }
            }
        }
    }
}

impl Reading {
    /// Reads a line before the moves.
    fn line(&mut self, line: &str) -> Result<(), RecordProblem> {
        let root = self.record.root();
        let Some((name, value)) = heading(line) else {
            let comment = line.strip_prefix('#').unwrap_or(line).trim();
            // There may be arbitrary text between games.
            if self.is_game || line.starts_with('#') {
                self.record.append_comment(root, comment);
            }
            return Ok(());
        };
        // Other words in capitals may begin a line of the text between games.
        self.is_game |= is_known(name);
        self.has_format |= name == "FORMAT";
        if let Some((_, tags)) = PLAYERS.iter().find(|(player, _)| *player == name) {
            self.player(tags, value);
            return Ok(());
        }
        match name {
            "END" => {}
            "FORMAT" => match format_of(value) {
                Some(format) => {
                    self.format = format;
                    if value.contains('(') {
                        self.record.warn(warning!(
                            "the line FORMAT defines other letters for the pieces, which are not supported",
                            "FORMAT行另行定义了棋子字母，不支持"
                        ));
                    }
                }
                None => self.record.warn(warning!(
                    "format '{0}' is unknown",
                    "未知格式“{0}”",
                    value.chars().take(20).collect::<String>()
                )),
            },
            "RESULT" => self.result(value),
            "FEN" if !value.is_empty() => self.record.read_start(value)?,
            "FEN" => {}
            _ => match NAMES.iter().find(|(known, _)| *known == name) {
                Some((_, tag)) => self.record.set_tag_once(tag, value),
                None => self.record.set_tag_once(&format!("{OWN}{}", name.chars().take(30).collect::<String>()), value),
            },
        }
        Ok(())
    }

    /// Reads `name ; rating ; team ;`, of which any part may be missing.
    fn player(&mut self, tags: &[&str; 3], value: &str) {
        let mut parts = value.split(';').map(str::trim);
        self.record.set_tag_once(tags[0], parts.next().unwrap_or_default());
        for part in parts.filter(|part| !part.is_empty()) {
            let tag = if is_rating(part) { tags[1] } else { tags[2] };
            let known = self.record.tag(tag).map(|known| format!("{known}; ")).unwrap_or_default();
            self.record.set_tag(tag, known + part);
        }
    }

    /// Reads a result, optionally with a reason: `1-0(Resign)`.
    fn result(&mut self, value: &str) {
        let (token, reason) = value.split_once('(').unwrap_or((value, ""));
        match RecordResult::understand(token) {
            Some(result) => self.record.result = result,
            None if token.trim() == "0-0" => {}
            None => self.record.set_tag(RESULT_NOTE, token.trim()),
        }
        self.record.set_tag("Termination", reason.trim_end_matches(')').trim());
    }
}

/// Whether a heading is one of the format.
fn is_known(name: &str) -> bool {
    let mut names = NAMES.iter().map(|(known, _)| *known).chain(PLAYERS.iter().map(|(player, _)| *player));
    ["FORMAT", "RESULT", "FEN"].contains(&name) || names.any(|known| known == name)
}

/// Whether a part of a player's heading is a rating, and not a team.
fn is_rating(part: &str) -> bool {
    let part = part.trim();
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes a record. Returns the data that the format cannot store.
pub fn write(record: &Record, options: &PgnOptions) -> (String, Losses) {
    let mut losses = Losses::default();
    let (format, system) = match (options.notation.pgn(), options.notation) {
        (Some(PgnForm::Coordinates | PgnForm::CoordinatesFromOne), _) => ("ICCS", System::Iccs),
        (_, System::Wxr) => ("AXF", System::Wxr),
        _ => ("WXF", System::Wxf),
    };
    let mut out = String::new();
    let mut put = |name: &str, value: &str| {
        let _ = writeln!(out, "{name}\t{}", value.replace(['\n', '\r'], " ").trim());
    };
    put("FORMAT", format);
    put("GAME", record.tag("Title").unwrap_or_default());
    for (name, tags) in PLAYERS {
        let values = tags.map(|tag| record.tag(tag).unwrap_or_default());
        let mut cells = values.map(|value| value.replace(';', "；"));
        // Readers tell a rating from a team by its digits.
        for (at, is_held) in [(1, is_rating(values[1])), (2, !is_rating(values[2]))] {
            if !values[at].is_empty() && !is_held {
                cells[at].clear();
                losses.tag(tags[at]);
            }
        }
        losses.add("semicolons in names, written as ；", values.iter().map(|value| value.matches(';').count()).sum());
        let value = match cells.each_ref().map(String::as_str) {
            ["", "", ""] => ";;;".to_string(),
            [name, rating, team] => format!("{name} ; {rating} ; {team} ;"),
        };
        put(name, &value);
    }
    // A note that readers would take for a result, or for one with a reason, is none.
    let is_held = |note: &&str| RecordResult::understand(note).is_none() && note.trim() != "0-0" && !note.contains('(');
    let note = record.tag(RESULT_NOTE).filter(|_| record.result == RecordResult::Unknown).filter(is_held);
    let result = note.unwrap_or(record.result.token());
    // Readers take closing parentheses from the end of a reason.
    let reason = record.tag("Termination").filter(|reason| reason.trim_end_matches(')').trim() == *reason);
    put("RESULT", &reason.map_or(result.to_string(), |reason| format!("{result}({reason})")));
    let mut written = vec!["Title"];
    written.extend(reason.map(|_| "Termination"));
    written.extend(PLAYERS.iter().flat_map(|(_, tags)| *tags));
    for (name, tag) in NAMES {
        if let Some(value) = record.tag(tag).filter(|_| !written.contains(&tag)) {
            put(name, value);
            written.push(tag);
        }
    }
    // Of a repeated tag the first value counts.
    let mut seen: Vec<&str> = Vec::new();
    for (tag, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        let is_first = !seen.iter().any(|known| known.eq_ignore_ascii_case(tag));
        seen.push(tag);
        let is_written = match tag.eq_ignore_ascii_case(RESULT_NOTE) {
            true => note.is_some(),
            false => written.iter().any(|known| known.eq_ignore_ascii_case(tag)),
        };
        match tag.strip_prefix(OWN).filter(|name| heading(name).is_some()) {
            _ if is_first && is_written => losses.add("line breaks in tags", value.trim().contains('\n') as usize),
            Some(name) if is_first => {
                losses.add("line breaks in tags", value.trim().contains('\n') as usize);
                put(name, value);
            }
            _ => losses.tag(tag),
        }
    }
    if !record.start.is_standard() {
        put("FEN", &fen(&record.start));
    }
    let mut moves = Moves { record, system, is_line_start: true, out, losses };
    moves.write();
    (moves.out, moves.losses)
}

/// The FEN with the letters of these programs: `E` for elephants, `H` for horses, and `r` for Red to move. Counters are omitted if they have
/// their default values.
fn fen(setup: &Setup) -> String {
    let board = setup.to_board_fen();
    let (rows, _) = board.split_once(' ').unwrap_or((&board, ""));
    let rows = rows.replace('B', "E").replace('b', "e").replace('N', "H").replace('n', "h");
    let side = if setup.side == Color::Red { 'r' } else { 'b' };
    match (setup.clock, setup.fullmove) {
        (0, 1) => format!("{rows} {side}"),
        (clock, fullmove) => format!("{rows} {side} - - {clock} {fullmove}"),
    }
}

struct Moves<'a> {
    record: &'a Record,
    system: System,
    is_line_start: bool,
    out: String,
    losses: Losses,
}

impl Moves<'_> {
    fn write(&mut self) {
        self.out.push_str("START{\n");
        self.comment(self.record.root());
        let black_first = (self.record.start.side == Color::Black) as usize;
        let first = self.record.start.fullmove.max(1) as usize;
        let mut board = self.record.start.position().ok().map(|position| *position.board());
        for (ply, node) in self.record.main_line().enumerate() {
            let (Some(before), Some(mv)) = (board, self.record.mv(node)) else { break };
            let side = before.side_to_move();
            let round = (ply + black_first) / 2;
            let number = first + round;
            if side == Color::Red || self.is_line_start {
                let dots = if side == Color::Black { " ..." } else { "" };
                let _ = write!(self.out, "{}{number:2}.{dots}", if self.is_line_start { "" } else { "   " });
            }
            let mut text = notation::write(self.system, &before, mv);
            // A notation with spaces would be read as several moves.
            if text.contains(' ') {
                text = mv.to_string();
            }
            if side == Color::Black && self.system != System::Iccs {
                text = text.to_ascii_lowercase();
            }
            let mark = self.mark(node);
            let _ = write!(self.out, " {text}{mark}");
            self.is_line_start = false;
            // Two rounds per line.
            if side == Color::Black && !round.is_multiple_of(2) {
                self.end_line();
            }
            self.comment(node);
            board = Some(before.after(mv));
        }
        self.end_line();
        self.out.push_str("}END\n");
        self.losses.add("moves of variations", self.record.moves_in_tree() - self.record.plies());
        let main = || self.record.main_line().chain([self.record.root()]);
        let comments = main().filter(|&id| !self.record.comment(id).is_empty()).count();
        self.losses.add("comments", self.record.comments() - comments);
        // Glyphs of the root are lost, since there is no move to append them to.
        let marks: usize = self.record.main_line().map(|id| self.record.glyphs(id).len()).sum();
        self.losses.add("move marks such as ! and ?", self.record.glyph_count() - marks);
    }

    fn end_line(&mut self) {
        if !self.is_line_start {
            self.out.push('\n');
            self.is_line_start = true;
        }
    }

    /// Writes a comment, one `#` line for each of its lines.
    fn comment(&mut self, node: NodeId) {
        let text = self.record.comment(node);
        if !text.is_empty() {
            self.end_line();
            self.losses.add("braces in comments, written as full-width ones", text.matches(['{', '}']).count());
            for line in text.replace('{', "｛").replace('}', "｝").split('\n') {
                let _ = writeln!(self.out, "{}", format!("# {line}").trim_end());
            }
        }
    }

    /// The mark after a move. Only one can be written.
    fn mark(&mut self, node: NodeId) -> &'static str {
        let glyphs = self.record.glyphs(node);
        let mark = |glyph: &u8| ["!", "?", "!!", "??", "!?", "?!"].get((*glyph as usize).wrapping_sub(1)).copied();
        let written = glyphs.first().and_then(mark);
        self.losses.add("move marks such as ! and ?", glyphs.len() - written.is_some() as usize);
        written.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Format, Records};
    use crate::types::Move;

    fn all(text: &str) -> Vec<Record> {
        let mut games = TextGames::source(text.to_string(), next);
        std::iter::from_fn(|| games.next()).map(|game| game.unwrap()).collect()
    }

    fn line(record: &Record) -> String {
        record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_comment_may_stand_behind_moves() {
        let text = "FORMAT WXF\nSTART{\n1. C2=5 H8+7\n2. H2+3 # good move\n# and more\nR9.8\n3. R1.2 {a # b} H2+3 # last\n}END\n";
        let record = Records::new(text.as_bytes().to_vec(), Some(Format::Wxf)).unwrap().next().unwrap().unwrap();
        let comments: Vec<&str> = record.main_line().map(|node| record.comment(node)).collect();
        assert_eq!(comments, ["", "", "good move\nand more", "", "a # b", "last"]);
        assert!(record.warnings().is_empty(), "{:?}", record.warnings());
    }

    #[test]
    fn line_breaks_in_tags_are_reported() {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Remark", "one\ntwo");
        let (text, losses) = write(&record, &PgnOptions::default());
        assert!(text.contains("REMARK\tone two\n"), "{text}");
        assert_eq!(losses.to_string(), "line breaks in tags 1");
    }

    const PLAYOK: &str = "FORMAT  WXF\nRED     甲 ; 1200 ;;\nBLACK   乙 ; 1240 ;;\nRESULT  0-1\nDATE    2020-02-02 02:02:02\n\
        EVENT   Game ; 10m+0s\nSTART{\n 1. C2.5 h8+7   2. H2+3 r9.8\n 3. R1.2 h2+3   4. P7+1 p7+1 }END\n";

    #[test]
    fn headings_and_moves_are_read() {
        let games = all(PLAYOK);
        let tags = ["Red", "RedElo", "Black", "BlackElo", "Date", "Event"].map(|tag| games[0].tag(tag).unwrap());
        assert_eq!(tags, ["甲", "1200", "乙", "1240", "2020-02-02 02:02:02", "Game ; 10m+0s"]);
        assert_eq!((games[0].result, games[0].warnings()), (RecordResult::BlackWins, vec![]));
        assert_eq!(line(&games[0]), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5");
        // Several games with text between them, and other notations.
        let text = format!("{PLAYOK}\n\nsaved by a program\r\n{}", PLAYOK.replace('\n', "\r\n"));
        assert_eq!(all(&text).iter().map(line).collect::<Vec<_>>(), [line(&games[0]), line(&games[0])]);
        for (format, moves) in [
            ("AXF", "1. C2=5 h8+7!"),
            ("ICCS", "1. H2-E2 H9-G7"),
            ("SALG", "1. Che2 Hg7"),
            ("AXF", "1. C2=5+ h8+7++"),
            ("WXF", "1. Ｃ２．５ ｈ８＋７"),
        ] {
            let games = all(&format!("FORMAT\t{format}\nSTART{{\n{moves}\n}}END\n"));
            assert_eq!((line(&games[0]).as_str(), games[0].warnings()), ("h2e2 h9g7", vec![]), "{format}");
        }
    }

    #[test]
    fn a_late_format_and_text_in_capitals_begin_no_game() {
        let moves = "START{\n1. H2-E2 H9-G7\n}END\n";
        let games = all(&format!("GAME\tCup\nRED\tA;;;\nFORMAT\tICCS\nRESULT\t1-0(time (blitz))\n{moves}EXPORTED BY X\n"));
        let found: Vec<_> = games.iter().map(|game| (game.tag("Red"), game.plies(), game.warnings())).collect();
        assert_eq!(found, [(Some("A"), 2, vec![])]);
        // Games without moves before another FORMAT are separate.
        assert_eq!(all(&format!("FORMAT WXF\nRED a\nFORMAT WXF\nRED b\n{moves}")).len(), 2);
    }

    #[test]
    fn moves_have_the_numbers_of_the_start_position() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4C4/4K4 b - - 3 30").unwrap());
        let first = record.add(record.root(), Move::from_uci("d9d8").unwrap()).unwrap();
        record.add(first, Move::from_uci("e1e2").unwrap()).unwrap();
        let (text, _) = write(&record, &PgnOptions::default());
        assert!(text.contains("\n30. ... k4+1   31. C5+1\n"), "{text}");
        let back = all(&text);
        assert!(back[0] == record && back[0].warnings().is_empty(), "{:?}", back[0].warnings());
    }

    #[test]
    fn the_reason_of_a_result_is_written() {
        let mut record = Record::new(Setup::standard());
        record.result = RecordResult::RedWins;
        record.set_tag("Termination", "time (blitz");
        let (text, losses) = write(&record, &PgnOptions::default());
        assert!(text.contains("RESULT\t1-0(time (blitz)\n") && losses.is_empty() && all(&text)[0] == record, "{losses}\n{text}");
        record.set_tag("Termination", "time (blitz)");
        assert_eq!(write(&record, &PgnOptions::default()).1.to_string(), "tag Termination 1");
    }

    #[test]
    fn positions_are_read() {
        let fen = "4ka3/4a4/4e1h2/9/9/2C6/9/4E4/9/4KA1R1 b";
        for text in [
            format!("FORMAT\tWXF\nGAME\t\nRED\t;;;\nBLACK\t;;;\nDATE\t2024-01-01\nFEN\t{fen}\n\nSTART{{\n}}END\n"),
            "RED\tA;;;\nSETUP{ ke9 af9 ae8 ee7 hg7\nCc4 Ee2 Ke0 Af0 Rh0 BLACK }\nSTART{\n}END\n".to_string(),
        ] {
            let games = all(&text);
            let expected = Setup::from_fen(fen).unwrap().to_fen();
            assert_eq!((games.len(), games[0].plies(), games[0].start.to_fen()), (1, 0, expected), "{text}");
            assert_eq!(games[0].warnings(), [""; 0]);
        }
        assert!(next("FEN\t9/9 w\nSTART{\n}END", 0).unwrap().0.is_err());
    }

    #[test]
    fn pieces_of_a_position_that_are_not_read_are_reported() {
        let games = all("FORMAT\tWXF\nSETUP{ ke9 Kd0 Rh0 Ch0 Zc4 Cc44 RED }\nSTART{\n}END\n");
        let warnings = games[0].warnings();
        assert!(
            warnings.len() == 3 && warnings[0].contains("two pieces on h0") && warnings[2].contains("'Cc44'"),
            "{warnings:?}"
        );
    }

    #[test]
    fn the_side_to_move_is_corrected_if_its_opponent_is_in_check() {
        let games = all("FORMAT\tWXF\nFEN\t4k4/9/9/9/9/9/9/9/4R4/3K5 w\nSTART{\n 1. ... k5.6    2. R5.4\n}END\n");
        assert_eq!((line(&games[0]).as_str(), games[0].warnings().len()), ("e9f9 e1f1", 1));
    }

    #[test]
    fn comments_are_read_and_truncation_is_reported() {
        let text = "GAME\nResult 1-0(Resign)\n# before\nSTART{\n# first\n# and second\n1. H2-E2 H9-G7\n2. H0-G2 ... \n# a } brace\n\
            2.  ... I9-H9\n}\nGAME\nRED a\nSTART{\n1. H2-E2 {open H9-G7\n";
        let games = all(text);
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9", "h2e2"]);
        let third = games[0].main_line().nth(2).unwrap();
        assert_eq!((games[0].comment(games[0].root()), games[0].comment(third)), ("before\nfirst\nand second", "a ｝ brace"));
        assert_eq!((games[0].result, games[0].tag("Termination")), (RecordResult::RedWins, Some("Resign")));
        let warnings = games[1].warnings();
        assert_eq!(warnings[0], "the end of the moves, }END, is missing; the game may be cut off");
        assert_eq!(warnings[1], "the comment 'open H9-G7…' after ply 1 is not closed");
        let games = all("FORMAT WXF\nRED a\nFORMAT WXF\nRED b\nSTART{\n1. C2.5");
        assert_eq!(games.iter().map(|game| (game.plies(), game.warnings().len())).collect::<Vec<_>>(), [(0, 1), (1, 1)]);
    }

    #[test]
    fn long_comments_are_read_and_places_of_diagrams_skipped() {
        let games =
            all("FORMAT WXF\nSTART{\n1. P2-5 M8.7\nDIAG{ #2 RED }\n/* Đen {x}\n2. M8.7 X9-8\n*/\n2. M2.3 DIAG {}/*y*/ X9-8\n\
             3. X1-2 {DIAG /*} M2.3\n}END\nFORMAT WXF\nSTART{\n1. C2.5 /* open\n h8+7\n}END\n");
        assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "h2e2"]);
        let comments: Vec<&str> = games[0].main_line().map(|id| games[0].comment(id)).collect();
        assert_eq!(comments, ["", "Đen ｛x｝\n2. M8.7 X9-8", "y", "", "DIAG /*", ""]);
        assert_eq!(games[0].warnings(), [""; 0]);
        assert!(games[1].warnings()[0].contains("is not closed"), "{:?}", games[1].warnings());
        // A sign in a move is not a comment.
        assert_eq!(line(&all("FORMAT WXF\nSTART{\n1. P2-5 M8.7 2. P5/1 D}END\n")[0]), "h2e2 h9g7 e2e1");
    }

    #[test]
    fn a_record_round_trips() {
        for (fen, moves) in [
            (crate::board::START_FEN, ["h2e2", "h9g7", "h0g2", "i9h9"]),
            ("3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 b - - 7 31", ["d9d8", "g7f7", "d8d9", "f7f8"]),
        ] {
            let mut record = Record::new(Setup::from_fen(fen).unwrap());
            for (tag, value) in
                [("Title", "一"), ("Red", "甲"), ("BlackElo", "2050"), ("BlackTeam", "队"), ("Date", "x"), ("WXF-LEVEL", "3")]
            {
                record.set_tag(tag, value);
            }
            record.append_comment(record.root(), "one\n\ntwo");
            let mut at = record.root();
            for text in moves {
                at = record.add(at, Move::from_uci(text).unwrap()).unwrap();
            }
            record.add_glyph(at, 3);
            let first = record.next(record.root()).unwrap();
            record.append_comment(first, "after the first");
            record.result = RecordResult::Draw;
            for notation in System::all_of_pgn() {
                let (text, losses) = write(&record, &PgnOptions { notation, ..PgnOptions::default() });
                let games = all(&text);
                assert!(losses.is_empty() && games.len() == 1 && games[0] == record, "{losses}\n{text}\n{:?}", games[0]);
                assert_eq!(find_mark(&text), Some(0));
            }
            record.add(record.root(), record.start.position().unwrap().board().legal_moves()[0]).unwrap();
            record.set_tag("Fan", "x;y");
            record.set_tag("Red", "x;y");
            let (_, losses) = write(&record, &PgnOptions::default());
            assert!(losses.to_string().contains("tag Fan 1") && losses.to_string().contains("semicolons"), "{losses}");
        }
    }

    #[test]
    fn what_readers_would_take_for_something_else_is_a_loss() {
        let mut record = Record::new(Setup::standard());
        for (tag, value) in [("RedElo", "?"), ("RedTeam", "3"), ("Remark", "one"), ("Remark", "two"), (RESULT_NOTE, "红胜")] {
            record.add_tag(tag, value);
        }
        let (text, losses) = write(&record, &PgnOptions::default());
        assert_eq!(losses.to_string(), "tag RedElo 1, tag RedTeam 1, tag Remark 1, tag ResultNote 1");
        let games = all(&text);
        assert_eq!((games[0].result, games[0].tags().collect::<Vec<_>>()), (RecordResult::Unknown, vec![("Remark", "one")]));
        let mut record = Record::new(Setup::standard());
        record.set_tag(RESULT_NOTE, "adjourned");
        let (text, losses) = write(&record, &PgnOptions::default());
        assert!(losses.is_empty() && all(&text)[0] == record, "{losses}\n{text}");
        record.result = RecordResult::Draw;
        assert_eq!(write(&record, &PgnOptions::default()).1.to_string(), "tag ResultNote 1");
    }

    #[test]
    fn output_has_the_form_used_by_other_programs() {
        let (text, _) = write(&all(PLAYOK)[0], &PgnOptions::default());
        assert!(text.starts_with("FORMAT\tWXF\nGAME\t\nRED\t甲 ; 1200 ;  ;\nBLACK\t乙 ; 1240 ;  ;\nRESULT\t0-1\n"), "{text}");
        assert!(text.ends_with("START{\n 1. C2.5 h8+7    2. H2+3 r9.8\n 3. R1.2 h2+3    4. P7+1 p7+1\n}END\n"), "{text}");
    }
}
