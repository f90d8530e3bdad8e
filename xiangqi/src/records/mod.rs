//! Floor 3: game records. One tree type, [`Record`], with readers and writers for the formats that xiangqi players have.
//!
//! | format | extensions | read | written |
//! | --- | --- | --- | --- |
//! | [`Format::Pgn`] | `pgn` | coordinates, WXF, Chinese, WinBoard's letters; UTF-8, GBK, Big5 | yes |
//! | [`Format::Xqf`] | `xqf` | versions 10 to 18 | version 10 |
//! | [`Format::Cbr`] | `cbr` | versions 1 and 2 | no |
//! | [`Format::Cbl`] | `cbl` | libraries of CBR records | no |
//! | [`Format::Cbf`] | `cbf` | main lines | no |
//! | [`Format::DhtmlXq`] | `ubb`, `dhtmlxq`, `html` | yes | yes |
//! | [`Format::Fen`] | `fen`, `epd`, `txt` | lines of FEN or EPD | yes |
//!
//! Readers keep what they can: an illegal move or a cut file costs what follows it and leaves a warning in
//! [`Record::warnings`]. Writers return [`Losses`]: nothing disappears unsaid.
//!
//! Open a file, walk its games and print their main lines in any notation:
//!
//! ```
//! use xiangqi::notation::{self, System};
//! use xiangqi::records::{Format, Records};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = b"[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 (1... B9-C7 {the other horse}) 2. H0-G2 1-0\n";
//! for record in Records::new(file.to_vec(), Some(Format::Pgn))? {
//!     let record = record?;
//!     let start = record.start.position()?;
//!     let moves: Vec<_> = record.moves().collect();
//!     let text = notation::write_line(System::Uci, start.board(), &moves);
//!     assert_eq!(text.join(" "), "h2e2 h9g7 h0g2");
//!     assert_eq!(record.moves_in_tree(), 4);
//! }
//! # Ok(())
//! # }
//! ```

mod cbf;
mod cbr;
mod dhtmlxq;
mod encoding;
pub mod fen_list;
pub mod fuzzing;
mod pgn;
mod setup;
mod tree;
mod xqf;

pub use encoding::{TextEncoding, UNREADABLE, decode, encode};
pub use pgn::PgnOptions;
pub use setup::Setup;
pub use tree::{MAX_NODES, MAX_PLIES, NodeId, Record, RecordResult, TreeFull};

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::Path;

/// Largest file that is read, in bytes.
pub const MAX_FILE: u64 = 256 << 20;

/// A file or record that cannot be read or written: where, and what is wrong with what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    place: String,
    problem: String,
}

impl RecordError {
    pub(crate) fn new(place: impl Into<String>, problem: impl Into<String>) -> RecordError {
        RecordError { place: place.into(), problem: problem.into() }
    }

    /// The same error inside a larger thing, such as a game of a file.
    pub(crate) fn within(self, outer: &str) -> RecordError {
        RecordError { place: format!("{outer}, {}", self.place), problem: self.problem }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for RecordError {}

/// What a format had no room for, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses(BTreeMap<String, usize>);

impl Losses {
    fn add(&mut self, what: &str, count: usize) {
        if count > 0 {
            *self.0.entry(what.to_string()).or_default() += count;
        }
    }

    fn tag(&mut self, name: &str) {
        // Names from a hostile file end up on a terminal.
        let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
        self.add(&format!("tag {name}"), 1);
    }

    /// Adds the losses of another record.
    pub fn merge(&mut self, other: Losses) {
        other.0.into_iter().for_each(|(what, count)| *self.0.entry(what).or_default() += count);
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Losses {
    /// Such as `comments 3, tag Round 1`; empty when nothing was lost.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(what, count)| format!("{what} {count}")).collect();
        f.write_str(&parts.join(", "))
    }
}

/// A format of record files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Format {
    /// Portable game notation with xiangqi tags and moves.
    Pgn,
    /// XQStudio.
    Xqf,
    /// CCBridge record.
    Cbr,
    /// CCBridge library.
    Cbl,
    /// CCBridge record as XML.
    Cbf,
    /// DhtmlXQ of dpxq.com, also called UBB.
    DhtmlXq,
    /// Lines of FEN or EPD.
    Fen,
}

/// All formats with the names and extensions that select them, the usual one first.
const NAMES: [(Format, &[&str]); 7] = [
    (Format::Pgn, &["pgn"]),
    (Format::Xqf, &["xqf"]),
    (Format::Cbr, &["cbr"]),
    (Format::Cbl, &["cbl"]),
    (Format::Cbf, &["cbf"]),
    (Format::DhtmlXq, &["ubb", "dhtmlxq", "html", "htm"]),
    (Format::Fen, &["fen", "epd", "txt"]),
];

impl Format {
    /// The usual extension.
    pub fn extension(self) -> &'static str {
        NAMES.iter().find(|(format, _)| *format == self).map_or("", |(_, names)| names[0])
    }

    /// The format that a file's extension names.
    pub fn of_path(path: &Path) -> Option<Format> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// The format that the first bytes of a file show: its mark, a tag of PGN or DhtmlXQ, or else a list of positions.
    pub fn of_bytes(bytes: &[u8]) -> Format {
        let head = &bytes[..bytes.len().min(1 << 14)];
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
        if head.starts_with(b"XQ") && head.len() > 3 {
            Format::Xqf
        } else if head.starts_with(b"CCBridge Record\0") {
            Format::Cbr
        } else if head.starts_with(b"CCBridgeLibrary\0") {
            Format::Cbl
        } else if has(b"[DhtmlXQ") {
            Format::DhtmlXq
        } else if has(b"<ChineseChessRecord") {
            Format::Cbf
        } else if text.starts_with(b"[")
            || text.starts_with(b"1.")
            || head.starts_with(b"\xff\xfe")
            || head.starts_with(b"\xfe\xff")
        {
            Format::Pgn
        } else {
            Format::Fen
        }
    }

    /// Whether a file can hold several games.
    pub fn holds_many(self) -> bool {
        matches!(self, Format::Pgn | Format::Cbl | Format::DhtmlXq | Format::Fen)
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    /// Reads a format's name or extension in any case.
    fn from_str(text: &str) -> Result<Format, String> {
        let known = NAMES.iter().find(|(_, names)| names.iter().any(|name| name.eq_ignore_ascii_case(text)));
        known
            .map(|(format, _)| *format)
            .ok_or_else(|| format!("unknown format '{text}', expected pgn, xqf, cbr, cbl, cbf, ubb (dhtmlxq) or fen (epd)"))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// The records of a file, one after another. Only one record is in memory at a time, beside the file itself.
///
/// An item that is an error names the game; reading goes on behind it where the format shows where the next game begins.
pub struct Records {
    source: Source,
    games: usize,
}

enum Source {
    One(Option<Box<Result<Record, RecordError>>>),
    Library(cbr::Library),
    Pgn { text: String, at: usize, braces: pgn::Braces },
    DhtmlXq { text: String, at: usize },
    Lines { bytes: Vec<u8>, at: usize, line: usize },
}

impl Records {
    /// The records in the bytes of a file; without a format it is told from the bytes.
    ///
    /// # Errors
    /// When the file as a whole is not of the format. Errors of single games come as items.
    pub fn new(bytes: Vec<u8>, format: Option<Format>) -> Result<Records, RecordError> {
        let one = |result| Source::One(Some(Box::new(result)));
        let source = match format.unwrap_or_else(|| Format::of_bytes(&bytes)) {
            Format::Xqf => one(xqf::read(&bytes)),
            Format::Cbr => one(cbr::read(&bytes)),
            Format::Cbf => {
                let text = decode(&bytes);
                one(cbf::read(&text).map(|record| with_unreadable(record, &text)))
            }
            Format::Cbl => Source::Library(cbr::Library::open(bytes)?),
            Format::Pgn => Source::Pgn { text: decode(&bytes).into_owned(), at: 0, braces: Default::default() },
            Format::DhtmlXq => {
                let text = decode(&bytes).into_owned();
                if !text.contains("[DhtmlXQ") {
                    return Err(RecordError::new("byte 0", "no '[DhtmlXQ]' in the whole file"));
                }
                Source::DhtmlXq { text, at: 0 }
            }
            Format::Fen if bytes[..bytes.len().min(1 << 14)].contains(&0) => {
                return Err(RecordError::new(
                    "byte 0",
                    "a binary file without the mark of XQF, CBR or CBL, expected a game record",
                ));
            }
            Format::Fen => Source::Lines { bytes, at: 0, line: 0 },
        };
        Ok(Records { source, games: 0 })
    }

    /// Opens a file of at most [`MAX_FILE`] bytes; `-` is standard input. Without a format the extension decides, then the
    /// bytes.
    ///
    /// # Errors
    /// When the file cannot be read, is too large, or is not of the format as a whole.
    pub fn open(path: &Path, format: Option<Format>) -> Result<Records, RecordError> {
        let place = path.display().to_string();
        let failed = |error: std::io::Error| RecordError::new(place.clone(), error.to_string());
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            std::io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        } else {
            let file = std::fs::File::open(path).map_err(failed)?;
            file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        }
        if bytes.len() as u64 > MAX_FILE {
            return Err(RecordError::new(place, format!("larger than {} MiB, the most that is read", MAX_FILE >> 20)));
        }
        // A mark in the bytes beats the extension: libraries are found under .cbr, pages under .txt.
        let seen = Format::of_bytes(&bytes);
        let named = Format::of_path(path);
        let told = if matches!(seen, Format::Fen | Format::Pgn) { named.or(Some(seen)) } else { Some(seen) };
        Records::new(bytes, format.or(told)).map_err(|error| error.within(&place))
    }
}

impl Iterator for Records {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        let item = match &mut self.source {
            Source::One(result) => result.take().map(|result| *result),
            Source::Library(library) => library.next(),
            Source::Pgn { text, at, braces } => advance(text, at, |text, at| pgn::next(text, at, braces)),
            Source::DhtmlXq { text, at } => advance(text, at, dhtmlxq::next),
            Source::Lines { bytes, at, line } => next_line(bytes, at, line),
        }?;
        self.games += 1;
        Some(item.map_err(|error| match &self.source {
            Source::Lines { line, .. } => error.within(&format!("line {line}")),
            _ => error.within(&format!("game {}", self.games)),
        }))
    }
}

/// What was read, and where to go on.
type Step = (Result<Record, RecordError>, usize);

/// The next record of a text, and `at` behind it.
fn advance(text: &str, at: &mut usize, read: impl FnOnce(&str, usize) -> Option<Step>) -> Option<Result<Record, RecordError>> {
    let (item, next) = read(text, *at)?;
    let own = text.get(*at..next).unwrap_or_default();
    // A reader that stands still would repeat one game for ever.
    *at = next.max(*at + 1);
    Some(item.map(|record| with_unreadable(record, own)))
}

/// The record, with a warning when its text holds bytes that mean nothing.
fn with_unreadable(mut record: Record, text: &str) -> Record {
    let count = text.matches(UNREADABLE).count();
    if let Some(first) = text.find(UNREADABLE) {
        let before = text[..first].chars().rev().take(12).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        record.warn(format!("{count} letters are unreadable and kept as '{UNREADABLE}', the first behind '{}'", before.trim()));
    }
    record
}

fn next_line(bytes: &[u8], at: &mut usize, line: &mut usize) -> Option<Result<Record, RecordError>> {
    while let Some(rest) = bytes.get(*at..).filter(|rest| !rest.is_empty()) {
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        *at += length + 1;
        *line += 1;
        if let Some(result) = fen_list::read_line(&rest[..length]) {
            return Some(result);
        }
    }
    None
}

/// Writes one record. PGN, DhtmlXQ and FEN lists of several records are made by writing one behind another; in PGN with an
/// empty line between.
///
/// # Errors
/// When the format cannot be written, or cannot hold the start position.
pub fn write(record: &Record, format: Format, options: &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError> {
    let (text, mut losses) = match format {
        Format::Xqf => return xqf::write(record),
        Format::Pgn => pgn::write(record, options),
        Format::DhtmlXq => dhtmlxq::write(record),
        Format::Fen => fen_list::write(record),
        Format::Cbr | Format::Cbl | Format::Cbf => {
            return Err(RecordError::new(
                format!("format {format}"),
                "can be read but not written; expected pgn, xqf, ubb or fen",
            ));
        }
    };
    let (bytes, lost) = encode(&text, options.encoding);
    losses.add("characters that the encoding lacks, written as '?'", lost);
    Ok((bytes.into_owned(), losses))
}
