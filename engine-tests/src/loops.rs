//! Random loops: positions, and lines from them in which both sides return their pieces until a position has occurred three
//! times.

use chuhe::board::{Board, Position, zone};
use chuhe::types::{Bitboard, Color, Move, Piece, PieceType, Square};

/// Marsaglia's xorshift generator.
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A random number less than the bound, 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    /// True with probability 1/n.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random item.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }
}

/// Plays 10 to 160 random plies from the start; a greedy player usually takes the most valuable piece that an exchange wins.
pub fn played(random: &mut Random, greedy: bool) -> Option<Board> {
    const VALUES: [i32; PieceType::COUNT] = [0, 20, 20, 40, 90, 45, 15];
    let mut board = *Position::startpos().board();
    for _ in 0..10 + random.below(150) {
        let moves = board.legal_moves();
        let value = |mv: &Move| board.piece_on(mv.to()).map_or(0, |piece| VALUES[piece.kind().index()]);
        let gains = moves.iter().filter(|&&mv| board.is_capture(mv) && board.see_ge(mv, 1, &VALUES));
        let best = if greedy && !random.one_in(8) { gains.max_by_key(|mv| value(mv)).copied() } else { None };
        board = board.after(best.or_else(|| random.pick(&moves))?);
    }
    Some(board)
}

/// A few random pieces on random points allowed for them, attackers more often than defenders.
pub fn composed(random: &mut Random) -> Option<Board> {
    let mut squares: [Option<Piece>; 90] = [None; 90];
    let mut put = |random: &mut Random, piece: Piece| {
        let free: Vec<Square> = zone(piece).into_iter().filter(|square| squares[square.index()].is_none()).collect();
        if let Some(square) = random.pick(&free) {
            squares[square.index()] = Some(piece);
        }
    };
    for color in Color::ALL {
        put(random, Piece::new(color, PieceType::King));
        for kind in PieceType::ALL.into_iter().skip(1) {
            let limit = if kind == PieceType::Pawn { 3 } else { 2 };
            for _ in 0..limit {
                if random.one_in(3) {
                    put(random, Piece::new(color, kind));
                }
            }
        }
    }
    let rows =
        (0..10).rev().map(|rank| (0..9).map(|file| squares[rank * 9 + file].map_or('1', Piece::fen_letter)).collect::<String>());
    let side = if random.one_in(2) { "w" } else { "b" };
    Board::from_fen(&format!("{} {side}", rows.collect::<Vec<_>>().join("/"))).ok()
}

/// Pseudo-legal quiet moves of a side; legality is tested when they are played.
fn quiet_moves(board: &Board, side: Color, from: Bitboard) -> Vec<Move> {
    let occupied = board.occupied();
    let goals = |square| (board.moves_from(square, occupied) & !occupied).into_iter().map(move |to| Move::new(square, to));
    (from & board.color(side)).into_iter().flat_map(goals).collect()
}

fn back(mv: Move) -> Move {
    Move::new(mv.to(), mv.from())
}

/// Two, three or four moves of one side after which its pieces are back on their points.
fn tour(board: &Board, side: Color, length: usize, random: &mut Random) -> Option<Vec<Move>> {
    let moves = quiet_moves(board, side, Bitboard::ALL);
    let a = random.pick(&moves)?;
    let next = |board: &Board, mv: Move| board.with_side(side).after(mv).with_side(side);
    match length {
        2 => Some(vec![a, back(a)]),
        3 => {
            let after = next(board, a);
            let ways = quiet_moves(&after, side, Bitboard::of(a.to()));
            let home = |mv: &Move| next(&after, *mv).moves_from(mv.to(), after.occupied()).has(a.from());
            let closing: Vec<Move> = ways.into_iter().filter(|mv| mv.to() != a.from() && home(mv)).collect();
            let b = random.pick(&closing)?;
            Some(vec![a, b, Move::new(b.to(), a.from())])
        }
        _ => {
            let after = next(board, a);
            let b = random.pick(&quiet_moves(&after, side, Bitboard::ALL.without(a.to())))?;
            Some(match random.below(4) {
                0 => vec![a, b, back(a), back(b)],
                1 => vec![a, b, back(b), back(a)],
                2 => vec![a, back(a), b, back(b)],
                _ => {
                    let c = random.pick(&quiet_moves(&after, side, Bitboard::of(a.to())))?;
                    let last = next(&after, c);
                    let ways = quiet_moves(&last, side, Bitboard::of(c.to()));
                    let home = |mv: &Move| next(&last, *mv).moves_from(mv.to(), last.occupied()).has(a.from());
                    let closing: Vec<Move> = ways.into_iter().filter(|mv| mv.to() != a.from() && home(mv)).collect();
                    let d = random.pick(&closing)?;
                    vec![a, c, d, Move::new(d.to(), a.from())]
                }
            })
        }
    }
}

/// One piece against one piece, each moving out and back, as in most rulings: the first attacks a piece, and the second is
/// that piece or moves to a point where the first attacks it again on its way back. The best of a few tries.
fn pursuit(board: &Board, side: Color, random: &mut Random) -> Option<(Vec<Move>, Vec<Move>)> {
    let moves = quiet_moves(board, side, Bitboard::ALL);
    let hits = |board: &Board, from: Square, at: Square| board.attacks_from(from).has(at);
    let mut best = None;
    for _ in 0..12 {
        let a = random.pick(&moves)?;
        let after = board.with_side(side).after(a);
        let Some(b) = random.pick(&quiet_moves(&after, !side, Bitboard::ALL)) else { continue };
        if b.to() == a.from() {
            continue;
        }
        let fled = after.after(b);
        let returned = fled.after(back(a));
        let enemies = |board: &Board| board.color(!side);
        let score = hits(&after, a.to(), b.from()) as u32 * 2
            + hits(&returned, a.from(), b.to()) as u32 * 2
            + after.is_attacked(!side) as u32
            + returned.is_attacked(!side) as u32
            + !(after.attacks_from(a.to()) & enemies(&after)).is_empty() as u32
            + !(returned.attacks_from(a.from()) & enemies(&returned)).is_empty() as u32;
        if best.is_none_or(|(top, _, _)| score > top) {
            best = Some((score, a, b));
        }
    }
    best.map(|(_, a, b)| (vec![a, back(a)], vec![b, back(b)]))
}

/// A walk of one piece of a side: this many steps, and back over the same points.
fn walk(board: &Board, side: Color, steps: usize, random: &mut Random) -> Option<Vec<Move>> {
    let mut board = board.with_side(side);
    let first = random.pick(&quiet_moves(&board, side, Bitboard::ALL))?;
    let mut out = vec![first];
    while out.len() < steps {
        board = board.after(*out.last()?).with_side(side);
        out.push(random.pick(&quiet_moves(&board, side, Bitboard::of(out.last()?.to())))?);
    }
    let home: Vec<Move> = out.iter().rev().map(|&mv| back(mv)).collect();
    out.extend(home);
    Some(out)
}

/// As [`window`], with loops of up to 120 plies: pieces make long walks, or the tours of the two sides have different lengths.
pub fn long_window(board: &Board, random: &mut Random) -> Option<Position> {
    let side = board.side_to_move();
    let steps = 1 + random.below(30);
    let (own, other) = (walk(board, side, steps, random)?, tour(board, !side, 2 + random.below(3), random)?);
    let (own, other) =
        if random.one_in(2) { (own, other) } else { (walk(board, side, steps, random)?, walk(board, !side, steps, random)?) };
    let moves = (1..=60).map(|rounds| rounds * own.len()).find(|moves| moves % other.len() == 0)?;
    if moves > 60 {
        return None;
    }
    against(board, &own, &other, 2 * moves, random)
}

/// A line from the board to the third occurrence of a position, if the tours of both sides can be played.
pub fn window(board: &Board, random: &mut Random) -> Option<Position> {
    let side = board.side_to_move();
    let lengths = match random.below(8) {
        0..3 => None,
        3 => Some((2, 2)),
        4 => Some((3, 3)),
        5 => Some((2, 4)),
        6 => Some((4, 2)),
        _ => Some((4, 4)),
    };
    let (own, other) = match lengths {
        None => pursuit(board, side, random)?,
        Some((own, other)) => (tour(board, side, own, random)?, tour(board, !side, other, random)?),
    };
    against(board, &own, &other, 2 * own.len().max(other.len()), random)
}

/// Alternates the moves of two tours, which together take this many plies, up to the third occurrence.
fn against(board: &Board, own: &[Move], other: &[Move], plies: usize, random: &mut Random) -> Option<Position> {
    let mut position = Position::new(*board, 0, 1);
    let start = position.board().key();
    // Up to three additional plies, so that the loop starts at different points.
    let total = 2 * plies + random.below(4);
    for ply in 0..total {
        let moves = if ply % 2 == 0 { own } else { other };
        let mv = moves[ply / 2 % moves.len()];
        if !position.board().is_legal(mv) || position.board().is_capture(mv) {
            return None;
        }
        position.make(mv);
        if ply + 1 == plies && position.board().key() != start {
            return None;
        }
    }
    (position.occurrences() >= 3).then_some(position)
}
