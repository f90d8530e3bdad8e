//! Files that several processes append to, one process at a time.

use super::atomic_file::located;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file that no other process of this program may write while this value exists; reading is allowed. A file that was created here
/// and is still empty when the value is dropped is removed.
#[derive(Debug)]
pub struct LockedFile {
    file: File,
    path: PathBuf,
    /// Whether the file was created here.
    is_new: bool,
}

impl LockedFile {
    /// Opens a file for reading and writing without truncating it, or creates it.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another process is writing it, or the system's error.
    pub fn open(path: &Path) -> io::Result<LockedFile> {
        loop {
            // A dangling link exists, and the file that it points to is created.
            let is_link = path.is_symlink();
            let (file, is_new) = match options().create_new(true).open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (options().create(is_link).open(path), false),
                made => (made, true),
            };
            let file = match file {
                // Another process has removed its empty file in between.
                Err(error) if error.kind() == io::ErrorKind::NotFound && !is_new && !is_link => continue,
                opened => opened.map_err(busy)?,
            };
            lock(&file)?;
            // Another process may have removed the empty file before it was locked here.
            if is_at(&file, path) {
                return Ok(LockedFile { file, path: path.to_path_buf(), is_new });
            }
        }
    }

    /// Length of the file in bytes.
    ///
    /// # Errors
    /// The system's error.
    pub fn length(&self) -> io::Result<u64> {
        self.file.metadata().map(|data| data.len())
    }

    /// Truncates the file to this many bytes.
    ///
    /// # Errors
    /// The system's error.
    pub fn truncate(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    /// Appends bytes; if they cannot all be written, none are kept.
    ///
    /// # Errors
    /// The system's error, for example a full disk.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let before = self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(bytes).inspect_err(|_| {
            let _ = self.file.set_len(before);
        })
    }
}

impl Read for LockedFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for LockedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        if self.is_new && self.length().is_ok_and(|length| length == 0) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Waits until no other process edits a file, that is, reads it to replace it, and excludes others until the value is dropped. The file
/// itself is not locked but an empty one next to it, since replacing a file ends its locks.
///
/// # Errors
/// [`io::ErrorKind::PermissionDenied`] if the file is write-protected, [`io::ErrorKind::ResourceBusy`] after half a minute, or the
/// system's error.
pub fn lock_to_edit(path: &Path) -> io::Result<LockedFile> {
    const MAX_WAIT: Duration = Duration::from_secs(30);
    // The permissions of a file do not keep it from being replaced, only those of its folder do.
    if path.metadata().is_ok_and(|data| data.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is write-protected, expected a file that may be changed"));
    }
    let (_, folder, prefix) = located(path);
    let lock = folder.join(format!("{prefix}lock"));
    let began = Instant::now();
    loop {
        match LockedFile::open(&lock) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && began.elapsed() < MAX_WAIT => {
                std::thread::sleep(Duration::from_millis(20));
            }
            opened => {
                let mut file = opened?;
                // Whoever holds the lock removes its file, which a killed process may have left.
                file.is_new = true;
                return Ok(file);
            }
        }
    }
}

fn options() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(windows)]
    {
        // A lock would also exclude readers; instead, others may read and remove the file but not open it for writing.
        const FILE_SHARE_READ: u32 = 1;
        const FILE_SHARE_DELETE: u32 = 4;
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, FILE_SHARE_READ | FILE_SHARE_DELETE);
    }
    options
}

/// The error for a file that another process is writing.
fn is_written_elsewhere() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "another run of the program is writing it")
}

/// Replaces the error of Windows for a file that is open elsewhere.
fn busy(error: io::Error) -> io::Error {
    const ERROR_SHARING_VIOLATION: i32 = 32;
    if cfg!(windows) && error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) { is_written_elsewhere() } else { error }
}

/// Locks the file against other processes, unless opening it has already done so, if the file system supports locks. The errors of those that
/// do not are several: a network drive without its lock service has no locks available.
///
/// If a process is killed while it starts an engine, the forked child survives it for a moment and holds the lock until it executes
/// the engine. A held lock is therefore retried for a while before it counts.
fn lock(file: &File) -> io::Result<()> {
    const TRIES: u32 = 20;
    const PAUSE: Duration = Duration::from_millis(50);
    if cfg!(windows) {
        return Ok(());
    }
    for _ in 0..TRIES {
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(is_written_elsewhere())
}

/// Whether the path still refers to this file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |data: io::Result<std::fs::Metadata>| data.ok().map(|data| (data.dev(), data.ino()));
        identity(file.metadata()) == identity(path.metadata())
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_writer_and_is_not_left_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut first = LockedFile::open(&path).unwrap();
        assert!(first.is_new);
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        assert!(!path.exists());
        first = LockedFile::open(&path).unwrap();
        first.append(b"one").unwrap();
        first.append(b"two").unwrap();
        // Reading is allowed.
        assert_eq!(std::fs::read(&path).unwrap(), b"onetwo");
        first.truncate(3).unwrap();
        drop(first);
        let again = LockedFile::open(&path).unwrap();
        assert_eq!((again.is_new, again.length().unwrap()), (false, 3));
        again.truncate(0).unwrap();
        drop(again);
        assert!(path.exists(), "a file that existed before is kept");
    }
}
