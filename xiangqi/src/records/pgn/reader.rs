//! Reads PGN as it is found: many dialects of moves, tags in any order and case, comments anywhere, games that end without a
//! word.

use super::moves::{self, Style};
use crate::board::Board;
use crate::records::format::Head;
use crate::records::source::{Source, advance};
use crate::records::{MAX_PLIES, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup, decode};
use crate::types::Color;
use std::cell::Cell;

/// Longest tag, in bytes.
pub(super) const MAX_TAG_LINE: usize = 1 << 14;

/// A stretch of the text without a closing brace, and the brace behind it (or the end). Comments that are never closed would
/// otherwise each be searched to the end of the file.
type Braces = Cell<(usize, usize)>;

/// The games of a file.
struct Games {
    text: String,
    at: usize,
    braces: Braces,
}

impl Source for Games {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        advance(&self.text, &mut self.at, |text, at| next(text, at, &self.braces))
    }

    fn progress(&self) -> (usize, usize) {
        (self.at, self.text.len())
    }
}

/// Whether the first bytes of a file look like PGN.
pub(in crate::records) fn is_likely(head: &Head) -> bool {
    head.text.starts_with(b"[") || head.text.starts_with(b"1.") || head.is_wide()
}

/// Opens a file.
///
/// # Errors
/// When there is something in it, but no game: neither a tag, nor a legal move, nor a result.
pub(in crate::records) fn open(bytes: Vec<u8>) -> Result<Box<dyn Source>, RecordError> {
    let text = decode(&bytes).into_owned();
    let games = Games { text, at: 0, braces: Braces::default() };
    if games.is_something_else() {
        let expected = "tags such as [Red \"name\"], or moves from the start position";
        return Err(RecordError::new("byte 0", RecordProblem::NoGame(expected)));
    }
    Ok(Box::new(games))
}

impl Games {
    fn is_something_else(&self) -> bool {
        let is_tag = |line: &str| {
            let line = line.trim_start_matches(['\u{feff}', ' ', '\t']);
            line.starts_with('[') && line.contains('"')
        };
        if self.text.lines().any(is_tag) {
            return false;
        }
        match next(&self.text, 0, &Braces::default()) {
            Some((Err(error), _)) => matches!(error.problem(), RecordProblem::NoGame(_)),
            _ => false,
        }
    }
}

/// The next game of a text at or after `at`, and where to go on. `braces` belongs to the text and begins as any value.
fn next(text: &str, at: usize, braces: &Braces) -> Option<(Result<Record, RecordError>, usize)> {
    let mut scanner = Scanner { text, at, braces };
    scanner.skip_advertisement();
    if scanner.rest().trim_start_matches('\u{feff}').trim().is_empty() {
        return None;
    }
    let mut record = Record::new(Setup::standard());
    let fault = read_tags(&mut scanner, &mut record).err();
    let mut game = Game::new(record);
    game.read(&mut scanner);
    let result = match fault {
        Some(fault) => Err(RecordError::new(format!("byte {at}, tag FEN"), fault)),
        // Any bytes are words; without a tag, a move or a result they are no game.
        None if is_nothing(&game.record) => {
            Err(RecordError::new(format!("byte {at}"), RecordProblem::NoGame("a tag or a legal move of PGN")))
        }
        None => Ok(game.record),
    };
    Some((result, scanner.at))
}

/// Whether only words were found that mean nothing.
fn is_nothing(record: &Record) -> bool {
    let is_empty = record.plies() == 0 && record.tags().next().is_none() && record.result == RecordResult::Unknown;
    is_empty && record.main_line_fault().is_some()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    braces: &'a Braces,
}

/// A piece of the move section.
#[derive(Debug, PartialEq)]
enum Token<'a> {
    Comment(&'a str),
    Open,
    Close,
    Glyph(u8),
    Word(&'a str),
    /// The tags of the next game, or the end of the text.
    End,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes().get(self.at - 1).is_none_or(|&byte| byte == b'\n' || byte == b'\r')
    }

    /// Goes to the first tag at the start of a line, if the text is not yet at something else than a line of signs: behind a
    /// result XQWizard writes an advertisement.
    fn skip_advertisement(&mut self) {
        let rest = self.rest().trim_start();
        if rest.starts_with("=====") {
            self.skip_to_tags();
        }
    }

    fn skip_to_tags(&mut self) {
        loop {
            let skipped = self.rest().len() - self.rest().trim_start().len();
            if self.rest()[skipped..].starts_with('[') && (skipped > 0 || self.at_line_start()) {
                self.at += skipped;
                return;
            }
            match self.rest()[skipped..].find('\n') {
                Some(end) => self.at += skipped + end + 1,
                None => {
                    self.at = self.text.len();
                    return;
                }
            }
        }
    }

    /// A line of the form `[Name "value"]`, or one that only begins with a bracket and is left out.
    fn tag(&mut self) -> Option<Option<(&'a str, &'a str)>> {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches('\u{feff}').trim_start();
        let start = rest.len() - trimmed.len();
        if !trimmed.starts_with('[') {
            return None;
        }
        let most = (0..=MAX_TAG_LINE.min(trimmed.len())).rev().find(|&at| trimmed.is_char_boundary(at)).unwrap_or(0);
        // Only as far as the tag goes: a file may hold all its tags on one line.
        let bytes = trimmed.as_bytes();
        // A value may begin with a bracket, so what closes the tag is looked for behind its first quotation mark.
        let opening = bytes[..most].iter().position(|byte| b"\"\r\n".contains(byte)).unwrap_or(most);
        let behind = opening + bytes[opening..most].starts_with(b"\"") as usize;
        let is_end = |at: &usize| matches!(bytes[*at], b'\n' | b'\r') || bytes[*at..].starts_with(b"\"]");
        let end = match (behind..most).find(is_end) {
            Some(at) if bytes[at] == b'"' => at + 2,
            Some(at) => at,
            None => most,
        };
        let line = trimmed[..end].trim_end();
        let Some((name, value)) = line[1..].split_once('"') else {
            self.at += start + end;
            return Some(None);
        };
        // A quotation mark inside a value is not always escaped: the value ends where the bracket closes behind one.
        let (value, used) = match value.find("\"]") {
            Some(close) => (&value[..close], line.len() - value.len() + close + 2),
            None => (value.trim_end_matches([']', '"']), end),
        };
        self.at += start + used;
        Some(Some((name.trim(), value)))
    }

    fn token(&mut self) -> Token<'a> {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        self.at += rest.len() - trimmed.len();
        let Some(first) = trimmed.chars().next() else { return Token::End };
        match first {
            '{' => Token::Comment(self.comment(trimmed)),
            ';' => {
                let end = trimmed.find('\n').unwrap_or(trimmed.len());
                self.at += end;
                Token::Comment(trimmed[1..end].trim())
            }
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close
            }
            '[' if self.at_line_start() => Token::End,
            '$' => {
                let digits = trimmed[1..].bytes().take_while(u8::is_ascii_digit).count();
                self.at += 1 + digits;
                trimmed[1..1 + digits].parse().map_or(Token::Word("$"), Token::Glyph)
            }
            _ => {
                let stop = |letter: char| letter.is_whitespace() || "{}();$".contains(letter);
                let end = trimmed.char_indices().skip(1).find(|&(_, letter)| stop(letter)).map_or(trimmed.len(), |(at, _)| at);
                self.at += end;
                Token::Word(&trimmed[..end])
            }
        }
    }

    /// A comment in braces, without them. One that is never closed ends before the next game.
    fn comment(&mut self, text: &'a str) -> &'a str {
        if let Some(end) = self.closing_brace() {
            let end = end - self.at;
            self.at += end + 1;
            return text[1..end].trim();
        }
        let end = text.find("\n[").map_or(text.len(), |at| at + 1);
        self.at += end;
        text[1..end].trim()
    }

    /// Where the next closing brace is.
    fn closing_brace(&self) -> Option<usize> {
        let (from, mut brace) = self.braces.get();
        if !(from..brace).contains(&self.at) {
            brace = self.rest().find('}').map_or(self.text.len(), |at| self.at + at);
            self.braces.set((self.at, brace));
        }
        (brace < self.text.len()).then_some(brace)
    }

    /// The text from an opened parenthesis to the one that closes it, or to the next game.
    fn parenthesis(&mut self) -> &'a str {
        let rest = self.rest();
        let mut depth = 1usize;
        let mut before = ' ';
        for (at, letter) in rest.char_indices() {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                '[' if before == '\n' => {
                    self.at += at;
                    return &rest[..at];
                }
                _ => {}
            }
            before = letter;
            if depth == 0 {
                self.at += at + 1;
                return &rest[..at];
            }
        }
        self.at = self.text.len();
        rest
    }
}

fn read_tags(scanner: &mut Scanner<'_>, record: &mut Record) -> Result<(), RecordProblem> {
    let mut fault = Ok(());
    while let Some(tag) = scanner.tag() {
        let Some((name, value)) = tag else {
            record.warn("a line that begins with '[' is no tag; left out");
            continue;
        };
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        match name.to_ascii_lowercase().as_str() {
            "result" => match RecordResult::from_token(value.trim()) {
                Some(result) => record.result = result,
                None if value.trim().is_empty() => {}
                None => record.add_tag(name, &value),
            },
            "fen" if !value.trim().is_empty() => match Setup::from_fen(&value) {
                Ok(setup) => record.start = setup,
                Err(error) => fault = Err(error.into()),
            },
            // What these say is said by the moves and by the writer.
            "fen" | "setup" | "format" => {}
            "game" if value.eq_ignore_ascii_case("Chinese Chess") => {}
            "white" => record.set_tag("Red", value),
            "white elo" | "whiteelo" => record.set_tag("RedElo", value),
            _ => record.add_tag(name, &value),
        }
    }
    fault
}

/// A point of a line: the node, the board there, and the board before its move for alternatives to it.
#[derive(Clone, Copy)]
struct Point {
    node: NodeId,
    board: Board,
    before: Option<(NodeId, Board)>,
    ply: usize,
}

struct Game {
    record: Record,
    /// None when the start position is illegal: no move can be read then.
    point: Option<Point>,
    /// Where lines go on when the variation that is being read is closed.
    outer: Vec<Point>,
    style: Option<Style>,
    /// A comment that stands before the first move of a variation.
    pending: String,
}

impl Game {
    fn new(mut record: Record) -> Game {
        let node = record.root();
        let point = match record.start.position() {
            Ok(position) => Some(Point { node, board: *position.board(), before: None, ply: 0 }),
            Err(error) => {
                record.warn(format!("the moves are left out, for the start position {error}"));
                None
            }
        };
        Game { record, point, outer: Vec::new(), style: None, pending: String::new() }
    }

    fn read(&mut self, scanner: &mut Scanner<'_>) {
        loop {
            match scanner.token() {
                Token::End => break,
                Token::Comment(text) => self.comment(text),
                Token::Glyph(glyph) => self.glyph(glyph),
                Token::Open => self.open(scanner),
                Token::Close => self.close(),
                Token::Word(word) => {
                    if let Some(result) = RecordResult::from_token(word) {
                        if self.outer.is_empty() {
                            if self.record.result == RecordResult::Unknown {
                                self.record.result = result;
                            }
                            scanner.skip_to_tags();
                            break;
                        }
                    } else if !self.word(word) {
                        self.give_up(scanner, word);
                        if self.outer.is_empty() {
                            break;
                        }
                        self.close();
                    }
                }
            }
        }
        self.flush_pending();
    }

    fn here(&self) -> NodeId {
        self.point.map_or(self.record.root(), |point| point.node)
    }

    fn comment(&mut self, text: &str) {
        let opened =
            self.outer.last().is_some_and(|outer| outer.before.map(|(node, _)| node) == self.point.map(|point| point.node));
        if opened {
            if !self.pending.is_empty() {
                self.pending.push('\n');
            }
            self.pending.push_str(text);
        } else {
            self.record.append_comment(self.here(), text);
        }
    }

    /// Gives a comment that waited for a move that never came to where the variation would have begun.
    fn flush_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.record.append_comment(self.here(), &pending);
    }

    fn glyph(&mut self, glyph: u8) {
        let here = self.here();
        self.record.add_glyph(here, glyph);
    }

    /// A parenthesis is a variation if it begins with a move that is legal before the last one, and else a comment.
    fn open(&mut self, scanner: &mut Scanner<'_>) {
        let before = self.point.and_then(|point| point.before.map(|before| (point, before)));
        let inside = Scanner { text: scanner.text, at: scanner.at, braces: scanner.braces };
        match before.filter(|(_, (_, board))| self.begins_with_move(inside, board)) {
            Some((point, (node, board))) if self.outer.len() < MAX_PLIES => {
                self.outer.push(point);
                self.point = Some(Point { node, board, before: None, ply: point.ply - 1 });
            }
            _ => {
                let text = format!("({})", scanner.parenthesis());
                self.comment(&text);
            }
        }
    }

    fn begins_with_move(&self, mut scanner: Scanner<'_>, board: &Board) -> bool {
        // Only so far is looked ahead that nested parentheses cannot make the work quadratic.
        for _ in 0..8 {
            match scanner.token() {
                Token::Comment(_) => {}
                Token::Word(word) => match strip_number(word) {
                    "" => {}
                    text => return moves::read(board, strip_marks(text).0, &mut self.style.clone()).is_some(),
                },
                _ => return false,
            }
        }
        false
    }

    fn close(&mut self) {
        self.flush_pending();
        if let Some(point) = self.outer.pop() {
            self.point = Some(point);
        }
    }

    /// Reads a move number or a move. False when it is neither.
    fn word(&mut self, word: &str) -> bool {
        let (text, glyphs) = strip_marks(strip_number(word));
        if text.is_empty() {
            glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
            return true;
        }
        let Some(point) = self.point else {
            self.record.leave_out(1);
            return true;
        };
        let Some(mv) = moves::read(&point.board, text, &mut self.style) else { return false };
        if point.ply >= MAX_PLIES {
            return false;
        }
        let Ok(node) = self.record.add(point.node, mv) else { return false };
        let before = Some((point.node, point.board));
        self.point = Some(Point { node, board: point.board.after(mv), before, ply: point.ply + 1 });
        glyphs.into_iter().for_each(|glyph| self.glyph(glyph));
        self.flush_pending();
        true
    }

    /// Leaves out the rest of a line behind something unreadable: of a variation to its end, of the main line to the next game.
    fn give_up(&mut self, scanner: &mut Scanner<'_>, word: &str) {
        let Some(point) = self.point else { return };
        let word: String = word.chars().take(20).collect();
        let line = if self.outer.is_empty() { "main line" } else { "variation" };
        let ply = point.ply + 1;
        let black_first = self.record.start.side == Color::Black;
        let round = self.record.start.fullmove as usize + (point.ply + black_first as usize) / 2;
        let (side, fen) = (point.board.side_to_move(), point.board.to_fen());
        let reason = match moves::why_not(&point.board, strip_marks(strip_number(&word)).0, self.style) {
            Some(reason) if point.ply < MAX_PLIES => format!(" ({reason})"),
            _ => String::new(),
        };
        let fault = format!(
            "round {round} {side}, ply {ply} ({line}): '{word}' is no legal move in {fen}{reason}; the rest of the line is kept as a comment"
        );
        if self.outer.is_empty() {
            self.record.break_main_line(fault)
        } else {
            self.record.warn(fault)
        }
        let mut rest = word;
        self.record.leave_out(1);
        if self.outer.is_empty() {
            let start = scanner.at;
            let mut end = start;
            loop {
                match scanner.token() {
                    Token::End => break,
                    Token::Word(word) => {
                        end = scanner.at;
                        if let Some(result) = RecordResult::from_token(word) {
                            if self.record.result == RecordResult::Unknown {
                                self.record.result = result;
                            }
                            end -= word.len();
                            scanner.skip_to_tags();
                            break;
                        }
                        self.record.leave_out(is_move(word) as usize);
                    }
                    _ => end = scanner.at,
                }
            }
            rest.push_str(&scanner.text[start..end]);
        } else {
            let inside = scanner.parenthesis();
            rest.push_str(inside);
            let mut scanner = Scanner { text: inside, at: 0, braces: &Braces::default() };
            loop {
                match scanner.token() {
                    Token::End => break,
                    Token::Word(word) => self.record.leave_out(is_move(word) as usize),
                    _ => {}
                }
            }
        }
        let here = self.here();
        self.record.append_comment(here, rest.trim());
    }
}

/// The text without a move number, whose dots some programs leave out.
fn strip_number(word: &str) -> &str {
    let is_bare_number = word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_bare_number { "" } else { crate::notation::strip_number(word) }
}

/// Whether a word stands where a move should, and is no number.
fn is_move(word: &str) -> bool {
    !strip_marks(strip_number(word)).0.is_empty()
}

/// A move without the marks `!` and `?` behind it, and their glyphs.
fn strip_marks(text: &str) -> (&str, Option<u8>) {
    let bare = text.trim_end_matches(['!', '?', '！', '？']);
    let marks: String = text[bare.len()..].chars().map(|mark| if "!！".contains(mark) { '!' } else { '?' }).collect();
    let glyph = match marks.as_str() {
        "" => None,
        "!" => Some(1),
        "?" => Some(2),
        "!?" => Some(5),
        "?!" => Some(6),
        marks if marks.starts_with('!') => Some(3),
        _ => Some(4),
    };
    (bare, glyph)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Record {
        next(text, 0, &Braces::default()).unwrap().0.unwrap()
    }

    fn line(record: &Record) -> String {
        record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_that_are_not_in_the_tree_are_counted() {
        let illegal = "[FEN \"9/9/9/9/9/9/9/9/9/4K4 w\"]\n\n1. E0-E1 E9-E8 *\n";
        for (text, plies, left_out) in [
            ("1. h2e2 h9g7 2. a0a9 a9a8 {a remark} 3. h0g2 (3. b0c2 b9c7) h9g7 *", 2, 6),
            ("1. h2e2 h9g7 (1... b9c7 2. a0a9 $1 {a remark} a9a8!) 2. h0g2 *", 3, 2),
            ("1. h2e2 h9g7 (a remark, and no line) 2. h0g2 1-0", 3, 0),
            (illegal, 0, 2),
        ] {
            let record = read(text);
            assert_eq!((record.plies(), record.left_out()), (plies, left_out), "{text}: {:?}", record.warnings());
        }
    }

    #[test]
    fn variations_are_told_from_remarks_in_parentheses() {
        let record = read(
            "[Red \"红\"]\n1. 炮二平五 {start} 马８进７! (1... 炮８平５ 2. 马二进三 (2. 炮五进四 士４进５) 马８进７) \
             (1... 马2进3 $14) (sic! 1-0) 2. 马二进三 1-0",
        );
        assert_eq!(line(&record), "h2e2 h9g7 h0g2");
        assert_eq!(record.moves_in_tree(), 9);
        let second = record.main_line().nth(1).unwrap();
        assert_eq!(record.comment(second), "(sic! 1-0)");
        assert_eq!(record.glyphs(second), [1]);
        assert_eq!((record.result, record.glyph_count()), (RecordResult::RedWins, 2));
        assert_eq!(record.warnings(), [""; 0]);
    }

    #[test]
    fn a_comment_before_the_first_move_of_a_variation_stays_with_it() {
        let record = read("1. h2e2 ({a} 1. b2e2 {b}) ({nothing follows}) h9g7");
        let other = record.children(record.root()).nth(1).unwrap();
        assert_eq!(record.comment(other), "b\na".split('\n').rev().collect::<Vec<_>>().join("\n"));
        let first = record.main_line().next().unwrap();
        assert_eq!(record.comment(first), "({nothing follows})");
    }

    #[test]
    fn games_follow_each_other_with_and_without_results() {
        let text = "[Red \"A\"]\n1. h2e2 h9g7\n\n[Red \"B \"quoted\" \"]\n[FEN \"\"]\n1. C2.5 *\n=====\nadvertisement 1. b2e2\n\
            [Red \"C\"]\n[White \"D\"]\n\n  1. Che2 {[not a tag]} Cbg7 0-1";
        let mut at = 0;
        let mut games = Vec::new();
        let braces = Braces::default();
        while let Some((record, next_at)) = next(text, at, &braces) {
            games.push(record.unwrap());
            at = next_at;
        }
        let lines: Vec<String> = games.iter().map(line).collect();
        assert_eq!(lines, ["h2e2 h9g7", "h2e2", "h2e2 b7g7"]);
        assert_eq!(games[1].tag("Red"), Some("B \"quoted\" "));
        assert_eq!(games[2].tag("Red"), Some("D"));
    }

    #[test]
    fn what_cannot_be_read_is_kept_as_a_comment_and_told() {
        let record = read("1. h2e2 (1. b2e2 xyz 2. h0g2 {c}) h9g7 2. nonsense h9g7 {tail} 0-1\n\n");
        assert_eq!(line(&record), "h2e2 h9g7");
        assert_eq!((record.warnings().len(), record.result), (2, RecordResult::BlackWins));
        assert!(record.warnings()[1].contains("ply 3 (main line): 'nonsense'"), "{:?}", record.warnings());
        let last = record.main_line().last().unwrap();
        assert_eq!(record.comment(last), "nonsense h9g7 {tail}");
        assert!(next("[FEN \"9/9\"]\n1. h2e2", 0, &Braces::default()).unwrap().0.is_err());
        assert_eq!(read("[FEN \"9/9/9/9/9/9/9/9/9/9 w\"]\n1. h2e2").warnings().len(), 1);
    }

    #[test]
    fn hostile_texts_take_no_more_than_linear_time() {
        for part in ["{\n[", "(", "(1. h2e2 ", "[A \"x\"]", "[FEN \"x\"]\n1.\n", "({", "[\n", "1. h2e2 {", ") ", "\u{feff}["] {
            let text = part.repeat(300_000 / part.len());
            let start = std::time::Instant::now();
            let (braces, mut at) = (Braces::default(), 0);
            while let Some((_, next_at)) = next(&text, at, &braces) {
                at = next_at.max(at + 1);
            }
            println!("{part:?}: {:?}", start.elapsed());
            assert!(start.elapsed() < std::time::Duration::from_secs(20), "{part:?}: {:?}", start.elapsed());
        }
    }

    #[test]
    fn what_is_no_game_is_refused_as_a_file() {
        let noise: Vec<u8> = (0u32..4000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for bytes in [&noise[..], b"hello", b"1. nonsense", b"\0\0\0\0"] {
            let error = open(bytes.to_vec()).err().map(|error| error.problem().clone());
            assert!(matches!(error, Some(RecordProblem::NoGame(_))), "{error:?}");
        }
        for bytes in [&b""[..], b"  \n", b"[Red \"A\"]\n", b"1. h2e2 nonsense", b"1-0\n", b"{a comment}"] {
            assert!(open(bytes.to_vec()).is_ok(), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn an_illegal_move_is_told_with_round_and_reason() {
        let record = read("1. C2=5 H8+7 2. R1=2 H2+3 *\n\n");
        let warning = &record.warnings()[0];
        assert!(warning.starts_with("round 2 red, ply 3 (main line): 'R1=2' is no legal move in "), "{warning}");
        assert!(warning.contains("('R1=2': the red chariot on i0 cannot move so)"), "{warning}");
    }

    #[test]
    fn numbers_in_all_shapes_are_skipped() {
        let record = read("1 h2e2 1... h9g7 2.h0g2 2… b9c7 3. ... 3、 b0c2?");
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 b9c7 b0c2");
        assert_eq!(strip_number("33.4"), "33.4");
    }
}
