//! Tables in which wide characters keep the columns straight.

use crate::commands::Failure;
use crate::commands::output::Output;
use unicode_width::UnicodeWidthStr;

/// Widest cell, in columns of a terminal; longer texts are cut.
const WIDEST: usize = 32;

/// Rows under a heading. A heading that begins with a blank is of numbers, which stand on the right.
pub(super) struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&'static str]) -> Table {
        Table { heads: heads.to_vec(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| clipped(&cell)).collect());
    }

    pub(super) fn write(&self, output: &mut Output) -> Result<(), Failure> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].width());
            cells.chain([self.heads[column].trim().width()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let mut line = |cells: &[&str]| {
            let mut text = String::new();
            for ((cell, &width), head) in cells.iter().zip(&widths).zip(&self.heads) {
                let pad = " ".repeat(width - cell.width());
                text += &if head.starts_with(' ') { format!("{pad}{cell}  ") } else { format!("{cell}{pad}  ") };
            }
            writeln!(output, "{}", text.trim_end())
        };
        line(&self.heads.iter().map(|head| head.trim()).collect::<Vec<_>>())?;
        for row in &self.rows {
            line(&row.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// A text of one line that fits into a cell.
fn clipped(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if text.width() <= WIDEST {
        return text;
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if cut.width() + 2 > WIDEST - 1 {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}
