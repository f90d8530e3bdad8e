//! The dimensions of the network and the header of its file.

/// Number of features: own king 6 (after mirroring), opposing king 9, and on either side advisors 5, elephants 7, pawns 55, and rooks, horses
/// and cannons 90 each.
pub const INPUTS: usize = 689;
/// Number of output weight sets; [`super::bucket`] selects one.
pub const OUTPUT_BUCKETS: usize = 8;
/// The quantised value of 1.0 in an accumulator.
pub const ACCUMULATOR_ONE: i32 = 255;
/// The quantised value of 1.0 in an output weight.
pub const OUTPUT_ONE: i32 = 256;

/// Signature at the start of a network file.
pub(super) const MAGIC: &[u8; 8] = b"chuhenet";
/// Version of the file layout.
pub(super) const VERSION: u32 = 1;
/// Version of the features and the arithmetic; to be incremented when either changes without a change of dimensions.
const MEANING: u64 = 1;

/// Header size in bytes: signature, version, architecture hash, scale and length of the description.
pub(super) const HEAD: usize = 8 + 4 + 8 + 4 + 4;
/// Maximum length of the description in bytes.
pub(super) const MAX_DESCRIPTION: usize = 1 << 16;

/// Width of the hidden layer per perspective: a property of the network. The inference code is compiled once for each width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Width {
    /// 256 units.
    W256,
    /// 512 units.
    W512,
    /// 768 units.
    W768,
    /// 1024 units.
    W1024,
}

impl Width {
    /// All widths, narrowest first.
    pub const ALL: [Width; 4] = [Width::W256, Width::W512, Width::W768, Width::W1024];

    /// Number of hidden units.
    pub const fn units(self) -> usize {
        match self {
            Width::W256 => 256,
            Width::W512 => 512,
            Width::W768 => 768,
            Width::W1024 => 1024,
        }
    }

    /// The width with this many units, if supported.
    pub const fn of(units: usize) -> Option<Width> {
        match units {
            256 => Some(Width::W256),
            512 => Some(Width::W512),
            768 => Some(Width::W768),
            1024 => Some(Width::W1024),
            _ => None,
        }
    }

    /// The width of the architecture with this hash, if supported.
    pub(super) const fn of_architecture(hash: u64) -> Option<Width> {
        let mut at = 0;
        while at < Width::ALL.len() {
            if architecture_hash(Width::ALL[at]) == hash {
                return Some(Width::ALL[at]);
            }
            at += 1;
        }
        None
    }

    /// Size in bytes of a network's numbers in a file, after the description; a four-byte CRC-32 follows.
    pub(super) const fn bytes(self) -> usize {
        2 * self.units() * (1 + INPUTS + 2 * OUTPUT_BUCKETS) + OUTPUT_BUCKETS * 4
    }
}

/// Compiles an expression once for each width, with the number of units as a named constant, and runs the one selected.
macro_rules! at_width {
    ($width:expr, $units:ident => $code:expr) => {
        match $width {
            $crate::nnue::Width::W256 => {
                const $units: usize = 256;
                $code
            }
            $crate::nnue::Width::W512 => {
                const $units: usize = 512;
                $code
            }
            $crate::nnue::Width::W768 => {
                const $units: usize = 768;
                $code
            }
            $crate::nnue::Width::W1024 => {
                const $units: usize = 1024;
                $code
            }
        }
    };
}
pub(super) use at_width;

/// FNV-1a hash of everything that must agree between the program that wrote a network and the one that reads it.
pub const fn architecture_hash(width: Width) -> u64 {
    let parts = [MEANING, INPUTS as u64, width.units() as u64, OUTPUT_BUCKETS as u64, ACCUMULATOR_ONE as u64, OUTPUT_ONE as u64];
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut at = 0;
    while at < parts.len() * 8 {
        hash = (hash ^ (parts[at / 8] >> (at % 8 * 8) & 0xff)).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}
