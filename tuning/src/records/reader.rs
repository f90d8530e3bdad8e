//! Reading a file game by game.

use super::{Block, FileHeader, Game, RecordError};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Reads the games of one file in order. Blocks are decoded one at a time, so a file may be larger than memory.
pub struct Reader<R: Read> {
    input: R,
    header: FileHeader,
    /// Bytes read so far: where the next block begins.
    offset: u64,
    games: std::vec::IntoIter<Game>,
    /// After an error nothing more is read.
    failed: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be opened or is no record file.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Reader::new(BufReader::with_capacity(1 << 16, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from anything, beginning with a file header.
    ///
    /// # Errors
    /// When the header is not right.
    pub fn new(mut input: R) -> Result<Reader<R>, RecordError> {
        let (header, offset) = FileHeader::read(&mut input)?;
        Ok(Reader { input, header, offset, games: Vec::new().into_iter(), failed: false })
    }

    /// What the file says about itself.
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// The next block, its games not yet decoded; none at the end of the file. Not to be mixed with iteration.
    ///
    /// # Errors
    /// When the block is torn or damaged.
    pub fn next_block(&mut self) -> Result<Option<Block>, RecordError> {
        let block = Block::read(&mut self.input, self.offset)?;
        if let Some(block) = &block {
            self.offset += block.size();
        }
        Ok(block)
    }

    /// Bytes of header and whole blocks read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            if self.failed {
                return None;
            }
            match self.next_block().and_then(|block| block.map(|block| block.games()).transpose()) {
                Ok(Some(games)) => self.games = games.into_iter(),
                Ok(None) => return None,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
