//! Windows, and the computation of a table index from their relevant points; `src/board/window.rs` explains them and reads
//! the output of this module.
//!
//! The indices are perfect hashes: one multiplication maps the bits of the mask, in any combination, to different values
//! of the top bits. The factors were found by trying sparse random numbers, and the order of the indices has no meaning.

use std::fmt::Write as _;

/// The bit of the centre in a window.
pub const CENTRE: u32 = 20;

/// Some points of a window, and the factor that computes an index from them.
pub struct Index<const BITS: u32> {
    /// The points.
    pub mask: u64,
    factor: u64,
}

impl<const BITS: u32> Index<BITS> {
    /// The index of the window's points in the mask, less than `2^BITS`.
    pub fn of(&self, window: u64) -> usize {
        ((window & self.mask).wrapping_mul(self.factor) >> (64 - BITS)) as usize
    }
}

/// The four orthogonal neighbours: horse legs, and the steps of kings and pawns.
pub const ORTHOGONAL: Index<4> = Index { mask: 0x2028_0800, factor: 0x0408_0401_8020_0000 };
/// The four diagonal neighbours: elephant eyes, the steps of advisors, and the legs of horses seen from their destination.
pub const DIAGONAL: Index<4> = Index { mask: 0x5000_1400, factor: 0xc214_0002_0000_0000 };
/// The four destinations of an elephant.
pub const ELEPHANT: Index<4> = Index { mask: 0x110_0000_0011, factor: 0x8100_4010_8240_4000 };
/// The eight destinations of a horse.
pub const HORSE: Index<8> = Index { mask: 0xa0_8800_220a, factor: 0x0804_0014_0408_0801 };

/// Writes the centre and the indices as constants of the library.
pub fn write(text: &mut String) {
    writeln!(text, "/// The bit of the centre in a window.\npub const CENTRE: u32 = {CENTRE};").expect("strings take all text");
    index(text, "ORTHOGONAL", "The four orthogonal neighbours: horse legs, and the steps of kings and pawns.", &ORTHOGONAL);
    index(
        text,
        "DIAGONAL",
        "The four diagonal neighbours: elephant eyes, the steps of advisors, and the legs of horses seen from their target.",
        &DIAGONAL,
    );
    index(text, "ELEPHANT", "The four targets of an elephant.", &ELEPHANT);
    index(text, "HORSE", "The eight targets of a horse.", &HORSE);
}

fn index<const BITS: u32>(text: &mut String, name: &str, what: &str, index: &Index<BITS>) {
    let (mask, factor) = (index.mask, index.factor);
    writeln!(text, "/// {what}\npub const {name}: Index<{BITS}> = Index {{ mask: {mask:#x}, factor: {factor:#x} }};")
        .expect("strings take all text");
}
