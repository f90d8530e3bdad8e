//! Sinks for generated moves: a counter, and a move list filled by unconditional vector stores.

use super::tables;
use super::window::Index;
use crate::types::{MAX_MOVES, Move, MoveList};

/// Receives the destinations of one piece, in the representation in which they were computed.
pub(super) trait Sink {
    /// Destinations on the rank (bit = file) and on the file (bit = rank) of a piece at `from`.
    fn cross(&mut self, from: usize, in_rank: u16, in_file: u16);
    /// Destinations in the window around the piece. `index` and `steps` map each combination of destinations to its list of steps.
    fn near<const BITS: u32, const SIZE: usize>(
        &mut self,
        from: usize,
        targets: u64,
        index: &Index<BITS>,
        steps: &'static [[u16; 8]; SIZE],
    );
    /// Destinations as a set of points.
    fn set(&mut self, from: usize, targets: u128);
}

/// Counts the moves.
pub(super) struct Count(pub(super) u32);

impl Sink for Count {
    #[inline(always)]
    fn cross(&mut self, _: usize, in_rank: u16, in_file: u16) {
        self.0 += (in_rank as u32 | (in_file as u32) << 16).count_ones();
    }

    #[inline(always)]
    fn near<const BITS: u32, const SIZE: usize>(
        &mut self,
        _: usize,
        targets: u64,
        _: &Index<BITS>,
        _: &'static [[u16; 8]; SIZE],
    ) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn set(&mut self, _: usize, targets: u128) {
        self.0 += targets.count_ones();
    }
}

/// Number of moves that a store may write past the end of the list: one vector of eight.
const OVERHANG: usize = 8;
/// Upper bound on the number of moves in a position, the sum over all pieces on an empty board: two rooks and two cannons with
/// 17 moves each, two horses with 8, five pawns with 3, and a king, two advisors and two elephants with 4 each.
const MOST_MOVES: usize = 4 * 17 + 2 * 8 + 5 * 3 + 5 * 4;

/// Lists the moves in a [`MoveList`], replacing its contents.
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

    /// Sets the length of the list to the number of moves written.
    #[inline(always)]
    pub(super) fn finish(self) {
        // SAFETY: the stores below have initialised the first `length` moves of the buffer, and `length` is at most MOST_MOVES,
        // less than the capacity (asserted at compile time).
        unsafe { self.list.set_len(self.length) }
    }

    /// Writes eight moves, each the sum of base and part, and advances by the first `count`, which are the wanted ones.
    #[inline(always)]
    fn store(&mut self, base: &[u16; 8], parts: &[u16; 8], count: u32) {
        let mut moves = *base;
        for (mv, part) in moves.iter_mut().zip(parts) {
            *mv = mv.wrapping_add(*part);
        }
        // SAFETY: one generation writes at most MOST_MOVES wanted moves, so `length` never exceeds that before a store, and the
        // buffer has room for OVERHANG = 8 more (asserted at compile time). Move is a transparent u16.
        unsafe { self.list.as_mut_ptr().add(self.length).cast::<[u16; 8]>().write_unaligned(moves) }
        self.length += count as usize;
    }
}

/// The base encodings of the moves of a piece at a place, each replicated eight times for vector addition.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bases {
    /// The null step from the place to itself; steps are added to it.
    stay: [u16; 8],
    /// The move to the first point of the rank.
    rank: [u16; 8],
    /// The move to the lowest point of the file.
    file_low: [u16; 8],
    /// The move to the sixth point of the file.
    file_high: [u16; 8],
}

static BASES: [Bases; 256] = {
    let mut table = [Bases { stay: [0; 8], rank: [0; 8], file_low: [0; 8], file_high: [0; 8] }; 256];
    let mut place = 0;
    while place < 90 {
        let from = place as u16;
        let (first_of_rank, first_of_file) = (from / 9 * 9, from % 9);
        table[place] = Bases {
            stay: [from | from << 7; 8],
            rank: [from | first_of_rank << 7; 8],
            file_low: [from | first_of_file << 7; 8],
            file_high: [from | (first_of_file + 45) << 7; 8],
        };
        place += 1;
    }
    table
};

const _: () = assert!(MOST_MOVES + OVERHANG <= MAX_MOVES);

impl Sink for List<'_> {
    #[inline(always)]
    fn cross(&mut self, from: usize, in_rank: u16, in_file: u16) {
        let bases = &BASES[from & 0xff];
        self.store(&bases.rank, &tables::RANK_GOALS[in_rank as usize & 0x1ff], in_rank.count_ones());
        let (low, high) = (in_file as usize & 31, in_file as usize >> 5 & 31);
        self.store(&bases.file_low, &tables::FILE_GOALS[low], low.count_ones());
        self.store(&bases.file_high, &tables::FILE_GOALS[high], high.count_ones());
    }

    #[inline(always)]
    fn near<const BITS: u32, const SIZE: usize>(
        &mut self,
        from: usize,
        targets: u64,
        index: &Index<BITS>,
        steps: &'static [[u16; 8]; SIZE],
    ) {
        self.store(&BASES[from & 0xff].stay, &steps[index.of(targets) % SIZE], targets.count_ones());
    }

    #[inline(always)]
    fn set(&mut self, from: usize, targets: u128) {
        let mut rest = targets;
        while rest != 0 {
            let mv = from | (rest.trailing_zeros() as usize) << 7;
            // SAFETY: as in `store`: `length` moves have been written, and the buffer has room for one more.
            unsafe { self.list.as_mut_ptr().add(self.length).cast::<u16>().write(mv as u16) }
            self.length += 1;
            rest &= rest - 1;
        }
    }
}

/// List entries are written as the 16-bit encoding of [`Move`].
const _: () = assert!(size_of::<Move>() == 2);
