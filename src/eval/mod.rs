//! Layer 5: the evaluation of a position from the output of a network.
//!
//! [`Network::builtin`] is the built-in network; [`Network::read`] loads others at run time.

mod wdl;

use crate::board::Board;
use crate::nnue::Network;

pub use wdl::{WDL_MODEL, WdlModel, win_draw_loss};

/// Divisor of the score of a side without pieces that can cross the river: such a side cannot win.
const WITHOUT_ATTACKERS: i32 = 16;

/// The evaluation of a position that is not in check, computed from scratch: centipawns from the side to move's view. The search
/// computes the same value from [`crate::nnue::Accumulators`] and [`scaled`].
pub fn evaluate(network: &Network, board: &Board) -> i32 {
    scaled(board, network.evaluate(board))
}

/// The evaluation of a board from the network's output `value`.
#[inline]
pub fn scaled(board: &Board, value: i32) -> i32 {
    let winner = if value > 0 { board.side_to_move() } else { !board.side_to_move() };
    if board.has_attackers(winner) { value } else { value / WITHOUT_ATTACKERS }
}

/// Inverse of [`scaled`], as exact as integers allow.
pub fn unscaled(board: &Board, value: i32) -> i32 {
    let winner = if value > 0 { board.side_to_move() } else { !board.side_to_move() };
    if board.has_attackers(winner) { value } else { value.saturating_mul(WITHOUT_ATTACKERS) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn board(fen: &str) -> Board {
        *Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}")).board()
    }

    #[test]
    fn the_built_in_network_is_sound_and_knows_piece_values() {
        assert!(!Network::builtin().description().is_empty());
        let start = Position::startpos();
        let level = evaluate(Network::builtin(), start.board());
        assert!(level.abs() < 150, "{level}");
        for (fen, least) in [
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 b", 300),
            ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABR1 b", 100),
            ("rnbakabnr/9/1c7/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", 100),
        ] {
            let ahead = evaluate(Network::builtin(), &board(fen));
            assert!(ahead >= least, "{fen}: {ahead}");
        }
    }

    #[test]
    fn evaluation_is_the_same_from_both_sides_and_in_the_mirror() {
        for fen in [
            "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b",
            "3akab2/9/4b3n/p3p3p/2n3r2/P3P4/4c3P/N3C1N2/4A4/2BAK1B1R w",
        ] {
            let board = board(fen);
            let value = |board: &Board| evaluate(Network::builtin(), board);
            assert_eq!(value(&board), value(&board.mirrored()));
            assert_eq!(value(&board), value(&board.color_flipped()));
        }
    }

    #[test]
    fn a_side_without_attackers_is_hardly_ahead() {
        let defenders = board("4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w");
        assert_eq!(scaled(&defenders, 320), 20);
        assert_eq!(scaled(&board("4k4/9/9/9/P8/9/9/4B4/4A4/2BAK4 w"), 320), 320);
    }

    #[test]
    fn scaling_is_invertible() {
        let defenders = board("4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w");
        assert_eq!(unscaled(&defenders, 20), 320);
        assert_eq!(unscaled(Position::startpos().board(), 20), 20);
    }
}
