//! Writing whole files.

use std::io::{self, Write};
use std::path::Path;

/// Replaces a file, or makes it: a kill at any moment leaves either the old contents or the new.
///
/// # Errors
/// What the system says.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".chuhe-");
    // As other files: the user's mask decides who may read it. Temporary files are the owner's alone otherwise.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_then_replaced_and_nothing_else_stays() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("file");
        for contents in [&b"one"[..], b"the other"] {
            replace(&path, contents).expect("room on the disk");
            assert_eq!(std::fs::read(&path).expect("the file just written"), contents);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder for the test").count(), 1);
        assert!(replace(&folder.path().join("nowhere/file"), b"").is_err());
    }
}
