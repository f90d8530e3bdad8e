//! The tags of a game.

use crate::records::pgn::moves::Dialect;
use crate::records::pgn::scanner::{Scanner, is_tag_start, tag_name, trim_blank};
use crate::records::warning::{two_values, warning};
use crate::records::{Record, RecordProblem, RecordResult};
use std::collections::{HashMap, HashSet};

/// Names of tags for which every format has one place.
const SINGLE: [&str; 9] = ["event", "site", "date", "round", "black", "redteam", "blackteam", "title", "opening"];

/// A text with the quotation marks of tags as PGN has them: word processors and chats write `[Red “name”]`. Blanks take the place of the longer
/// characters, so that offsets are those of the file.
pub(super) fn with_plain_quotes(text: String) -> String {
    if !text.lines().any(|line| typographic_quotes(line).is_some()) {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match typographic_quotes(line) {
            Some([first, last]) => {
                let blanks = |at: usize| &"  "[..line[at..].chars().next().map_or(0, char::len_utf8) - 1];
                let [opening, closing] = [blanks(first), blanks(last)];
                let value = &line[first + opening.len() + 1..last];
                plain.extend([&line[..first], opening, "\"", value, "\"", closing, &line[last + closing.len() + 1..]]);
            }
            None => plain.push_str(line),
        }
    }
    plain
}

/// Quotation marks of word processors, and the full-width one. All have three bytes.
const QUOTES: [char; 5] = ['“', '”', '„', '‟', '＂'];

/// The offsets of the quotation marks of a line that is a tag but for them.
pub(super) fn typographic_quotes(line: &str) -> Option<[usize; 2]> {
    let tag = trim_blank(line);
    let start = line.len() - tag.len();
    let name = tag.strip_prefix('[')?;
    let first = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && !letter.is_whitespace())?;
    let value = name[first..].strip_prefix(QUOTES).filter(|_| !name[..first].trim().is_empty())?;
    let last = value.trim_end().strip_suffix(']')?.trim_end().strip_suffix(QUOTES)?;
    let first = start + 1 + first;
    (!last.contains(['"', '[', ']'])).then_some([first, line.len() - value.len() + last.len()])
}

/// The tags of a game as far as they have been read.
#[derive(Default)]
pub(super) struct Tags {
    /// Names in lower case, and values as in the text.
    known: HashMap<String, String>,
    /// Whether the tags of another game follow, so that this one has no moves.
    pub(super) is_ended: bool,
}

impl Tags {
    /// Reads the tags before the moves.
    ///
    /// # Errors
    /// Returns an error if the start position is invalid.
    pub(super) fn read(
        &mut self,
        scanner: &mut Scanner<'_>,
        record: &mut Record,
        dialect: &mut Dialect,
    ) -> Result<(), RecordProblem> {
        let (root, mut fault) = (record.root(), Ok(()));
        loop {
            if let Some((own, next)) = self.end(scanner) {
                own.into_iter().for_each(|comment| record.append_comment(root, comment));
                (scanner.at, self.is_ended) = (next, true);
                return fault;
            }
            scanner.comments_before_tag().into_iter().for_each(|comment| record.append_comment(root, comment));
            let Some(tag) = scanner.tag() else { return fault };
            let Some((name, value)) = tag else {
                record.warn(warning!("a line that begins with '[' is not a tag; left out", "以“[”开头的一行不是标签，已略去"));
                continue;
            };
            if let Err(problem) = self.add(name, &value, record, dialect) {
                fault = Err(problem);
            }
        }
    }

    /// Adds a tag to the record.
    fn add(&mut self, name: &str, value: &str, record: &mut Record, dialect: &mut Dialect) -> Result<(), RecordProblem> {
        let lower = name.to_ascii_lowercase();
        let before = self.known.insert(lower.clone(), value.trim().to_string());
        if matches!(lower.as_str(), "fen" | "fenstr")
            && before.as_ref().is_some_and(|before| !before.is_empty() && before != value.trim())
        {
            record.warn(warning!("the tags have two positions; the last one counts", "标签中有两个局面，以后者为准"));
        }
        let other = match lower.as_str() {
            "white" => self.known.get("red"),
            "red" => self.known.get("white"),
            _ => None,
        };
        if other.is_some_and(|other| !other.is_empty() && !value.trim().is_empty() && other != value.trim()) {
            record.warn(warning!(
                "the tags Red and White have different names; the last one counts",
                "标签Red与White中的姓名不同，以后者为准"
            ));
        }
        let has_other = other.is_some();
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        match lower.as_str() {
            "result" if record.result != RecordResult::Unknown => {
                let second = RecordResult::understand(&value);
                if second.is_none_or(|second| second != record.result && second != RecordResult::Unknown) {
                    record.warn(two_values(name));
                }
            }
            "result" => record.read_result(&value),
            "fen" | "fenstr" if !value.trim().is_empty() => record.read_start(&value)?,
            "format" => *dialect = Dialect::of_format(&value),
            // Redundant: determined by the moves, or added by the writer.
            "fen" | "fenstr" | "setup" => {}
            "game" if value.eq_ignore_ascii_case("Chinese Chess") => {}
            // An empty name says nothing.
            "white" | "red" if has_other && value.trim().is_empty() => {}
            "white" | "red" if before.as_ref().is_some_and(|before| !before.is_empty()) => {
                if !value.trim().is_empty() && record.tag("Red").map(str::trim) != Some(value.trim()) {
                    record.warn(two_values(name));
                }
            }
            "white" => record.set_tag("Red", &value),
            "red" if has_other => record.set_tag("Red", &value),
            "white elo" | "whiteelo" => record.set_tag("RedElo", &value),
            "black elo" => record.set_tag_once("BlackElo", value),
            "whiteteam" => record.set_tag_once("RedTeam", value),
            "redteam" if self.known.contains_key("whiteteam") => record.set_tag_once("RedTeam", value),
            // Other tags may be repeated, and are kept as they are.
            single if SINGLE.contains(&single) && before.is_some() => match record.tag(name) {
                Some(first) if !first.trim().is_empty() => {
                    if !value.trim().is_empty() && first.trim() != value.trim() {
                        record.warn(two_values(name));
                    }
                }
                _ => record.set_tag(name, &value),
            },
            _ => record.add_tag(name, &value),
        }
        Ok(())
    }

    /// Whether the next tags belong to another game, although no moves precede them: after an empty line, a section of tags that repeats one with
    /// another value; without one, the next line of a list of positions. Returns the comments of this game before them, and the offset at which
    /// the other game starts.
    fn end<'t>(&self, scanner: &Scanner<'t>) -> Option<(Vec<&'t str>, usize)> {
        if self.known.is_empty() {
            return None;
        }
        let (mut comments, there) = scanner.leading_comments();
        if !is_tag_start(there.rest()) {
            return None;
        }
        let text = scanner.text;
        // The comments of this game, which no empty line precedes, and the end of the last one.
        let (mut at, mut own) = (scanner.at, 0);
        let is_gap = |from: usize, to: usize| {
            let lines: Vec<&str> = text[from..to].split('\n').collect();
            lines.len() > 2 && lines[1..lines.len() - 1].iter().any(|line| line.trim().is_empty())
        };
        for comment in &comments {
            let start = comment.as_ptr() as usize - text.as_ptr() as usize;
            if is_gap(at, start) {
                break;
            }
            (at, own) = (start + comment.len(), own + 1);
        }
        let is_apart = own < comments.len() || is_gap(at, there.at);
        if !(is_apart && self.repeats(there) || self.lists_positions(there)) {
            return None;
        }
        comments.truncate(own);
        let behind = text[at..].trim_ascii_start();
        let is_closed = own > 0 && behind.starts_with('}');
        Some((comments, if is_closed { text.len() - behind.len() + 1 } else { at }))
    }

    /// Whether the tag that follows is known with another value.
    fn differs(&self, mut scanner: Scanner<'_>) -> bool {
        let Some(Some((name, value))) = scanner.tag() else { return false };
        self.known.get(&name.to_ascii_lowercase()).is_some_and(|before| before != value.trim())
    }

    /// Whether the next tags repeat all those so far, the position with another value.
    fn lists_positions(&self, mut scanner: Scanner<'_>) -> bool {
        let Some(position) = self.known.get("fen").filter(|position| !position.is_empty()) else { return false };
        let (mut repeated, mut is_other) = (HashSet::new(), false);
        while repeated.len() < self.known.len() {
            let Some(Some((name, value))) = scanner.tag() else { return false };
            let name = name.to_ascii_lowercase();
            is_other |= name == "fen" && value.trim() != position;
            if !self.known.contains_key(&name) || !repeated.insert(name) {
                return false;
            }
        }
        is_other
    }

    /// Whether one of the tags up to the next empty line is known with another value. A result at its start may just complete the tags.
    fn repeats(&self, mut scanner: Scanner<'_>) -> bool {
        // Tags with the same value, such as a FEN, may stand twice in one game.
        const TAGS: usize = 64;
        for number in 0..TAGS {
            let name = tag_name(trim_blank(scanner.rest())).unwrap_or_default();
            if self.differs(scanner) && (number > 0 || !name.eq_ignore_ascii_case("result")) {
                return true;
            }
            let before = scanner.at;
            if scanner.tag().is_none() {
                return false;
            }
            let rest = scanner.rest();
            let blank = &rest[..rest.len() - trim_blank(rest).len()];
            if scanner.at == before || blank.matches('\n').nth(1).is_some() {
                return false;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_of_word_processors_are_those_of_tags() {
        for (text, plain) in [
            ("[Red “a”]\n[Black ”b c” ]\r\n", "[Red   \"a\"  ]\n[Black   \"b c\"   ]\r\n"),
            (" [FEN＂4k4＂]", " [FEN  \"4k4\"  ]"),
            (
                "[Event \"a “b”\"]\n{“c”}\n[“d”]\n[说明 “e”]\n[A “b] c”]",
                "[Event \"a “b”\"]\n{“c”}\n[“d”]\n[说明 “e”]\n[A “b] c”]",
            ),
        ] {
            assert_eq!(with_plain_quotes(text.to_string()), plain);
        }
        let text = "[Red “a”]\n[FEN “3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1”]\n\n1. 车五进一 *";
        assert_eq!(crate::records::Format::shown_by(text.as_bytes()), Some(crate::records::Format::Pgn));
        let record = crate::records::Records::new(text.into(), None).unwrap().next().unwrap().unwrap();
        assert_eq!((record.tag("Red"), record.plies(), record.warnings()), (Some("a"), 1, vec![]));
    }
}
