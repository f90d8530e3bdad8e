//! Sequential reader of a file.

use super::frame::find_block;
use super::{Block, FileHeader, Game, RecordError};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Reads the games of one file in order. Blocks are decoded one at a time, so a file may be larger than memory.
///
/// A damaged block is one error; reading continues after it. An incomplete block at the end is the last
/// error.
pub struct Reader<R: Read + Seek> {
    input: R,
    header: FileHeader,
    /// Bytes read so far: the offset of the next block.
    offset: u64,
    games: std::vec::IntoIter<Game>,
    /// Nothing more is read after an error that is not followed by a block.
    ended: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be opened or is not a record file.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Reader::new(BufReader::with_capacity(1 << 16, File::open(path)?))
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads from any input that begins with a file header.
    ///
    /// # Errors
    /// When the header is invalid.
    pub fn new(mut input: R) -> Result<Reader<R>, RecordError> {
        let (header, offset) = FileHeader::read(&mut input)?;
        Ok(Reader { input, header, offset, games: Vec::new().into_iter(), ended: false })
    }

    /// The header of the file.
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The next block; none at the end of the file. After [`RecordError::Malformed`] the next call continues after
    /// the damage; after any other error there is nothing more. Must not be mixed with iteration.
    ///
    /// # Errors
    /// When the block is incomplete or damaged.
    pub fn next_block(&mut self) -> Result<Option<Block>, RecordError> {
        if self.ended {
            return Ok(None);
        }
        let read = Block::read(&mut self.input, self.offset);
        match read {
            Ok(None) => {
                self.ended = true;
                Ok(None)
            }
            Ok(Some(block)) => {
                self.offset += block.size();
                Ok(Some(block))
            }
            Err(error @ RecordError::Io(_)) => {
                self.ended = true;
                Err(error)
            }
            Err(error) => {
                // A seemingly incomplete block may be one with a damaged length.
                let damaged = self.offset;
                match find_block(&mut self.input, damaged + 1)? {
                    Some(next) => {
                        self.input.seek(SeekFrom::Start(next))?;
                        self.offset = next;
                        let malformed = RecordError::Malformed { offset: damaged, expected: "a complete block" };
                        Err(if matches!(error, RecordError::Torn(_)) { malformed } else { error })
                    }
                    None => {
                        self.ended = true;
                        Err(error)
                    }
                }
            }
        }
    }

    /// The games of the next block, as [`Reader::next_block`].
    pub(super) fn next_games(&mut self) -> Result<Option<Vec<Game>>, RecordError> {
        // A block with a valid checksum but malformed games is skipped by its length.
        self.next_block()?.map(|block| block.games()).transpose()
    }

    /// Bytes of header and blocks read so far, including damaged blocks that are followed by a complete one.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<R: Read + Seek> Iterator for Reader<R> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            match self.next_games() {
                Ok(Some(games)) => self.games = games.into_iter(),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
