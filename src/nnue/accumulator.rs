//! Accumulators that follow the search: one entry per ply, computed only when an evaluation is requested.
//!
//! Two techniques from public engines: *lazy updates* (a node that is cut off before its evaluation costs nothing) and the *refresh
//! cache* (Koivisto's "finny tables": when the mirroring of a perspective changes, only the rows of pieces that differ from the last position
//! in that orientation are updated, instead of adding all rows again).

use super::Network;
use super::architecture::at_width;
use super::features::{Balance, bucket, feature, mirrored};
use super::simd::Numbers;
use crate::board::{Board, State};
use crate::types::{Color, Piece, Square};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Maximum number of pieces on a board.
const SLOTS: usize = 32;
/// Marks a piece in the cache that is not on the board.
const OFF: u8 = u8::MAX;
/// Initial number of entries; longer lines get as many again.
const CAPACITY: usize = 160;

/// The changes made by a move.
#[derive(Clone, Copy)]
struct Change {
    piece: Piece,
    from: Square,
    to: Square,
    captured: Option<Piece>,
}

/// The state of one ply.
#[derive(Clone)]
struct Entry {
    /// Whether the perspective of each colour has been computed.
    filled: [bool; 2],
    /// Whether the perspective of each colour is mirrored.
    mirrored: [bool; 2],
    balance: Balance,
    /// `None` at the first ply and after a null move.
    change: Option<Change>,
}

/// The accumulators of a line of moves. Each search thread has its own. They take 160 KiB for a network of 256 hidden units, four
/// times that for one of 1024.
#[derive(Clone)]
pub struct Accumulators {
    network: Arc<Network>,
    entries: Vec<Entry>,
    /// Number of entries in use, at least 1; the last one is the current position.
    length: usize,
    /// The accumulators of all entries, including unused ones: a row for Red's perspective and one for Black's.
    accumulators: Numbers,
    /// The refresh cache: four rows, by perspective and mirrored or not.
    cached: Numbers,
    /// The position of each cached row: the square of every piece.
    cached_places: [[u8; SLOTS]; 4],
    refreshes: u64,
    updates: u64,
}

impl Accumulators {
    /// Accumulators for a line that starts at this board.
    pub fn new(network: Arc<Network>, board: &Board) -> Accumulators {
        let entry = Entry { filled: [false; 2], mirrored: [false; 2], balance: Balance::default(), change: None };
        let mut entries = Vec::with_capacity(CAPACITY);
        entries.push(entry);
        let accumulators = Numbers::zeros(CAPACITY * 2 * network.width().units());
        let cached = Numbers::from_slice(&network.hidden_biases().repeat(4));
        let cached_places = [[OFF; SLOTS]; 4];
        let mut accumulators =
            Accumulators { network, entries, length: 1, accumulators, cached, cached_places, refreshes: 0, updates: 0 };
        accumulators.reset(board);
        accumulators
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts a new line at this board. The refresh cache is kept.
    pub fn reset(&mut self, board: &Board) {
        let balance = Balance::of(board);
        self.length = 1;
        let first = &mut self.entries[0];
        first.filled = [false; 2];
        first.balance = balance;
        first.mirrored = Color::ALL.map(|perspective| mirrored(perspective, board, balance));
        first.change = None;
    }

    /// Adds the state after a move or null move.
    #[inline]
    pub fn push(&mut self, state: &State) {
        let last = &self.entries[self.length - 1];
        let mut balance = last.balance;
        let mut mirror = last.mirrored;
        let mv = state.last_move;
        let mover = if mv.is_none() { None } else { state.board.piece_on(mv.to()) };
        let change = mover.map(|piece| {
            balance.remove(piece, mv.from());
            balance.add(piece, mv.to());
            if let Some(captured) = state.captured {
                balance.remove(captured, mv.to());
            }
            mirror = Color::ALL.map(|perspective| mirrored(perspective, &state.board, balance));
            Change { piece, from: mv.from(), to: mv.to(), captured: state.captured }
        });
        if self.length == self.entries.len() {
            let copy = last.clone();
            self.entries.push(copy);
            let units = self.network.width().units();
            if self.entries.len() * 2 * units > self.accumulators.len() {
                self.accumulators.grow(CAPACITY * 2 * units);
            }
        }
        let next = &mut self.entries[self.length];
        next.filled = [false; 2];
        next.mirrored = mirror;
        next.balance = balance;
        next.change = change;
        self.length += 1;
    }

    /// Removes the state of the last move or null move. Does nothing at the first ply.
    #[inline]
    pub fn pop(&mut self) {
        self.length = (self.length - 1).max(1);
    }

    /// The evaluation of the current position, which must be this board: centipawns from the view of the side to move.
    ///
    /// # Panics
    /// Possibly, if the current position is another one.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        at_width!(self.network.width(), W => self.evaluate_at::<W>(board))
    }

    #[inline]
    fn evaluate_at<const W: usize>(&mut self, board: &Board) -> i32 {
        for perspective in Color::ALL {
            self.fill::<W>(perspective, board);
        }
        let top = 2 * (self.length - 1);
        let accumulators = &self.accumulators.rows::<W>()[top..top + 2];
        let side = board.side_to_move();
        self.network.output([&accumulators[side.index()], &accumulators[(!side).index()]], bucket(board))
    }

    /// Total numbers of accumulators computed from the refresh cache and of incremental updates.
    pub fn work(&self) -> (u64, u64) {
        (self.refreshes, self.updates)
    }

    /// Computes an accumulator of the last entry.
    #[inline]
    fn fill<const W: usize>(&mut self, perspective: Color, board: &Board) {
        let side = perspective.index();
        let top = self.length - 1;
        let mut filled = top;
        while !self.entries[filled].filled[side] {
            if filled == 0 || self.entries[filled - 1].mirrored[side] != self.entries[top].mirrored[side] {
                return self.refresh::<W>(perspective, board);
            }
            filled -= 1;
        }
        for at in filled + 1..=top {
            self.update::<W>(perspective, at);
        }
    }

    /// Computes an accumulator of an entry incrementally from the previous entry.
    #[inline]
    fn update<const W: usize>(&mut self, perspective: Color, at: usize) {
        self.updates += 1;
        let side = perspective.index();
        let entry = &mut self.entries[at];
        entry.filled[side] = true;
        let (before, after) = self.accumulators.rows_mut::<W>().split_at_mut(2 * at);
        let (before, after) = (&before[2 * at - 2 + side], &mut after[side]);
        let Some(change) = entry.change else {
            *after = *before;
            return;
        };
        let of = |piece, square| feature(perspective, entry.mirrored[side], piece, square);
        let mut removed = ArrayVec::<u16, 2>::new();
        removed.push(of(change.piece, change.from));
        removed.extend(change.captured.map(|captured| of(captured, change.to)));
        let added = [of(change.piece, change.to)];
        self.network.change(before, &added, &removed, after);
    }

    /// Computes an accumulator of the last entry from the refresh cache.
    fn refresh<const W: usize>(&mut self, perspective: Color, board: &Board) {
        self.refreshes += 1;
        let side = perspective.index();
        let top = self.length - 1;
        let mirror = self.entries[top].mirrored[side];
        let row = 2 * side + mirror as usize;
        let (mut added, mut removed) = (ArrayVec::<u16, SLOTS>::new(), ArrayVec::<u16, SLOTS>::new());
        for (slot, place) in self.cached_places[row].iter_mut().enumerate() {
            let now = board.square_of_slot(slot);
            let number = now.map_or(OFF, |square| square.index() as u8);
            if number == *place {
                continue;
            }
            let Some(piece) = Board::piece_of_slot(slot) else { continue };
            let before = Square::new(*place as usize);
            removed.extend(before.map(|square| feature(perspective, mirror, piece, square)));
            added.extend(now.map(|square| feature(perspective, mirror, piece, square)));
            *place = number;
        }
        let cached = &mut self.cached.rows_mut::<W>()[row];
        let sums = &mut self.accumulators.rows_mut::<W>()[2 * top + side];
        self.network.change(cached, &added, &removed, sums);
        *cached = *sums;
        self.entries[top].filled[side] = true;
    }
}
