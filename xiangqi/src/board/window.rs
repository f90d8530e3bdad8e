//! Windows and their perfect hash indices.
//!
//! A *window* is a 64-bit word with the surroundings of one point: bit 20 is the point itself, bit `20 + d` the point whose index is
//! larger by `d`. It contains all points that a king, advisor, elephant, horse or pawn can reach (the index changes by at most 19
//! for a horse and 20 for an elephant). At the edge of the board a window wraps around into the next rank; the tables contain no
//! destinations there.
//!
//! Indices are magic multiplications: one multiplication maps every combination of the bits in a mask to a different value of the
//! top bits. The build script chooses masks and factors and fills the tables with the same indices.

include!(concat!(env!("OUT_DIR"), "/windows.rs"));

/// Whether the window around one place contains the point at another.
#[inline(always)]
pub const fn has(window: u64, around: usize, place: usize) -> bool {
    let bit = (place + CENTRE as usize).wrapping_sub(around);
    bit < 64 && window >> bit & 1 != 0
}

/// A perfect hash from the points of a mask to a table index.
pub struct Index<const BITS: u32> {
    /// The points that contribute to the index.
    pub mask: u64,
    factor: u64,
}

impl<const BITS: u32> Index<BITS> {
    /// The index of a window, less than `2^BITS`.
    #[inline(always)]
    pub const fn of(&self, window: u64) -> usize {
        ((window & self.mask).wrapping_mul(self.factor) >> (64 - BITS)) as usize
    }
}
