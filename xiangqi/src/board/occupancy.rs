//! The points occupied by a side, in the three representations that move generation uses.

use super::tables::CAPTURED;
use crate::types::{FILES, RANKS};

/// Line number used for captured pieces; its word is always empty. Rank words precede it, file words follow it.
const NOWHERE: usize = RANKS;
/// First byte of the set of points.
const SET: usize = 40;
/// Left shift of the set, so that a window never starts below its first bit.
const SHIFT: u32 = super::window::CENTRE;

/// The points of one side as a bit set, as ten rank words (bit = file) and as nine file words (bit = rank). At 64 bytes, all three
/// are updated by a move with a handful of vector instructions.
///
/// The twenty 16-bit line words come first, then the set, shifted up by [`SHIFT`], in 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Occupancy([u64; 8]);

/// The indices for looking up the lines of a piece at a place.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// Number of the rank word.
    pub(super) rank: u8,
    /// Number of the file word.
    pub(super) file: u8,
    /// First entry of the place's row in the tables of destinations along a rank.
    pub(super) rank_row: u16,
    /// First entry of the place's row in the tables of destinations along a file.
    pub(super) file_row: u16,
}

/// The lines of every place. Captured pieces have empty words and rows without destinations.
pub(super) static LINES: [Lines; 256] = {
    let nowhere = Lines { rank: NOWHERE as u8, file: NOWHERE as u8, rank_row: 15 << FILES, file_row: 15 << RANKS };
    let mut table = [nowhere; 256];
    let mut place = 0;
    while place < CAPTURED as usize {
        let (rank, file) = (place / FILES, place % FILES);
        table[place] = Lines {
            rank: rank as u8,
            file: (NOWHERE + 1 + file) as u8,
            rank_row: (file << FILES) as u16,
            file_row: (rank << RANKS) as u16,
        };
        place += 1;
    }
    table
};

/// The occupancy of each single point; empty for the place of captured pieces.
static POINTS: [Occupancy; 91] = {
    let mut table = [Occupancy::EMPTY; 91];
    let mut place = 0;
    while place < CAPTURED as usize {
        let (rank, file) = (place / FILES, NOWHERE + 1 + place % FILES);
        table[place].0[rank / 4] |= 1 << (rank % 4 * 16 + place % FILES);
        table[place].0[file / 4] |= 1 << (file % 4 * 16 + place / FILES);
        let bit = place + SHIFT as usize;
        table[place].0[SET / 8 + bit / 64] |= 1 << (bit % 64);
        place += 1;
    }
    table
};

impl Occupancy {
    pub(super) const EMPTY: Occupancy = Occupancy([0; 8]);

    /// The occupancy of one place.
    #[inline(always)]
    pub(super) fn of(place: usize) -> &'static Occupancy {
        &POINTS[place]
    }

    #[inline(always)]
    fn combine(&self, other: &Occupancy, with: impl Fn(u64, u64) -> u64) -> Occupancy {
        let mut out = Occupancy::EMPTY;
        for i in 0..8 {
            out.0[i] = with(self.0[i], other.0[i]);
        }
        out
    }

    #[inline(always)]
    pub(super) fn or(&self, other: &Occupancy) -> Occupancy {
        self.combine(other, |a, b| a | b)
    }

    /// The occupancy after one of its pieces has moved.
    #[inline(always)]
    pub(super) fn moved(&self, from: usize, to: usize) -> Occupancy {
        self.combine(&POINTS[from], |a, b| a ^ b).or(&POINTS[to])
    }

    /// The occupancy after the piece at a place, if any, has been removed.
    #[inline(always)]
    pub(super) fn without(&self, place: usize) -> Occupancy {
        self.combine(&POINTS[place], |a, b| a & !b)
    }

    /// The complement. The unused bits of every word are set as well, so it is only suitable for masking destinations.
    #[inline(always)]
    pub(super) fn complement(&self) -> Occupancy {
        self.combine(self, |a, _| !a)
    }

    /// A rank or file word.
    #[inline(always)]
    pub(super) fn line(&self, number: u8) -> u16 {
        // On a big-endian machine the order of the words within eight bytes would be reversed.
        const { assert!(cfg!(target_endian = "little")) };
        bytemuck::cast_ref::<[u64; 8], [u16; 32]>(&self.0)[number as usize & 31]
    }

    /// The window around a place (see [`super::window`]); only its lowest 57 bits are meaningful.
    #[inline(always)]
    pub(super) fn window(&self, place: usize) -> u64 {
        let bytes = bytemuck::cast_ref::<[u64; 8], [u8; 64]>(&self.0);
        let first = SET + (place >> 3 & 15);
        // Written byte by byte so that the compiler can prove the accesses in bounds; it merges them into one load.
        let mut window = bytes[first] as u64;
        let mut i = 1;
        while i < 8 {
            window |= (bytes[first + i] as u64) << (8 * i);
            i += 1;
        }
        window >> (place & 7)
    }

    /// The set: bit `n` is the point with index `n`.
    #[inline(always)]
    pub(super) fn set(&self) -> u128 {
        (self.0[SET / 8] as u128 | (self.0[SET / 8 + 1] as u128) << 64) >> SHIFT
    }
}

/// Word-wise access to the points of one side. Hypothetical changes are applied per word on access instead of building a changed
/// [`Occupancy`], since reading words from a vector that was just stored is slow.
pub(super) trait Words {
    /// See [`Occupancy::line`].
    fn line(&self, number: u8) -> u16;
    /// See [`Occupancy::window`].
    fn window(&self, place: usize) -> u64;
}

impl Words for Occupancy {
    #[inline(always)]
    fn line(&self, number: u8) -> u16 {
        self.line(number)
    }

    #[inline(always)]
    fn window(&self, place: usize) -> u64 {
        self.window(place)
    }
}

/// A side with some points removed.
#[derive(Clone, Copy)]
pub(super) struct Without<'a, W> {
    pub(super) side: W,
    pub(super) gone: &'a Occupancy,
}

impl<W: Words> Words for Without<'_, &W> {
    #[inline(always)]
    fn line(&self, number: u8) -> u16 {
        self.side.line(number) & !self.gone.line(number)
    }

    #[inline(always)]
    fn window(&self, place: usize) -> u64 {
        self.side.window(place) & !self.gone.window(place)
    }
}

/// A side after one of its pieces has moved.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a, W> {
    pub(super) side: W,
    pub(super) from: &'a Occupancy,
    pub(super) to: &'a Occupancy,
}

impl<W: Words> Words for Moved<'_, &W> {
    #[inline(always)]
    fn line(&self, number: u8) -> u16 {
        self.side.line(number) & !self.from.line(number) | self.to.line(number)
    }

    #[inline(always)]
    fn window(&self, place: usize) -> u64 {
        self.side.window(place) & !self.from.window(place) | self.to.window(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_representations_agree() {
        let places = [0usize, 8, 9, 40, 44, 45, 63, 64, 80, 81, 89];
        let side = places.iter().fold(Occupancy::EMPTY, |side, &place| side.or(Occupancy::of(place)));
        for (place, lines) in LINES.iter().enumerate().take(90) {
            let there = places.contains(&place);
            assert_eq!(side.set() >> place & 1 != 0, there);
            assert_eq!(side.line(lines.rank) >> (place % 9) & 1 != 0, there);
            assert_eq!(side.line(lines.file) >> (place / 9) & 1 != 0, there);
            assert_eq!(side.window(place) >> super::super::window::CENTRE & 1 != 0, there);
            for other in place.saturating_sub(20)..(place + 21).min(90) {
                assert_eq!(side.window(place) >> (20 + other - place) & 1 != 0, places.contains(&other));
            }
        }
        assert_eq!(side.without(40).moved(0, 40), side.without(0));
        assert_eq!(side.line(LINES[90].rank), 0);
        assert_eq!(side.line(LINES[90].file), 0);
    }
}
