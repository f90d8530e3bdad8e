//! PGN for xiangqi: tags, moves in coordinates, WXF, Chinese characters or WinBoard's letters, comments and variations.

mod moves;
mod reader;
mod scanner;
mod titles;
mod words;
mod writer;

pub(super) use reader::{is_start, open, read_moves};
pub(super) use writer::write;
