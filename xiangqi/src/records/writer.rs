//! Writing of files with several records, in any format.

use super::cbr::LibraryWriter;
use super::error::{Losses, RecordError};
use super::{Format, PgnOptions, Record};

/// Writes a file record by record. See [`super::write`] for a single record.
///
/// ```
/// use xiangqi::records::{Format, PgnOptions, Record, RecordWriter, Records, Setup};
///
/// let mut writer = RecordWriter::new(Format::Cbl, PgnOptions::default());
/// let mut file = Vec::new();
/// for title in ["one", "two"] {
///     let mut record = Record::new(Setup::standard());
///     record.set_tag("Title", title);
///     let (bytes, losses) = writer.add(&record)?;
///     assert!(losses.is_empty());
///     file.extend(bytes);
/// }
/// file.extend(writer.finish()?);
/// assert_eq!(Records::new(file, Some(Format::Cbl))?.count(), 2);
/// # Ok::<(), xiangqi::records::RecordError>(())
/// ```
pub struct RecordWriter {
    format: Format,
    options: PgnOptions,
    games: usize,
    /// CBL libraries start with an index, so all records are needed before the first byte can be written.
    library: Option<LibraryWriter>,
}

impl RecordWriter {
    /// Starts a file. The options apply to text formats.
    ///
    /// ```
    /// use xiangqi::records::{Format, PgnOptions, RecordWriter};
    ///
    /// assert!(RecordWriter::new(Format::Pgn, PgnOptions::default()).finish()?.is_empty());
    /// # Ok::<(), xiangqi::records::RecordError>(())
    /// ```
    pub fn new(format: Format, options: PgnOptions) -> RecordWriter {
        RecordWriter { format, options, games: 0, library: (format == Format::Cbl).then(LibraryWriter::default) }
    }

    /// Adds a record. Returns the next bytes of the file, which may be empty, and the data that the format cannot store.
    ///
    /// ```
    /// use xiangqi::records::{Format, PgnOptions, Record, RecordWriter, Setup};
    ///
    /// let mut writer = RecordWriter::new(Format::Pgn, PgnOptions::default());
    /// let record = Record::new(Setup::standard());
    /// let (first, _) = writer.add(&record)?;
    /// let (second, _) = writer.add(&record)?;
    /// assert_eq!([b"\n".to_vec(), first].concat(), second, "games are separated by an empty line");
    /// # Ok::<(), xiangqi::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`super::write`]. Also returns an error for a second record in a format of one record per file. The writer can still be
    /// used after an error; the record is skipped.
    pub fn add(&mut self, record: &Record) -> Result<(Vec<u8>, Losses), RecordError> {
        if self.games > 0 && !self.format.holds_many() {
            return Err(RecordError::of(format!("a file of {} holds one game, and there are more", self.format)));
        }
        let (mut bytes, losses) = match &mut self.library {
            Some(library) => (Vec::new(), library.add(record)?),
            None => self.format.write(record, &self.options)?,
        };
        if self.games > 0 && self.format == Format::Pgn {
            let between = self.options.line_ends.of("\n");
            bytes.splice(..0, between.bytes());
        }
        self.games += 1;
        Ok((bytes, losses))
    }

    /// Returns the last bytes of the file.
    ///
    /// ```
    /// use xiangqi::records::{Format, PgnOptions, RecordWriter};
    ///
    /// let library = RecordWriter::new(Format::Cbl, PgnOptions::default()).finish()?;
    /// assert!(library.starts_with(b"CCBridgeLibrary"));
    /// # Ok::<(), xiangqi::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are more records than the format can hold.
    pub fn finish(self) -> Result<Vec<u8>, RecordError> {
        self.library.map_or(Ok(Vec::new()), LibraryWriter::finish)
    }
}
