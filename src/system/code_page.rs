//! The Windows code page: the encoding of old clients, of PGN for other programs on the system, and of paths sent by clients.

use crate::records::{LineEnds, PgnOptions, TextEncoding};
use encoding_rs::{BIG5, GB18030, UTF_8};
use std::path::{Path, PathBuf};

/// The encoding of the system's code page; `None` if there is no code page or it is not supported.
pub fn code_page() -> Option<TextEncoding> {
    TextEncoding::of_code_page(code_page_number()?)
}

/// PGN options for other programs on this system: the code page and CRLF line ends on Windows, UTF-8 and LF elsewhere.
pub fn pgn_of_system() -> PgnOptions {
    code_page_number().map_or_else(PgnOptions::default, pgn_of_code_page)
}

/// CRLF line ends and the encoding of this code page; GBK if that page has no Chinese characters, as such programs are made for
/// mainland China.
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

/// Decodes a path sent by a client. The encodings tried are the configured one, if any, UTF-8, the system's code page, GBK and Big5,
/// and on Unix finally the raw bytes. The result is the first path that exists, or the first valid decoding if none exists.
pub fn path_of_bytes(bytes: &[u8], set: Option<TextEncoding>) -> PathBuf {
    first_existing(readings(bytes, set), None)
}

/// As [`path_of_bytes`], for something to be read: a relative path that does not exist is also tried in the folder of the program, because
/// clients start it in other folders than the one where users put its files.
pub fn input_path_of_bytes(bytes: &[u8], set: Option<TextEncoding>) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    first_existing(readings(bytes, set), program.parent())
}

/// The first path that exists, else the first that exists in the folder, if any, else the first path.
fn first_existing(paths: Vec<PathBuf>, folder: Option<&Path>) -> PathBuf {
    // Joining an absolute path gives that path.
    let in_folder = folder.into_iter().flat_map(|folder| paths.iter().map(move |path| folder.join(path)));
    let found = paths.iter().cloned().chain(in_folder).find(|path| path.exists());
    found.or_else(|| paths.into_iter().next()).unwrap_or_default()
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
    fn windows_programs_get_their_code_page() {
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
    fn a_path_that_does_not_exist_uses_the_first_valid_encoding() {
        assert_eq!(path_of_bytes(b"books/a.dat", None), PathBuf::from("books/a.dat"));
        assert_eq!(path_of_bytes(GBK, None), PathBuf::from("开局库.dat"));
        assert_eq!(path_of_bytes(GBK, Some(TextEncoding::Gbk)), PathBuf::from("开局库.dat"));
        assert_eq!(path_of_bytes("开局库.dat".as_bytes(), None), PathBuf::from("开局库.dat"));
        // Not valid in any encoding.
        let _ = path_of_bytes(b"\xff\xff\xff", Some(TextEncoding::Big5));
    }

    #[test]
    fn the_decoding_that_exists_is_preferred() {
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
