//! PGN for xiangqi: tags, comments, variations, and moves in coordinates, WXF, Chinese characters or the chess-like notation of WinBoard.

mod drawing;
mod first_side;
mod game_start;
mod markup;
mod moves;
mod reader;
mod scanner;
mod titles;
mod words;
mod writer;

pub(super) use markup::{is_quoted_tag, without_marks};
pub(super) use reader::{is_start, open, read_moves, unquoted};
pub(super) use writer::write;
