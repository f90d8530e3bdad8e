//! Resolves input arguments: named files, and the records and position lists in folders.

use super::files::is_standard_stream;
use super::output::{MAX_NOTES, note};
use crate::arena::{Openings, OpeningsError};
use crate::board::Position;
use crate::records::{FORMAT_HEAD, Format, MAX_FILE, decode, fen_list, is_utf16};
use crate::rules::Rules;
use crate::system::{is_device, is_same_file};
use crate::types::counted;
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// An input file, or a path that cannot be read and the reason.
pub type Named = Result<PathBuf, (PathBuf, String)>;

/// The fault of a folder without inputs.
const NO_RECORDS: &str = "a folder without game records or lists of positions";

/// Reads openings, see [`Openings::read`], and prints the warnings of the reader on standard error.
///
/// # Errors
/// If the file or one of its openings is not usable.
pub fn read_openings(path: &Path, plies: Option<usize>, rules: &Rules) -> Result<Vec<Position>, OpeningsError> {
    let mut warnings = 0usize;
    let list = Openings::read(path, plies, rules, &mut |warning| {
        warnings += 1;
        if warnings <= MAX_NOTES {
            note(warning);
        }
    });
    if warnings > MAX_NOTES {
        note(format_args!("{}: {}", path.display(), counted(warnings - MAX_NOTES, "more warning")));
    }
    list
}

/// The input files, with each folder replaced by the records and lists below it. Output files of this run are excluded.
pub fn expand(named: &[PathBuf], any_format: bool, outputs: &[&Path]) -> Vec<Named> {
    let mut files = Vec::new();
    for path in named {
        // `-` is standard input even if a folder of that name exists.
        if is_standard_stream(path) || !path.is_dir() {
            files.push(Ok(path.clone()));
            continue;
        }
        files.extend(records_in(path, any_format, |path| outputs.iter().any(|output| is_same_file(output, path))));
    }
    files
}

/// The records and lists below a folder, sorted by name, without the outputs of this run, which can be files or folders. Links to files are
/// followed; those to folders are not, because they can form cycles.
pub fn records_in(folder: &Path, any_format: bool, is_output: impl Fn(&Path) -> bool) -> Vec<Named> {
    let mut files = Vec::new();
    let mut compressed = Compressed::default();
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|entry| !is_output(entry.path())) {
        match entry {
            Ok(entry) if !is_file(&entry) => {}
            Ok(entry) if any_format || is_record(entry.path()) => files.push(Ok(entry.into_path())),
            Ok(entry) => compressed.add(entry.path()),
            Err(error) => files.push(Err(unreadable(error, folder))),
        }
    }
    compressed.report();
    if files.is_empty() {
        files.push(Err((folder.to_path_buf(), NO_RECORDS.into())));
    }
    files
}

/// The compressed files of a folder, whose games are not read.
#[derive(Default)]
struct Compressed {
    count: usize,
    first: PathBuf,
}

impl Compressed {
    /// Counts a file that is not read if its extension is that of a compression.
    fn add(&mut self, path: &Path) {
        const EXTENSIONS: [&str; 9] = ["zip", "rar", "7z", "gz", "tgz", "xz", "bz2", "zst", "lzh"];
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if EXTENSIONS.iter().any(|compression| extension == *compression) {
            if self.count == 0 {
                self.first = path.to_path_buf();
            }
            self.count += 1;
        }
    }

    /// Prints that these files are skipped, if there are any.
    fn report(&self) {
        let first = self.first.display();
        match self.count {
            0 => {}
            1 => note(format_args!("{first}: skipped, since it is compressed; unpack it first")),
            count => note(format_args!(
                "{first} and {}: skipped, since they are compressed; unpack them first",
                counted(count - 1, "other file")
            )),
        }
    }
}

/// Whether an entry of a folder is a regular file, or a link to one. macOS adds `._game.xqf` to each file that it copies to other file systems
/// or puts into an archive: it has the extension of a record, but is none.
fn is_file(entry: &walkdir::DirEntry) -> bool {
    let is_addition = entry.file_name().to_string_lossy().starts_with("._");
    !is_addition && (entry.file_type().is_file() || entry.path_is_symlink() && entry.path().is_file())
}

/// A number of inputs, each a game of a file or a file as a whole.
pub fn games_or_files(count: u64) -> String {
    if count == 1 { "1 game or file".into() } else { format!("{count} games or files") }
}

/// The path of a directory walk error, and the reason.
fn unreadable(error: walkdir::Error, folder: &Path) -> (PathBuf, String) {
    let place = error.path().unwrap_or(folder).to_path_buf();
    (place, error.io_error().map_or_else(|| error.to_string(), ToString::to_string))
}

/// Whether games may begin behind the first bytes of a file, which show no format: a page or a long text may have much before them.
pub fn may_begin_later(head: &[u8]) -> bool {
    let is_page = head.trim_ascii_start().starts_with(b"<");
    let is_text = is_utf16(head) || !head.contains(&0);
    (is_page || head.len() >= FORMAT_HEAD && is_text) && Format::shown_by(head).is_none()
}

/// Whether a file in a folder is a record or list. Files with generic extensions (.txt, .html) are recognised only by content, because most
/// of them are something else; so are backups and files without an extension, but not as lists, since a log may contain positions.
pub fn is_record(path: &Path) -> bool {
    const BACKUPS: [&str; 3] = ["bak", "old", "orig"];
    let shown = || {
        let mut head = head(path).ok()?;
        if head.len() == FORMAT_HEAD && may_begin_later(&head) {
            head.clear();
            File::open(path).ok()?.take(MAX_FILE).read_to_end(&mut head).ok()?;
        }
        Format::shown_by(&head).map(|format| (format, head))
    };
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match Format::of_path(path) {
        Some(_) if Format::is_vague(path) => shown().is_some_and(|(format, head)| format != Format::Fen || is_list(&head)),
        Some(_) => true,
        None if extension.is_empty() || BACKUPS.iter().any(|backup| extension == *backup) => {
            shown().is_some_and(|(format, _)| format != Format::Fen)
        }
        None => false,
    }
}

/// Reads a line without its end (LF, CR LF or CR); none at the end of the input. Of a longer one than a list may have, the rest is skipped.
pub fn read_line(reader: &mut dyn BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line: Option<Vec<u8>> = None;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(line);
        }
        let end = buffer.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
        let used = end.unwrap_or(buffer.len());
        let line = line.get_or_insert_default();
        line.extend_from_slice(&buffer[..used.min(fen_list::MAX_LINE + 1 - line.len())]);
        let is_return = end.is_some_and(|at| buffer[at] == b'\r');
        reader.consume(used + end.is_some() as usize);
        if end.is_some() {
            if is_return && reader.fill_buf()?.first() == Some(&b'\n') {
                reader.consume(1);
            }
            return Ok(Some(std::mem::take(line)));
        }
    }
}

/// Whether a text is a list of positions rather than one in which positions occur, such as a log: its first line and at least
/// half of all are positions.
fn is_list(head: &[u8]) -> bool {
    const LINES: usize = 64;
    let head = if is_utf16(head) { Cow::Owned(decode(head).into_owned().into_bytes()) } else { Cow::Borrowed(head) };
    let mut read = head.split(|&byte| byte == b'\n').filter_map(fen_list::read_line).take(LINES).map(|line| line.is_ok());
    let is_first = read.next() == Some(true);
    let (positions, others): (Vec<bool>, Vec<bool>) = read.partition(|is_position| *is_position);
    is_first && positions.len() + 1 >= others.len()
}

/// Whether a file looks like a page written by `analyze --report` (HTML with its title, and without a game record), or does not exist.
/// Other pages of the user must not be taken for one.
pub fn is_page(path: &Path) -> bool {
    const TITLE: &[u8] = b"<title>chuhe: ";
    let has_title = |head: &[u8]| head.windows(TITLE.len()).take(1024).any(|text| text == TITLE);
    match head(path) {
        Ok(head) => head.starts_with(b"<!doctype html>") && has_title(&head) && Format::shown_by(&head).is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// The first bytes of a file. Devices and pipes are not read and give none.
pub fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    if !is_device(path) {
        File::open(path)?.take(FORMAT_HEAD as u64).read_to_end(&mut head)?;
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_expand_to_their_records_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        write("b.pgn", "1. h2e2 *\n");
        write("._b.pgn", "\0\u{5}\u{16}\u{7}");
        write("sub/._c.xqf", "\0\u{5}\u{16}\u{7}");
        write("sub/a.fen", "x\n");
        write("README.txt", "about these games\n");
        write("requirements.txt", "[requires]\nfmt/10\n");
        write("shopping.txt", "1. Buy milk\n2. Buy bread\n");
        write("XQ.txt", "XQ notes\n");
        write("book.wxf", "# an opening book\n  start\n");
        write("game.wxf", "FORMAT WXF\nSTART{\n1. C2.5\n}END\n");
        write("game.txt", "[Red \"A\"]\n\n1. h2e2 *\n");
        write("loose.txt", "红方：甲\n1. 炮二平五\n");
        write("list.txt", "# positions\n3k5/9/9/9/9/9/9/9/4R4/4K4 w\n");
        write("uci.txt", "setoption name Threads\nposition fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w\ngo depth 1\n");
        write("counts.txt", "3k5/9/9/9/9/9/9/9/4R4/4K4 w\ndepth nodes\n1 20\n2 80\n");
        write("titled.txt", "a|3k5/9/9/9/9/9/9/9/4R4/4K4 w|e1e5\n");
        write("page.html", "<!doctype html>");
        let game = "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]";
        write("long.html", &format!("<html>{}{game}", "<p>a text</p>\n".repeat(FORMAT_HEAD / 10)));
        write("long.txt", &format!("{}{game}", "a text\n".repeat(FORMAT_HEAD / 6)));
        write("novel.txt", &"a text\n".repeat(FORMAT_HEAD / 6));
        write("own.fen", "");
        write("notes.md", "");
        write("page", "<html>[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]");
        write("old.pgn.bak", "[Red \"A\"]\n\n1. h2e2 *\n");
        write("FORMATS.md", "a text in [DhtmlXQ]\n");
        write("log", "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w\n");
        let own = folder.path().join("own.fen");
        let found: Vec<PathBuf> =
            expand(&[folder.path().to_path_buf()], false, &[&own]).into_iter().map(|path| path.unwrap()).collect();
        let expected = [
            "b.pgn",
            "game.txt",
            "game.wxf",
            "list.txt",
            "long.html",
            "long.txt",
            "loose.txt",
            "old.pgn.bak",
            "page",
            "sub/a.fen",
            "titled.txt",
        ]
        .map(|name| folder.path().join(name));
        assert_eq!(found, expected);
        let empty = tempfile::tempdir().unwrap();
        assert!(expand(&[empty.path().to_path_buf()], false, &[])[0].is_err());
        assert_eq!(expand(&["-".into()], false, &[]), [Ok("-".into())]);
    }
}
