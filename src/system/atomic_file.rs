//! Atomic file writes; file identity and device checks.
//!
//! Output goes to a temporary file `.chuhe-NAME-XXXXXX.part` next to its target and is renamed when complete, so that a kill at any
//! moment leaves either the old or the new contents. Only a kill leaves the temporary file behind; the next write of the same file
//! removes it. A lock distinguishes a temporary file in use from an abandoned one.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

const PREFIX: &str = ".chuhe-";
const SUFFIX: &str = ".part";
/// Number of random letters in a temporary name.
const RANDOM: usize = 6;
/// Maximum length in bytes of the target's name within the temporary name; file names have at most 255 bytes.
const MAX_NAME: usize = 200;

/// Windows refuses to replace a file that another process has open, such as an indexer, or a second chuhe that looks at it.
const RENAME_ATTEMPTS: u32 = 50;
const RENAME_PAUSE: Duration = Duration::from_millis(10);

/// The temporary files that this process is writing. Locked while one is created or removed, so that the list always matches the disk.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The temporary files found in each folder, whoever writes them, and when the folder was listed.
static LISTED: Mutex<BTreeMap<PathBuf, (Instant, Vec<String>)>> = Mutex::new(BTreeMap::new());
/// How long a list is used: a conversion writes many files into one folder, and listing it for each of them would take quadratic time.
const LIST_AGE: Duration = Duration::from_secs(1);

/// A file that appears under its name only when it is complete: [`AtomicFile::finish`] renames it to its target. Dropped before that, it is
/// removed.
#[derive(Debug)]
pub struct AtomicFile {
    file: Part,
    target: PathBuf,
}

/// The temporary file, listed in [`UNFINISHED`] as long as it exists.
#[derive(Debug)]
struct Part(Option<NamedTempFile>);

impl Part {
    fn create(builder: &tempfile::Builder, folder: &Path) -> io::Result<Part> {
        #[cfg(feature = "program")]
        super::interrupt::clean_up_on_interrupt(clean_up);
        let mut unfinished = UNFINISHED.lock();
        let file = builder.tempfile_in(folder)?;
        unfinished.push(file.path().to_path_buf());
        Ok(Part(Some(file)))
    }

    /// Consumes the temporary file with `end` and removes it from the list.
    fn end<T>(&mut self, end: impl FnOnce(NamedTempFile) -> T) -> Option<T> {
        let mut unfinished = UNFINISHED.lock();
        let file = self.0.take()?;
        unfinished.retain(|path| path != file.path());
        Some(end(file))
    }
}

/// A temporary file for intermediate data, in the system's folder for them. Removed when dropped, or by an interrupt.
#[cfg(feature = "sqlite")]
pub struct TemporaryFile {
    path: PathBuf,
    _file: Part,
}

#[cfg(feature = "sqlite")]
impl TemporaryFile {
    /// Creates an empty file.
    ///
    /// # Errors
    /// The system's error, with the name of the folder.
    pub fn create() -> io::Result<TemporaryFile> {
        let folder = std::env::temp_dir();
        let mut builder = tempfile::Builder::new();
        builder.prefix("chuhe-").rand_bytes(RANDOM);
        let failed = |error: io::Error| {
            let cause = folder.metadata().err().unwrap_or_else(|| error.kind().into());
            io::Error::new(cause.kind(), format!("the folder {} for temporary files: {cause}", folder.display()))
        };
        let file = Part::create(&builder, &folder).map_err(failed)?;
        let path = file.0.as_ref().map(|file| file.path().to_path_buf()).unwrap_or_default();
        Ok(TemporaryFile { path, _file: file })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.end(drop);
    }
}

impl AtomicFile {
    /// Creates the temporary file for `path`, with the permissions of the file that it replaces. If `path` is a link, its target will be
    /// replaced.
    ///
    /// # Errors
    /// If the folder is not writable.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let (target, folder, prefix) = located(path);
        remove_left_parts(&folder, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        // The user's umask applies, as for any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            // Errors must not mention the temporary name, which means nothing to the user.
            let plain = |error: io::Error| folder.metadata().err().unwrap_or_else(|| error.kind().into());
            let part = Part::create(&builder, &folder).map_err(plain)?;
            let Some(file) = &part.0 else { continue };
            match file.as_file().try_lock() {
                // Before it was locked, another process may have removed it as an abandoned one, or has locked it to do so.
                Ok(()) if !file.path().exists() => continue,
                Err(TryLockError::WouldBlock) => continue,
                // Without locks on the file system no process can find it abandoned.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // Only if they differ: where all files have the same, as on FAT, the system may refuse to set them.
            if let Ok(permissions) = target.metadata().map(|data| data.permissions())
                && file.as_file().metadata()?.permissions() != permissions
            {
                file.as_file().set_permissions(permissions)?;
            }
            return Ok(AtomicFile { file: part, target });
        }
    }

    /// Waits until the data is on the disk.
    ///
    /// # Errors
    /// The system's error.
    pub fn sync(&self) -> io::Result<()> {
        self.file.0.as_ref().map_or(Ok(()), |file| file.as_file().sync_all())
    }

    /// Renames the file to its target; an existing file is replaced only if `may_replace`.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`], or the system's error; the temporary file is then removed and the target unchanged.
    pub fn finish(mut self, may_replace: bool) -> io::Result<()> {
        let target = &self.target;
        let placed = self.file.end(|mut file| {
            let mut attempts = if cfg!(windows) { RENAME_ATTEMPTS } else { 1 };
            loop {
                attempts -= 1;
                let placed = if may_replace { file.persist(target) } else { file.persist_noclobber(target) };
                match placed {
                    Ok(_) => return Ok(()),
                    Err(refused) if attempts > 0 && refused.error.kind() == io::ErrorKind::PermissionDenied => {
                        file = refused.file
                    }
                    Err(refused) => return Err(refused.error),
                }
                std::thread::sleep(RENAME_PAUSE);
            }
        });
        placed.unwrap_or(Ok(()))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The inner file, since NamedTempFile adds its name to every error.
        self.file.0.as_mut().map_or(Ok(0), |file| file.as_file_mut().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.0.as_mut().map_or(Ok(()), |file| file.as_file_mut().flush())
    }
}

/// Atomically creates or replaces a file with these contents.
///
/// # Errors
/// The system's error.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.sync()?;
    file.finish(true)
}

/// Whether the path is neither a file nor a folder. Reading a device may never end, and opening a pipe blocks until something writes to
/// it.
pub fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Whether two paths are equal or refer to the same file, through links too; files that do not exist yet are compared by folder and name.
/// Where possible neither is opened, as one may be a pipe, and a replaceable file need not be readable.
#[cfg(feature = "program")]
pub fn is_same_file(first: &Path, second: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| path.metadata().ok().map(|data| (data.dev(), data.ino()));
        if let Some(first) = identity(first) {
            return identity(second) == Some(first);
        }
    }
    #[cfg(not(unix))]
    if let Ok(is_same) = same_file::is_same_file(first, second) {
        return is_same;
    }
    first == second || future_path(first).is_some_and(|first| future_path(second) == Some(first))
}

/// The absolute path of a file that does not exist yet; none for an existing file or if there is no such folder.
#[cfg(feature = "program")]
fn future_path(path: &Path) -> Option<PathBuf> {
    let name = path.file_name().filter(|_| !path.exists())?;
    let (_, folder, _) = located(path);
    Some(folder.canonicalize().ok()?.join(name))
}

/// Removes the temporary files that this process is writing, directly before it exits. A thread that tries to create or complete
/// another one blocks until the process ends.
#[cfg(feature = "program")]
pub fn clean_up() {
    let mut unfinished = UNFINISHED.lock();
    for path in unfinished.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// The file that `path` refers to, its folder, and the common prefix of its temporary names.
pub(super) fn located(path: &Path) -> (PathBuf, PathBuf, String) {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf();
    let prefix = prefix(&target);
    (target, folder, prefix)
}

/// The common prefix of the temporary names of a file.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or(OsStr::new("")).to_string_lossy();
    let end = (0..=MAX_NAME.min(name.len())).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    format!("{PREFIX}{}-", &name[..end])
}

/// Removes temporary files of the same target left behind by killed processes.
fn remove_left_parts(folder: &Path, prefix: &str) {
    let is_part = |name: &String| {
        let letters = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
        letters.is_some_and(|letters| letters.len() == RANDOM && letters.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    for name in parts_in(folder).into_iter().filter(is_part) {
        let path = folder.join(name);
        let Ok(file) = File::options().write(true).open(&path) else { continue };
        // Removed before the lock is released, so that the process that has just created it can't use it in between.
        if file.try_lock().is_ok() {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The names of the temporary files of all targets in a folder, from a list that is at most [`LIST_AGE`] old.
fn parts_in(folder: &Path) -> Vec<String> {
    let mut listed = LISTED.lock();
    if let Some((at, names)) = listed.get(folder)
        && at.elapsed() < LIST_AGE
    {
        return names.clone();
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names: Vec<String> = names.filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX)).collect();
    listed.retain(|_, (at, _)| at.elapsed() < LIST_AGE);
    listed.insert(folder.to_path_buf(), (Instant::now(), names.clone()));
    names
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::fs;

    /// The names in a folder, sorted.
    pub(crate) fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_created_then_replaced_and_nothing_else_remains() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for contents in [&b"one"[..], b"the other"] {
            write_atomically(&path, contents).unwrap();
            assert_eq!(fs::read(&path).unwrap(), contents);
        }
        assert!(write_atomically(&folder.path().join("nowhere/file"), b"").is_err());
        drop(AtomicFile::create(&path).unwrap());
        let error = AtomicFile::create(&path).unwrap().finish(false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn abandoned_parts_are_removed_and_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.pgn");
        let stay = [".chuhe-game.pgn-ab12.part", ".chuhe-other.pgn-abc123.part", ".chuhe-game.pgn-abc12-.part", "game.pgn"];
        for name in stay.iter().chain(&[".chuhe-game.pgn-abc123.part", ".chuhe-game.pgn-XYZ789.part"]) {
            fs::write(folder.path().join(name), "left").unwrap();
        }
        let working = AtomicFile::create(&path).unwrap();
        let count = || names(folder.path()).len();
        assert_eq!(count(), stay.len() + 1);
        // A file being written is locked.
        let second = AtomicFile::create(&path).unwrap();
        assert_eq!(count(), stay.len() + 2);
        second.finish(true).unwrap();
        working.finish(true).unwrap();
        let mut expected = stay.to_vec();
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn abandoned_parts_of_several_targets_in_a_folder_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        for name in [".chuhe-a-abc123.part", ".chuhe-b-abc123.part"] {
            fs::write(folder.path().join(name), "left").unwrap();
        }
        for path in &paths {
            write_atomically(path, b"text").unwrap();
        }
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    #[test]
    fn concurrent_writers_do_not_remove_the_parts_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..300).for_each(|_| write_atomically(&path, b"text").unwrap()));
            }
        });
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn names_of_any_length_have_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("局".repeat(85));
        write_atomically(&path, b"text").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
    }
}
