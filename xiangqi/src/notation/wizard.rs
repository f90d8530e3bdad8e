//! What XiangQi Wizard (象棋巫师) reads. Its reader, public as part of ElephantEye (`cchess.cpp`, `File2Move`), knows:
//!
//! - Advisors and elephants only by file, direction and goal: 相七退九, `E7-9`.
//! - A king whatever its file, other pieces by their file: of several on it the first in the order of its piece list.
//! - Pieces in tandem by 前 中 後, `+` `.` `-` (before or behind the letter), or a number, 一 to 五 or `a` to `e`. All tandem pieces
//!   of a kind are counted together, from the mover's right to the left and on each file from the front; 前 中 後 are the first,
//!   second and third of them, and 後 is the second where there are two.
//! - Coordinates as `H2-E2`, in capitals and with a dash.
//!
//! A text that it takes for an illegal move is left out without a word, and so is nearly all that follows.

use super::System;
use super::components;
use super::numbering::Numbering;
use crate::board::Board;
use crate::types::{Move, PieceType};

/// Whether XiangQi Wizard reads what a system writes for a legal move as that move.
pub(crate) fn is_read_by_wizard(system: System, board: &Board, mv: Move) -> bool {
    let Some(parts) = components::parts(board, mv, Numbering::Own) else { return false };
    let (kind, standing) = (parts.piece.kind(), parts.standing);
    match system {
        System::Iccs => true,
        System::Chinese | System::ChineseSimplified => {
            // The third of them is not the rear one of four.
            let is_rear_of_many = standing.count > 3 && standing.index + 1 == standing.count;
            matches!(kind, PieceType::Advisor | PieceType::Elephant)
                || standing.sets < 2 && !is_rear_of_many
                || standing.is_alone()
        }
        System::Wxf | System::Wxr | System::Tandem => {
            let by_sign = standing.is_only_pair() && !matches!(kind, PieceType::Advisor | PieceType::Elephant);
            standing.is_alone() || by_sign
        }
        _ => false,
    }
}
