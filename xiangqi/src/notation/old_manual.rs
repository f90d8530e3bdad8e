//! An Old Xiangqi Manual (象棋老谱): the four components of the 2018 rules with different file numbers. Each half of the board numbers
//! its files from the left of the side it belongs to, so a move across the river uses both numberings.

use super::components::{self, Edition};
use super::error::Reason;
use super::numbering::Numbering;
use super::text;
use super::western;
use crate::board::Board;
use crate::types::Move;

/// Writes `C8=5`.
pub(super) fn write(board: &Board, mv: Move, out: &mut String) {
    if let Some(parts) = components::parts(board, mv, Numbering::Halves) {
        western::write_parts(Edition::Rules2018, &parts, out);
    }
}

/// Reads a move. A dot instead of `=` is rejected: it belongs to the 1999 standard and was never used with these numbers.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    let symbols = text::symbols(text).filter(|symbols| symbols.get(2) != Some(&'.')).ok_or(Reason::Form)?;
    let components = western::parse(Edition::Rules2018, &symbols).ok_or(Reason::Form)?;
    components::resolve(board, components, Numbering::Halves, Edition::Rules2018)
}
