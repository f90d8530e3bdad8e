//! The container of games: file header and blocks.

use super::bytes::{Cursor, u32_at};
use super::{Game, RecordError};
use std::io::{ErrorKind, Read, Seek, SeekFrom};

/// The format version, the only one that is read.
pub const VERSION: u32 = 1;
/// Maximum length of a block's payload.
pub const MAX_PAYLOAD: usize = 1 << 20;
/// Maximum length of a description.
const MAX_DESCRIPTION: usize = 1 << 16;

const FILE_MAGIC: &[u8; 8] = b"chuhegms";
const BLOCK_MAGIC: &[u8; 4] = b"CBLK";
/// Size of a block's header in bytes.
const BLOCK_HEADER: usize = 20;

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileHeader {
    /// How the games were made; free text, by convention JSON.
    pub description: String,
}

impl FileHeader {
    /// Serialises the header. A description beyond 64 KiB is truncated.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut length = self.description.len().min(MAX_DESCRIPTION);
        while !self.description.is_char_boundary(length) {
            length -= 1;
        }
        let mut out = FILE_MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(length as u32).to_le_bytes());
        out.extend_from_slice(&self.description.as_bytes()[..length]);
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Reads a header, and returns its size in bytes too.
    ///
    /// # Errors
    /// When the file is not a record file, has another version, or is damaged.
    pub fn read(input: &mut impl Read) -> Result<(FileHeader, u64), RecordError> {
        let mut bytes = vec![0; 16];
        read_all(input, &mut bytes)?.then_some(()).ok_or(RecordError::NotRecords)?;
        if !bytes.starts_with(FILE_MAGIC) {
            return Err(RecordError::NotRecords);
        }
        let version = u32_at(&bytes, 8);
        if version != VERSION {
            return Err(RecordError::Version(version));
        }
        let length = u32_at(&bytes, 12) as usize;
        if length > MAX_DESCRIPTION {
            return Err(RecordError::Malformed { offset: 12, expected: "a description of at most 65536 bytes" });
        }
        bytes.resize(16 + length + 4, 0);
        let damaged = || RecordError::Malformed { offset: 16, expected: "a description with its checksum" };
        read_all(input, &mut bytes[16..])?.then_some(()).ok_or_else(damaged)?;
        if crc32fast::hash(&bytes[..16 + length]) != u32_at(&bytes, 16 + length) {
            return Err(damaged());
        }
        let description = String::from_utf8(bytes[16..16 + length].to_vec()).map_err(|_| damaged())?;
        Ok((FileHeader { description }, bytes.len() as u64))
    }
}

/// The header of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockHeader {
    /// Bytes of payload.
    pub length: u32,
    /// Games in it.
    pub games: u32,
    /// Plies with a score in it.
    pub labels: u32,
}

/// A block with a valid checksum.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its header.
    pub header: BlockHeader,
    /// Offset of the payload in the file.
    pub offset: u64,
    payload: Vec<u8>,
}

impl BlockHeader {
    /// The complete block around a payload of this header's length.
    pub(super) fn frame(self, payload: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(BLOCK_HEADER + payload.len());
        out.extend_from_slice(BLOCK_MAGIC);
        for number in [self.length, self.games, self.labels] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let mut crc = crc32fast::Hasher::new();
        crc.update(&out);
        crc.update(payload);
        out.extend_from_slice(&crc.finalize().to_le_bytes());
        out.extend_from_slice(payload);
        out
    }
}

/// A file with one block of this payload and valid checksums, to test the parser behind the checksums with arbitrary bytes.
pub(crate) fn framed(payload: &[u8], games: u32, labels: u32) -> Vec<u8> {
    let header = BlockHeader { length: payload.len() as u32, games, labels };
    [FileHeader { description: String::new() }.to_bytes(), header.frame(payload)].concat()
}

impl Block {
    /// Reads the block at byte `offset` of the file; none at the end of the file.
    ///
    /// # Errors
    /// When the file ends within the block, or the block is damaged.
    pub fn read(input: &mut impl Read, offset: u64) -> Result<Option<Block>, RecordError> {
        let malformed = |expected| Err(RecordError::Malformed { offset, expected });
        let mut head = [0; BLOCK_HEADER];
        let got = read_up_to(input, &mut head)?;
        if got == 0 {
            return Ok(None);
        }
        if got < BLOCK_HEADER {
            return Err(RecordError::Torn(offset));
        }
        if &head[..4] != BLOCK_MAGIC {
            return malformed("the header of a block");
        }
        let header = BlockHeader { length: u32_at(&head, 4), games: u32_at(&head, 8), labels: u32_at(&head, 12) };
        if header.length as usize > MAX_PAYLOAD || header.games == 0 || header.games > header.length {
            return malformed("a block of at most 1048576 bytes with at least one game");
        }
        let mut payload = vec![0; header.length as usize];
        if !read_all(input, &mut payload)? {
            return Err(RecordError::Torn(offset));
        }
        let mut crc = crc32fast::Hasher::new();
        crc.update(&head[..16]);
        crc.update(&payload);
        if crc.finalize() != u32_at(&head, 16) {
            return malformed("a block with a right checksum");
        }
        Ok(Some(Block { header, offset: offset + BLOCK_HEADER as u64, payload }))
    }

    /// Size of the complete block in bytes.
    pub fn size(&self) -> u64 {
        (BLOCK_HEADER + self.payload.len()) as u64
    }

    /// The games in the block.
    ///
    /// # Errors
    /// When the payload is malformed or does not match the header, although the checksum is valid, which is an error of the
    /// writer.
    pub fn games(&self) -> Result<Vec<Game>, RecordError> {
        let mut cursor = Cursor::new(&self.payload, self.offset);
        let mut games = Vec::with_capacity(self.header.games as usize);
        for _ in 0..self.header.games {
            games.push(Game::take(&mut cursor)?);
        }
        let labels: usize = games.iter().map(Game::labels).sum();
        if !cursor.is_at_end() || labels != self.header.labels as usize {
            return Err(cursor.malformed("as many games and labels as the block's header says"));
        }
        Ok(games)
    }
}

/// Offset of the first complete block at or after byte `from`, if any. The read position afterwards is unspecified.
pub(super) fn find_block(input: &mut (impl Read + Seek), from: u64) -> Result<Option<u64>, RecordError> {
    let mut buffer = vec![0; 1 << 16];
    let mut start = from;
    loop {
        input.seek(SeekFrom::Start(start))?;
        let got = read_up_to(input, &mut buffer)?;
        for at in buffer[..got].windows(BLOCK_MAGIC.len()).enumerate().filter(|(_, four)| four == BLOCK_MAGIC).map(|(at, _)| at) {
            let offset = start + at as u64;
            input.seek(SeekFrom::Start(offset))?;
            match Block::read(input, offset) {
                Ok(Some(_)) => return Ok(Some(offset)),
                Err(RecordError::Io(error)) => return Err(error.into()),
                Ok(None) | Err(_) => {}
            }
        }
        if got < buffer.len() {
            return Ok(None);
        }
        // The magic may cross the end of the buffer.
        start += (got - BLOCK_MAGIC.len() + 1) as u64;
    }
}

/// Fills the buffer as far as the input lasts, and returns the number of bytes read.
fn read_up_to(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, RecordError> {
    let mut got = 0;
    while got < buffer.len() {
        match input.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(count) => got += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(got)
}

/// Fills the entire buffer; false if the input ends before.
fn read_all(input: &mut impl Read, buffer: &mut [u8]) -> Result<bool, RecordError> {
    Ok(read_up_to(input, buffer)? == buffer.len())
}
