//! The bytes of a table: built into the program, or in a file that is mapped into memory.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a table, wherever they are stored.
#[derive(Debug)]
pub(super) enum Bytes {
    /// In the program, or in memory that is never freed.
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
        // SAFETY: the bytes are only read as plain numbers, and every value is valid. If another process changes the file, checksums and
        // limits detect it as in a damaged file. Truncating a mapped file ends the process by a signal, as in any program that maps files:
        // a table must be replaced by a new file in its place, which `chuhe endgame build` does.
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
