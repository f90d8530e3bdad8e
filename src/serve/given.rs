//! The files of the command line.

use crate::board_page::{NamedFile, Problem};
use crate::records::MAX_FILE;
use std::io::Read;
use std::path::PathBuf;

/// A file of the command line. It is read anew whenever it is asked for, so that what another program has changed is seen.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its path as the user gave it.
    pub path: PathBuf,
}

impl Given {
    /// The name without folders: which place of the machine it has is nobody's business.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }

    fn read(&self) -> Result<NamedFile, Problem> {
        let name = self.name();
        let failed = |error: std::io::Error| Problem::File(format!("{name}: {error}"));
        let mut bytes = Vec::new();
        std::fs::File::open(&self.path).map_err(failed)?.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
        match bytes.len() as u64 > MAX_FILE {
            true => Err(Problem::File(format!("{name}: larger than {} MiB, the most that is read", MAX_FILE >> 20))),
            false => Ok(NamedFile { name, bytes }),
        }
    }
}

/// Reads a file by its number, from 0.
///
/// # Errors
/// When there are fewer, or the system does not let it be read.
pub fn read(files: &[Given], number: usize) -> Result<NamedFile, Problem> {
    files.get(number).ok_or(Problem::NoFile(number))?.read()
}
