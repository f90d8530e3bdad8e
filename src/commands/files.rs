//! Output files. A file appears under its name only when it is complete; it never replaces an input, and replaces another existing file
//! only with `--force`.

use super::failure::{Failure, FileError};
use super::output::Output;
use crate::system::{AtomicFile, is_device, is_same_file};
use clap::Args;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The `--force` option, shared by all commands that write files.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Force {
    /// Replace the output if it exists; inputs are never replaced
    #[arg(long)]
    pub force: bool,
}

impl FileError {
    fn system(path: &Path) -> impl Fn(io::Error) -> FileError + use<> {
        let path = path.to_path_buf();
        move |source| FileError::System { path: path.clone(), source }
    }
}

/// A file being written. Output goes to a temporary file in the same folder, which [`OutputFile::finish`] renames to the target; dropping it
/// earlier deletes the temporary file.
#[derive(Debug)]
pub struct OutputFile {
    /// The target path, as given by the user.
    path: PathBuf,
    force: Force,
    writer: BufWriter<Destination>,
}

#[derive(Debug)]
enum Destination {
    /// A temporary file that is renamed at the end.
    Temporary(AtomicFile),
    /// A device or a pipe, written directly.
    Device(std::fs::File),
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::Temporary(file) => file.write(bytes),
            Destination::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::Temporary(file) => file.flush(),
            Destination::Device(file) => file.flush(),
        }
    }
}

/// Whether a path stands for standard input or output.
pub fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Checks that the folder of an option is not `-`, which stands for standard output everywhere else.
///
/// # Errors
/// If it is; wrong usage, with the name of the option.
pub fn check_folder(option: &str, path: &Path) -> Result<(), Failure> {
    check_name(path, "a folder").map_err(|error| Failure::Usage(format!("{option} {error}")))
}

/// Checks that a path, of a database for example, is not `-`.
///
/// # Errors
/// If it is, with what is expected.
pub fn check_not_stream(path: &Path, expected: &'static str) -> Result<(), FileError> {
    if is_standard_stream(path) { Err(FileError::IsStream(expected)) } else { Ok(()) }
}

fn check_name(path: &Path, expected: &'static str) -> Result<(), FileError> {
    if is_standard_stream(path) { Err(FileError::IsStdout(expected)) } else { Ok(()) }
}

/// Checks that a file may be written: it is not an input, and does not exist unless it may be replaced. Long-running commands check this
/// before they start.
///
/// # Errors
/// If the file is an input, a folder or `-`, or exists and `--force` was not given.
pub fn check(path: &Path, inputs: &[PathBuf], force: Force) -> Result<(), FileError> {
    check_name(path, "the name of a file")?;
    let Ok(data) = path.symlink_metadata() else { return Ok(()) };
    // A dangling link also counts as an existing file of the user.
    let data = path.metadata().unwrap_or(data);
    if data.is_dir() {
        return Err(FileError::IsFolder(path.to_path_buf()));
    }
    if inputs.iter().any(|input| is_same_file(input, path)) {
        return Err(FileError::IsInput(path.to_path_buf()));
    }
    let is_ordinary = data.is_file() || data.is_symlink();
    if is_ordinary && !force.force { Err(FileError::Exists(path.to_path_buf())) } else { Ok(()) }
}

/// Checks that a file can be created, without changing anything. A device or a pipe is not opened: its reader would see end of file when
/// the trial is closed.
///
/// # Errors
/// As [`OutputFile::create`].
pub fn try_out(path: &Path, inputs: &[PathBuf], force: Force) -> Result<(), FileError> {
    if is_device(path) {
        return check(path, inputs, force);
    }
    OutputFile::create(path, inputs, force).map(drop)
}

impl OutputFile {
    /// Starts writing a file that is not one of the inputs.
    ///
    /// # Errors
    /// As [`check`], or if the folder is not writable.
    pub fn create(path: &Path, inputs: &[PathBuf], force: Force) -> Result<OutputFile, FileError> {
        check(path, inputs, force)?;
        let failed = FileError::system(path);
        let destination = if is_device(path) {
            Destination::Device(std::fs::OpenOptions::new().write(true).open(path).map_err(&failed)?)
        } else {
            Destination::Temporary(AtomicFile::create(path).map_err(&failed)?)
        };
        Ok(OutputFile { path: path.to_path_buf(), force, writer: BufWriter::with_capacity(1 << 18, destination) })
    }

    /// Writes a complete file in one call.
    ///
    /// # Errors
    /// As [`OutputFile::create`] and [`OutputFile::finish`].
    pub fn write_whole(path: &Path, bytes: &[u8], inputs: &[PathBuf], force: Force) -> Result<(), FileError> {
        let mut file = OutputFile::create(path, inputs, force)?;
        file.write_all(bytes).map_err(FileError::system(path))?;
        file.finish()
    }

    /// Converts a write error into one that names the file.
    pub fn failed(&self) -> impl Fn(io::Error) -> FileError + use<> {
        FileError::system(&self.path)
    }

    /// Renames the file to its target. Before it replaces another file, it is on the disk: a network drive may report only then that it is
    /// full, and after a power failure some file systems would have neither file.
    ///
    /// # Errors
    /// If the disk is full, or another process has created the target in the meantime. The temporary file is then deleted and the target is
    /// unchanged.
    pub fn finish(self) -> Result<(), FileError> {
        let failed = FileError::system(&self.path);
        match self.writer.into_inner().map_err(|error| failed(error.into_error()))? {
            Destination::Device(mut file) => file.flush().map_err(failed),
            Destination::Temporary(file) => {
                if self.path.exists() {
                    file.sync().map_err(&failed)?;
                }
                match file.finish(self.force.force) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(FileError::Exists(self.path)),
                    placed => placed.map_err(failed),
                }
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The destination of a result: a file, or standard output for `-`.
#[derive(Debug)]
pub enum Sink {
    /// Standard output.
    Stdout(Output),
    /// A file.
    File(OutputFile),
}

impl Sink {
    /// Opens standard output for `-`, or a new file otherwise.
    ///
    /// # Errors
    /// As [`OutputFile::create`].
    pub fn open(path: &Path, inputs: &[PathBuf], force: Force) -> Result<Sink, Failure> {
        if is_standard_stream(path) {
            return Ok(Sink::Stdout(Output::new()));
        }
        Ok(Sink::File(OutputFile::create(path, inputs, force)?))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// If the output is closed or full.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Sink::Stdout(output) => output.bytes(bytes),
            Sink::File(file) => {
                let failed = file.failed();
                file.write_all(bytes).map_err(|error| failed(error).into())
            }
        }
    }

    /// Flushes the rest; a file is renamed to its target.
    ///
    /// # Errors
    /// If the output is closed or full.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Stdout(output) => output.finish(),
            Sink::File(file) => Ok(file.finish()?),
        }
    }
}

/// Handles SIGXFSZ so that a write beyond the file size limit (`ulimit -f`) fails with an error, as on a full disk, instead of killing the
/// process before it can clean up.
pub fn outlive_size_limits() {
    #[cfg(unix)]
    {
        let seen = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        // If the handler cannot be set, the signal still kills the process.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::names;
    use std::fs;

    const KEEP: Force = Force { force: false };
    const REPLACE: Force = Force { force: true };

    #[test]
    fn a_file_appears_only_when_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let mut file = OutputFile::create(&path, &[], KEEP).unwrap();
        file.write_all(b"text").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"text");
        drop(OutputFile::create(&folder.path().join("other"), &[], KEEP).unwrap());
        assert_eq!(names(folder.path()), ["new"]);
    }

    #[test]
    fn existing_files_are_kept_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old");
        fs::write(&path, "old").unwrap();
        assert!(matches!(OutputFile::create(&path, &[], KEEP), Err(FileError::Exists(_))));
        OutputFile::write_whole(&path, b"new", &[], REPLACE).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // Another process creates it in the meantime.
        let late = folder.path().join("late");
        let file = OutputFile::create(&late, &[], KEEP).unwrap();
        fs::write(&late, "theirs").unwrap();
        assert!(matches!(file.finish(), Err(FileError::Exists(_))));
        assert_eq!(fs::read(&late).unwrap(), b"theirs");
        assert!(matches!(OutputFile::create(folder.path(), &[], REPLACE), Err(FileError::IsFolder(_))));
        assert_eq!(names(folder.path()), ["late", "old"]);
    }

    #[test]
    fn inputs_are_never_replaced_even_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(&path, "games").unwrap();
        let inputs = [path.clone()];
        let mut others = vec![path.clone(), folder.path().join(".").join("games.pgn")];
        let hard = folder.path().join("hard");
        fs::hard_link(&path, &hard).unwrap();
        others.push(hard);
        #[cfg(unix)]
        {
            let soft = folder.path().join("soft");
            std::os::unix::fs::symlink(&path, &soft).unwrap();
            others.push(soft);
        }
        for other in others {
            assert!(matches!(OutputFile::create(&other, &inputs, REPLACE), Err(FileError::IsInput(_))), "{}", other.display());
        }
        assert_eq!(fs::read(&path).unwrap(), b"games");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_are_kept_and_devices_written() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        OutputFile::write_whole(&link, b"new", &[], REPLACE).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!((fs::read(&path).unwrap(), path.metadata().unwrap().permissions().mode() & 0o777), (b"new".to_vec(), 0o640));
        OutputFile::write_whole(Path::new("/dev/null"), b"nothing", &[], KEEP).unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
}
