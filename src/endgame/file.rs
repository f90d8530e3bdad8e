//! The file format of tables. All numbers are little-endian.
//!
//! ```text
//! "chuheegt", u32 version, u64 bytes of the entire table, [u8; 16] name of the family, padded with zeros,
//! u32 positions in a block, u32 blocks B of each part,
//! u64 end of each block, counted from the end of the header [parts * B], u32 CRC-32 of each block as stored [parts * B],
//! u32 CRC-32 of the header up to here,
//! blocks: values of positions with the first side to move, then with the other, then optionally the distances of both to the next
//! capture or mate; each block is compressed with LZMA
//! ```
//!
//! | version | parts | bytes of a value |
//! |---|---|---|
//! | 1 | 2: values | 1 |
//! | 2 | 4: values and distances to the next capture | 1 |
//! | 3 | 2 | 2 |
//! | 4 | 4 | 2 |
//!
//! A table has two bytes per value only if one of its values does not fit into one; a block then has the low bytes of all its values before the
//! high ones. Distances to the next capture always fit into a byte.
//!
//! `layout` defines the number of a position, `value` and `captures` what is stored for it. A number without a position has the value of the
//! previous one, which compresses best.
//!
//! The blocks are raw LZMA streams of the crate lzma-rust2: among the pure Rust compressors (it, brotli, miniz_oxide, lz4_flex, ruzstd) it gives the
//! smallest tables, 110 kB for R-D where deflate takes 530 kB, and it is maintained; without its `optimization` feature it has no
//! unsafe code and builds for every target.

use super::error::EndgameError;
use super::family::Family;
use super::layout::Layout;
use super::solve::{Solution, in_parts};
use super::value::{self, DRAW, ILLEGAL, Value};
use crate::memory::available_memory;
use crate::types::crc32;
use lzma_rust2::{EncodeMode, LzmaOptions, LzmaReader, LzmaWriter, MfType};
use parking_lot::Mutex;
use std::io::{Read, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The newest version.
const VERSION: u32 = 4;

/// The parts of a table of a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    /// Bytes of a value, 1 or 2.
    pub(super) width: usize,
    /// Whether the distances to the next capture follow the values.
    pub(super) has_captures: bool,
}

impl Parts {
    fn of_version(version: u32) -> Option<Parts> {
        let from_zero = version.checked_sub(1).filter(|_| version <= VERSION)?;
        Some(Parts { width: 1 + from_zero as usize / 2, has_captures: from_zero % 2 == 1 })
    }

    fn version(self) -> u32 {
        1 + 2 * (self.width as u32 - 1) + self.has_captures as u32
    }

    /// Number of parts: the values for each side to move, and optionally the distances to the next capture for each.
    pub(super) fn count(self) -> usize {
        if self.has_captures { 4 } else { 2 }
    }

    /// Bytes of a position in a part.
    fn width_of(self, part: usize) -> usize {
        if part < 2 { self.width } else { 1 }
    }

    /// Whether a table is small enough to be compressed with more effort, and kept decompressed.
    pub(super) fn is_small(self, positions: usize) -> bool {
        (2 * self.width).saturating_mul(positions) <= SMALL
    }

    /// Size of all parts in bytes, decompressed.
    pub(super) fn unpacked(self, positions: usize) -> u64 {
        (0..self.count()).map(|part| self.width_of(part) as u64 * positions as u64).sum()
    }
}

/// A decompressed block.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Box<[u8]>,
    positions: usize,
}

impl Block {
    /// The value of a position of the block.
    #[inline]
    pub(super) fn value(&self, at: usize) -> Value {
        match self.bytes.get(self.positions + at) {
            None => value::of_byte(self.bytes[at]),
            Some(&high) => Value::from_le_bytes([self.bytes[at], high]),
        }
    }

    /// The count of a position in a block of distances to the next capture.
    #[inline]
    pub(super) fn count(&self, at: usize) -> u8 {
        self.bytes[at]
    }

    /// Size in memory in bytes.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// The first bytes of every table.
pub(super) const MAGIC: [u8; 8] = *b"chuheegt";
/// Positions in a block. Smaller blocks compress worse, because repetitions lie far apart: R-D takes 110 kB in one block and 350 kB in blocks of
/// 65 536. A block is decompressed in about 20 ms.
const BLOCK: usize = 1 << 21;
/// Tables whose values take at most this many bytes are compressed with more effort, and kept decompressed.
const SMALL: usize = 32 << 20;
/// Memory that packing a block takes, in sizes of the block: the match finder's tree and hash tables, its window, the input and the output.
const PACKING: usize = 16;
/// Bytes of the header before the ends of blocks.
const HEAD: usize = 8 + 4 + 8 + NAME + 4 + 4;
const NAME: usize = 16;
/// More positions than any family that this program solves, as far as `usize` can represent it.
const MAX_POSITIONS: usize = if usize::BITS > 40 { 1 << 40 } else { usize::MAX };

/// LZMA properties: literal context bits, and no position bits, since a value is unrelated to the position of the next.
const LITERAL_CONTEXT: u32 = 2;

/// The header of a table.
pub(super) struct Head {
    pub(super) family: Family,
    pub(super) layout: Layout,
    /// Positions in a block.
    pub(super) block: usize,
    /// Blocks of each part.
    pub(super) blocks: usize,
    pub(super) parts: Parts,
    /// The byte range of each block in the table, and its checksum.
    spans: Vec<(Range<usize>, u32)>,
    /// Size of the entire table in bytes.
    pub(super) length: usize,
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], EndgameError> {
    let cut = EndgameError::Damaged("its header is cut off");
    bytes.get(at..at + N).and_then(|field| field.try_into().ok()).ok_or(cut)
}

impl Head {
    /// Reads the header at the beginning of these bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Head, EndgameError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(EndgameError::NotTable);
        }
        let version = u32::from_le_bytes(field(bytes, 8)?);
        let parts = Parts::of_version(version).ok_or(EndgameError::Version { found: version, newest: VERSION })?;
        let count = parts.count();
        let length = u64::from_le_bytes(field(bytes, 12)?);
        let name: [u8; NAME] = field(bytes, 20)?;
        let block = u32::from_le_bytes(field(bytes, 20 + NAME)?) as usize;
        let blocks = u32::from_le_bytes(field(bytes, 24 + NAME)?) as usize;
        let sum_at = HEAD + count * blocks.min(MAX_POSITIONS / BLOCK) * 12;
        let sum = u32::from_le_bytes(field(bytes, sum_at)?);
        if sum != crc32(0, &bytes[..sum_at]) {
            return Err(EndgameError::Damaged("the checksum of its header does not match"));
        }
        let name = String::from_utf8_lossy(&name);
        let family: Family = name.trim_end_matches('\0').parse()?;
        let layout = Layout::new(&family);
        if block == 0 || block > BLOCK || blocks != layout.positions().div_ceil(block) {
            return Err(EndgameError::Damaged("it has another number of blocks than its family"));
        }
        let start = sum_at + 4;
        let mut spans = Vec::with_capacity(count * blocks);
        let mut last = start;
        for at in 0..count * blocks {
            let end = u64::from_le_bytes(field(bytes, HEAD + 8 * at)?);
            let end = usize::try_from(end).ok().and_then(|end| end.checked_add(start)).filter(|&end| end >= last);
            let end = end.ok_or(EndgameError::Damaged("its blocks do not follow each other"))?;
            let sum = u32::from_le_bytes(field(bytes, HEAD + 8 * count * blocks + 4 * at)?);
            spans.push((last..end, sum));
            last = end;
        }
        if usize::try_from(length) != Ok(last) {
            return Err(EndgameError::Damaged("its length is not that of its blocks"));
        }
        if bytes.len() < last {
            return Err(EndgameError::Damaged("it is cut off"));
        }
        Ok(Head { family, layout, block, blocks, parts, spans, length: last })
    }

    /// Corrects the checksums of a table of this layout.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn repair(&self, bytes: &mut [u8]) {
        for (at, (span, _)) in self.spans.iter().enumerate() {
            let sum = crc32(0, &bytes[span.clone()]).to_le_bytes();
            let field = HEAD + 8 * self.parts.count() * self.blocks + 4 * at;
            bytes[field..field + 4].copy_from_slice(&sum);
        }
        let sum_at = HEAD + 12 * self.parts.count() * self.blocks;
        let sum = crc32(0, &bytes[..sum_at]).to_le_bytes();
        bytes[sum_at..sum_at + 4].copy_from_slice(&sum);
    }

    /// Compares the checksums of all blocks.
    pub(super) fn check_sums(&self, bytes: &[u8]) -> Result<(), EndgameError> {
        let is_right = |(span, sum): &(Range<usize>, u32)| bytes.get(span.clone()).is_some_and(|block| crc32(0, block) == *sum);
        if self.spans.iter().all(is_right) {
            Ok(())
        } else {
            Err(EndgameError::Damaged("the checksum of a block does not match"))
        }
    }

    /// Where a part has the value of a position: the block, and the index in it.
    pub(super) fn location(&self, part: usize, number: usize) -> (usize, usize) {
        (part * self.blocks + number / self.block, number % self.block)
    }

    /// The positions of a block.
    fn length_of(&self, block: usize) -> usize {
        let start = block % self.blocks * self.block;
        self.block.min(self.layout.positions() - start)
    }

    /// Decompresses a block.
    pub(super) fn unpack(&self, bytes: &[u8], block: usize) -> Result<Block, EndgameError> {
        let damaged = |_| EndgameError::Damaged("a block cannot be unpacked");
        let (span, sum) = self.spans.get(block).ok_or(EndgameError::Damaged("a block is missing"))?;
        let packed = bytes.get(span.clone()).ok_or(EndgameError::Damaged("it is cut off"))?;
        if crc32(0, packed) != *sum {
            return Err(EndgameError::Damaged("the checksum of a block does not match"));
        }
        let positions = self.length_of(block);
        let length = positions * self.parts.width_of(block / self.blocks);
        let mut unpacked = vec![0; length].into_boxed_slice();
        let mut reader =
            LzmaReader::new(packed, length as u64, LITERAL_CONTEXT, 0, 0, dictionary(length), None).map_err(damaged)?;
        reader.read_exact(&mut unpacked).map_err(damaged)?;
        Ok(Block { bytes: unpacked, positions })
    }
}

/// The dictionary size for a block of this many bytes.
fn dictionary(length: usize) -> u32 {
    (length.next_power_of_two() as u32).max(1 << 12)
}

/// Compresses a block: a small table, which is built into programs, as well as possible, others in a third of the time to within a tenth of that.
fn pack(bytes: &[u8], is_small: bool) -> std::io::Result<Vec<u8>> {
    let (nice, depth) = if is_small { (273, 200) } else { (128, 16) };
    let options = LzmaOptions::new(dictionary(bytes.len()), LITERAL_CONTEXT, 0, 0, EncodeMode::Normal, nice, MfType::Bt4, depth);
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
    writer.write_all(bytes)?;
    writer.finish()
}

/// The bytes of a block of values. A number without a position has the value of the previous one, which compresses best.
fn values_of(solution: &Solution, side: usize, numbers: Range<usize>, width: usize) -> Vec<u8> {
    let mut last = DRAW;
    let values = numbers.map(|number| {
        let value = solution.value(side, number);
        last = if value == ILLEGAL { last } else { value };
        last
    });
    if width == 1 {
        // The width is 1 only if every value fits.
        return values.map(|value| value::to_byte(value).unwrap_or(DRAW as u8)).collect();
    }
    let (mut bytes, high): (Vec<u8>, Vec<u8>) = values.map(Value::to_le_bytes).map(|[low, high]| (low, high)).unzip();
    bytes.extend(high);
    bytes
}

/// The bytes of a block of distances to the next capture. A position that is neither won nor lost by mate has that of the previous number.
fn counts_of(solution: &Solution, captures: &[AtomicU8], side: usize, numbers: Range<usize>) -> Vec<u8> {
    let mut last = 0;
    let counts = numbers.map(|number| {
        if value::is_mate(solution.value(side, number)) {
            last = captures[number].load(Relaxed);
        }
        last
    });
    counts.collect()
}

/// Encodes the table of a solved family. The bytes do not depend on the number of threads.
///
/// # Errors
/// None occurs in memory, but the compressor's interface allows for errors.
pub fn write(solution: &Solution, threads: usize, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<Vec<u8>, EndgameError> {
    write_in(if solution.is_narrow() { 1 } else { 2 }, solution, threads, progress)
}

/// As [`write`], with this many bytes per value.
pub(super) fn write_in(
    width: usize,
    solution: &Solution,
    threads: usize,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Vec<u8>, EndgameError> {
    let parts = Parts { width, has_captures: solution.captures.is_some() };
    let positions = solution.layout.positions();
    let blocks = positions.div_ceil(BLOCK);
    // As many threads as there is memory for, which does not affect the bytes.
    let of_thread = (PACKING * width * BLOCK.min(positions).max(1)) as u64;
    let threads = threads.min(usize::try_from(available_memory() / of_thread).unwrap_or(usize::MAX)).max(1);
    let packed: Vec<Mutex<std::io::Result<Vec<u8>>>> = (0..parts.count() * blocks).map(|_| Mutex::new(Ok(Vec::new()))).collect();
    in_parts(packed.len(), threads, 1, &|range| {
        for at in range {
            progress(at as u64, packed.len() as u64);
            let start = at % blocks * BLOCK;
            let numbers = start..(start + BLOCK).min(positions);
            let (part, side) = (at / blocks, at / blocks % 2);
            let bytes = match solution.captures.as_ref().filter(|_| part >= 2) {
                None => values_of(solution, side, numbers, width),
                Some(captures) => counts_of(solution, &captures[side], side, numbers),
            };
            *packed[at].lock() = pack(&bytes, parts.is_small(positions));
        }
    });
    let packed: Vec<Vec<u8>> = packed.into_iter().map(Mutex::into_inner).collect::<Result<_, _>>()?;
    let length = HEAD + packed.len() * 12 + 4 + packed.iter().map(Vec::len).sum::<usize>();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(parts.version().to_le_bytes());
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
    packed.iter().for_each(|block| bytes.extend(crc32(0, block).to_le_bytes()));
    let sum = crc32(0, &bytes);
    bytes.extend(sum.to_le_bytes());
    packed.iter().for_each(|block| bytes.extend(block));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Solver;

    #[test]
    fn versions_are_those_of_the_forms() {
        for version in 1..=VERSION {
            assert_eq!(Parts::of_version(version).map(Parts::version), Some(version));
        }
        assert!([0, VERSION + 1, u32::MAX].into_iter().all(|version| Parts::of_version(version).is_none()));
        assert_eq!(Parts::of_version(2), Some(Parts { width: 1, has_captures: true }));
    }

    #[test]
    fn two_bytes_hold_what_one_holds() {
        let mut solver = Solver::new(2, &|_, _| {});
        solver.captures_from = Solver::BUILTIN_CAPTURES_FROM;
        // By repetition, and with distances to captures.
        for name in ["R-N", "N-P"] {
            let solution = solver.solve(&name.parse().unwrap()).unwrap();
            let [narrow, wide] = [1, 2].map(|width| write_in(width, &solution, 2, &|_, _| {}).unwrap());
            assert_eq!(write(&solution, 1, &|_, _| {}).unwrap(), narrow);
            let heads = [&narrow, &wide].map(|bytes| Head::read(bytes).unwrap());
            assert_eq!(heads.each_ref().map(|head| head.parts.width), [1, 2]);
            assert_eq!(heads.each_ref().map(|head| head.parts.has_captures), [name == "N-P"; 2]);
            for part in 0..heads[0].parts.count() {
                let blocks = [heads[0].unpack(&narrow, part).unwrap(), heads[1].unpack(&wide, part).unwrap()];
                for number in 0..solution.layout.positions() {
                    if part >= 2 {
                        assert_eq!(blocks[0].count(number), blocks[1].count(number));
                        continue;
                    }
                    let value = solution.value(part, number);
                    assert_eq!(blocks[0].value(number), blocks[1].value(number), "{name} {number}");
                    assert!(value == ILLEGAL || blocks[1].value(number) == value, "{name} {number}");
                }
            }
        }
    }
}
