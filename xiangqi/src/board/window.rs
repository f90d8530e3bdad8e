//! Windows, and how the few points of one that matter become a table index.
//!
//! A *window* is the board as a 64-bit word around one point: bit 20 is the point itself, bit `20 + d` the point with an index
//! larger by `d`. All that a king, advisor, elephant, horse or pawn can reach lies inside (a horse goes 19 at most, an
//! elephant 20). At the edge of the board a window runs on into the next rank; the tables hold no goal there.
//!
//! The indices are perfect hashes: one multiplication moves the bits of the mask, in any combination, to different values
//! of the top bits. The build script chooses masks and factors and fills the tables with the same indices.

include!(concat!(env!("OUT_DIR"), "/windows.rs"));

/// Whether the window around one place has the point of another.
#[inline(always)]
pub const fn has(window: u64, around: usize, place: usize) -> bool {
    let bit = (place + CENTRE as usize).wrapping_sub(around);
    bit < 64 && window >> bit & 1 != 0
}

/// Some points of a window and the factor that makes an index of them.
pub struct Index<const BITS: u32> {
    /// The points.
    pub mask: u64,
    factor: u64,
}

impl<const BITS: u32> Index<BITS> {
    /// The index of the window's points in the mask, less than `2^BITS`.
    #[inline(always)]
    pub const fn of(&self, window: u64) -> usize {
        ((window & self.mask).wrapping_mul(self.factor) >> (64 - BITS)) as usize
    }
}
