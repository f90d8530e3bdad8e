//! PGN for xiangqi: tags, moves in coordinates, WXF, Chinese characters or WinBoard's letters, comments and variations.

mod moves;
mod reader;
mod scanner;
mod writer;

pub(super) use reader::{is_likely, open};
pub(super) use writer::write;
