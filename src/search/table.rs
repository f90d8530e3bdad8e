//! The transposition table.
//!
//! Clusters of 32 bytes hold three entries, as in Stockfish. All threads read and write without locks. Every word is a relaxed atomic,
//! so there is no data race; an entry whose two words come from different writers is detected by its key, which is stored XORed with
//! the data (Hyatt and Mann, "A lock-less transposition table implementation", 2002).

use super::memory::{self, Cluster, ENTRIES};
use super::score::UNKNOWN;
use crate::board::Position;
use crate::rules::NaturalLimit;
use crate::types::Move;
use std::sync::atomic::{AtomicU8, Ordering};

/// Plies before the natural limit in which the move clock is part of the table key.
const COUNTED_PLIES: u16 = 40;
/// Number of clock values that share a key.
const COUNT_STEP: u64 = 8;

/// The table key of a position under this limit. It includes the move clock near the limit, and whether the position has occurred before,
/// since the score then depends on the path.
#[inline(always)]
pub(super) fn table_key(position: &Position, limit: NaturalLimit) -> u64 {
    let repeated = position.repeats() as u64;
    let bucket = match limit.passed_of_last(COUNTED_PLIES, position.clock()) {
        0 => 0,
        passed => 1 + passed as u64 / COUNT_STEP,
    };
    position.board().key() ^ (bucket | repeated << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// How a stored score bounds the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum TableBound {
    /// No score, only an evaluation.
    None,
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The stored score is the true one.
    Exact,
}

impl TableBound {
    const ALL: [TableBound; 4] = [TableBound::None, TableBound::Upper, TableBound::Lower, TableBound::Exact];

    /// Whether the true score is at least the stored one.
    #[inline]
    pub(super) fn is_lower(self) -> bool {
        self as u8 & TableBound::Lower as u8 != 0
    }

    /// Whether the true score is at most the stored one.
    #[inline]
    fn is_upper(self) -> bool {
        self as u8 & TableBound::Upper as u8 != 0
    }
}

/// The stored data of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    /// Best move, or [`Move::NONE`]. It may belong to another position with the same short key, so its legality must be checked.
    pub(super) mv: Move,
    /// Score in the form of [`super::score::to_table`]; [`UNKNOWN`] if there is none.
    pub(super) score: i32,
    /// Uncorrected static evaluation; [`UNKNOWN`] in check.
    pub(super) evaluation: i32,
    /// Search depth in plies; at most 0 for quiescence, see [`DEPTH_NONE`].
    pub(super) depth: i32,
    pub(super) bound: TableBound,
    /// Whether the position is or was on a principal variation.
    pub(super) was_pv: bool,
}

impl TableEntry {
    /// An empty entry.
    pub(super) const NONE: TableEntry = TableEntry {
        mv: Move::NONE,
        score: UNKNOWN,
        evaluation: UNKNOWN,
        depth: DEPTH_NONE,
        bound: TableBound::None,
        was_pv: false,
    };

    /// Whether the bound decides on which side of `limit` the true score is: a lower bound of at least `limit`, or an upper bound below it.
    #[inline]
    pub(super) fn decides(&self, limit: i32) -> bool {
        self.score != UNKNOWN && if self.score >= limit { self.bound.is_lower() } else { self.bound.is_upper() }
    }
}

/// Depth of a quiescence entry with quiet checks.
pub(super) const DEPTH_CHECKS: i32 = 0;
/// Depth of a quiescence entry without quiet checks.
pub(super) const DEPTH_CAPTURES: i32 = -1;
/// Depth of an entry with an evaluation only.
pub(super) const DEPTH_NONE: i32 = -2;
/// Offset of stored depths, so that 0 marks an empty entry.
const DEPTH_OFFSET: i32 = 3;
/// Entries sampled to estimate how full the table is. Every report takes a sample; a larger one would slow short searches down.
const SAMPLE: usize = 1000;
/// Table entries per node of a search: enough for all searches of a game if each node stores one entry.
const ENTRIES_PER_NODE: u64 = 16;
/// Minimum size in bytes of the part in use.
const MIN_IN_USE: usize = 64 << 20;
/// Number of ages; they wrap around, so after this many searches an old entry looks new again.
const AGES: u8 = 32;

#[inline]
fn fold(data: u64) -> u16 {
    (data ^ data >> 16 ^ data >> 32 ^ data >> 48) as u16
}

fn pack(entry: &TableEntry, age: u8) -> u64 {
    entry.mv.bits() as u64
        | (entry.score as i16 as u16 as u64) << 16
        | (entry.evaluation as i16 as u16 as u64) << 32
        | ((entry.depth + DEPTH_OFFSET).clamp(1, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | (entry.was_pv as u64) << 58
        | (age as u64) << 59
}

#[inline]
fn unpack(data: u64) -> TableEntry {
    TableEntry {
        mv: Move::from_bits(data as u16).unwrap_or(Move::NONE),
        score: (data >> 16) as i16 as i32,
        evaluation: (data >> 32) as i16 as i32,
        depth: depth_of(data) - DEPTH_OFFSET,
        bound: TableBound::ALL[(data >> 56 & 3) as usize],
        was_pv: data >> 58 & 1 != 0,
    }
}

#[inline]
fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xff) as i32
}

/// The clusters of the part in use for a search of this many nodes.
fn clusters_for(nodes: u64) -> usize {
    let clusters = nodes.saturating_mul(ENTRIES_PER_NODE) / ENTRIES as u64;
    usize::try_from(clusters).unwrap_or(usize::MAX).max(MIN_IN_USE / size_of::<Cluster>())
}

/// The transposition table.
pub(super) struct TranspositionTable {
    clusters: memory::Clusters,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB (at least 1), or less when memory is short. A part of it is ready.
    pub(super) fn new(mib: usize) -> TranspositionTable {
        TranspositionTable { clusters: memory::Clusters::new(mib.max(1)), age: AtomicU8::new(0) }
    }

    /// Size in MiB, rounded up.
    pub(super) fn mib(&self) -> usize {
        (self.clusters.capacity() * size_of::<Cluster>()).div_ceil(1 << 20)
    }

    /// MiB of memory that the system has provided for it.
    pub(super) fn occupied_mib(&self) -> usize {
        (self.clusters.occupied() * size_of::<Cluster>()) >> 20
    }

    /// Removes all entries; afterwards a part of the table is ready.
    pub(super) fn clear(&self) {
        self.clusters.clear();
        self.age.store(0, Ordering::Relaxed);
    }

    /// Prepares the memory that [`Self::use_for`] takes for this many nodes, on all processors, until it is ready or `is_wanted` returns
    /// false.
    pub(super) fn prepare(&self, nodes: u64, is_wanted: impl Fn() -> bool + Sync) {
        self.clusters.prepare(clusters_for(nodes), is_wanted);
    }

    /// Extends the part in use to [`ENTRIES_PER_NODE`] entries for each of this many nodes, at least [`MIN_IN_USE`], limited by the part
    /// that is ready. It never shrinks. All entries are lost when it grows. No search may be running.
    ///
    /// Entries spread over gigabytes miss the caches and the TLB more often than those of a smaller table, so a short search would pay
    /// for memory that it cannot fill.
    pub(super) fn use_for(&self, nodes: u64) {
        self.clusters.use_at_least(clusters_for(nodes));
    }

    /// Starts a new search, so that entries of earlier searches are replaced first.
    pub(super) fn new_search(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.clusters.in_use();
        &clusters[((key as u128 * clusters.len() as u128) >> 64) as usize]
    }

    /// Prefetches the cluster that [`Self::probe`] will read.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// The entry with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<TableEntry> {
        let cluster = self.cluster(key);
        (0..ENTRIES).find_map(|index| {
            let data = cluster.data[index].load(Ordering::Relaxed);
            let matches = cluster.keys[index].load(Ordering::Relaxed) ^ fold(data) == key as u16;
            (matches && depth_of(data) != 0).then(|| unpack(data))
        })
    }

    /// Stores an entry in place of the one with the same key or of the least valuable one in the cluster.
    pub(super) fn store(&self, key: u64, mut entry: TableEntry) {
        let cluster = self.cluster(key);
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        let mut known = None;
        for index in 0..ENTRIES {
            let data = cluster.data[index].load(Ordering::Relaxed);
            if depth_of(data) == 0 {
                (victim, known) = (index, None);
                break;
            }
            if cluster.keys[index].load(Ordering::Relaxed) ^ fold(data) == key as u16 {
                (victim, known) = (index, Some(data));
                break;
            }
            let value = depth_of(data) - 4 * self.searches_ago(data, age);
            if value < lowest {
                (victim, lowest) = (index, value);
            }
        }
        if let Some(data) = known {
            let old = unpack(data);
            if entry.mv.is_none() {
                entry.mv = old.mv;
            }
            // A shallower bound does not replace a deeper result of this search.
            let keep = entry.bound != TableBound::Exact
                && entry.depth + 4 + 2 * entry.was_pv as i32 <= old.depth
                && self.searches_ago(data, age) == 0;
            if keep {
                if entry.mv == old.mv {
                    return;
                }
                entry = TableEntry { mv: entry.mv, ..old };
            }
        }
        let data = pack(&entry, age);
        cluster.data[victim].store(data, Ordering::Relaxed);
        cluster.keys[victim].store(key as u16 ^ fold(data), Ordering::Relaxed);
    }

    fn searches_ago(&self, data: u64, age: u8) -> i32 {
        ((AGES + age - (data >> 59) as u8) % AGES) as i32
    }

    /// Entries of the current search in thousandths of all, estimated from about a thousand.
    pub(super) fn permille_in_use(&self) -> u16 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters.in_use()[..self.clusters.in_use().len().min(SAMPLE.div_ceil(ENTRIES))];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|word| word.load(Ordering::Relaxed))
            .filter(|&data| depth_of(data) != 0 && self.searches_ago(data, age) == 0)
            .count();
        (used * 1000 / (sample.len() * ENTRIES).max(1)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;
    use std::sync::atomic::AtomicU64;

    /// An entry with every field derived from the key, so that a mixture of two is recognised.
    fn entry_of(key: u64) -> TableEntry {
        let place = |shift: u32| Square::from_index((key >> shift) as usize % 90);
        TableEntry {
            mv: Move::new(place(20), place(30)),
            score: (key >> 8) as i16 as i32 / 2,
            evaluation: (key >> 24) as i16 as i32 / 2,
            depth: (key >> 40) as i32 % 100,
            bound: TableBound::ALL[1 + (key >> 50) as usize % 3],
            was_pv: key >> 60 & 1 != 0,
        }
    }

    fn key(number: u64) -> u64 {
        number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number << 40
    }

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1);
        for number in 0..200 {
            table.store(key(number), entry_of(key(number)));
            assert_eq!(table.probe(key(number)), Some(entry_of(key(number))));
        }
        let bare = TableEntry { evaluation: -77, ..TableEntry::NONE };
        table.store(5, bare);
        assert_eq!(table.probe(5), Some(bare));
        assert!(table.permille_in_use() <= 1000);
        for mib in [1, 40] {
            let table = TranspositionTable::new(mib);
            table.prepare(u64::MAX, || true);
            table.use_for(u64::MAX);
            (0..200).for_each(|number| table.store(key(number), entry_of(key(number))));
            table.store(u64::MAX, entry_of(key(8)));
            table.clear();
            for _ in 0..2 {
                assert!((0..200).all(|number| table.probe(key(number)).is_none()));
                assert_eq!((table.probe(u64::MAX), table.permille_in_use(), table.mib()), (None, 0, mib));
                table.prepare(u64::MAX, || true);
            }
            assert!(table.clusters.is_ready());
        }
    }

    #[test]
    fn a_short_search_uses_a_part_of_a_large_table() {
        let table = TranspositionTable::new(100);
        table.prepare(u64::MAX, || true);
        table.use_for(1000);
        assert_eq!(size_of_val(table.clusters.in_use()), MIN_IN_USE);
        table.store(7, entry_of(7));
        table.use_for(500_000);
        assert_eq!(table.clusters.in_use().len(), 500_000 * 16 / 3);
        table.use_for(1000);
        assert_eq!(table.clusters.in_use().len(), 500_000 * 16 / 3, "entries stay in place for later searches of the game");
        table.use_for(u64::MAX);
        assert_eq!(size_of_val(table.clusters.in_use()), 100 << 20);
        assert_eq!(table.mib(), 100);
        table.clear();
        table.prepare(u64::MAX, || true);
        table.use_for(u64::MAX);
        assert!(table.clusters.in_use().iter().all(|cluster| cluster.data.iter().all(|word| word.load(Ordering::Relaxed) == 0)));
    }

    #[test]
    fn deep_results_stay_and_old_ones_go() {
        let table = TranspositionTable::new(1);
        let deep = TableEntry { depth: 20, ..entry_of(key(1)) };
        let deep = TableEntry { bound: TableBound::Lower, ..deep };
        table.store(key(1), deep);
        table.store(key(1), TableEntry { depth: 3, bound: TableBound::Upper, ..deep });
        assert_eq!(table.probe(key(1)), Some(deep), "a shallow bound does not replace a deep one");
        table.new_search();
        let shallow = TableEntry { depth: 3, bound: TableBound::Upper, ..deep };
        table.store(key(1), shallow);
        assert_eq!(table.probe(key(1)), Some(shallow), "it does replace one of an earlier search");
    }

    #[test]
    fn threads_never_see_mixed_entries() {
        let table = TranspositionTable::new(1);
        let wrong = AtomicU64::new(0);
        // All keys fall into few clusters and many share their short key, so that writers collide all the time.
        let crowded = |number: u64| (key(number) & 0x0000_ffff_ffff_fff8) | (number % 3);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (table, wrong) = (&table, &wrong);
                scope.spawn(move || {
                    for round in 0..60_000u64 {
                        let number = (round * 7 + thread * 13) % 64;
                        let key = crowded(number);
                        table.store(key, entry_of(key));
                        // The entry may belong to another key with the same short key, but it must be one that some thread wrote, not a
                        // mixture.
                        if let Some(found) = table.probe(key) {
                            let is_whole = (0..64).any(|other| entry_of(crowded(other)) == found);
                            wrong.fetch_add(!is_whole as u64, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        // The XORed key fails to detect a mixture once in 65536 cases.
        assert!(wrong.into_inner() <= 4);
    }
}
