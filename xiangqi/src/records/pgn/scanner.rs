//! The PGN scanner: finds tags, tokens of the move section, and the ends of comments and parentheses. The reader interprets the tokens.

use super::moves::Signs;
use super::titles::{is_heading, numbers_game, pairing};
use super::words::{BRACKETS, begins_with_number, is_numeral, is_only_signs, is_separator, strip_marks, strip_number};
use crate::notation::{glued, is_digit, is_invisible, round};
use crate::records::RecordResult;
use crate::types::sort_by;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

/// Maximum length of a tag in bytes.
pub(super) const MAX_TAG_LINE: usize = 1 << 14;

/// Maximum length of a word in characters. A word may contain many moves without spaces, which are read one by one.
const LONGEST_WORD: usize = 100;

/// The braces in a section of the text, from a comment to the tags of the next game. They are collected once for the entire section;
/// otherwise, each unclosed comment would require a search to the end of the file.
#[derive(Default)]
pub(super) struct Stretch {
    from: usize,
    to: usize,
    /// Offsets of the opening and closing brace of each pair, sorted by the first.
    pairs: Vec<(usize, usize)>,
    /// Offsets of all closing braces.
    closing: Vec<usize>,
    /// Offset of the first closing brace after the section, if no comment is opened before it.
    behind: Option<usize>,
    /// The sorted offsets after opening parentheses that are closed before the next tags, and the part of the text that they were collected in.
    closed: Vec<usize>,
    searched: Range<usize>,
}

/// Cache of the braces around the current offset, initially empty.
pub(super) type Braces = RefCell<Stretch>;

impl Stretch {
    fn of(text: &str, from: usize) -> Stretch {
        let rest = &text[from..];
        let is_tag = |at: &usize| is_tag_start(&rest[*at..]) && is_line_start(text, from + at);
        let to = rest.match_indices('[').map(|(at, _)| at).find(is_tag).map_or(text.len(), |at| from + at);
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
        sort_by(&mut stretch.pairs, Ord::cmp);
        // A comment may quote tags, so it can end after the section; but an unclosed one is followed by a game with its own comments.
        let next = text[to..].find(['{', '}']).map(|at| to + at);
        stretch.behind = next.filter(|&at| text[at..].starts_with('}'));
        stretch
    }

    /// The closing brace that matches the opening brace at this offset.
    fn pair(&self, at: usize) -> Option<usize> {
        self.pairs.binary_search_by_key(&at, |pair| pair.0).ok().map(|index| self.pairs[index].1)
    }

    /// The end of the comment that is opened at this offset. An unmatched brace ends at the next closing one.
    fn end(&self, at: usize) -> Option<usize> {
        self.pair(at).or_else(|| self.closing.get(self.closing.partition_point(|&closing| closing < at)).copied())
    }
}

/// Whether a character is whitespace or invisible, as the byte order mark and what text from web pages has at the beginning of lines.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || is_invisible(letter)
}

/// Removes leading blanks of any kind.
pub(super) fn trim_blank(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// Whether only whitespace precedes an offset on its line.
fn is_line_start(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(|letter: char| is_blank(letter) && !"\r\n".contains(letter));
    before.is_empty() || before.ends_with(['\n', '\r'])
}

/// The offset of the value of the tag at the start of a text, after `[Name "`. The value may start on the next line.
fn tag_value(text: &str) -> Option<usize> {
    const LONGEST_NAME: usize = 64;
    let name = text.strip_prefix('[')?;
    let (at, letter) = name.char_indices().take(LONGEST_NAME).find(|(_, letter)| "\"[]{}".contains(*letter))?;
    let lines = name[..at].trim().lines().count();
    (letter == '"' && lines == 1).then_some(at + 2)
}

/// The name of the tag at the start of a text.
pub(super) fn tag_name(text: &str) -> Option<&str> {
    tag_value(text).map(|value| text[1..value - 1].trim())
}

/// Whether a text starts with `[Name "`.
pub(super) fn is_tag_start(text: &str) -> bool {
    tag_value(text).is_some()
}

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// Offset of the next byte.
    pub(super) at: usize,
    /// Cache for the text.
    pub(super) braces: &'a Braces,
}

/// A token of the move section.
#[derive(Debug, PartialEq)]
pub(super) enum Token<'a> {
    Comment(&'a str),
    /// A comment that is not closed, up to its assumed end.
    OpenComment(&'a str),
    Open,
    Close,
    /// A semicolon directly after other text: it separates moves or starts a comment.
    Semicolon,
    Glyph(u8),
    Word(&'a str),
    /// A glyph without a number, or with one out of range.
    NoGlyph(&'a str),
    /// A line of headings, which has not been consumed yet.
    Headings,
    /// The tags of the next game, or the end of the text.
    End,
}

impl<'a> Scanner<'a> {
    /// The remaining text.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn at_line_start(&self) -> bool {
        is_line_start(self.text, self.at)
    }

    /// The line that starts with the word before the current position, up to its end. `None` if the word does not start a line.
    pub(super) fn line_of(&self, word: &str) -> Option<&'a str> {
        let start = self.at - word.len();
        is_line_start(self.text, start).then(|| self.text[start..].lines().next().unwrap_or_default())
    }

    /// Reads the comments before a tag: in braces, after a semicolon, or in a line with a percent sign in its first column. None if no tag
    /// follows, since they then belong to the moves.
    pub(super) fn comments_before_tag(&mut self) -> Vec<&'a str> {
        let (comments, there) = self.leading_comments();
        if !is_tag_start(there.rest()) {
            return Vec::new();
        }
        *self = there;
        comments
    }

    /// The comments that follow, and the position after them. They end before one that is not closed.
    pub(super) fn leading_comments(&self) -> (Vec<&'a str>, Scanner<'a>) {
        let (mut comments, mut there) = (Vec::new(), *self);
        loop {
            let rest = trim_blank(there.rest());
            there.at = self.text.len() - rest.len();
            let before = there;
            if !there.is_comment() {
                return (comments, before);
            }
            if !rest.starts_with('{') {
                comments.push(there.rest_of_line()[1..].trim());
                continue;
            }
            match there.comment(rest) {
                (text, true) => comments.push(text),
                (_, false) => return (comments, before),
            }
        }
    }

    /// The text without the contents of comments and tags after the current position.
    pub(super) fn without_quotes(mut self) -> String {
        let mut out = self.text[..self.at].to_string();
        while let Some(length) = self.rest().find(['{', '[', ';', '%']) {
            let sign = self.at + length;
            // The sign itself can belong to a signature, as in `START{`.
            out.push_str(&self.text[self.at..=sign]);
            self.at = sign;
            let rest = self.rest();
            let is_apart = || self.text[..sign].chars().next_back().is_none_or(char::is_whitespace);
            match self.text.as_bytes()[sign] {
                b'{' => {
                    self.comment(rest);
                }
                b'[' if self.at_line_start() && is_tag_start(rest) => {
                    self.tag();
                }
                b';' if is_apart() => {
                    self.rest_of_line();
                }
                b'%' if self.is_escaped() => {
                    self.rest_of_line();
                }
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            out.push(' ');
        }
        out.push_str(self.rest());
        out
    }

    /// Whether a comment that is not part of a line of moves follows.
    pub(super) fn is_comment(&self) -> bool {
        self.rest().starts_with(['{', ';']) || self.is_escaped()
    }

    /// Whether a percent sign in the first column hides the line at the current position, as the standard of PGN has it.
    fn is_escaped(&self) -> bool {
        self.rest().starts_with('%') && (self.at == 0 || self.text[..self.at].ends_with(['\n', '\r']))
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.up_to(&['\n', '\r'])
    }

    /// Reads a tag `[Name "value"]`. `Some(None)` is a skipped line that only starts with a bracket. A value that is not closed on its line
    /// continues on the next ones, up to an empty line or the next tag.
    pub(super) fn tag(&mut self) -> Option<Option<(&'a str, Cow<'a, str>)>> {
        let rest = self.rest();
        let trimmed = trim_blank(rest);
        let start = rest.len() - trimmed.len();
        if !trimmed.starts_with('[') {
            return None;
        }
        // Limit the search to the length of a tag, since a file may have all its tags on one line.
        let most = (0..=MAX_TAG_LINE.min(trimmed.len())).rev().find(|&at| trimmed.is_char_boundary(at)).unwrap_or(0);
        let is_break = |at: &usize| b"\r\n".contains(&trimmed.as_bytes()[*at]);
        let Some(value_at) = tag_value(trimmed).filter(|at| *at <= most) else {
            self.at += start + (0..most).find(is_break).unwrap_or(most);
            return Some(None);
        };
        let name = trimmed[1..value_at - 1].trim();
        let line_end = (value_at..most).find(is_break).unwrap_or(most);
        if let Some((close, end)) = tag_end(&trimmed[value_at..line_end]) {
            self.at += start + value_at + end;
            return Some(Some((name, Cow::Borrowed(&trimmed[value_at..value_at + close]))));
        }
        if let Some((value, used)) = continued(&trimmed[value_at..most]).filter(|_| !trimmed[..line_end].ends_with(']')) {
            self.at += start + value_at + used;
            return Some(Some((name, Cow::Owned(value))));
        }
        self.at += start + line_end;
        Some(Some((name, Cow::Borrowed(trimmed[value_at..line_end].trim_end().trim_end_matches([']', '"'])))))
    }

    /// Reads the next token of the move section.
    pub(super) fn token(&mut self) -> Token<'a> {
        let rest = self.rest();
        let trimmed = trim_blank(rest);
        self.at = self.text.len() - trimmed.len();
        let Some(first) = trimmed.chars().next() else { return Token::End };
        match first {
            '{' => match self.comment(trimmed) {
                (text, true) => Token::Comment(text),
                (text, false) => Token::OpenComment(text),
            },
            ';' if rest.len() == trimmed.len() && !self.at_line_start() => {
                self.at += 1;
                Token::Semicolon
            }
            // As a comment the text of a hidden line is kept.
            ';' | '%' if first == ';' || self.is_escaped() => Token::Comment(self.rest_of_line()[1..].trim()),
            '(' | '（' => {
                self.at += first.len_utf8();
                Token::Open
            }
            ')' | '）' => {
                self.at += first.len_utf8();
                Token::Close
            }
            '[' if self.at_line_start() && is_tag_start(trimmed) => Token::End,
            _ if first.is_alphabetic() && self.at_line_start() && is_heading(trimmed) => Token::Headings,
            '$' => {
                let digits = trimmed[1..].bytes().take_while(u8::is_ascii_digit).count();
                self.at += 1 + digits;
                trimmed[1..1 + digits].parse().map_or(Token::NoGlyph(&trimmed[..1 + digits]), Token::Glyph)
            }
            _ => {
                let stop = |letter: char| letter.is_whitespace() || "{}();$,，（）".contains(letter);
                let number = round(trimmed).map_or(0, |(_, rest)| trimmed.len() - rest.len());
                let mut letters = trimmed.char_indices().skip(1).enumerate();
                let end = letters.find(|&(count, (at, letter))| at >= number && (stop(letter) || count >= LONGEST_WORD));
                let end = end.map_or(trimmed.len(), |(_, (at, _))| at);
                self.at += end;
                Token::Word(&trimmed[..end])
            }
        }
    }

    /// Reads a comment, which may contain pairs of braces. Returns its text without the outer braces, and whether it is closed. An unclosed
    /// comment ends before the next game. Only ASCII blanks around the text are removed: full-width ones belong to it.
    pub(super) fn comment(&mut self, text: &'a str) -> (&'a str, bool) {
        self.look_at_braces(self.at);
        let stretch = self.braces.borrow();
        let is_closed = stretch.pair(self.at).is_some() || stretch.end(self.at).or(stretch.behind) == stretch.behind;
        if let Some(end) = stretch.end(self.at).or(stretch.behind) {
            let end = end - self.at;
            self.at += end + 1;
            return (text[1..end].trim_ascii(), is_closed);
        }
        let end = stretch.to - self.at;
        self.at += end;
        (text[1..end].trim_ascii(), false)
    }

    /// Updates the cache of braces for this offset.
    fn look_at_braces(&self, at: usize) {
        let mut stretch = self.braces.borrow_mut();
        if !(stretch.from..stretch.to).contains(&at) {
            let (closed, searched) = (std::mem::take(&mut stretch.closed), std::mem::take(&mut stretch.searched));
            *stretch = Stretch { closed, searched, ..Stretch::of(self.text, at) };
        }
    }

    /// Reads the text up to one of these characters.
    pub(super) fn up_to(&mut self, ends: &[char]) -> &'a str {
        let rest = self.rest();
        let end = rest.find(ends).unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim()
    }

    /// Reads the text after an opening parenthesis up to and including the matching one, or up to the next game.
    pub(super) fn parenthesis(&mut self) -> &'a str {
        let start = self.at;
        let mut depth = 1usize;
        self.at = self.brackets(|at, letter| {
            depth = if letter == '(' { depth + 1 } else { depth - 1 };
            (depth == 0).then_some(at)
        });
        &self.text[start..self.at]
    }

    /// Whether the parenthesis that starts at `start`, and behind which the scanner stands, is closed before the next tags. `game` is the start
    /// of the moves of its game. They are collected for several games at once, since without tags each game would require a search to the end
    /// of the file; but one that seems to be open may only be hidden by a brace in a game before it.
    pub(super) fn is_closed(&self, start: usize, game: usize) -> bool {
        let is_known = {
            let stretch = self.braces.borrow();
            let is_listed = stretch.closed.binary_search(&self.at).is_ok();
            stretch.searched.contains(&start) && (is_listed || stretch.searched.start >= game)
        };
        if !is_known {
            let (mut open, mut closed) = (Vec::new(), Vec::new());
            let end = Scanner { at: start, ..*self }.brackets(|at, letter| {
                if letter == '(' {
                    open.push(at);
                } else {
                    closed.extend(open.pop());
                }
                None
            });
            sort_by(&mut closed, Ord::cmp);
            let mut stretch = self.braces.borrow_mut();
            stretch.closed = closed;
            stretch.searched = start..end;
        }
        self.braces.borrow().closed.binary_search(&self.at).is_ok()
    }

    /// Calls `show` for each parenthesis before the next game that is not in a comment, with the offset after it; full-width ones are passed
    /// as ASCII. Returns the first offset returned by `show`, otherwise the start of the next game.
    fn brackets(&self, mut show: impl FnMut(usize, char) -> Option<usize>) -> usize {
        let rest = self.rest();
        let mut before = ' ';
        let mut behind_comment = 0;
        for (at, letter) in rest.char_indices() {
            if at < behind_comment {
                continue;
            }
            let stop = match letter {
                '(' | '（' => show(self.at + at + letter.len_utf8(), '('),
                ')' | '）' => show(self.at + at + letter.len_utf8(), ')'),
                '{' => {
                    self.look_at_braces(self.at + at);
                    let braces = self.braces.borrow();
                    let end = braces.end(self.at + at).or(braces.behind);
                    behind_comment = end.map_or(at, |end| end - self.at) + 1;
                    None
                }
                // A line hidden by a percent sign in its first column.
                '%' if "\r\n".contains(before) => {
                    behind_comment = rest[at..].find(['\n', '\r']).map_or(rest.len(), |end| at + end);
                    None
                }
                // Directly after a word, it is more likely punctuation in a remark.
                ';' if before.is_whitespace() => {
                    behind_comment = at + rest[at..].find('\n').unwrap_or(0);
                    None
                }
                '[' if is_tag_start(&rest[at..]) && is_line_start(self.text, self.at + at) => Some(self.at + at),
                _ => None,
            };
            if let Some(stop) = stop {
                return stop;
            }
            before = letter;
        }
        self.text.len()
    }

    /// The length of a remark in brackets with blanks inside it, of which this word before the scanner is the beginning: `【如改走 马二进三 则缓】`. `None`
    /// if there are only moves in the brackets, which are those of the game, or if the bracket is not closed on its line.
    pub(super) fn remark_in_brackets(&self, word: &str) -> Option<usize> {
        // Bounds the work at every bracket.
        const LONGEST: usize = 2048;
        let (opening, closing) = *BRACKETS.iter().find(|pair| word.starts_with(pair.0))?;
        let inside = &self.text[self.at - word.len() + opening.len_utf8()..];
        let inside = &inside[..inside.floor_char_boundary(LONGEST)];
        let end = inside.find([closing, '\n', '\r', '{']).filter(|end| inside[*end..].starts_with(closing))?;
        let is_of_game = |word: &str| {
            let text = strip_number(word);
            text.is_empty() || is_only_signs(text) || glued::begins_with_move(text) || RecordResult::at_end(text).is_some()
        };
        let length = opening.len_utf8() + end + closing.len_utf8();
        (length > word.len() && !inside[..end].split_whitespace().all(is_of_game)).then_some(length)
    }

    /// A result with blanks inside it, of which this word before the scanner is the first part (`1 - 0`), and its end.
    pub(super) fn spaced_result(mut self, word: &str) -> Option<(RecordResult, usize)> {
        if !word.starts_with(|first: char| is_digit(first) || first == '½') {
            return None;
        }
        let Token::Word(sign) = self.token() else { return None };
        if !is_only_signs(sign) {
            return None;
        }
        let Token::Word(second) = self.token() else { return None };
        let result = RecordResult::at_end(&format!("{word}{sign}{}", second.trim_end_matches(is_separator)))?;
        Some((result, self.at))
    }
}

/// Whether a letter that is not a digit numbers variations.
fn is_branch_letter(letter: char) -> bool {
    is_numeral(letter) || "甲乙丙丁戊ABCDEFGH".contains(letter)
}

/// Whether a line may be the heading of a variation: `【变1】`, `变①接主变第2回合`, `变化一：`, `A变`.
pub(super) fn is_branch(line: &str) -> bool {
    const VARIATION: [char; 2] = ['变', '變'];
    let line = line.trim_start_matches(['【', '[', '第']);
    let is_letter = |letter: char| letter.is_numeric() || is_branch_letter(letter);
    let is_end = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '，');
    let named = line.strip_prefix(VARIATION).map(|rest| rest.trim_start_matches(['着', '著', '化', '例', ' ']));
    let numbered = || line.strip_prefix(is_letter)?.strip_prefix(VARIATION);
    match named {
        Some(name) => name.starts_with(char::is_numeric) || name.strip_prefix(is_letter).is_some_and(is_end),
        None => numbered().is_some_and(is_end),
    }
}

/// The length of the heading of a variation, without the moves that follow it on its line.
pub(super) fn branch_heading(line: &str) -> usize {
    const SIGNS: [char; 4] = ['】', ']', '：', ':'];
    let moves = line
        .split_once(SIGNS)
        .map(|(_, behind)| behind.trim_start_matches(|sign: char| SIGNS.contains(&sign) || sign.is_whitespace()));
    line.len() - moves.filter(|moves| begins_with_number(moves)).map_or(0, str::len)
}

/// The ply and the beginning of a note below a line, as in `*第  2  回合黑: …` or, where every ply has a number, `*第  4  着: …`.
pub(super) fn note(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("*第")?.trim_start_matches(' ');
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let number = rest[..digits].parse::<u16>().ok().map(usize::from).filter(|number| *number > 0)?;
    let rest = rest[digits..].trim_start_matches(' ');
    let units = [("回合红", 2 * number - 1), ("回合紅", 2 * number - 1), ("回合黑", 2 * number), ("着", number), ("著", number)];
    let (ply, rest) = units.into_iter().find_map(|(unit, ply)| rest.strip_prefix(unit).map(|rest| (ply, rest)))?;
    rest.trim_start_matches(' ').strip_prefix([':', '：']).map(|text| (ply, text.trim_start_matches(' ')))
}

/// The move in a line such as `(二)马2进1`, which announces a variation in commented games; it may be empty. None for other lines.
pub(super) fn announced(line: &str) -> Option<&str> {
    let inside = line.trim().strip_prefix(['(', '（'])?;
    let rest = inside.trim_start_matches(is_branch_letter);
    let text = rest.strip_prefix([')', '）']).filter(|_| rest.len() < inside.len())?.trim();
    let is_move = || glued::begins_with_move(text) && text.chars().nth(6).is_none() && !text.contains(char::is_whitespace);
    (text.is_empty() || is_move()).then_some(text)
}

/// Whether a line ends a variation with a heading of its own, or a note.
pub(super) fn is_end_of_branch(line: &str) -> bool {
    is_branch(line)
        || announced(line).is_some()
        || pairing(line).is_some()
        || numbers_game(line)
        || note(line).is_some()
        || is_footer(line)
        || is_rule(line.trim_end())
        || is_heading(line)
        || is_tag_start(line)
}

/// Whether a line names the program or web page that exported the game.
pub(super) fn is_footer(line: &str) -> bool {
    ["棋谱由", "棋譜由", "http://", "https://", "www."].iter().any(|start| line.starts_with(start))
}

/// Whether a word is a line of dashes.
pub(super) fn is_rule(word: &str) -> bool {
    word.chars().all(|letter| "-－—─━".contains(letter)) && word.chars().nth(4).is_some()
}

/// The ends of a tag's value and of the tag in the rest of a line. Quotation marks in a value are not always escaped, so the value ends at one
/// that a bracket follows, possibly after blanks if the mark is not escaped.
fn tag_end(text: &str) -> Option<(usize, usize)> {
    text.match_indices('"').find_map(|(at, _)| {
        let rest = &text[at + 1..];
        let bracket = rest.trim_start_matches([' ', '\t']);
        let is_end = bracket.starts_with(']') && (bracket.len() == rest.len() || !text[..at].ends_with('\\'));
        is_end.then(|| (at, text.len() - bracket.len() + 1))
    })
}

/// A tag value that continues over several lines, with spaces for line breaks, and its length including the closing bracket.
fn continued(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let part = line.trim();
        if at > 0 && (part.is_empty() || is_tag_start(part)) {
            return None;
        }
        if !value.is_empty() {
            value.push(' ');
        }
        if let Some((close, end)) = tag_end(line) {
            value.push_str(line[..close].trim());
            return Some((value, at + end));
        }
        value.push_str(part);
        at += line.len();
    }
    None
}

/// Collects the signs in the moves of a game.
pub(super) fn signs(mut scanner: Scanner<'_>) -> Signs {
    let mut signs = Signs::default();
    loop {
        match scanner.token() {
            Token::End | Token::Headings => return signs,
            Token::Word(word) if RecordResult::at_end(word).is_some() => return signs,
            Token::Word(word) => {
                for (at, _) in word.bytes().enumerate().filter(|(_, letter)| matches!(letter, b'A'..=b'I' | b'a'..=b'i')) {
                    let rank = &word.as_bytes()[at + 1..];
                    signs.zero |= rank.starts_with(b"0");
                    signs.ten |= rank.starts_with(b"10");
                }
                let text = strip_marks(strip_number(word)).0.trim_end_matches(['+', '#']);
                let letters: Vec<char> = text.chars().take(6).collect();
                let sideways = match letters[..] {
                    [_, _, '=' | '＝', _] => Some('='),
                    [_, _, '.' | '．' | '·', _] => Some('.'),
                    _ => None,
                };
                signs.sideways = signs.sideways.or(sideways);
                signs.slash |= matches!(letters[..], [_, _, '/', _] | [_, _, _, '/', _]);
            }
            _ => {}
        }
    }
}
