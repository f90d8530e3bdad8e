//! Files that commands write. A file appears under its name only when it is whole; it never replaces an input, and replaces
//! another file only when the user asked for it.

use super::Failure;
use super::output::Output;
use crate::system::{PartFile, is_device, is_same_file};
use clap::Args;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The option of every command that writes a file.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Force {
    /// Replace the output if it exists; inputs are never replaced
    #[arg(long)]
    pub force: bool,
}

/// Why a file is not written.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is what the command reads.
    #[error("{}: is also an input, expected another file to write", .0.display())]
    IsInput(PathBuf),
    /// It would be lost.
    #[error("{}: exists already, expected a new file or --force to replace it", .0.display())]
    Exists(PathBuf),
    /// It is no file.
    #[error("{}: is a folder, expected a file to write", .0.display())]
    IsFolder(PathBuf),
    /// What this option names cannot go there.
    #[error("-: standard output does not take this, expected the name of a file")]
    IsStdout,
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl FileError {
    fn system(path: &Path) -> impl Fn(io::Error) -> FileError + use<> {
        let path = path.to_path_buf();
        move |source| FileError::System { path: path.clone(), source }
    }
}

/// A file that is being written. It lies beside its place under a name of its own until [`OutputFile::finish`] puts it there;
/// dropped before that, it is gone.
#[derive(Debug)]
pub struct OutputFile {
    /// The place, as the user named it.
    path: PathBuf,
    force: Force,
    writer: BufWriter<Place>,
}

#[derive(Debug)]
enum Place {
    /// A file that is put in its place at the end.
    Beside(PartFile),
    /// A device or a pipe, which is written as it is.
    Device(std::fs::File),
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Place::Beside(file) => file.write(bytes),
            Place::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Place::Beside(file) => file.flush(),
            Place::Device(file) => file.flush(),
        }
    }
}

/// Makes sure that a file may be written: it is none of the inputs, and does not exist unless it may be replaced. Commands that
/// work for long ask before they begin.
///
/// # Errors
/// Why not.
pub fn check(path: &Path, inputs: &[PathBuf], force: Force) -> Result<(), FileError> {
    if path.as_os_str() == "-" {
        return Err(FileError::IsStdout);
    }
    let Ok(data) = path.symlink_metadata() else { return Ok(()) };
    // A link that leads nowhere is a thing of the user's as well.
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

/// Makes sure that a file can be begun, and leaves it as it was. A device or a pipe is not opened: its reader would take the end of the
/// trial for the end of the text.
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
    /// Begins a file that is none of the inputs.
    ///
    /// # Errors
    /// As [`check`], and when the folder cannot be written.
    pub fn create(path: &Path, inputs: &[PathBuf], force: Force) -> Result<OutputFile, FileError> {
        check(path, inputs, force)?;
        let failed = FileError::system(path);
        let place = if is_device(path) {
            Place::Device(std::fs::OpenOptions::new().write(true).open(path).map_err(&failed)?)
        } else {
            Place::Beside(PartFile::create(path).map_err(&failed)?)
        };
        Ok(OutputFile { path: path.to_path_buf(), force, writer: BufWriter::with_capacity(1 << 18, place) })
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// As [`OutputFile::create`] and [`OutputFile::finish`].
    pub fn write_whole(path: &Path, bytes: &[u8], inputs: &[PathBuf], force: Force) -> Result<(), FileError> {
        let mut file = OutputFile::create(path, inputs, force)?;
        file.write_all(bytes).map_err(FileError::system(path))?;
        file.finish()
    }

    /// Names the file in an error of writing.
    pub fn failed(&self) -> impl Fn(io::Error) -> FileError + use<> {
        FileError::system(&self.path)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the disk is full, or the place has been taken meanwhile; then the file is gone and the place as it was.
    pub fn finish(self) -> Result<(), FileError> {
        let failed = FileError::system(&self.path);
        match self.writer.into_inner().map_err(|error| failed(error.into_error()))? {
            Place::Device(mut file) => file.flush().map_err(failed),
            Place::Beside(file) => match file.finish(self.force.force) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(FileError::Exists(self.path)),
                placed => placed.map_err(failed),
            },
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

/// Where a result goes: a file, or standard output for `-`.
#[derive(Debug)]
pub enum Sink {
    /// Standard output.
    Stdout(Output),
    /// A file.
    File(OutputFile),
}

impl Sink {
    /// Opens standard output for `-`, and begins a file for anything else.
    ///
    /// # Errors
    /// As [`OutputFile::create`].
    pub fn open(path: &Path, inputs: &[PathBuf], force: Force) -> Result<Sink, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Sink::Stdout(Output::new()));
        }
        Ok(Sink::File(OutputFile::create(path, inputs, force)?))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// When the output is closed or full.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Sink::Stdout(output) => output.bytes(bytes),
            Sink::File(file) => {
                let failed = file.failed();
                file.write_all(bytes).map_err(|error| failed(error).into())
            }
        }
    }

    /// Passes on the rest; a file takes its place.
    ///
    /// # Errors
    /// When the output is closed or full.
    pub fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Stdout(output) => output.finish(),
            Sink::File(file) => Ok(file.finish()?),
        }
    }
}

/// Lets a write beyond the limit on file sizes (`ulimit -f`) fail like one on a full disk, instead of ending the process before it
/// can clean up.
pub fn outlive_size_limits() {
    #[cfg(unix)]
    {
        let seen = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        // Where the handler cannot be set, the signal ends the process as before.
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
    fn a_file_appears_when_it_is_whole() {
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
    fn what_exists_is_kept_unless_it_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old");
        fs::write(&path, "old").unwrap();
        assert!(matches!(OutputFile::create(&path, &[], KEEP), Err(FileError::Exists(_))));
        OutputFile::write_whole(&path, b"new", &[], REPLACE).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // Somebody else writes it meanwhile.
        let late = folder.path().join("late");
        let file = OutputFile::create(&late, &[], KEEP).unwrap();
        fs::write(&late, "theirs").unwrap();
        assert!(matches!(file.finish(), Err(FileError::Exists(_))));
        assert_eq!(fs::read(&late).unwrap(), b"theirs");
        assert!(matches!(OutputFile::create(folder.path(), &[], REPLACE), Err(FileError::IsFolder(_))));
        assert_eq!(names(folder.path()), ["late", "old"]);
    }

    #[test]
    fn inputs_are_never_replaced_by_whatever_name() {
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
    fn links_and_modes_stay_and_devices_are_written() {
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
