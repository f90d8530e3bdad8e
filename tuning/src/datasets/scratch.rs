//! Temporary files next to an output, removed when the work is done or has failed.

use super::DatasetError;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of temporary files.
pub(super) struct Scratch(TempDir);

impl Scratch {
    /// A new folder next to `output`, on the same disk.
    pub(super) fn beside(output: &Path) -> Result<Scratch, DatasetError> {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let made = tempfile::Builder::new().prefix(".chuhe-scratch-").tempdir_in(folder);
        made.map(Scratch).map_err(DatasetError::io(folder))
    }

    /// The path of the file with this number.
    pub(super) fn file(&self, number: usize) -> PathBuf {
        self.0.path().join(format!("{number}"))
    }
}

/// The number of parts of `bytes` such that one part fits into `memory`, bounded so that all files can be open at the same time.
pub(super) fn parts(bytes: u64, memory: u64) -> usize {
    bytes.div_ceil(memory.max(1)).clamp(1, 512) as usize
}
