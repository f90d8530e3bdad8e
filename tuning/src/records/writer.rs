//! Writer of a file that survives a kill.

use super::{BlockHeader, FileHeader, Game, PackedGame, Reader, RecordError};
use chuhe::types::counted;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A block is written as soon as its games have this many bytes: large enough that the overhead of the header is negligible, small enough
/// that a kill loses little.
const BLOCK_TARGET: usize = 1 << 15;

/// Appends games to a file or another output, block by block. A file is locked for the lifetime of the writer.
pub struct Writer<W = File> {
    output: W,
    payload: Vec<u8>,
    games: u32,
    labels: u32,
    /// Bytes written.
    bytes: u64,
}

/// The damage that [`Writer::resume`] found in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repair {
    /// Bytes of an incomplete block that were removed from the end.
    pub bytes_cut: u64,
    /// The errors of damaged blocks, which were removed too.
    pub damaged: Vec<String>,
}

impl Repair {
    /// Logs the damage.
    pub fn warn(&self, path: &Path) {
        if self.bytes_cut > 0 {
            log::warn!("{}: an incomplete block of {} removed", path.display(), counted(self.bytes_cut, "byte"));
        }
        for damage in &self.damaged {
            log::warn!("{}: {damage}; block removed", path.display());
        }
    }
}

/// Opens a file for writing without truncating it, or creates it, and locks it.
fn open(path: &Path) -> Result<File, RecordError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(RecordError::Locked),
        // Some network file systems have no locks: there a second writer is not detected.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

impl Writer {
    /// Creates a new file; an existing one is replaced.
    ///
    /// # Errors
    /// When it cannot be written, or another process is writing to it.
    pub fn create(path: &Path, header: &FileHeader) -> Result<Writer, RecordError> {
        Writer::begin(open(path)?, header)
    }

    /// Replaces the contents of the file by the header.
    fn begin(mut file: File, header: &FileHeader) -> Result<Writer, RecordError> {
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        Writer::new(file, header)
    }

    /// Opens a file for appending, or creates it. `seen` is called with its games. An incomplete block at the end (after
    /// a kill) and damaged blocks are removed and reported: their games are missing and can be played again.
    ///
    /// # Errors
    /// When the file is not a record file, has another description, cannot be written, or another process is writing to it.
    pub fn resume(path: &Path, header: &FileHeader, mut seen: impl FnMut(&Game)) -> Result<(Writer, Repair), RecordError> {
        let mut file = open(path)?;
        let length = file.metadata()?.len();
        let wanted = header.to_bytes();
        let mut head = Vec::new();
        (&file).take(wanted.len() as u64).read_to_end(&mut head)?;
        if length < wanted.len() as u64 && wanted.starts_with(&head) {
            // New, or left by a kill while the header was written.
            return Ok((Writer::begin(file, header)?, Repair { bytes_cut: length, ..Repair::default() }));
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 16, &file))?;
        if reader.header() != header {
            return Err(RecordError::OtherDescription { found: reader.header().description.clone() });
        }
        let mut repair = Repair::default();
        // The end of the blocks before any damage, and the places of those after it.
        let (mut good, mut later) = (reader.offset(), Vec::new());
        loop {
            let begin = reader.offset();
            match reader.next_games() {
                Ok(Some(games)) => {
                    games.iter().for_each(&mut seen);
                    if repair.damaged.is_empty() { good = reader.offset() } else { later.push(begin..reader.offset()) }
                }
                Ok(None) => break,
                Err(error @ RecordError::Io(_)) => return Err(error),
                Err(RecordError::Torn(_)) => {}
                Err(error) => repair.damaged.push(error.to_string()),
            }
        }
        repair.bytes_cut = length - reader.offset();
        // Later blocks overwrite the damage. If the process is killed meanwhile, some of them are left twice, and a damaged one for the next time.
        for place in later {
            let mut block = vec![0; (place.end - place.start) as usize];
            file.seek(SeekFrom::Start(place.start))?;
            file.read_exact(&mut block)?;
            file.seek(SeekFrom::Start(good))?;
            file.write_all(&block)?;
            good += block.len() as u64;
        }
        file.set_len(good)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Writer::at_end(file, good), repair))
    }

    /// Writes the pending games and syncs the file to the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        self.write_block()?;
        Ok(self.output.sync_data()?)
    }

    /// Writes the pending games, syncs the file to the disk and returns its size.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<u64, RecordError> {
        self.write_block()?;
        self.output.sync_all()?;
        Ok(self.bytes)
    }
}

impl<W: Write> Writer<W> {
    /// Writes the header of a new file to any output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(mut output: W, header: &FileHeader) -> Result<Writer<W>, RecordError> {
        let bytes = header.to_bytes();
        output.write_all(&bytes)?;
        Ok(Writer::at_end(output, bytes.len() as u64))
    }

    fn at_end(output: W, bytes: u64) -> Writer<W> {
        Writer { output, payload: Vec::new(), games: 0, labels: 0, bytes }
    }

    /// Adds a game; it is on disk after the next [`Writer::flush`] at the latest.
    ///
    /// # Errors
    /// When a full block cannot be written.
    pub fn push(&mut self, game: &Game) -> Result<(), RecordError> {
        self.labels += game.write(&mut self.payload);
        self.added()
    }

    /// As [`Writer::push`].
    ///
    /// # Errors
    /// When a full block cannot be written.
    pub fn push_packed(&mut self, game: &PackedGame) -> Result<(), RecordError> {
        self.payload.extend_from_slice(&game.bytes);
        self.labels += game.labels;
        self.added()
    }

    /// Counts a game that has been added, and writes the block if it is full.
    fn added(&mut self) -> Result<(), RecordError> {
        self.games += 1;
        if self.payload.len() >= BLOCK_TARGET { self.write_block() } else { Ok(()) }
    }

    /// Writes the pending games as one block.
    fn write_block(&mut self) -> Result<(), RecordError> {
        if self.games == 0 {
            return Ok(());
        }
        let header = BlockHeader { length: self.payload.len() as u32, games: self.games, labels: self.labels };
        let block = header.frame(&self.payload);
        self.output.write_all(&block)?;
        self.bytes += block.len() as u64;
        self.payload.clear();
        (self.games, self.labels) = (0, 0);
        Ok(())
    }

    /// Writes the pending games and returns the output.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn into_output(mut self) -> Result<W, RecordError> {
        self.write_block()?;
        Ok(self.output)
    }

    /// Bytes on disk, without games that are not yet flushed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
