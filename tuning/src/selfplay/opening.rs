//! Random moves, random openings and random endgames.

use chuhe::board::{Board, Position, Setup, zone};
use chuhe::types::{Color, Move, Piece, PieceType, Square};
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

/// Numbers from which those of a side's advisors and elephants in a random endgame are drawn: most real ones have two of each.
const DEFENDERS: [usize; 4] = [0, 1, 2, 2];
/// Maximum number of a side's pawns in a random endgame.
const MOST_PAWNS: usize = 3;
/// Maximum number of rooks, horses and cannons of both sides in a random endgame.
const MOST_ATTACKERS: usize = 4;
/// Maximum number of a side's rooks, horses or cannons of one kind.
const MOST_OF_KIND: usize = 2;

/// A random position with one to four rooks, horses and cannons, and a random number of advisors, elephants and pawns of either side. Games
/// from the start reach few such positions in which a weak player does not win quickly. `None` if the pieces drawn make no legal position.
pub fn random_endgame(random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let mut counts = [[0; PieceType::COUNT]; 2];
    for side in &mut counts {
        side[PieceType::King.index()] = 1;
        for kind in [PieceType::Advisor, PieceType::Elephant] {
            side[kind.index()] = DEFENDERS[random.random_range(0..DEFENDERS.len())];
        }
        side[PieceType::Pawn.index()] = random.random_range(0..=MOST_PAWNS);
    }
    for _ in 0..random.random_range(1..=MOST_ATTACKERS) {
        let kind = [PieceType::Rook, PieceType::Horse, PieceType::Cannon][random.random_range(0..3)];
        let count = &mut counts[random.random_range(0..2)][kind.index()];
        *count = MOST_OF_KIND.min(*count + 1);
    }
    let mut setup = Setup::empty();
    setup.side = Color::ALL[random.random_range(0..2)];
    for (color, counts) in Color::ALL.into_iter().zip(counts) {
        for kind in PieceType::ALL {
            let piece = Piece::new(color, kind);
            for _ in 0..counts[kind.index()] {
                let free: Vec<Square> = zone(piece).into_iter().filter(|&square| setup.piece_on(square).is_none()).collect();
                let square = *free.get(random.random_range(0..free.len().max(1)))?;
                setup.put(square, Some(piece));
            }
        }
    }
    setup.position().ok().filter(|position| !position.in_check() && position.board().has_legal_move())
}

/// A uniformly random legal move, excluding moves that hang a rook, horse or cannon unless there are no others.
pub fn random_move(random: &mut Xoshiro256PlusPlus, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    let sound: Vec<_> = moves.iter().copied().filter(|&mv| board.see_ge(mv, -LOSS_ALLOWED, &VALUES)).collect();
    let choice = if sound.is_empty() { moves.as_slice() } else { &sound };
    (!choice.is_empty()).then(|| choice[random.random_range(0..choice.len())])
}
