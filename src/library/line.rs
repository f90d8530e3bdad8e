//! The stored form of a game's main line, and packs of such lines.

use super::bytes::{put_number, take, take_byte, take_number};
use super::replay::{EMPTY, Replay, number_of, square_of};
use crate::board::Setup;
use crate::records::{Record, RecordResult};
use crate::types::{Color, Move, Piece};

/// Games per pack. The lines of a pack share a database row, which saves row overhead.
pub(super) const PACK: u32 = 8;

const RESULT: u8 = 0b11;
/// Flag: the record has the line of another game.
const VARIANT: u8 = 0b100;
/// Flag: a start position other than the standard one precedes the moves.
const START: u8 = 0b1000;

/// A line in its stored form: a byte of flags, the start position unless standard, then one byte per move ([`Replay::code`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line<'a>(&'a [u8]);

/// Encodes the main line and the result of a record; none if a move is impossible for its piece.
pub(super) fn encode(record: &Record) -> Option<Vec<u8>> {
    let mut bytes = vec![record.result as u8];
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

/// Encodes a record that has the line of another game.
pub(super) fn variant(result: RecordResult) -> Vec<u8> {
    vec![result as u8 | VARIANT]
}

/// The result for a number; only the lowest two bits count.
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

    /// Whether the record is a variant, with the line of another game.
    pub(super) fn is_variant(self) -> bool {
        self.0[0] & VARIANT != 0
    }

    /// The part that identifies a game: start and moves.
    pub(super) fn without_result(self) -> (u8, &'a [u8]) {
        (self.0[0] & !RESULT, &self.0[1..])
    }

    /// CRC-32 of the start and the moves.
    pub(super) fn hash(self) -> u32 {
        let (flags, rest) = self.without_result();
        let mut hash = crc32fast::Hasher::new();
        hash.update(&[flags]);
        hash.update(rest);
        hash.finalize()
    }

    /// The start and the move codes; none if damaged.
    pub(super) fn parts(self) -> Option<(Setup, &'a [u8])> {
        let mut rest = &self.0[1..];
        let start = if self.0[0] & START == 0 { Setup::standard() } else { take_start(&mut rest)? };
        Some((start, rest))
    }

    /// The start and the moves; none if damaged.
    pub(super) fn moves(self) -> Option<(Setup, Vec<Move>)> {
        let (start, codes) = self.parts()?;
        if codes.is_empty() {
            return Some((start, Vec::new()));
        }
        let mut replay = Replay::new(&start)?;
        let moves = codes.iter().map(|&code| replay.play(code)).collect::<Option<_>>()?;
        Some((start, moves))
    }

    /// Calls `visit` with the ply, the board and the code of the next move, for every position until it breaks. Returns false if the line is
    /// damaged. `first` is the standard start position, passed in so that it is set up only once.
    pub(super) fn replay(
        self,
        first: &Replay,
        mut visit: impl FnMut(usize, &Replay, Option<u8>) -> std::ops::ControlFlow<()>,
    ) -> bool {
        let mut rest = &self.0[1..];
        let mut replay = if self.0[0] & START == 0 {
            first.clone()
        } else {
            let Some(start) = take_start(&mut rest) else { return false };
            match Replay::new(&start) {
                Some(replay) => replay,
                // A diagram with more pieces than a game has: it has no moves, and its position cannot be searched for.
                None => return rest.is_empty(),
            }
        };
        for (ply, &code) in rest.iter().enumerate() {
            if visit(ply, &replay, Some(code)).is_break() {
                return true;
            }
            if replay.play(code).is_none() {
                return false;
            }
        }
        let _ = visit(rest.len(), &replay, None);
        true
    }
}

/// Encodes the lines of a pack as one blob.
pub(super) fn pack<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines {
        put_number(&mut bytes, line.len() as u64);
        bytes.extend_from_slice(line);
    }
    bytes
}

/// The lines of a pack; the iterator ends early if the pack is damaged.
pub(super) fn unpack(mut pack: &[u8]) -> impl Iterator<Item = Line<'_>> {
    std::iter::from_fn(move || {
        if pack.is_empty() {
            return None;
        }
        let length = usize::try_from(take_number(&mut pack)?).ok()?;
        Line::new(take(&mut pack, length)?)
    })
}
