//! The thread that owns the pool of search threads. It executes tasks from a channel; the session never waits for it and is notified of
//! the end of each task by an event.

use super::dialect::{Dialect, MoveText, Ranks};
use super::messages::{Message, hash_limit};
use super::stdio::{MAX_LINE, Output};
use crate::board::{Board, Level, Position};
use crate::rules::Language;
use crate::search::{Bound, Info, Limits, Outcome, Report, Score, Settings, node_time};
use crate::threads::{Control, Pool, STACK, bench};
use crate::types::Move;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum delay of `readyok` by the memory of the table, which takes minutes to prepare if it is large and the system slow: clients give
/// up after a few seconds, and a search needs only a part of a large table.
const READY_TIME: Duration = Duration::from_millis(750);

/// Events for the session other than input.
#[derive(Debug)]
pub enum Event {
    /// A search has ended.
    Finished(Outcome),
    /// A perft or bench has ended.
    Counted,
    /// Any other task has ended; a message if it did not get all threads or memory.
    Done(Option<Message<'static>>),
    /// The process that started this one has ended.
    ClientGone,
}

/// The format of info lines during a search.
#[derive(Clone, Copy, Debug)]
pub struct LineStyle {
    /// The protocol.
    pub dialect: Dialect,
    /// The protocol of lines of text.
    pub text_dialect: Dialect,
    /// The rank numbering of coordinates.
    pub ranks: Ranks,
    /// The format of human-readable moves.
    pub move_text: MoveText,
    /// Whether UCI reports win, draw and loss probabilities.
    pub show_wdl: bool,
}

/// A search to run.
pub struct SearchTask {
    /// The root position.
    pub position: Position,
    /// The limits.
    pub limits: Limits,
    /// The settings.
    pub settings: Settings,
    /// The format of reports.
    pub style: LineStyle,
}

/// The worker's current search, perft or bench, from the command to the answer.
pub struct Running {
    /// Whether an answer is due at the end; perft and bench print their own.
    pub is_search: bool,
    /// The root of the search.
    pub board: Board,
    /// Whether it is a `go ponder` before `ponderhit`.
    pub pondering: bool,
    /// Whether the answer must wait for `stop` (or `ponderhit`).
    pub held_back: bool,
    /// Whether it has no limit, or only a mate that may not exist.
    pub unlimited: bool,
    /// The start of a search whose only limit is such a mate.
    pub mate_since: Option<Instant>,
    /// The answer held back.
    pub answer: Option<Outcome>,
    /// Whether a stop was requested.
    pub stopping: bool,
    /// UCCI: whether the opponent has offered a draw.
    pub draw_offered: bool,
}

impl Running {
    /// A perft or bench: no search, and no answer from the session.
    pub fn count(board: Board) -> Running {
        Running {
            is_search: false,
            board,
            pondering: false,
            held_back: false,
            unlimited: false,
            mate_since: None,
            answer: None,
            stopping: false,
            draw_offered: false,
        }
    }

    /// Whether only a stop (or `ponderhit`, or a mate that may not exist) can end it, and none was requested.
    pub fn is_endless(&self) -> bool {
        (self.held_back || self.unlimited) && !self.stopping
    }

    /// The start of a search that a mate may still end.
    pub fn seeks_mate_since(&self) -> Option<Instant> {
        self.mate_since.filter(|_| !self.held_back && !self.stopping)
    }
}

enum Task {
    Search(Box<SearchTask>),
    Perft(Box<Position>, u32, Ranks),
    Bench([Option<usize>; 3]),
    Threads(usize),
    Hash(usize),
    Clear,
}

/// The session's handle to the thread.
pub struct Worker {
    tasks: Sender<Task>,
    control: Control,
    cancel: Arc<AtomicBool>,
    is_hurried: Arc<AtomicBool>,
}

impl Worker {
    /// Starts the thread with a pool of this size. The first event signals that the pool is ready, and every task ends with one event. The
    /// thread calls `listener` with each event, which returns whether there will be more tasks.
    ///
    /// # Errors
    /// If the system does not provide a thread.
    pub fn start(
        threads: usize,
        hash_mib: usize,
        output: Output,
        mut listener: impl FnMut(Event) -> bool + Send + 'static,
    ) -> std::io::Result<Worker> {
        let (tasks, inbox) = unbounded();
        // The session does not have to wait for the pool's memory and the network.
        let (control, make_pool) = Pool::prepare(threads, hash_mib);
        let [cancel, is_hurried] = [(), ()].map(|()| Arc::new(AtomicBool::new(false)));
        let flags = [Arc::clone(&cancel), Arc::clone(&is_hurried)];
        let work = move || {
            let [cancel, is_hurried] = flags;
            let thread = WorkerThread { pool: make_pool(), node_clock: NodeClock::default(), output, cancel, is_hurried };
            let (has_threads, has_mib) = (thread.pool.threads(), thread.pool.hash_mib());
            let fewer_threads = (has_threads < threads).then_some(Message::FewerThreads(has_threads));
            let smaller_hash = (has_mib < hash_mib).then_some(Message::SmallerHash(has_mib));
            thread.work(Event::Done(fewer_threads.or(smaller_hash)), &inbox, &mut listener);
        };
        std::thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(work)?;
        Ok(Worker { tasks, control, cancel, is_hurried })
    }

    fn send(&self, task: Task) {
        // The thread lives as long as its channel, so sending fails only when the process is ending.
        let _ = self.tasks.send(task);
    }

    /// Starts a search.
    pub fn search(&self, task: SearchTask) {
        // A stop or ponderhit that arrives before the task starts must not be lost.
        self.control.arm();
        self.send(Task::Search(Box::new(task)));
    }

    /// Starts perft, divided by root moves.
    pub fn perft(&self, position: Position, depth: u32, ranks: Ranks) {
        self.cancel.store(false, Ordering::Relaxed);
        self.send(Task::Perft(Box::new(position), depth, ranks));
    }

    /// Starts the benchmark with optional depth, threads and table size in MiB.
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

    /// Clears the table and the search statistics.
    pub fn clear(&self) {
        self.send(Task::Clear);
    }

    /// Stops preparing the memory of a large table, since it will not be needed.
    pub fn hurry(&self) {
        self.is_hurried.store(true, Ordering::Relaxed);
    }

    /// Stops the running or requested search or perft.
    pub fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.control.stop();
    }

    /// Turns a pondering search into a timed one.
    pub fn ponderhit(&self) {
        self.control.ponderhit();
    }

    /// The control of the pool.
    pub fn control(&self) -> &Control {
        &self.control
    }
}

/// The clock of a game in nodes, with the option `nodestime`. As in Stockfish, the first search of a game takes the time from its client, and
/// the clock then depends only on the nodes searched.
#[derive(Default)]
struct NodeClock {
    nodes_per_ms: u32,
    /// Nodes left, from the first search of a game on.
    left: Option<u64>,
    /// Nodes of a time control: those that the first search was given.
    given: u64,
    /// Moves to the next time control at the last search.
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// The limits of a search with the time by this clock.
    fn apply(&mut self, limits: &Limits, nodes_per_ms: u32) -> Limits {
        let mut limits = limits.clone();
        if self.nodes_per_ms != nodes_per_ms {
            *self = NodeClock { nodes_per_ms, ..NodeClock::default() };
        }
        if nodes_per_ms > 0
            && let Some(clock) = &mut limits.clock
        {
            let before = std::mem::replace(&mut self.moves_to_go, clock.moves_to_go);
            let is_renewed = before.zip(clock.moves_to_go).is_some_and(|(before, now)| before == 1 || before < now);
            let left = match self.left {
                Some(left) if is_renewed => left.saturating_add(self.given),
                Some(left) => left,
                None => {
                    self.given = nodes_in(clock.remaining, nodes_per_ms);
                    self.given
                }
            };
            self.left = Some(left);
            clock.remaining = node_time(left, nodes_per_ms);
        }
        limits
    }

    /// Counts a search with these limits.
    fn count(&mut self, limits: &Limits, nodes: u64) {
        if let (Some(left), Some(clock)) = (&mut self.left, &limits.clock) {
            *left = left.saturating_add(nodes_in(clock.increment, self.nodes_per_ms)).saturating_sub(nodes);
        }
    }
}

fn nodes_in(time: Duration, nodes_per_ms: u32) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(nodes_per_ms as u64)
}

/// The state of the worker thread.
struct WorkerThread {
    pool: Pool,
    node_clock: NodeClock,
    output: Output,
    cancel: Arc<AtomicBool>,
    is_hurried: Arc<AtomicBool>,
}

impl WorkerThread {
    /// Reports the start event, then executes tasks.
    fn work(mut self, start: Event, inbox: &Receiver<Task>, listener: &mut dyn FnMut(Event) -> bool) {
        let mut continues = self.report(start, inbox, listener);
        while continues && let Ok(task) = inbox.recv() {
            let event = self.perform(task);
            continues = self.report(event, inbox, listener);
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
                Event::Done((there < threads).then_some(Message::FewerThreads(there)))
            }
            Task::Hash(mib) => {
                let there = self.pool.set_hash(mib);
                Event::Done((there < mib).then_some(Message::SmallerHash(there)))
            }
            Task::Clear => {
                self.pool.clear();
                self.node_clock = NodeClock::default();
                Event::Done(None)
            }
        }
    }

    /// Reports the end of a task and prepares the table while no other task is queued: for up to [`READY_TIME`] before `readyok`, the rest
    /// afterwards, and not before the answer of a search that the client has started without waiting. Returns whether there will be more
    /// tasks.
    fn report(&self, event: Event, inbox: &Receiver<Task>, listener: &mut dyn FnMut(Event) -> bool) -> bool {
        let is_wanted = || inbox.is_empty() && !self.is_hurried.load(Ordering::Relaxed);
        if matches!(event, Event::Done(_)) {
            let start = Instant::now();
            self.pool.prepare_table(|| start.elapsed() < READY_TIME && is_wanted());
        }
        let continues = listener(event);
        self.pool.prepare_table(is_wanted);
        continues
    }

    fn search(&mut self, task: &SearchTask) -> Outcome {
        let mut reporter = Reporter {
            output: &self.output,
            board: *task.position.board(),
            multipv: task.limits.multipv,
            style: task.style,
            lines: task.limits.multipv.clamp(1, task.limits.root_moves(task.position.board()).count().max(1)),
            start: task.limits.start,
            block: Vec::new(),
            written: Vec::new(),
            held: Vec::new(),
        };
        let limits = self.node_clock.apply(&task.limits, task.settings.nodes_per_ms);
        let outcome = self.pool.search(&task.position, &limits, &task.settings, &mut reporter);
        self.node_clock.count(&limits, outcome.nodes);
        reporter.finish();
        outcome
    }

    /// The benchmark uses its own pool, so that its node count does not depend on earlier searches.
    fn bench(&self, [depth, threads, hash]: [Option<usize>; 3]) {
        let depth = depth.map_or(bench::DEFAULT_DEPTH, |depth| depth.clamp(1, 64) as i32);
        let (threads, mut hash) = (threads.unwrap_or(1).clamp(1, 1024), hash.unwrap_or(bench::DEFAULT_HASH).clamp(1, 4096));
        if let Some(limit) = hash_limit(hash as i64, 0) {
            self.output.line(&format!("info string {}", Message::HashLimit(limit).text(Language::English)));
            hash = limit as usize;
        }
        let each = |number: usize, fen: &str, nodes: u64| {
            self.output.line(&format!("info string position {number}: {nodes} nodes in {fen}"));
        };
        let measured = bench::run(depth, threads, hash, each);
        self.output.line(&format!("{} nodes {} nps", measured.nodes, measured.nodes_per_second()));
    }

    /// Counts leaf nodes by root move. At depth 0 the root is the only one.
    fn perft(&self, board: &Board, depth: u32, ranks: Ranks) {
        let start = Instant::now();
        let mut total = (depth == 0) as u64;
        for &mv in board.legal_moves().iter().filter(|_| depth > 0) {
            let Some(count) = self.count(&board.after(mv), depth.saturating_sub(1)) else { return };
            total += count;
            self.output.line(&format!("{}: {count}", ranks.write(mv)));
        }
        let rate = total as f64 / start.elapsed().as_secs_f64().max(1e-9);
        self.output.line(&format!("info string time {} ms, {} nodes a second", start.elapsed().as_millis(), rate as u64));
        self.output.line(&format!("Nodes searched: {total}"));
    }

    /// The number of leaf nodes below a position; `None` if it was stopped.
    fn count(&self, board: &Board, depth: u32) -> Option<u64> {
        // Three plies take a millisecond, so that checking for a stop costs nothing in comparison.
        if depth <= 3 {
            return (!self.cancel.load(Ordering::Relaxed)).then(|| board.perft(depth, false, Level::best()));
        }
        board.legal_moves().iter().map(|&mv| self.count(&board.after(mv), depth - 1)).sum()
    }
}

/// Writes the reports of a search as protocol lines.
struct Reporter<'a> {
    output: &'a Output,
    board: Board,
    multipv: usize,
    style: LineStyle,
    /// Number of lines of a finished iteration, of which the last completes a block.
    lines: usize,
    start: Instant,
    /// The lines of an incomplete block.
    block: Vec<Info>,
    /// The last block written.
    written: Vec<Info>,
    /// A repeated block, written at the end unless another one follows.
    held: Vec<Info>,
}

/// Minimum interval between repeated lines: in decided positions hundreds of iterations end within a moment, and clients that draw every
/// line would spend seconds on them.
const REPEAT_TIME: Duration = Duration::from_millis(500);

/// Searches shorter than this do not report the current move, which would only flicker.
const QUIET_TIME: Duration = Duration::from_secs(3);

/// Whether two blocks have the same lines.
fn are_repeated(first: &[Info], second: &[Info]) -> bool {
    first.len() == second.len() && first.iter().zip(second).all(|(first, second)| are_equivalent(first, second))
}

/// Whether two exact lines have the same score and moves. The search varies the score of a draw by one centipawn.
fn are_equivalent(first: &Info, second: &Info) -> bool {
    let score = |info: &Info| if let Score::Centipawns(-1..=1) = info.score { Score::Centipawns(0) } else { info.score };
    let are_exact = first.bound == Bound::Exact && second.bound == Bound::Exact;
    are_exact && score(first) == score(second) && first.pv == second.pv
}

impl Reporter<'_> {
    fn write(&self, info: &Info) {
        let LineStyle { dialect, text_dialect, ranks, move_text, show_wdl } = self.style;
        self.output.line(&dialect.line(info, self.multipv, show_wdl, ranks));
        // The text avoids all keywords that clients look for in info lines.
        let head = text_dialect.message(&format!("line {}", info.multipv));
        if let Some(line) = move_text.line(&head, &self.board, &info.pv, MAX_LINE) {
            self.output.raw(line);
        }
    }

    /// Writes the block unless it repeats the last one too early.
    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        let (Some(new), old) = (block.first(), self.written.first()) else { return };
        let is_early = old.is_some_and(|old| new.time < old.time + REPEAT_TIME);
        if is_early && are_repeated(&self.written, &block) {
            self.held = block;
        } else {
            self.held.clear();
            block.iter().for_each(|info| self.write(info));
            self.written = block;
        }
    }

    /// Writes what is left at the end of the search.
    fn finish(&mut self) {
        self.end_block();
        std::mem::take(&mut self.held).iter().for_each(|info| self.write(info));
    }
}

impl Report for Reporter<'_> {
    fn line(&mut self, info: &Info) {
        // A search of fewer moves, such as one at random, has incomplete blocks only.
        if info.multipv == 1 {
            self.end_block();
        }
        self.block.push(info.clone());
        if info.multipv == self.lines {
            self.end_block();
        }
    }

    fn current_move(&mut self, depth: i32, mv: Move, number: usize) {
        if self.start.elapsed() >= QUIET_TIME {
            self.output.line(&self.style.dialect.current_move(depth, mv, number, self.style.ranks));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::stdio::output_tests::Shared;
    use crate::records::TextEncoding;
    use crate::search::Clock;

    /// The milliseconds left by the clock of nodes at each search of a game whose searches take 600 milliseconds each.
    fn left(moves_to_go: &[Option<u32>]) -> Vec<u128> {
        let mut clock = NodeClock::default();
        let search = |&moves_to_go: &Option<u32>| {
            let time = Clock { remaining: Duration::from_secs(1), increment: Duration::ZERO, moves_to_go };
            let limits = clock.apply(&Limits { clock: Some(time), ..Limits::none() }, 10);
            clock.count(&limits, 6_000);
            limits.clock.expect("a clock").remaining.as_millis()
        };
        moves_to_go.iter().map(search).collect()
    }

    #[test]
    fn a_time_control_renews_the_clock_of_nodes() {
        assert_eq!(left(&[None; 3]), [1000, 400, 0]);
        assert_eq!(left(&[Some(2), Some(1), Some(2), Some(1)]), [1000, 400, 1000, 400]);
        // The last move before a time control, each time.
        assert_eq!(left(&[Some(1); 3]), [1000, 1400, 1800]);
    }

    /// Depth and number of the lines written when lines with this depth, number, score and time in milliseconds are reported.
    fn written(lines: usize, reports: &[(i32, usize, i32, u64)]) -> Vec<(String, String)> {
        let sink = Shared::default();
        let output = Output::start(sink.clone(), || true, |error| panic!("{error}")).expect("a thread");
        let mut reporter = Reporter {
            output: &output,
            board: *Position::startpos().board(),
            multipv: lines,
            style: LineStyle {
                dialect: Dialect::Uci,
                text_dialect: Dialect::Uci,
                ranks: Ranks::FromZero,
                move_text: MoveText { system: None, encoding: TextEncoding::Utf8 },
                show_wdl: false,
            },
            lines,
            start: Instant::now(),
            block: Vec::new(),
            written: Vec::new(),
            held: Vec::new(),
        };
        for &(depth, multipv, score, time) in reports {
            reporter.line(&Info {
                depth,
                selective_depth: depth,
                multipv,
                score: Score::Centipawns(score),
                bound: Bound::Exact,
                wdl: [0, 1000, 0],
                nodes: 1,
                time: Duration::from_millis(time),
                hashfull: 0,
                tbhits: 0,
                pv: vec![Move::from_uci("h2e2").expect("a move")],
            });
        }
        reporter.finish();
        output.end(None);
        let text = String::from_utf8(sink.0.lock().clone()).expect("text");
        let value =
            |line: &str, name: &str| line.split(' ').skip_while(|&word| word != name).nth(1).expect("a value").to_string();
        text.lines().map(|line| (value(line, "depth"), value(line, "multipv"))).collect()
    }

    fn is_written(lines: usize, reports: &[(i32, usize, i32, u64)], expected: &[(i32, usize)]) {
        let expected: Vec<_> = expected.iter().map(|(depth, number)| (depth.to_string(), number.to_string())).collect();
        assert_eq!(written(lines, reports), expected, "{reports:?}");
    }

    #[test]
    fn a_repeated_line_is_written_after_a_while_and_at_the_end() {
        is_written(1, &[(1, 1, 50, 0), (2, 1, 50, 1), (3, 1, 50, 2)], &[(1, 1), (3, 1)]);
        is_written(1, &[(1, 1, 50, 0), (2, 1, 50, 499), (3, 1, 50, 500)], &[(1, 1), (3, 1)]);
        is_written(1, &[(1, 1, 50, 0), (2, 1, 50, 1), (3, 1, 51, 2)], &[(1, 1), (3, 1)]);
    }

    #[test]
    fn several_lines_are_repeated_or_written_together() {
        let same = [(1, 1, 50, 0), (1, 2, 40, 0), (2, 1, 50, 1), (2, 2, 40, 1), (3, 1, 50, 2), (3, 2, 40, 2)];
        is_written(2, &same, &[(1, 1), (1, 2), (3, 1), (3, 2)]);
        let changed = [(1, 1, 50, 0), (1, 2, 40, 0), (2, 1, 50, 1), (2, 2, 30, 1)];
        is_written(2, &changed, &[(1, 1), (1, 2), (2, 1), (2, 2)]);
        let late = [(1, 1, 50, 0), (1, 2, 40, 0), (2, 1, 50, 600), (2, 2, 40, 600), (3, 1, 50, 601), (3, 2, 40, 601)];
        is_written(2, &late, &[(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]);
    }

    #[test]
    fn incomplete_blocks_are_written_too() {
        let part = [(1, 1, 50, 0), (1, 2, 40, 0), (2, 1, 50, 1)];
        is_written(2, &part, &[(1, 1), (1, 2), (2, 1)]);
        is_written(3, &[(1, 1, 50, 0), (2, 1, 40, 1), (2, 2, 30, 1)], &[(1, 1), (2, 1), (2, 2)]);
    }
}
