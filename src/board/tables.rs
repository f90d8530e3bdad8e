//! The attack tables that `build.rs` computes, and how they are indexed.
//!
//! A *window* is the board as a 64-bit word around one point: bit 20 is the point itself, bit `20 + d` the point with an index
//! larger by `d`. All that a king, advisor, elephant, horse or pawn can reach lies inside (a horse goes 19 at most, an elephant 20).
//! Row or column 90 is the place of captured pieces: its entries are empty, so that no loop has to ask who is still there.

use crate::types::{Bitboard, Square};

include!(concat!(env!("OUT_DIR"), "/attack_tables.rs"));

/// The place of captured pieces.
pub(super) const CAPTURED: u8 = 90;

/// The bit of the centre in a window.
pub(super) const CENTRE: u32 = 20;

/// A set of points shifted so that `>> place` gives the window of that place.
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

/// Which of the four orthogonal neighbours are taken: left, below, right, above from the lowest bit.
#[inline(always)]
pub(super) fn orthogonal_index(occupied: u64) -> usize {
    ((occupied >> 19 & 0b0101) | (occupied >> 10 & 0b0010) | (occupied >> 26 & 0b1000)) as usize
}

/// Which of the four diagonal neighbours are taken: left below, left above, right below, right above from the lowest bit.
#[inline(always)]
pub(super) fn diagonal_index(occupied: u64) -> usize {
    ((occupied >> 10 & 0b0101) | (occupied >> 27 & 0b1010)) as usize
}

/// The points strictly between two points of one rank or file; empty for other pairs.
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard::from_bits(BETWEEN[a.index()][b.index()])
}
