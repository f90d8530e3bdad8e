//! Encoding of numbers and strings in blobs.

/// Appends a number as LEB128: seven bits per byte, low bits first.
pub(super) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a string, prefixed by its length.
pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads bytes from the front of a blob; none if there are too few.
pub(super) fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (front, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(front)
}

/// Reads a byte.
pub(super) fn take_byte(bytes: &mut &[u8]) -> Option<u8> {
    take(bytes, 1).map(|front| front[0])
}

/// Reads a number.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(bytes)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Reads a string.
pub(super) fn take_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(take_number(bytes)?).ok()?;
    std::str::from_utf8(take(bytes, length)?).ok()
}
