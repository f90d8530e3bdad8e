//! What the rows of the table of formats hold, and what is asked of them.

use super::error::{Losses, RecordError, RecordProblem};
use super::options::PgnOptions;
use super::source::Source;
use super::{Format, Record, encode};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// How a format is told by the first bytes of a file.
pub(super) enum Mark {
    /// By a mark that no other file has: it beats the extension, since libraries are found under .cbr, pages under .txt.
    Certain(fn(&Head) -> bool),
    /// By what such files often look like: the extension beats it.
    Likely(fn(&Head) -> bool),
    /// By nothing.
    None,
}

/// The first bytes of a file.
pub(super) struct Head<'a> {
    /// As they are.
    pub(super) bytes: &'a [u8],
    /// Without a byte order mark and blanks before the text.
    pub(super) text: &'a [u8],
}

impl Head<'_> {
    /// How many bytes are looked at.
    const SIZE: usize = 1 << 14;

    fn of(bytes: &[u8]) -> Head<'_> {
        let bytes = &bytes[..bytes.len().min(Head::SIZE)];
        Head { bytes, text: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start() }
    }

    /// Whether the text has this in it.
    pub(super) fn has(&self, part: &[u8]) -> bool {
        self.text.windows(part.len()).any(|window| window == part)
    }

    /// Whether it is UTF-16 with its mark, in which every second byte of a text may be 0.
    pub(super) fn is_wide(&self) -> bool {
        self.bytes.starts_with(b"\xff\xfe") || self.bytes.starts_with(b"\xfe\xff")
    }
}

/// Opens the bytes of a file.
pub(super) type Opener = fn(Vec<u8>) -> Result<Box<dyn Source>, RecordError>;

/// Writes a record.
pub(super) type Writer = fn(&Record, &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError>;

/// One row of the table.
pub(super) struct Row {
    pub(super) id: &'static str,
    /// Extensions of its files, the usual one first; they name the format too.
    pub(super) extensions: &'static [&'static str],
    pub(super) title: &'static str,
    /// What is read and written, in a few words.
    pub(super) reads: &'static str,
    pub(super) writes: &'static str,
    /// Whether a file can hold several games.
    pub(super) holds_many: bool,
    pub(super) mark: Mark,
    pub(super) open: Opener,
    pub(super) write: Option<Writer>,
}

/// Makes the type [`Format`] and its table of rows.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// A format of record files.
        ///
        /// ```
        /// use xiangqi::records::Format;
        ///
        /// assert_eq!("pgn".parse(), Ok(Format::Pgn));
        /// assert_eq!(Format::of_bytes(b"[Event \"Cup\"]\n"), Format::Pgn);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Format { $($(#[$doc])* $name),* }

        impl Format {
            /// All formats, in the order of their table.
            ///
            /// ```
            /// use xiangqi::records::Format;
            ///
            /// assert!(Format::ALL.contains(&Format::Xqf));
            /// ```
            pub const ALL: [Format; [$(Format::$name),*].len()] = [$(Format::$name),*];

            fn row(self) -> &'static format::Row {
                static ROWS: [format::Row; Format::ALL.len()] = [$(format::Row { $($field: $value),* }),*];
                &ROWS[self as usize]
            }
        }
    };
}
pub(super) use formats;

impl Format {
    /// All formats, in the order of their table.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::all().filter(|format| format.holds_many()).count(), 4);
    /// ```
    pub fn all() -> impl Iterator<Item = Format> {
        Format::ALL.into_iter()
    }

    /// The identifiers of all formats, for command lines.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::ids().collect::<Vec<_>>(), ["pgn", "xqf", "cbr", "cbl", "cbf", "ubb", "fen"]);
    /// ```
    pub fn ids() -> impl Iterator<Item = &'static str> {
        Format::all().map(Format::id)
    }

    /// The identifiers of the formats that are written, as in `pgn, xqf, ubb or fen`.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::written_ids(), "pgn, xqf, ubb or fen");
    /// ```
    pub fn written_ids() -> String {
        listed(Format::all().filter(|format| format.is_written()).map(Format::id).collect())
    }

    /// The identifier on the command line, such as `pgn`.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::DhtmlXq.id(), "ubb");
    /// ```
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The usual extension.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::Fen.extension(), "fen");
    /// ```
    pub fn extension(self) -> &'static str {
        self.extensions().first().copied().unwrap_or_default()
    }

    /// All extensions of its files.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::Fen.extensions(), ["fen", "epd", "txt"]);
    /// ```
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// What it is, in a few words.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::Cbl.title(), "CCBridge library");
    /// ```
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Whether records can be written in it.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert!(Format::Xqf.is_written() && !Format::Cbr.is_written());
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

    /// The format that a file's extension names.
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

    /// The format that the first bytes of a file show: its mark, a tag of PGN or DhtmlXQ, or else a list of positions.
    ///
    /// ```
    /// use xiangqi::records::Format;
    ///
    /// assert_eq!(Format::of_bytes(b"XQ\x0a\x00"), Format::Xqf);
    /// assert_eq!(Format::of_bytes(b"4k4/9/9/9/9/9/9/9/9/3K5 w"), Format::Fen);
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Format {
        Format::by_mark(&Head::of(bytes)).0
    }

    /// The format of a file, by its first bytes and its extension.
    ///
    /// ```
    /// use std::path::Path;
    /// use xiangqi::records::Format;
    ///
    /// // The mark of XQF beats the extension.
    /// assert_eq!(Format::detect(Path::new("game.txt"), b"XQ\x0a\x00"), Format::Xqf);
    /// assert_eq!(Format::detect(Path::new("game.pgn"), b"1. H2-E2"), Format::Pgn);
    /// ```
    pub fn detect(path: &Path, head: &[u8]) -> Format {
        match Format::by_mark(&Head::of(head)) {
            (format, true) => format,
            (format, false) => Format::of_path(path).unwrap_or(format),
        }
    }

    /// The format that the bytes show, and whether that is certain.
    fn by_mark(head: &Head) -> (Format, bool) {
        let certain = |format: &Format| matches!(format.row().mark, Mark::Certain(is) if is(head));
        let likely = |format: &Format| matches!(format.row().mark, Mark::Likely(is) if is(head));
        match Format::all().find(certain) {
            Some(format) => (format, true),
            None => (Format::all().find(likely).unwrap_or(Format::Fen), false),
        }
    }

    pub(super) fn open(self, bytes: Vec<u8>) -> Result<Box<dyn Source>, RecordError> {
        (self.row().open)(bytes)
    }

    pub(super) fn write(self, record: &Record, options: &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError> {
        match self.row().write {
            Some(write) => write(record, options),
            None => Err(RecordError::new(format!("format {self}"), RecordProblem::NotWritten)),
        }
    }

    /// The table of formats for the documentation, in Markdown.
    ///
    /// ```
    /// assert!(xiangqi::records::Format::markdown_table().contains("| `xqf` | `xqf` | XQStudio | versions 10 to 18 | version 10 |"));
    /// ```
    pub fn markdown_table() -> String {
        let head = String::from("| id | extensions | format | read | written |\n| --- | --- | --- | --- | --- |\n");
        let row = |format: Format| {
            let extensions: Vec<String> = format.extensions().iter().map(|name| format!("`{name}`")).collect();
            let Row { id, title, reads, writes, .. } = format.row();
            format!("| `{id}` | {} | {title} | {reads} | {writes} |\n", extensions.join(", "))
        };
        std::iter::once(head).chain(Format::all().map(row)).collect()
    }
}

/// The bytes of a text, with the line ends and in the encoding that the options name.
pub(super) fn text_bytes(written: (String, Losses), options: &PgnOptions) -> Result<(Vec<u8>, Losses), RecordError> {
    let (text, mut losses) = written;
    let text = options.line_ends.of(&text);
    let (bytes, lost) = encode(&text, options.encoding);
    losses.add("characters that the encoding lacks, written as '?'", lost);
    Ok((bytes.into_owned(), losses))
}

fn listed(names: Vec<&str>) -> String {
    match names.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        names => names.join(", "),
    }
}

/// A name that no format has.
///
/// ```
/// use xiangqi::records::Format;
///
/// let error = "doc".parse::<Format>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown format 'doc', expected pgn, xqf, cbr, cbl, cbf, ubb or fen");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown format '{}', expected {}", .0.escape_debug(), listed(Format::ids().collect()))]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Reads a format's identifier or extension in any case.
    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let is_named = |name: &&str| name.eq_ignore_ascii_case(text);
        let known = Format::all().find(|format| is_named(&format.id()) || format.extensions().iter().any(is_named));
        known.ok_or_else(|| UnknownFormat(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Format {
    /// The identifier.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_lead_to_their_format() {
        let mut names = Vec::new();
        for format in Format::all() {
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
        let error = "doc".parse::<Format>().unwrap_err().to_string();
        assert_eq!(error, "unknown format 'doc', expected pgn, xqf, cbr, cbl, cbf, ubb or fen");
        assert_eq!(Format::written_ids(), "pgn, xqf, ubb or fen");
    }

    #[test]
    fn a_mark_beats_the_extension_and_the_extension_beats_looks() {
        let detect = |name: &str, head: &[u8]| Format::detect(Path::new(name), head);
        assert_eq!(detect("a.txt", b"[DhtmlXQ]"), Format::DhtmlXq);
        assert_eq!(detect("a.cbr", b"CCBridgeLibrary\0"), Format::Cbl);
        assert_eq!(detect("a.fen", b"[Event \"\"]"), Format::Fen);
        assert_eq!(detect("a", b"[Event \"\"]"), Format::Pgn);
        assert_eq!(detect("a", b"4k4/9"), Format::Fen);
    }
}
