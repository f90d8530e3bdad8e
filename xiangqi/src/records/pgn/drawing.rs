//! Positions drawn with lines and characters, as dpxq.com and XQStudio (象棋演播室) put them above the moves: `(车)` is Red's, `[车]` Black's.

use crate::board::Setup;
use crate::notation::kind_of_name;
use crate::types::{Color, FILES, Piece, RANKS, Square};
use std::ops::Range;

/// A drawing among the lines of a text.
#[derive(Debug, PartialEq)]
pub(super) enum Drawing {
    /// The lines that it takes, and the position, with Red to move.
    Board(Range<usize>, Setup),
    /// It is not of this form.
    Unclear,
}

/// The drawing among these lines. `None` if nothing is drawn.
pub(super) fn find(lines: &[&str]) -> Option<Drawing> {
    let is_row = |line: &&str| line.contains(POINTS) || points(line).is_some();
    let (mut from, last) = (lines.iter().position(is_row)?, lines.iter().rposition(is_row)?);
    let mut end = last + 1;
    let mut setup = Setup::empty();
    let mut rows = 0;
    for line in &lines[from..end] {
        if line.chars().all(is_between_rows) {
            continue;
        }
        let Some(row) = points(line).filter(|_| rows < RANKS) else { return Some(Drawing::Unclear) };
        for (file, piece) in row.into_iter().enumerate() {
            Square::at(file as i32, (RANKS - 1 - rows) as i32).and_then(|square| setup.put(square, piece));
        }
        rows += 1;
    }
    // Lines with the sides above and below: a board that is turned would have Red's first.
    let side = |index: usize| lines.get(index).map_or("", |line| line.trim());
    let above = from.checked_sub(1).map_or("", side);
    if rows < RANKS || matches!(above, "红方" | "紅方") {
        return Some(Drawing::Unclear);
    }
    from -= (above == "黑方") as usize;
    end += matches!(side(end), "红方" | "紅方") as usize;
    Some(Drawing::Board(from..end, setup))
}

/// Characters for points without a piece, other than the mark of a cannon's or pawn's point.
const POINTS: [char; 9] = ['┌', '┬', '┐', '├', '┼', '┤', '└', '┴', '┘'];

/// Whether a character may stand in a line between two rows.
fn is_between_rows(letter: char) -> bool {
    letter.is_whitespace() || "│|＼／\\/楚河汉漢界".contains(letter)
}

/// The pieces of a row, from Red's left. `None` if the line is not a row of nine points.
fn points(line: &str) -> Option<[Option<Piece>; FILES]> {
    let mut row = Vec::with_capacity(FILES);
    let mut letters = line.chars().filter(|letter| !letter.is_whitespace() && !"-－─".contains(*letter));
    while let Some(letter) = letters.next() {
        let (color, closing) = match letter {
            '(' => (Color::Red, ')'),
            '[' => (Color::Black, ']'),
            _ if letter == '※' || POINTS.contains(&letter) => {
                row.push(None);
                continue;
            }
            _ => return None,
        };
        let kind = kind_of_name(letters.next()?)?;
        if letters.next() != Some(closing) {
            return None;
        }
        row.push(Some(Piece::new(color, kind)));
    }
    row.try_into().ok()
}
