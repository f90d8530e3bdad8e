//! Libraries of old versions of CCBridge: a header of twenty bytes, then compressed records of varying size, with their texts in GBK.
//!
//! Based on three real files.

use super::{LIBRARY_CREATED, LIBRARY_MODIFIED, LIBRARY_REMARK, u32_at};
use crate::records::encoding::{InputEncoding, decode_field};
use crate::records::source::{File, MAX_FILE, Source, with_unreadable_fields};
use crate::records::warning::warning;
use crate::records::xqf::piece_order;
use crate::records::{NodeId, Record, RecordError, RecordProblem, RecordResult, Setup};
use crate::types::{Color, Move, RANKS, Square};

/// Offsets of the size of the decompressed data, and of the compressed data.
const SIZE_AT: usize = 16;
const DATA_AT: usize = 20;
/// Tags for the texts at the start of the library; those without a tag are always empty, or not stored with each game.
const LIBRARY: [&str; 5] = ["Library", "", "", "LibraryCreator", ""];
/// Tags for the texts of a record before and after its result. The unknown ones are always empty.
const TEXTS: [&str; 7] = ["Title", "CBL-1", "CBL-2", "CBL-3", "CBL-4", "Red", "Black"];
const MORE_TEXTS: [&str; 5] = ["Annotator", "CommentatorURL", "Author", "CreatorURL", COMMENT];
const COMMENT: &str = "Comment";
const DATES: [&str; 2] = ["Created", "Modified"];
/// Size of a date as text, padded with blanks.
const DATE: usize = 19;
/// Number of bytes for the points of the pieces, and between them and the first text.
const PIECES: usize = 32;
const UNKNOWN: usize = 12;
/// Size of a move: its number (2), origin, destination, and two bytes with its notation.
const MOVE: usize = 6;
/// The line break in comments.
const BREAK: &str = "||";

/// The records of a library.
pub(in crate::records) struct PackedLibrary {
    /// The decompressed data.
    bytes: Vec<u8>,
    encoding: Option<InputEncoding>,
    /// Offset of the next record.
    at: usize,
    /// Number of records, and of those that have been read.
    games: usize,
    read: usize,
    tags: Vec<(&'static str, String)>,
    /// A problem of the entire file, reported after the last record.
    problem: Option<RecordError>,
}

impl PackedLibrary {
    /// Opens a library.
    ///
    /// # Errors
    /// Returns an error if the file ends inside the header, or nothing can be decompressed. Other damage is reported after the records
    /// before it.
    pub(in crate::records) fn source(file: File) -> Result<Box<dyn Source>, RecordError> {
        let File { bytes: packed, encoding } = file;
        let truncated =
            |at: usize| RecordError::new(format!("byte {at}"), RecordProblem::Truncated("the header of the library".into()));
        let (Some(size), Some(data)) = (u32_at(&packed, SIZE_AT), packed.get(DATA_AT..)) else {
            return Err(truncated(packed.len()));
        };
        let limit = (size as usize).min(MAX_FILE as usize);
        let (bytes, problem) = match miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(data, limit) {
            Ok(bytes) => (bytes, None),
            Err(error) => {
                let problem = RecordError::of(format!("the compressed records are damaged: {error}"));
                (error.output, Some(problem))
            }
        };
        let mut reader = Reader { bytes: &bytes, at: 0, encoding };
        let mut head = || {
            let mut texts = Vec::new();
            for tag in LIBRARY {
                texts.push((tag, reader.text()?));
            }
            for tag in [LIBRARY_CREATED, LIBRARY_MODIFIED] {
                texts.push((tag, decode_field(reader.take(DATE)?, encoding).trim().to_string()));
            }
            let games = reader.number()? as usize;
            texts.push((LIBRARY_REMARK, lines(&reader.text()?)));
            Some((texts, games, reader.at))
        };
        let Some((mut tags, games, at)) = head() else {
            return Err(problem.unwrap_or_else(|| truncated(packed.len())));
        };
        tags.retain(|(tag, _)| !tag.is_empty());
        Ok(Box::new(PackedLibrary { bytes, encoding, at, games, read: 0, tags, problem }))
    }
}

impl Source for PackedLibrary {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = u32_at(rest, 0).map_or(0, |length| length as usize);
        let Some(body) = rest.get(4..length).filter(|_| self.read < self.games) else {
            let missing = self.games - self.read;
            self.games = self.read;
            let problem = || RecordError::of(format!("the library ends before {missing} of its {} records", missing + self.read));
            return self.problem.take().or_else(|| (missing > 0).then(problem)).map(Err);
        };
        self.at += length;
        self.read += 1;
        let result = read_record(body, self.encoding);
        Some(result.map(|mut record| {
            self.tags.iter().for_each(|(tag, value)| record.set_tag(tag, value.as_str()));
            self.tags.retain(|(tag, _)| *tag != LIBRARY_REMARK);
            record
        }))
    }

    fn progress(&self) -> (usize, usize) {
        (self.read, self.games)
    }
}

/// The next parts of decompressed data. All are `None` at its end.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    encoding: Option<InputEncoding>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let part = self.bytes.get(self.at..)?.get(..size)?;
        self.at += size;
        Some(part)
    }

    fn number(&mut self) -> Option<u32> {
        u32_at(self.take(4)?, 0)
    }

    /// A text after its length in bytes.
    fn text(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        self.take(length).map(|text| decode_field(text, self.encoding))
    }
}

fn read_record(bytes: &[u8], encoding: Option<InputEncoding>) -> Result<Record, RecordError> {
    let mut reader = Reader { bytes, at: 0, encoding };
    let (mut record, moves) = read_head(&mut reader).ok_or_else(|| {
        RecordError::new(format!("byte {} of the record", reader.at), RecordProblem::Truncated("the record".into()))
    })?;
    read_moves(&mut record, &mut reader, moves)?;
    record.trust_first_move();
    Ok(with_unreadable_fields(record.legal_part()))
}

/// Reads a record up to its moves. Returns their number too.
fn read_head(reader: &mut Reader) -> Option<(Record, usize)> {
    let mut record = Record::new(Setup::empty());
    for (piece, &place) in piece_order().zip(reader.take(PIECES)?).filter(|(_, place)| **place != 0) {
        // Files and rows are counted from 1, rows from the top.
        match Square::at((place >> 4) as i32 - 1, RANKS as i32 - (place & 15) as i32) {
            Some(square) => {
                if record.start.put(square, Some(piece)).is_some() {
                    record.warn(warning!(
                        "there are two pieces on {0}; the later one is kept",
                        "{0}上有两个棋子，保留后者",
                        square
                    ));
                }
            }
            None => record.warn(warning!(
                "{0} is not a point of the board; a piece is left out",
                "{0}不是棋盘上的点，略去一个棋子",
                format!("{place:#04x}")
            )),
        }
    }
    reader.take(UNKNOWN)?;
    for tag in TEXTS {
        record.set_tag(tag, reader.text()?);
    }
    record.result = match reader.number()? {
        1 => RecordResult::RedWins,
        2 => RecordResult::BlackWins,
        3 => RecordResult::Draw,
        _ => RecordResult::Unknown,
    };
    for tag in MORE_TEXTS {
        let text = reader.text()?;
        match tag {
            COMMENT => record.append_comment(record.root(), &lines(&text)),
            tag => record.set_tag(tag, text),
        }
    }
    record.start.side = if reader.take(1)? == [0] { Color::Black } else { Color::Red };
    for tag in DATES {
        record.set_tag(tag, decode_field(reader.take(DATE)?, reader.encoding).trim());
    }
    let moves = reader.number()? as usize;
    Some((record, moves))
}

/// Reads the moves in the order of CBR, each with its number: an alternative has that of the move that it replaces. The comments of all moves
/// follow, each up to a line end.
fn read_moves(record: &mut Record, reader: &mut Reader, moves: usize) -> Result<(), RecordError> {
    let mut line = vec![record.root()];
    let mut ids: Vec<NodeId> = Vec::new();
    while ids.len() < moves {
        let Some(&[low, high, from, to, ..]) = reader.take(MOVE) else {
            record.warn(warning!(
                "the record ends inside its moves, after {0} of {1}",
                "棋谱在着法中间结束，共{1}着，只有{0}着",
                ids.len(),
                moves
            ));
            return Ok(());
        };
        let number = u16::from_le_bytes([low, high]) as usize;
        if number == 0 || number > line.len() {
            record.warn(warning!(
                "a move has the number {0} after that of {1}; the rest is left out",
                "着法序号{1}之后是{0}，其余部分略去",
                number,
                line.len() - 1
            ));
            return Ok(());
        }
        line.truncate(number);
        let point = |byte: u8| Square::at((byte >> 4) as i32, RANKS as i32 - 1 - (byte & 15) as i32);
        let mv = point(from).zip(point(to)).filter(|(from, to)| from != to).map_or(Move::NONE, |(from, to)| Move::new(from, to));
        let full = |full| RecordError::new(format!("move {}", ids.len() + 1), full);
        let id = record.add(line[number - 1], mv).map_err(full)?;
        line.push(id);
        ids.push(id);
    }
    let rest = reader.take(reader.bytes.len() - reader.at).unwrap_or_default();
    let mut ends = rest.windows(2).enumerate().filter(|(_, pair)| *pair == b"\r\n").map(|(at, _)| at);
    let mut start = 0;
    for id in ids {
        let end = ends.next().unwrap_or(rest.len());
        let text = decode_field(rest.get(start..end).unwrap_or_default(), reader.encoding);
        record.append_comment(id, &lines(&text));
        start = end + 2;
    }
    Ok(())
}

/// A text with its line breaks.
fn lines(text: &str) -> String {
    text.trim_end_matches('\0').replace(BREAK, "\n").trim_matches('\n').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::cbr::PACKED_MAGIC;
    use crate::records::fuzzing::{pack_library, packed_library, packed_records};
    use crate::records::{Format, Records};

    fn all(bytes: Vec<u8>) -> Vec<Result<Record, RecordError>> {
        assert_eq!(Format::shown_by(&bytes), Some(Format::Cbl));
        Records::new(bytes, None).unwrap().collect()
    }

    fn tree(record: &Record) -> Vec<String> {
        record
            .walk()
            .map(|(depth, id)| format!("{depth} {} {}", record.mv(id).unwrap_or(Move::NONE), record.comment(id)))
            .collect()
    }

    #[test]
    fn a_library_is_read() {
        let records: Vec<Record> = all(packed_library()).into_iter().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        let tags: Vec<_> = records[0].tags().collect();
        let expected = [
            ("Title", "一"),
            ("Red", "红"),
            ("Author", "者"),
            ("Created", "2001-2-18 12:30:22"),
            ("Modified", "01-9-2 14:14:57"),
            ("Library", "库"),
            ("LibraryCreator", "人"),
            (LIBRARY_CREATED, "01-9-2 14:14:57"),
            (LIBRARY_MODIFIED, "01-9-2 14:14:57"),
            (LIBRARY_REMARK, "说明"),
        ];
        assert_eq!(tags, expected);
        assert_eq!((records[0].result, &records[0].start), (RecordResult::Draw, &Setup::standard()));
        let first = Move::NONE;
        assert_eq!(
            tree(&records[0]),
            [format!("0 {first} 总评\n好"), "1 h2e2 ".into(), "2 h9g7 马\n二".into(), "1 b2e2 炮".into()]
        );
        assert_eq!(records[1].start.to_fen(), "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1");
        assert_eq!((records[1].plies(), records[1].result), (0, RecordResult::RedWins));
        assert_eq!((records[1].tag(LIBRARY_MODIFIED), records[1].tag(LIBRARY_REMARK)), (Some("01-9-2 14:14:57"), None));
        assert!(records.iter().all(|record| record.warnings().is_empty()));
    }

    #[test]
    fn damage_is_reported_and_never_panics() {
        let bytes = packed_library();
        for length in PACKED_MAGIC.len()..bytes.len() {
            let Ok(records) = Records::new(bytes[..length].to_vec(), Some(Format::Cbl)) else { continue };
            assert!(records.last().is_some_and(|last| last.is_err()), "{length}");
        }
        let plain = packed_records();
        for length in 0..plain.len() {
            let Ok(records) = Records::new(pack_library(&plain[..length]), Some(Format::Cbl)) else { continue };
            let results: Vec<_> = records.collect();
            assert!(
                results.iter().any(|result| result.as_ref().is_err_and(|error| error.to_string().contains("ends before"))),
                "{length}"
            );
        }
        for at in 0..plain.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = plain.clone();
                damaged[at] = value;
                if let Ok(records) = Records::new(pack_library(&damaged), Some(Format::Cbl)) {
                    records.for_each(drop);
                }
            }
        }
        // The stated size limits the decompressed data.
        let mut small = bytes.clone();
        small[SIZE_AT..SIZE_AT + 2].copy_from_slice(&[200, 0]);
        let last = all(small).pop().unwrap().unwrap_err().to_string();
        assert!(last.contains("the compressed records are damaged"), "{last}");
    }
}
