//! `chuhe book build`: builds a book from sources, games and other books.

use super::{convert, games, omitted, within};
use crate::book::{self, Book, BookFormat, Collector};
use crate::commands::Failure;
use crate::commands::files::{self, Force, OutputFile};
use crate::commands::inputs::{games_or_files, head};
use crate::commands::output::{Output, note};
use crate::commands::progress::Reading;
use crate::records::{Format, Record, RecordResult};
use crate::system::is_device;
use crate::types::{Color, counted};
use clap::Args;
use indicatif::ProgressBar;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Examples in the help text.
pub(super) const EXAMPLES: &str = "Examples:
  chuhe book build games.pgn lines.wxf -o games.book --min-games 3
  chuhe book build games/ -o games.obk --min-plies 0 --max-plies 30";

/// Arguments of `chuhe book build`.
#[derive(Args, Debug)]
pub struct Build {
    /// Sources (.wxf), games of any known format, folders of games, books of any known format
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Book to write; format by extension: .obk, .xqb, .dat (BOOK.DAT) or .wxf (text), otherwise chuhe's binary format
    #[arg(short, long)]
    output: PathBuf,
    /// Omit moves played in fewer games than this
    #[arg(long, default_value_t = 1)]
    min_games: u32,
    /// Ignore games shorter than this
    #[arg(long, default_value_t = 20)]
    min_plies: usize,
    /// Plies to use of each game, and depth to which books of other programs are read
    #[arg(long, default_value_t = 40)]
    max_plies: usize,
    /// Weight of a move in a game that the mover won
    #[arg(long, default_value_t = 2)]
    win: u32,
    /// Weight of a move in a drawn game
    #[arg(long, default_value_t = 1)]
    draw: u32,
    /// Weight of a move in a game that the mover lost
    #[arg(long, default_value_t = 0)]
    loss: u32,
    /// Weight of a move in a game without a result
    #[arg(long, default_value_t = 1)]
    unknown: u32,
    #[command(flatten)]
    force: Force,
}

/// Counts of games and errors.
#[derive(Default)]
struct Totals {
    games: u64,
    short: u64,
    faulty: u64,
    first_fault: Option<String>,
    cut: games::Cut,
}

impl Totals {
    fn fail(&mut self, fault: String) {
        self.faulty += 1;
        self.first_fault.get_or_insert(fault);
    }
}

impl Build {
    pub(super) fn run(self) -> Result<(), Failure> {
        // Checked before the games are read, which can take long.
        files::try_out(&self.output, &self.inputs, self.force)?;
        let mut collector = Collector::default();
        let mut totals = Totals::default();
        let files = games::files(&self.inputs, &[&self.output], &mut |fault| totals.fail(fault));
        let mut reading = Reading::of(files.iter().map(PathBuf::as_path));
        for path in &files {
            reading.begin(path);
            if is_book(path) {
                match self.add_book(path, &mut collector, &reading) {
                    Ok(true) => {}
                    Ok(false) => totals.fail(format!("{}: no move in the book", path.display())),
                    // As with a file of games that cannot be read.
                    Err(Failure::Book(error)) => totals.fail(error.to_string()),
                    Err(failure) => return Err(failure),
                }
            } else {
                let mut number = 0;
                let mut take = |game: Result<Record, _>| {
                    number += 1;
                    match game {
                        Ok(record) => {
                            totals.cut.note(&record, path, number, self.max_plies);
                            self.add_game(&record, (path.as_path(), number), &mut collector, &mut totals)
                        }
                        Err(error) => {
                            totals.fail(format!("{}: {error}", path.display()));
                            Ok(())
                        }
                    }
                };
                match games::read(path, &mut take, &reading)? {
                    Some(reason) => totals.fail(reason),
                    None if number == 0 => totals.fail(format!("{}: no game in the file", path.display())),
                    None => {}
                }
            }
        }
        let Totals { games, short, faulty, first_fault, cut } = totals;
        // Before writing, since a book without moves may be an error.
        if short > 0 {
            reading.note(format_args!("games shorter than {}: {short}", counted(self.min_plies, "ply")));
        }
        cut.message().into_iter().for_each(|line| reading.note(line));
        let fault = first_fault.map(|fault| format!("{} could not be read, the first: {fault}", games_or_files(faulty)));
        reading.then("sorting");
        let written = self.write(collector).map_err(convert::naming(&self.output)).inspect_err(|_| {
            fault.iter().for_each(|fault| reading.note(fault));
        })?;
        reading.finish();
        let mut output = Output::new();
        writeln!(output, "games {games} positions {} moves {}", written.positions, written.moves)?;
        output.finish()?;
        fault.map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Adds a book. Returns whether it has moves.
    fn add_book(&self, path: &Path, collector: &mut Collector, reading: &Reading) -> Result<bool, Failure> {
        let within = within(Some(path));
        let sorting = sorting();
        let book = Book::open(path)?;
        if let Some(compiled) = book.compiled() {
            let contents = compiled.contents().map_err(|error| within(error.into()))?;
            collector.contents(&contents).map_err(sorting)?;
            return Ok(!compiled.is_empty());
        }
        let (size, mut moves) = (book.size().max(1), 0);
        let walked = book::walk(&book, self.max_plies, &mut |reached| {
            moves += reached.moves.len();
            reading.share((moves as f64 / size as f64).min(1.0));
            collector.reached(reached).map_err(&sorting)
        });
        let walked = walked.map_err(within)?;
        let omitted = omitted(&walked, self.max_plies);
        omitted.into_iter().for_each(|line| reading.note(format_args!("{}: {line}", path.display())));
        Ok(moves > 0)
    }

    /// Adds a game with this number in its file.
    fn add_game(
        &self,
        record: &Record,
        (path, number): (&Path, u64),
        collector: &mut Collector,
        totals: &mut Totals,
    ) -> Result<(), Failure> {
        if record.plies() < self.min_plies {
            totals.short += 1;
            return Ok(());
        }
        let mut board = match games::start(record, path, number) {
            Ok(board) => board,
            Err(fault) => {
                totals.fail(fault);
                return Ok(());
            }
        };
        totals.games += 1;
        collector.start(&format!("{} - - 0 1", board.to_fen()));
        // A move that the game repeats counts once, as does its mirror image.
        let mut seen = HashSet::new();
        for mv in record.moves().take(self.max_plies) {
            let (key, image) = (board.key(), board.mirrored_key());
            if seen.insert(if key <= image { (key, mv) } else { (image, mv.mirrored()) }) {
                let points = self.points(record.result, board.side_to_move());
                collector.game_move(&board, mv, points).map_err(sorting())?;
            }
            board = board.after(mv);
        }
        Ok(())
    }

    fn points(&self, result: RecordResult, mover: Color) -> u32 {
        match (result, mover) {
            (RecordResult::Unknown, _) => self.unknown,
            (RecordResult::Draw, _) => self.draw,
            (RecordResult::RedWins, Color::Red) | (RecordResult::BlackWins, Color::Black) => self.win,
            _ => self.loss,
        }
    }

    /// Writes the book; an existing file is replaced by renaming, so programs that have it open keep the old one.
    fn write(&self, collector: Collector) -> Result<book::Written, Failure> {
        let mut file = OutputFile::create(&self.output, &self.inputs, self.force)?;
        let Some(format) = BookFormat::of_path(&self.output).filter(|format| *format != BookFormat::Compiled) else {
            let written = collector.finish(&mut file, self.min_games).map_err(file.failed())?;
            if written.moves == 0 {
                return Err(book::BookError::NoMoves.into());
            }
            file.finish()?;
            return Ok(written);
        };
        let mut bytes = Vec::new();
        collector.finish(&mut bytes, self.min_games).map_err(sorting())?;
        let book = Book::Compiled(book::CompiledBook::new(book::Bytes::Owned(bytes))?);
        let made = convert::make(&book, format, usize::MAX, &ProgressBar::hidden())?;
        std::io::Write::write_all(&mut file, &made.bytes).map_err(file.failed())?;
        book::settle(&self.output)?;
        file.finish()?;
        made.losses.into_iter().for_each(|loss| note(format_args!("{}: {loss}", self.output.display())));
        Ok(made.written)
    }
}

/// Prefix for errors of the temporary files.
fn sorting() -> impl Fn(std::io::Error) -> Failure {
    Failure::at("sorting on disk")
}

/// Whether a file is a book rather than games.
fn is_book(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    // What is read from a pipe here would be missing from its games.
    if is_device(path) {
        return false;
    }
    let is_named = matches!(extension.as_str(), "wxf" | "obk" | "xqb" | "dat" | "book");
    let head = head(path).unwrap_or_default();
    let has_mark = head.starts_with(&book::encode::MARK[..7]) || head.starts_with(b"SQLite format 3\0");
    // Book sources and WXF game records share the extension.
    let is_record = extension == "wxf" && Format::shown_by(&head) == Some(Format::Wxf);
    (is_named && !is_record) || (has_mark && Format::of_path(path).is_none())
}

#[cfg(test)]
mod tests {
    use crate::commands::{Arguments, run};
    use clap::Parser;

    #[cfg(feature = "sqlite")]
    #[test]
    fn a_damaged_book_does_not_keep_the_others_from_being_built() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("good.wxf"), "C2.5\n").unwrap();
        rusqlite::Connection::open(path("bad.obk")).unwrap().execute_batch("CREATE TABLE bhobk(id INTEGER)").unwrap();
        let words = ["chuhe", "book", "build", &path("good.wxf"), &path("bad.obk"), "-o", &path("x.book")].map(String::from);
        let error = run(Arguments::parse_from(words)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("1 game or file could not be read, the first: {}: ", path("bad.obk"))), "{error}");
        assert_eq!(crate::book::Book::open(std::path::Path::new(&path("x.book"))).unwrap().size(), 1);
    }

    #[test]
    fn a_book_without_moves_replaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("short.pgn"), "[Red \"A\"]\n\n1. h2e2 h9g7 *\n").unwrap();
        std::fs::write(path("none.pgn"), "\n").unwrap();
        std::fs::write(path("list.fen"), "3k5/9/9/9/9/9/9/9/4R4/4K4 w\n").unwrap();
        for output in ["x.book", "x.wxf", "x.obk", "x.xqb", "BOOK.DAT"] {
            for input in ["short.pgn", "none.pgn", "list.fen"] {
                std::fs::write(path(output), "a good book").unwrap();
                let words = ["chuhe", "book", "build", &path(input), "-o", &path(output), "--force"].map(String::from);
                let error = run(Arguments::parse_from(words)).unwrap_err().to_string();
                assert_eq!(error, format!("{}: no moves to write, expected a book with moves", path(output)));
                assert_eq!(std::fs::read(path(output)).unwrap(), b"a good book", "{input} to {output}");
            }
        }
    }
}
