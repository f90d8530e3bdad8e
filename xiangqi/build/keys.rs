//! The numbers that position keys are computed from.

use crate::geometry::{PIECES, SQUARES};
use crate::write;

/// The keys of the features: 14 pieces by 90 points, and the side to move last.
///
/// aHash uses another algorithm if the compiler may use AES instructions. The keys must be the same everywhere, so such
/// a build (`-C target-cpu=native`) uses the committed list instead; every other build computes them and checks that
/// they equal the list.
pub fn feature_keys() -> String {
    let committed: Vec<u64> = include_str!("../src/board/feature_keys.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| u64::from_str_radix(line.trim(), 16).expect("feature_keys.txt holds one hexadecimal number a line"))
        .collect();
    assert_eq!(committed.len(), PIECES * SQUARES + 1, "feature_keys.txt has a wrong number of keys");
    if !cfg!(target_feature = "aes") {
        let hasher = ahash::RandomState::with_seeds(0x63_6875_6865, 0x695a_9e0e, 0x6c49_8c0c, 2026);
        let mut keys: Vec<u64> =
            (0..PIECES as u64).flat_map(|piece| (0..SQUARES as u64).map(move |square| piece << 8 | square)).collect();
        keys.push(u64::MAX);
        let keys: Vec<u64> = keys.iter().map(|feature| hasher.hash_one(feature)).collect();
        if keys != committed {
            let list: String = keys.iter().map(|key| format!("{key:016x}\n")).collect();
            write(&std::env::var("OUT_DIR").expect("cargo names the output folder"), "computed_feature_keys.txt", list);
            panic!("aHash gives other keys than src/board/feature_keys.txt: books and records would no longer be found");
        }
    }
    let (pieces, side) = committed.split_at(PIECES * SQUARES);
    let mut rows: Vec<&[u64]> = pieces.chunks(SQUARES).collect();
    // The key of an empty feature must be neutral.
    rows.push(&[0; SQUARES]);
    format!("pub(super) static FEATURE_KEYS: [[u64; 90]; 15] = {rows:?};\npub(super) const BLACK_TO_MOVE: u64 = {};\n", side[0])
}
