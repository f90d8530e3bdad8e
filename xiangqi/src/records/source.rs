//! Iteration over the records of a file in any format.

use super::encoding::decode_file;
use super::error::{RecordError, RecordProblem};
use super::{Format, InputEncoding, Record, UNREADABLE};
use crate::records::warning::warning;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

/// Maximum size of a file, in bytes.
///
/// ```
/// assert_eq!(xiangqi::records::MAX_FILE >> 20, 256);
/// ```
pub const MAX_FILE: u64 = 256 << 20;

/// First bytes of compressed files, and the compression.
const COMPRESSIONS: [(&[u8], &str); 8] = [
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"Rar!\x1a\x07", "rar"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
];

/// An error if a file is compressed, from its first bytes. [`Records`] gives the same error for the whole file.
///
/// ```
/// use xiangqi::records::check_uncompressed;
///
/// let error = check_uncompressed(b"PK\x03\x04\x14\0\0\0").unwrap_err();
/// assert_eq!(error.to_string(), "compressed with zip, expected a record; unpack it first");
/// assert!(check_uncompressed(b"[Red \"A\"]\n").is_ok());
/// ```
///
/// # Errors
/// Returns [`RecordProblem::Compressed`] with the name of the compression.
pub fn check_uncompressed(head: &[u8]) -> Result<(), RecordError> {
    let found = COMPRESSIONS.iter().find(|(start, _)| head.starts_with(start));
    // A text may begin with the letters of a mark.
    match found.filter(|_| std::str::from_utf8(head).is_err() || head.contains(&0)) {
        Some((_, name)) => Err(RecordError::of(RecordProblem::Compressed(name))),
        None => Ok(()),
    }
}

/// A file to be read.
pub(super) struct File {
    pub(super) bytes: Vec<u8>,
    /// The encoding of its text, if known.
    pub(super) encoding: Option<InputEncoding>,
}

impl File {
    /// The contents of a text file, with line feeds if it has carriage returns alone, as on old Macs.
    pub(super) fn text(self) -> String {
        with_line_feeds(Cow::Owned(decode_file(self.bytes, self.encoding))).into_owned()
    }
}

/// A text whose lines end in line feeds; those of old programs of the Macintosh end in carriage returns only.
pub(super) fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\r') && !text.contains('\n') { Cow::Owned(text.replace('\r', "\n")) } else { text }
}

/// The offsets of the lines that are not blank, where a game may begin. Readers skip blank lines themselves: from each of them, many would be read
/// again and again.
pub(super) fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    starts.filter(|at| text[*at..].split('\n').next().is_some_and(|line| !line.trim().is_empty()))
}

/// A reader of the records of one file.
pub(super) trait Source: Send {
    /// The next record. An error belongs to one game; reading may continue after it.
    fn next(&mut self) -> Option<Result<Record, RecordError>>;

    /// The place of the last record, for error messages. `games` is its number.
    fn place(&self, games: usize) -> String {
        format!("game {games}")
    }

    /// The line number of the last record, in formats of one record per line.
    fn line(&self) -> Option<usize> {
        None
    }

    /// The current position and the end, in the same unit.
    fn progress(&self) -> (usize, usize);
}

/// A file with a single record.
pub(super) struct One(Option<Result<Record, RecordError>>);

impl One {
    pub(super) fn source(result: Result<Record, RecordError>) -> Result<Box<dyn Source>, RecordError> {
        Ok(Box::new(One(Some(result))))
    }
}

impl Source for One {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        self.0.take()
    }

    fn progress(&self) -> (usize, usize) {
        (self.0.is_none() as usize, 1)
    }
}

/// A record that was read, and the offset at which to continue.
pub(super) type Step = (Result<Record, RecordError>, usize);

/// The records of a text, each read by the same function from the end of the previous one.
pub(super) struct TextGames {
    text: String,
    at: usize,
    read: fn(&str, usize) -> Option<Step>,
}

impl TextGames {
    pub(super) fn source(text: String, read: fn(&str, usize) -> Option<Step>) -> Box<dyn Source> {
        Box::new(TextGames { text, at: 0, read })
    }
}

impl Source for TextGames {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        advance(&self.text, &mut self.at, self.read)
    }

    fn progress(&self) -> (usize, usize) {
        (self.at, self.text.len())
    }
}

/// Reads the next record of a text and advances `at` past it.
pub(super) fn advance(
    text: &str,
    at: &mut usize,
    read: impl FnOnce(&str, usize) -> Option<Step>,
) -> Option<Result<Record, RecordError>> {
    let (item, next) = read(text, *at)?;
    let own = text.get(*at..next).unwrap_or_default();
    // A reader that makes no progress would repeat a game forever.
    *at = next.max(*at + 1);
    Some(item.map(|record| with_unreadable(record, own)))
}

/// Like [`with_unreadable`], for a record whose texts are the fields of a binary file.
pub(super) fn with_unreadable_fields(record: Record) -> Record {
    let tags = record.tags().map(|(_, value)| value);
    let comments = record.walk().map(|(_, id)| record.comment(id));
    let text = tags.chain(comments).filter(|text| text.contains(UNREADABLE)).collect::<Vec<_>>().join("\n");
    with_unreadable(record, &text)
}

/// Adds a warning to the record if its text contains unreadable characters.
pub(super) fn with_unreadable(mut record: Record, text: &str) -> Record {
    let count = text.matches(UNREADABLE).count();
    if let Some(first) = text.find(UNREADABLE) {
        let before = text[..first].chars().rev().take(12).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        // A warning must be a single line.
        let before = before.split_whitespace().collect::<Vec<_>>().join(" ");
        record.warn(warning!(
            "unreadable characters: {0}, kept as '{1}', the first after '{2}'",
            "无法解读的字符，以“{1}”代替：{0}个，第一个在“{2}”之后",
            count,
            UNREADABLE,
            before
        ));
    }
    record
}

/// An iterator over the records of a file. Only the file and one record are in memory at a time.
///
/// Errors contain the number of the game. Iteration continues after an error if the format allows finding the next game.
///
/// ```
/// use xiangqi::records::{Format, Records};
///
/// let file = b"[Red \"A\"]\n\n1. H2-E2 *\n\n[Red \"B\"]\n\n1. H2-E2 *\n";
/// let mut players = Vec::new();
/// for record in Records::new(file.to_vec(), Some(Format::Pgn))? {
///     players.extend(record?.tag("Red").map(str::to_string));
/// }
/// assert_eq!(players, ["A", "B"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Records {
    source: Box<dyn Source>,
    games: usize,
}

impl Records {
    /// Reads records from the bytes of a file. If no format is given, it is detected.
    ///
    /// ```
    /// use xiangqi::records::Records;
    ///
    /// let mut records = Records::new(b"4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1\n".to_vec(), None)?;
    /// let record = records.next().expect("one line")?;
    /// assert_eq!(record.plies(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the file is not in this format. Errors of single games are returned by the iterator.
    pub fn new(bytes: Vec<u8>, format: Option<Format>) -> Result<Records, RecordError> {
        Records::new_in(bytes, format, None)
    }

    /// Like [`Records::new`], but with a known encoding of the text.
    ///
    /// ```
    /// use xiangqi::records::{InputEncoding, Records};
    ///
    /// let encoding: InputEncoding = "windows-1258".parse()?;
    /// let file = b"[Red \"V\xf5 \xd0\xfdc\"]\n\n1. H2-E2 *\n".to_vec();
    /// let record = Records::new_in(file, None, Some(encoding))?.next().expect("one game")?;
    /// assert_eq!(record.tag("Red"), Some("Vơ Đưc"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Records::new`].
    pub fn new_in(bytes: Vec<u8>, format: Option<Format>, encoding: Option<InputEncoding>) -> Result<Records, RecordError> {
        check_uncompressed(&bytes)?;
        let format = format.unwrap_or_else(|| Format::of_bytes(&bytes));
        Ok(Records { source: format.open(File { bytes, encoding })?, games: 0 })
    }

    /// Opens a file of at most [`MAX_FILE`] bytes; `-` is standard input. If no format is given, it is detected by content and
    /// extension.
    ///
    /// ```
    /// use std::path::Path;
    /// use xiangqi::records::{RecordProblem, Records};
    ///
    /// let Err(error) = Records::open(Path::new("no/such/file.pgn"), None) else { panic!("there is no such file") };
    /// assert!(matches!(error.problem(), RecordProblem::Io(_)));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too large, is not in this format, or no format is given and none can be detected.
    pub fn open(path: &Path, format: Option<Format>) -> Result<Records, RecordError> {
        Records::open_in(path, format, None)
    }

    /// Like [`Records::open`], but with a known encoding of the text.
    ///
    /// ```
    /// use std::path::Path;
    /// use xiangqi::records::Records;
    ///
    /// assert!(Records::open_in(Path::new("no/such/file.xqf"), None, "windows-1258".parse().ok()).is_err());
    /// ```
    ///
    /// # Errors
    /// Same as [`Records::open`].
    pub fn open_in(path: &Path, format: Option<Format>, encoding: Option<InputEncoding>) -> Result<Records, RecordError> {
        let place = path.display().to_string();
        let failed = |error: std::io::Error| RecordError::new(place.clone(), RecordProblem::Io(error.to_string()));
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            std::io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        } else {
            let file = std::fs::File::open(path).map_err(failed)?;
            file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        }
        if bytes.len() as u64 > MAX_FILE {
            return Err(RecordError::new(place, RecordProblem::TooLarge(MAX_FILE)));
        }
        check_uncompressed(&bytes).map_err(|error| error.within(&place))?;
        let format = match format {
            Some(format) => format,
            None => Format::of_file(path, &bytes).ok_or_else(|| RecordError::new(place.clone(), RecordProblem::NoRecord))?,
        };
        Records::new_in(bytes, Some(format), encoding).map_err(|error| error.within(&place))
    }

    /// The line number of the last record, counted from 1, in formats of one record per line.
    ///
    /// ```
    /// use xiangqi::records::{Format, Records};
    ///
    /// let mut records = Records::new(b"# kings\n4k4/9/9/9/9/9/9/9/9/3K5 w\n".to_vec(), Some(Format::Fen))?;
    /// assert!(records.next().is_some());
    /// assert_eq!(records.line(), Some(2));
    /// # Ok::<(), xiangqi::records::RecordError>(())
    /// ```
    pub fn line(&self) -> Option<usize> {
        self.source.line()
    }

    /// The fraction of the file that has been read, from 0 to 1.
    ///
    /// ```
    /// use xiangqi::records::{Format, Records};
    ///
    /// let mut records = Records::new(b"1. H2-E2 *\n\n1. H0-G2 *\n".to_vec(), Some(Format::Pgn))?;
    /// assert_eq!(records.share_read(), 0.0);
    /// records.next();
    /// assert!(records.share_read() > 0.4);
    /// records.by_ref().for_each(drop);
    /// assert!(records.share_read() > 0.9);
    /// # Ok::<(), xiangqi::records::RecordError>(())
    /// ```
    pub fn share_read(&self) -> f64 {
        let (at, end) = self.source.progress();
        at.min(end) as f64 / end.max(1) as f64
    }
}

impl Iterator for Records {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        let item = self.source.next()?;
        self.games += 1;
        Some(item.map_err(|error| error.within(&self.source.place(self.games))))
    }
}
