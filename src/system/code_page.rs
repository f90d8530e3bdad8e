//! The code page of Windows: the encoding of old clients, of PGN for the programs of the system, and of paths that clients send.

use crate::records::{LineEnds, PgnOptions, TextEncoding};
use encoding_rs::{BIG5, GB18030, UTF_8};
use std::path::PathBuf;

/// The encoding that stands for the system's code page; none where there is no code page, or another one.
pub fn code_page() -> Option<TextEncoding> {
    TextEncoding::of_code_page(code_page_number()?)
}

/// How PGN is written for the programs of this system: on Windows they read its code page and lines that end in a carriage
/// return and a line feed; elsewhere UTF-8 and line feeds.
pub fn pgn_of_system() -> PgnOptions {
    code_page_number().map_or_else(PgnOptions::default, pgn_of_code_page)
}

/// Carriage returns, and the code page of this number. Where that page has no Chinese it is GBK: such programs are made for mainland
/// China.
fn pgn_of_code_page(number: u32) -> PgnOptions {
    let encoding = TextEncoding::of_code_page(number).unwrap_or(TextEncoding::Gbk);
    PgnOptions { line_ends: LineEnds::CrLf, ..PgnOptions::default() }.in_encoding(encoding)
}

#[cfg(windows)]
fn code_page_number() -> Option<u32> {
    Some(super::windows::code_page())
}

#[cfg(not(windows))]
fn code_page_number() -> Option<u32> {
    None
}

/// The path that bytes of a client mean. They are read in the encoding that was set, if one was, then as UTF-8, in the system's
/// code page, in GBK and in Big5, and on Unix also as they are: the first reading that names something that exists is
/// taken, and the first of all where none does.
pub fn path_of_bytes(bytes: &[u8], set: Option<TextEncoding>) -> PathBuf {
    let readings = readings(bytes, set);
    let existing = readings.iter().position(|path| path.exists()).unwrap_or(0);
    readings.into_iter().nth(existing).unwrap_or_default()
}

fn readings(bytes: &[u8], set: Option<TextEncoding>) -> Vec<PathBuf> {
    let order = [set, Some(TextEncoding::Utf8), code_page(), Some(TextEncoding::Gbk), Some(TextEncoding::Big5)];
    let mut readings: Vec<PathBuf> = order.into_iter().flatten().filter_map(|encoding| read(bytes, encoding)).collect();
    #[cfg(unix)]
    readings.push(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes).into());
    if readings.is_empty() {
        readings.push(String::from_utf8_lossy(bytes).into_owned().into());
    }
    readings
}

fn read(bytes: &[u8], encoding: TextEncoding) -> Option<PathBuf> {
    let encoding = match encoding {
        TextEncoding::Utf8 => UTF_8,
        TextEncoding::Gbk => GB18030,
        TextEncoding::Big5 => BIG5,
    };
    Some(encoding.decode_without_bom_handling_and_without_replacement(bytes)?.into_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_windows_read_their_code_page() {
        let options = [936, 950, 65001, 1252].map(pgn_of_code_page);
        assert!(options.iter().all(|options| options.line_ends == LineEnds::CrLf));
        let encodings = options.map(|options| options.encoding);
        assert_eq!(encodings, [TextEncoding::Gbk, TextEncoding::Big5, TextEncoding::Utf8, TextEncoding::Gbk]);
    }

    const GBK: &[u8] = b"\xbf\xaa\xbe\xd6\xbf\xe2.dat";

    #[test]
    fn only_windows_has_a_code_page() {
        assert_eq!(code_page_number().is_some(), cfg!(windows));
        assert_eq!(pgn_of_system().line_ends == LineEnds::CrLf, cfg!(windows));
        let without = if cfg!(windows) { TextEncoding::Gbk } else { TextEncoding::Utf8 };
        assert_eq!(pgn_of_system().encoding, code_page().unwrap_or(without));
    }

    #[test]
    fn a_path_of_no_file_is_read_in_the_first_encoding_that_can_be_right() {
        assert_eq!(path_of_bytes(b"books/a.dat", None), PathBuf::from("books/a.dat"));
        assert_eq!(path_of_bytes(GBK, None), PathBuf::from("开局库.dat"));
        assert_eq!(path_of_bytes(GBK, Some(TextEncoding::Gbk)), PathBuf::from("开局库.dat"));
        assert_eq!(path_of_bytes("开局库.dat".as_bytes(), None), PathBuf::from("开局库.dat"));
        // In no encoding at all.
        let _ = path_of_bytes(b"\xff\xff\xff", Some(TextEncoding::Big5));
    }

    #[test]
    fn of_all_readings_the_file_that_exists_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("開局庫.dat");
        std::fs::write(&file, b"").unwrap();
        let before = folder.path().to_str().unwrap();
        for (name, set) in [
            ("開局庫.dat".as_bytes(), None),
            ("開局庫.dat".as_bytes(), Some(TextEncoding::Gbk)),
            (&b"\xb6\x7d\xa7\xbd\xae\x77.dat"[..], None),
            (&b"\xb6\x7d\xa7\xbd\xae\x77.dat"[..], Some(TextEncoding::Gbk)),
            (&b"\xe9_\xbe\xd6\x8e\xec.dat"[..], None),
        ] {
            let bytes = [before.as_bytes(), b"/", name].concat();
            assert_eq!(path_of_bytes(&bytes, set), file, "{name:?} {set:?}");
        }
    }
}
