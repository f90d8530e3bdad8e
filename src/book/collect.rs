//! Making a book out of moves that come in any order and any number: they are summed up by sorting, in pieces that lie on
//! disk when there are too many for memory.

use super::BookMove;
use super::encode::{self, BookEntry, Contents, NO_NAME, Opening};
use super::place::place_of;
use super::sorter::{Item, Sorter};
use super::text::LARGEST_WEIGHT;
use crate::board::Board;
use crate::board::START_FEN;
use crate::types::Move;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::iter::Peekable;

/// Moves that are sorted in memory; about 24 MiB.
const CHUNK: usize = 1 << 20;
/// A number of games that no limit excludes: the move comes from a book, where somebody has chosen it.
const CHOSEN: u32 = u32::MAX;

/// Collects moves.
pub struct Collector {
    sorter: Sorter,
    names: BTreeMap<u64, Opening>,
    starts: BTreeSet<String>,
}

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Positions with a move or a name.
    pub positions: u64,
    /// Moves.
    pub moves: u64,
}

impl Default for Collector {
    fn default() -> Collector {
        Collector::new(CHUNK)
    }
}

impl Collector {
    /// A collector that sorts this many moves in memory at a time.
    pub fn new(chunk: usize) -> Collector {
        Collector { sorter: Sorter::new(chunk), names: BTreeMap::new(), starts: BTreeSet::new() }
    }

    fn push(&mut self, board: &Board, mv: Move, points: u32, games: u32) -> io::Result<()> {
        let (key, turn) = place_of(board);
        self.sorter.push(Item { key, mv: turn.stored(mv), points, games })
    }

    /// Takes a move of a game that was worth this many points to the mover.
    ///
    /// # Errors
    /// When a piece cannot be written to disk.
    pub fn game_move(&mut self, board: &Board, mv: Move, points: u32) -> io::Result<()> {
        self.push(board, mv, points, 1)
    }

    /// Takes the moves that a book knows in a position. Of a move and its image in a symmetric position the heavier counts:
    /// some books state both.
    ///
    /// # Errors
    /// When a piece cannot be written to disk.
    pub fn book_moves(&mut self, board: &Board, moves: &[BookMove]) -> io::Result<()> {
        let (_, turn) = place_of(board);
        let mut heaviest: BTreeMap<Move, u32> = BTreeMap::new();
        for found in moves {
            let weight = heaviest.entry(turn.stored(found.mv)).or_default();
            *weight = found.weight.max(*weight);
        }
        heaviest.into_iter().try_for_each(|(mv, weight)| self.push(board, turn.played(mv), weight, CHOSEN))
    }

    /// Takes a whole book of our own.
    ///
    /// # Errors
    /// When a piece cannot be written to disk.
    pub fn contents(&mut self, contents: &Contents) -> io::Result<()> {
        for entry in &contents.entries {
            if let Some(name) = contents.name(entry.name) {
                self.names.entry(entry.key).or_insert_with(|| name.clone());
            }
            if !entry.mv.is_none() {
                self.sorter.push(Item { key: entry.key, mv: entry.mv, points: entry.weight, games: CHOSEN })?;
            }
        }
        self.starts.extend(contents.starts.iter().cloned());
        Ok(())
    }

    /// Takes a position that games or lines start from.
    pub fn start(&mut self, fen: &str) {
        if fen != START_FEN {
            self.starts.insert(fen.to_string());
        }
    }

    /// Writes the book: moves that fewer games have played than asked for are left out, unless a book has chosen them.
    ///
    /// # Errors
    /// What the disk says.
    pub fn finish(self, out: impl Write, min_games: u32) -> io::Result<Written> {
        let mut names: Vec<Opening> = self.names.values().cloned().collect();
        names.sort();
        names.dedup();
        names.truncate(NO_NAME as usize);
        let numbers = self.names.iter().map(|(&key, name)| (key, names.binary_search(name).map_or(NO_NAME, |at| at as u16)));
        let mut written = Written::default();
        let positions = Positions {
            items: self.sorter.finish()?.peekable(),
            names: numbers.collect::<Vec<_>>().into_iter().peekable(),
            min_games,
            ready: Vec::new(),
            written: &mut written,
        };
        let starts: Vec<String> = self.starts.into_iter().collect();
        encode::write(out, positions, &names, &starts)?;
        Ok(written)
    }
}

/// Entries in order, position by position, from sorted items and the names of positions.
struct Positions<'a, I: Iterator<Item = io::Result<Item>>> {
    items: Peekable<I>,
    names: Peekable<std::vec::IntoIter<(u64, u16)>>,
    min_games: u32,
    /// The entries of the present position, the next one last.
    ready: Vec<BookEntry>,
    written: &'a mut Written,
}

impl<I: Iterator<Item = io::Result<Item>>> Positions<'_, I> {
    fn fill(&mut self) -> io::Result<()> {
        let next_key = match self.items.peek() {
            Some(Ok(item)) => Some(item.key),
            Some(Err(_)) => return self.items.next().map_or(Ok(()), |item| item.map(drop)),
            None => None,
        };
        let Some(key) = next_key.into_iter().chain(self.names.peek().map(|(key, _)| *key)).min() else { return Ok(()) };
        let name = self.names.next_if(|(named, _)| *named == key).map_or(NO_NAME, |(_, name)| name);
        let mut sums: Vec<Item> = Vec::new();
        while let Some(item) = self.items.next_if(|item| item.as_ref().is_ok_and(|item| item.key == key)) {
            let item = item?;
            match sums.last_mut().filter(|last| last.mv == item.mv) {
                Some(last) => {
                    last.points = last.points.saturating_add(item.points);
                    last.games = last.games.saturating_add(item.games);
                }
                None => sums.push(item),
            }
        }
        let min_games = self.min_games;
        let kept = sums.iter().filter(|item| item.games >= min_games);
        let entry = |item: &Item| BookEntry { key, weight: item.points.min(LARGEST_WEIGHT), mv: item.mv, name };
        self.ready = kept.map(entry).collect();
        self.written.moves += self.ready.len() as u64;
        if self.ready.is_empty() && name != NO_NAME {
            self.ready.push(BookEntry { key, weight: 0, mv: Move::NONE, name });
        }
        self.written.positions += !self.ready.is_empty() as u64;
        self.ready.sort_by(|left, right| right.order(left));
        Ok(())
    }
}

impl<I: Iterator<Item = io::Result<Item>>> Iterator for Positions<'_, I> {
    type Item = io::Result<BookEntry>;

    fn next(&mut self) -> Option<io::Result<BookEntry>> {
        while self.ready.is_empty() {
            if self.items.peek().is_none() && self.names.peek().is_none() {
                return None;
            }
            if let Err(error) = self.fill() {
                return Some(Err(error));
            }
        }
        self.ready.pop().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::book::{Bytes, Table};

    fn mv(text: &str) -> Move {
        Move::from_uci(text).unwrap()
    }

    fn finish(collector: Collector, min_games: u32) -> (Table, Written) {
        let mut bytes = Vec::new();
        let written = collector.finish(&mut bytes, min_games).unwrap();
        (Table::new(Bytes::Owned(bytes)).unwrap(), written)
    }

    #[test]
    fn moves_are_summed_up_whether_they_fit_into_memory_or_not() {
        let start = *Position::startpos().board();
        for chunk in [3, 100_000] {
            let mut collector = Collector::new(chunk);
            for round in 0..5000 {
                // Left and right are the same in the start position.
                let text = ["h2e2", "b2e2", "c3c4", "h2h9"][round % if round < 4 { 4 } else { 3 }];
                collector.game_move(&start, mv(text), 2).unwrap();
            }
            let (table, written) = finish(collector, 2);
            let moves: Vec<_> = table.moves(&start).iter().map(|found| (found.mv.to_string(), found.weight)).collect();
            assert_eq!(moves, [("h2e2".into(), 2 * 3333), ("g3g4".into(), 2 * 1666)], "{chunk}");
            assert_eq!(written, Written { positions: 1, moves: 2 });
            assert!(table.contents().is_ok());
        }
    }

    #[test]
    fn a_book_goes_through_unchanged_and_needs_no_games() {
        let whole = crate::book::embedded().contents().unwrap();
        let mut collector = Collector::new(100);
        collector.contents(&whole).unwrap();
        let (table, written) = finish(collector, 5);
        assert_eq!(table.contents().unwrap(), whole);
        assert_eq!(written.moves as usize, whole.entries.iter().filter(|entry| !entry.mv.is_none()).count());
        let mut collector = Collector::default();
        let start = *Position::startpos().board();
        let both = [BookMove { mv: mv("h2e2"), weight: 7 }, BookMove { mv: mv("b2e2"), weight: 9 }];
        collector.book_moves(&start, &both).unwrap();
        assert_eq!(finish(collector, 5).0.moves(&start), [BookMove { mv: mv("h2e2"), weight: 9 }]);
    }
}
