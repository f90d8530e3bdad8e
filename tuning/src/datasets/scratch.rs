//! Temporary files beside an output, gone when the work is done or has failed.

use super::DatasetError;
use std::path::{Path, PathBuf};

/// A folder of temporary files.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// A fresh folder beside `output`. What a killed run has left there is removed.
    pub(super) fn beside(output: &Path) -> Result<Scratch, DatasetError> {
        let mut name = output.as_os_str().to_owned();
        name.push(".tmp");
        let folder = PathBuf::from(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| DatasetError::at(&folder, error))?;
        }
        std::fs::create_dir_all(&folder).map_err(|error| DatasetError::at(&folder, error))?;
        Ok(Scratch(folder))
    }

    /// The path of the file with this number.
    pub(super) fn file(&self, number: usize) -> PathBuf {
        self.0.join(format!("{number}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            log::warn!("{}: {error}", self.0.display());
        }
    }
}

/// Into how many parts to cut `bytes` so that one fits into `memory`, bounded so that all can be open at once.
pub(super) fn parts(bytes: u64, memory: u64) -> usize {
    bytes.div_ceil(memory.max(1)).clamp(1, 512) as usize
}
