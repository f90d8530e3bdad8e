//! The CRC-32 of files.

/// The CRC-32 of gzip: that of the bytes so far, 0 before the first, continued with further ones.
///
/// ```
/// assert_eq!(xiangqi::types::crc32(xiangqi::types::crc32(0, b"12345"), b"6789"), 0xcbf4_3926);
/// ```
pub fn crc32(so_far: u32, bytes: &[u8]) -> u32 {
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    return small::crc32(so_far, bytes);
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    {
        let mut hasher = crc32fast::Hasher::new_with_initial(so_far);
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// Without the tables of crc32fast, 16 kB of random bits, which a browser would have to load before it shows a board.
#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
mod small {
    use std::sync::LazyLock;

    /// The CRC of every byte, with the reversed polynomial of IEEE 802.3.
    static TABLE: LazyLock<[u32; 256]> =
        LazyLock::new(|| std::array::from_fn(|byte| (0..8).fold(byte as u32, |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))));

    pub(super) fn crc32(so_far: u32, bytes: &[u8]) -> u32 {
        let table = &*TABLE;
        !bytes.iter().fold(!so_far, |sum, byte| (sum >> 8) ^ table[usize::from(sum as u8 ^ byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::{crc32, small};

    #[test]
    fn both_sums_are_equal() {
        let bytes: Vec<u8> = (0..1000u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for (first, second) in [0, 1, 4, 500, 1000].map(|middle| bytes.split_at(middle)) {
            assert_eq!(crc32(crc32(0, first), second), crc32fast::hash(&bytes));
            assert_eq!(small::crc32(small::crc32(0, first), second), crc32fast::hash(&bytes));
        }
    }
}
