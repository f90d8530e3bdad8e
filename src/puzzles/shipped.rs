//! The puzzles that come with the program, from games of chuhe against itself. `engine-tests/scripts/puzzle_set.py` makes the file.

use super::Puzzle;
use lzma_rust2::LzmaReader;
use std::io::Read;
use std::sync::LazyLock;

/// JSON Lines, packed: LZMA with its header.
const PACKED: &[u8] = include_bytes!("shipped.jsonl.lzma");
/// KiB that unpacking may take.
const MEMORY: u32 = 1 << 16;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    let read = LzmaReader::new_mem_limit(PACKED, MEMORY, None).and_then(|mut reader| reader.read_to_string(&mut text));
    match read {
        Ok(_) => text,
        // Tests read the file, so this cannot be reached.
        Err(_) => String::new(),
    }
});

/// The built-in puzzles as JSON Lines, the easiest first.
pub fn shipped_text() -> &'static str {
    &TEXT
}

/// The built-in puzzles, the easiest first.
///
/// ```
/// let puzzles: Vec<chuhe::puzzles::Puzzle> = chuhe::puzzles::shipped().collect();
/// assert_eq!(puzzles.len(), 300);
/// ```
pub fn shipped() -> impl Iterator<Item = Puzzle> {
    shipped_text().lines().filter_map(|line| Puzzle::from_json(line).ok())
}
