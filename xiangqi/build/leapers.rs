//! Destinations of kings, advisors, elephants, horses and pawns, and the zones that they cannot leave.

use crate::geometry::{Color, FILES, SQUARES, Square, advisor_point, elephant_point, in_palace, pawn_point};
use crate::window::{self, CENTRE};
use crate::{PLACES, table};

fn window_bit(from: Square, to: Square) -> u64 {
    1 << (CENTRE as i32 + to.index() as i32 - from.index() as i32)
}

/// As [`window_bit`], but 0 if the window does not contain the step.
fn reach_bit(from: Square, to: Square) -> u64 {
    let bit = CENTRE as i32 + to.index() as i32 - from.index() as i32;
    if (0..64).contains(&bit) { 1 << bit } else { 0 }
}

/// The window of the points at these steps that satisfy `keep`.
fn steps(from: Square, steps: &[(i32, i32)], keep: impl Fn(Square) -> bool) -> u64 {
    steps.iter().filter_map(|&(f, r)| from.offset(f, r)).filter(|&to| keep(to)).map(|to| window_bit(from, to)).sum()
}

const ORTHOGONAL: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The bit of a step in the window around any point.
fn step_bit((file, rank): (i32, i32)) -> u64 {
    1 << (CENTRE as i32 + rank * FILES as i32 + file)
}

/// All combinations of the points of a mask.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

/// A row of a table with one entry for each combination of the points of an index: `of` of that combination.
fn indexed<const BITS: u32, T: Clone + Default>(index: &window::Index<BITS>, of: impl Fn(u64) -> T) -> Vec<T> {
    let mut row = vec![T::default(); 1 << BITS];
    let mut seen = vec![false; 1 << BITS];
    for subset in subsets(index.mask) {
        let at = index.of(subset);
        assert!(!std::mem::replace(&mut seen[at], true), "two combinations of points have index {at}");
        row[at] = of(subset);
    }
    row
}

/// For each combination of destinations: the amount that each adds to the move with equal origin and destination, one after another.
fn step_lists<const BITS: u32>(text: &mut String, name: &str, index: &window::Index<BITS>) {
    let lists = indexed(index, |targets| {
        let mut list = [0u16; 8];
        let targets = (0..64).filter(|bit| targets >> bit & 1 != 0);
        list.iter_mut().zip(targets).for_each(|(slot, bit)| *slot = ((bit - CENTRE as i32) << 7) as u16);
        list
    });
    table(text, name, &format!("[[u16; 8]; {}]", 1 << BITS), &lists);
}

fn horse_targets((leg_file, leg_rank): (i32, i32)) -> [(i32, i32); 2] {
    if leg_file == 0 { [(-1, 2 * leg_rank), (1, 2 * leg_rank)] } else { [(2 * leg_file, -1), (2 * leg_file, 1)] }
}

/// Writes the tables of all pieces but rooks and cannons.
pub fn write(text: &mut String) {
    let of = |place: usize| Square::new(place);
    let per_place = |f: &dyn Fn(Square) -> u64| (0..PLACES).map(|p| of(p).map_or(0, f)).collect::<Vec<u64>>();
    // One row per origin, with one entry for each combination of blocked neighbours; `targets` are the destinations beyond a free neighbour.
    let beyond = |index: &window::Index<4>, neighbours: [(i32, i32); 4], targets: &dyn Fn(Square, (i32, i32)) -> u64| {
        let row = |from: Square| {
            indexed(index, |blocked| {
                neighbours.iter().filter(|&&n| blocked & step_bit(n) == 0).map(|&n| targets(from, n)).sum::<u64>()
            })
        };
        (0..PLACES).map(|place| of(place).map_or(vec![0; 16], row)).collect::<Vec<Vec<u64>>>()
    };
    let kind = "[[u64; 16]; 256]";
    let horse = beyond(&window::ORTHOGONAL, ORTHOGONAL, &|from, leg| steps(from, &horse_targets(leg), |_| true));
    table(text, "HORSE", kind, &horse);
    // Seen from the destination, the legs of the horses that reach it are its four diagonal neighbours.
    let reverse = beyond(&window::DIAGONAL, DIAGONAL, &|target, (f, r)| steps(target, &[(2 * f, r), (f, 2 * r)], |_| true));
    table(text, "HORSE_REVERSE", kind, &reverse);
    let elephant = beyond(&window::DIAGONAL, DIAGONAL, &|from, (f, r)| {
        steps(from, &[(2 * f, 2 * r)], |to| Color::ALL.iter().any(|&c| elephant_point(from, c) && elephant_point(to, c)))
    });
    table(text, "ELEPHANT", kind, &elephant);
    step_lists(text, "ORTHOGONAL_STEPS", &window::ORTHOGONAL);
    step_lists(text, "DIAGONAL_STEPS", &window::DIAGONAL);
    step_lists(text, "ELEPHANT_STEPS", &window::ELEPHANT);
    step_lists(text, "HORSE_STEPS", &window::HORSE);
    let same_palace = |from, to| Color::ALL.iter().any(|&c| in_palace(from, c) && in_palace(to, c));
    table(text, "KING", "[u64; 256]", &per_place(&|from| steps(from, &ORTHOGONAL, |to| same_palace(from, to))));
    let advisor = |from| steps(from, &DIAGONAL, |to| Color::ALL.iter().any(|&c| advisor_point(from, c) && advisor_point(to, c)));
    table(text, "ADVISOR", "[u64; 256]", &per_place(&advisor));
    let pawn: Vec<Vec<u64>> = Color::ALL
        .iter()
        .map(|&color| {
            let ahead = if color == Color::Red { 1 } else { -1 };
            per_place(&|from| {
                let crossed = if color == Color::Red { from.rank() >= 5 } else { from.rank() <= 4 };
                let side: &[(i32, i32)] = if crossed { &[(-1, 0), (1, 0), (0, ahead)] } else { &[(0, ahead)] };
                steps(from, side, |_| true)
            })
        })
        .collect();
    table(text, "PAWN", "[[u64; 256]; 2]", &pawn);
    // Seen from the destination.
    let reverse = pawn.iter().map(|targets| {
        per_place(&|target| {
            let reaches = |from: &Square| targets[from.index()] & reach_bit(*from, target) != 0;
            Square::all().filter(reaches).map(|from| window_bit(target, from)).sum()
        })
    });
    table(text, "PAWN_REVERSE", "[[u64; 256]; 2]", &reverse.collect::<Vec<_>>());
    let zones: Vec<Vec<u128>> = Color::ALL
        .iter()
        .map(|&c| {
            let set = |f: &dyn Fn(Square) -> bool| Square::all().filter(|&s| f(s)).map(|s| 1u128 << s.index()).sum();
            let all = (1u128 << SQUARES) - 1;
            vec![
                set(&|s| in_palace(s, c)),
                set(&|s| advisor_point(s, c)),
                set(&|s| elephant_point(s, c)),
                all,
                all,
                all,
                set(&|s| pawn_point(s, c)),
            ]
        })
        .collect();
    table(text, "ZONES", "[[u128; 7]; 2]", &zones);
}
