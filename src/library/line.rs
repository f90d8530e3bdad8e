//! The main line of a game as it is stored, and packs of such lines.

use super::bytes::{put_number, take, take_byte, take_number};
use super::replay::{EMPTY, Replay, number_of, square_of};
use crate::board::Setup;
use crate::records::{Record, RecordResult};
use crate::types::{Color, Move, Piece};

/// Games of a pack: one row of the file holds their lines, which saves what a row costs.
pub(super) const PACK: u32 = 8;

const RESULT: u8 = 0b11;
/// The record has the line of another game.
const VARIANT: u8 = 0b100;
/// A start position that is not that of the game stands before the moves.
const START: u8 = 0b1000;

/// A line in its stored form: a byte of flags, the start if it is another, then a byte a move ([`Replay::code`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line<'a>(&'a [u8]);

/// The stored form of the main line and the result of a record; none when a move is none that its piece can make.
pub(super) fn encode(record: &Record) -> Option<Vec<u8>> {
    let mut bytes = vec![number_of_result(record.result)];
    if record.start != Setup::standard() {
        bytes[0] |= START;
        put_start(&mut bytes, &record.start);
    }
    if record.plies() > 0 {
        let mut replay = Replay::new(&record.start)?;
        for mv in record.moves() {
            let code = replay.code(mv)?;
            replay.play(code)?;
            bytes.push(code);
        }
    }
    Some(bytes)
}

/// The stored form of a record that has the line of another game.
pub(super) fn variant(result: RecordResult) -> Vec<u8> {
    vec![number_of_result(result) | VARIANT]
}

/// A result as a number from 0 to 3.
pub(super) fn number_of_result(result: RecordResult) -> u8 {
    match result {
        RecordResult::Unknown => 0,
        RecordResult::RedWins => 1,
        RecordResult::BlackWins => 2,
        RecordResult::Draw => 3,
    }
}

/// The result of a number.
pub(super) fn result_of_number(number: u8) -> RecordResult {
    [RecordResult::Unknown, RecordResult::RedWins, RecordResult::BlackWins, RecordResult::Draw][(number & RESULT) as usize]
}

fn put_start(bytes: &mut Vec<u8>, start: &Setup) {
    let pieces: Vec<_> = start.pieces().collect();
    bytes.push(pieces.len() as u8 | if start.side == Color::Black { 0x80 } else { 0 });
    for (piece, square) in pieces {
        bytes.push(square.rank() * 9 + square.file());
        bytes.push(number_of(piece));
    }
    put_number(bytes, start.clock.into());
    put_number(bytes, start.fullmove.into());
}

fn take_start(bytes: &mut &[u8]) -> Option<Setup> {
    let count = take_byte(bytes)?;
    let mut start = Setup::empty();
    for _ in 0..count & 0x7f {
        let &[cell, number] = take(bytes, 2)? else { return None };
        let piece = Piece::all().find(|&piece| number_of(piece) == number && number < EMPTY)?;
        start.put(square_of(cell.into()).filter(|_| cell < 90)?, Some(piece));
    }
    start.side = if count & 0x80 == 0 { Color::Red } else { Color::Black };
    start.clock = take_number(bytes)?.try_into().ok()?;
    start.fullmove = take_number(bytes)?.try_into().ok()?;
    Some(start)
}

impl<'a> Line<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Line<'a>> {
        (!bytes.is_empty()).then_some(Line(bytes))
    }

    pub(super) fn bytes(self) -> &'a [u8] {
        self.0
    }

    pub(super) fn result(self) -> RecordResult {
        result_of_number(self.0[0])
    }

    /// Whether the record has the line of another game.
    pub(super) fn is_variant(self) -> bool {
        self.0[0] & VARIANT != 0
    }

    /// What two records of one game have in common: start and moves.
    pub(super) fn without_result(self) -> (u8, &'a [u8]) {
        (self.0[0] & !RESULT, &self.0[1..])
    }

    /// A number of 32 bits for the start and the moves.
    pub(super) fn hash(self) -> u32 {
        let (flags, rest) = self.without_result();
        let mut hash = crc32fast::Hasher::new();
        hash.update(&[flags]);
        hash.update(rest);
        hash.finalize()
    }

    /// The start and the numbers of the moves; none when they are damaged.
    pub(super) fn parts(self) -> Option<(Setup, &'a [u8])> {
        let mut rest = &self.0[1..];
        let start = if self.0[0] & START == 0 { Setup::standard() } else { take_start(&mut rest)? };
        Some((start, rest))
    }

    /// The start and the moves.
    pub(super) fn moves(self) -> Option<(Setup, Vec<Move>)> {
        let (start, codes) = self.parts()?;
        if codes.is_empty() {
            return Some((start, Vec::new()));
        }
        let mut replay = Replay::new(&start)?;
        let moves = codes.iter().map(|&code| replay.play(code)).collect::<Option<_>>()?;
        Some((start, moves))
    }

    /// Calls `see` with the number of plies played, the board and the number of the next move, from the start to the end or until it
    /// breaks off. False when the line is damaged. `first` is the standard start, which need not be set up for every game.
    pub(super) fn replay(
        self,
        first: &Replay,
        mut see: impl FnMut(usize, &Replay, Option<u8>) -> std::ops::ControlFlow<()>,
    ) -> bool {
        let mut rest = &self.0[1..];
        let mut replay = if self.0[0] & START == 0 {
            first.clone()
        } else {
            let Some(start) = take_start(&mut rest) else { return false };
            match Replay::new(&start) {
                Some(replay) => replay,
                // A diagram with more pieces than a game has: no moves, and no position that could be looked for.
                None => return rest.is_empty(),
            }
        };
        for (ply, &code) in rest.iter().enumerate() {
            if see(ply, &replay, Some(code)).is_break() {
                return true;
            }
            if replay.play(code).is_none() {
                return false;
            }
        }
        let _ = see(rest.len(), &replay, None);
        true
    }
}

/// Puts the lines of a pack into one blob.
pub(super) fn pack<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        put_number(&mut bytes, line.len() as u64);
        bytes.extend_from_slice(line);
    }
    bytes
}

/// The lines of a pack; it ends early where the pack is damaged.
pub(super) fn unpack(mut pack: &[u8]) -> impl Iterator<Item = Line<'_>> {
    std::iter::from_fn(move || {
        if pack.is_empty() {
            return None;
        }
        let length = usize::try_from(take_number(&mut pack)?).ok()?;
        Line::new(take(&mut pack, length)?)
    })
}
