//! Adds, reweights or removes a move in a book source by editing its lines, preserving comments, order and names.

use super::key::book_key;
use super::text::{Token, read_line, read_move};
use super::{BookError, Change, from_source};
use crate::board::{Board, START_FEN};
use crate::notation::{self, System};
use std::ops::Range;

/// An occurrence of the move in the source.
struct Found {
    line: usize,
    /// Its span in the line.
    span: Range<usize>,
    text: String,
    is_weighted: bool,
    /// Whether it has no continuation, in its line or below.
    is_last: bool,
}

/// Returns the changed source.
///
/// # Errors
/// If the source is invalid, or a move to be removed has continuations.
pub(super) fn edited(text: &str, board: &Board, change: &Change) -> Result<String, BookError> {
    // Windows Notepad begins files with a byte order mark.
    let bare = text.trim_start_matches('\u{feff}');
    let (mark, text) = (&text[..text.len() - bare.len()], bare);
    let mut lines: Vec<String> = text.split('\n').map(str::to_string).collect();
    let mut found = find(&lines, board, change)?;
    match change.weight {
        Some(weight) if found.is_empty() => {
            if lines.last().is_some_and(|last| last.is_empty()) {
                lines.pop();
            }
            lines.push(format!("start {} - - 0 1", board.to_fen()));
            lines.push(format!("{}*{weight}", notation::write(System::Wxf, board, change.mv)));
            lines.push(String::new());
        }
        Some(weight) => {
            // One occurrence states the weight for all.
            let first_weighted = found.iter().position(|found| found.is_weighted).unwrap_or(0);
            for (index, occurrence) in found.iter().enumerate().rev() {
                let new = if index == first_weighted { format!("{}*{weight}", occurrence.text) } else { occurrence.text.clone() };
                lines[occurrence.line].replace_range(occurrence.span.clone(), &new);
            }
        }
        None => {
            if let Some(occurrence) = found.iter().find(|occurrence| !occurrence.is_last) {
                let (line, mv) = (occurrence.line + 1, &occurrence.text);
                let advice = "set its weight to 0, or remove the lines by hand";
                return Err(BookError::Compile(format!("line {line}: {mv} has continuations or a name; {advice}")));
            }
            found.reverse();
            for occurrence in found {
                let line = &mut lines[occurrence.line];
                let before = line[..occurrence.span.start].trim_end().len();
                // Remove the entire line if nothing else is on it, such as a comment.
                let is_alone = before == 0 && line[occurrence.span.end..].trim().is_empty();
                if is_alone {
                    lines.remove(occurrence.line);
                } else {
                    let start = if before == 0 { occurrence.span.start } else { before };
                    line.replace_range(start..occurrence.span.end, "");
                }
            }
        }
    }
    let text = format!("{mark}{}", lines.join("\n"));
    from_source("the changed source", &text)?;
    Ok(text)
}

/// The occurrences of the move, played from the position or from its mirror image.
fn find(lines: &[String], board: &Board, change: &Change) -> Result<Vec<Found>, BookError> {
    let problem = |number: usize, error: String| BookError::Compile(format!("line {number}: {error}"));
    let (key, orientation) = book_key(board);
    let stored = orientation.stored(change.mv);
    let start = Board::from_fen(START_FEN).map_err(|error| BookError::Compile(error.to_string()))?;
    let mut root = start;
    // Preceding lines with less indentation, and the positions at their ends.
    let mut above: Vec<(usize, Board)> = Vec::new();
    let mut found: Vec<Found> = Vec::new();
    // Moves at the end of a line, which may have continuations below.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (index, text) in lines.iter().enumerate() {
        let text = text.trim_end_matches('\r');
        let line = read_line(index + 1, text).map_err(|error| problem(index + 1, error.to_string()))?;
        let Some(line) = line else { continue };
        above.retain(|(indent, _)| *indent < line.indent);
        for (indent, at) in open.drain(..) {
            found[at].is_last = indent >= line.indent;
        }
        let mut at = above.last().map_or(root, |(_, board)| *board);
        let count = line.tokens.len();
        for (number, token) in line.tokens.iter().enumerate() {
            match token {
                Token::Start(fen) => {
                    root = Board::from_fen(fen).map_err(|error| problem(index + 1, error.to_string()))?;
                    at = root;
                    above.clear();
                }
                Token::Name(..) => {}
                Token::Move(word, weight) => {
                    let mv = read_move(&at, word).map_err(|error| problem(index + 1, error.to_string()))?;
                    let (own, orientation) = book_key(&at);
                    if own == key && orientation.stored(mv) == stored {
                        // Words are slices of the line, so the difference of pointers is the offset.
                        let from = word.as_ptr() as usize - text.as_ptr() as usize;
                        let length = text[from..].find([' ', '#', '"', '\r']).unwrap_or(text.len() - from);
                        let is_last = number + 1 == count;
                        if is_last {
                            open.push((line.indent, found.len()));
                        }
                        let (span, text) = (from..from + length, word.to_string());
                        found.push(Found { line: index, span, text, is_weighted: weight.is_some(), is_last });
                    }
                    at = at.after(mv);
                }
            }
        }
        if !matches!(line.tokens[..], [Token::Start(_)]) {
            above.push((line.indent, at));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::types::Move;

    const SOURCE: &str =
        "# a comment\nC2.5*60 \"A\" \"甲\"   # stays\n  H8+7*60 H2+3 # here too\n  C8.5\nP7+1*35\n  H8+7\nC8.5*60\n";

    fn changed(moves: &str, mv: &str, weight: Option<u32>) -> Result<String, BookError> {
        let mut position = Position::startpos();
        moves.split_whitespace().for_each(|text| position.make(Move::from_uci(text).unwrap()));
        edited(SOURCE, position.board(), &Change { mv: Move::from_uci(mv).unwrap(), weight })
    }

    #[test]
    fn only_the_move_is_changed() {
        let line = |text: String, number: usize| text.lines().nth(number).unwrap().to_string();
        assert_eq!(line(changed("h2e2", "h9g7", Some(7)).unwrap(), 2), "  H8+7*7 H2+3 # here too");
        assert_eq!(line(changed("h2e2", "h7e7", Some(7)).unwrap(), 3), "  C8.5*7");
        // In the symmetric start position the mirror image is the same move.
        let both = changed("", "b2e2", Some(1)).unwrap();
        assert_eq!(both, SOURCE.replacen("*60", "*1", 1).replace("C8.5*60", "C8.5"));
        assert_eq!(changed("h2e2", "h7e7", None).unwrap(), SOURCE.replace("  C8.5\n", ""));
        assert_eq!(changed("h2e2 h9g7", "h0g2", None).unwrap(), SOURCE.replace(" H2+3", ""));
        let added = changed("a0a1", "a9a8", Some(3)).unwrap();
        assert!(added.starts_with(SOURCE) && added.ends_with(" b - - 0 1\nR1+1*3\n"), "{added}");
    }

    #[test]
    fn a_move_with_continuations_is_not_removed() {
        let error = changed("h2e2", "h9g7", None).unwrap_err().to_string();
        assert!(error.contains("line 3: H8+7 has continuations"), "{error}");
        let error = changed("", "g3g4", None).unwrap_err().to_string();
        assert!(error.contains("line 5"), "{error}");
    }
}
