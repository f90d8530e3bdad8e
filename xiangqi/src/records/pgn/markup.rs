//! Games in the marks of other texts: quoted mail, Markdown, JSON, CSV, and lines such as `红：炮二平五 黑：马8进7`.

use super::is_start;
use super::scanner::{is_tag_start, trim_blank};
use super::titles::headings;
use super::words::strip_number;
use crate::notation::glued;
use crate::records::source::line_starts;
use std::borrow::Cow;

/// The text without such marks, if it has a game in PGN only without them. `None` for a web page.
pub(in crate::records) fn without_marks(text: &str) -> Option<String> {
    if text.trim_start().starts_with('<') || has_game(text) {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(unquoted).collect();
    // Signs in tags and comments of a quoted game belong to them.
    let unquoted = lines.join("\n");
    if has_game(&unquoted) {
        return Some(unquoted);
    }
    let is_rule = |line: &&str| line.contains("--") && line.chars().all(|letter| "|-:+ \t".contains(letter));
    // The names of the columns stand above a table's rule.
    let is_table_head = |at: usize| is_rule(&lines[at]) || lines.get(at + 1).is_some_and(is_rule);
    let plain = (0..lines.len()).map(|at| match lines[at] {
        _ if is_table_head(at) => Cow::Borrowed(""),
        line if is_tag_start(line) => Cow::Borrowed(line),
        line => moves_of(line),
    });
    let plain = plain.collect::<Vec<_>>().join("\n");
    has_game(&plain).then_some(plain)
}

/// Whether a game begins at one of the lines.
fn has_game(text: &str) -> bool {
    line_starts(text).any(|at| is_start(&text[at..]))
}

/// Whether a text begins with a tag behind the mark of a quote.
pub(in crate::records) fn is_quoted_tag(text: &str) -> bool {
    text.starts_with('>') && is_tag_start(unquoted(text.lines().next().unwrap_or_default()))
}

/// A line without marks of quotes and lists before it.
fn unquoted(line: &str) -> &str {
    let line = trim_blank(line.trim_start_matches(|letter: char| letter == '>' || letter.is_whitespace()));
    let item = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    item.map_or(line, trim_blank)
}

/// A line without marks between its words, and without the sides if each moves behind its name.
fn moves_of(line: &str) -> Cow<'_, str> {
    const MARKS: &[char] = &['|', '"', '[', ']', ',', '`', '*', '\t'];
    let line = if line.contains(MARKS) { Cow::Owned(line.replace(MARKS, " ")) } else { Cow::Borrowed(line) };
    let text = trim_blank(&line);
    let named = trim_blank(strip_number(text));
    let sides = headings(named);
    let is_move = |(tag, value): &(&str, &str)| ["Red", "Black"].contains(tag) && glued::begins_with_move(value);
    if sides.is_empty() || !sides.iter().all(is_move) {
        return line;
    }
    let number = &text[..text.len() - named.len()];
    let moves = sides.iter().map(|(_, value)| value.trim_end_matches(['；', ';', '。', '，']));
    Cow::Owned(std::iter::once(number).chain(moves).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use crate::records::{Format, Records};

    /// The main lines of a text whose format is detected.
    fn games(text: &str) -> Vec<String> {
        let Ok(records) = Records::new(text.as_bytes().to_vec(), Some(Format::shown_by(text.as_bytes()).unwrap_or(Format::Pgn)))
        else {
            return Vec::new();
        };
        let line = |moves: Vec<String>| moves.join(" ");
        records.flatten().map(|record| line(record.moves().map(|mv| mv.to_string()).collect())).collect()
    }

    #[test]
    fn moves_in_the_marks_of_other_texts_are_read() {
        for text in [
            "红：炮二平五 黑：马8进7\n红：马二进三 黑：车9平8\n",
            "红方：炮二平五\n黑方：马8进7\n红方：马二进三\n黑方：车9平8\n",
            "1. 红：炮二平五；黑：马8进7；\n2. 红：马二进三；黑：车9平8。\n",
            "先手：炮二平五 后手：马8进7\n先手：马二进三 后手：车9平8",
            "Red: C2=5\nBlack: H8+7\nRed: H2+3\nBlack: R9=8\n",
            "| 回合 | 红 | 黑 |\n|---|:-:|---|\n| 1 | 炮二平五 | 马8进7 |\n| 2 | 马二进三 | 车9平8 |\n",
            "[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\"]\n",
            "[\n \"h2e2\",\n \"h9g7\",\n \"h0g2\",\n \"i9h9\"\n]\n",
            "number,red,black\n1,炮二平五,马8进7\n2,马二进三,车9平8\n",
            "1,h2e2,h9g7\n2,h0g2,i9h9\n",
            "> 1. 炮二平五 马8进7\n> 2. 马二进三 车9平8\n",
            "On Monday Lin wrote:\n> > 1. C2=5 H8+7\n> > 2. H2+3 R9=8\n",
            "**1.** 炮二平五 马8进7\n**2.** 马二进三 车9平8\n",
            "- 1. 炮二平五 马8进7\n- 2. 马二进三 车9平8\n",
            "* `h2e2`\n* `h9g7`\n* `h0g2`\n* `i9h9`\n",
        ] {
            assert_eq!(games(text), ["h2e2 h9g7 h0g2 i9h9"], "{text}");
        }
    }

    #[test]
    fn tags_and_comments_of_a_quoted_game_are_unchanged() {
        let text = "> [Event \"Club\"]\n> [Red \"A, B\"]\n> [Result \"0-1\"]\n>\n> 1. C2=5 {good, [%clk 0:05:00] \"best\"} H8+7\n> 2. H2+3 R9=8\n";
        let mut records = Records::new(text.as_bytes().to_vec(), Some(Format::Pgn)).unwrap();
        let record = records.next().unwrap().unwrap();
        assert_eq!((record.tag("Event"), record.tag("Red"), record.result.token()), (Some("Club"), Some("A, B"), "0-1"));
        assert_eq!(record.comment(record.main_line().next().unwrap()), "good, [%clk 0:05:00] \"best\"");
        assert_eq!((record.plies(), record.warnings().len(), records.count()), (4, 0, 0));
        let text = "> [Event \"Club\"]\n> [FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1\"]\n>\n> 1. 车五平六\n";
        assert_eq!(games(text), ["e1d1"]);
    }

    #[test]
    fn other_texts_with_marks_are_no_games() {
        for text in [
            "> 1. Buy milk\n> 2. a4 paper\n",
            "| 1 | a | b |\n|---|---|---|\n",
            "[\"a\", 1]\n",
            "红方：甲\n黑方：乙\n",
            "a,b,c\n1,2,3\n",
            "|--\n",
        ] {
            assert_eq!(Format::shown_by(text.as_bytes()), None, "{text}");
            assert!(games(text).iter().all(String::is_empty), "{text}");
        }
        // A web page is not searched for them.
        assert_eq!(Format::shown_by("<p>\n> 1. 炮二平五 马8进7\n".as_bytes()), None);
    }
}
