//! CBR and CBL, the records and libraries of CCBridge (象棋桥).
//!
//! Based on read_cbr of walker8088/cchess, the field list of its author, and real files. Version 2 is written; version 1 follows the reader of
//! vschess, and agrees with a real file.

mod library;
// Its decompression would be a hundredth of the module that a browser loads first.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod packed;

#[cfg(any(test, feature = "fuzzing"))]
pub(super) use library::{BLOCKS_AT, CAPACITY_AT, INDEX_AT, INDEX_ENTRY, LENGTH_AT};
pub(super) use library::{Library, LibraryWriter};

use super::charset::Charset;
use super::result::RESULT_NOTE;
use super::{Format, Losses, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup, UNREADABLE};
use crate::records::source::with_unreadable_fields;
use crate::records::warning::warning;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, SQUARES, Square};

pub(super) const RECORD_MAGIC: &[u8] = b"CCBridge Record\0";
pub(super) const LIBRARY_MAGIC: &[u8] = b"CCBridgeLibrary\0";
/// A library of an old version: a name and a version.
pub(super) const PACKED_MAGIC: &[u8] = b"CCBridge\x15\0\0\0";
pub(super) const VERSION_AT: usize = 19;

/// Offset of the record's identifier in version 2.
const GUID_AT: usize = 20;
const GUID: usize = 16;
/// Tags of a library. Only its first record has the remark, which may be long.
const LIBRARY_CREATED: &str = "LibraryCreated";
const LIBRARY_MODIFIED: &str = "LibraryModified";
const LIBRARY_REMARK: &str = "LibraryRemark";
/// Offset of the kind of game in version 2: 0 played and 1 composed from the standard start position, 2 and 3 the same from another one.
const KIND_AT: usize = 2040;
const PLAYED_LATER: u8 = 2;
const LAST_KIND: u8 = 3;
/// Tag for the kind, if it is not that of a played game. CBF has an element of this name.
const KIND: &str = "RecordType";
const RESULT_AT: usize = 2076;
const SIDE_AT: usize = 2112;
const START_MOVE_AT: usize = 2116;
const BOARD_AT: usize = 2120;
/// Offset of the node last shown by the program; all ones for none.
const CURRENT_AT: usize = 2210;
const MOVES_AT: usize = 2214;
/// Value of [`RESULT_NOTE`] for a record whose variations have different results, and its code.
pub(super) const SEVERAL_RESULTS: &str = "several results";
const SEVERAL: u8 = 4;

/// Offsets of the parts of a record in one version.
struct Layout {
    /// Text fields: offset, size in bytes, tag.
    fields: &'static [(usize, usize, &'static str)],
    kind: usize,
    result: usize,
    side: usize,
    start_move: usize,
    board: usize,
    moves: usize,
}

const VERSION_2: Layout = Layout {
    fields: &[
        (52, 128, "Script"),
        (180, 128, "Title"),
        (308, 256, "URL"),
        (564, 64, "From"),
        (628, 64, "ContestType"),
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
        (1716, 64, "CommentatorURL"),
        (1780, 64, "Author"),
        (1844, 64, "CreatorURL"),
        (1908, 64, "Created"),
        (1972, 64, "Modified"),
        (2044, 32, "RecordKind"),
        (2080, 32, "Termination"),
    ],
    kind: KIND_AT,
    result: RESULT_AT,
    side: SIDE_AT,
    start_move: START_MOVE_AT,
    board: BOARD_AT,
    moves: MOVES_AT,
};

const VERSION_1: Layout = Layout {
    fields: &[
        (52, 128, "Title"),
        (180, 256, "URL"),
        (436, 64, "From"),
        (500, 64, "ContestType"),
        (564, 64, "Event"),
        (628, 64, "Round"),
        (692, 32, "Group"),
        (724, 32, "Table"),
        (756, 64, "Date"),
        (820, 64, "Site"),
        (884, 64, "TimeControl"),
        (948, 64, "Red"),
        (1012, 64, "RedTeam"),
        (1076, 64, "RedTime"),
        (1140, 32, "RedElo"),
        (1172, 64, "Black"),
        (1236, 64, "BlackTeam"),
        (1300, 64, "BlackTime"),
        (1364, 32, "BlackElo"),
        (1396, 64, "Annotator"),
        (1460, 64, "CommentatorURL"),
        (1524, 64, "Author"),
        (1588, 64, "CreatorURL"),
        (1652, 64, "Created"),
        (1716, 64, "Modified"),
        (1788, 32, "RecordKind"),
        (1824, 32, "Termination"),
    ],
    kind: 1784,
    result: 1820,
    side: 1856,
    start_move: 1860,
    board: 1864,
    moves: 1958,
};

const LINE_ENDS: u8 = 1;
const ALTERNATIVE_FOLLOWS: u8 = 2;
const COMMENT_FOLLOWS: u8 = 4;

/// Decodes a fixed-size field of NUL-terminated UTF-16LE text. If the text fills the field, half a surrogate pair at its end is left out.
fn field(bytes: &[u8], offset: usize, size: usize) -> String {
    let field = bytes.get(offset..).map(|rest| &rest[..size.min(rest.len())]).unwrap_or_default();
    let end = field.chunks(2).position(|unit| unit == [0, 0]).map_or(field.len() & !1, |units| units * 2);
    let mut text = Charset::UTF_16LE.decode(&field[..end]).into_owned();
    if end + 2 >= size && text.ends_with(UNREADABLE) {
        text.pop();
    }
    text
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.get(..4)?.try_into().ok().map(u32::from_le_bytes)
}

/// The kinds of pieces in the order of their codes, which start at 1.
const KINDS: [PieceType; 7] = [
    PieceType::Rook,
    PieceType::Horse,
    PieceType::Elephant,
    PieceType::Advisor,
    PieceType::King,
    PieceType::Cannon,
    PieceType::Pawn,
];

/// The piece for a board code, which has the colour in the high nibble and the kind in the low one.
fn piece(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    Some(Piece::new(color, *KINDS.get((code & 15).checked_sub(1)? as usize)?))
}

fn code(piece: Piece) -> u8 {
    let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or(0) as u8 + 1;
    kind + if piece.color() == Color::Red { 0x10 } else { 0x20 }
}

/// The point for a number, counted row by row from the top left as seen by Red.
fn square_from_top(number: u8) -> Option<Square> {
    let (row, file) = (number as usize / FILES, number as usize % FILES);
    if row < RANKS { Square::new((RANKS - 1 - row) * FILES + file) } else { None }
}

/// The number of a point, the inverse of [`square_from_top`].
fn number_from_top(square: Square) -> u8 {
    (RANKS as u8 - 1 - square.rank()) * FILES as u8 + square.file()
}

/// The point for a byte of version 1, which has the file and the row from the top in its nibbles.
fn square_of_nibbles(byte: u8) -> Option<Square> {
    Square::at((byte >> 4) as i32, RANKS as i32 - 1 - (byte & 15) as i32)
}

/// Reads one record.
///
/// # Errors
/// Returns an error if the bytes do not have the signature and length of a CBR record, or there are too many moves. Truncated and illegal
/// moves are reported as warnings in the record, which keeps the moves before them.
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
        match (square_from_top(index as u8), piece(code)) {
            (Some(square), Some(piece)) => drop(record.start.put(square, Some(piece))),
            _ => record.warn(warning!(
                "byte {0}: {1} is not a piece; the point is left empty",
                "第{0}字节：{1}不是棋子，该点留空",
                layout.board + index,
                format!("{code:#04x}")
            )),
        }
    }
    let kind = bytes[layout.kind];
    if kind <= LAST_KIND && kind != usual_kind(&record.start) {
        record.set_tag(KIND, kind.to_string());
    }
    record.start.side = if bytes[layout.side] == 2 { Color::Black } else { Color::Red };
    if let Some(number) = bytes.get(layout.start_move..layout.start_move + 2).filter(|number| *number != [0, 0]) {
        record.start.fullmove = u16::from_le_bytes([number[0], number[1]]) as u32;
    }
    record.result = match bytes[layout.result] {
        1 => RecordResult::RedWins,
        2 => RecordResult::BlackWins,
        3 => RecordResult::Draw,
        _ => RecordResult::Unknown,
    };
    if bytes[layout.result] == SEVERAL {
        record.set_tag(RESULT_NOTE, SEVERAL_RESULTS);
    }
    let squares = if version == 1 { square_of_nibbles } else { square_from_top };
    read_moves(&mut record, bytes, layout.moves, squares)?;
    record.trust_first_move();
    Ok(with_unreadable_fields(record.legal_part()))
}

fn read_moves(record: &mut Record, bytes: &[u8], mut at: usize, squares: fn(u8) -> Option<Square>) -> Result<(), RecordError> {
    let mut pending: Vec<NodeId> = Vec::new();
    let mut parent = None;
    loop {
        let Some(&[flag, _, from, to]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) else {
            record.warn(match parent {
                Some(_) => warning!("byte {0}: the file ends inside the moves", "第{0}字节：文件在着法部分中间结束", bytes.len()),
                None => warning!("byte {0}: the file ends before the moves", "第{0}字节：文件在着法部分之前结束", bytes.len()),
            });
            return Ok(());
        };
        at += 4;
        let mut comment = String::new();
        if flag & COMMENT_FOLLOWS != 0 {
            let length = u32_at(bytes, at).map_or(usize::MAX, |length| length as usize);
            at = (at + 4).min(bytes.len());
            let end = at.saturating_add(length).min(bytes.len());
            if end - at != length {
                record.warn(warning!("byte {0}: the file ends inside a comment", "第{0}字节：文件在注释中间结束", at));
            }
            let text = Charset::UTF_16LE.decode(&bytes[at..end]);
            comment = text.trim_end_matches('\0').to_string();
            at = end;
        }
        let id = match parent {
            None => record.root(),
            Some(_) if from == to => {
                if !pending.is_empty() {
                    record.warn(warning!(
                        "byte {0}: the moves end before the variations that they announce: {1}",
                        "第{0}字节：着法在其声明的变着之前结束，缺少{1}个变着",
                        at,
                        pending.len()
                    ));
                }
                return Ok(());
            }
            Some(parent) => {
                let mv = squares(from).zip(squares(to)).map_or(Move::NONE, |(from, to)| Move::new(from, to));
                if flag & ALTERNATIVE_FOLLOWS != 0 {
                    pending.push(parent);
                }
                record.add(parent, mv).map_err(|full| RecordError::new(format!("byte {at}"), full))?
            }
        };
        record.append_comment(id, &comment);
        parent = if flag & LINE_ENDS == 0 { Some(id) } else { pending.pop() };
        if parent.is_none() {
            if bytes[at..].starts_with(RECORD_MAGIC) {
                record.warn_of_another(at);
            }
            return Ok(());
        }
    }
}

/// The kind of a game that was played from a position.
fn usual_kind(start: &Setup) -> u8 {
    if start.pieces().eq(Setup::standard().pieces()) { 0 } else { PLAYED_LATER }
}

/// Writes a NUL-terminated text into a fixed-size field, truncated at a character boundary. Returns whether it fitted.
fn put_field(bytes: &mut [u8], offset: usize, size: usize, text: &str) -> bool {
    let mut units = [0u16; 2];
    let mut at = offset;
    for letter in text.chars() {
        let units = letter.encode_utf16(&mut units);
        if letter == '\0' || at + 2 * units.len() + 2 > offset + size {
            return false;
        }
        for unit in units {
            bytes[at..at + 2].copy_from_slice(&unit.to_le_bytes());
            at += 2;
        }
    }
    true
}

/// A deterministic identifier: two FNV-1a hashes of the bytes with different seeds, marked as a version 8 UUID, the version for custom use
/// (RFC 9562).
fn guid(bytes: &[u8]) -> [u8; GUID] {
    let hash = |seed: u64| bytes.iter().fold(seed, |hash, &byte| (hash ^ byte as u64).wrapping_mul(0x100_0000_01b3));
    let mut guid = [0; GUID];
    guid[..8].copy_from_slice(&hash(0xcbf2_9ce4_8422_2325).to_le_bytes());
    guid[8..].copy_from_slice(&hash(0x6c62_272e_07bb_0142).to_le_bytes());
    guid[7] = guid[7] & 0x0f | 0x80;
    guid[8] = guid[8] & 0x3f | 0x80;
    guid
}

/// Writes a record in version 2. Returns the data that the format cannot store.
///
/// # Errors
/// Returns an error if a comment is too long for the format.
pub(super) fn write(record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
    let mut losses = Losses::default();
    let bytes = write_without(record, &[], &mut losses)?;
    Ok((bytes, losses))
}

/// Writes a library of a single record.
///
/// # Errors
/// Same as [`write`].
pub(super) fn write_library(record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
    let mut library = LibraryWriter::default();
    let losses = library.add(record)?;
    Ok((library.finish()?, losses))
}

/// Like [`write`], without the tags in `elsewhere`, which the library stores itself.
fn write_without(record: &Record, elsewhere: &[&str], losses: &mut Losses) -> Result<Vec<u8>, RecordError> {
    let mut out = vec![0u8; MOVES_AT];
    out[..RECORD_MAGIC.len()].copy_from_slice(RECORD_MAGIC);
    out[VERSION_AT] = 2;
    out[CURRENT_AT..MOVES_AT].fill(0xff);
    out[KIND_AT] = usual_kind(&record.start);
    write_tags(record, elsewhere, &mut out, losses);
    for (piece, square) in record.start.pieces() {
        out[BOARD_AT + number_from_top(square) as usize] = code(piece);
    }
    out[SIDE_AT] = if record.start.side == Color::Red { 1 } else { 2 };
    let number = u16::try_from(record.start.fullmove).unwrap_or(0);
    out[START_MOVE_AT..START_MOVE_AT + 2].copy_from_slice(&number.to_le_bytes());
    if record.start.clock != 0 || number as u32 != record.start.fullmove {
        losses.add("move counters of the start position", 1);
    }
    losses.add("move marks such as ! and ?", record.glyph_count());
    for (ply, id) in record.walk() {
        let mut flag = 0;
        flag |= if record.next(id).is_none() { LINE_ENDS } else { 0 };
        flag |= if record.next_sibling(id).is_some() { ALTERNATIVE_FOLLOWS } else { 0 };
        let comment = record.comment(id).replace('\n', "\r\n");
        flag |= if comment.is_empty() { 0 } else { COMMENT_FOLLOWS };
        let [from, to] = record.mv(id).map_or([0, 0], |mv| [mv.from(), mv.to()].map(number_from_top));
        out.extend_from_slice(&[flag, 0, from, to]);
        if !comment.is_empty() {
            let length = 2 * comment.encode_utf16().count();
            let too_long = |_| RecordError::new(format!("ply {ply}"), "the comment is too long for a CBR record");
            out.extend_from_slice(&u32::try_from(length).map_err(too_long)?.to_le_bytes());
            out.extend(comment.encode_utf16().flat_map(u16::to_le_bytes));
        }
    }
    let guid = guid(&out);
    out[GUID_AT..GUID_AT + GUID].copy_from_slice(&guid);
    Ok(out)
}

fn write_tags(record: &Record, elsewhere: &[&str], out: &mut [u8], losses: &mut Losses) {
    out[RESULT_AT] = record.result as u8;
    let mut written: Vec<usize> = Vec::new();
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        let kind = value.parse::<u8>().ok().filter(|kind| *kind <= LAST_KIND && !written.contains(&KIND_AT));
        if let Some(kind) = kind.filter(|_| name.eq_ignore_ascii_case(KIND)) {
            written.push(KIND_AT);
            out[KIND_AT] = kind;
            continue;
        }
        if elsewhere.iter().any(|tag| tag.eq_ignore_ascii_case(name)) {
            continue;
        }
        if name.eq_ignore_ascii_case(RESULT_NOTE) && value == SEVERAL_RESULTS && record.result == RecordResult::Unknown {
            out[RESULT_AT] = SEVERAL;
            continue;
        }
        match VERSION_2.fields.iter().find(|(offset, _, tag)| tag.eq_ignore_ascii_case(name) && !written.contains(offset)) {
            Some(&(offset, size, _)) => {
                written.push(offset);
                losses.add("tags shortened to the field of CBR", !put_field(out, offset, size, value) as usize);
            }
            None => losses.tag(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::fuzzing::cbr as sample;
    use crate::types::Move;

    #[test]
    fn a_record_with_the_wrong_side_to_move_is_read() {
        let record = read(&sample()).unwrap();
        assert_eq!((record.plies(), record.moves_in_tree()), (2, 3));
        assert_eq!(record.start, Setup::standard());
        assert_eq!((record.tag("Title"), record.tag("Red")), (Some("标题"), Some("红方")));
        assert_eq!(record.comment(record.root()), "总评");
        assert_eq!(record.result, RecordResult::Draw);
        assert_eq!(record.warnings(), [""; 0]);
    }

    #[test]
    fn version_1_is_read() {
        let mut bytes = vec![0u8; 1958];
        bytes[..RECORD_MAGIC.len()].copy_from_slice(RECORD_MAGIC);
        bytes[VERSION_AT] = 1;
        for &(offset, size, tag) in VERSION_1.fields {
            assert!(put_field(&mut bytes, offset, size, tag));
        }
        (bytes[1820], bytes[1856], bytes[1860]) = (2, 1, 12);
        let second = sample();
        bytes[1864..1954].copy_from_slice(&second[BOARD_AT..BOARD_AT + SQUARES]);
        // h2e2 with the alternative b2e2, then h9g7.
        bytes.extend([0, 0, 0, 0, 2, 0, 0x77, 0x47, 1, 0, 0x70, 0x62, 1, 0, 0x17, 0x47]);
        let record = read(&bytes).unwrap();
        let moves: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
        assert_eq!((moves.join(" ").as_str(), record.moves_in_tree(), record.warnings()), ("h2e2 h9g7", 3, vec![]));
        assert!(record.start.pieces().eq(Setup::standard().pieces()));
        assert_eq!((record.start.fullmove, record.result), (12, RecordResult::BlackWins));
        for (_, _, tag) in VERSION_1.fields {
            assert_eq!(record.tag(tag), Some(*tag));
        }
    }

    #[test]
    fn a_character_cut_at_the_end_of_a_full_field_is_dropped() {
        let mut bytes = sample();
        let text: Vec<u8> = "🙂".repeat(16).encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes[1076..1138].copy_from_slice(&text[..62]);
        for last in [0, 0xd83d_u16] {
            bytes[1138..1140].copy_from_slice(&last.to_le_bytes());
            let expected = if last == 0 { "🙂".repeat(15) } else { "🙂".repeat(15) + "\u{fffd}" };
            assert_eq!(read(&bytes).unwrap().tag("Red"), Some(expected.as_str()), "{last}");
        }
    }

    #[test]
    fn a_second_record_in_the_file_is_reported() {
        let bytes = sample();
        let joined = read(&[&bytes[..], &bytes].concat()).unwrap();
        let expected = format!("byte {}: another record begins", bytes.len());
        assert!(joined.moves_in_tree() == 3 && joined.warnings()[0].starts_with(&expected), "{:?}", joined.warnings());
    }

    #[test]
    fn truncated_files_never_panic() {
        let bytes = sample();
        for length in 0..bytes.len() {
            let record = read(&bytes[..length]);
            assert_eq!(record.is_ok(), length >= 2214);
            let is_reported = |record: Record| record.warnings().iter().any(|warning| warning.contains("file ends"));
            assert!(record.map_or(true, is_reported), "{length}");
        }
    }

    #[test]
    fn a_record_round_trips() {
        let mut record = read(&sample()).unwrap();
        record.set_tag("RecordKind", "快棋");
        record.set_tag("Termination", "困毙 🙂");
        record.set_tag(KIND, "1");
        let reply = record.main_line().nth(1).unwrap();
        record.append_comment(reply, "两行\n的评注");
        record.start.fullmove = 7;
        let (bytes, losses) = write(&record).unwrap();
        assert!(losses.is_empty(), "{losses}");
        assert_eq!(read(&bytes).unwrap(), record);
        assert_eq!(write(&read(&bytes).unwrap()).unwrap().0, bytes, "the same record is the same file");
        // An endgame position with Black to move and no moves.
        let mut empty = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 12").unwrap());
        empty.set_tag(RESULT_NOTE, SEVERAL_RESULTS);
        let (bytes, losses) = write(&empty).unwrap();
        assert!(losses.is_empty() && bytes[KIND_AT] == PLAYED_LATER);
        assert_eq!(read(&bytes).unwrap(), empty);
    }

    #[test]
    fn the_sources_of_a_record_round_trip() {
        let mut record = Record::new(Setup::standard());
        let tags = [
            ("Script", "a"),
            ("URL", "挺兵对飞象"),
            ("From", "书"),
            ("ContestType", "杯"),
            ("CommentatorURL", "a"),
            ("CreatorURL", "b"),
        ];
        tags.into_iter().for_each(|(tag, value)| record.set_tag(tag, value));
        let (bytes, losses) = write(&record).unwrap();
        assert!(losses.is_empty(), "{losses}");
        assert_eq!(read(&bytes).unwrap(), record);
    }

    #[test]
    fn an_end_before_announced_variations_is_reported() {
        let mut bytes = sample();
        // The reply h9g7 becomes the mark of an end, so that the variation of the first move is missing.
        let at = bytes.len() - 8;
        bytes[at..at + 4].fill(0);
        let record = read(&bytes).unwrap();
        assert_eq!((record.moves_in_tree(), record.warnings().len()), (1, 1), "{:?}", record.warnings());
    }

    #[test]
    fn losses_are_reported() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 3 70000").unwrap());
        let first = record.add(record.root(), Move::from_uci("e1e9").unwrap()).unwrap();
        record.add_glyph(first, 1);
        record.set_tag("Red", "🙂".repeat(20));
        record.set_tag("Annotator2", "x");
        let (bytes, losses) = write(&record).unwrap();
        assert_eq!(
            losses.to_string(),
            "move counters of the start position 1, move marks such as ! and ? 1, tag Annotator2 1, \
             tags shortened to the field of CBR 1"
        );
        assert_eq!(read(&bytes).unwrap().tag("Red"), Some("🙂".repeat(15).as_str()));
    }
}
