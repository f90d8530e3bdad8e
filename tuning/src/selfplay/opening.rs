//! Random moves and random openings.

use chuhe::board::{Board, Position};
use chuhe::types::{Move, PieceType};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Approximate values of the pieces in the order of [`PieceType::index`]; the king's is unused.
const VALUES: [i32; PieceType::COUNT] = [0, 100, 100, 300, 600, 300, 100];
/// Maximum loss of a random move in an exchange: a pawn, an advisor or an elephant.
const LOSS_ALLOWED: i32 = 100;

/// A position after `plies` random moves from the start, or fewer if the game ends earlier. No piece is hung, since
/// otherwise most openings would be lost and rejected.
pub fn random_opening(random: &mut Xoshiro256PlusPlus, plies: usize) -> Position {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let Some(mv) = random_move(random, position.board()) else { break };
        position.make(mv);
    }
    position
}

/// A uniformly random legal move, excluding moves that hang a rook, horse or cannon unless there are no others.
pub fn random_move(random: &mut Xoshiro256PlusPlus, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    let sound: Vec<_> = moves.iter().copied().filter(|&mv| board.see_ge(mv, -LOSS_ALLOWED, &VALUES)).collect();
    let choice = if sound.is_empty() { moves.as_slice() } else { &sound };
    (!choice.is_empty()).then(|| choice[random.random_range(0..choice.len())])
}
