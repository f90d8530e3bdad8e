//! Output of `chuhe analyze`: writes results in order and collects those of each game for its review.

use super::Analyze;
use super::earlier;
use super::error::AnalyzeError;
use super::resume::ResumeFile;
use crate::board::Position;
use crate::book::{self, Book, Opening};
use crate::commands::Failure;
use crate::commands::files::{Force, OutputFile};
use crate::commands::output::{Output, note, one_line};
use crate::commands::progress::Reading;
use crate::commands::record_output::{RecordOutput, RunFiles};
use crate::records::{Format, Losses, Record};
use crate::report::{Fault, GameReview, Located, Origin, Page, PositionResult, ReviewForm, Totals, View};
use crate::system::{is_device, pgn_of_system};
use crate::types::counted;
use indicatif::ProgressBar;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A processed item.
pub enum Done {
    /// A searched position.
    Position(Origin, Box<PositionResult>),
    /// A line, game or file that could not be read.
    Fault(Origin, String),
    /// The end of a game.
    GameEnd(Origin, Box<Record>),
}

/// The destination of results.
pub enum Target {
    /// JSON Lines on standard output.
    Lines(Output),
    /// Readable text on standard output.
    Summary(Output),
    /// JSON Lines in a file that an interrupted run can resume.
    File(Box<ResumeFile>),
}

/// The JSON line of a game, distinguished from that of a position by its member `review`.
#[derive(Serialize)]
struct ReviewLine {
    review: ReviewForm,
}

/// The member of the line of a position that names it.
#[derive(Serialize)]
struct Searched<'a> {
    fen: &'a str,
}

/// Writes results in order and collects those of each game.
pub struct Writer<'a> {
    arguments: &'a Analyze,
    view: View,
    book: Option<Book>,
    target: Target,
    /// Lines written, or found in an earlier run.
    pub lines: usize,
    /// Positions of lists and games written, and everything that failed.
    inputs: usize,
    faults: usize,
    /// Games that could not be read, and are therefore not annotated.
    unread_games: usize,
    first_fault: Option<String>,
    game_results: Vec<PositionResult>,
    /// Only printed at the end of text output.
    totals: Totals,
    page: Option<Page>,
    annotated: Vec<Record>,
    bar: ProgressBar,
}

impl<'a> Writer<'a> {
    /// Creates a writer that advances the bar.
    pub fn new(arguments: &'a Analyze, book: Option<Book>, target: Target, bar: ProgressBar) -> Writer<'a> {
        let view = arguments.view();
        let page = arguments.report.as_ref().map(|_| Page::new(view.clone()));
        Writer {
            arguments,
            view,
            book,
            target,
            lines: 0,
            inputs: 0,
            faults: 0,
            unread_games: 0,
            first_fault: None,
            game_results: Vec::new(),
            totals: Totals::default(),
            page,
            annotated: Vec::new(),
            bar,
        }
    }

    /// Writes an item unless its line was found in an earlier run, in which case the two are compared. The FEN of such a position has
    /// already been checked when its result was read back; its origin is compared here.
    pub fn put(&mut self, done: Done, earlier: Option<&str>) -> Result<(), Failure> {
        self.lines += 1;
        self.bar.inc(1);
        match done {
            Done::Fault(origin, error) => self.fault(&origin, error, earlier),
            Done::Position(origin, result) => self.position(&origin, *result, earlier),
            Done::GameEnd(origin, record) => self.game(&origin, *record, earlier),
        }
    }

    fn fault(&mut self, origin: &Origin, error: String, earlier: Option<&str>) -> Result<(), Failure> {
        self.inputs += 1;
        self.faults += 1;
        self.unread_games += origin.game.is_some() as usize;
        let text = format!("{origin}: {error}");
        if let Target::Summary(_) = self.target {
            self.text(format!("{}\n\n", one_line(&text)).as_bytes())?;
        } else {
            self.line(&Located { origin, value: Fault { error } }, earlier)?;
        }
        self.first_fault.get_or_insert(text);
        Ok(())
    }

    fn position(&mut self, origin: &Origin, result: PositionResult, earlier: Option<&str>) -> Result<(), Failure> {
        let of_game = origin.game.is_some();
        self.inputs += !of_game as usize;
        for warning in &origin.warnings {
            self.bar.suspend(|| note(format_args!("{origin}: {warning}")));
        }
        if !matches!(self.target, Target::Summary(_)) {
            match earlier {
                None => self.line(&Located { origin, value: &result }, None)?,
                Some(_) => self.line(&Located { origin, value: Searched { fen: &result.fen } }, earlier)?,
            }
        } else if !of_game {
            let mut text = Vec::new();
            let _ = self.view.write_position(origin, &result, &mut text);
            self.text(&text)?;
        }
        if of_game {
            self.game_results.push(result);
        } else if let Some(page) = &mut self.page {
            page.add_position(origin, &result);
        }
        Ok(())
    }

    fn game(&mut self, origin: &Origin, record: Record, earlier: Option<&str>) -> Result<(), Failure> {
        let results = std::mem::take(&mut self.game_results);
        let rules = self.arguments.settings().rules;
        let opening = record.final_position().ok().and_then(|played| self.opening_of(&played));
        let game = origin.game.unwrap_or(1);
        let mut review = match GameReview::new(origin.file.clone(), game, record, results, &rules, opening) {
            Ok(review) => review,
            Err(error) => return self.fault(origin, error.to_string(), earlier),
        };
        if let Some(book) = &self.book {
            review.mark_book(|board, mv| book.knows(board, mv))?;
        }
        self.inputs += 1;
        review.mark_endgames(self.arguments.tables(), rules.natural_limit);
        if let Target::Summary(_) = self.target {
            let mut text = Vec::new();
            let _ = self.view.write_game(&review, &mut text);
            self.text(&text)?;
            self.totals.add(&review);
        } else {
            // The text contains them.
            for warning in review.record.warnings() {
                self.bar.suspend(|| note(format_args!("{origin}: {warning}")));
            }
            self.line(&Located { origin, value: ReviewLine { review: review.form(&self.view.notation) } }, earlier)?;
        }
        if let Some(page) = &mut self.page {
            page.add_game(&review);
        }
        if self.arguments.annotate.is_some() {
            self.annotated.push(review.annotated());
        }
        Ok(())
    }

    /// The name of the opening in the user's book, otherwise in the built-in one.
    fn opening_of(&self, played: &Position) -> Option<Opening> {
        let own = self.book.as_ref().and_then(Book::compiled).and_then(|compiled| compiled.opening_of(played));
        own.or_else(|| book::opening_of(played)).cloned()
    }

    /// Writes a line unbuffered: the reader of a pipe waits for it, and a killed process must not lose it.
    fn line<T: Serialize>(&mut self, value: &T, earlier: Option<&str>) -> Result<(), Failure> {
        if let Some(earlier) = earlier {
            let path = || self.arguments.resume.clone().unwrap_or_default();
            let failed = |mismatch| AnalyzeError::Line { path: path(), line: self.lines, mismatch };
            return earlier::check(earlier, value).map_err(|mismatch| failed(mismatch).into());
        }
        let target = &mut self.target;
        self.bar.suspend(|| match target {
            Target::Lines(output) | Target::Summary(output) => output.json(value),
            Target::File(file) => {
                let text = serde_json::to_string(value).map_err(|error| Failure::Failed(format!("output: {error}")))?;
                file.line(&text)
            }
        })
    }

    fn text(&mut self, text: &[u8]) -> Result<(), Failure> {
        let target = &mut self.target;
        self.bar.suspend(|| match target {
            Target::Lines(output) | Target::Summary(output) => output.bytes(text),
            Target::File(_) => Ok(()),
        })
    }

    /// Writes the page and the annotated games, and returns the error that summarises failed inputs. An output that cannot be written does
    /// not keep the others from being written. An incomplete run replaces no file; with `--resume` it writes neither, since the run that
    /// completes it does, and would otherwise find existing files.
    pub fn finish(
        mut self,
        report: Option<&Path>,
        inputs: &[PathBuf],
        is_complete: bool,
    ) -> Result<Option<AnalyzeError>, Failure> {
        self.bar.finish_and_clear();
        let mut written = Ok(());
        if self.totals.games() > 1 {
            let mut text = Vec::new();
            let _ = self.view.write_totals(&self.totals, &mut text);
            written = self.text(&text);
        }
        let is_resumed = matches!(self.target, Target::File(_));
        written = written.and(match self.target {
            Target::Lines(output) | Target::Summary(output) => output.finish(),
            // Even if all lines are from an earlier run, the settings may be new.
            Target::File(mut file) if is_complete => file.begin(),
            Target::File(_) => Ok(()),
        });
        let is_due = is_complete || !is_resumed;
        let force = |force: Force| Force { force: force.force && is_complete };
        let is_kept = |path: &Path| {
            let is_kept = !is_complete && path.is_file();
            if is_kept {
                note(format_args!("{}: left as it was, since the analysis is incomplete", path.display()));
            }
            is_kept
        };
        if let (Some(page), Some(path), true) = (self.page, report, is_due)
            && !is_kept(path)
        {
            // An empty page must not replace that of an earlier run.
            written = written.and(match page.is_empty() {
                true => {
                    note(format_args!("{}: nothing to report; not written", path.display()));
                    Ok(())
                }
                false => {
                    let force = force(self.arguments.report_force());
                    OutputFile::write_whole(path, page.finish().as_bytes(), inputs, force).map_err(Failure::from)
                }
            });
        }
        if let (Some(path), true) = (&self.arguments.annotate, is_due)
            && !is_kept(path)
        {
            written = written.and(match self.annotated.is_empty() {
                true => {
                    let game = if is_complete { "game" } else { "finished game" };
                    note(format_args!("{}: no {game} to annotate; not written", path.display()));
                    Ok(())
                }
                false => write_annotated(&self.annotated, path, inputs, force(self.arguments.force())),
            });
            if self.unread_games > 0 {
                let games = counted(self.unread_games, "game");
                note(format_args!("{}: without {games} that could not be read", path.display()));
            }
        }
        written?;
        let (faults, inputs) = (self.faults, self.inputs);
        Ok(self.first_fault.map(|first| AnalyzeError::Faults { faults, inputs, first }))
    }

    /// The positions and games written so far.
    pub fn shown(&self) -> usize {
        self.inputs - self.faults
    }
}

/// The format of annotated games, by the extension of their file; PGN for a device.
///
/// # Errors
/// If it names no format of records, or that of a page.
pub fn annotated_format(path: &Path) -> Result<Format, Failure> {
    let named = Format::of_path(path).filter(|_| !is_named_page(path)).or(is_device(path).then_some(Format::Pgn));
    named.ok_or_else(|| {
        let expected = format!("the extension names no format of records, expected {}", Format::written_ids());
        Failure::Usage(format!("--annotate {}: {expected}", path.display()))
    })
}

/// Whether the extension of a file is that of pages.
pub fn is_named_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["html", "htm"].iter().any(|page| extension.eq_ignore_ascii_case(page)))
}

/// Writes games in the format given by the extension. With one game per file, further games go to `name-002.xqf` and so on; one that cannot
/// be written does not keep the others from being written.
fn write_annotated(games: &[Record], path: &Path, inputs: &[PathBuf], force: Force) -> Result<(), Failure> {
    let (format, files) = (annotated_format(path)?, RunFiles::default());
    let mut target = RecordOutput::new(inputs, &files, path, format, pgn_of_system(), force);
    let (mut losses, mut fault) = (Losses::default(), None);
    for game in games {
        match target.add(game, &Reading::hidden())? {
            Ok(lost) => losses.merge(lost),
            Err(error) => fault = fault.or(Some(Failure::at(path.display())(error))),
        }
    }
    let finished = target.finish();
    if !losses.is_empty() {
        note(format_args!("{}: not carried over: {losses}", path.display()));
    }
    fault.map_or(finished, Err)
}
