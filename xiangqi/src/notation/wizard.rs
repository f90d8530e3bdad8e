//! The notations understood by XiangQi Wizard (象棋巫师). Its reader, published as part of ElephantEye (`cchess.cpp`, `File2Move`),
//! accepts:
//!
//! - Advisors and elephants only by file, direction and destination: 相七退九, `E7-9`.
//! - A king regardless of the file; other pieces by their file. Of several on the file, the first in its piece list is chosen.
//! - Tandem pieces by 前 中 後, `+` `.` `-` (before or after the letter), or a number, 一 to 五 or `a` to `e`. All tandem pieces of a
//!   kind are numbered together, files from the mover's right to left and each file from the front; 前 中 後 are the first, second
//!   and third, and with only two pieces 後 is the second.
//! - Coordinates such as `H2-E2`, in capitals and with a dash.
//!
//! A text that it considers an illegal move is silently dropped, along with nearly everything that follows.

use super::System;
use super::components;
use super::numbering::Numbering;
use crate::board::Board;
use crate::types::{Move, PieceType};

/// Whether XiangQi Wizard correctly reads a legal move as written in this system.
pub(crate) fn is_read_by_wizard(system: System, board: &Board, mv: Move) -> bool {
    let Some(parts) = components::parts(board, mv, Numbering::Own) else { return false };
    let (kind, standing) = (parts.piece.kind(), parts.standing);
    match system {
        System::Iccs => true,
        System::Chinese | System::ChineseSimplified => {
            // 後 is the third piece to XiangQi Wizard, which is not the rear one of four.
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
