//! The rows of the table of formats, and accessors for them.

use super::error::{Losses, RecordError, RecordProblem};
use super::options::PgnOptions;
use super::source::{File, Source, line_starts, with_line_feeds};
use super::{Format, Record, decode, encode, is_utf16, pgn};
use crate::types::listed;
use std::borrow::Cow;
use std::path::Path;

/// How a format is detected from the first bytes of a file.
pub(super) enum Mark {
    /// By its beginning, which no other format has.
    Certain(fn(&Head) -> bool),
    /// By a signature that may stand anywhere in a text. The function returns its offset; the first signature in a text decides.
    Anywhere(fn(&str) -> Option<usize>),
    /// By the first line that any format recognises. The first function gets the text from the start of the line. The second gets the whole
    /// text and the offset of the line, and removes what only quotes a signature.
    Line(fn(&str) -> bool, fn(&str, usize) -> String),
}

/// The first bytes of a file.
pub(super) struct Head<'a> {
    /// The bytes, unchanged.
    pub(super) bytes: &'a [u8],
    /// The bytes without byte order mark and leading whitespace; UTF-16 is converted to UTF-8.
    pub(super) text: Cow<'a, [u8]>,
}

/// Number of bytes used to detect the format of a file. Only if they show none, the rest of a text is searched too.
///
/// ```
/// assert_eq!(xiangqi::records::FORMAT_HEAD, 65_536);
/// ```
pub const FORMAT_HEAD: usize = 1 << 16;

impl Head<'_> {
    fn of(bytes: &[u8]) -> Head<'_> {
        let text = if is_utf16(bytes) { Cow::Owned(decode(bytes).into_owned().into_bytes()) } else { Cow::Borrowed(bytes) };
        let text = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start()),
            text => text,
        };
        Head { bytes, text }
    }

    fn is_text(&self) -> bool {
        is_utf16(self.bytes) || !self.bytes.contains(&0)
    }

    /// The text, unless the file is binary or a web page.
    fn lines(&self) -> Option<String> {
        (self.is_text() && !self.text.starts_with(b"<")).then(|| with_line_feeds(decode(self.bytes)).into_owned())
    }

    /// The format shown by a signature in the text, otherwise by the first line that any format recognises.
    fn of_text(&self) -> Option<Format> {
        let signed = signed(&with_line_feeds(String::from_utf8_lossy(&self.text)));
        if let Some((0, format)) = signed {
            return Some(format);
        }
        let Some(text) = self.lines() else { return signed.map(|(_, format)| format) };
        let line = line_starts(&text).find_map(|at| {
            let text = text[at..].trim_start_matches('\u{feff}');
            Format::ALL.into_iter().find_map(|format| match format.row().mark {
                Mark::Line(is, unquoted) if is(text) => Some((format, at, unquoted)),
                _ => None,
            })
        });
        match (signed, line) {
            (Some(_), Some((format, at, unquoted))) => {
                Some(self::signed(&unquoted(&text, at)).map_or(format, |(_, format)| format))
            }
            (None, None) => pgn::without_marks(&text).map(|_| Format::Pgn),
            // The position is that of a game in a quoted mail.
            (None, Some((Format::Fen, at, _))) if pgn::is_quoted_tag(&text[at..]) => Some(Format::Pgn),
            (signed, line) => signed.map(|(_, format)| format).or(line.map(|(format, ..)| format)),
        }
    }
}

/// The first signature in a text: its offset and format.
fn signed(text: &str) -> Option<(usize, Format)> {
    let found = Format::ALL.into_iter().filter_map(|format| match format.row().mark {
        Mark::Anywhere(find) => Some((find(text)?, format)),
        _ => None,
    });
    found.min_by_key(|(at, _)| *at)
}

/// Function that opens a file.
pub(super) type Opener = fn(File) -> Result<Box<dyn Source>, RecordError>;

/// Function that writes a record.
pub(super) type Writer = fn(&Record, &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError>;

/// One row of the table.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// File extensions, the usual one first. They are also accepted as names of the format.
    pub(super) extensions: &'static [&'static str],
    pub(super) title: &'static str,
    /// Whether a file can hold several games.
    pub(super) holds_many: bool,
    pub(super) mark: Mark,
    pub(super) open: Opener,
    pub(super) write: Option<Writer>,
}

/// Defines [`Format`] and its table of rows.
macro_rules! formats {
    ($($rows:tt)*) => {
        $crate::types::table! {
            /// A record file format.
            ///
            /// ```
            /// use xiangqi::records::Format;
            ///
            /// assert_eq!("pgn".parse(), Ok(Format::Pgn));
            /// assert_eq!(Format::of_bytes(b"[Event \"Cup\"]\n"), Format::Pgn);
            /// ```
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
            Format, "format", format::Row, extensions; $($rows)*
        }
    };
}
pub(super) use formats;

impl Format {
    /// The identifiers of the formats that can be written, as a list for messages.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::written_ids(), "pgn, xqf, cbr, cbl, cbf, ubb, wxf, txq or fen");
    /// ```
    pub fn written_ids() -> String {
        listed(Format::ALL.into_iter().filter(|format| format.is_written()).map(Format::id))
    }

    /// The usual file extension.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::Fen.extension(), "fen");
    /// ```
    pub fn extension(self) -> &'static str {
        self.extensions().first().copied().unwrap_or_default()
    }

    /// All file extensions.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::Fen.extensions(), ["fen", "epd", "txt"]);
    /// ```
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// Whether records can be written in this format.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert!(Format::Xqf.is_written() && !Format::Che.is_written());
    /// ```
    pub fn is_written(self) -> bool {
        self.row().write.is_some()
    }

    /// Whether a file can hold several games.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert!(Format::Cbl.holds_many() && !Format::Cbr.holds_many());
    /// ```
    pub fn holds_many(self) -> bool {
        self.row().holds_many
    }

    /// The format for the extension of a file.
    ///
    /// ```
    /// use std::path::Path;
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::of_path(Path::new("games/final.XQF")), Some(Format::Xqf));
    /// assert_eq!(Format::of_path(Path::new("games")), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Format> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// Detects the format from the first bytes of a file: by a signature, or by the first line that is a tag, a move or a FEN. A signature in a
    /// comment or tag of PGN, or in a file that starts with a tag, is only quoted. Defaults to [`Format::Fen`].
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::of_bytes(b"XQ\x0a\x00"), Format::Xqf);
    /// assert_eq!(Format::of_bytes(b"4k4/9/9/9/9/9/9/9/9/3K5 w"), Format::Fen);
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Format {
        Format::shown_by(bytes).unwrap_or(Format::Fen)
    }

    /// Like [`Format::of_bytes`], but returns `None` if no format is recognised. The bytes after [`FORMAT_HEAD`] are used only if those
    /// before it are text without a sign of any format, as at the beginning of a long web page.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::shown_by("红方：甲\n\n1. 炮二平五".as_bytes()), Some(Format::Pgn));
    /// assert_eq!(Format::shown_by(b"XQ notes\n1. Buy milk\n"), None);
    /// ```
    pub fn shown_by(bytes: &[u8]) -> Option<Format> {
        let head = Head::of(&bytes[..bytes.len().min(FORMAT_HEAD)]);
        let certain = |format: &Format| matches!(format.row().mark, Mark::Certain(is) if is(&head));
        let in_head = Format::ALL.into_iter().find(certain).or_else(|| head.of_text());
        if in_head.is_some() || bytes.len() <= FORMAT_HEAD || !head.is_text() {
            return in_head;
        }
        Head::of(bytes).of_text()
    }

    /// Detects the format of a file by its content, or by its extension if the content is not recognised. Defaults to [`Format::Fen`].
    ///
    /// ```
    /// use std::path::Path;
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::detect(Path::new("game.txt"), b"XQ\x0a\x00"), Format::Xqf);
    /// assert_eq!(Format::detect(Path::new("games.txt"), b"[Red \"A\"]"), Format::Pgn);
    /// assert_eq!(Format::detect(Path::new("game.xqf"), b"XQ"), Format::Xqf);
    /// ```
    pub fn detect(path: &Path, head: &[u8]) -> Format {
        Format::shown_by(head).or_else(|| Format::of_path(path)).unwrap_or(Format::Fen)
    }

    /// Like [`Format::detect`], but `None` for unrecognised content unless the extension is specific to a format. An empty file is
    /// accepted with any extension.
    pub(super) fn of_file(path: &Path, bytes: &[u8]) -> Option<Format> {
        let is_empty = bytes.trim_ascii().is_empty();
        let named = || Format::of_path(path).filter(|_| is_empty || !Format::is_vague(path));
        Format::shown_by(bytes).or_else(named).or_else(|| is_empty.then_some(Format::Fen))
    }

    /// Whether the extension of a file is not specific to record files: other texts, web pages and opening books use it too.
    ///
    /// ```
    /// use std::path::Path;
    /// use xiangqi::records::Format;
    ///
    /// assert!(Format::is_vague(Path::new("README.TXT")) && !Format::is_vague(Path::new("game.pgn")));
    /// ```
    pub fn is_vague(path: &Path) -> bool {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        ["txt", "html", "htm", "wxf"].iter().any(|vague| extension == *vague)
    }

    pub(super) fn open(self, file: File) -> Result<Box<dyn Source>, RecordError> {
        (self.row().open)(file)
    }

    pub(super) fn write(self, record: &Record, options: &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError> {
        match self.row().write {
            // These name moves by their pieces or play them; a record built by a program may have illegal ones.
            Some(write) if matches!(self, Format::Pgn | Format::Wxf | Format::Fen) && !record.is_legal() => {
                let legal = record.clone().legal_part();
                let (bytes, mut losses) = write(&legal, options)?;
                losses.add("illegal moves and the moves after them", legal.left_out());
                Ok((bytes, losses))
            }
            Some(write) => write(record, options),
            None => Err(RecordError::new(format!("format {self}"), RecordProblem::NotWritten)),
        }
    }
}

/// Converts a text to the line endings and encoding of the options.
pub(super) fn text_bytes(written: (String, Losses), options: &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError> {
    let (text, mut losses) = written;
    let text = options.line_ends.of(&text);
    let (bytes, lost) = encode(&text, options.encoding);
    losses.add("characters that the encoding lacks, written as '?'", lost);
    Ok((bytes.into_owned(), losses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_map_to_their_format() {
        let mut names = Vec::new();
        for format in Format::ALL {
            assert_eq!(format.id().to_uppercase().parse(), Ok(format));
            for name in format.extensions() {
                assert_eq!(Format::of_path(Path::new(&format!("a.{name}"))), Some(format));
                names.push(*name);
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two formats share an extension");
        // Collections of PGN.
        assert_eq!(Format::of_path(Path::new("a.pgns")), Some(Format::Pgn));
        let error = "doc".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown format 'doc', expected pgn, xqf, cbr, cbl, cbf, ubb, wxf, txq, pfc, che, mxq, chn, ccm or fen"
        );
        assert_eq!(Format::written_ids(), "pgn, xqf, cbr, cbl, cbf, ubb, wxf, txq or fen");
    }

    #[test]
    fn content_takes_precedence_over_the_extension() {
        let detect = |name: &str, head: &str| Format::detect(Path::new(name), head.as_bytes());
        assert_eq!(detect("a.txt", "[DhtmlXQ]"), Format::DhtmlXq);
        assert_eq!(detect("a.cbr", "CCBridgeLibrary\0"), Format::Cbl);
        assert_eq!(detect("a.fen", "[Event \"\"]"), Format::Pgn);
        assert_eq!(detect("a.pgn", "# kings\n4k4/9/9/9/9/9/9/9/9/3K5 w\n"), Format::Fen);
        assert_eq!(detect("a", "[Event \"\"]"), Format::Pgn);
        assert_eq!(detect("a", "4k4/9"), Format::Fen);
        assert_eq!(detect("a.pgn", "hello"), Format::Pgn);
    }

    #[test]
    fn a_text_is_detected_by_its_first_recognised_line() {
        for (text, format) in [
            ("[Event \"a\"]\n", Some(Format::Pgn)),
            ("\u{feff}\u{3000}[Event \"a\"]\n", Some(Format::Pgn)),
            ("notes\n\n[Red\n\"a\"]\n", Some(Format::Pgn)),
            ("XQ notes on a game\n[Red \"a\"]\n1. C2=5 *\n", Some(Format::Pgn)),
            ("a title\n1. 炮二平五 马8进7\n", Some(Format::Pgn)),
            ("炮二平五，马8进7，马二进三", Some(Format::Pgn)),
            ("h2e2,h9g7", Some(Format::Pgn)),
            ("1.炮二平五 马8进7。2.马二进三", Some(Format::Pgn)),
            ("1.兵七进一炮2平32.兵三进一", Some(Format::Pgn)),
            ("结果: 红胜\n红方: 甲\n\n1. C2.5 H8+7\n", Some(Format::Pgn)),
            ("着法：1. C2.5 H8+7\n", Some(Format::Pgn)),
            ("红方：甲\nFEN ：3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1\n\n1. R5+8\n", Some(Format::Pgn)),
            ("FEN: 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1\n", Some(Format::Fen)),
            ("# list\n\n\"3k5/9/9/9/9/9/9/9/4R4/4K4[]_w\"\n", Some(Format::Fen)),
            ("startpos moves h2e2\n", Some(Format::Fen)),
            ("position fen 4k4/9/9/9/9/9/9/9/9/3K5 w\n", Some(Format::Fen)),
            ("FORMAT\tWXF\nGAME\t\n", Some(Format::Wxf)),
            ("FORMAT\tWXF\rGAME\t\r", Some(Format::Wxf)),
            ("a title\r[Red \"a\"]\r\rh2e2\r", Some(Format::Pgn)),
            ("a title\r1. 炮二平五 马8进7\r", Some(Format::Pgn)),
            ("[requires]\nfmt/10\n", None),
            ("1. Buy milk\n2. a4 paper\n", None),
            ("1. Rook\n1. Pawn shop\n1.5 litres\n1. a\n", None),
            ("A README about\n/usr/share/games/x/y/z\n", None),
            ("the result: red\n", None),
            ("XQ\n1\n", None),
            ("[package]\nname = \"x\"\n", None),
            ("[\"a\", 1]\n", None),
            ("[remote \"origin\"]\n  url = x\n", None),
            ("[event \"a\"]\n", Some(Format::Pgn)),
            ("<html>\n1. C2.5 H8+7\n", None),
            ("", None),
        ] {
            assert_eq!(Format::shown_by(text.as_bytes()), format, "{text}");
        }
        let wide: Vec<u8> = "\u{feff}[Red \"a\"]".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Format::shown_by(&wide), Some(Format::Pgn));
        let gbk = encode("标题: 一\n炮二平五 马8进7", crate::records::TextEncoding::Gbk).0;
        assert_eq!(Format::shown_by(&gbk), Some(Format::Pgn));
    }

    #[test]
    fn signatures_in_comments_and_tags_of_pgn_are_only_quoted() {
        const WXF: &str = "FORMAT WXF\nRED Lin\nSTART{\nC2.5 H8+7\n}END\n";
        const UBB: &str = "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]";
        for (text, format) in [
            ("[Red \"A\"]\n\n{see [DhtmlXQ] on dpxq} 1. h2e2 h9g7 1-0\n", Format::Pgn),
            ("[Red \"[DhtmlXQ_title]\"]\n\n1. h2e2 h9g7 1-0\n", Format::Pgn),
            ("[Red \"A\"]\n\n1. h2e2 h9g7 1-0\n\nfrom [DhtmlXQ_title]\n", Format::Pgn),
            ("[Red \"A\"]\n\n1. h2e2 {<ChineseChessRecord>} h9g7 1-0\n", Format::Pgn),
            ("{[DhtmlXQ_title]}\n1. h2e2 h9g7\n", Format::Pgn),
            ("; [DhtmlXQ_title]\n% [DhtmlXQ]\n[Red \"A\"]\n", Format::Pgn),
            ("1. h2e2 {a {nested} [DhtmlXQ]} h9g7\n", Format::Pgn),
            ("1. h2e2 {not closed [DhtmlXQ] h9g7\n", Format::Pgn),
            ("1. h2e2 ; var DhtmlXQ_movelist = '7747'\nh9g7\n", Format::Pgn),
            ("1. h2e2 h9g7\n[Red \"[DhtmlXQ_title]\"]\n", Format::Pgn),
            (&format!("1. h2e2 {{\n{WXF}}} h9g7\n"), Format::Pgn),
            (&format!("[Red \"A\"]\n\n1. h2e2 {{\n{WXF}}} h9g7\n"), Format::Pgn),
            (&format!("1. h2e2 {{{UBB} {}}} h9g7\n", "long ".repeat(FORMAT_HEAD / 4)), Format::Pgn),
            // The game itself, below other text.
            (&format!("1. 炮二平五 马8进7\n{UBB}"), Format::DhtmlXq),
            (&format!("[QUOTE=\"A\"]\n1. 炮二平五 {{good}} 马8进7\n{UBB}"), Format::DhtmlXq),
            (&format!("[remote \"A\"]\n{UBB}"), Format::DhtmlXq),
            (&format!("红方：甲\n\n1. 炮二平五 马8进7\n{WXF}"), Format::Wxf),
            (&WXF.replace("C2.5", "{[DhtmlXQ_title] <ChineseChessRecord>} C2.5"), Format::Wxf),
            (&format!("[DhtmlXQ][DhtmlXQ_comment0]\n{WXF}[/DhtmlXQ_comment0][/DhtmlXQ]"), Format::DhtmlXq),
            ("<?xml version=\"1.0\"?>\n<!-- [DhtmlXQ] -->\n<ChineseChessRecord>", Format::Cbf),
            ("<html>&lt;ChineseChessRecord> <ChineseChessRecord>[DhtmlXQ]", Format::DhtmlXq),
        ] {
            assert_eq!(Format::of_bytes(text.as_bytes()), format, "{text}");
        }
    }

    #[test]
    fn written_files_that_quote_signatures_are_read_back() {
        let mut record = Record::new(super::super::Setup::standard());
        let node = record.add(record.root(), crate::types::Move::from_uci("h2e2").unwrap()).unwrap();
        record.set_tag("Title", "[DhtmlXQ_title] <ChineseChessRecord>");
        record.append_comment(node, "<ChineseChessRecord>\n[DhtmlXQ_title]\nFORMAT WXF\nRED Lin\nSTART{");
        for format in Format::ALL.into_iter().filter(|format| format.is_written() && *format != Format::Fen) {
            let (bytes, _) = format.write(&record, &PgnOptions::default()).unwrap();
            assert_eq!(Format::shown_by(&bytes), Some(format), "{}", String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn illegal_moves_are_not_written_as_others() {
        let mut record = Record::new(super::super::Setup::standard());
        let mut at = record.root();
        // No piece is on e5.
        for text in ["h2e2", "e5e6", "h0g2"] {
            at = record.add(at, crate::types::Move::from_uci(text).unwrap()).unwrap();
        }
        for format in [Format::Pgn, Format::Wxf, Format::Fen] {
            let (bytes, losses) = format.write(&record, &PgnOptions::default()).unwrap();
            assert_eq!(losses.to_string(), "illegal moves and the moves after them 2", "{format}");
            let back = crate::records::Records::new(bytes, Some(format)).unwrap().next().unwrap().unwrap();
            // A FEN is that of the position after the last move.
            assert_eq!(back.plies(), (format != Format::Fen) as usize, "{format}");
        }
    }

    #[test]
    fn a_sign_after_a_long_beginning_is_found() {
        let filler = "<p>a text of a page</p>\n".repeat(FORMAT_HEAD / 20);
        let game = "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]";
        for (text, format) in [
            (format!("<html>{filler}{game}"), Some(Format::DhtmlXq)),
            (format!("a text\n{filler}{game}"), Some(Format::DhtmlXq)),
            (format!("a text\n{filler}\n1. 炮二平五 马8进7\n"), Some(Format::Pgn)),
            (format!("<html>{filler}\n1. 炮二平五 马8进7\n"), None),
            (format!("a text\n{filler}"), None),
            (format!("a text\n{}1. 炮二平五 马8进7\n", "\n".repeat(20 * FORMAT_HEAD)), Some(Format::Pgn)),
            (format!("a\0b\n{filler}{game}"), None),
        ] {
            assert_eq!(Format::shown_by(text.as_bytes()), format, "{}…", &text[..20]);
        }
        let page = format!("<html>{filler}{game}").into_bytes();
        assert_eq!(crate::records::Records::new(page, None).unwrap().map(|game| game.unwrap().plies()).sum::<usize>(), 1);
    }
}
