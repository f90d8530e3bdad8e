//! Options for writing text formats.

use super::encoding::TextEncoding;
use crate::notation::System;
use std::borrow::Cow;

/// Options for writing text formats.
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
    /// The notation of the moves. In GBK and Big5, games with a move that XiangQi Wizard would misread are written in ICCS
    /// coordinates instead.
    pub notation: System,
    /// The character encoding.
    pub encoding: TextEncoding,
    /// The line endings.
    pub line_ends: LineEnds,
}

impl Default for PgnOptions {
    /// Simplified Chinese in UTF-8 with line feeds on all platforms, which most programs can read.
    fn default() -> PgnOptions {
        PgnOptions { notation: System::ChineseSimplified, encoding: TextEncoding::Utf8, line_ends: LineEnds::Lf }
    }
}

impl PgnOptions {
    /// Changes the encoding and the options that depend on it. Big5 has no simplified characters, so moves are written in traditional
    /// ones. Files in GBK and Big5 are for Windows programs, so they get CRLF line endings.
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

/// The line endings of a text.
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
    /// Converts a text with line feeds to these line endings.
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

crate::named_values! { LineEnds, "line ends": Lf "lf", CrLf "crlf" }
