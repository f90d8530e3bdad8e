//! XQF, the format of XQStudio (象棋演播室), versions 10 to 18: one game with variations and comments, encrypted since
//! version 11. The writer uses version 10, which all programs can read.
//!
//! Based on XQF.TXT and xqf2pgn of the ElephantEye project (xqbase/eleeye) and on real files.

use super::encoding::{self, InputEncoding, TextEncoding};
use super::source::with_unreadable_fields;
use super::{Losses, NodeId, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::records::warning::warning;
use crate::types::{Color, Move, Piece, PieceType, Square};

const HEADER: usize = 1024;
const PIECES_AT: usize = 16;
const SIDE_AT: usize = 0x32;
const RESULT_AT: usize = 0x33;
const TYPE_AT: usize = 0x40;
/// Square byte of a piece that is not on the board.
const ABSENT: u8 = 0xff;
/// Added to the origin and destination bytes of every move.
const FROM_BIAS: u8 = 24;
const TO_BIAS: u8 = 32;
const CRYPT_TEXT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The text fields: offset, size including the length byte, tag.
const FIELDS: [(usize, usize, &str); 11] = [
    (0x50, 64, "Title"),
    (0xd0, 64, "Event"),
    (0x110, 16, "Date"),
    (0x120, 16, "Site"),
    (0x130, 16, "Red"),
    (0x140, 16, "Black"),
    (0x150, 64, "TimeControl"),
    (0x190, 16, "RedTime"),
    (0x1a0, 16, "BlackTime"),
    (0x1d0, 16, "Annotator"),
    (0x1e0, 16, "Author"),
];

/// Values of the type byte, as stored in the tag `Type`.
const TYPES: [&str; 4] = ["game", "opening", "middlegame", "endgame"];
/// The first type that allows other start positions: XiangQi Wizard ignores the pieces for the first two types.
const FIRST_SET_UP: u8 = 2;
const ENDGAME: u8 = 3;

/// The pieces in the order used by XQF and DhtmlXQ for listing their points.
pub(super) fn piece_order() -> impl Iterator<Item = Piece> {
    use PieceType::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    const SIDE: [PieceType; 16] =
        [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook, Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn];
    Color::ALL.into_iter().flat_map(|color| SIDE.into_iter().map(move |kind| Piece::new(color, kind)))
}

/// Decryption keys; all zero up to version 10.
struct Keys {
    piece: u8,
    from: u8,
    to: u8,
    comment_length: u32,
    stream: [u8; 32],
}

impl Keys {
    fn of(header: &[u8; HEADER]) -> Keys {
        if header[2] <= 10 {
            return Keys { piece: 0, from: 0, to: 0, comment_length: 0, stream: [0; 32] };
        }
        let [sum, piece, from, to] = [header[12], header[13], header[14], header[15]];
        let spread = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let piece_key = spread(piece).wrapping_mul(piece);
        let from_key = spread(from).wrapping_mul(piece_key);
        let to_key = spread(to).wrapping_mul(from_key);
        let mask = header[3];
        let or_keys = [header[8], header[9], header[10], header[11]];
        let masked = [sum & mask, piece & mask, from & mask, to & mask];
        let stream = std::array::from_fn(|i| CRYPT_TEXT[i] & (or_keys[i % 4] | masked[i % 4]));
        let comment_length = (sum as u32 * 256 + piece as u32) % 32_000 + 767;
        Keys { piece: piece_key, from: from_key, to: to_key, comment_length, stream }
    }
}

/// The point for a byte, which is `file * 10 + rank`.
fn square(byte: u8) -> Option<Square> {
    Square::at((byte / 10) as i32, (byte % 10) as i32)
}

fn square_byte(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// The part after the header, decrypted while reading.
struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: Keys,
}

impl Records<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let stored: [u8; N] = self.bytes.get(self.at..)?.get(..N)?.try_into().ok()?;
        let start = self.at;
        self.at += N;
        Some(std::array::from_fn(|i| stored[i].wrapping_sub(self.keys.stream[(start + i) % 32])))
    }

    /// Reads a comment. Returns the text and whether it is complete.
    fn text(&mut self, length: usize, encoding: Option<InputEncoding>) -> (String, bool) {
        let end = self.at.saturating_add(length).min(self.bytes.len());
        let plain: Vec<u8> = (self.at..end).map(|at| self.bytes[at].wrapping_sub(self.keys.stream[at % 32])).collect();
        let whole = plain.len() == length;
        self.at = end;
        (encoding::decode_field(&plain, encoding), whole)
    }
}

/// Whether bytes start like an XQF file: with `XQ`, a version, and a header that contains a zero byte. A text file may also start with `XQ`,
/// but contains no zero bytes.
pub(super) fn has_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ")
        && bytes.get(2).is_some_and(|&version| version < b' ')
        && bytes[..bytes.len().min(HEADER)].contains(&0)
}

/// Reads an XQF file. Texts are decoded as GBK unless an encoding is given.
///
/// # Errors
/// Returns an error if the header is not that of XQF, or the record has too many moves. Truncated moves, moves off the board and illegal
/// moves are reported as warnings in the record, which keeps the moves before them.
pub(super) fn read(bytes: &[u8], encoding: Option<InputEncoding>) -> Result<Record, RecordError> {
    let header: &[u8; HEADER] = match bytes.first_chunk::<HEADER>() {
        Some(header) if has_mark(header) => header,
        Some(_) => {
            return Err(RecordError::new(
                "byte 0",
                RecordProblem::NotThisFormat("an XQF file, whose header begins with 'XQ' and a version"),
            ));
        }
        None => {
            return Err(RecordError::new(
                format!("byte {}", bytes.len()),
                RecordProblem::Truncated(format!("the XQF header of {HEADER} bytes")),
            ));
        }
    };
    let version = header[2];
    let keys = Keys::of(header);
    let mut record = Record::new(Setup::empty());
    if !(10..=18).contains(&version) {
        record.warn(warning!(
            "XQF version {0} is unknown, expected 10 to 18; read as the nearest version",
            "未知的XQF版本{0}，应为10至18，按最接近的版本读取",
            version
        ));
    }
    if version > 10 && header[12..16].iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte)) != 0 {
        record.warn(warning!(
            "the checksum of the XQF keys is wrong; the file may be damaged",
            "XQF密钥的校验和有误，文件可能已损坏"
        ));
    }
    read_pieces(header, &keys, &mut record);
    record.result = match header[RESULT_AT] {
        1 => RecordResult::RedWins,
        2 => RecordResult::BlackWins,
        3 | 4 => RecordResult::Draw,
        _ => RecordResult::Unknown,
    };
    for (offset, size, tag) in FIELDS {
        let field = &header[offset..offset + size];
        let length = (field[0] as usize).min(size - 1);
        let text = encoding::decode_cut_field(&field[1..=length], length == size - 1, encoding);
        record.set_tag(tag, text.replace("\0", ""));
    }
    if let Some(name) = TYPES.get(header[TYPE_AT] as usize).filter(|_| header[TYPE_AT] != 0) {
        record.set_tag("Type", *name);
    }
    if header[SIDE_AT] == 1 {
        record.start.side = Color::Black;
    }
    read_moves(&mut record, Records { bytes: &bytes[HEADER..], at: 0, keys }, version, encoding)?;
    record.trust_first_move();
    Ok(with_unreadable_fields(record.legal_part()))
}

fn read_pieces(header: &[u8; HEADER], keys: &Keys, record: &mut Record) {
    let mut places = [ABSENT; 32];
    for (index, &stored) in header[PIECES_AT..PIECES_AT + 32].iter().enumerate() {
        let piece = if header[2] >= 12 { (keys.piece as usize + 1 + index) % 32 } else { index };
        places[piece] = stored.wrapping_sub(keys.piece);
    }
    for (piece, place) in piece_order().zip(places) {
        if let Some(point) = square(place)
            && record.start.put(point, Some(piece)).is_some()
        {
            record.warn(warning!("there are two pieces on {0}; the later one is kept", "{0}上有两个棋子，保留后者", point));
        }
    }
}

fn read_moves(
    record: &mut Record,
    mut records: Records<'_>,
    version: u8,
    encoding: Option<InputEncoding>,
) -> Result<(), RecordError> {
    // Parents of alternatives that have not been read yet.
    let mut pending: Vec<NodeId> = Vec::new();
    let mut parent = None;
    loop {
        let Some([from, to, flag, _]) = records.take::<4>() else {
            let end = HEADER + records.bytes.len();
            // Some programs announce moves in every diagram.
            let is_diagram = record.moves_in_tree() == 0 && record.start != Setup::standard();
            if is_diagram && parent == Some(record.root()) && records.at == records.bytes.len() {
                return Ok(());
            }
            record.warn(match parent {
                Some(_) => warning!("byte {0}: the file ends inside the moves", "第{0}字节：文件在着法部分中间结束", end),
                None => warning!("byte {0}: the file ends before the moves", "第{0}字节：文件在着法部分之前结束", end),
            });
            return Ok(());
        };
        let (has_next, has_alternative, has_comment) = if version <= 10 {
            (flag & 0xf0 != 0, flag & 0x0f != 0, true)
        } else {
            (flag & 0x80 != 0, flag & 0x40 != 0, flag & 0x20 != 0)
        };
        let mut comment = None;
        if has_comment {
            let Some(length) = records.take::<4>() else {
                record.warn(warning!(
                    "byte {0}: the file ends inside a comment",
                    "第{0}字节：文件在注释中间结束",
                    HEADER + records.at
                ));
                return Ok(());
            };
            let length = u32::from_le_bytes(length).wrapping_sub(records.keys.comment_length);
            let (text, whole) = records.text(length as usize, encoding);
            if !whole {
                record.warn(warning!(
                    "byte {0}: the file ends inside a comment",
                    "第{0}字节：文件在注释中间结束",
                    HEADER + records.at
                ));
            }
            comment = Some(text);
        }
        let id = match parent {
            None => record.root(),
            Some(parent) => {
                let from = square(from.wrapping_sub(FROM_BIAS).wrapping_sub(records.keys.from));
                let to = square(to.wrapping_sub(TO_BIAS).wrapping_sub(records.keys.to));
                let mv = from.zip(to).filter(|(from, to)| from != to).map_or(Move::NONE, |(from, to)| Move::new(from, to));
                if has_alternative {
                    pending.push(parent);
                }
                record.add(parent, mv).map_err(|full| RecordError::new(format!("byte {}", HEADER + records.at), full))?
            }
        };
        if let Some(text) = comment {
            record.append_comment(id, &text.replace("\0", ""));
        }
        parent = if has_next { Some(id) } else { pending.pop() };
        if parent.is_none() {
            if records.bytes.get(records.at..).is_some_and(has_mark) {
                record.warn_of_another(HEADER + records.at);
            }
            return Ok(());
        }
    }
}

/// Writes a record as XQF version 10. Returns the data that the format cannot store.
///
/// # Errors
/// Returns an error if the start position has more pieces of a kind than the format allows.
pub fn write(record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
    let mut losses = Losses::default();
    let mut out = vec![0u8; HEADER];
    out[..3].copy_from_slice(&[b'X', b'Q', 10]);
    write_pieces(record, &mut out)?;
    out[RESULT_AT] = record.result as u8;
    out[SIDE_AT] = (record.start.side == Color::Black) as u8;
    write_tags(record, &mut out, &mut losses);
    if !record.start.pieces().eq(Setup::standard().pieces()) && out[TYPE_AT] < FIRST_SET_UP {
        // The tag named another type.
        if out[TYPE_AT] != 0 {
            losses.tag("Type");
        }
        out[TYPE_AT] = ENDGAME;
    }
    if record.start.clock != 0 || record.start.fullmove != 1 {
        losses.add("move counters of the start position", 1);
    }
    losses.add("move marks such as ! and ?", record.glyph_count());
    for (_, id) in record.walk() {
        let has_next = record.next(id).is_some();
        let has_alternative = record.next_sibling(id).is_some();
        let flag = if has_next { 0xf0 } else { 0 } | if has_alternative { 0x0f } else { 0 };
        let (from, to) = match record.mv(id) {
            None => (FROM_BIAS, TO_BIAS),
            Some(mv) => (square_byte(mv.from()) + FROM_BIAS, square_byte(mv.to()) + TO_BIAS),
        };
        let reserved = if record.mv(id).is_none() { 0xff } else { 0 };
        out.extend_from_slice(&[from, to, flag, reserved]);
        let text = record.comment(id).replace('\n', "\r\n");
        let (bytes, lost) = encoding::encode(&text, TextEncoding::Gbk);
        losses.add("characters that GBK lacks, written as '?'", lost);
        out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(&bytes);
    }
    Ok((out, losses))
}

fn write_pieces(record: &Record, out: &mut [u8]) -> Result<(), RecordError> {
    let mut standing: Vec<(Piece, Square)> = record.start.pieces().collect();
    for (index, piece) in piece_order().enumerate() {
        let place = standing.iter().position(|&(other, _)| other == piece).map(|at| standing.remove(at).1);
        out[PIECES_AT + index] = place.map_or(ABSENT, square_byte);
    }
    match standing.first() {
        None => Ok(()),
        Some((piece, square)) => Err(RecordError::new(
            format!("start position, {square}"),
            format!("there are more '{}' than XQF can store", piece.fen_letter()),
        )),
    }
}

fn write_tags(record: &Record, out: &mut [u8], losses: &mut Losses) {
    // Of a repeated tag the first value counts.
    let mut written = Vec::new();
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        if name.eq_ignore_ascii_case("Type")
            && let Some(number) = TYPES.iter().position(|known| *known == value)
            && out[TYPE_AT] == 0
        {
            out[TYPE_AT] = number as u8;
            continue;
        }
        let is_free = |(offset, _, tag): &&(usize, usize, &str)| tag.eq_ignore_ascii_case(name) && !written.contains(offset);
        let Some((offset, size, _)) = FIELDS.iter().find(is_free) else {
            losses.tag(name);
            continue;
        };
        written.push(*offset);
        let mut field = Vec::new();
        for letter in value.chars() {
            let mut buffer = [0u8; 4];
            let (bytes, lost) = encoding::encode(letter.encode_utf8(&mut buffer), TextEncoding::Gbk);
            if field.len() + bytes.len() > size - 1 {
                losses.add("tags shortened to the field of XQF", 1);
                break;
            }
            losses.add("characters that GBK lacks, written as '?'", lost);
            field.extend_from_slice(&bytes);
        }
        out[*offset] = field.len() as u8;
        out[offset + 1..offset + 1 + field.len()].copy_from_slice(&field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encrypts a version 10 file as a later version: the inverse of the reader.
    fn encrypted(plain: &[u8], version: u8) -> Vec<u8> {
        let mut out = plain[..HEADER].to_vec();
        out[2] = version;
        out[3] = 0x5a;
        out[8..12].copy_from_slice(&[0x11, 0x83, 0x40, 0x0f]);
        let [sum, piece, from] = [0x21u8, 0x35, 0x77];
        out[12..16].copy_from_slice(&[sum, piece, from, 0u8.wrapping_sub(sum).wrapping_sub(piece).wrapping_sub(from)]);
        let header: &[u8; HEADER] = out[..].try_into().unwrap();
        let keys = Keys::of(header);
        for index in 0..32 {
            let place = if version >= 12 { (keys.piece as usize + 1 + index) % 32 } else { index };
            out[PIECES_AT + index] = plain[PIECES_AT + place].wrapping_add(keys.piece);
        }
        let mut body = Vec::new();
        let mut at = HEADER;
        while at < plain.len() {
            let length = u32::from_le_bytes(plain[at + 4..at + 8].try_into().unwrap());
            let flag = if plain[at + 2] & 0xf0 != 0 { 0x80 } else { 0 }
                | if plain[at + 2] & 0x0f != 0 { 0x40 } else { 0 }
                | if length > 0 { 0x20 } else { 0 };
            body.extend([plain[at].wrapping_add(keys.from), plain[at + 1].wrapping_add(keys.to), flag, 0]);
            if length > 0 {
                body.extend(length.wrapping_add(keys.comment_length).to_le_bytes());
                body.extend(&plain[at + 8..at + 8 + length as usize]);
            }
            at += 8 + length as usize;
        }
        out.extend(body.iter().enumerate().map(|(i, byte)| byte.wrapping_add(keys.stream[i % 32])));
        out
    }

    fn sample() -> Record {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Title", "顺炮横车破直车");
        record.set_tag("Red", "红方");
        record.set_tag("Type", "opening");
        record.result = RecordResult::RedWins;
        record.append_comment(record.root(), "总评\n第二行");
        let mv = |text| Move::from_uci(text).unwrap();
        let a = record.add(record.root(), mv("h2e2")).unwrap();
        let b = record.add(a, mv("h9g7")).unwrap();
        record.add(b, mv("h0g2")).unwrap();
        let c = record.add(a, mv("h7e7")).unwrap();
        record.append_comment(c, "列手炮");
        record.add(c, mv("e2e6")).unwrap();
        record.add(record.root(), mv("b2e2")).unwrap();
        record
    }

    #[test]
    fn every_version_round_trips() {
        let record = sample();
        let (plain, losses) = write(&record).unwrap();
        assert_eq!(losses.to_string(), "");
        let read_back = read(&plain, None).unwrap();
        assert!(read_back.same_tree(&record));
        for version in [11, 12, 13, 16, 18] {
            let again = read(&encrypted(&plain, version), None).unwrap();
            assert_eq!(again, read_back, "version {version}");
            assert_eq!(again.warnings(), [""; 0]);
        }
    }

    #[test]
    fn the_header_has_the_values_that_other_readers_require() {
        let standard = crate::board::START_FEN;
        for (fen, given, kind, side) in [
            (standard, None, 0, 0),
            (standard, Some("opening"), 1, 0),
            (standard, Some("endgame"), 3, 0),
            ("3k5/9/9/9/9/9/9/9/9/R3K4 w", None, 3, 0),
            ("3k5/9/9/9/9/9/9/9/9/R3K4 w", Some("game"), 3, 0),
            ("3k5/9/9/9/9/9/9/9/9/R3K4 b", Some("middlegame"), 2, 1),
            (&standard.replace(" w", " b"), None, 0, 1),
        ] {
            let mut record = Record::new(Setup::from_fen(fen).unwrap());
            given.iter().for_each(|given| record.set_tag("Type", *given));
            let (bytes, losses) = write(&record).unwrap();
            assert_eq!((bytes[TYPE_AT], bytes[SIDE_AT]), (kind, side), "{fen} {given:?}");
            assert!(losses.is_empty(), "{losses}");
            // XQStudio checks that the keys of an unencrypted file add up to 0; no other byte before the texts is set.
            assert!(bytes[3..PIECES_AT].iter().chain(&bytes[0x30..SIDE_AT]).chain(&bytes[0x34..TYPE_AT]).all(|byte| *byte == 0));
            assert_eq!(read(&bytes, None).unwrap().start, record.start, "{fen}");
        }
    }

    #[test]
    fn a_type_that_excludes_the_position_is_a_loss() {
        let mut record = Record::new(Setup::from_fen("3k5/9/9/9/9/9/9/9/9/R3K4 w").unwrap());
        record.set_tag("Type", "opening");
        let (bytes, losses) = write(&record).unwrap();
        assert_eq!((bytes[TYPE_AT], losses.to_string().as_str()), (ENDGAME, "tag Type 1"));
    }

    #[test]
    fn losses_are_reported() {
        let mut record = sample();
        record.set_tag("Round", "3");
        record.set_tag("Red", "一个长得没有地方写的名字");
        let at = record.main_line().next().unwrap();
        record.add_glyph(at, 1);
        record.append_comment(at, "☃");
        let (bytes, losses) = write(&record).unwrap();
        let text = losses.to_string();
        for part in ["Round", "shortened", "move marks", "GBK lacks"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(read(&bytes, None).unwrap().tag("Red"), Some("一个长得没有地"));
    }

    #[test]
    fn a_character_cut_at_the_end_of_a_full_field_is_dropped() {
        let (mut bytes, _) = write(&sample()).unwrap();
        let (name, _) = encoding::encode("广州市碧桂园凤凰", TextEncoding::Gbk);
        bytes[0x120] = 15;
        bytes[0x121..0x130].copy_from_slice(&name[..15]);
        // Elsewhere it is an unreadable character.
        bytes[0x130] = 3;
        bytes[0x131..0x134].copy_from_slice(&name[..3]);
        let record = read(&bytes, None).unwrap();
        assert_eq!((record.tag("Site"), record.tag("Red")), (Some("广州市碧桂园凤"), Some("广\u{fffd}")));
        assert!(record.warnings()[0].starts_with("unreadable characters: 1"), "{:?}", record.warnings());
        // The stated length may be beyond the field.
        bytes[0x120] = 255;
        assert_eq!(read(&bytes, None).unwrap().tag("Site"), Some("广州市碧桂园凤"));
        let big5 = "big5".parse().ok();
        let (name, _) = encoding::encode("廣州市碧桂園鳳凰", TextEncoding::Big5);
        bytes[0x121..0x130].copy_from_slice(&name[..15]);
        assert_eq!(read(&bytes, big5).unwrap().tag("Site"), Some("廣州市碧桂園鳳"));
    }

    #[test]
    fn a_second_record_in_the_file_is_reported() {
        let (bytes, _) = write(&sample()).unwrap();
        let joined = read(&[&bytes[..], &bytes].concat(), None).unwrap();
        let expected = format!("byte {}: another record begins", bytes.len());
        assert!(joined.same_tree(&read(&bytes, None).unwrap()) && joined.warnings()[0].starts_with(&expected));
    }

    #[test]
    fn a_diagram_may_announce_moves_that_it_does_not_have() {
        for (fen, end) in [("3k5/9/9/9/9/9/9/9/4R4/4K4 w", 0), (crate::board::START_FEN, 1)] {
            let mut record = Record::new(Setup::from_fen(fen).unwrap());
            record.append_comment(record.root(), "a diagram");
            let (mut bytes, _) = write(&record).unwrap();
            bytes[HEADER + 2] = 0xf0;
            let diagram = read(&bytes, None).unwrap();
            // A game from the start of which nothing follows has been cut off.
            assert_eq!((diagram.comment(diagram.root()), diagram.warnings().len()), ("a diagram", end), "{fen}");
            bytes.push(0);
            assert_eq!(read(&bytes, None).unwrap().warnings().len(), 1);
        }
    }

    #[test]
    fn truncated_files_keep_the_moves_before_the_end() {
        let (bytes, _) = write(&sample()).unwrap();
        for length in 0..bytes.len() {
            match read(&bytes[..length], None) {
                Ok(record) => assert!(length >= HEADER && record.moves_in_tree() <= 6),
                Err(error) => assert!(length < HEADER, "{error}"),
            }
        }
        let cut = read(&bytes[..bytes.len() - 3], None).unwrap();
        assert!(cut.warnings().iter().any(|warning| warning.contains("file ends inside")), "{:?}", cut.warnings());
        // Truncation is reported at every length, even directly after the header.
        for length in HEADER..bytes.len() {
            let cut = read(&bytes[..length], None).unwrap();
            assert!(cut.warnings().iter().any(|warning| warning.contains("file ends")), "{length}: {:?}", cut.warnings());
        }
        assert_eq!(read(&bytes, None).unwrap().warnings(), [""; 0]);
    }
}
