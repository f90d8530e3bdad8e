//! Compiled books (see [`super::encode`]), built in or in memory.

use super::encode::{BookEntry, Contents, END_MARK, ENTRY, FOOT, HEAD, MARK, NO_NAME, Opening, VERSION};
use super::key::book_key;
use super::text::MAX_NAME;
use super::{BookError, BookMove, Bytes};
use crate::board::{Board, Position};
use crate::types::{Move, counted, crc32};

/// A compiled book.
#[derive(Debug)]
pub struct CompiledBook {
    bytes: Bytes,
    /// Number of entries.
    count: usize,
    names: Vec<Opening>,
    starts: Vec<String>,
}

/// `N` bytes at an offset.
fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(u32::from_le_bytes)
}

/// The next string of a list, and the rest. Strings that cannot occur in a source are rejected, because names are sent to clients unescaped.
fn string(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = u16::from_le_bytes(field(bytes, 0)?) as usize;
    let text = std::str::from_utf8(bytes.get(2..2 + length)?).ok()?;
    let is_printable = length <= MAX_NAME && !text.chars().any(|letter| letter.is_control() || letter == '"');
    is_printable.then(|| (text.to_string(), &bytes[2 + length..]))
}

impl CompiledBook {
    /// A book without moves.
    pub fn empty() -> CompiledBook {
        CompiledBook { bytes: Bytes::Borrowed(&[]), count: 0, names: Vec::new(), starts: Vec::new() }
    }

    /// Opens the bytes of a book. Everything except the order of its entries is checked, including the checksum.
    ///
    /// # Errors
    /// If the bytes are not a valid book, with the offset.
    pub fn new(bytes: Bytes) -> Result<CompiledBook, BookError> {
        let compiled = CompiledBook::without_checksum(bytes)?;
        let sum_at = compiled.bytes.len() - 12;
        let (stated, sum) = (number(&compiled.bytes, sum_at), crc32(0, &compiled.bytes[..sum_at]));
        if stated != Some(sum) {
            let problem = format!("the checksum is {:08x}, expected {sum:08x}", stated.unwrap_or(0));
            return Err(BookError::at(sum_at, problem));
        }
        Ok(compiled)
    }

    /// As [`CompiledBook::new`], but without verifying the checksum: for the built-in book.
    pub(super) fn without_checksum(bytes: Bytes) -> Result<CompiledBook, BookError> {
        let at = |byte: usize, expected: &str| BookError::at(byte, format!("expected {expected}"));
        if !bytes.starts_with(&MARK) {
            return Err(at(0, "the mark of a chuhe book"));
        }
        match number(&bytes, 8) {
            Some(VERSION) => {}
            Some(version) => return Err(BookError::at(8, format!("version {version}, expected {VERSION}"))),
            None => return Err(at(bytes.len(), "the version")),
        }
        if bytes.len() < HEAD + FOOT || !bytes.ends_with(&END_MARK) {
            return Err(at(bytes.len(), "more data: the end mark is missing, the file is truncated"));
        }
        let foot = bytes.len() - FOOT;
        let room = foot - HEAD;
        let count = field(&bytes, foot).map(u64::from_le_bytes).unwrap_or(0);
        let [length, names, starts] = [8, 12, 16].map(|offset| number(&bytes, foot + offset).unwrap_or(0) as usize);
        let entries = usize::try_from(count).ok().and_then(|count| count.checked_mul(ENTRY));
        if entries.and_then(|entries| entries.checked_add(length)) != Some(room) {
            let problem = format!("{count} entries and names of {length} bytes, expected {room} bytes in total");
            return Err(BookError::at(foot, problem));
        }
        let mut rest = &bytes[foot - length..foot];
        let mut next = || {
            let at = foot - rest.len();
            let expected = || BookError::at(at, format!("expected a name of at most {MAX_NAME} bytes after its length"));
            let (text, following) = string(rest).ok_or_else(expected)?;
            rest = following;
            Ok::<String, BookError>(text)
        };
        let mut compiled =
            CompiledBook { bytes: Bytes::Borrowed(&[]), count: count as usize, names: Vec::new(), starts: Vec::new() };
        for _ in 0..names {
            compiled.names.push(Opening { english: next()?, chinese: next()? });
        }
        for _ in 0..starts {
            compiled.starts.push(next()?);
        }
        if !rest.is_empty() {
            let problem = format!("{} after the last name, expected none", counted(rest.len(), "byte"));
            return Err(BookError::at(foot - rest.len(), problem));
        }
        compiled.bytes = bytes;
        Ok(compiled)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the book has no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The opening names in the book.
    pub fn names(&self) -> &[Opening] {
        &self.names
    }

    /// The start positions of lines in the book, other than the start of the game.
    pub fn starts(&self) -> &[String] {
        &self.starts
    }

    fn key(&self, index: usize) -> u64 {
        field(&self.bytes, HEAD + index * ENTRY).map_or(u64::MAX, u64::from_le_bytes)
    }

    /// The entry at an index; none if its move is invalid.
    fn entry(&self, index: usize) -> Option<BookEntry> {
        let at = HEAD + index * ENTRY;
        Some(BookEntry {
            key: field(&self.bytes, at).map(u64::from_le_bytes)?,
            weight: number(&self.bytes, at + 8)?,
            mv: Move::from_bits(u16::from_le_bytes(field(&self.bytes, at + 12)?))?,
            name: u16::from_le_bytes(field(&self.bytes, at + 14)?),
        })
    }

    /// The entries of a position, by its stored key.
    #[inline]
    pub fn find(&self, key: u64) -> impl Iterator<Item = BookEntry> + '_ {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        (low..self.count).take_while(move |&index| self.key(index) == key).filter_map(|index| self.entry(index))
    }

    /// The name with an index.
    pub fn name(&self, number: u16) -> Option<&Opening> {
        self.names.get(number as usize)
    }

    /// Decodes the entire book.
    ///
    /// # Errors
    /// If an entry is out of order or invalid.
    pub fn contents(&self) -> Result<Contents, BookError> {
        let mut entries: Vec<BookEntry> = Vec::with_capacity(self.count);
        for index in 0..self.count {
            let at = |problem: &str| BookError::at(HEAD + index * ENTRY, format!("entry {index} {problem}"));
            let entry = self.entry(index).ok_or_else(|| at("is not a move, expected two points of the board"))?;
            if entries.last().is_some_and(|last| last.order(&entry).is_ge()) {
                return Err(at("is out of order, expected ascending keys and descending weights"));
            }
            if entry.name != NO_NAME && self.name(entry.name).is_none() {
                return Err(at(&format!("has name {}, expected one of {}", entry.name, self.names.len())));
            }
            entries.push(entry);
        }
        Ok(Contents { entries, names: self.names.clone(), starts: self.starts.clone() })
    }

    /// The legal book moves of a position, highest weight first.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let (key, orientation) = book_key(board);
        let known = self.find(key).map(|entry| BookMove { mv: orientation.played(entry.mv), weight: entry.weight });
        // Keys can collide, and a file can be wrong.
        known.filter(|found| board.is_legal(found.mv)).collect()
    }

    /// The name of the position.
    pub fn opening(&self, board: &Board) -> Option<&Opening> {
        let (key, _) = book_key(board);
        self.find(key).next().and_then(|entry| self.name(entry.name))
    }

    /// The name of the opening of a game: that of its last named position.
    pub fn opening_of(&self, game: &Position) -> Option<&Opening> {
        // Books end long before this; the limit bounds the cost for very long games.
        const PLIES: usize = 80;
        let states = game.states();
        let considered = &states[..states.len().min(PLIES + 1)];
        considered.iter().rev().find_map(|state| self.opening(&state.board))
    }
}
