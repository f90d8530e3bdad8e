//! From items to lines: one thread reads, some search, the calling one writes in the order of the input.

use super::Analyze;
use super::input::{Fault, Input, Item};
use crate::book;
use crate::records::Record;
use crate::report::{GameReview, Page, PositionResult};
use crate::search::Settings;
use crate::threads::{Control, Pool};
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
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

/// What an item has become.
enum Done {
    Position(Box<PositionResult>),
    Fault(Fault),
    GameEnd { game: usize, record: Box<Record> },
}

struct Finished {
    number: usize,
    done: Done,
    /// Whether its line stands in the output already.
    known: bool,
}

/// What the threads share.
#[derive(Default)]
struct Shared {
    /// No more items are to be begun.
    interrupted: AtomicBool,
    /// Items handed out so far.
    begun: AtomicUsize,
    /// Why reading ended early.
    fault: Mutex<Option<String>>,
    /// To stop the searches in work at once.
    controls: Mutex<Vec<Control>>,
}

/// Analyses what the arguments name.
pub fn run(arguments: &Analyze) -> Result<(), String> {
    let shared = Arc::new(Shared::default());
    listen_for_interrupts(&shared)?;
    let jobs = arguments.jobs as usize;
    let (mut output, known) = open_output(arguments.resume.as_deref())?;
    let (task_sender, tasks) = bounded::<Task>(jobs);
    let (finished_sender, finished) = bounded::<Finished>(jobs);
    // A token for every item in work: taken before reading it, given back when its line is written.
    let (token_sender, tokens) = bounded::<()>(jobs * WINDOW);
    for _ in 0..jobs * WINDOW {
        let _ = token_sender.send(());
    }
    spawn_reader(arguments, known, &shared, tokens, task_sender);
    for _ in 0..jobs {
        spawn_worker(arguments, &shared, &tasks, &finished_sender);
    }
    drop((tasks, finished_sender));
    let mut writer = Writer::new(arguments, &mut output);
    let mut received = 0;
    let mut waiting = BTreeMap::new();
    loop {
        // Waking now and then notices an interrupt while the reader waits for standard input.
        match finished.recv_timeout(Duration::from_millis(50)) {
            Ok(item) => {
                received += 1;
                waiting.insert(item.number, item);
                while let Some(item) = waiting.remove(&writer.lines) {
                    writer.put(item)?;
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
    writer.finish(arguments.report.as_deref())?;
    if let Some(fault) = shared.fault.lock().take() {
        return Err(fault);
    }
    if shared.interrupted.load(Ordering::SeqCst) {
        return Err(match &arguments.resume {
            Some(path) => format!("interrupted; {lines} lines are done, which --resume {} will skip", path.display()),
            None => format!("interrupted; {lines} lines are done; keep them in a file and go on behind them with --resume FILE"),
        });
    }
    Ok(())
}

/// The first interrupt ends the reading, the second the searches too, the third the process.
fn listen_for_interrupts(shared: &Arc<Shared>) -> Result<(), String> {
    let shared = Arc::clone(shared);
    let count = AtomicUsize::new(0);
    ctrlc::set_handler(move || match count.fetch_add(1, Ordering::SeqCst) {
        0 => {
            shared.interrupted.store(true, Ordering::SeqCst);
            eprintln!("chuhe: finishing the positions in work; interrupt again to cut them short");
        }
        1 => shared.controls.lock().iter().for_each(Control::stop),
        _ => std::process::exit(1),
    })
    .map_err(|error| format!("interrupts cannot be caught: {error}"))
}

type Known = Option<io::Take<BufReader<File>>>;

/// The output, and the lines of an earlier run in it. A last line without an end was cut off and is written again.
fn open_output(resume: Option<&Path>) -> Result<(Box<dyn Write>, Known), String> {
    let Some(path) = resume else { return Ok((Box::new(BufWriter::new(io::stdout())), None)) };
    let failed = |error: io::Error| format!("--resume {}: {error}", path.display());
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = options.map_err(failed)?;
    let whole = end_of_last_line(&mut file).map_err(failed)?;
    file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
    let earlier = BufReader::new(File::open(path).map_err(failed)?).take(whole);
    Ok((Box::new(BufWriter::new(file)), Some(earlier)))
}

/// Bytes up to and with the last line feed.
fn end_of_last_line(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = [0u8; 4096];
    while end > 0 {
        let size = end.min(block.len() as u64) as usize;
        file.seek(SeekFrom::Start(end - size as u64))?;
        file.read_exact(&mut block[..size])?;
        if let Some(at) = block[..size].iter().rposition(|&byte| byte == b'\n') {
            return Ok(end - size as u64 + at as u64 + 1);
        }
        end -= size as u64;
    }
    Ok(0)
}

/// Reads items and hands them out. The thread is not waited for: it may hang on standard input.
fn spawn_reader(arguments: &Analyze, mut known: Known, shared: &Arc<Shared>, tokens: Receiver<()>, tasks: Sender<Task>) {
    let (shared, files) = (Arc::clone(shared), arguments.files.clone());
    let mut input = Input::new(arguments.from_format, files.len() > 1);
    std::thread::spawn(move || {
        let mut number = 0;
        let mut hand_out = |item: Item| {
            if tokens.recv().is_err() {
                return false;
            }
            let mut line = String::new();
            let known = known.as_mut().and_then(|known| match known.read_line(&mut line) {
                Ok(1..) => Some(std::mem::take(&mut line)),
                _ => None,
            });
            shared.begun.fetch_add(1, Ordering::SeqCst);
            if shared.interrupted.load(Ordering::SeqCst) {
                shared.begun.fetch_sub(1, Ordering::SeqCst);
                return false;
            }
            number += 1;
            tasks.send(Task { number: number - 1, item, known }).is_ok()
        };
        for file in files {
            match input.read(&file, &mut hand_out) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    *shared.fault.lock() = Some(error);
                    return;
                }
            }
        }
    });
}

fn spawn_worker(arguments: &Analyze, shared: &Arc<Shared>, tasks: &Receiver<Task>, finished: &Sender<Finished>) {
    let (tasks, finished, shared) = (tasks.clone(), finished.clone(), Arc::clone(shared));
    let mut pool = Pool::new(arguments.threads as usize, arguments.hash as usize);
    shared.controls.lock().push(pool.control());
    let (settings, limits, fresh) = (arguments.settings(), arguments.limits(), arguments.fresh);
    std::thread::spawn(move || {
        for task in tasks {
            if fresh && task.known.is_none() && matches!(task.item, Item::Position { .. }) {
                pool.clear();
            }
            let limits = crate::search::Limits { start: std::time::Instant::now(), ..limits.clone() };
            let item = match work(task, &mut pool, &limits, &settings) {
                Ok(item) => item,
                Err(error) => {
                    *shared.fault.lock() = Some(error);
                    shared.interrupted.store(true, Ordering::SeqCst);
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

fn work(task: Task, pool: &mut Pool, limits: &crate::search::Limits, settings: &Settings) -> Result<Finished, String> {
    let number = task.number;
    let known = task.known.is_some();
    let done = match task.item {
        Item::Fault(fault) => Done::Fault(fault),
        Item::GameEnd { game, record } => Done::GameEnd { game, record },
        Item::Position { position, game } => {
            let mut result = match task.known {
                None => PositionResult::search(pool, &position, limits, settings),
                Some(line) => earlier_result(&line, &position.to_fen())
                    .map_err(|problem| format!("--resume: line {}: {problem}", number + 1))?,
            };
            (result.game, result.ply) = (game.map(|(game, _)| game), game.map(|(_, ply)| ply));
            Done::Position(Box::new(result))
        }
    };
    Ok(Finished { number, done, known })
}

/// The result that an earlier run wrote for this position.
fn earlier_result(line: &str, fen: &str) -> Result<PositionResult, String> {
    let result: PositionResult =
        serde_json::from_str(line).map_err(|error| format!("no result of this program ({error}); expected one for {fen}"))?;
    if result.fen == fen { Ok(result) } else { Err(format!("is for {}, expected {fen}: the input has changed", result.fen)) }
}

/// The summary of a game, told from a position's line by its member `review`.
#[derive(Serialize)]
struct ReviewLine<'a> {
    review: &'a GameReview,
}

/// Writes lines in order and collects what belongs to a game.
struct Writer<'a> {
    arguments: &'a Analyze,
    output: &'a mut dyn Write,
    lines: usize,
    faults: usize,
    game_results: Vec<PositionResult>,
    page: Option<Page>,
    bar: ProgressBar,
}

impl<'a> Writer<'a> {
    fn new(arguments: &'a Analyze, output: &'a mut dyn Write) -> Writer<'a> {
        // Without a terminal on stderr nothing is drawn.
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} lines, {per_sec}, {elapsed_precise}") {
            bar.set_style(style);
        }
        let page = arguments.report.as_ref().map(|_| Page::new(arguments.style()));
        Writer { arguments, output, lines: 0, faults: 0, game_results: Vec::new(), page, bar }
    }

    fn put(&mut self, item: Finished) -> Result<(), String> {
        self.lines += 1;
        self.bar.inc(1);
        match item.done {
            Done::Fault(fault) => {
                self.faults += 1;
                self.line(&fault, item.known)?;
            }
            Done::Position(result) => {
                self.line(&result, item.known)?;
                if result.game.is_some() {
                    self.game_results.push(*result);
                } else if let Some(page) = &mut self.page {
                    page.add_position(&result);
                }
            }
            Done::GameEnd { game, record } => {
                let results = std::mem::take(&mut self.game_results);
                let rules = self.arguments.settings().rules;
                let played = record.final_position().ok();
                let opening = played.and_then(|played| book::opening_of(&played)).map(ToString::to_string);
                match GameReview::new(game, &record, &results, self.arguments.notation, &rules, opening) {
                    Ok(review) => {
                        self.line(&ReviewLine { review: &review }, item.known)?;
                        if let Some(page) = &mut self.page {
                            page.add_game(&review);
                        }
                    }
                    Err(error) => {
                        self.faults += 1;
                        self.line(&Fault { file: None, line: None, game: Some(game), error }, item.known)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a line and flushes it: a reader at the other end of a pipe waits for it, and a killed process must not lose it.
    fn line<T: Serialize>(&mut self, value: &T, known: bool) -> Result<(), String> {
        if known {
            return Ok(());
        }
        let text = serde_json::to_string(value).map_err(|error| format!("output: {error}"))?;
        writeln!(self.output, "{text}").and_then(|()| self.output.flush()).map_err(|error| format!("output: {error}"))
    }

    fn finish(self, report: Option<&Path>) -> Result<(), String> {
        self.bar.finish_and_clear();
        if self.faults > 0 {
            eprintln!("chuhe: {} of {} lines are errors", self.faults, self.lines);
        }
        let (Some(page), Some(path)) = (self.page, report) else { return Ok(()) };
        std::fs::write(path, page.finish()).map_err(|error| format!("{}: {error}", path.display()))
    }
}
