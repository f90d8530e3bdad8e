//! Export to the book formats of other programs. Their keys are other hashes of positions, so a book is exported by walking through it from
//! the start of the game.

use super::bookdat::BookDatTarget;
use super::{Book, BookError, Outcome, Target, Walked, Written, walk};
#[cfg(feature = "sqlite")]
use super::{obk, xqb};
use std::path::Path;

/// A format of book files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// A compiled book.
    Compiled,
    /// Human-readable source.
    Source,
    /// `BOOK.DAT` of XQWizard and ElephantEye.
    BookDat,
    /// `.obk` of BHGUI.
    Obk,
    /// `.xqb` of xqbook.
    Xqb,
}

impl BookFormat {
    /// The format for a file extension.
    pub fn of_path(path: &Path) -> Option<BookFormat> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let formats = [
            ("book", BookFormat::Compiled),
            ("wxf", BookFormat::Source),
            ("dat", BookFormat::BookDat),
            ("obk", BookFormat::Obk),
            ("xqb", BookFormat::Xqb),
        ];
        formats.into_iter().find(|(name, _)| *name == extension).map(|(_, format)| format)
    }
}

/// A book in another program's format.
#[derive(Debug)]
pub struct Exported {
    /// The contents of the file.
    pub bytes: Vec<u8>,
    /// Counts of what it contains.
    pub written: Written,
    /// What the format cannot represent, with counts.
    pub losses: Vec<(&'static str, u64)>,
    /// Counts of the walk through the book.
    pub walked: Walked,
}

const SCALED: &str = "positions with weights scaled down";
const COLLISION: &str = "positions with the same key as another one";
const NEVER_PLAYED: &str = "moves of weight 0 in positions without other moves";
const NAMES: &str = "names of openings";

/// Exports a book to another program's format, walking it to `max_plies`. `visited` is called with the number of moves of every position,
/// for a progress bar.
///
/// # Errors
/// If the book cannot be read or has no moves, the format is one of ours, which [`super::Collector`] and [`super::text`] write, or it needs
/// SQLite and this build does not include it.
pub fn export(book: &Book, format: BookFormat, max_plies: usize, visited: &mut dyn FnMut(usize)) -> Result<Exported, BookError> {
    let mut target: Box<dyn Target> = match format {
        BookFormat::BookDat => Box::<BookDatTarget>::default(),
        #[cfg(feature = "sqlite")]
        BookFormat::Obk => Box::new(obk::ObkTarget::new()?),
        #[cfg(feature = "sqlite")]
        BookFormat::Xqb => Box::new(xqb::XqbTarget::new()?),
        #[cfg(not(feature = "sqlite"))]
        BookFormat::Obk | BookFormat::Xqb => return Err(BookError::WithoutSqlite),
        BookFormat::Compiled | BookFormat::Source => {
            return Err(BookError::Compile("a format of chuhe, expected one of another program".into()));
        }
    };
    let mut written = Written::default();
    let names = book.compiled().map_or(0, |compiled| compiled.names().len() as u64);
    let (mut scaled, mut collisions, mut never_played) = (0, 0, 0);
    let walked = walk(book, max_plies, &mut |reached| {
        visited(reached.moves.len());
        if reached.moves.is_empty() {
            return Ok::<(), BookError>(());
        }
        match target.add(reached.board, reached.moves)? {
            Outcome::Collision => collisions += 1,
            Outcome::NeverPlayed => never_played += reached.moves.len() as u64,
            outcome => {
                scaled += (outcome == Outcome::Scaled) as u64;
                written.positions += 1;
                written.moves += reached.moves.len() as u64;
            }
        }
        Ok(())
    })?;
    if written.moves == 0 {
        return Err(BookError::NoMoves);
    }
    let losses = [(SCALED, scaled), (COLLISION, collisions), (NEVER_PLAYED, never_played), (NAMES, names)];
    let losses = losses.into_iter().filter(|(_, count)| *count > 0).collect();
    Ok(Exported { bytes: target.finish()?, written, losses, walked })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::from_source;
    use crate::types::Move;

    fn reopened(name: &str, bytes: &[u8]) -> (Book, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        (Book::open(&path).unwrap(), folder)
    }

    /// Moves and weights of every reachable position of a book.
    fn all_moves(book: &Book) -> Vec<(u64, Vec<(String, u32)>)> {
        let mut all = Vec::new();
        walk(book, usize::MAX, &mut |reached| {
            // Normalised to the mirror image with the smaller key, because two books can reach a position by different images.
            let is_turned = reached.board.mirrored_key() < reached.board.key();
            let text = |mv: Move| if is_turned { mv.mirrored() } else { mv }.to_string();
            let mut moves: Vec<_> = reached.moves.iter().map(|found| (text(found.mv), found.weight)).collect();
            moves.sort();
            if !moves.is_empty() {
                all.push((reached.board.key().min(reached.board.mirrored_key()), moves));
            }
            Ok::<(), BookError>(())
        })
        .unwrap();
        all.sort();
        all
    }

    #[test]
    fn every_format_preserves_moves_and_weights() {
        let expected = all_moves(&Book::Builtin);
        assert!(expected.len() > 1000);
        for (format, name) in [(BookFormat::BookDat, "BOOK.DAT"), (BookFormat::Obk, "x.obk"), (BookFormat::Xqb, "x.xqb")] {
            let mut seen = 0;
            let exported = export(&Book::Builtin, format, usize::MAX, &mut |moves| seen += moves).unwrap();
            let (book, _folder) = reopened(name, &exported.bytes);
            let losses: Vec<_> = exported.losses.iter().filter(|(what, _)| *what != NAMES).collect();
            assert!(losses.is_empty(), "{format:?}: {losses:?}");
            assert_eq!(exported.written.moves as usize, seen, "{format:?}");
            assert!(all_moves(&book) == expected, "{format:?}");
        }
    }

    #[test]
    fn weights_that_do_not_fit_are_scaled_and_reported() {
        let book = Book::Compiled(from_source("x", "C2.5*1000000\nP7+1*500000\nE3+5*1\nH2+3*0\n").unwrap());
        let exported = export(&book, BookFormat::BookDat, 10, &mut |_| {}).unwrap();
        assert_eq!(exported.losses, [(SCALED, 1)]);
        let (back, _folder) = reopened("BOOK.DAT", &exported.bytes);
        let board = *crate::board::Position::startpos().board();
        let weights: Vec<u32> = back.moves(&board).unwrap().iter().map(|found| found.weight).collect();
        assert_eq!(weights, [65535, 32767, 1, 0]);
    }

    #[test]
    fn losses_of_sqlite_books_are_reported() {
        let book = Book::Compiled(from_source("x", "C2.5*5\n  H8+7*0\n").unwrap());
        for format in [BookFormat::Obk, BookFormat::Xqb] {
            let exported = export(&book, format, 10, &mut |_| {}).unwrap();
            assert_eq!((exported.losses, exported.written.moves), (vec![(NEVER_PLAYED, 1)], 1));
        }
        let empty = Book::Compiled(super::super::CompiledBook::empty());
        assert!(export(&empty, BookFormat::Obk, 10, &mut |_| {}).unwrap_err().to_string().starts_with("no moves"));
    }
}
