//! CBR and CBL, the records and libraries of CCBridge (象棋桥).
//!
//! Facts from read_cbr of walker8088/cchess, its author's field list and real files. Version 2 is certain; version 1 follows
//! the one public description and no real file of it was at hand.

use super::result::RESULT_NOTE;
use super::source::Source;
use super::{Format, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, SQUARES, Square};
use encoding_rs::UTF_16LE;

pub(super) const RECORD_MAGIC: &[u8] = b"CCBridge Record\0";
pub(super) const LIBRARY_MAGIC: &[u8] = b"CCBridgeLibrary\0";
pub(super) const VERSION_AT: usize = 19;

/// Where the parts of a record lie in one version.
struct Layout {
    /// Text fields: offset, size in bytes, tag.
    fields: &'static [(usize, usize, &'static str)],
    result: usize,
    side: usize,
    start_move: Option<usize>,
    board: usize,
    moves: usize,
}

const VERSION_2: Layout = Layout {
    fields: &[
        (180, 128, "Title"),
        (692, 64, "Event"),
        (756, 64, "Round"),
        (820, 32, "Group"),
        (852, 32, "Table"),
        (884, 64, "Date"),
        (948, 64, "Site"),
        (1012, 64, "TimeControl"),
        (1076, 64, "Red"),
        (1140, 64, "RedTeam"),
        (1204, 64, "RedTime"),
        (1268, 32, "RedElo"),
        (1300, 64, "Black"),
        (1364, 64, "BlackTeam"),
        (1428, 64, "BlackTime"),
        (1492, 32, "BlackElo"),
        (1524, 64, "Judge"),
        (1588, 64, "Recorder"),
        (1652, 64, "Annotator"),
        (1780, 64, "Author"),
        (1908, 64, "Created"),
        (1972, 64, "Modified"),
        (2080, 32, "Ending"),
    ],
    result: 2076,
    side: 2112,
    start_move: Some(2116),
    board: 2120,
    moves: 2214,
};

const VERSION_1: Layout = Layout {
    fields: &[(52, 128, "Title"), (564, 64, "Event"), (948, 64, "Red"), (1172, 64, "Black")],
    result: 1820,
    side: 1856,
    start_move: None,
    board: 1864,
    moves: 1958,
};

const LINE_ENDS: u8 = 1;
const ALTERNATIVE_FOLLOWS: u8 = 2;
const COMMENT_FOLLOWS: u8 = 4;

/// Text of a fixed field in UTF-16LE that ends at a NUL.
fn field(bytes: &[u8], offset: usize, size: usize) -> String {
    let field = bytes.get(offset..).map(|rest| &rest[..size.min(rest.len())]).unwrap_or_default();
    let end = field.chunks(2).position(|unit| unit == [0, 0]).map_or(field.len() & !1, |units| units * 2);
    UTF_16LE.decode_without_bom_handling(&field[..end]).0.into_owned()
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.get(..4)?.try_into().ok().map(u32::from_le_bytes)
}

/// The piece of a board code: colour in the high nibble, kind in the low one.
fn piece(code: u8) -> Option<Piece> {
    use PieceType::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kinds = [Rook, Horse, Elephant, Advisor, King, Cannon, Pawn];
    Some(Piece::new(color, *kinds.get((code & 15).checked_sub(1)? as usize)?))
}

/// The point of a number that runs along the rows from Black's left corner as Red sees it.
fn square_from_top(number: u8) -> Option<Square> {
    let (row, file) = (number as usize / FILES, number as usize % FILES);
    if row < RANKS { Square::new((RANKS - 1 - row) * FILES + file) } else { None }
}

/// Version 1 packs file and rank in the nibbles of a byte, counted from the other side of a turned board.
fn square_of_nibbles(byte: u8) -> Option<Square> {
    Square::at((byte >> 4) as i32, (byte & 15) as i32)
}

/// Reads one record.
///
/// # Errors
/// When it has not the mark and length of a CBR record, or too many moves. A record that ends early and illegal moves give a
/// warning in the record, which keeps what came before.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    if !bytes.starts_with(RECORD_MAGIC) {
        return Err(RecordError::new(
            "byte 0",
            RecordProblem::NotThisFormat("a CBR record, which begins with 'CCBridge Record'"),
        ));
    }
    let version = bytes.get(VERSION_AT).copied().unwrap_or(0);
    let layout = match version {
        1 => &VERSION_1,
        2 => &VERSION_2,
        _ => {
            let problem = RecordProblem::Version(Format::Cbr, version, "1 or 2");
            return Err(RecordError::new(format!("byte {VERSION_AT}"), problem));
        }
    };
    let Some(board) = bytes.get(layout.board..layout.board + SQUARES).filter(|_| bytes.len() >= layout.moves) else {
        return Err(RecordError::new(
            format!("byte {}", bytes.len()),
            RecordProblem::Truncated(format!("the CBR header of {} bytes", layout.moves)),
        ));
    };
    let mut record = Record::new(Setup::empty());
    for &(offset, size, tag) in layout.fields {
        record.set_tag(tag, field(bytes, offset, size));
    }
    for (index, &code) in board.iter().enumerate().filter(|(_, code)| **code != 0) {
        // Version 1 turns the board: its first row is Red's.
        let square = if version == 1 { Square::new(index) } else { square_from_top(index as u8) };
        match (square, piece(code)) {
            (Some(square), Some(piece)) => drop(record.start.put(square, Some(piece))),
            _ => record.warn(format!("byte {}: {code:#04x} is no piece; point left empty", layout.board + index)),
        }
    }
    record.start.side = if bytes[layout.side] == 2 { Color::Black } else { Color::Red };
    if let Some(number) = layout.start_move.and_then(|at| bytes.get(at..at + 2)).filter(|number| *number != [0, 0]) {
        record.start.fullmove = u16::from_le_bytes([number[0], number[1]]) as u32;
    }
    record.result = match bytes[layout.result] {
        1 => RecordResult::RedWins,
        2 => RecordResult::BlackWins,
        3 => RecordResult::Draw,
        _ => RecordResult::Unknown,
    };
    if bytes[layout.result] == 4 {
        record.set_tag(RESULT_NOTE, "several results");
    }
    let squares = if version == 1 { square_of_nibbles } else { square_from_top };
    read_moves(&mut record, bytes, layout.moves, squares)?;
    let first = record.next(record.root()).and_then(|id| record.mv(id));
    record.start.trust_first_move(first);
    Ok(record.legal_part())
}

fn read_moves(record: &mut Record, bytes: &[u8], mut at: usize, squares: fn(u8) -> Option<Square>) -> Result<(), RecordError> {
    let mut owed: Vec<NodeId> = Vec::new();
    let mut parent = None;
    loop {
        let Some(&[flag, _, from, to]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) else {
            record.warn(format!(
                "byte {}: the file ends {}",
                bytes.len(),
                if parent.is_some() { "inside the moves" } else { "before the moves" }
            ));
            return Ok(());
        };
        at += 4;
        let mut comment = String::new();
        if flag & COMMENT_FOLLOWS != 0 {
            let length = u32_at(bytes, at).map_or(usize::MAX, |length| length as usize);
            at = (at + 4).min(bytes.len());
            let end = at.saturating_add(length).min(bytes.len());
            if end - at != length {
                record.warn(format!("byte {at}: the file ends inside a comment"));
            }
            let text = UTF_16LE.decode_without_bom_handling(&bytes[at..end]).0;
            comment = text.trim_end_matches('\0').to_string();
            at = end;
        }
        let id = match parent {
            None => record.root(),
            Some(_) if from == to => return Ok(()),
            Some(parent) => {
                let mv = squares(from).zip(squares(to)).map_or(Move::NONE, |(from, to)| Move::new(from, to));
                if flag & ALTERNATIVE_FOLLOWS != 0 {
                    owed.push(parent);
                }
                record.add(parent, mv).map_err(|full| RecordError::new(format!("byte {at}"), full))?
            }
        };
        record.append_comment(id, &comment);
        parent = if flag & LINE_ENDS == 0 { Some(id) } else { owed.pop() };
        if parent.is_none() {
            return Ok(());
        }
    }
}

pub(super) const CAPACITY_AT: usize = 60;
const LIBRARY_FIELDS: [(usize, usize, &str); 3] =
    [(64, 512, "Library"), (576, 256, "LibrarySource"), (832, 64, "LibraryCreator")];
pub(super) const INDEX_AT: usize = 66_624;
pub(super) const INDEX_ENTRY: usize = 276;
const SLOT: usize = 4096;
/// How often the bytes of a library may be read by the entries of its index.
const ALLOWANCE: usize = 4;

/// The records of a library, in the order of its index.
pub(super) struct Library {
    bytes: Vec<u8>,
    capacity: usize,
    /// Next index entry.
    entry: usize,
    /// Bytes of records that may still be read: two entries of a real library can share a record, but an index of nothing
    /// else must not multiply the work.
    allowance: usize,
    tags: Vec<(&'static str, String)>,
}

impl Library {
    /// Opens a library.
    ///
    /// # Errors
    /// When the mark is missing or the file ends inside the header or index.
    pub(super) fn open(bytes: Vec<u8>) -> Result<Library, RecordError> {
        if !bytes.starts_with(LIBRARY_MAGIC) {
            return Err(RecordError::new(
                "byte 0",
                RecordProblem::NotThisFormat("a CBL library, which begins with 'CCBridgeLibrary'"),
            ));
        }
        let capacity = u32_at(&bytes, CAPACITY_AT).unwrap_or(0) as usize;
        let index_end = capacity.saturating_mul(INDEX_ENTRY).saturating_add(INDEX_AT);
        if bytes.len() < index_end {
            return Err(RecordError::new(
                format!("byte {}", bytes.len()),
                RecordProblem::Truncated(format!("the CBL index of {capacity} entries, expected {index_end} bytes or more")),
            ));
        }
        let allowance = bytes.len().saturating_mul(ALLOWANCE);
        let tags = LIBRARY_FIELDS.iter().map(|&(offset, size, tag)| (tag, field(&bytes, offset, size))).collect();
        Ok(Library { bytes, capacity, entry: 0, allowance, tags })
    }

    pub(super) fn source(bytes: Vec<u8>) -> Result<Box<dyn Source>, RecordError> {
        Ok(Box::new(Library::open(bytes)?))
    }
}

impl Source for Library {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        while self.entry < self.capacity {
            let entry = INDEX_AT + INDEX_ENTRY * self.entry;
            self.entry += 1;
            if u32_at(&self.bytes, entry)? == 0 {
                continue;
            }
            let slot = u32_at(&self.bytes, entry + 4)? as usize;
            let length = u32_at(&self.bytes, entry + 12)? as usize;
            let place = format!("index entry {}", self.entry);
            let start = slot.saturating_mul(SLOT).saturating_add(INDEX_AT + INDEX_ENTRY * self.capacity);
            let bytes = self.bytes.get(start..).map(|rest| &rest[..length.min(rest.len())]).unwrap_or_default();
            if bytes.len() > self.allowance {
                self.entry = self.capacity;
                let problem = format!("the index names the same bytes more than {ALLOWANCE} times; the rest is left out");
                return Some(Err(RecordError::new(place, problem)));
            }
            self.allowance -= bytes.len();
            return Some(read(bytes).map_err(|error| error.within(&place)).map(|mut record| {
                if bytes.len() < length {
                    record.warn(format!("{place}: the file ends inside the record"));
                }
                let name = field(&self.bytes[..entry + INDEX_ENTRY], entry + 100, 128);
                if record.tag("Title").is_none() {
                    record.set_tag("Title", name);
                } else if record.tag("Title") != Some(name.as_str()) {
                    record.set_tag("IndexTitle", name);
                }
                self.tags.iter().for_each(|(tag, value)| record.set_tag(tag, value.as_str()));
                record
            }));
        }
        None
    }

    fn progress(&self) -> (usize, usize) {
        (self.entry, self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fuzzing::{cbr as sample, library_file as library};

    #[test]
    fn a_record_with_a_wrong_side_is_read() {
        let record = read(&sample()).unwrap();
        assert_eq!((record.plies(), record.moves_in_tree()), (2, 3));
        assert_eq!(record.start, Setup::standard());
        assert_eq!((record.tag("Title"), record.tag("Red")), (Some("标题"), Some("红方")));
        assert_eq!(record.comment(record.root()), "总评");
        assert_eq!(record.result, RecordResult::Draw);
        assert_eq!(record.warnings(), [""; 0]);
    }

    fn all(bytes: Vec<u8>) -> Vec<Result<Record, RecordError>> {
        let mut library = Library::open(bytes).unwrap();
        std::iter::from_fn(|| library.next()).collect()
    }

    #[test]
    fn a_library_gives_its_records_with_their_titles() {
        let records: Vec<_> = all(library()).into_iter().map(Result::unwrap).collect();
        assert_eq!(records.len(), 1);
        assert_eq!((records[0].tag("Library"), records[0].moves_in_tree()), (Some("库"), 3));
    }

    #[test]
    fn an_index_that_repeats_a_record_for_ever_is_refused() {
        let mut bytes = library();
        let entries = 400u32;
        let record = bytes.split_off(INDEX_AT + 2 * INDEX_ENTRY);
        let entry = bytes[INDEX_AT + INDEX_ENTRY..].to_vec();
        bytes.truncate(INDEX_AT);
        bytes[CAPACITY_AT..CAPACITY_AT + 4].copy_from_slice(&entries.to_le_bytes());
        (0..entries).for_each(|_| bytes.extend(&entry));
        bytes.extend(record);
        let results: Vec<_> = all(bytes);
        assert!(results[0].is_ok() && results.len() < 400);
        assert!(results.last().unwrap().as_ref().unwrap_err().to_string().contains("the same bytes"));
    }

    #[test]
    fn cut_files_never_panic() {
        let bytes = sample();
        for length in 0..bytes.len() {
            let record = read(&bytes[..length]);
            assert_eq!(record.is_ok(), length >= 2214);
            let is_told = |record: Record| record.warnings().iter().any(|warning| warning.contains("file ends"));
            assert!(record.map_or(true, is_told), "{length}");
        }
        let bytes = library();
        for length in (0..INDEX_AT).step_by(997).chain(INDEX_AT..bytes.len()) {
            if let Ok(mut library) = Library::open(bytes[..length].to_vec()) {
                std::iter::from_fn(|| library.next()).for_each(drop);
            }
        }
    }
}
