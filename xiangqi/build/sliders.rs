//! Destinations of rooks and cannons along one rank or file.

use crate::geometry::{FILES, RANKS};
use crate::table;

/// Destinations of rooks and cannons along one line. Those of the cannon include quiet moves and captures: on an empty point it
/// can only be the former, on an occupied point only the latter.
fn line_targets(length: usize, at: usize, occupied: usize) -> (u16, u16) {
    let (mut rook, mut cannon) = (0u16, 0u16);
    for step in [-1i32, 1] {
        let mut screens = 0;
        let mut place = at as i32 + step;
        while (0..length as i32).contains(&place) {
            let bit = 1u16 << place;
            let taken = occupied >> place & 1 != 0;
            if screens == 0 {
                rook |= bit;
            }
            if (screens == 0 && !taken) || (screens == 1 && taken) {
                cannon |= bit;
            }
            screens += taken as u32;
            place += step;
        }
    }
    (rook, cannon)
}

/// Writes the tables of rooks and cannons.
pub fn write(text: &mut String) {
    for (name, length) in [("RANK", FILES), ("FILE", RANKS)] {
        // Rows one after another; after the last one of the points on the line come the row of captured pieces and padding.
        let size = 1 << length;
        let targets = |at: usize, occupied| if at < length { line_targets(length, at, occupied) } else { (0, 0) };
        // The destinations of both kinds are adjacent: the attacks on a point need both.
        let both: Vec<[u16; 2]> =
            (0..16 * size).map(|i| targets(i / size, i % size)).map(|(rook, cannon)| [rook, cannon]).collect();
        table(text, &format!("SLIDER_{name}"), &format!("[[u16; 2]; {}]", 16 * size), &both);
    }
    // The destinations in a mask one after another, as the amount that they add to a move: `target << 7`.
    for (name, bits, stride) in [("RANK", FILES, 1), ("FILE", RANKS / 2, FILES)] {
        let lists: Vec<[u16; 8]> = (0..1usize << bits)
            .map(|mask| {
                let mut list = [0; 8];
                let targets = (0..bits).filter(|b| mask >> b & 1 != 0);
                list.iter_mut().zip(targets).for_each(|(slot, b)| *slot = ((b * stride) << 7) as u16);
                list
            })
            .collect();
        table(text, &format!("{name}_GOALS"), &format!("[[u16; 8]; {}]", 1 << bits), &lists);
    }
}
