//! The bodies of the readers' fuzz targets, shared with a bounded random loop that runs on stable Rust.

use super::cbr::{
    BLOCKS_AT, CAPACITY_AT, INDEX_AT, INDEX_ENTRY, LENGTH_AT, LIBRARY_MAGIC, PACKED_MAGIC, RECORD_MAGIC, VERSION_AT,
};
use super::xqf::piece_order;
use super::{Format, PgnOptions, Record, RecordError, Records, Setup, TextEncoding, encode, write};
use crate::notation::System;
use crate::types::{Color, Move, Square};

/// Reads arbitrary bytes as a file in a format, and writes every record in all formats that have a writer. The PGN output must read back
/// as the same moves. A CBL library is given as in [`seeds`]. Returns the number of moves read.
///
/// ```
/// use xiangqi::records::{Format, fuzzing};
///
/// assert_eq!(fuzzing::game_file(Format::Pgn, b"1. H2-E2 {\xff"), 1);
/// ```
///
/// # Panics
/// Panics if a reader or writer has a bug.
pub fn game_file(format: Format, bytes: &[u8]) -> usize {
    let mut file = bytes.to_vec();
    if format == Format::Cbl {
        let index = file.split_off(file.len().min(LIBRARY_HEADER));
        file.resize(INDEX_AT, 0);
        file.extend(index);
    }
    let Ok(records) = Records::new(file, Some(format)) else { return 0 };
    let mut moves = 0;
    // Many games test no more than a few do, and slow down the loop.
    for record in records.take(20).flatten() {
        let options = PgnOptions { notation: System::Iccs, ..PgnOptions::default() };
        for target in Format::ALL.into_iter().filter(|format| format.is_written() && *format != Format::Pgn) {
            let _ = write(&record, target, &options);
        }
        let Ok((pgn, _)) = write(&record, Format::Pgn, &options) else { panic!("PGN can hold every record") };
        let text = String::from_utf8_lossy(&pgn).into_owned();
        let back = Records::new(pgn, Some(Format::Pgn)).ok().and_then(|mut records| records.next());
        let Some(Ok(back)) = back else { panic!("what was written as PGN cannot be read") };
        assert_eq!(back.start.to_fen(), record.start.to_fen(), "{text}");
        assert!(back.moves().eq(record.moves()), "{:?}\n{text}", back.warnings());
        assert_eq!(back.moves_in_tree(), record.moves_in_tree(), "{:?}\n{text}", back.warnings());
        let _ = record.final_position().map(|position| Setup::from_position(&position));
        moves += record.moves_in_tree();
    }
    moves
}

/// Size of the used part of a library's header, in bytes; zeros follow up to the index.
const LIBRARY_HEADER: usize = 1024;

pub(super) const CBF: &str = "<?xml version=\"1.0\"?><ChineseChessRecord><Head><Name>甲 &amp; 乙</Name><Red>红</Red><URL />\
    <RecordResult>1</RecordResult><FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN></Head>\
    <MoveList><Move value=\"00-00\"><![CDATA[评]]></Move><Move value=\"77-47\"/><Move value=\"70-62\" end=\"1\">好</Move></MoveList>\
    </ChineseChessRecord>";

pub(super) const PFC: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><n version=\"2\" win=\"1-0\" create-time=\"2012-01-27 22:29:27\" \
    m=\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\" c=\"评&#10;注\" red=\"甲\" x=\"1\"><n m=\"h2e2\">\
    <n m=\"h9g7\" s=\"12\" d=\"9\" t=\"7\"/><n default=\"true\" m=\"b9c7\" c=\"&amp;&lt;马&gt;\"><n m=\"h0g2\" /></n></n><n m=\"b2e2\"/></n>";

/// CHE with rows and files from 0, and of the kind with rows and files from 1: h2e2 h9g7 h0g2.
pub(super) const CHE: &str = "1 3 0 0 0 2 7 2 4 0 1 0 0 0 0 9 7 7 6 0 2 0 0 0 0 0 7 2 6 0 3 0";
pub(super) const CHE_FROM_ONE: &str = "0 3 0 -1 0 3 8 3 5 0 1 0 0 0 0 10 8 8 7 0 2 0 0 0 0 1 8 3 7 0 3 <info>红</info>";

/// The same moves as file and row from the top, of a board that may be turned.
fn steps(is_turned: bool) -> [[u8; 4]; 3] {
    let steps = [[7, 7, 4, 7], [7, 0, 6, 2], [7, 9, 6, 7]];
    steps.map(|[a, b, c, d]| if is_turned { [8 - a, 9 - b, 8 - c, 9 - d] } else { [a, b, c, d] })
}

/// A CHN record.
pub(super) fn chn(is_turned: bool) -> Vec<u8> {
    let mut bytes = vec![0x5a; 188];
    for step in steps(is_turned) {
        bytes.extend([1, 0, 2, 0]);
        bytes.extend(step.into_iter().flat_map(|number| [number, 0]));
        bytes.extend([3; 20]);
    }
    bytes
}

/// A CHN record of the newer client, whose board may be turned.
pub(super) fn chn_gl(is_turned: bool) -> Vec<u8> {
    let mut bytes = b"GL\xd0\x07\xd4\x07\x01\0Tue Dec 27 20:57:56 2016\n\0".to_vec();
    bytes.resize(520, 0);
    let red = encode("红红红红红红红红红红", TextEncoding::Gbk).0;
    // Nine and a half characters, and the terminating zero.
    bytes[120..139].copy_from_slice(&red[..19]);
    bytes[160..162].copy_from_slice(&encode("黑", TextEncoding::Gbk).0);
    bytes[100..102].copy_from_slice(b"r1");
    for (piece, square) in Setup::standard().pieces() {
        let (file, row) = (square.file(), 9 - square.rank());
        let (file, row) = if is_turned { (8 - file, 9 - row) } else { (file, row) };
        let order = [4, 5, 6, 2, 1, 3, 7];
        bytes[180 + 10 * file as usize + row as usize] = 0x10 + 8 * piece.color().index() as u8 + order[piece.kind().index()];
    }
    bytes[364] = 4;
    for [a, b, c, d] in steps(is_turned) {
        bytes.extend([0, 0, b << 4 | a, d << 4 | c]);
        bytes.extend([7; 32]);
    }
    bytes
}

/// A CCM record.
pub(super) fn ccm(is_turned: bool) -> Vec<u8> {
    steps(is_turned).into_iter().flat_map(|[a, b, c, d]| [1, 0, 9, a, c, b, d]).collect()
}

/// A CCM record of 17pk.
pub(super) fn ccm_17pk() -> Vec<u8> {
    let mut bytes = vec![1, 0, 0x12, 0, 0, 0, 0, 0, 3, 0, 0, 0];
    for ([a, b, c, d], side) in steps(false).into_iter().zip([1, 2, 1]) {
        bytes.extend([5, side, 6, a, b, c, d, 0, 0]);
    }
    bytes
}

/// An MXQ record.
pub(super) fn mxq(encoding: TextEncoding) -> Vec<u8> {
    let texts = [
        "弈天",
        "2004-1-1",
        "甲-和-乙",
        "2000",
        "1900",
        "5",
        "1",
        "30",
        "296",
        "0",
        "好",
        "Moves",
        "7C-4C",
        "7J-6H",
        "7A-6C",
        "Ends",
    ];
    let mut bytes = Vec::new();
    for text in texts {
        // Big5 lacks the simplified character.
        let text = if encoding == TextEncoding::Big5 { text.replace('弈', "奕") } else { text.to_string() };
        let text = encode(&text, encoding).0.into_owned();
        bytes.push(text.len() as u8);
        bytes.extend(text);
    }
    bytes
}

/// A list of positions and lines in all forms.
const LIST: &str = "# a comment\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 ; a title\nstartpos moves h2e2 h9g7 h0g2\n\
    4k4/9/9/9/9/9/9/9/R8/4K4 w - - bm a1a9; id \"an id\";\n";

/// Writes a text into a CCBridge record or library.
pub(super) fn put_text(bytes: &mut [u8], at: usize, text: &str) {
    for (index, unit) in text.encode_utf16().enumerate() {
        bytes[at + 2 * index..at + 2 * index + 2].copy_from_slice(&unit.to_le_bytes());
    }
}

/// A CBR record of version 2: the start position, a root comment, h2e2 with the alternative b2e2, then h9g7.
pub(super) fn cbr() -> Vec<u8> {
    let mut bytes = vec![0u8; 2214];
    bytes[..16].copy_from_slice(RECORD_MAGIC);
    bytes[VERSION_AT] = 2;
    put_text(&mut bytes, 180, "标题");
    put_text(&mut bytes, 1076, "红方");
    bytes[2076] = 3;
    bytes[2112] = 2;
    let number = |square: Square| (9 - square.rank()) * 9 + square.file();
    for (piece, square) in Setup::standard().pieces() {
        let order = [5, 4, 3, 2, 1, 6, 7];
        bytes[2120 + number(square) as usize] = order[piece.kind().index()] + 0x10 * (piece.color().index() as u8 + 1);
    }
    let comment: Vec<u8> = "总评".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.extend([4, 0, 0, 0, comment.len() as u8, 0, 0, 0]);
    bytes.extend(comment);
    for (flag, text) in [(2, "h2e2"), (1, "h9g7"), (1, "b2e2")] {
        let mv = Move::from_uci(text).unwrap_or(Move::NONE);
        bytes.extend([flag, 0, number(mv.from()), number(mv.to())]);
    }
    bytes
}

/// A library whose index has room for two entries and one record.
pub(super) fn library_file() -> Vec<u8> {
    let record = cbr();
    let mut bytes = vec![0u8; INDEX_AT + 2 * INDEX_ENTRY];
    bytes[..16].copy_from_slice(LIBRARY_MAGIC);
    bytes[CAPACITY_AT] = 2;
    put_text(&mut bytes, 64, "库");
    let entry = INDEX_AT + INDEX_ENTRY;
    (bytes[entry], bytes[entry + BLOCKS_AT]) = (7, 1);
    bytes[entry + LENGTH_AT..entry + LENGTH_AT + 4].copy_from_slice(&(record.len() as u32).to_le_bytes());
    bytes.extend(record);
    bytes
}

/// The decompressed records of a library of an old version of CCBridge: one with the moves of [`cbr`] and comments, and a position.
pub(super) fn packed_records() -> Vec<u8> {
    let number = |value: usize| (value as u32).to_le_bytes();
    let text = |text: &str| {
        let bytes = encode(text, TextEncoding::Gbk).0.into_owned();
        [number(bytes.len()).to_vec(), bytes].concat()
    };
    let date = |text: &str| format!("{text:<19}").into_bytes();
    let record = |start: &Setup, texts: [&str; 4], result: usize, moves: &[(u8, &str)], comments: &[&str]| {
        let mut pieces: Vec<_> = start.pieces().collect();
        let mut body = Vec::new();
        for piece in piece_order() {
            let at = pieces.iter().position(|(other, _)| *other == piece).map(|at| pieces.remove(at).1);
            body.push(at.map_or(0, |square| (square.file() + 1) << 4 | (10 - square.rank())));
        }
        body.extend([4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        let [title, red, author, comment] = texts;
        [title, "", "", "", "", red, ""].iter().for_each(|part| body.extend(text(part)));
        body.extend(number(result));
        ["", "", author, "", comment].iter().for_each(|part| body.extend(text(part)));
        body.push((start.side == Color::Red) as u8);
        ["2001-2-18 12:30:22", "01-9-2 14:14:57"].iter().for_each(|time| body.extend(date(time)));
        body.extend(number(moves.len()));
        for (ply, text) in moves {
            let mv = Move::from_uci(text).unwrap_or(Move::NONE);
            let byte = |square: Square| square.file() << 4 | (9 - square.rank());
            body.extend([*ply, 0, byte(mv.from()), byte(mv.to()), 9, 9]);
        }
        for comment in comments {
            body.extend(encode(comment, TextEncoding::Gbk).0.iter().chain(b"\r\n"));
        }
        [number(body.len() + 4).to_vec(), body].concat()
    };
    let moves = [(1, "h2e2"), (2, "h9g7"), (1, "b2e2")];
    let position = Setup::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b").unwrap_or_else(|_| Setup::empty());
    [
        ["库", "", "", "人", ""].map(text).concat(),
        [date("01-9-2 14:14:57"), date("01-9-2 14:14:57")].concat(),
        number(2).to_vec(),
        text("说明"),
        record(&Setup::standard(), ["一", "红", "者", "总评||好"], 3, &moves, &["", "马||二||", "炮"]),
        record(&position, ["二", "", "", ""], 1, &[], &[]),
    ]
    .concat()
}

/// The file with these decompressed records.
pub(super) fn pack_library(records: &[u8]) -> Vec<u8> {
    let mut bytes = PACKED_MAGIC.to_vec();
    bytes.extend([1, 0, 0, 0]);
    bytes.extend((records.len() as u32).to_le_bytes());
    bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(records, 6));
    bytes
}

/// A library of an old version of CCBridge.
pub(super) fn packed_library() -> Vec<u8> {
    pack_library(&packed_records())
}

/// A record with variations, comments and marks.
fn sample() -> Record {
    let mut record = Record::new(Setup::standard());
    record.set_tag("Red", "红");
    record.append_comment(record.root(), "评注 (1. b2e2)");
    // The index of the parent (0 is the start position), the move, and its glyph.
    let mut ids = vec![record.root()];
    for (parent, text, glyph) in [(0, "h2e2", 0), (1, "h9g7", 0), (2, "h0g2", 0), (1, "b9c7", 5), (4, "b0c2", 0), (0, "b2e2", 0)]
    {
        if let Some(id) = Move::from_uci(text).ok().and_then(|mv| record.add(ids[parent], mv).ok()) {
            if glyph != 0 {
                record.add_glyph(id, glyph);
            }
            ids.push(id);
        }
    }
    record
}

/// Small complete files of every format, as seeds for mutation. Libraries lack the 64 KiB of zeros between header and index, on which a
/// fuzzer would waste its time.
///
/// ```
/// use xiangqi::records::{Format, fuzzing};
///
/// let seeds = fuzzing::seeds().unwrap();
/// assert!(Format::ALL.into_iter().all(|format| seeds.iter().any(|(of, _)| *of == format)));
/// ```
///
/// # Errors
/// Never fails: all formats can store the sample record.
pub fn seeds() -> Result<Vec<(Format, Vec<u8>)>, RecordError> {
    let record = sample();
    let mut seeds: Vec<(Format, Vec<u8>)> = Vec::new();
    for notation in [System::Chinese, System::Wxf, System::Iccs] {
        let options = PgnOptions { notation, ..PgnOptions::default() };
        seeds.push((Format::Pgn, write(&record, Format::Pgn, &options)?.0));
    }
    for format in [Format::Xqf, Format::DhtmlXq, Format::Wxf] {
        seeds.push((format, write(&record, format, &PgnOptions::default())?.0));
    }
    let pgn = String::from_utf8_lossy(&seeds[0].1).into_owned();
    seeds.push((Format::Pgn, encode(&pgn, TextEncoding::Gbk).0.into_owned()));
    seeds.push((Format::Fen, LIST.as_bytes().to_vec()));
    seeds.push((Format::Cbr, cbr()));
    let library = library_file();
    seeds.push((Format::Cbl, [&library[..LIBRARY_HEADER], &library[INDEX_AT..]].concat()));
    seeds.push((Format::Cbl, packed_library()));
    seeds.push((Format::Cbf, CBF.as_bytes().to_vec()));
    // No CBL here: the index of a library from the writer is larger than a fuzzer needs.
    for format in [Format::Cbr, Format::Cbf, Format::Txq] {
        seeds.push((format, write(&record, format, &PgnOptions::default())?.0));
    }
    seeds.push((Format::Pfc, PFC.as_bytes().to_vec()));
    seeds.extend([CHE, CHE_FROM_ONE].map(|text| (Format::Che, text.as_bytes().to_vec())));
    seeds.extend([chn(false), chn(true), chn_gl(false), chn_gl(true)].map(|bytes| (Format::Chn, bytes)));
    seeds.extend([ccm(false), ccm(true), ccm_17pk()].map(|bytes| (Format::Ccm, bytes)));
    seeds.extend([TextEncoding::Gbk, TextEncoding::Big5].map(|encoding| (Format::Mxq, mxq(encoding))));
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::Random;
    use std::time::{Duration, Instant};

    /// Damages bytes in a few places: flips bits, truncates, duplicates, and inserts tokens of the formats.
    fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
        const WORDS: [&[u8]; 20] = [
            b"(",
            b")",
            b"{",
            b"}",
            b"[",
            b"\n[",
            b"1. ",
            b"$255",
            b"*",
            b"\xff\xff\xff\xff",
            b"\0\0\0\0",
            b"[DhtmlXQ_move_0_1_1]",
            b"99",
            b"<Move value=\"77-47\">",
            b"h2e2 ",
            b"\xe7\x82\xae",
            b"\n# ",
            b"}END\n",
            b"\nFORMAT WXF\n",
            b"\n\xe7\xba\xa2\xe6\x96\xb9:",
        ];
        for _ in 0..=random.below(6) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes.truncate(at),
                1 => drop(bytes.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
                2 => {
                    let end = at + random.below((bytes.len() - at).min(200));
                    let part = bytes[at..end].to_vec();
                    let to = random.below(bytes.len());
                    drop(bytes.splice(to..to, part));
                }
                _ if bytes.is_empty() => {}
                3 => bytes[at] = random.below(256) as u8,
                4 => bytes[at] ^= 1 << random.below(8),
                _ => bytes[at] = bytes[at].wrapping_add(1),
            }
        }
    }

    /// Seeds are read to their last move, so that damage can reach every part of a reader.
    #[test]
    fn seeds_are_read_completely() {
        for (format, bytes) in seeds().unwrap() {
            let expected = match format {
                Format::Cbr if bytes == cbr() => 3,
                Format::Cbf if bytes == CBF.as_bytes() => 2,
                Format::Pfc => 5,
                Format::Cbl | Format::Fen | Format::Wxf | Format::Che | Format::Chn | Format::Ccm | Format::Mxq => 3,
                _ => 6,
            };
            assert_eq!(game_file(format, &bytes), expected, "{format}");
            // The maximum length in README.md and in the calls of cargo-fuzz.
            assert!(bytes.len() <= 4096, "{format}: {} bytes", bytes.len());
        }
    }

    #[test]
    fn damaged_files_of_every_format_do_not_panic() {
        // The same files on every machine, unless CHUHE_FUZZ_SECONDS sets the duration of the loop for each seed.
        let seconds = std::env::var("CHUHE_FUZZ_SECONDS").ok().and_then(|text| text.parse::<f64>().ok());
        let mut random = Random(1);
        for (format, seed) in seeds().unwrap() {
            let start = Instant::now();
            let mut runs = 0u64;
            while seconds.map_or(runs < 150, |seconds| start.elapsed().as_secs_f64() < seconds) {
                let mut bytes = seed.clone();
                damage(&mut bytes, &mut random);
                let began = cpu_time::ThreadTime::now();
                game_file(format, &bytes);
                assert!(began.elapsed() < Duration::from_secs(20), "{format}: too slow");
                runs += 1;
            }
            println!("{format}: {runs} runs");
        }
    }

    proptest::proptest! {
        #[test]
        fn random_bytes_do_not_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..3000), format in 0..Format::ALL.len()) {
            let format = Format::ALL[format];
            game_file(format, &bytes);
            let _ = Format::of_bytes(&bytes);
        }

        #[test]
        fn random_libraries_do_not_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..3000)) {
            let mut start = b"CCBridgeLibrary\0".to_vec();
            start.resize(60, 0);
            // Few index entries, so that the input reaches the records after them.
            start.extend([bytes.first().copied().unwrap_or(0) % 8, 0, 0, 0]);
            game_file(Format::Cbl, &[start, bytes].concat());
        }

        #[test]
        fn random_text_does_not_panic(text in "[ -~\\n炮二平五马进1-9(){}\\[\\]\"*;$]{0,400}") {
            game_file(Format::Pgn, text.as_bytes());
            game_file(Format::DhtmlXq, text.as_bytes());
            game_file(Format::Wxf, format!("START{{{text}").as_bytes());
            game_file(Format::Fen, text.as_bytes());
        }
    }
}
