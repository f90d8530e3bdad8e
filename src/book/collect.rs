//! Builds a book from any number of moves in any order. They are aggregated by sorting, in runs on disk if they do not fit in memory.

use super::encode::{self, BookEntry, Contents, NO_NAME, Opening};
use super::key::book_key;
use super::sorter::{Item, Sorter};
use super::text::MAX_WEIGHT;
use super::{BookMove, Reached};
use crate::board::Board;
use crate::board::START_FEN;
use crate::types::Move;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::iter::Peekable;

/// Number of moves sorted in memory; about 24 MiB.
const CHUNK: usize = 1 << 20;
/// Game count for moves from books, which exempts them from the minimum number of games.
const FROM_BOOK: u32 = u32::MAX;

/// Collects the moves of a book.
pub struct Collector {
    sorter: Sorter,
    names: BTreeMap<u64, Opening>,
    /// The Chinese name of each English name.
    pairs: BTreeMap<String, String>,
    starts: BTreeSet<String>,
}

/// Counts of what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Number of positions with a move or a name.
    pub positions: u64,
    /// Number of moves.
    pub moves: u64,
}

impl Default for Collector {
    fn default() -> Collector {
        Collector::new(CHUNK)
    }
}

impl Collector {
    /// Creates a collector that sorts `chunk` moves in memory at a time.
    pub fn new(chunk: usize) -> Collector {
        Collector { sorter: Sorter::new(chunk), names: BTreeMap::new(), pairs: BTreeMap::new(), starts: BTreeSet::new() }
    }

    fn push(&mut self, board: &Board, mv: Move, points: u32, games: u32) -> io::Result<()> {
        let (key, orientation) = book_key(board);
        self.sorter.push(Item { key, mv: orientation.stored(mv), points, games })
    }

    /// Adds a move of a game, with the points it scored for the mover.
    ///
    /// # Errors
    /// If a run cannot be written to disk.
    pub fn game_move(&mut self, board: &Board, mv: Move, points: u32) -> io::Result<()> {
        self.push(board, mv, points, 1)
    }

    /// Adds the moves of a position in a book. In a symmetric position, a move and its mirror image count as one with the higher weight,
    /// because some books contain both.
    ///
    /// # Errors
    /// If a run cannot be written to disk.
    pub fn book_moves(&mut self, board: &Board, moves: &[BookMove]) -> io::Result<()> {
        let (_, orientation) = book_key(board);
        let mut heaviest: BTreeMap<Move, u32> = BTreeMap::new();
        for found in moves {
            let weight = heaviest.entry(orientation.stored(found.mv)).or_default();
            *weight = found.weight.max(*weight);
        }
        heaviest.into_iter().try_for_each(|(mv, weight)| self.push(board, orientation.played(mv), weight, FROM_BOOK))
    }

    /// Adds a position reached in a book. One that no book move leads to becomes a start position.
    ///
    /// # Errors
    /// If a run cannot be written to disk.
    pub fn reached(&mut self, reached: Reached<'_>) -> io::Result<()> {
        if reached.is_off_book {
            self.start(&format!("{} - - 0 1", reached.board.to_fen()));
        }
        self.book_moves(reached.board, reached.moves)
    }

    /// Adds an entire compiled book. A position keeps its first name, and an English name its first Chinese one, since a source
    /// cannot hold several.
    ///
    /// # Errors
    /// If a run cannot be written to disk.
    pub fn contents(&mut self, contents: &Contents) -> io::Result<()> {
        for entry in &contents.entries {
            if let Some(name) = contents.name(entry.name) {
                self.names.entry(entry.key).or_insert_with(|| {
                    let chinese = self.pairs.entry(name.english.clone()).or_insert_with(|| name.chinese.clone());
                    Opening { english: name.english.clone(), chinese: chinese.clone() }
                });
            }
            if !entry.mv.is_none() {
                self.sorter.push(Item { key: entry.key, mv: entry.mv, points: entry.weight, games: FROM_BOOK })?;
            }
        }
        self.starts.extend(contents.starts.iter().cloned());
        Ok(())
    }

    /// Adds a start position of games or lines.
    pub fn start(&mut self, fen: &str) {
        if fen != START_FEN {
            self.starts.insert(fen.to_string());
        }
    }

    /// Writes the book. Moves played in fewer than `min_games` games are omitted unless they are from a book.
    ///
    /// # Errors
    /// If writing fails.
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

/// Iterator of entries in order, position by position, which merges sorted items and names of positions.
struct Positions<'a, I: Iterator<Item = io::Result<Item>>> {
    items: Peekable<I>,
    names: Peekable<std::vec::IntoIter<(u64, u16)>>,
    min_games: u32,
    /// The remaining entries of the current position, next one last.
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
        let entry = |item: &Item| BookEntry { key, weight: item.points.min(MAX_WEIGHT), mv: item.mv, name };
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
    use crate::book::{Bytes, CompiledBook};

    fn mv(text: &str) -> Move {
        Move::from_uci(text).unwrap()
    }

    fn finish(collector: Collector, min_games: u32) -> (CompiledBook, Written) {
        let mut bytes = Vec::new();
        let written = collector.finish(&mut bytes, min_games).unwrap();
        (CompiledBook::new(Bytes::Owned(bytes)).unwrap(), written)
    }

    #[test]
    fn moves_are_summed_in_memory_and_on_disk() {
        let start = *Position::startpos().board();
        for chunk in [3, 100_000] {
            let mut collector = Collector::new(chunk);
            for round in 0..5000 {
                // In the symmetric start position a move and its mirror image are the same.
                let text = ["h2e2", "b2e2", "c3c4", "h2h9"][round % if round < 4 { 4 } else { 3 }];
                collector.game_move(&start, mv(text), 2).unwrap();
            }
            let (compiled, written) = finish(collector, 2);
            let moves: Vec<_> = compiled.moves(&start).iter().map(|found| (found.mv.to_string(), found.weight)).collect();
            assert_eq!(moves, [("h2e2".into(), 2 * 3333), ("g3g4".into(), 2 * 1666)], "{chunk}");
            assert_eq!(written, Written { positions: 1, moves: 2 });
            assert!(compiled.contents().is_ok());
        }
    }

    #[test]
    fn books_with_different_names_of_an_opening_can_be_joined_and_exported() {
        let mut collector = Collector::default();
        for source in ["C2.5 \"Central Cannon\" \"中炮\"\n", "H2+3 \"Central Cannon\" \"当头炮\"\n"] {
            collector.contents(&crate::book::from_source("x", source).unwrap().contents().unwrap()).unwrap();
        }
        let contents = finish(collector, 0).0.contents().unwrap();
        assert_eq!(contents.names.iter().map(ToString::to_string).collect::<Vec<_>>(), ["Central Cannon 中炮"]);
        let text = crate::book::text::write(&contents);
        assert!(crate::book::from_source("x", &text).unwrap().contents().unwrap() == contents, "{text}");
    }

    #[test]
    fn a_book_is_copied_unchanged_and_exempt_from_the_game_minimum() {
        let whole = crate::book::builtin().contents().unwrap();
        let mut collector = Collector::new(100);
        collector.contents(&whole).unwrap();
        let (compiled, written) = finish(collector, 5);
        assert_eq!(compiled.contents().unwrap(), whole);
        assert_eq!(written.moves as usize, whole.entries.iter().filter(|entry| !entry.mv.is_none()).count());
        let mut collector = Collector::default();
        let start = *Position::startpos().board();
        let both = [BookMove { mv: mv("h2e2"), weight: 7 }, BookMove { mv: mv("b2e2"), weight: 9 }];
        collector.book_moves(&start, &both).unwrap();
        assert_eq!(finish(collector, 5).0.moves(&start), [BookMove { mv: mv("h2e2"), weight: 9 }]);
    }
}
