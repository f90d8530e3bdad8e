//! Temporary files next to an output, removed when the work is done or has failed. Those of a process that was killed are removed by the next
//! one. The output is one of them until it is complete: otherwise later steps would take the part that a killed process has written for all of it.

use super::DatasetError;
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Begin of a folder's name.
const PREFIX: &str = ".chuhe-scratch-";
/// Name of a file in the folder that is locked as long as the folder is in use.
const LOCK: &str = "lock";

/// A folder of temporary files.
pub(super) struct Scratch {
    // Dropped before the folder, since Windows removes no open file.
    _lock: File,
    folder: TempDir,
    /// The output; the file that a link refers to.
    target: PathBuf,
}

/// Removes the folders that killed processes have left. One without a lock may just be being made by another process.
fn remove_abandoned(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        if File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok()) {
            // A folder that cannot be removed does no harm.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

impl Scratch {
    /// A new folder next to `output`, on the same disk.
    pub(super) fn beside(output: &Path) -> Result<Scratch, DatasetError> {
        let target = output.canonicalize().unwrap_or_else(|_| output.into());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf();
        remove_abandoned(&folder);
        let failed = DatasetError::io(&folder);
        let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&folder).map_err(failed)?;
        let lock = File::create(made.path().join(LOCK)).map_err(failed)?;
        // Without locks, other processes cannot find out that the folder is abandoned, and keep it.
        let _ = lock.lock();
        Ok(Scratch { _lock: lock, folder: made, target })
    }

    /// The path of the unfinished output.
    pub(super) fn output(&self) -> PathBuf {
        self.folder.path().join("output")
    }

    /// Moves the finished output to its place.
    pub(super) fn publish(&self) -> Result<(), DatasetError> {
        std::fs::rename(self.output(), &self.target).map_err(DatasetError::io(&self.target))
    }

    /// The path of the file with this number.
    pub(super) fn file(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}"))
    }
}

/// The number of parts of `bytes` such that one part fits into `memory`, bounded so that all files can be open at the same time.
pub(super) fn parts(bytes: u64, memory: u64) -> usize {
    bytes.div_ceil(memory.max(1)).clamp(1, 512) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let left = folder.path().join(".chuhe-scratch-left");
        std::fs::create_dir(&left).expect("room on the disk");
        for name in [LOCK, "0"] {
            std::fs::write(left.join(name), "x").expect("room on the disk");
        }
        let output = folder.path().join("output");
        let first = Scratch::beside(&output).expect("room on the disk");
        assert!(!left.exists());
        let second = Scratch::beside(&output).expect("room on the disk");
        assert!(first.folder.path().exists() && second.folder.path().exists());
        drop((first, second));
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder for the test").count(), 0);
    }
}
