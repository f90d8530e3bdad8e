//! Random moves, and openings made of them.

use chuhe::board::{Board, Position};
use chuhe::types::{Move, PieceType};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Rough values of the pieces in the order of [`PieceType::index`]; the king's is not used.
const VALUES: [i32; PieceType::COUNT] = [0, 100, 100, 300, 600, 300, 100];
/// A random move may lose this much in an exchange: a pawn, an advisor or an elephant.
const LOSS_ALLOWED: i32 = 100;

/// A position after `plies` random moves from the start, or one with fewer when a game ended on the way. No piece is left to the other
/// side for nothing: most openings would be lost otherwise, and be thrown away.
pub fn random_opening(random: &mut Xoshiro256PlusPlus, plies: usize) -> Position {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let Some(mv) = random_move(random, position.board()) else { break };
        position.make(mv);
    }
    position
}

/// One of the legal moves, each as likely as any other but for those that leave a rook, horse or cannon to the other side for nothing,
/// unless there are no others.
pub fn random_move(random: &mut Xoshiro256PlusPlus, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    let sound: Vec<_> = moves.iter().copied().filter(|&mv| board.see_ge(mv, -LOSS_ALLOWED, &VALUES)).collect();
    let choice = if sound.is_empty() { moves.as_slice() } else { &sound };
    (!choice.is_empty()).then(|| choice[random.random_range(0..choice.len())])
}
