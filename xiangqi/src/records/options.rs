//! How text formats are written.

use super::encoding::TextEncoding;
use crate::notation::System;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// How text formats are written.
///
/// ```
/// use xiangqi::notation::System;
/// use xiangqi::records::{self, Format, PgnOptions, Record, Setup};
/// use xiangqi::types::Move;
///
/// let mut record = Record::new(Setup::standard());
/// record.add(record.root(), Move::from_uci("h2e2")?)?;
/// let options = PgnOptions { notation: System::Wxf, ..PgnOptions::default() };
/// let (bytes, _) = records::write(&record, Format::Pgn, &options)?;
/// assert!(String::from_utf8(bytes)?.contains("1. C2.5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PgnOptions {
    /// The notation of the moves. In GBK and Big5 a game is in ICCS coordinates where XiangQi Wizard would misread a move of it.
    pub notation: System,
    /// The encoding of the text.
    pub encoding: TextEncoding,
    /// What ends a line.
    pub line_ends: LineEnds,
}

impl Default for PgnOptions {
    /// Simplified Chinese in UTF-8 with line feeds: what most programs read, and the same on every system.
    fn default() -> PgnOptions {
        PgnOptions { notation: System::ChineseSimplified, encoding: TextEncoding::Utf8, line_ends: LineEnds::Lf }
    }
}

impl PgnOptions {
    /// The same in another encoding, with what its readers need: Big5 lacks simplified characters, so the moves are in traditional
    /// ones; and GBK and Big5 are read by programs for Windows, which want carriage returns too.
    ///
    /// ```
    /// use xiangqi::notation::System;
    /// use xiangqi::records::{LineEnds, PgnOptions, TextEncoding};
    ///
    /// let options = PgnOptions::default().in_encoding(TextEncoding::Big5);
    /// assert_eq!((options.notation, options.line_ends), (System::Chinese, LineEnds::CrLf));
    /// ```
    pub fn in_encoding(self, encoding: TextEncoding) -> PgnOptions {
        let notation = match (self.notation, encoding) {
            (System::ChineseSimplified, TextEncoding::Big5) => System::Chinese,
            (notation, _) => notation,
        };
        let line_ends = if encoding == TextEncoding::Utf8 { self.line_ends } else { LineEnds::CrLf };
        PgnOptions { encoding, notation, line_ends }
    }
}

/// What ends the lines of a text.
///
/// ```
/// use xiangqi::records::LineEnds;
///
/// assert_eq!("crlf".parse(), Ok(LineEnds::CrLf));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineEnds {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed, as on Windows.
    CrLf,
}

impl LineEnds {
    /// The names of both, for command lines.
    ///
    /// ```
    /// use xiangqi::records::LineEnds;
    ///
    /// assert!(LineEnds::IDS.iter().all(|id| id.parse::<LineEnds>().is_ok()));
    /// ```
    pub const IDS: [&'static str; 2] = ["lf", "crlf"];

    /// The text, in which a line ends in a line feed, with these line ends.
    ///
    /// ```
    /// use xiangqi::records::LineEnds;
    ///
    /// assert_eq!(LineEnds::CrLf.of("1. C2=5\n"), "1. C2=5\r\n");
    /// ```
    pub fn of(self, text: &str) -> Cow<'_, str> {
        match self {
            LineEnds::Lf => Cow::Borrowed(text),
            LineEnds::CrLf => Cow::Owned(text.replace('\n', "\r\n")),
        }
    }
}

impl fmt::Display for LineEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(LineEnds::IDS[*self as usize])
    }
}

/// A name that no line ends have.
///
/// ```
/// use xiangqi::records::LineEnds;
///
/// let error = "cr".parse::<LineEnds>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown line ends 'cr', expected lf or crlf");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown line ends '{}', expected lf or crlf", .0.escape_debug())]
pub struct UnknownLineEnds(String);

impl FromStr for LineEnds {
    type Err = UnknownLineEnds;

    fn from_str(text: &str) -> Result<LineEnds, UnknownLineEnds> {
        match text.to_ascii_lowercase().as_str() {
            "lf" => Ok(LineEnds::Lf),
            "crlf" => Ok(LineEnds::CrLf),
            _ => Err(UnknownLineEnds(text.chars().take(40).collect())),
        }
    }
}
