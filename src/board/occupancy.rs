//! Which points a side occupies, in the three forms that move generation asks for.

use super::tables::CAPTURED;
use crate::types::{FILES, RANKS};

/// First word of the files in [`Occupancy::lines`]; word 10 between is the rank of captured pieces and stays empty.
const FIRST_FILE: usize = RANKS + 1;

/// The points of one side as a set, as ten rank words (bit = file) and as nine file words (bit = rank): 64 bytes, so that
/// a move updates all three with a handful of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Occupancy {
    lines: [u16; 24],
    /// Bit `n` is the point with index `n`.
    pub(super) set: u128,
}

/// Rank of every place, 10 for captured pieces.
pub(super) static RANK_OF: [u8; 91] = coordinates(true);
/// File of every place, 9 for captured pieces.
pub(super) static FILE_OF: [u8; 91] = coordinates(false);

const fn coordinates(rank: bool) -> [u8; 91] {
    let mut table = [0; 91];
    let mut place = 0;
    while place < 90 {
        table[place] = if rank { place / FILES } else { place % FILES } as u8;
        place += 1;
    }
    table[CAPTURED as usize] = if rank { RANKS } else { FILES } as u8;
    table
}

/// What each point contributes; nothing for the place of captured pieces.
static POINTS: [Occupancy; 91] = {
    let mut table = [Occupancy::EMPTY; 91];
    let mut place = 0;
    while place < 90 {
        table[place].lines[place / FILES] = 1 << (place % FILES);
        table[place].lines[FIRST_FILE + place % FILES] = 1 << (place / FILES);
        table[place].set = 1 << place;
        place += 1;
    }
    table
};

impl Occupancy {
    pub(super) const EMPTY: Occupancy = Occupancy { lines: [0; 24], set: 0 };

    /// The occupancy of one place.
    #[inline(always)]
    pub(super) fn of(place: usize) -> &'static Occupancy {
        &POINTS[place]
    }

    #[inline(always)]
    fn combine(&self, other: &Occupancy, lines: impl Fn(u16, u16) -> u16, set: impl Fn(u128, u128) -> u128) -> Occupancy {
        let mut out = *self;
        for i in 0..24 {
            out.lines[i] = lines(self.lines[i], other.lines[i]);
        }
        out.set = set(self.set, other.set);
        out
    }

    #[inline(always)]
    pub(super) fn or(&self, other: &Occupancy) -> Occupancy {
        self.combine(other, |a, b| a | b, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn xor(&self, other: &Occupancy) -> Occupancy {
        self.combine(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    #[inline(always)]
    pub(super) fn without(&self, other: &Occupancy) -> Occupancy {
        self.combine(other, |a, b| a & !b, |a, b| a & !b)
    }

    /// All that is not occupied, with the unused bits of every word set as well: only for masking goals.
    #[inline(always)]
    pub(super) fn complement(&self) -> Occupancy {
        self.combine(self, |a, _| !a, |a, _| !a)
    }

    /// The word of a rank, 0 to 10.
    #[inline(always)]
    pub(super) fn rank(&self, rank: usize) -> u16 {
        self.lines[rank]
    }

    /// The word of a file, 0 to 9.
    #[inline(always)]
    pub(super) fn file(&self, file: usize) -> u16 {
        self.lines[FIRST_FILE + file]
    }
}
