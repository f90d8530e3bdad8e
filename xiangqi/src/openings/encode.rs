//! A compiled book and its binary format, version 1, little-endian:
//!
//! | bytes | contents |
//! | --- | --- |
//! | 8 | magic number `chuhebk\n` |
//! | 4 | version |
//! | 4 | zero |
//! | 16 per entry | position key (8), weight (4), move (2), index of the opening's name (2); sorted by key, then by descending weight |
//! | | strings, each preceded by its length in two bytes: names, English and Chinese alternating, then start positions other than that of the game |
//! | 8, 4, 4, 4 | number of entries, bytes of strings, number of names, number of start positions |
//! | 4 | CRC-32 of everything before it |
//! | 8 | end mark `kbehuhc\n` |
//!
//! The counts are at the end, so that a book larger than memory can be written in a single pass. A truncated file is detected by
//! its missing end mark.

use crate::types::{Move, crc32};
use std::io::{self, Write};

/// Magic number: the first bytes of a compiled book.
///
/// ```
/// use xiangqi::openings::encode::{Contents, MARK};
///
/// assert!(Contents::default().to_bytes().starts_with(&MARK));
/// ```
pub const MARK: [u8; 8] = *b"chuhebk\n";
/// End mark: the last bytes of a compiled book.
///
/// ```
/// use xiangqi::openings::encode::{Contents, END_MARK};
///
/// assert!(Contents::default().to_bytes().ends_with(&END_MARK));
/// ```
pub const END_MARK: [u8; 8] = *b"kbehuhc\n";
/// Version of the format.
///
/// ```
/// use xiangqi::openings::encode::{Contents, VERSION};
///
/// let bytes = Contents::default().to_bytes();
/// assert_eq!(bytes[8..12], VERSION.to_le_bytes());
/// ```
pub const VERSION: u32 = 1;
/// Size in bytes of the header before the entries.
///
/// ```
/// use xiangqi::openings::encode::{Contents, FOOT, HEAD};
///
/// let bytes = Contents::default().to_bytes();
/// assert_eq!(bytes.len(), HEAD + FOOT);
/// ```
pub const HEAD: usize = 16;
/// Size in bytes of an entry.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
/// use xiangqi::openings::encode::{ENTRY, HEAD};
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5 \"Central Cannon\" \"中炮\"\n")?;
/// let book = compiler.finish()?;
/// let bytes = book.to_bytes();
/// assert_eq!(bytes[HEAD..][..ENTRY][..8], book.entries[0].key.to_le_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const ENTRY: usize = 16;
/// Size in bytes of the footer after the strings.
///
/// ```
/// use xiangqi::openings::encode::{Contents, FOOT, HEAD};
///
/// let bytes = Contents::default().to_bytes();
/// assert_eq!(bytes.len(), HEAD + FOOT);
/// ```
pub const FOOT: usize = 32;
/// The name index of positions without a name.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
/// use xiangqi::openings::encode::NO_NAME;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5\n")?;
/// assert_eq!(compiler.finish()?.entries[0].name, NO_NAME);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const NO_NAME: u16 = u16::MAX;

/// A book entry: one move in one position.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5*30 \"Central Cannon\" \"中炮\"\n")?;
/// let book = compiler.finish()?;
/// assert!(book.entries.iter().any(|entry| entry.mv.to_string() == "h2e2" && entry.weight == 30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// Book key of the position, see [`super::key::book_key`].
    pub key: u64,
    /// Relative frequency of the move; a move of weight 0 is known but never played.
    pub weight: u32,
    /// The move in stored form, see [`Orientation::stored`](super::key::Orientation::stored); [`Move::NONE`] if the position has a name but no
    /// move.
    pub mv: Move,
    /// Index of the position's name in [`Contents::names`], or [`NO_NAME`].
    pub name: u16,
}

impl BookEntry {
    /// Compares entries in the order of the table: by key, then by descending weight, then by move.
    ///
    /// ```
    /// use xiangqi::openings::compile::Compiler;
    ///
    /// let mut compiler = Compiler::new()?;
    /// compiler.read("mine.wxf", "C2.5\nH2+3*30\n")?;
    /// let book = compiler.finish()?;
    /// assert!(book.entries.is_sorted_by(|one, next| one.order(next).is_le()));
    /// assert_eq!(book.entries[0].weight, 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn order(&self, other: &BookEntry) -> std::cmp::Ordering {
        let rank = |entry: &BookEntry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv);
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
///
/// ```
/// use xiangqi::openings::encode::Opening;
///
/// let opening = Opening { english: "Central Cannon".into(), chinese: "中炮".into() };
/// assert_eq!(opening.to_string(), "Central Cannon 中炮");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opening {
    /// The English name.
    pub english: String,
    /// The Chinese name in simplified characters.
    pub chinese: String,
}

impl std::fmt::Display for Opening {
    /// Writes both names, English first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.english, self.chinese)
    }
}

/// A compiled book in memory.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5 \"Central Cannon\" \"中炮\"\n")?;
/// let book = compiler.finish()?;
/// assert_eq!((book.entries.len(), book.names.len(), book.starts.len()), (2, 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// All entries, sorted by [`BookEntry::order`].
    pub entries: Vec<BookEntry>,
    /// Opening names, indexed by [`BookEntry::name`].
    pub names: Vec<Opening>,
    /// FENs of the start positions of lines, except the start position of the game.
    pub starts: Vec<String>,
}

impl Contents {
    /// The entries of the position with this book key, heaviest first; empty if it is not in the book.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::openings::compile::Compiler;
    /// use xiangqi::openings::key::book_key;
    ///
    /// let mut compiler = Compiler::new()?;
    /// compiler.read("mine.wxf", "C2.5\nH2+3\n")?;
    /// let (key, _) = book_key(Position::startpos().board());
    /// assert_eq!(compiler.finish()?.of(key).len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(&self, key: u64) -> &[BookEntry] {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let count = self.entries[first..].iter().take_while(|entry| entry.key == key).count();
        &self.entries[first..first + count]
    }

    /// The opening name with this index, `None` for [`NO_NAME`].
    ///
    /// ```
    /// use xiangqi::openings::compile::Compiler;
    ///
    /// let mut compiler = Compiler::new()?;
    /// compiler.read("mine.wxf", "C2.5 \"Central Cannon\" \"中炮\"\n")?;
    /// let book = compiler.finish()?;
    /// assert_eq!(book.name(0).map(|name| name.chinese.as_str()), Some("中炮"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn name(&self, number: u16) -> Option<&Opening> {
        self.names.get(number as usize)
    }

    /// Encodes the book in the binary format.
    ///
    /// ```
    /// use xiangqi::openings::encode::{Contents, END_MARK, MARK};
    ///
    /// let bytes = Contents::default().to_bytes();
    /// assert!(bytes.starts_with(&MARK) && bytes.ends_with(&END_MARK));
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match write(&mut bytes, self.entries.iter().copied().map(Ok), &self.names, &self.starts) {
            Ok(_) => bytes,
            Err(error) => unreachable!("memory takes every byte: {error}"),
        }
    }
}

/// A writer that computes the CRC-32 of its output.
struct Checksummed<W> {
    out: W,
    crc: u32,
}

impl<W: Write> Checksummed<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc = crc32(self.crc, bytes);
        self.out.write_all(bytes)
    }
}

/// Writes the binary format from sorted entries, which need not fit in memory. Returns the number of entries.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
/// use xiangqi::openings::encode::write;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5 \"Central Cannon\" \"中炮\"\n")?;
/// let book = compiler.finish()?;
/// let mut bytes = Vec::new();
/// let count = write(&mut bytes, book.entries.iter().copied().map(Ok), &book.names, &book.starts)?;
/// assert_eq!((count, bytes), (2, book.to_bytes()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// I/O errors of the source of the entries and of the output. Names longer than 65535 bytes are truncated without an error.
pub fn write(
    out: impl Write,
    entries: impl Iterator<Item = io::Result<BookEntry>>,
    names: &[Opening],
    starts: &[String],
) -> io::Result<u64> {
    let mut out = Checksummed { out, crc: 0 };
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
    out.out.write_all(&out.crc.to_le_bytes())?;
    out.out.write_all(&END_MARK)?;
    out.out.flush()?;
    Ok(count)
}

/// Length of the longest prefix of a text that fits the 16-bit length field.
fn boundary(text: &str) -> usize {
    let mut end = text.len().min(u16::MAX as usize);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}
