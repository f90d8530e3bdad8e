//! External merge sort of moves: sorted runs in one temporary file, merged by a heap.
//!
//! Not done with the crate extsort 0.5, which loses everything if the items fill its last run exactly.

use crate::types::Move;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Points and games of a move, from one or more games or books. Ordered by position and move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item {
    /// Key of the position.
    pub key: u64,
    /// The move as stored.
    pub mv: Move,
    /// Points scored by the mover.
    pub points: u32,
    /// Number of games.
    pub games: u32,
}

/// Size of an item on disk in bytes.
const ITEM: usize = 18;
/// Number of items of a run read at once.
const BLOCK: u64 = 2048;

impl Item {
    fn bytes(&self) -> [u8; ITEM] {
        let mut bytes = [0; ITEM];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.mv.bits().to_le_bytes());
        bytes[10..14].copy_from_slice(&self.points.to_le_bytes());
        bytes[14..].copy_from_slice(&self.games.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; ITEM]) -> Item {
        let [a, b, c, d, e, f, g, h, low, high, p, q, r, s, t, u, v, w] = bytes;
        Item {
            key: u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            mv: Move::from_bits(u16::from_le_bytes([low, high])).unwrap_or(Move::NONE),
            points: u32::from_le_bytes([p, q, r, s]),
            games: u32::from_le_bytes([t, u, v, w]),
        }
    }
}

/// Accepts items in any order.
pub struct Sorter {
    buffer: Vec<Item>,
    chunk: usize,
    file: Option<File>,
    /// Ends of the runs in the file, in items.
    ends: Vec<u64>,
}

impl Sorter {
    /// Creates a sorter that holds `chunk` items in memory.
    pub fn new(chunk: usize) -> Sorter {
        Sorter { buffer: Vec::new(), chunk: chunk.max(1), file: None, ends: Vec::new() }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// If a run cannot be written.
    pub fn push(&mut self, item: Item) -> io::Result<()> {
        self.buffer.push(item);
        if self.buffer.len() >= self.chunk { self.write_run() } else { Ok(()) }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.buffer.sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        let mut out = BufWriter::with_capacity(1 << 18, file);
        for item in &self.buffer {
            out.write_all(&item.bytes())?;
        }
        out.flush()?;
        self.ends.push(self.ends.last().unwrap_or(&0) + self.buffer.len() as u64);
        self.buffer.clear();
        Ok(())
    }

    /// Returns all items in order.
    ///
    /// # Errors
    /// If the runs cannot be written or read.
    pub fn finish(mut self) -> io::Result<Sorted> {
        self.buffer.sort_unstable();
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let on_disk = starts.zip(&self.ends).map(|(at, &end)| Run { ready: VecDeque::new(), at, end });
        let in_memory = Run { ready: self.buffer.into(), at: 0, end: 0 };
        let mut sorted = Sorted { runs: on_disk.chain([in_memory]).collect(), heap: BinaryHeap::new(), file: self.file };
        for run in 0..sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// A sorted run.
struct Run {
    /// Items already read.
    ready: VecDeque<Item>,
    /// Start of the unread rest in the file, in items.
    at: u64,
    end: u64,
}

/// Iterator of the items in order.
pub struct Sorted {
    runs: Vec<Run>,
    /// The next item of each run, with the run's number.
    heap: BinaryHeap<Reverse<(Item, usize)>>,
    file: Option<File>,
}

impl Sorted {
    /// Pushes the next item of a run onto the heap.
    fn refill(&mut self, number: usize) -> io::Result<()> {
        let run = &mut self.runs[number];
        if let (true, Some(file)) = (run.ready.is_empty() && run.at < run.end, &mut self.file) {
            let count = (run.end - run.at).min(BLOCK);
            let mut bytes = vec![0; count as usize * ITEM];
            file.seek(SeekFrom::Start(run.at * ITEM as u64))?;
            file.read_exact(&mut bytes)?;
            run.ready.extend(bytes.as_chunks::<ITEM>().0.iter().map(|bytes| Item::from_bytes(*bytes)));
            run.at += count;
        }
        if let Some(item) = run.ready.pop_front() {
            self.heap.push(Reverse((item, number)));
        }
        Ok(())
    }
}

impl Iterator for Sorted {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        let Reverse((item, run)) = self.heap.pop()?;
        match self.refill(run) {
            Ok(()) => Some(Ok(item)),
            Err(error) => {
                self.heap.clear();
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_any_length_are_sorted() {
        for (count, chunk) in [(0, 3), (1, 1), (5000, 4), (5000, 5000), (5000, 7), (9000, 4000), (100, 1000)] {
            let mut sorter = Sorter::new(chunk);
            let item = |n: u64| Item { key: n.wrapping_mul(0x9e37_79b9_7f4a_7c15), mv: Move::NONE, points: n as u32, games: 1 };
            (0..count).for_each(|n| sorter.push(item(n)).unwrap());
            let sorted: Vec<Item> = sorter.finish().unwrap().map(Result::unwrap).collect();
            let mut expected: Vec<Item> = (0..count).map(item).collect();
            expected.sort();
            assert!(sorted == expected, "{count} items in runs of {chunk}");
        }
    }
}
