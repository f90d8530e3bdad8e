//! Writing a file that a kill cannot spoil.

use super::{BlockHeader, FileHeader, Game, Reader, RecordError};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// A block is written as soon as its games have this many bytes: large enough that the frame costs nothing, small enough
/// that little is lost by a kill.
const BLOCK_TARGET: usize = 1 << 15;

/// Appends games to a file, block by block.
pub struct Writer {
    file: File,
    payload: Vec<u8>,
    games: u32,
    labels: u32,
    /// Bytes written.
    bytes: u64,
}

impl Writer {
    /// Makes a new file; one that exists is replaced.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, header: &FileHeader) -> Result<Writer, RecordError> {
        let mut file = File::create(path)?;
        let bytes = header.to_bytes();
        file.write_all(&bytes)?;
        Ok(Writer::at_end(file, bytes.len() as u64))
    }

    fn at_end(file: File, bytes: u64) -> Writer {
        Writer { file, payload: Vec::new(), games: 0, labels: 0, bytes }
    }

    /// Opens a file to append to it, or makes it when there is none. Its games are shown to `seen`; a torn or damaged end
    /// is cut off. Gives the writer and how many bytes were cut.
    ///
    /// # Errors
    /// When the file is no record file, was made under another description, or cannot be written.
    pub fn resume(path: &Path, header: &FileHeader, mut seen: impl FnMut(&Game)) -> Result<(Writer, u64), RecordError> {
        let length = match std::fs::metadata(path) {
            Ok(data) => data.len(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((Writer::create(path, header)?, 0)),
            Err(error) => return Err(error.into()),
        };
        let wanted = header.to_bytes();
        if length < wanted.len() as u64 && wanted.starts_with(&std::fs::read(path)?) {
            // Killed while the header was written.
            return Ok((Writer::create(path, header)?, length));
        }
        let mut reader = Reader::open(path)?;
        if reader.header() != header {
            return Err(RecordError::Malformed { offset: 16, expected: "the description of this very run" });
        }
        let mut good = reader.offset();
        while let Ok(Some(block)) = reader.next_block() {
            let Ok(games) = block.games() else { break };
            games.iter().for_each(&mut seen);
            good = reader.offset();
        }
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(good)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Writer::at_end(file, good), length - good))
    }

    /// Adds a game; it is on disk after the next [`Writer::flush`] at the latest.
    ///
    /// # Errors
    /// When a full block cannot be written.
    pub fn push(&mut self, game: &Game) -> Result<(), RecordError> {
        self.labels += game.write(&mut self.payload);
        self.games += 1;
        if self.payload.len() >= BLOCK_TARGET { self.flush() } else { Ok(()) }
    }

    /// Writes what has been added as one block and hands it to the operating system.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        if self.games == 0 {
            return Ok(());
        }
        let header = BlockHeader { length: self.payload.len() as u32, games: self.games, labels: self.labels };
        let block = header.frame(&self.payload);
        self.file.write_all(&block)?;
        self.bytes += block.len() as u64;
        self.payload.clear();
        (self.games, self.labels) = (0, 0);
        Ok(())
    }

    /// Writes what is left and makes sure that it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<u64, RecordError> {
        self.flush()?;
        self.file.sync_all()?;
        Ok(self.bytes)
    }

    /// Bytes on disk, games not yet flushed left out.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
