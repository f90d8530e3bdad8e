//! A compiled book and its binary form, version 1, little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | the mark `chuhebk\n` |
//! | 4 | version |
//! | 4 | zero |
//! | 16 for each entry | position key (8), weight (4), move (2), number of the opening's name (2), sorted by key, then by weight, the heaviest first |
//! | | strings, each behind its length in two bytes: names, English and Chinese in turn, then the starts other than the start of the game |
//! | 8, 4, 4, 4 | how many entries, bytes of strings, names, starts |
//! | 4 | CRC-32 of everything before it |
//! | 8 | the mark `kbehuhc\n` |
//!
//! What is counted stands at the end, so that a book larger than memory can be written in one go, and a cut file is known by
//! its missing mark.

use crate::types::Move;
use std::io::{self, Write};

/// First bytes of a book.
pub const MARK: [u8; 8] = *b"chuhebk\n";
/// Last bytes of a book.
pub const END_MARK: [u8; 8] = *b"kbehuhc\n";
/// Version of the form.
pub const VERSION: u32 = 1;
/// Bytes in front of the entries.
pub const HEAD: usize = 16;
/// Bytes of an entry.
pub const ENTRY: usize = 16;
/// Bytes behind the strings.
pub const FOOT: usize = 32;
/// The number that stands for no name.
pub const NO_NAME: u16 = u16::MAX;

/// A move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Key of the position, see [`super::place::place`].
    pub key: u64,
    /// How often to play the move, relative to the others; a move of weight 0 is known but never played.
    pub weight: u32,
    /// The move as it is stored; [`Move::NONE`] where a position has a name but no move.
    pub mv: Move,
    /// Number of the position's name, or [`NO_NAME`].
    pub name: u16,
}

impl Entry {
    /// The order of the table.
    pub fn order(&self, other: &Entry) -> std::cmp::Ordering {
        let rank = |entry: &Entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv);
        rank(self).cmp(&rank(other))
    }

    fn bytes(&self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.weight.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.mv.bits().to_le_bytes());
        bytes[14..].copy_from_slice(&self.name.to_le_bytes());
        bytes
    }
}

/// The name of an opening.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opening {
    /// In English.
    pub english: String,
    /// In Chinese, simplified characters.
    pub chinese: String,
}

impl std::fmt::Display for Opening {
    /// Both names, English first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.english, self.chinese)
    }
}

/// A compiled book in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// In the order of [`Entry::order`].
    pub entries: Vec<Entry>,
    /// Names by number.
    pub names: Vec<Opening>,
    /// Positions in FEN that lines start from, beside the start of the game.
    pub starts: Vec<String>,
}

impl Contents {
    /// The entries of a position.
    pub fn of(&self, key: u64) -> &[Entry] {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let count = self.entries[first..].iter().take_while(|entry| entry.key == key).count();
        &self.entries[first..first + count]
    }

    /// A name by its number.
    pub fn name(&self, number: u16) -> Option<&Opening> {
        self.names.get(number as usize)
    }

    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match write(&mut bytes, self.entries.iter().copied().map(Ok), &self.names, &self.starts) {
            Ok(_) => bytes,
            Err(error) => unreachable!("memory takes every byte: {error}"),
        }
    }
}

/// Passes bytes on and sums them up.
struct Summing<W> {
    out: W,
    crc: crc32fast::Hasher,
}

impl<W: Write> Summing<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.out.write_all(bytes)
    }
}

/// Writes the binary form from entries in their order, which needn't fit into memory. Returns how many there were.
///
/// # Errors
/// What the source of the entries or the target says. Names of more than 65535 bytes are cut off.
pub fn write(
    out: impl Write,
    entries: impl Iterator<Item = io::Result<Entry>>,
    names: &[Opening],
    starts: &[String],
) -> io::Result<u64> {
    let mut out = Summing { out, crc: crc32fast::Hasher::new() };
    out.put(&MARK)?;
    out.put(&VERSION.to_le_bytes())?;
    out.put(&[0; 4])?;
    let mut count = 0u64;
    for entry in entries {
        out.put(&entry?.bytes())?;
        count += 1;
    }
    let strings = names.iter().flat_map(|name| [name.english.as_str(), name.chinese.as_str()]);
    let mut length = 0u32;
    for text in strings.chain(starts.iter().map(String::as_str)) {
        let text = &text[..boundary(text)];
        out.put(&(text.len() as u16).to_le_bytes())?;
        out.put(text.as_bytes())?;
        length += 2 + text.len() as u32;
    }
    out.put(&count.to_le_bytes())?;
    for number in [length, names.len() as u32, starts.len() as u32] {
        out.put(&number.to_le_bytes())?;
    }
    let sum = out.crc.clone().finalize();
    out.out.write_all(&sum.to_le_bytes())?;
    out.out.write_all(&END_MARK)?;
    out.out.flush()?;
    Ok(count)
}

/// Bytes of a text that its length field can count.
fn boundary(text: &str) -> usize {
    let mut end = text.len().min(u16::MAX as usize);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
