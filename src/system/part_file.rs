//! Atomic file writes; file identity and device checks.
//!
//! Output goes to a temporary file `.chuhe-NAME-XXXXXX.part` beside its target and is renamed when complete, so that a kill at any moment
//! leaves either the old contents or the new. Only a kill leaves the temporary file behind; the next write of the same file removes it. A lock
//! distinguishes a temporary file in use from an abandoned one.

use parking_lot::Mutex;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const PREFIX: &str = ".chuhe-";
const SUFFIX: &str = ".part";
/// Random letters in a name.
const RANDOM: usize = 6;
/// Bytes of the file's own name in that of its part; names have 255 at most.
const LONGEST_NAME: usize = 200;

/// The parts that this process is writing. Locked while one appears or disappears, so that the list is never behind the disk.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is being written. [`PartFile::finish`] puts it in its place; dropped before that, it is gone.
#[derive(Debug)]
pub struct PartFile {
    file: Part,
    target: PathBuf,
}

/// The temporary file, which is on the list of [`UNFINISHED`] as long as it exists.
#[derive(Debug)]
struct Part(Option<NamedTempFile>);

impl Part {
    fn create(builder: &tempfile::Builder, folder: &Path) -> io::Result<Part> {
        #[cfg(feature = "program")]
        super::interrupt::install();
        let mut unfinished = UNFINISHED.lock();
        let file = builder.tempfile_in(folder)?;
        unfinished.push(file.path().to_path_buf());
        Ok(Part(Some(file)))
    }

    /// Ends the part in this way, and takes it off the list.
    fn end<T>(&mut self, end: impl FnOnce(NamedTempFile) -> T) -> Option<T> {
        let mut unfinished = UNFINISHED.lock();
        let file = self.0.take()?;
        unfinished.retain(|path| path != file.path());
        Some(end(file))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.end(drop);
    }
}

impl PartFile {
    /// Begins a file, with the permissions of the one that it replaces. Where `path` is a link, the file that it leads to will be replaced.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(path: &Path) -> io::Result<PartFile> {
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let prefix = prefix(&target);
        remove_left_parts(folder, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        // The mask of the user applies, as to any new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            // The name of the part says nothing to a user.
            let plain = |error: io::Error| folder.metadata().err().unwrap_or_else(|| error.kind().into());
            let part = Part::create(&builder, folder).map_err(plain)?;
            let Some(file) = &part.0 else { continue };
            // Another process may have taken it for one that was left, until it was locked.
            let is_locked = file.as_file().try_lock().is_ok();
            if is_locked && !file.path().exists() {
                continue;
            }
            if let Ok(permissions) = target.metadata().map(|data| data.permissions()) {
                file.as_file().set_permissions(permissions)?;
            }
            return Ok(PartFile { file: part, target });
        }
    }

    /// Waits until the disk has what was written.
    ///
    /// # Errors
    /// What the system says.
    pub fn sync(&self) -> io::Result<()> {
        self.file.0.as_ref().map_or(Ok(()), |file| file.as_file().sync_all())
    }

    /// Puts the file in its place; what is there already is replaced only if it may be.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`], or what the system says; then the file is gone and the place as it was.
    pub fn finish(mut self, may_replace: bool) -> io::Result<()> {
        let target = &self.target;
        let placed = self.file.end(|file| {
            let placed = if may_replace { file.persist(target) } else { file.persist_noclobber(target) };
            placed.map(drop).map_err(|error| error.error)
        });
        placed.unwrap_or(Ok(()))
    }
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The file itself, since the temporary one would put its name into every error.
        self.file.0.as_mut().map_or(Ok(0), |file| file.as_file_mut().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.0.as_mut().map_or(Ok(()), |file| file.as_file_mut().flush())
    }
}

/// Replaces a file, or makes it, with these contents.
///
/// # Errors
/// What the system says.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = PartFile::create(path)?;
    file.write_all(bytes)?;
    file.sync()?;
    file.finish(true)
}

/// Whether something is there that is neither a file nor a folder. A device can be read without end, and even to open a pipe blocks
/// for as long as nobody writes to it.
pub fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Whether two names are the same or lead to one file, over links too. Where the system allows it neither is opened: one may be a
/// pipe, and what may be replaced need not be readable.
#[cfg(feature = "program")]
pub fn is_same_file(first: &Path, second: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| path.metadata().ok().map(|data| (data.dev(), data.ino()));
        first == second || identity(first).is_some_and(|first| identity(second) == Some(first))
    }
    #[cfg(not(unix))]
    {
        first == second || same_file::is_same_file(first, second).unwrap_or(false)
    }
}

/// Removes the parts that this process is writing, for an end without return: from now on no other can begin, and none takes its
/// place. What waits for that waits until the process ends.
#[cfg(feature = "program")]
pub(super) fn remove_unfinished() {
    let mut unfinished = UNFINISHED.lock();
    for path in unfinished.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// How the names of all parts of a file begin.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or(OsStr::new("")).to_string_lossy();
    let end = (0..=LONGEST_NAME.min(name.len())).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    format!("{PREFIX}{}-", &name[..end])
}

/// Removes what a killed process has left of the same file.
fn remove_left_parts(folder: &Path, prefix: &str) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let is_part = |name: &str| {
        let letters = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
        letters.is_some_and(|letters| letters.len() == RANDOM && letters.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_part)) {
        let is_left = File::options().write(true).open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_left {
            let _ = std::fs::remove_file(entry.path());
        }
    }
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
    fn a_file_is_made_then_replaced_and_nothing_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for contents in [&b"one"[..], b"the other"] {
            replace(&path, contents).unwrap();
            assert_eq!(fs::read(&path).unwrap(), contents);
        }
        assert!(replace(&folder.path().join("nowhere/file"), b"").is_err());
        drop(PartFile::create(&path).unwrap());
        let error = PartFile::create(&path).unwrap().finish(false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn parts_that_were_left_are_removed_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.pgn");
        let stay = [".chuhe-game.pgn-ab12.part", ".chuhe-other.pgn-abc123.part", ".chuhe-game.pgn-abc12-.part", "game.pgn"];
        for name in stay.iter().chain(&[".chuhe-game.pgn-abc123.part", ".chuhe-game.pgn-XYZ789.part"]) {
            fs::write(folder.path().join(name), "left").unwrap();
        }
        let working = PartFile::create(&path).unwrap();
        let count = || names(folder.path()).len();
        assert_eq!(count(), stay.len() + 1);
        // One that is being written has its lock.
        let second = PartFile::create(&path).unwrap();
        assert_eq!(count(), stay.len() + 2);
        second.finish(true).unwrap();
        working.finish(true).unwrap();
        let mut expected = stay.to_vec();
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn names_of_any_length_have_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("局".repeat(85));
        replace(&path, b"text").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
    }
}
