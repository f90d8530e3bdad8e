//! Games of self-play on disk.
//!
//! A file is a header with a free description and any number of *blocks*. A block is framed and checksummed and holds whole
//! games; a game is its start, its result and for each ply the move as an index into the sorted list of legal moves (one
//! byte) and, for most plies, the score as a difference to the ply before (one or two bytes). All numbers are little-endian;
//! a *varint* has seven bits a byte, lowest first, the top bit set on all but the last.
//!
//! ```text
//! file   = "chuhegms", u32 version (1), u32 length, description (UTF-8), u32 CRC-32 of all before; blocks
//! block  = "CBLK", u32 payload length, u32 games, u32 labels, u32 CRC-32 of the sixteen bytes before and the payload; payload
//! game   = varint id, u8 kind, [start], varint plies, plies
//! kind   = bits 0-1: 0 Red won, 1 drawn, 2 Black won; bit 2: a start follows; bits 3-5: how it ended (Ending)
//! start  = 12 bytes set of points, one nibble a piece in the order of points, u8 side to move, varint natural-limit counter
//! ply    = u8 index of the move among the legal moves sorted by origin and goal as numbers (Move::bits),
//!          varint label: 0 for none, else 1 + zigzag(score - expected)
//! ```
//!
//! Scores are from the view of the side to move. The expected score is the negation of the last label's, negated once more
//! for every ply between; 0 at first.
//!
//! A file grows by whole blocks, each written at once. A kill leaves at most one torn block at the end, which
//! [`Writer::resume`] cuts off; everything before it is proved good by its checksum. A block that was damaged later costs its own
//! games: readers report it and continue with the next.

mod bytes;
mod frame;
mod game;
mod packed;
mod reader;
mod writer;

pub(crate) use frame::framed;
pub use frame::{Block, BlockHeader, FileHeader, MAX_PAYLOAD, VERSION};
pub use game::{Ending, Game, Ply, Won};
pub use packed::{pack_board, unpack_board};
pub use reader::Reader;
pub use writer::{Repair, Writer};

/// The largest score that a label can hold; scores of found mates are stored near it.
pub const MAX_SCORE: i16 = 30_000;
/// Labels at or above this size are mates: `MAX_SCORE` less the moves to mate.
pub const MATE_SCORE: i16 = 29_000;
/// The longest game that a file can hold, in plies.
pub const MAX_PLIES: usize = 4096;

/// Why bytes are no record file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file does not begin like one of ours.
    #[error("no record file, expected it to begin with 'chuhegms'")]
    NotRecords,
    /// Another version of the format.
    #[error("record format version {0}, expected {VERSION}")]
    Version(u32),
    /// Another program writes to the file.
    #[error("another program is writing to this file")]
    Locked,
    /// The file was made by another run than the one that is to be continued.
    #[error("this file belongs to another run: {found}")]
    OtherDescription {
        /// What the file says about itself.
        found: String,
    },
    /// The file ends within the block that begins at this offset: the writer was killed, or is still at it.
    #[error("byte {0}: the file ends within the block that begins here")]
    Torn(u64),
    /// The bytes at this offset are not what the format asks for.
    #[error("byte {offset}: expected {expected}")]
    Malformed {
        /// From the beginning of the file (of the bytes, where there is no file).
        offset: u64,
        /// What was expected there.
        expected: &'static str,
    },
}

#[cfg(test)]
mod tests;
