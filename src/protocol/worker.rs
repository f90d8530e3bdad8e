//! The thread that owns the pool of search threads. It takes one task after the other from a channel; the session never
//! waits for it and learns of the end of every task by an event.

use super::Event;
use super::command::Ranks;
use super::dialect::{Dialect, MoveText};
use super::stdio::{LONGEST_LINE, Output};
use crate::board::{Board, Level, Position};
use crate::search::{Bound, Info, Limits, Outcome, Report, Score, Settings};
use crate::threads::{Control, Pool, STACK, bench};
use crate::types::Move;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How lines of analysis are written during one search.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// The protocol.
    pub dialect: Dialect,
    /// How coordinates are written.
    pub ranks: Ranks,
    /// Notation and encoding besides coordinates.
    pub move_text: MoveText,
    /// Whether UCI reports the chances to win, draw and lose.
    pub show_wdl: bool,
}

/// A search to run.
pub struct SearchTask {
    /// Where.
    pub position: Position,
    /// How long.
    pub limits: Limits,
    /// By which settings.
    pub settings: Settings,
    /// How to report it.
    pub style: LineStyle,
}

enum Task {
    Search(Box<SearchTask>),
    Perft(Box<Position>, u32, Ranks),
    Bench([Option<usize>; 3]),
    Threads(usize),
    Hash(usize),
    Clear,
}

/// The session's handle of the thread.
pub struct Worker {
    tasks: Sender<Task>,
    control: Control,
    cancel: Arc<AtomicBool>,
    is_hurried: Arc<AtomicBool>,
}

impl Worker {
    /// Starts the thread with a pool of this size. The pool is ready with the first event, and every task ends with one event.
    /// The thread calls the `listener`, which returns whether there will be more tasks.
    ///
    /// # Errors
    /// When the system provides no thread.
    pub fn start(
        threads: usize,
        hash_mib: usize,
        output: Output,
        mut listener: impl FnMut(Event) -> bool + Send + 'static,
    ) -> std::io::Result<Worker> {
        let (tasks, inbox) = unbounded();
        // The session need not wait for the pool's memory and the network.
        let (control, make_pool) = Pool::prepare(threads, hash_mib);
        let [cancel, is_hurried] = [(), ()].map(|()| Arc::new(AtomicBool::new(false)));
        let seen = [Arc::clone(&cancel), Arc::clone(&is_hurried)];
        let work = move || {
            let [cancel, is_hurried] = seen;
            let workshop = Workshop { pool: make_pool(), output, cancel, is_hurried };
            let (has_threads, has_mib) = (workshop.pool.threads(), workshop.pool.hash_mib());
            let event = if has_threads < threads {
                Event::FewerThreads(has_threads)
            } else if has_mib < hash_mib {
                Event::SmallerHash(has_mib)
            } else {
                Event::Done
            };
            workshop.work(event, &inbox, &mut listener);
        };
        std::thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(work)?;
        Ok(Worker { tasks, control, cancel, is_hurried })
    }

    fn send(&self, task: Task) {
        // The thread lives as long as its channel; a failed send can only mean that the process is ending.
        let _ = self.tasks.send(task);
    }

    /// Begins a search.
    pub fn search(&self, task: SearchTask) {
        // A stop or ponderhit that comes before the task's turn must not be lost.
        self.control.arm();
        self.send(Task::Search(Box::new(task)));
    }

    /// Counts the positions below each move.
    pub fn perft(&self, position: Position, depth: u32, ranks: Ranks) {
        self.cancel.store(false, Ordering::Relaxed);
        self.send(Task::Perft(Box::new(position), depth, ranks));
    }

    /// Runs the benchmark: depth, threads and MiB of hash where given.
    pub fn bench(&self, arguments: [Option<usize>; 3]) {
        self.send(Task::Bench(arguments));
    }

    /// Changes the number of search threads.
    pub fn set_threads(&self, threads: usize) {
        self.send(Task::Threads(threads));
    }

    /// Changes the size of the table.
    pub fn set_hash(&self, mib: usize) {
        self.send(Task::Hash(mib));
    }

    /// Forgets everything learnt.
    pub fn clear(&self) {
        self.send(Task::Clear);
    }

    /// Has the tasks end without the memory of a large table that is not there yet: nobody will need it.
    pub fn hurry(&self) {
        self.is_hurried.store(true, Ordering::Relaxed);
    }

    /// Ends the running search or count, or the one that has been asked for.
    pub fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.control.stop();
    }

    /// Lets the clock of a pondering search run.
    pub fn ponderhit(&self) {
        self.control.ponderhit();
    }

    /// The handle of the pool.
    pub fn control(&self) -> &Control {
        &self.control
    }
}

/// What the thread works with.
struct Workshop {
    pool: Pool,
    output: Output,
    cancel: Arc<AtomicBool>,
    is_hurried: Arc<AtomicBool>,
}

impl Workshop {
    /// Reports the start by its event, then takes task after task.
    fn work(mut self, start: Event, inbox: &Receiver<Task>, listener: &mut dyn FnMut(Event) -> bool) {
        let mut is_heard = self.report(start, inbox, listener);
        while is_heard && let Ok(task) = inbox.recv() {
            let event = self.perform(task);
            is_heard = self.report(event, inbox, listener);
        }
    }

    fn perform(&mut self, task: Task) -> Event {
        match task {
            Task::Search(task) => Event::Finished(self.search(&task)),
            Task::Perft(position, depth, ranks) => {
                self.perft(position.board(), depth, ranks);
                Event::Counted
            }
            Task::Bench(arguments) => {
                self.bench(arguments);
                Event::Counted
            }
            Task::Threads(threads) => {
                let there = self.pool.set_threads(threads);
                if there < threads { Event::FewerThreads(there) } else { Event::Done }
            }
            Task::Hash(mib) => {
                let there = self.pool.set_hash(mib);
                if there < mib { Event::SmallerHash(there) } else { Event::Done }
            }
            Task::Clear => {
                self.pool.clear();
                Event::Done
            }
        }
    }

    /// Reports the end of a task. The table is made ready as long as no other task waits: before `readyok`, but after the answer of a
    /// search that a client has begun without waiting. Returns whether anybody hears the event.
    fn report(&self, event: Event, inbox: &Receiver<Task>, listener: &mut dyn FnMut(Event) -> bool) -> bool {
        let prepare_table = || self.pool.prepare_table(|| inbox.is_empty() && !self.is_hurried.load(Ordering::Relaxed));
        if matches!(event, Event::Finished(_) | Event::Counted) {
            let is_heard = listener(event);
            prepare_table();
            is_heard
        } else {
            prepare_table();
            listener(event)
        }
    }

    fn search(&mut self, task: &SearchTask) -> Outcome {
        let mut reporter = Reporter {
            output: &self.output,
            board: *task.position.board(),
            multipv: task.limits.multipv,
            style: task.style,
            start: task.limits.start,
            written: None,
            held: None,
        };
        let outcome = self.pool.search(&task.position, &task.limits, &task.settings, &mut reporter);
        if let Some(info) = reporter.held.take() {
            reporter.write(&info);
        }
        outcome
    }

    /// The benchmark has a pool of its own, so that its count doesn't depend on what was searched before.
    fn bench(&self, [depth, threads, hash]: [Option<usize>; 3]) {
        let depth = depth.map_or(bench::DEFAULT_DEPTH, |depth| depth.clamp(1, 64) as i32);
        let (threads, hash) = (threads.unwrap_or(1).clamp(1, 1024), hash.unwrap_or(bench::DEFAULT_HASH).clamp(1, 4096));
        let each = |number: usize, fen: &str, nodes: u64| {
            self.output.line(&format!("info string position {number}: {nodes} nodes in {fen}"));
        };
        let measured = bench::run(depth, threads, hash, each);
        self.output.line(&format!("{} nodes {} nps", measured.nodes, measured.nodes_per_second()));
    }

    /// Counts move by move.
    fn perft(&self, board: &Board, depth: u32, ranks: Ranks) {
        let start = Instant::now();
        let mut total = 0u64;
        for &mv in &board.legal_moves() {
            let Some(count) = self.count(&board.after(mv), depth.saturating_sub(1)) else { return };
            total += count;
            self.output.line(&format!("{}: {count}", ranks.write(mv)));
        }
        let rate = total as f64 / start.elapsed().as_secs_f64().max(1e-9);
        self.output.line(&format!("info string time {} ms, {} nodes a second", start.elapsed().as_millis(), rate as u64));
        self.output.line(&format!("Nodes searched: {total}"));
    }

    /// The leaves below a position; none when it was stopped.
    fn count(&self, board: &Board, depth: u32) -> Option<u64> {
        // Three plies take a millisecond, beside which the look for a stop costs nothing.
        if depth <= 3 {
            return (!self.cancel.load(Ordering::Relaxed)).then(|| board.perft(depth, false, Level::best()));
        }
        board.legal_moves().iter().map(|&mv| self.count(&board.after(mv), depth - 1)).sum()
    }
}

/// Turns the reports of the search into lines.
struct Reporter<'a> {
    output: &'a Output,
    board: Board,
    multipv: usize,
    style: LineStyle,
    start: Instant,
    /// The line that was written last.
    written: Option<Info>,
    /// A line that said nothing new; it is written at the end unless another one comes.
    held: Option<Info>,
}

/// A line that says nothing new is not written so soon after the last one: where everything is decided, hundreds of iterations end
/// within a moment, and clients that draw every line show them for seconds.
const REPEAT_TIME: Duration = Duration::from_millis(500);

/// Searches shorter than this do not report the current move: it would only flicker by.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// Whether two lines have the same score and moves. The search varies the score of a draw by a point.
fn say_the_same(first: &Info, second: &Info) -> bool {
    let score = |info: &Info| if let Score::Centipawns(-1..=1) = info.score { Score::Centipawns(0) } else { info.score };
    let are_exact = first.bound == Bound::Exact && second.bound == Bound::Exact;
    are_exact && score(first) == score(second) && first.pv == second.pv
}

impl Reporter<'_> {
    fn write(&self, info: &Info) {
        let LineStyle { dialect, ranks, move_text, show_wdl } = self.style;
        self.output.line(&dialect.line(info, self.multipv, show_wdl, ranks));
        // The words avoid everything that clients look for in info lines.
        let head = dialect.message(&format!("line {}", info.multipv));
        if let Some(line) = move_text.line(&head, &self.board, &info.pv, LONGEST_LINE) {
            self.output.raw(line);
        }
    }
}

impl Report for Reporter<'_> {
    fn line(&mut self, info: &Info) {
        let is_repeated =
            |written: &Info| self.multipv == 1 && say_the_same(written, info) && info.time < written.time + REPEAT_TIME;
        if self.written.as_ref().is_some_and(is_repeated) {
            self.held = Some(info.clone());
        } else {
            self.held = None;
            self.write(info);
            self.written = Some(info.clone());
        }
    }

    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        if self.start.elapsed() >= QUIET_TIME {
            self.output.line(&self.style.dialect.current_move(depth, mv, number, self.style.ranks));
        }
    }
}
