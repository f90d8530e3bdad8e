//! Reading numbers from possibly truncated input, and writing them.

use super::RecordError;

/// A read position in a byte slice, with the slice's offset in its file.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    base: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], base: u64) -> Cursor<'a> {
        Cursor { bytes, at: 0, base }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// An error at the last byte read, with what was expected there.
    pub(super) fn malformed(&self, expected: &'static str) -> RecordError {
        RecordError::Malformed { offset: self.base + self.at.saturating_sub(1) as u64, expected }
    }

    pub(super) fn take(&mut self, count: usize, expected: &'static str) -> Result<&'a [u8], RecordError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else {
            return Err(RecordError::Malformed { offset: self.base + self.at as u64, expected });
        };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    pub(super) fn byte(&mut self, expected: &'static str) -> Result<u8, RecordError> {
        Ok(self.take(1, expected)?[0])
    }

    pub(super) fn varint(&mut self, expected: &'static str) -> Result<u64, RecordError> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte(expected)?;
            let part = (byte & 0x7f) as u64;
            if shift == 63 && part > 1 {
                break;
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.malformed("a varint of at most 64 bits"))
    }
}

pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Zigzag coding: maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
pub(super) fn zigzag(value: i32) -> u64 {
    ((value << 1) ^ (value >> 31)) as u32 as u64
}

pub(super) fn unzigzag(value: u64) -> Option<i32> {
    let value = u32::try_from(value).ok()?;
    Some((value >> 1) as i32 ^ -((value & 1) as i32))
}

/// A little-endian number at a fixed offset.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four)
}
