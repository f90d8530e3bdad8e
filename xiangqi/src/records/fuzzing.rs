//! What the fuzz targets of the readers do, so that a bounded random loop can do the same on stable Rust.

use super::{Format, PgnOptions, Records, Setup, write};
use crate::notation::System;

/// Reads any bytes as a file of a format, and writes every record that comes out in every format that can be written. What
/// is written as PGN must read back as the same moves.
///
/// ```
/// use xiangqi::records::{Format, fuzzing};
///
/// fuzzing::game_file(Format::Pgn, b"1. H2-E2 {\xff");
/// ```
///
/// # Panics
/// When something is wrong with a reader or writer.
pub fn game_file(format: Format, bytes: &[u8]) {
    let Ok(records) = Records::new(bytes.to_vec(), Some(format)) else { return };
    // A thousand games show no more than a few do, and cost the loop its speed.
    for record in records.take(20).flatten() {
        let options = PgnOptions { notation: System::Iccs, ..PgnOptions::default() };
        for target in Format::all().filter(|format| format.is_written() && *format != Format::Pgn) {
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
    }
}

/// Bytes of a library's header that mean something; zeros follow up to its index.
const LIBRARY_HEADER: usize = 1024;

/// As [`game_file`] for a CBL library, of which the input leaves out the 64 KiB of zeros between header and index: a fuzzer would
/// spend its time on them.
///
/// ```
/// xiangqi::records::fuzzing::library(b"CCBridgeLibrary");
/// ```
///
/// # Panics
/// As [`game_file`].
pub fn library(bytes: &[u8]) {
    let (header, rest) = bytes.split_at(bytes.len().min(LIBRARY_HEADER));
    let mut file = header.to_vec();
    file.resize(super::cbr::INDEX_AT, 0);
    file.extend(rest);
    game_file(Format::Cbl, &file);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Record, TextEncoding, encode};
    use crate::types::Move;
    use std::time::{Duration, Instant};

    /// A small deterministic source of noise (xorshift by Marsaglia).
    struct Noise(u64);

    impl Noise {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % bound.max(1) as u64) as usize
        }

        /// Damages bytes in a few places: flips, cuts, doubles, and inserts what the formats are made of.
        fn damage(&mut self, bytes: &mut Vec<u8>) {
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
            for _ in 0..=self.below(6) {
                let at = self.below(bytes.len());
                match self.below(6) {
                    0 => bytes.truncate(at),
                    1 => drop(bytes.splice(at..at, WORDS[self.below(WORDS.len())].iter().copied())),
                    2 => {
                        let end = at + self.below((bytes.len() - at).min(200));
                        let part = bytes[at..end].to_vec();
                        let to = self.below(bytes.len());
                        drop(bytes.splice(to..to, part));
                    }
                    _ if bytes.is_empty() => {}
                    3 => bytes[at] = self.below(256) as u8,
                    4 => bytes[at] ^= 1 << self.below(8),
                    _ => bytes[at] = bytes[at].wrapping_add(1),
                }
            }
        }
    }

    fn sample() -> Record {
        let mut record = Record::new(Setup::standard());
        record.set_tag("Red", "红");
        record.append_comment(record.root(), "评注 (1. b2e2)");
        let mv = |text| Move::from_uci(text).unwrap();
        let a = record.add(record.root(), mv("h2e2")).unwrap();
        let b = record.add(a, mv("h9g7")).unwrap();
        record.add(b, mv("h0g2")).unwrap();
        let c = record.add(a, mv("b9c7")).unwrap();
        record.add(c, mv("b0c2")).unwrap();
        record.add_glyph(c, 5);
        record.add(record.root(), mv("b2e2")).unwrap();
        record
    }

    fn seeds() -> Vec<(Format, Vec<u8>)> {
        let record = sample();
        let mut seeds: Vec<(Format, Vec<u8>)> = Vec::new();
        for notation in [System::Chinese, System::Wxf, System::Iccs] {
            let options = PgnOptions { notation, ..PgnOptions::default() };
            seeds.push((Format::Pgn, write(&record, Format::Pgn, &options).unwrap().0));
        }
        for format in [Format::Xqf, Format::DhtmlXq, Format::Wxf, Format::Fen] {
            seeds.push((format, write(&record, format, &PgnOptions::default()).unwrap().0));
        }
        let pgn = String::from_utf8(seeds[0].1.clone()).unwrap();
        seeds.push((Format::Pgn, encode(&pgn, TextEncoding::Gbk).0.into_owned()));
        seeds.push((Format::Cbr, crate::records::cbr::tests::sample()));
        seeds.push((Format::Cbl, crate::records::cbr::tests::library()));
        seeds.push((Format::Cbf, crate::records::cbf::tests::GAME.as_bytes().to_vec()));
        seeds
    }

    #[test]
    fn damaged_files_of_every_format_are_survived() {
        // CHUHE_FUZZ_SECONDS lengthens the loop for each seed.
        let seconds = std::env::var("CHUHE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(0.3);
        let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
        for (format, seed) in seeds() {
            let start = Instant::now();
            let mut runs = 0u64;
            while start.elapsed() < Duration::from_secs_f64(seconds) {
                let mut bytes = seed.clone();
                noise.damage(&mut bytes);
                let began = Instant::now();
                game_file(format, &bytes);
                assert!(began.elapsed() < Duration::from_secs(20), "{format}: too slow");
                runs += 1;
            }
            println!("{format}: {runs} runs");
        }
    }

    proptest::proptest! {
        #[test]
        fn random_bytes_are_survived(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..3000), format in 0..Format::ALL.len()) {
            let format = Format::ALL[format];
            game_file(format, &bytes);
            let _ = Format::of_bytes(&bytes);
        }

        #[test]
        fn random_libraries_are_survived(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..3000)) {
            let mut start = b"CCBridgeLibrary\0".to_vec();
            start.resize(60, 0);
            // Few index entries, so that the records behind them are reached.
            start.extend([bytes.first().copied().unwrap_or(0) % 8, 0, 0, 0]);
            library(&[start, bytes].concat());
        }

        #[test]
        fn random_text_is_survived(text in "[ -~\\n炮二平五马进1-9(){}\\[\\]\"*;$]{0,400}") {
            game_file(Format::Pgn, text.as_bytes());
            game_file(Format::DhtmlXq, text.as_bytes());
            game_file(Format::Wxf, format!("START{{{text}").as_bytes());
            game_file(Format::Fen, text.as_bytes());
        }
    }
}
