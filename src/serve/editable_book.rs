//! The opening book of the server, which the pages edit.

use crate::board::Board;
use crate::board_page::RequestError;
use crate::book::{self, Book, BookError, BookMove, Change, PATIENCE, Question, Version, version_of};
use crate::system::{file_name, lock_to_edit, write_atomically};
use crate::types::Move;
use parking_lot::Mutex;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A book in a file. Every change is saved at once: a complete new file atomically replaces the old one. Changes by other processes are
/// seen.
pub struct EditableBook {
    path: PathBuf,
    opened: Mutex<Opened>,
}

/// A book as it was last opened.
struct Opened {
    /// None while the file is being replaced, and if it could not be opened since.
    book: Option<Book>,
    version: Option<Version>,
}

impl Opened {
    fn new(path: &Path) -> Result<Opened, BookError> {
        // Before it is opened, so that a change in between is seen the next time.
        let version = version_of(path);
        Ok(Opened { book: Some(Book::open_for_lookups(path, PATIENCE)?), version })
    }
}

impl EditableBook {
    /// Opens a book in any format.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: PathBuf) -> Result<EditableBook, BookError> {
        let opened = Mutex::new(Opened::new(&path)?);
        Ok(EditableBook { path, opened })
    }

    /// The error with the name of the file in place of its path, which pages must not learn.
    fn failed(&self, error: BookError) -> RequestError {
        RequestError::File(format!("book: {error}").replace(&self.path.display().to_string(), &self.name()))
    }

    /// Reads from the book, which is opened again if the file has changed.
    fn read<T>(&self, read: impl FnOnce(&Book) -> Result<T, BookError>) -> Result<T, RequestError> {
        let mut opened = self.opened.lock();
        if opened.book.is_none() || opened.version != version_of(&self.path) {
            match Opened::new(&self.path) {
                Ok(now) => *opened = now,
                Err(error) if opened.book.is_none() => return Err(self.failed(error)),
                // Another process may be writing it.
                Err(_) => {}
            }
        }
        read(opened.book.as_ref().ok_or(RequestError::NoBook)?).map_err(|error| self.failed(error))
    }

    /// The file name without its directory.
    pub fn name(&self) -> String {
        file_name(&self.path)
    }

    /// The book moves of a position.
    ///
    /// # Errors
    /// When the book cannot be read.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, RequestError> {
        self.read(|book| book.moves(board))
    }

    /// Chooses a move to play.
    ///
    /// # Errors
    /// As [`EditableBook::moves`].
    pub fn choose(&self, question: &Question) -> Result<Option<Move>, RequestError> {
        self.read(|book| {
            let choice = book::choose(std::slice::from_ref(book), question);
            match choice.problems.into_iter().next() {
                Some(error) => Err(error),
                None => Ok(choice.chosen.map(|chosen| chosen.mv)),
            }
        })
    }

    /// Changes a move of a position in the file.
    ///
    /// # Errors
    /// When the book cannot represent the change, or the file cannot be written. The file is then unchanged.
    pub fn edit(&self, board: &Board, change: Change) -> Result<(), RequestError> {
        let mut opened = self.opened.lock();
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::PermissionDenied => RequestError::Bilingual {
                english: format!("{}: {error}", self.name()),
                chinese: format!("{}：文件受写保护，无法更改", self.name()),
            },
            _ => RequestError::File(format!("{}: {error}", self.name())),
        };
        let within = |error: BookError| self.failed(error);
        let _lock = lock_to_edit(&self.path).map_err(failed)?;
        // If the file cannot be read at the moment, the pages keep the book as it was: without one no position is answered.
        drop(Book::open(&self.path).map_err(within)?);
        // Windows cannot replace an open file, and SQLite keeps the log of one.
        opened.book = None;
        book::settle(&self.path).map_err(within)?;
        let bytes = book::edited(&self.path, board, &[change]).map_err(within)?;
        let replaced = write_atomically(&self.path, &bytes).map_err(failed);
        *opened = Opened::new(&self.path).map_err(within)?;
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn changes_are_written_and_rejected_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.wxf");
        std::fs::write(&path, "C2.5*60 # mine\n").unwrap();
        let book = EditableBook::open(path.clone()).unwrap();
        let board = *Position::startpos().board();
        let change = |text: &str, weight| Change { mv: Move::from_uci(text).unwrap(), weight };
        book.edit(&board, change("b0c2", Some(5))).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("# mine"), "{text}");
        assert_eq!(book.moves(&board).unwrap().len(), 2);
        // The error names the file, but not its folder.
        let problem = book.edit(&board, change("a0a1", None)).unwrap_err().to_string();
        assert!(problem.starts_with("book: own.wxf: a0a1 is not in the book"), "{problem}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        book.edit(&board, change("h2e2", None)).unwrap();
        assert_eq!(EditableBook::open(path.clone()).unwrap().moves(&board).unwrap().len(), 1);
        // A write-protected file stays as it is, though its folder may be written.
        let (text, usual) = (std::fs::read_to_string(&path).unwrap(), path.metadata().unwrap().permissions());
        let mut protected = usual.clone();
        protected.set_readonly(true);
        std::fs::set_permissions(&path, protected).unwrap();
        let problem = book.edit(&board, change("h0g2", Some(5))).unwrap_err();
        assert!(problem.to_string().contains("write-protected"));
        assert_eq!(problem.chinese().unwrap(), "own.wxf：文件受写保护，无法更改");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::set_permissions(&path, usual).unwrap();
        // Another process.
        std::fs::write(&path, "C2.5*60\nP7+1*5\n").unwrap();
        assert_eq!(book.moves(&board).unwrap().len(), 2);
        // While the file cannot be opened, the book is as it was.
        std::fs::remove_file(&path).unwrap();
        assert_eq!(book.moves(&board).unwrap().len(), 2);
        // Nor does an attempt to change it lose the book.
        std::fs::write(&path, "C2.5*60 typo+\n").unwrap();
        assert!(book.edit(&board, change("h0g2", Some(5))).is_err());
        assert_eq!(book.moves(&board).unwrap().len(), 2);
    }
}
