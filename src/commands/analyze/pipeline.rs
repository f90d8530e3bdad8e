//! From items to lines: one thread reads, some search, the calling one writes in the order of the input.

use super::Analyze;
use super::error::AnalyzeError;
use super::input::{Item, read_all};
use super::known::{self, KnownProblem};
use super::resume::{Known, ResumeFile, settings_path};
use super::writer::{Done, Target, Writer};
use crate::commands::Failure;
use crate::commands::files;
use crate::commands::inputs::{Named, expand, is_page, is_record};
use crate::commands::output::{Output, note};
use crate::commands::progress;
use crate::records::Format;
use crate::report::PositionResult;
use crate::search::{Limits, Settings};
use crate::system::{clean_up, handle_interrupts, is_same_file};
use crate::threads::{Control, Pool};
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::ProgressBar;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Items in work or waiting for an earlier one, for each job: enough that a slow position does not idle the others, little
/// enough that memory stays small.
const WINDOW: usize = 16;

/// An item with its place in the order, and its line of an earlier run if there is one.
struct Task {
    number: usize,
    item: Item,
    known: Option<String>,
}

struct Finished {
    number: usize,
    done: Done,
    /// Its line, where that stands in the output already.
    known: Option<String>,
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    /// No more items are to be begun.
    interrupted: AtomicBool,
    /// Items handed out so far.
    begun: AtomicUsize,
    /// Why the work ended early.
    fault: Mutex<Option<AnalyzeError>>,
    /// To stop the searches in work at once.
    controls: Mutex<Vec<Control>>,
}

/// What an earlier run has left.
struct Earlier {
    path: PathBuf,
    known: Known,
    has_torn_line: bool,
    /// An item has been read behind its lines.
    is_spent: bool,
}

impl Earlier {
    /// The next line, without its end.
    fn line(&mut self) -> Result<Option<String>, AnalyzeError> {
        let mut line = Vec::new();
        let read = self.known.read_until(b'\n', &mut line);
        let read = read.map_err(|source| AnalyzeError::Resume { path: self.path.clone(), source })?;
        self.is_spent = read == 0;
        // What is no text is no result either; the comparison reports it.
        Ok((read > 0).then(|| String::from_utf8_lossy(line.trim_ascii_end()).into_owned()))
    }

    /// Makes sure that nothing is left when the input has ended.
    fn end(mut self, lines: usize) -> Result<(), AnalyzeError> {
        // A line that was cut off was that of the first item behind the known ones.
        let is_over = self.is_spent || (self.line()?.is_none() && !self.has_torn_line);
        if is_over { Ok(()) } else { Err(AnalyzeError::Leftover { path: self.path, lines }) }
    }
}

impl Shared {
    /// Ends the work for a reason.
    fn fail(&self, error: AnalyzeError) {
        self.fault.lock().get_or_insert(error);
        self.interrupted.store(true, Ordering::SeqCst);
    }
}

/// Analyses what the arguments name.
pub fn run(arguments: &Analyze) -> Result<(), Failure> {
    let beside = arguments.resume.as_deref().map(settings_path);
    // A page of an earlier run is left out of its folder; a record that the page would replace is an input.
    let any_format = arguments.from_format.is_some();
    let page = arguments.report.as_deref().filter(|path| !is_record(path) && (!any_format || is_page(path)));
    let outputs: Vec<&Path> = [page, arguments.resume.as_deref(), beside.as_deref()].into_iter().flatten().collect();
    let named = expand(&arguments.files, any_format, &outputs);
    if arguments.files.iter().any(|path| path.as_os_str() == "-") && std::io::stdin().is_terminal() {
        note("reading positions (FEN, one a line) from standard input; see chuhe analyze --help");
    }
    // What was named by the user is an input even where a folder leaves it out.
    let inputs: Vec<PathBuf> = named.iter().flatten().chain(&arguments.files).chain(&arguments.book).cloned().collect();
    check_outputs(arguments, &inputs)?;
    let book = arguments.book()?;
    let shared = Arc::new(Shared::default());
    listen_for_interrupts(&shared);
    let jobs = arguments.jobs as usize;
    let (target, earlier) = match &arguments.resume {
        Some(path) => {
            let (file, known) = ResumeFile::open(path, arguments, &inputs)?;
            let earlier = Earlier { path: path.clone(), known, has_torn_line: file.has_torn_line(), is_spent: false };
            (Target::File(Box::new(file)), Some(earlier))
        }
        None if arguments.is_summary() => (Target::Summary(Output::streaming()), None),
        None => (Target::Lines(Output::streaming()), None),
    };
    let (task_sender, tasks) = bounded::<Task>(jobs);
    let (finished_sender, finished) = bounded::<Finished>(jobs);
    // A token for every item in work: taken before reading it, given back when its line is written.
    let (token_sender, tokens) = bounded::<()>(jobs * WINDOW);
    for _ in 0..jobs * WINDOW {
        let _ = token_sender.send(());
    }
    let bar = progress::count("lines");
    count_in_background(arguments, &named, &bar);
    spawn_reader(arguments, named, earlier, &shared, tokens, task_sender);
    for _ in 0..jobs {
        spawn_worker(arguments, &shared, &tasks, &finished_sender);
    }
    drop((tasks, finished_sender));
    let mut writer = Writer::new(arguments, book, target, bar);
    let mut received = 0;
    let mut waiting = BTreeMap::new();
    loop {
        // Waking now and then notices an interrupt while the reader waits for standard input.
        match finished.recv_timeout(Duration::from_millis(50)) {
            Ok(item) => {
                received += 1;
                waiting.insert(item.number, item);
                while let Some(item) = waiting.remove(&writer.lines) {
                    writer.put(item.done, item.known.as_deref())?;
                    let _ = token_sender.send(());
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if shared.interrupted.load(Ordering::SeqCst) => {
                if shared.begun.load(Ordering::SeqCst) == received {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    let lines = writer.lines;
    let fault = shared.fault.lock().take();
    let is_interrupted = shared.interrupted.load(Ordering::SeqCst);
    let is_whole = fault.is_none() && !is_interrupted;
    let faults = writer.finish(arguments.report.as_deref(), &inputs, is_whole)?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    if is_interrupted {
        let report = if arguments.report.is_some() { "; the report is written when all are done" } else { "" };
        return Err(match &arguments.resume {
            Some(path) => AnalyzeError::InterruptedFile { lines, report, path: path.clone() },
            None => AnalyzeError::Interrupted(lines),
        }
        .into());
    }
    faults.map_or(Ok(()), |faults| Err(faults.into()))
}

/// Makes sure before the work begins that its outputs may be written, and are not one another.
fn check_outputs(arguments: &Analyze, inputs: &[PathBuf]) -> Result<(), Failure> {
    let named = [("--report", &arguments.report), ("--annotate", &arguments.annotate), ("--resume", &arguments.resume)];
    let named: Vec<(&str, &Path)> = named.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    for (index, (option, path)) in named.iter().enumerate() {
        if let Some((other, _)) = named[..index].iter().find(|(_, other)| is_same_file(other, path)) {
            return Err(Failure::Usage(format!("{other} and {option} name the same file, expected two")));
        }
    }
    if let Some(path) = &arguments.annotate
        && let Some(format) = Format::of_path(path).filter(|format| !format.is_written())
    {
        return Err(Failure::Usage(format!("--annotate {}: {format} is not written", path.display())));
    }
    // Tried before the work begins: it may take days.
    for path in [&arguments.report, &arguments.annotate].into_iter().flatten() {
        files::try_out(path, inputs, arguments.force())?;
    }
    Ok(())
}

/// Counts what is to be done, so that the bar knows the time that is left. Standard input cannot be counted, and without a
/// terminal there is no bar.
fn count_in_background(arguments: &Analyze, named: &[Named], bar: &ProgressBar) {
    let reads_stdin = named.iter().flatten().any(|path| path.as_os_str() == "-");
    if reads_stdin || !progress::is_shown() {
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

/// The first interrupt ends the reading, the second the searches too, the third the process.
fn listen_for_interrupts(shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    let count = AtomicUsize::new(0);
    handle_interrupts(move || match count.fetch_add(1, Ordering::SeqCst) {
        0 => {
            shared.interrupted.store(true, Ordering::SeqCst);
            note("finishing the positions in work; interrupt again to cut them short");
        }
        1 => shared.controls.lock().iter().for_each(Control::stop),
        _ => {
            clean_up();
            std::process::exit(1)
        }
    });
}

/// Reads items and hands them out. The thread is not waited for: it may hang on standard input.
fn spawn_reader(
    arguments: &Analyze,
    named: Vec<Named>,
    mut earlier: Option<Earlier>,
    shared: &Arc<Shared>,
    tokens: Receiver<()>,
    tasks: Sender<Task>,
) {
    let (shared, format) = (Arc::clone(shared), arguments.from_format);
    std::thread::spawn(move || {
        let mut number = 0;
        let mut hand_out = |item: Item| {
            if tokens.recv().is_err() {
                return false;
            }
            let known = match earlier.as_mut().map_or(Ok(None), Earlier::line) {
                Ok(known) => known,
                Err(error) => {
                    shared.fail(error);
                    return false;
                }
            };
            shared.begun.fetch_add(1, Ordering::SeqCst);
            if shared.interrupted.load(Ordering::SeqCst) {
                shared.begun.fetch_sub(1, Ordering::SeqCst);
                return false;
            }
            number += 1;
            tasks.send(Task { number: number - 1, item, known }).is_ok()
        };
        if read_all(&named, format, &mut hand_out)
            && let Some(earlier) = earlier
            && let Err(error) = earlier.end(number)
        {
            shared.fail(error);
        }
    });
}

fn spawn_worker(arguments: &Analyze, shared: &Arc<Shared>, tasks: &Receiver<Task>, finished: &Sender<Finished>) {
    let (tasks, finished, shared) = (tasks.clone(), finished.clone(), Arc::clone(shared));
    let mut pool = Pool::new(arguments.threads as usize, arguments.hash as usize);
    shared.controls.lock().push(pool.control());
    let (settings, limits, fresh) = (arguments.settings(), arguments.limits(), arguments.fresh);
    let resume = arguments.resume.clone();
    std::thread::spawn(move || {
        for task in tasks {
            if fresh && task.known.is_none() && matches!(task.item, Item::Position { .. }) {
                pool.clear();
            }
            let limits = Limits { start: std::time::Instant::now(), ..limits.clone() };
            let item = match work(task, &mut pool, &limits, &settings) {
                Ok(item) => item,
                Err((line, problem)) => {
                    shared.fail(AnalyzeError::Line { path: resume.clone().unwrap_or_default(), line, problem });
                    shared.begun.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
            };
            if finished.send(item).is_err() {
                return;
            }
        }
    });
}

/// Finds what an item gives, or says in which line what an earlier run has found is not that.
fn work(task: Task, pool: &mut Pool, limits: &Limits, settings: &Settings) -> Result<Finished, (usize, KnownProblem)> {
    let (number, known) = (task.number, task.known);
    let done = match task.item {
        Item::Fault { origin, error } => Done::Fault(origin, error),
        Item::GameEnd { origin, record } => Done::GameEnd(origin, record),
        Item::Position { origin, position } => {
            let result = match &known {
                None => PositionResult::search(pool, &position, limits, settings),
                Some(line) => PositionResult::read_back(line, &position)
                    .map_err(|error| (number + 1, known::no_result(line, &position.to_fen(), error)))?,
            };
            Done::Position(origin, Box::new(result))
        }
    };
    Ok(Finished { number, done, known })
}
