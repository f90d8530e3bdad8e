//! An approximate index of the games of a segment that reach a position, at about eight bits per position.
//!
//! A segment is 4096 games. Its positions are distributed over 256 buckets by the first byte of their keys. In a bucket, each position of
//! each game is one number: some more bits of the key, followed by the game's index in the segment. The numbers are sorted and the
//! differences Rice-coded, so that a number takes about one and a half bits more than the logarithm of the mean difference. As in the
//! Golomb-coded sets of Compact Block Filters, fewer key bits make the set smaller and less exact: with [`EXACTNESS`] 64, the false positive
//! rate is one in 64.

/// Games per segment.
pub(super) const SEGMENT: u32 = 1 << GAME_BITS;
/// Bits of a game's index in its segment.
const GAME_BITS: u32 = 12;
/// Buckets per segment.
pub(super) const BUCKETS: u32 = 256;
/// Inverse of the false positive rate.
const EXACTNESS: usize = 64;
/// Maximum number of key bits stored, in addition to those that select the bucket.
const MAX_BITS: u32 = 24;

/// The bucket of a key.
pub(super) fn bucket_of(key: u64) -> u32 {
    (key >> 56) as u32
}

/// Collects the positions of a segment.
#[derive(Debug)]
pub(super) struct Builder {
    /// Key, and index of the game in the segment.
    entries: Vec<(u64, u16)>,
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder { entries: Vec::new() }
    }

    /// Adds a position; `game` is the game's index in the segment, below [`SEGMENT`].
    pub(super) fn add(&mut self, key: u64, game: u16) {
        self.entries.push((key, game));
    }

    /// Encodes the buckets, in order.
    pub(super) fn finish(mut self) -> Vec<Vec<u8>> {
        let games = (self.entries.len() / SEGMENT as usize).max(1);
        // There are 256 · 2^bits classes of keys, and a game has `games` positions on average.
        let bits = (games * EXACTNESS).next_power_of_two().ilog2().saturating_sub(8).min(MAX_BITS);
        self.entries.sort_unstable_by_key(|&(key, game)| (key >> 56, number(key, bits, game)));
        let mut rest = self.entries.as_slice();
        let bucket = |bucket| {
            let (own, others) = rest.split_at(rest.partition_point(|&(key, _)| bucket_of(key) == bucket));
            rest = others;
            let mut numbers: Vec<u64> = own.iter().map(|&(key, game)| number(key, bits, game)).collect();
            numbers.dedup();
            encode(&numbers, bits)
        };
        (0..BUCKETS).map(bucket).collect()
    }
}

/// The number that represents a position of a game in its bucket.
fn number(key: u64, bits: u32, game: u16) -> u64 {
    (class(key, bits) << GAME_BITS) | u64::from(game)
}

fn class(key: u64, bits: u32) -> u64 {
    (key << 8).checked_shr(64 - bits).unwrap_or(0)
}

/// Encodes a bucket: number of key bits, Rice parameter, count (three bytes), codes.
fn encode(numbers: &[u64], bits: u32) -> Vec<u8> {
    let mean = (1u64 << (bits + GAME_BITS)) / (numbers.len() as u64).max(1);
    // The optimal parameter is close to the logarithm of 0.69 times the mean.
    let low = (mean * 177 / 256).max(1).ilog2();
    let count = numbers.len() as u32;
    let mut bytes = vec![bits as u8, low as u8, count as u8, (count >> 8) as u8, (count >> 16) as u8];
    let mut writer = BitWriter { bytes: &mut bytes, word: 0, used: 0 };
    let mut next = 0;
    for &number in numbers {
        let gap = number - next;
        next = number + 1;
        for _ in 0..gap >> low {
            writer.put(1, 1);
        }
        writer.put(0, 1);
        writer.put(gap & ((1 << low) - 1), low);
    }
    writer.finish();
    bytes
}

/// The indices in the segment of games that may reach a position with this key; none if the bucket is damaged.
pub(super) fn lookup(bucket: &[u8], key: u64) -> Option<Vec<u16>> {
    let (head, codes) = bucket.split_first_chunk::<5>()?;
    let [bits, low, count @ ..] = *head;
    let (bits, low) = (u32::from(bits), u32::from(low));
    if bits > MAX_BITS || low > MAX_BITS + GAME_BITS {
        return None;
    }
    let count = u32::from_le_bytes([count[0], count[1], count[2], 0]);
    let wanted = class(key, bits);
    let mut reader = BitReader { bytes: codes, at: 0 };
    let mut places = Vec::new();
    let mut next = 0u64;
    for _ in 0..count {
        let high = reader.ones()?;
        let number = next.checked_add((high << low) | reader.bits(low)?)?;
        next = number + 1;
        let class = number >> GAME_BITS;
        if class > wanted {
            break;
        }
        if class == wanted {
            places.push((number & u64::from(SEGMENT - 1)) as u16);
        }
    }
    Some(places)
}

/// Writes bits, low bits of a byte first.
struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    word: u64,
    used: u32,
}

impl BitWriter<'_> {
    fn put(&mut self, value: u64, bits: u32) {
        self.word |= value << self.used;
        self.used += bits;
        while self.used >= 8 {
            self.bytes.push(self.word as u8);
            self.word >>= 8;
            self.used -= 8;
        }
    }

    fn finish(self) {
        if self.used > 0 {
            self.bytes.push(self.word as u8);
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    /// The next bits, at least 57; those after the end are 0.
    fn word(&self) -> u64 {
        let from = (self.at / 8).min(self.bytes.len());
        let mut word = [0; 8];
        let rest = &self.bytes[from..];
        let count = rest.len().min(8);
        word[..count].copy_from_slice(&rest[..count]);
        u64::from_le_bytes(word) >> (self.at % 8)
    }

    fn bits(&mut self, count: u32) -> Option<u64> {
        let value = self.word() & ((1 << count) - 1);
        self.at += count as usize;
        (self.at <= self.bytes.len() * 8).then_some(value)
    }

    /// Counts ones up to the next zero.
    fn ones(&mut self) -> Option<u64> {
        let mut count = 0;
        loop {
            let ones = self.word().trailing_ones().min(56);
            count += u64::from(ones);
            self.at += ones as usize;
            if self.at >= self.bytes.len() * 8 {
                return None;
            }
            if ones < 56 {
                self.at += 1;
                return Some(count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lookup_has_no_false_negatives(games in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..60), 1..120), common in any::<u64>()) {
            let mut builder = Builder::new();
            for (game, keys) in games.iter().enumerate() {
                for &key in keys.iter().chain([&common]) {
                    builder.add(key, game as u16);
                }
            }
            let buckets = builder.finish();
            prop_assert_eq!(buckets.len(), BUCKETS as usize);
            let named = |key: u64| lookup(&buckets[bucket_of(key) as usize], key).unwrap();
            for (game, keys) in games.iter().enumerate() {
                for &key in keys {
                    prop_assert!(named(key).contains(&(game as u16)));
                }
            }
            let all = named(common);
            prop_assert!((0..games.len() as u16).all(|game| all.contains(&game)));
            prop_assert!(all.is_sorted());
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100), key in any::<u64>()) {
            lookup(&bytes, key);
        }
    }

    #[test]
    fn a_full_segment_meets_size_and_false_positive_limits() {
        use rand_xoshiro::Xoshiro256PlusPlus;
        use rand_xoshiro::rand_core::{Rng, SeedableRng};
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut builder = Builder::new();
        const PLIES: usize = 80;
        for game in 0..SEGMENT {
            for _ in 0..PLIES {
                builder.add(random.next_u64(), game as u16);
            }
        }
        let buckets = builder.finish();
        let bytes: usize = buckets.iter().map(Vec::len).sum();
        let bits = bytes as f64 * 8.0 / (SEGMENT as usize * PLIES) as f64;
        assert!(bits < 8.6, "{bits} bits per position");
        let tries = 200;
        let named: usize =
            (0..tries).map(|_| random.next_u64()).map(|key| lookup(&buckets[bucket_of(key) as usize], key).unwrap().len()).sum();
        let share = named as f64 / (tries * SEGMENT as usize) as f64;
        assert!(share < 1.2 / EXACTNESS as f64, "{share}");
    }
}
