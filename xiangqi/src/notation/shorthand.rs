//! The former official shorthand, as printed in the periodical Beifang Qiyi: there is no direction sign; instead the last digit is
//! underlined for an advance and overlined for a retreat. The line is written as a combining character, HTML or a terminal escape
//! sequence.

use super::chinese::{self, Characters};
use super::components::{self, Direction, Edition};
use super::error::Reason;
use super::numbering::Numbering;
use super::text::{self, LETTERS, LOW_LINE, OVERLINE};
use super::western::{parse_who_2018, who_2018};
use super::{LineStyle, Script};
use crate::board::{Board, kind_of_letter};
use crate::types::Move;

/// HTML before and after an underlined and an overlined digit.
const HTML_LINES: [[&str; 2]; 2] = [["<u>", "</u>"], ["<span style=\"text-decoration:overline\">", "</span>"]];
/// Select Graphic Rendition (ECMA-48): 4 and 24 turn underlining on and off, 53 and 55 overlining.
const ANSI_LINES: [[&str; 2]; 2] = [["\x1b[4m", "\x1b[24m"], ["\x1b[53m", "\x1b[55m"]];
/// Maximum length of a move with its markup, in bytes.
const MAX_LENGTH: usize = 200;

/// Writes `C25` or 炮25, with a line under or over the last digit for an advance or a retreat.
pub(super) fn write(board: &Board, mv: Move, script: Script, style: LineStyle, out: &mut String) {
    let Some(parts) = components::parts(board, mv, Numbering::Own) else { return };
    let name = match script {
        Script::English => LETTERS[parts.piece.kind().index()],
        Script::Traditional => chinese::name(parts.piece, Characters::Traditional),
        Script::Simplified => chinese::name(parts.piece, Characters::Simplified),
    };
    out.extend(who_2018(&parts, name));
    let digit = (b'0' + parts.number) as char;
    let line = match parts.direction {
        Direction::Traverse => return out.push(digit),
        Direction::Advance => 0,
        Direction::Retreat => 1,
    };
    let [before, after] = match style {
        LineStyle::Combining => return out.extend([digit, [LOW_LINE, OVERLINE][line]]),
        LineStyle::Html => HTML_LINES[line],
        LineStyle::Ansi => ANSI_LINES[line],
    };
    out.push_str(before);
    out.push(digit);
    out.push_str(after);
}

/// Reads a move in any style. Without a line it is a sideways move; if that is not possible, the line is assumed to have been lost,
/// and the only matching advance or retreat is chosen.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    let marked = marks_for_markup(text).ok_or(Reason::Form)?;
    let symbols = text::symbols(&marked).ok_or(Reason::Form)?;
    let (first, second, number, line) = match *symbols.as_slice() {
        [first, second, number] => (first, second, number, None),
        [first, second, number, line] => (first, second, number, Some(line)),
        _ => return Err(Reason::Form),
    };
    let kind = |letter| kind_of_letter(letter).or_else(|| text::kind_of_name(letter));
    let who = parse_who_2018(first, second, kind).or_else(|| chinese::parse_who(first, second)).ok_or(Reason::Form)?;
    let number = text::digit(number).ok_or(Reason::Form)?;
    let read = |ways: &[(Direction, u8)]| components::resolve_any(board, who, ways, Numbering::Own, Edition::Rules2018);
    match line {
        Some(LOW_LINE) => read(&[(Direction::Advance, number)]),
        Some(OVERLINE) => read(&[(Direction::Retreat, number)]),
        Some(_) => Err(Reason::Form),
        None => match read(&[(Direction::Traverse, number)]) {
            Err(Reason::CannotMoveSo(_)) => read(&[(Direction::Advance, number), (Direction::Retreat, number)]),
            result => result,
        },
    }
}

/// Replaces HTML and terminal markup with combining lines. `None` if markup is unclosed or the text is too long.
fn marks_for_markup(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let mut result = String::with_capacity(text.len());
    let mut line = None;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let markup = match letter {
            '<' => take_until(&mut rest, '>')?,
            '\x1b' => take_until(&mut rest, 'm')?,
            _ => {
                result.push(letter);
                result.extend(line);
                continue;
            }
        };
        line = match markup.trim_start_matches('[').trim() {
            "u" | "U" | "4" => Some(LOW_LINE),
            "53" => Some(OVERLINE),
            tag if tag.contains("overline") => Some(OVERLINE),
            tag if tag.contains("underline") => Some(LOW_LINE),
            _ => None,
        };
    }
    Some(result)
}

fn take_until(rest: &mut std::str::Chars, end: char) -> Option<String> {
    let mut markup = String::new();
    loop {
        match rest.next()? {
            letter if letter == end => return Some(markup),
            letter => markup.push(letter),
        }
    }
}
