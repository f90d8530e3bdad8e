//! Takes the text of PGN apart: tags, and the pieces of the move section. Where a comment, a game or the head of one begins and
//! ends is known here; what a piece means is the reader's.

use super::moves::{self, Dialect};
use crate::board::Position;
use crate::records::RecordResult;
use std::cell::RefCell;

/// Longest tag, in bytes.
pub(super) const MAX_TAG_LINE: usize = 1 << 14;

/// The braces of a stretch of the text, from the first comment of a game to the tags of the next. They are looked up once for
/// the whole stretch: comments that are never closed would otherwise each be searched to the end of the file.
#[derive(Default)]
pub(super) struct Stretch {
    from: usize,
    to: usize,
    /// Opening and closing brace of each pair, sorted by the first.
    pairs: Vec<(usize, usize)>,
    /// All closing braces.
    closing: Vec<usize>,
    /// The closing brace behind the stretch, if no other comment is opened before it.
    behind: Option<usize>,
}

/// What is known of the braces around a place; empty at first.
pub(super) type Braces = RefCell<Stretch>;

impl Stretch {
    fn of(text: &str, from: usize) -> Stretch {
        let rest = &text[from..];
        let mut tags = rest.match_indices("\n[").map(|(at, _)| at + 1).filter(|&at| is_tag_start(&rest[at..]));
        let to = tags.next().map_or(text.len(), |at| from + at);
        let mut stretch = Stretch { from, to, ..Stretch::default() };
        let mut open = Vec::new();
        for (at, brace) in text[from..to].match_indices(['{', '}']) {
            if brace == "{" {
                open.push(from + at);
            } else {
                stretch.closing.push(from + at);
                stretch.pairs.extend(open.pop().map(|start| (start, from + at)));
            }
        }
        stretch.pairs.sort_unstable();
        // A comment may quote tags. One that was left open has the next game behind it, with comments of its own.
        let next = text[to..].find(['{', '}']).map(|at| to + at);
        stretch.behind = next.filter(|&at| text[at..].starts_with('}'));
        stretch
    }

    /// Where the comment ends that is opened at this place of the stretch. A brace that has no partner ends at the next one.
    fn end(&self, at: usize) -> Option<usize> {
        let pair = self.pairs.binary_search_by_key(&at, |pair| pair.0).ok().map(|index| self.pairs[index].1);
        pair.or_else(|| self.closing.get(self.closing.partition_point(|&closing| closing < at)).copied())
    }
}

/// Whether a text begins with `[Name "`.
fn is_tag_start(text: &str) -> bool {
    const LONGEST_NAME: usize = 64;
    let name = text
        .strip_prefix('[')
        .and_then(|text| text.char_indices().take(LONGEST_NAME).find(|(_, letter)| "\"[]{}\r\n".contains(*letter)));
    name.is_some_and(|(at, letter)| at > 0 && letter == '"')
}

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// The next byte.
    pub(super) at: usize,
    /// Belongs to the text, and begins as any value.
    pub(super) braces: &'a Braces,
}

/// A piece of the move section.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'a> {
    Comment(&'a str),
    Open,
    Close,
    Glyph(u8),
    Word(&'a str),
    /// A glyph that has no number, or none that is known.
    NoGlyph(&'a str),
    /// The tags of the next game, or the end of the text.
    End,
}

impl<'a> Scanner<'a> {
    /// What comes.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes().get(self.at - 1).is_none_or(|&byte| byte == b'\n' || byte == b'\r')
    }

    /// Goes to the next game, if the text is not yet at something else than a line of signs: behind a result XQWizard writes an
    /// advertisement.
    pub(super) fn skip_advertisement(&mut self) {
        let rest = self.rest().trim_start();
        if rest.starts_with("=====") {
            self.skip_to_game();
        }
    }

    /// Goes to the first tag at the start of a line, or to the first move of a game without tags.
    pub(super) fn skip_to_game(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            let skipped = self.rest().len() - rest.len();
            let is_tag = rest.starts_with('[') && (skipped > 0 || self.at_line_start());
            self.at += skipped;
            if is_tag || begins_game(rest) {
                return;
            }
            if rest.starts_with('{') {
                self.comment(rest);
                continue;
            }
            match rest.find('\n') {
                Some(end) => self.at += end + 1,
                None => {
                    self.at = self.text.len();
                    return;
                }
            }
        }
    }

    /// The titles above the moves, and where the moves begin, in a text of XQStudio: lines of titles, then a line of dashes, then the
    /// moves from the start position. None when this is no such text.
    pub(super) fn titles(&self) -> Option<(Vec<&'a str>, usize)> {
        /// More lines and bytes than such a head has.
        const LINES: usize = 24;
        const BYTES: usize = 4096;
        let mut at = 0;
        let mut titles: Vec<&str> = Vec::new();
        let mut was_rule = false;
        for line in self.rest().split_inclusive('\n').take(LINES) {
            let text = line.trim_start_matches('\u{feff}').trim();
            if was_rule && begins_game(text) {
                return Some((titles, self.at + at));
            }
            at += line.len();
            if at > BYTES || text.starts_with(['[', '{']) || begins_game(text) {
                return None;
            }
            if !text.is_empty() {
                was_rule = is_rule(text);
                titles.extend((!was_rule).then_some(text));
            }
        }
        None
    }

    /// A line of the form `[Name "value"]`, or one that only begins with a bracket and is left out.
    pub(super) fn tag(&mut self) -> Option<Option<(&'a str, &'a str)>> {
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

    /// The next piece of the move section.
    pub(super) fn token(&mut self) -> Token<'a> {
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
                trimmed[1..1 + digits].parse().map_or(Token::NoGlyph(&trimmed[..1 + digits]), Token::Glyph)
            }
            _ => {
                let stop = |letter: char| letter.is_whitespace() || "{}();$,，".contains(letter);
                let end = trimmed.char_indices().skip(1).find(|&(_, letter)| stop(letter)).map_or(trimmed.len(), |(at, _)| at);
                self.at += end;
                Token::Word(&trimmed[..end])
            }
        }
    }

    /// A comment in braces, without them; pairs of braces in it are part of it. One that is never closed ends before the next
    /// game.
    fn comment(&mut self, text: &'a str) -> &'a str {
        self.look_at_braces(self.at);
        let stretch = self.braces.borrow();
        if let Some(end) = stretch.end(self.at).or(stretch.behind) {
            let end = end - self.at;
            self.at += end + 1;
            return text[1..end].trim();
        }
        let end = stretch.to - self.at;
        self.at += end;
        text[1..end].trim()
    }

    /// Makes the braces be those around this place.
    fn look_at_braces(&self, at: usize) {
        let mut stretch = self.braces.borrow_mut();
        if !(stretch.from..stretch.to).contains(&at) {
            *stretch = Stretch::of(self.text, at);
        }
    }

    /// The text from an opened parenthesis to the one that closes it, or to the next game. Parentheses in comments are not
    /// counted.
    pub(super) fn parenthesis(&mut self) -> &'a str {
        let rest = self.rest();
        let mut depth = 1usize;
        let mut before = ' ';
        let mut behind_comment = 0;
        for (at, letter) in rest.char_indices() {
            if at < behind_comment {
                continue;
            }
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                '{' => {
                    self.look_at_braces(self.at + at);
                    behind_comment = self.braces.borrow().end(self.at + at).map_or(at, |end| end - self.at) + 1;
                }
                // Behind a word it is more likely a semicolon of a remark.
                ';' if before.is_whitespace() => behind_comment = at + rest[at..].find('\n').unwrap_or(0),
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

/// Whether a word is a line of dashes.
pub(super) fn is_rule(word: &str) -> bool {
    word.chars().all(|letter| "-－—─━".contains(letter)) && word.chars().nth(4).is_some()
}

/// Whether a text begins with the first move of a game: the number 1 and what has the form of a move.
fn begins_game(text: &str) -> bool {
    let Some(word) = text.strip_prefix('1').and_then(|text| text.strip_prefix(['.', '、', '．'])) else { return false };
    let word = word.split_whitespace().next().unwrap_or_default();
    let start = Position::startpos();
    let (word, _) = strip_marks(word);
    moves::read(start.board(), word, &mut Dialect::default(), || None).is_some()
        || moves::why_not(start.board(), word, None).is_some()
}

/// The first sign of a sideways move in the Latin notations, `=` or `.`.
pub(super) fn sideways_sign(mut scanner: Scanner<'_>) -> Option<char> {
    loop {
        match scanner.token() {
            Token::End => return None,
            Token::Word(word) if RecordResult::at_end(word).is_some() => return None,
            Token::Word(word) => {
                let letters: Vec<char> = strip_marks(strip_number(word)).0.chars().take(5).collect();
                match letters[..] {
                    [_, _, '=' | '＝', _] => return Some('='),
                    [_, _, '.' | '．' | '·', _] => return Some('.'),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// The text without a move number, whose dots some programs leave out.
pub(super) fn strip_number(word: &str) -> &str {
    let is_bare_number = word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_bare_number { "" } else { crate::notation::strip_number(word) }
}

/// Whether a word has neither letter nor digit, as `+=`, `±` and a comma. An ellipsis of dots belongs to a move's number.
pub(super) fn is_only_signs(word: &str) -> bool {
    !word.is_empty() && !word.chars().any(char::is_alphanumeric)
}

/// Whether a word stands where a move should, and is no number.
pub(super) fn is_move(word: &str) -> bool {
    !strip_marks(strip_number(word)).0.is_empty()
}

/// A move without the marks `!` and `?` behind it, and their glyphs.
pub(super) fn strip_marks(text: &str) -> (&str, Option<u8>) {
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
