//! Makes repetitions to compare referees on: `cargo run --release -p engine-tests --bin repetition_windows COUNT [SEED]`.
//!
//! Prints one line a window, tab-separated: where the position came from, FEN, moves up to the third occurrence, our
//! verdict, and for each side what its moves did: `+` check, the pairs newly threatened such as `Rc` (red rook, black
//! cannon), `-` nothing.
//!
//! Positions come from random play, from play by a player of one ply who takes what is to be had, and from pieces put at
//! random. From each, loops are tried in which both sides make tours of two, three or four moves that end where they
//! began: out and back with one piece or two, along a line in three moves, or around a square;
//! or one piece pursues another. Where a side attacks
//! something on every move the window is kept; of the others every tenth, since idle loops teach little.

use chuhe::board::{Board, Position, zone};
use chuhe::rules::{Cause, Deed, GameResult, MoveReport, Rules, Verdict};
use chuhe::types::{Bitboard, Color, Move, Piece, PieceType, Square};

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }
}

/// Plays 10 to 160 plies from the start; a greedy player mostly takes the most valuable piece that the exchange wins.
fn played(random: &mut Random, greedy: bool) -> Option<Board> {
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

/// A few pieces at random on points where they can stand, attackers more often than defenders.
fn composed(random: &mut Random) -> Option<Board> {
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

/// Quiet moves of a side by geometry alone; legality is found out when they are played.
fn quiet_moves(board: &Board, side: Color, from: Bitboard) -> Vec<Move> {
    let occupied = board.occupied();
    let goals = |square| (board.moves_from(square, occupied) & !occupied).into_iter().map(move |to| Move::new(square, to));
    (from & board.color(side)).into_iter().flat_map(goals).collect()
}

fn back(mv: Move) -> Move {
    Move::new(mv.to(), mv.from())
}

/// Moves of one side that bring its pieces back, 2, 3 or 4 of them.
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

/// Out and back with one piece against one piece, as in most rulings: the first attacks something, and the second is
/// that piece or moves where the first attacks it again on its way back. The best of a few tries.
fn pursuit(board: &Board, side: Color, random: &mut Random) -> Option<(Vec<Move>, Vec<Move>)> {
    let moves = quiet_moves(board, side, Bitboard::ALL);
    let hits = |board: &Board, from: Square, at: Square| board.attacks_from(from).has(at);
    let mut best = None;
    for _ in 0..12 {
        let a = random.pick(&moves)?;
        let after = board.with_side(side).after(a);
        let Some(b) = random.pick(&quiet_moves(&after, !side, Bitboard::ALL)) else { continue };
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

/// A line from the board to the third occurrence of a position, if the two tours can be played against each other.
fn window(board: &Board, random: &mut Random) -> Option<Position> {
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
    let plies = 2 * own.len().max(other.len());
    let mut position = Position::new(*board, 0, 1);
    let start = position.board().key();
    // Up to three plies more, so that the loop is read from each of its ends.
    let total = 2 * plies + random.below(4);
    for ply in 0..total {
        let moves = if ply % 2 == 0 { &own } else { &other };
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

fn letter(piece: Piece) -> char {
    piece.fen_letter()
}

fn deeds(report: &MoveReport) -> String {
    let mut text = String::new();
    if report.is(|deed| *deed == Deed::Check) {
        text.push('+');
    }
    for attack in report.chases() {
        text.push(letter(attack.attacker));
        text.push(letter(attack.victim));
    }
    if text.is_empty() { "-".into() } else { text }
}

/// Whether some side attacks something, king or not, on each of its moves.
fn is_lively(moves: &[MoveReport]) -> bool {
    let attacks = |report: &MoveReport| {
        !report.harmless.is_empty() || report.is(|deed| matches!(deed, Deed::Check | Deed::Chase(_) | Deed::Exchange(_)))
    };
    Color::ALL.into_iter().any(|side| moves.iter().filter(|report| report.piece.color() == side).all(attacks))
}

fn print(source: &str, start: &Board, position: &Position, random: &mut Random) -> bool {
    let ruling = Rules { natural_limit: 0, ..Rules::default() }.ruling(position);
    let Cause::Repetition(repetition) = &ruling.cause else { return false };
    if !is_lively(&repetition.moves) && !random.one_in(10) {
        return false;
    }
    let verdict = match ruling.verdict {
        Verdict::Final(GameResult::Loses(color)) => format!("{color}-loses"),
        Verdict::Final(GameResult::Draw) => "draw".into(),
        _ => "undecided".into(),
    };
    let moves: Vec<String> = position.moves().map(|mv| mv.to_string()).collect();
    let [red, black] = Color::ALL.map(|side| {
        let words: Vec<String> = repetition.moves_of(side).map(deeds).collect();
        // Both rounds are alike.
        words[words.len() / 2..].join(" ")
    });
    println!("{source}\t{} - - 0 1\t{}\t{verdict}\t{red}\t{black}", start.to_fen(), moves.join(" "));
    true
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| match arguments.next() {
        None => Ok(default),
        Some(text) => text.parse::<u64>().map_err(|_| format!("'{text}' is no number")),
    };
    let (count, seed) = (number(1000)?, number(1)?);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut printed = 0;
    while printed < count {
        let (source, board) = match random.below(3) {
            0 => ("random play", played(&mut random, false)),
            1 => ("greedy play", played(&mut random, true)),
            _ => ("composed", composed(&mut random)),
        };
        let Some(board) = board else { continue };
        let mut kept = 0;
        for _ in 0..400 {
            if let Some(position) = window(&board, &mut random) {
                let wanted = print(source, &board, &position, &mut random);
                kept += wanted as u64;
            }
            // Few from each, so that windows differ.
            if kept >= 8 || printed + kept >= count {
                break;
            }
        }
        printed += kept;
    }
    Ok(())
}
