//! Bytes of a table: of the program, or of a file that is mapped into memory.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// Bytes of a table, wherever they are.
#[derive(Debug)]
pub(super) enum Bytes {
    /// In the program or in memory that is never freed.
    Static(&'static [u8]),
    /// In memory.
    #[cfg(any(test, feature = "fuzzing"))]
    Owned(Vec<u8>),
    /// In a file.
    Mapped(Mmap),
}

impl Bytes {
    /// Maps a file.
    pub(super) fn map(path: &Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        // SAFETY: the bytes are only read as plain numbers, every one of which is valid. Should another process change the file, checksums
        // and limits catch it as they catch a damaged one. A file that is cut while it is mapped ends the process by a signal, as
        // with any program that maps files: whoever replaces a table must write a new file in its place, which `chuhe endgame build` does.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Bytes::Mapped(map))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Static(bytes) => bytes,
            #[cfg(any(test, feature = "fuzzing"))]
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}
