//! The built-in puzzles, from self-play games of chuhe. `engine-tests/scripts/puzzle_set.py` generates the file.

use super::Puzzle;
use lzma_rust2::LzmaReader;
use std::io::Read;
use std::sync::LazyLock;

/// JSON Lines, compressed with LZMA, including its header.
const PACKED: &[u8] = include_bytes!("builtin.jsonl.lzma");
/// Memory limit of decompression in KiB.
const MEMORY: u32 = 1 << 16;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    let read = LzmaReader::new_mem_limit(PACKED, MEMORY, None).and_then(|mut reader| reader.read_to_string(&mut text));
    match read {
        Ok(_) => text,
        // Unreachable: tests decompress the file.
        Err(_) => String::new(),
    }
});

/// The built-in puzzles as JSON Lines, easiest first.
pub fn builtin_text() -> &'static str {
    &TEXT
}

/// The built-in puzzles, easiest first.
///
/// ```
/// let puzzles: Vec<chuhe::puzzles::Puzzle> = chuhe::puzzles::builtin().collect();
/// assert_eq!(puzzles.len(), 300);
/// ```
pub fn builtin() -> impl Iterator<Item = Puzzle> {
    builtin_text().lines().filter_map(|line| Puzzle::from_json(line).ok())
}
