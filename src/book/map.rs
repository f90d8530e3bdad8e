//! The bytes of a book: built into the program, read into memory, or mapped from a file.

use std::fs::File;
use std::ops::Deref;

/// Bytes that stay where they are.
#[derive(Debug)]
pub enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// In memory.
    Owned(Vec<u8>),
    /// A file, of which the system reads what is asked for.
    Mapped(memmap2::Mmap),
}

impl Bytes {
    /// Maps a file, so that opening a book costs no more than its first page, however large it is.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn map(file: &File) -> std::io::Result<Bytes> {
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::Static(&[]));
        }
        // SAFETY: the mapping is private to this process and only ever read, as bytes without any assumption about their
        // values: every number taken from them is checked before it is used as a place. That another program shortens the
        // file meanwhile is beyond what can be prevented; `chuhe book build` puts a new file in the place of the old one
        // by renaming, which leaves mappings of the old one intact.
        unsafe { memmap2::Mmap::map(file) }.map(Bytes::Mapped)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}
