//! Kills: moves that threaten mate by an unbroken series of checks. The World Xiangqi Rules allow perpetual kills, so there the term
//! is only used in explanations; the Chinese rules count kills as attacks.

use crate::board::Board;

/// Maximum number of checks in a mating series.
const MAX_CHECKS: u32 = 4;
/// Number of positions after which the mate search gives up. Players don't see deeper threats either, and the bound keeps
/// adjudication fast.
const MAX_POSITIONS: u32 = 5_000;

/// Whether the side to move can mate by an unbroken series of at most [`MAX_CHECKS`] checks. Searches by iterative deepening.
pub(super) fn mates_by_checks(board: &Board) -> bool {
    let mut left = MAX_POSITIONS;
    (1..=MAX_CHECKS).any(|checks| mates_in(board, checks, &mut left))
}

/// Whether the side that has just moved threatens mate by a series of checks; false if the move itself gives check.
pub(super) fn threatens_mate(after: &Board) -> bool {
    !after.in_check() && mates_by_checks(&after.with_side(!after.side_to_move()))
}

fn mates_in(board: &Board, checks: u32, left: &mut u32) -> bool {
    let mut lines = board.legal_moves().into_iter().map(|mv| board.after(mv)).filter(Board::in_check);
    lines.any(|child| {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        let replies = child.legal_moves();
        replies.is_empty() || (checks > 1 && replies.iter().all(|&reply| mates_in(&child.after(reply), checks - 1, left)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    fn after(fen: &str, mv: &str) -> Board {
        Board::from_diagram(fen).unwrap().after(Move::from_uci(mv).unwrap())
    }

    #[test]
    fn a_quiet_move_that_threatens_mate_is_a_kill() {
        // Diagram 7 of the World Xiangqi Rules: the horse threatens mate by the next check. The king move below threatens nothing.
        let horse = "2b2k3/9/4b2P1/3N5/1R6p/6P2/5p2r/8n/4p4/5K3 w";
        assert!(threatens_mate(&after(horse, "d6c8")));
        assert!(!threatens_mate(&after("4ka3/4a4/4b4/p7p/9/4C4/4P4/4B4/3K5/3Ac1B2 w", "d1e1")));
    }

    #[test]
    fn a_check_is_not_a_kill() {
        let checked = after("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w", "h8h9");
        assert!(checked.in_check());
        assert!(!threatens_mate(&checked));
    }
}
