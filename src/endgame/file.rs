//! A table as bytes. All numbers are little-endian.
//!
//! ```text
//! "chuheegt", u32 version (1, with parts for the next capture 2), u64 bytes of the table as a whole, [u8; 16] name of the family, padded with zeros,
//! u32 positions in a block, u32 blocks B of each side,
//! u64 end of each block, counted from the end of the head [parts * B], u32 CRC-32 of each block as it is stored [parts * B],
//! u32 CRC-32 of the head up to here,
//! blocks: values of positions with the first side to move, then of those with the other, in version 2 the distances of both to the next
//! capture or mate; each block is packed with LZMA
//! ```
//!
//! What a position's number and value are stands in `layout` and `value`. A number without a position has the value of the one before
//! it, which packs best.
//!
//! The blocks are raw LZMA streams of the crate lzma-rust2: of the pure Rust compressors (it, brotli, miniz_oxide, lz4_flex, ruzstd) it packs
//! these tables smallest, R-D to 110 kB where deflate takes 530 kB, and it is maintained; without its `optimization` feature it has no
//! unsafe code and builds for every target.

use super::error::EndgameError;
use super::family::Family;
use super::layout::Layout;
use super::solve::{Solution, in_parts};
use super::value::{DRAW, ILLEGAL, RULED, Value};
use lzma_rust2::{EncodeMode, LzmaOptions, LzmaReader, LzmaWriter, MfType};
use parking_lot::Mutex;
use std::io::{Read, Write};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// The version of a table with values alone, which have two parts, one a side to move.
const VALUES: u32 = 1;
/// The version of a table with the distances to the next capture as well, in two more parts.
const WITH_CAPTURES: u32 = 2;
/// The newest version.
pub(super) const VERSION: u32 = WITH_CAPTURES;
/// How every table begins.
pub(super) const MAGIC: [u8; 8] = *b"chuheegt";
/// Positions in a block. Smaller ones pack worse, since what repeats lies far apart: R-D takes 110 kB in one block and 350 kB in blocks of
/// 65 536. A block is unpacked in about 20 ms.
const BLOCK: usize = 1 << 21;
/// Tables whose values take no more bytes are packed with more effort, and kept unpacked as a whole.
pub(super) const SMALL: usize = 32 << 20;
/// Bytes of the head before the ends of blocks.
const HEAD: usize = 8 + 4 + 8 + NAME + 4 + 4;
const NAME: usize = 16;
/// More positions than any family has that this program solves, as far as the machine can count them.
const MOST_POSITIONS: usize = if usize::BITS > 40 { 1 << 40 } else { usize::MAX };

/// Bytes of lzma: literal context, no position bits, since a value says nothing about the place of the next.
const LITERAL_CONTEXT: u32 = 2;

/// What the head of a table says.
pub(super) struct Head {
    pub(super) family: Family,
    pub(super) layout: Layout,
    /// Positions in a block.
    pub(super) block: usize,
    /// Blocks of each part.
    pub(super) blocks: usize,
    /// Parts: the values with each side to move, and perhaps the distances to the next capture with each.
    pub(super) parts: usize,
    /// Where each block lies among the bytes of the table, and its checksum.
    places: Vec<(Range<usize>, u32)>,
    /// Bytes of the table as a whole.
    pub(super) length: usize,
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], EndgameError> {
    let cut = EndgameError::Damaged("its head is cut off");
    bytes.get(at..at + N).and_then(|field| field.try_into().ok()).ok_or(cut)
}

impl Head {
    /// Reads the head of the table that these bytes begin with.
    pub(super) fn read(bytes: &[u8]) -> Result<Head, EndgameError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(EndgameError::NotTable);
        }
        let version = u32::from_le_bytes(field(bytes, 8)?);
        let parts = match version {
            VALUES => 2,
            WITH_CAPTURES => 4,
            _ => return Err(EndgameError::Version(version)),
        };
        let length = u64::from_le_bytes(field(bytes, 12)?);
        let name: [u8; NAME] = field(bytes, 20)?;
        let block = u32::from_le_bytes(field(bytes, 20 + NAME)?) as usize;
        let blocks = u32::from_le_bytes(field(bytes, 24 + NAME)?) as usize;
        let sum_at = HEAD + parts * blocks.min(MOST_POSITIONS / BLOCK) * 12;
        let sum = u32::from_le_bytes(field(bytes, sum_at)?);
        if sum != crc32fast::hash(&bytes[..sum_at]) {
            return Err(EndgameError::Damaged("the checksum of its head does not match"));
        }
        let name = String::from_utf8_lossy(&name);
        let family: Family = name.trim_end_matches('\0').parse()?;
        let layout = Layout::new(&family);
        if block == 0 || block > BLOCK || blocks != layout.positions().div_ceil(block) {
            return Err(EndgameError::Damaged("it has another number of blocks than its family"));
        }
        let start = sum_at + 4;
        let mut places = Vec::with_capacity(parts * blocks);
        let mut last = start;
        for at in 0..parts * blocks {
            let end = u64::from_le_bytes(field(bytes, HEAD + 8 * at)?);
            let end = usize::try_from(end).ok().and_then(|end| end.checked_add(start)).filter(|&end| end >= last);
            let end = end.ok_or(EndgameError::Damaged("its blocks do not follow each other"))?;
            let sum = u32::from_le_bytes(field(bytes, HEAD + 8 * parts * blocks + 4 * at)?);
            places.push((last..end, sum));
            last = end;
        }
        if usize::try_from(length) != Ok(last) {
            return Err(EndgameError::Damaged("its length is not that of its blocks"));
        }
        if bytes.len() < last {
            return Err(EndgameError::Damaged("it is cut off"));
        }
        Ok(Head { family, layout, block, blocks, parts, places, length: last })
    }

    /// Makes the checksums of a table of this form right.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn repair(&self, bytes: &mut [u8]) {
        for (at, (place, _)) in self.places.iter().enumerate() {
            let sum = crc32fast::hash(&bytes[place.clone()]).to_le_bytes();
            let field = HEAD + 8 * self.parts * self.blocks + 4 * at;
            bytes[field..field + 4].copy_from_slice(&sum);
        }
        let sum_at = HEAD + 12 * self.parts * self.blocks;
        let sum = crc32fast::hash(&bytes[..sum_at]).to_le_bytes();
        bytes[sum_at..sum_at + 4].copy_from_slice(&sum);
    }

    /// Compares the checksums of all blocks.
    pub(super) fn check_sums(&self, bytes: &[u8]) -> Result<(), EndgameError> {
        let is_whole =
            |(place, sum): &(Range<usize>, u32)| bytes.get(place.clone()).is_some_and(|block| crc32fast::hash(block) == *sum);
        if self.places.iter().all(is_whole) {
            Ok(())
        } else {
            Err(EndgameError::Damaged("the checksum of a block does not match"))
        }
    }

    /// Whether the table has the distances to the next capture.
    pub(super) fn has_captures(&self) -> bool {
        self.parts == 4
    }

    /// Where the value of a position lies in a part: block and place in it.
    pub(super) fn place(&self, part: usize, number: usize) -> (usize, usize) {
        (part * self.blocks + number / self.block, number % self.block)
    }

    /// The positions of a block.
    fn length_of(&self, block: usize) -> usize {
        let start = block % self.blocks * self.block;
        self.block.min(self.layout.positions() - start)
    }

    /// Unpacks a block.
    pub(super) fn unpack(&self, bytes: &[u8], block: usize) -> Result<Box<[Value]>, EndgameError> {
        let damaged = |_| EndgameError::Damaged("a block cannot be unpacked");
        let (place, sum) = self.places.get(block).ok_or(EndgameError::Damaged("a block is missing"))?;
        let packed = bytes.get(place.clone()).ok_or(EndgameError::Damaged("it is cut off"))?;
        if crc32fast::hash(packed) != *sum {
            return Err(EndgameError::Damaged("the checksum of a block does not match"));
        }
        let mut values = vec![0; self.length_of(block)].into_boxed_slice();
        let length = values.len();
        let mut reader =
            LzmaReader::new(packed, length as u64, LITERAL_CONTEXT, 0, 0, dictionary(length), None).map_err(damaged)?;
        reader.read_exact(&mut values).map_err(damaged)?;
        Ok(values)
    }
}

/// The dictionary of a block of this many bytes.
fn dictionary(length: usize) -> u32 {
    (length.next_power_of_two() as u32).max(1 << 12)
}

/// Packs a block; a small table, which programs carry, as well as it goes, and others in a third of the time to within a tenth.
fn pack(values: &[Value], is_small: bool) -> std::io::Result<Vec<u8>> {
    let (nice, depth) = if is_small { (273, 200) } else { (128, 16) };
    let options = LzmaOptions::new(dictionary(values.len()), LITERAL_CONTEXT, 0, 0, EncodeMode::Normal, nice, MfType::Bt4, depth);
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
    writer.write_all(values)?;
    writer.finish()
}

/// The values of a block, or its distances to the next capture. A number without a position has what the one before it has, and so has a
/// draw among distances, which packs best.
fn block_of(solution: &Solution, part: usize, numbers: Range<usize>) -> Vec<Value> {
    let side = part % 2;
    let captures = solution.captures.as_ref().filter(|_| part >= 2).map(|captures| &captures[side]);
    let mut last = DRAW;
    let values = numbers.map(|number| {
        let value = solution.value(side, number);
        let is_mate = value != ILLEGAL && value != DRAW && value < RULED;
        match captures {
            Some(captures) if is_mate => last = captures[number].load(Relaxed),
            None if value != ILLEGAL => last = value,
            Some(_) | None => {}
        }
        last
    });
    values.collect()
}

/// The table of a solved family as bytes. They do not depend on the number of threads.
///
/// # Errors
/// None in memory, but the compressor says that it could.
pub fn write(solution: &Solution, threads: usize, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Vec<u8>, EndgameError> {
    let positions = solution.layout.positions();
    let blocks = positions.div_ceil(BLOCK);
    let (version, parts) = if solution.captures.is_some() { (WITH_CAPTURES, 4) } else { (VALUES, 2) };
    let packed: Vec<Mutex<std::io::Result<Vec<u8>>>> = (0..parts * blocks).map(|_| Mutex::new(Ok(Vec::new()))).collect();
    in_parts(packed.len(), threads, 1, &|range| {
        for at in range {
            progress(at as u64, packed.len() as u64);
            let start = at % blocks * BLOCK;
            let values = block_of(solution, at / blocks, start..(start + BLOCK).min(positions));
            *packed[at].lock() = pack(&values, 2 * positions <= SMALL);
        }
    });
    let packed: Vec<Vec<u8>> = packed.into_iter().map(Mutex::into_inner).collect::<Result<_, _>>()?;
    let length = HEAD + packed.len() * 12 + 4 + packed.iter().map(Vec::len).sum::<usize>();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend((length as u64).to_le_bytes());
    let mut name = [0; NAME];
    let text = solution.family().to_string();
    name[..text.len()].copy_from_slice(text.as_bytes());
    bytes.extend(name);
    bytes.extend((BLOCK as u32).to_le_bytes());
    bytes.extend((blocks as u32).to_le_bytes());
    let mut end = 0u64;
    for block in &packed {
        end += block.len() as u64;
        bytes.extend(end.to_le_bytes());
    }
    packed.iter().for_each(|block| bytes.extend(crc32fast::hash(block).to_le_bytes()));
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    packed.iter().for_each(|block| bytes.extend(block));
    Ok(bytes)
}
