//! Tables for a terminal, aligned also with wide characters.

use std::fmt;
use unicode_width::UnicodeWidthStr;

/// First character of the heading of a numeric, right-aligned column.
pub(super) const NUMBERS: char = ' ';

/// A table with a heading, printed by `Display`. Control characters, which could control the terminal, are replaced by spaces.
#[derive(Clone, Debug)]
pub struct Table {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    widest: usize,
}

impl Table {
    /// An empty table with these headings; one that begins with a blank makes the column right-aligned.
    pub fn new(heads: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table { heads: heads.into_iter().map(Into::into).collect(), rows: Vec::new(), widest: usize::MAX }
    }

    /// Limits the width of cells, in terminal columns; longer ones are truncated.
    #[must_use]
    pub fn cut(self, widest: usize) -> Table {
        Table { widest, ..self }
    }

    /// Adds a row with a cell for each heading.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| cut(plain(&cell), self.widest)).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads: Vec<String> = self.heads.iter().map(|head| head.trim().into()).collect();
        let lines = || std::iter::once(&heads).chain(&self.rows);
        let width = |column: usize| lines().map(|line| line[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        for line in lines() {
            let mut text = String::new();
            for ((cell, width), head) in line.iter().zip(&widths).zip(&self.heads) {
                let pad = " ".repeat(width - cell.width());
                text += &if head.starts_with(NUMBERS) { format!("{pad}{cell}  ") } else { format!("{cell}{pad}  ") };
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// Replaces control characters by spaces, so that text from a file cannot control the terminal.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn cut(text: String, widest: usize) -> String {
    if text.width() <= widest {
        return text;
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if cut.width() + 2 > widest - 1 {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(["player", " games", "event"]).cut(8);
        table.row(vec!["胡荣华".into(), "7".into(), "a\u{1b}[2J".into()]);
        table.row(vec!["Lin".into(), "12".into(), "a long name".into()]);
        assert_eq!(table.to_string(), "player  games  event\n胡荣华      7  a [2J\nLin        12  a long…\n");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(plain("a\u{1b}[2Jb\n"), "a [2Jb ");
    }
}
