//! Lines between points, and the points from which a palace could be attacked.

use crate::geometry::{Color, SQUARES, Square, in_palace};
use crate::{PLACES, table};

/// Number 0 to 8 of a palace point.
fn palace_number(square: Square) -> usize {
    let rank = if square.rank() <= 2 { square.rank() } else { square.rank() - 7 };
    (rank * 3 + square.file()) as usize - 3
}

/// The points strictly between two points of one line; none for other pairs.
fn between(a: Square, b: Square) -> u128 {
    let (files, ranks) = (b.file() - a.file(), b.rank() - a.rank());
    if (files != 0) == (ranks != 0) {
        return 0;
    }
    let (file, rank) = (files.signum(), ranks.signum());
    let count = files.abs().max(ranks.abs());
    (1..count).filter_map(|n| a.offset(file * n, rank * n)).map(|s| 1u128 << s.index()).sum()
}

/// Writes the tables of lines and palaces.
pub fn write(text: &mut String) {
    let squares = || (0..PLACES).map(Square::new);
    let rows: Vec<Vec<u128>> = Square::all().map(|a| squares().map(|b| b.map_or(0, |b| between(a, b))).collect()).collect();
    table(text, "BETWEEN", "[[u128; 256]; 90]", &rows);
    // Where a point's line words, the rank below the file, hold another point; a bit that is never set where they do not.
    let line_bit = |a: Square, b: Square| match (a.file() == b.file(), a.rank() == b.rank()) {
        (false, true) => b.file() as u8,
        (true, false) => 16 + b.rank() as u8,
        _ => 31,
    };
    let rows: Vec<Vec<u8>> =
        Square::all().map(|a| (0..128).map(|b| Square::new(b).map_or(31, |b| line_bit(a, b))).collect()).collect();
    table(text, "LINE_BIT", "[[u8; 128]; 90]", &rows);
    // For each place of a piece of the other side: the points of this side's palace that it could attack, regardless of the pieces between.
    let reach = |palace: Color, hits: &dyn Fn(Square, Square) -> bool| -> Vec<u16> {
        let points: Vec<Square> = Square::all().filter(|&s| in_palace(s, palace)).collect();
        let mask = |at: Square| points.iter().filter(|&&p| hits(at, p)).map(|&p| 1 << palace_number(p)).sum();
        squares().map(|s| s.map_or(0, mask)).collect()
    };
    let both = |hits: &dyn Fn(Color, Square, Square) -> bool| {
        Color::ALL.iter().map(|&palace| reach(palace, &|a, b| hits(palace, a, b))).collect::<Vec<_>>()
    };
    let kind = "[[u16; 256]; 2]";
    table(text, "LINE_REACH", kind, &both(&|_, a, b| a != b && (a.file() == b.file() || a.rank() == b.rank())));
    table(
        text,
        "FILE_REACH",
        kind,
        &both(&|palace, a, b| a.file() == b.file() && in_palace(a, if palace == Color::Red { Color::Black } else { Color::Red })),
    );
    let distance = |a: Square, b: Square| (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()));
    table(text, "HORSE_REACH", kind, &both(&|_, a, b| matches!(distance(a, b), (1, 2) | (2, 1))));
    let pawn_hits = |palace: Color, a: Square, b: Square| match (palace, distance(a, b)) {
        (Color::Red, (0, 1)) => a.rank() == b.rank() + 1,
        (Color::Black, (0, 1)) => a.rank() + 1 == b.rank(),
        (_, (1, 0)) => true,
        _ => false,
    };
    table(text, "PAWN_REACH", kind, &both(&pawn_hits));
    // The leg of a horse on its way from the second point to the first; 90 if no horse can move that way.
    let leg = |goal: Square, from: Square| {
        let (f, r) = (goal.file() - from.file(), goal.rank() - from.rank());
        let leg = match (f.abs(), r.abs()) {
            (1, 2) => from.offset(0, r.signum()),
            (2, 1) => from.offset(f.signum(), 0),
            _ => None,
        };
        leg.map_or(SQUARES as u8, |s| s.index() as u8)
    };
    let legs: Vec<Vec<u8>> =
        Square::all().map(|goal| squares().map(|from| from.map_or(SQUARES as u8, |from| leg(goal, from))).collect()).collect();
    table(text, "HORSE_LEG", "[[u8; 256]; 90]", &legs);
}
