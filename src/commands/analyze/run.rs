//! The main loop of `chuhe analyze`: items are read, searched and written in input order.

use super::Analyze;
use super::earlier::{self, Mismatch};
use super::error::AnalyzeError;
use super::input::{Item, read_all};
use super::resume::{EarlierLines, ResumeFile, settings_path};
use super::writer::{Done, Target, Writer, annotated_format, is_named_page};
use crate::commands::Failure;
use crate::commands::files::{self, is_standard_stream};
use crate::commands::inputs::{Named, expand, is_page, is_record};
use crate::commands::output::{Output, note};
use crate::commands::pipeline::in_order;
use crate::commands::progress;
use crate::commands::record_output::check_further;
use crate::records::Format;
use crate::report::PositionResult;
use crate::search::{Limits, Settings};
use crate::system::{clean_up, handle_interrupts, is_device, is_same_file};
use crate::threads::{Control, Pool};
use indicatif::ProgressBar;
use parking_lot::Mutex;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// An item with its number, and its line from an earlier run if there is one.
struct Task {
    number: usize,
    item: Item,
    earlier: Option<String>,
}

struct Finished {
    done: Done,
    /// Its line, if the output already contains it.
    earlier: Option<String>,
}

/// State shared by the threads.
#[derive(Default)]
struct Shared {
    /// Set when no more items should be started.
    interrupted: Arc<AtomicBool>,
    /// Set when running searches should stop at once.
    cut_short: AtomicBool,
    /// The error that ended the run early.
    fault: Mutex<Option<AnalyzeError>>,
    /// Controls of the running searches.
    controls: Mutex<Vec<Control>>,
}

/// Results of an earlier run.
struct EarlierRun {
    path: PathBuf,
    lines: EarlierLines,
    has_truncated_line: bool,
    /// Whether all its lines have been read.
    is_exhausted: bool,
}

impl EarlierRun {
    /// The next line, without the line feed.
    fn line(&mut self) -> Result<Option<String>, AnalyzeError> {
        let mut line = Vec::new();
        let read = self.lines.read_until(b'\n', &mut line);
        let read = read.map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source })?;
        self.is_exhausted = read == 0;
        // Invalid UTF-8 is not a result either; the comparison reports it.
        Ok((read > 0).then(|| String::from_utf8_lossy(line.trim_ascii_end()).into_owned()))
    }

    /// Checks that no lines are left when the input has ended.
    fn end(mut self, lines: usize) -> Result<(), AnalyzeError> {
        // A truncated line belonged to the first item after those of the earlier run.
        let is_over = self.is_exhausted || (self.line()?.is_none() && !self.has_truncated_line);
        if is_over { Ok(()) } else { Err(AnalyzeError::Leftover { path: self.path, lines }) }
    }
}

impl Shared {
    /// Stops the run with an error.
    fn fail(&self, error: AnalyzeError) {
        self.fault.lock().get_or_insert(error);
        self.interrupted.store(true, Ordering::SeqCst);
    }

    fn cut_short(&self) {
        self.cut_short.store(true, Ordering::SeqCst);
        self.controls.lock().iter().for_each(Control::stop);
    }
}

/// Runs `chuhe analyze`.
pub fn run(arguments: &Analyze) -> Result<(), Failure> {
    let settings = arguments.resume.as_deref().map(settings_path);
    // A page of an earlier run in an input folder is skipped; a record that the page would replace remains an input.
    let any_format = arguments.from_format.is_some();
    let page = arguments.report.as_deref().filter(|path| !is_record(path) && (!any_format || is_page(path)));
    let outputs: Vec<&Path> = [page, arguments.resume.as_deref(), settings.as_deref()].into_iter().flatten().collect();
    let named = expand(&arguments.files, any_format, &outputs);
    if arguments.files.iter().any(|path| is_standard_stream(path)) && std::io::stdin().is_terminal() {
        note("reading positions (FEN, one per line) from standard input; see chuhe analyze --help");
    }
    // Files and folders named by the user are inputs even if `expand` excludes them.
    let inputs: Vec<PathBuf> = named.iter().flatten().chain(&arguments.files).chain(&arguments.book).cloned().collect();
    check_outputs(arguments, &named, &inputs)?;
    let book = arguments.book()?;
    let shared = Arc::new(Shared::default());
    listen_for_interrupts(&shared);
    let (target, earlier) = match &arguments.resume {
        Some(path) => {
            let (file, lines) = ResumeFile::open(path, arguments, &inputs)?;
            let earlier =
                EarlierRun { path: path.clone(), lines, has_truncated_line: file.has_truncated_line(), is_exhausted: false };
            (Target::File(Box::new(file)), Some(earlier))
        }
        None if arguments.is_summary() => (Target::Summary(Output::streaming()), None),
        None => (Target::Lines(Output::streaming()), None),
    };
    let bar = progress::count("lines");
    count_in_background(arguments, &named, &bar);
    let mut writer = Writer::new(arguments, book, target, bar);
    let produce = producer(arguments, named, earlier, &shared);
    let ran = in_order(
        arguments.jobs as usize,
        &shared.interrupted,
        produce,
        || worker(arguments, &shared),
        |Finished { done, earlier }| writer.put(done, earlier.as_deref()).inspect_err(|_| shared.cut_short()),
    );
    let shown = writer.shown();
    let lines = writer.lines;
    let fault = shared.fault.lock().take();
    let is_interrupted = shared.interrupted.load(Ordering::SeqCst);
    let is_complete = ran.is_ok() && fault.is_none() && !is_interrupted;
    let finished = writer.finish(arguments.report.as_deref(), &inputs, is_complete);
    ran?;
    let faults = finished?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    if is_interrupted {
        let report = if arguments.report.is_some() { "; the report is written when all are done" } else { "" };
        return Err(match &arguments.resume {
            Some(path) => AnalyzeError::InterruptedFile { lines, report, path: path.clone() },
            None if arguments.is_summary() => AnalyzeError::InterruptedText(shown),
            None => AnalyzeError::Interrupted(lines),
        }
        .into());
    }
    faults.map_or(Ok(()), |faults| Err(faults.into()))
}

/// Checks before the analysis starts that the outputs can be written and are different files.
fn check_outputs(arguments: &Analyze, named: &[Named], inputs: &[PathBuf]) -> Result<(), Failure> {
    let outputs = [("--report", &arguments.report), ("--annotate", &arguments.annotate), ("--resume", &arguments.resume)];
    let outputs: Vec<(&str, &Path)> = outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    for (index, (option, path)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[..index].iter().find(|(_, other)| is_same_file(other, path)) {
            return Err(Failure::Usage(format!("{other} and {option} name the same file, expected two")));
        }
    }
    let annotated = arguments.annotate.as_deref().map(|path| annotated_format(path).map(|format| (path, format))).transpose()?;
    if let Some((path, format)) = annotated.filter(|(_, format)| !format.is_written()) {
        return Err(Failure::Usage(format!("--annotate {}: {format} is not written", path.display())));
    }
    // Checked before the analysis starts: it may take days.
    for (path, force) in [(&arguments.report, arguments.report_force()), (&arguments.annotate, arguments.force())] {
        path.as_deref().map_or(Ok(()), |path| files::try_out(path, inputs, force))?;
    }
    // The next run over the folder would read such a file as a record.
    if let Some(path) = &arguments.report
        && Format::of_path(path).is_some()
        && !is_named_page(path)
    {
        return Err(Failure::Usage(format!("--report {}: the extension is that of a record, expected .html", path.display())));
    }
    if let Some((path, format)) = annotated.filter(|(_, format)| !format.holds_many()) {
        check_further(path, format, games(arguments, named), inputs, arguments.force())?;
    }
    Ok(())
}

/// The number of games in the inputs. If they can be read only once, a guess that is more than anyone annotates with one file per game.
fn games(arguments: &Analyze, named: &[Named]) -> usize {
    const MANY: usize = 1000;
    if !can_be_counted(named) {
        return MANY;
    }
    let mut games = 0;
    read_all(named, arguments.from_format, &mut |item| {
        games += matches!(item, Item::GameEnd { .. }) as usize;
        true
    });
    games
}

/// Whether the inputs can be read twice: standard input and pipes cannot.
fn can_be_counted(named: &[Named]) -> bool {
    !named.iter().flatten().any(|path| is_standard_stream(path) || is_device(path))
}

/// Counts the items, so that the bar can show the time left. Standard input cannot be counted, and without a terminal there is no bar.
fn count_in_background(arguments: &Analyze, named: &[Named], bar: &ProgressBar) {
    if !can_be_counted(named) || !progress::is_shown() {
        return;
    }
    let (named, format, bar) = (named.to_vec(), arguments.from_format, bar.clone());
    std::thread::spawn(move || {
        let mut lines = 0;
        read_all(&named, format, &mut |_| {
            lines += 1;
            true
        });
        progress::set_total(&bar, lines, "lines");
    });
}

/// The first interrupt stops reading, the second stops the running searches, whose results so far are printed as text but are no lines, the
/// third ends the process.
fn listen_for_interrupts(shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    let count = AtomicUsize::new(0);
    handle_interrupts(move || match count.fetch_add(1, Ordering::SeqCst) {
        0 => {
            shared.interrupted.store(true, Ordering::SeqCst);
            note("finishing the current positions; interrupt again to cut them short");
        }
        1 => shared.cut_short(),
        _ => {
            clean_up();
            std::process::exit(1)
        }
    });
}

/// Reads items and passes them on with their lines of an earlier run.
fn producer(
    arguments: &Analyze,
    named: Vec<Named>,
    mut earlier: Option<EarlierRun>,
    shared: &Arc<Shared>,
) -> impl FnOnce(&mut dyn FnMut(Task) -> bool) + Send + 'static {
    let (shared, format) = (Arc::clone(shared), arguments.from_format);
    move |give| {
        let mut lines = 0;
        let mut send = |item: Item| match earlier.as_mut().map_or(Ok(None), EarlierRun::line) {
            Ok(earlier) => {
                lines += 1;
                give(Task { number: lines, item, earlier })
            }
            Err(error) => {
                shared.fail(error);
                false
            }
        };
        if read_all(&named, format, &mut send)
            && let Some(earlier) = earlier
            && let Err(error) = earlier.end(lines)
        {
            shared.fail(error);
        }
    }
}

/// The work of one thread.
fn worker(arguments: &Analyze, shared: &Shared) -> impl FnMut(Task) -> Option<Finished> {
    let mut pool = Pool::new(arguments.threads as usize, arguments.hash as usize);
    shared.controls.lock().push(pool.control());
    let (settings, limits) = (arguments.settings(), arguments.limits());
    let is_text = arguments.is_summary();
    move |task| {
        if shared.cut_short.load(Ordering::SeqCst) {
            return None;
        }
        let is_searched = task.earlier.is_none() && matches!(task.item, Item::Position { .. });
        if arguments.fresh && is_searched {
            pool.clear();
        }
        let limits = Limits { start: Instant::now(), ..limits.clone() };
        let finished = work(task, &mut pool, &limits, &settings)
            .map_err(|(line, mismatch)| {
                shared.fail(AnalyzeError::Line { path: arguments.resume.clone().unwrap_or_default(), line, mismatch });
            })
            .ok();
        // A run that continues after these lines would take a search that was cut short for one that reached its limit.
        let is_final = !is_searched || is_text || !shared.cut_short.load(Ordering::SeqCst);
        finished.filter(|_| is_final)
    }
}

/// Processes an item, or reports the line of an earlier run that does not match it.
fn work(task: Task, pool: &mut Pool, limits: &Limits, settings: &Settings) -> Result<Finished, (usize, Mismatch)> {
    let Task { number, item, earlier } = task;
    let done = match item {
        Item::Fault { origin, error } => Done::Fault(origin, error),
        Item::GameEnd { origin, record } => Done::GameEnd(origin, record),
        Item::Position { origin, position } => {
            let result = match &earlier {
                None => PositionResult::search(pool, &position, limits, settings),
                Some(line) => PositionResult::read_back(line, &position)
                    .map_err(|error| (number, earlier::no_result(line, &position.to_fen(), error)))?,
            };
            Done::Position(origin, Box::new(result))
        }
    };
    Ok(Finished { done, earlier })
}
