//! The attack tables computed by the build script (`build/`).
//!
//! Row or column 90 is the place of captured pieces. Its entries are empty, so loops over pieces need no test for captured ones.
//! Rows and columns above 90 are padding that avoids bounds checks.

use super::window::CENTRE;
use crate::types::{Bitboard, Square};

include!(concat!(env!("OUT_DIR"), "/attack_tables.rs"));

/// The place of captured pieces.
pub(super) const CAPTURED: u8 = 90;

/// A set of points shifted so that `>> place` gives the window of that place (see [`super::window`]).
#[derive(Clone, Copy)]
pub(super) struct Windows(u128);

impl Windows {
    #[inline(always)]
    pub(super) fn of(set: u128) -> Windows {
        Windows(set << CENTRE)
    }

    #[inline(always)]
    pub(super) fn at(self, place: usize) -> u64 {
        (self.0 >> place) as u64
    }
}

/// For each place, the masks that split the rotated window around it into the low 64 points of the board and the points above.
static HALVES: [[u64; 2]; 128] = {
    let mut table = [[0; 2]; 128];
    let mut place = 0;
    while place < table.len() {
        let mut bit = 0;
        while bit <= 2 * CENTRE as usize {
            let point = place + bit;
            if point >= CENTRE as usize {
                let point = point - CENTRE as usize;
                table[place][(point >= 64) as usize] |= 1 << (point % 64);
            }
            bit += 1;
        }
        place += 1;
    }
    table
};

/// Converts a window around `place` to a set of points.
#[inline(always)]
pub(super) fn window_to_set(place: usize, window: u64) -> u128 {
    // A window is shorter than a word, so its ends don't overlap after rotation. A 128-bit shift would take several times as long.
    let rotated = window.rotate_left((place as u32).wrapping_sub(CENTRE) % 64);
    let [low, high] = HALVES[place % 128];
    (rotated & low) as u128 | ((rotated & high) as u128) << 64
}

/// Converts a rank word and a file word to a set of points.
#[inline(always)]
pub(super) fn cross(rank: usize, file: usize, in_rank: u16, in_file: u16) -> u128 {
    // Seven ranks have 63 points: with those in one word and the other three ranks in another, 64-bit shifts suffice.
    const RANKS_BELOW: usize = 7;
    const COPIES: u64 = 0x0001_0101_0101_0101;
    const DIAGONAL: u64 = 1 | 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36 | 1 << 45 | 1 << 54;
    // Replicates the file word every eight bits; with ranks nine bits apart, bit n of copy n is the point in rank n.
    let spread = |word: u16| (((word & 0x7f) as u64 * COPIES) & DIAGONAL) << (file % 16);
    let is_above = rank >= RANKS_BELOW;
    let shifted = (in_rank as u64) << (9 * (rank - if is_above { RANKS_BELOW } else { 0 }) % 64);
    let below = spread(in_file) | if is_above { 0 } else { shifted };
    let above = spread(in_file >> RANKS_BELOW) | if is_above { shifted } else { 0 };
    (below | above << 63) as u128 | ((above >> 1) as u128) << 64
}

/// The points strictly between two points on the same rank or file; empty for any other pair.
///
/// ```
/// use xiangqi::board::between;
///
/// assert_eq!(between("a0".parse()?, "d0".parse()?).len(), 2);
/// assert!(between("a0".parse()?, "b2".parse()?).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard::from_bits(BETWEEN[a.index()][b.index()])
}
