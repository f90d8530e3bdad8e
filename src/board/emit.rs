//! Where generated goals go: a count, or a move list filled by unconditional vector stores.

use super::tables::{self, CENTRE};
use crate::types::{MAX_MOVES, Move, MoveList};

/// Takes the goals of one piece in the form in which they were found.
pub(super) trait Sink {
    /// Goals on the piece's rank; bit = file.
    fn rank(&mut self, from: usize, rank: usize, goals: u16);
    /// Goals on the piece's file; bit = rank.
    fn file(&mut self, from: usize, file: usize, goals: u16);
    /// At most `MAX` goals in the window around the piece.
    fn near<const MAX: usize>(&mut self, from: usize, goals: u64);
    /// Goals anywhere.
    fn set(&mut self, from: usize, goals: u128);
}

/// Counts the moves.
pub(super) struct Count(pub(super) u32);

impl Sink for Count {
    #[inline(always)]
    fn rank(&mut self, _: usize, _: usize, goals: u16) {
        self.0 += goals.count_ones();
    }

    #[inline(always)]
    fn file(&mut self, _: usize, _: usize, goals: u16) {
        self.0 += goals.count_ones();
    }

    #[inline(always)]
    fn near<const MAX: usize>(&mut self, _: usize, goals: u64) {
        self.0 += goals.count_ones();
    }

    #[inline(always)]
    fn set(&mut self, _: usize, goals: u128) {
        self.0 += goals.count_ones();
    }
}

/// Moves that a store may write past the end of the list: one vector of eight.
const OVERHANG: usize = 8;
/// Most moves a position can have, counted piece by piece on an empty board: two rooks and two cannons with 17 each, two
/// horses with 8, five pawns with 3, four each for king, two advisors and two elephants.
const MOST_MOVES: usize = 4 * 17 + 2 * 8 + 5 * 3 + 5 * 4;

/// Appends the moves to a list that was empty at the start.
pub(super) struct List<'a> {
    list: &'a mut MoveList,
    length: usize,
}

impl<'a> List<'a> {
    #[inline(always)]
    pub(super) fn new(list: &'a mut MoveList) -> List<'a> {
        list.clear();
        List { list, length: 0 }
    }

    /// Makes the moves written so far visible.
    #[inline(always)]
    pub(super) fn finish(self) {
        // SAFETY: every store below wrote `length` initialised moves from the start of the buffer, and `length` is at most
        // MOST_MOVES, less than the capacity (asserted at compile time).
        unsafe { self.list.set_len(self.length) }
    }

    /// Writes eight moves, `base` plus each part, of which the first `count` are wanted.
    #[inline(always)]
    fn store(&mut self, base: usize, parts: &[u16; 8], count: u32) {
        let moves = parts.map(|part| part + base as u16);
        // SAFETY: one generation writes at most MOST_MOVES wanted moves, so that `length` is at most that before any store, and
        // the buffer has room for OVERHANG = 8 more (asserted at compile time). Move is a transparent u16.
        unsafe { self.list.as_mut_ptr().add(self.length).cast::<[u16; 8]>().write_unaligned(moves) }
        self.length += count as usize;
    }
}

const _: () = assert!(MOST_MOVES + OVERHANG <= MAX_MOVES);

impl Sink for List<'_> {
    #[inline(always)]
    fn rank(&mut self, from: usize, rank: usize, goals: u16) {
        self.store(from + ((rank * 9) << 7), &tables::RANK_GOALS[goals as usize & 0x1ff], goals.count_ones());
    }

    #[inline(always)]
    fn file(&mut self, from: usize, file: usize, goals: u16) {
        let (low, high) = (goals as usize & 31, goals as usize >> 5 & 31);
        self.store(from + (file << 7), &tables::FILE_GOALS[low], low.count_ones());
        self.store(from + ((file + 45) << 7), &tables::FILE_GOALS[high], high.count_ones());
    }

    #[inline(always)]
    fn near<const MAX: usize>(&mut self, from: usize, goals: u64) {
        const { assert!(MAX <= OVERHANG) };
        let base = (from as u32).wrapping_add(from.wrapping_sub(CENTRE as usize).wrapping_shl(7) as u32);
        let mut rest = goals;
        for i in 0..MAX {
            let mv = base.wrapping_add(rest.trailing_zeros() << 7) as u16;
            // SAFETY: as in `store`: at most OVERHANG moves are written behind `length`.
            unsafe { self.list.as_mut_ptr().add(self.length + i).cast::<u16>().write(mv) }
            rest &= rest.wrapping_sub(1);
        }
        self.length += goals.count_ones() as usize;
    }

    #[inline(always)]
    fn set(&mut self, from: usize, goals: u128) {
        let mut rest = goals;
        while rest != 0 {
            let mv = from | (rest.trailing_zeros() as usize) << 7;
            // SAFETY: as in `store`: `length` moves were written, and one more has room.
            unsafe { self.list.as_mut_ptr().add(self.length).cast::<u16>().write(mv as u16) }
            self.length += 1;
            rest &= rest - 1;
        }
    }
}

/// The move in a list entry is the encoding of [`Move`].
const _: () = assert!(size_of::<Move>() == 2);
