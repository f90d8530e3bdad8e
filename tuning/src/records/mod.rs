//! Games of self-play on disk.
//!
//! A file is a header with a free-text description and any number of *blocks*. A block has a header with a checksum and contains complete
//! games; a game is its start, its result and for each ply the move as an index into the sorted list of legal moves (one
//! byte) and, for most plies, the score as a difference to the previous ply (one or two bytes). All numbers are little-endian;
//! a *varint* has seven bits per byte, lowest first, with the top bit set on all but the last.
//!
//! ```text
//! file   = "chuhegms", u32 version (1), u32 length, description (UTF-8), u32 CRC-32 of all before; blocks
//! block  = "CBLK", u32 payload length, u32 games, u32 labels, u32 CRC-32 of the sixteen bytes before and the payload; payload
//! game   = varint id, u8 kind, [start], varint plies, plies, [varint variations, variations]
//! kind   = bits 0-1: 0 Red won, 1 drawn, 2 Black won; bit 2: a start follows; bits 3-5: the cause of the end (Ending);
//!          bit 6: variations follow
//! start  = 12 bytes set of points, one nibble per piece in the order of points, u8 side to move, varint natural-limit counter
//! ply    = u8 index of the move among the legal moves sorted by origin and destination as numbers (Move::bits),
//!          varint label: 0 for none, else 1 + zigzag(score - expected)
//! variation = varint plies of the game since the previous variation, u8 number of moves, their indices, varint zigzag(score)
//! ```
//!
//! Scores are from the view of the side to move. The expected score is the negation of the last label's, negated once more
//! for every ply between; initially 0.
//!
//! A file grows by complete blocks, each written in one call. A kill leaves at most one incomplete block at the end, which
//! [`Writer::resume`] removes; everything before it is verified by its checksum. A block that is damaged later loses only its own
//! games: readers report it and continue with the next one.

mod bytes;
mod frame;
mod game;
mod packed;
mod reader;
mod writer;

pub(crate) use frame::framed;
pub use frame::{Block, BlockHeader, FileHeader, MAX_PAYLOAD, VERSION};
pub use game::{Ending, Game, PackedGame, Ply, Variation, Won};
pub use packed::{pack_board, unpack_board};
pub use reader::Reader;
pub use writer::{Repair, Writer};

/// The largest score that a label can hold; scores of found mates are stored near it.
pub const MAX_SCORE: i16 = 30_000;
/// Labels with at least this absolute value are mates: `MAX_SCORE` minus the moves to mate.
pub const MATE_SCORE: i16 = 29_000;
/// The longest game that a file can hold, in plies.
pub const MAX_PLIES: usize = 4096;

/// An error of a record file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// An error of the operating system.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file does not begin like a record file.
    #[error("not a record file, expected it to begin with 'chuhegms'")]
    NotRecords,
    /// Another version of the format.
    #[error("record format version {0}, expected {VERSION}")]
    Version(u32),
    /// Another program writes to the file.
    #[error("another program is writing to this file")]
    Locked,
    /// The file was made by another run than the one to be continued.
    #[error("this file belongs to another run: {found}")]
    OtherDescription {
        /// The description in the file's header.
        found: String,
    },
    /// The file ends within the block at this offset: the writer was killed, or is still writing.
    #[error("byte {0}: the file ends within the block that begins here")]
    Torn(u64),
    /// The bytes at this offset are invalid.
    #[error("byte {offset}: expected {expected}")]
    Malformed {
        /// From the beginning of the file (or of the bytes, if there is no file).
        offset: u64,
        /// What was expected there.
        expected: &'static str,
    },
}

#[cfg(test)]
mod tests;
