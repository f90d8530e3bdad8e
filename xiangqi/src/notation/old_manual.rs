//! An Old Xiangqi Manual (象棋老谱): the four components of the rules of 2018 with other file numbers. Each side numbers the
//! files of its own half from its left, and a point has the number of the half it lies in, so that one move can be
//! numbered from both sides of the river.

use super::components::{self, Scheme};
use super::error::Unread;
use super::numbering::Numbering;
use super::text;
use super::western::{self, Edition};
use crate::board::Board;
use crate::types::Move;

/// Writes `C8=5`.
pub(super) fn write(board: &Board, mv: Move, out: &mut String) {
    if let Some(parts) = components::parts(board, mv, Numbering::Halves) {
        western::write_parts(Edition::Rules2018, &parts, out);
    }
}

/// Reads a move. A dot for `=` is left to the standard of 1999: it was never written with these numbers.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Unread> {
    let symbols = text::symbols(text).filter(|symbols| symbols.get(2) != Some(&'.')).ok_or(Unread::Form)?;
    let components = western::parse(Edition::Rules2018, &symbols).ok_or(Unread::Form)?;
    components::resolve(board, components, Numbering::Halves, Scheme::Ends)
}
