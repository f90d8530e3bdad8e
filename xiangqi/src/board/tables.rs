//! The attack tables that `build.rs` computes.
//!
//! Row or column 90 is the place of captured pieces: its entries are empty, so that no loop has to ask who is still there.
//! Rows and columns above are padding that spares a bounds check.

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

/// The points of a window around `place`.
#[inline(always)]
pub(super) fn window_to_set(place: usize, window: u64) -> u128 {
    ((window as u128) << place) >> CENTRE
}

/// A rank and a file word as goals from the point at their crossing.
#[inline(always)]
pub(super) fn cross(rank: usize, file: usize, in_rank: u16, in_file: u16) -> u128 {
    (in_rank as u128) << (rank * 9) | FILE_SPREAD[in_file as usize & 0x3ff] << file
}

/// The points strictly between two points of one rank or file; empty for other pairs.
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
