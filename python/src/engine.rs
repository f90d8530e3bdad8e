//! Searching in this process. The GIL is released during a search.

use crate::board::Board;
use crate::evaluate::Network;
use crate::record::Record;
use crate::ruling::rules;
use crate::{error, word};
use chuhe::book::{Book, opening_of};
use chuhe::memory::too_little_for_tables;
use chuhe::notation::{Notation, System};
use chuhe::report::{GameReview, Line, PositionResult};
use chuhe::search::{self, Info, Limits, Report, Score, Settings};
use chuhe::threads::{Control, ELO_RANGE, Pool, STACK};
use chuhe::types::Move;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// Most threads, and largest hash table in MiB.
const MOST: (usize, usize) = (256, 1 << 16);
/// Longest search time in seconds: one day.
const LONGEST: f64 = 86_400.0;
/// Interval at which a search that reports nothing is checked for Ctrl-C.
const POLL: Duration = Duration::from_millis(100);

const CLOSED: &str = "the engine is closed";
const FORKED: &str = "the engine's threads are in the process that created it; expected a new engine, or threads=1";

/// A search engine with its own hash table. It runs one search at a time; several engines can search in parallel.
#[pyclass(frozen, subclass, module = "chuhe._chuhe")]
pub struct Engine {
    /// `None` after `close`.
    pool: Mutex<Option<Pool>>,
    closed: AtomicBool,
    /// Calls of `stop`: a review ends at one, also between two searches.
    stops: AtomicUsize,
    control: Control,
    settings: Settings,
    /// The process that created the engine: a fork of it has none of the threads.
    process: u32,
}

/// The limits of a search, as passed from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    depth: Option<i32>,
    nodes: Option<u64>,
    movetime: Option<f64>,
    mate: Option<u32>,
    multipv: usize,
    searchmoves: Vec<String>,
}

impl Wanted {
    fn limits(&self, board: &Board) -> PyResult<Limits> {
        searchable(board)?;
        let movetime = match self.movetime {
            Some(seconds) if (0.0..=LONGEST).contains(&seconds) => Some(Duration::from_secs_f64(seconds)),
            Some(seconds) => return Err(error(format!("movetime {seconds}: expected seconds from 0 to {LONGEST}"))),
            None => None,
        };
        if !(1..=128).contains(&self.multipv) {
            return Err(error(format!("multipv {}: expected 1 to 128", self.multipv)));
        }
        if self.depth.is_some_and(|depth| depth < 1) {
            return Err(error("depth: expected at least 1"));
        }
        // No mate is that short, so the search would never end.
        if self.mate == Some(0) {
            return Err(error("mate: expected at least 1"));
        }
        let search_moves = self.searchmoves.iter().map(|mv| board.legal(mv)).collect::<PyResult<Vec<Move>>>()?;
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime,
            mate: self.mate,
            multipv: self.multipv,
            search_moves,
            ..Limits::none()
        })
    }
}

/// An error for a composed diagram with a pawn on a point that it cannot reach: like the program's commands, the engine does not search it.
fn searchable(board: &Board) -> PyResult<()> {
    chuhe::board::Board::from_fen(&board.position.board().to_fen()).map(drop).map_err(error)
}

/// Raises for a composed diagram, which engines do not search.
#[pyfunction]
pub fn _require_searchable(board: &Bound<'_, Board>) -> PyResult<()> {
    let board = board.try_borrow()?.clone();
    searchable(&board)
}

/// Passes the lines of a search on to the thread that called it.
struct Lines(Sender<Info>);

impl Report for Lines {
    fn line(&mut self, info: &Info) {
        // The receiver lives until the search has ended.
        let _ = self.0.send(info.clone());
    }
}

/// Keeps the latest exact line of every multi-PV rank, forwards these lines to the callback, and checks for Ctrl-C.
struct Listener<'a> {
    lines: Vec<Option<Info>>,
    on_line: Option<&'a Py<PyAny>>,
    board: &'a Board,
    control: &'a Control,
    closed: &'a AtomicBool,
    /// The exception raised by the callback or a signal handler.
    raised: Option<PyErr>,
}

impl Listener<'_> {
    fn attend(&mut self, info: Option<&Info>) {
        // Repeated, because a stop requested before the search had begun had no effect.
        if self.raised.is_some() || self.closed.load(Ordering::Relaxed) {
            self.control.stop();
        }
        if self.raised.is_some() {
            return;
        }
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            if let (Some(info), Some(on_line)) = (info, self.on_line) {
                let result = result(self.board, info.depth, info.nodes, info.time, vec![info.clone().into()], None);
                on_line.call1(py, (json(py, &result)?,))?;
            }
            PyResult::Ok(())
        });
        if let Err(raised) = outcome {
            self.raised = Some(raised);
            self.control.stop();
        }
    }

    /// Attends to the lines of a search on another thread until it ends. A search may report nothing for minutes, so Ctrl-C is not left to it.
    fn follow(&mut self, lines: &Receiver<Info>) {
        loop {
            match lines.recv_timeout(POLL) {
                Ok(info) => self.line(&info),
                Err(RecvTimeoutError::Timeout) => self.attend(None),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn line(&mut self, info: &Info) {
        let index = info.multipv.saturating_sub(1);
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        let is_exact = info.bound == search::Bound::Exact;
        if is_exact || self.lines[index].is_none() {
            self.lines[index] = Some(info.clone());
        }
        // A result cannot say that its score is only a bound.
        self.attend(is_exact.then_some(info));
    }
}

fn result(board: &Board, depth: i32, nodes: u64, time: Duration, lines: Vec<Line>, best: Option<Move>) -> PositionResult {
    PositionResult {
        board: *board.position.board(),
        fen: board.position.to_fen(),
        depth,
        nodes,
        time_ms: time.as_millis() as u64,
        lines,
        best,
        ended: None,
    }
}

/// Converts a result to a Python dictionary, by way of the JSON that `chuhe analyze` prints.
fn json(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(value).map_err(error)?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}

/// Converts a UCCI score; `None` if it is out of range.
#[pyfunction]
pub fn _score_from_ucci(py: Python<'_>, number: i32) -> PyResult<Option<Bound<'_, PyDict>>> {
    let (kind, number) = match chuhe::protocol::score_from_ucci(number) {
        Some(Score::Centipawns(number)) => ("cp", number),
        Some(Score::Mate(number)) => ("mate", number),
        None => return Ok(None),
    };
    let score = PyDict::new(py);
    score.set_item(kind, number)?;
    Ok(Some(score))
}

/// Whether this process is a fork of the one that created the pool, in which the threads besides the caller's do not exist.
fn lacks_threads(process: u32, pool: Option<&Pool>) -> bool {
    std::process::id() != process && pool.is_some_and(|pool| pool.threads() > 1)
}

impl Drop for Engine {
    fn drop(&mut self) {
        let pool = self.pool.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        if lacks_threads(self.process, pool.as_ref()) {
            // It would wait for the end of threads that do not exist.
            std::mem::forget(pool.take());
        }
    }
}

impl Engine {
    /// Locks the pool; fails if a search is running or the engine is closed.
    fn pool(&self) -> PyResult<MutexGuard<'_, Option<Pool>>> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(error(CLOSED));
        }
        let pool = match self.pool.try_lock() {
            Ok(pool) => pool,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(error("the engine is searching; stop it first, or take another engine"));
            }
        };
        // A search would wait for the other threads for ever.
        if lacks_threads(self.process, pool.as_ref()) { Err(error(FORKED)) } else { Ok(pool) }
    }

    fn search(&self, board: &Board, limits: &Limits, on_line: Option<&Py<PyAny>>) -> PyResult<PositionResult> {
        let mut guard = self.pool()?;
        if let Some(result) = PositionResult::of_rules(&board.position, &self.settings.rules) {
            return Ok(result);
        }
        let pool = guard.as_mut().ok_or_else(|| error(CLOSED))?;
        let start = Instant::now();
        let mut listener =
            Listener { lines: Vec::new(), on_line, board, control: &self.control, closed: &self.closed, raised: None };
        let (lines, arriving) = channel();
        let outcome = std::thread::scope(|scope| {
            let settings = &self.settings;
            let run = move || pool.search(&board.position, limits, settings, &mut Lines(lines));
            // The stack of the caller may be too small: Python's threads have those of the system, or of `threading.stack_size`.
            let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK).spawn_scoped(scope, run);
            let thread = thread.map_err(|fault| error(format!("cannot start a thread: {fault}")))?;
            listener.follow(&arriving);
            PyResult::Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        if self.closed.load(Ordering::Relaxed) {
            *guard = None;
        }
        if let Some(raised) = listener.raised {
            return Err(raised);
        }
        let lines = listener.lines.into_iter().flatten().map(Line::from).collect();
        Ok(result(board, outcome.depth, outcome.nodes, start.elapsed(), lines, outcome.best))
    }
}

#[pymethods]
impl Engine {
    /// An engine with a hash table of `hash` MiB. `elo` limits its strength.
    #[new]
    #[pyo3(signature = (threads = 1, hash = 16, rules = "world", elo = None, network = None))]
    fn new(
        py: Python<'_>,
        threads: i64,
        hash: i64,
        rules: &str,
        elo: Option<i64>,
        network: Option<PyRef<'_, Network>>,
    ) -> PyResult<Engine> {
        // Signed, since PyO3 raises an `OverflowError` for a negative number of another type.
        let fits = |number: i64, most: usize| usize::try_from(number).ok().filter(|number| (1..=most).contains(number));
        let (Some(threads), Some(hash)) = (fits(threads, MOST.0), fits(hash, MOST.1)) else {
            return Err(error(format!("threads {threads}, hash {hash}: expected 1 to {} and 1 to {} MiB", MOST.0, MOST.1)));
        };
        if let Some(free) = too_little_for_tables(hash) {
            return Err(error(format!("hash {hash}: expected at most the {free} MiB of memory that are free")));
        }
        let known = |elo: i64| u32::try_from(elo).ok().filter(|elo| ELO_RANGE.contains(elo));
        let elo = match elo.map(known) {
            Some(None) => return Err(error(format!("elo: expected {} to {}", ELO_RANGE.start(), ELO_RANGE.end()))),
            elo => elo.flatten(),
        };
        let mut settings = Settings { rules: self::rules(rules)?, elo, ..Settings::default() };
        if let Some(network) = network {
            settings.network = Arc::clone(&network.0);
        }
        let pool = py.detach(|| Pool::new(threads, hash));
        let (control, process) = (pool.control(), std::process::id());
        let (closed, stops) = (AtomicBool::new(false), AtomicUsize::new(0));
        Ok(Engine { control, pool: Mutex::new(Some(pool)), closed, stops, settings, process })
    }

    /// Searches a position; `Engine.analyse` describes the limits.
    #[pyo3(signature = (board, wanted, on_line = None))]
    fn _search(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        wanted: Wanted,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        // A copy: other threads may use the board meanwhile.
        let board = board.try_borrow()?.clone();
        let limits = wanted.limits(&board)?;
        let result = py.detach(|| self.search(&board, &limits, on_line.as_ref()))?;
        json(py, &result)
    }

    /// Searches every position of a record's main line and reviews its moves.
    #[pyo3(signature = (record, wanted, notation = "uci"))]
    fn _review(&self, py: Python<'_>, record: &Bound<'_, Record>, wanted: Wanted, notation: &str) -> PyResult<Py<PyAny>> {
        let notation = Notation::new(word::<System>(notation)?);
        let wanted = Wanted { searchmoves: Vec::new(), ..wanted };
        let record = record.try_borrow()?.record.clone();
        // One board for all positions: a copy for each, with the moves before it, would take memory quadratic in the length of the game.
        let mut board = Board { position: record.start.position().map_err(error)? };
        let moves: Vec<Move> = record.moves().collect();
        let mut moves = moves.into_iter();
        let mut results = Vec::new();
        let stops = self.stops.load(Ordering::Relaxed);
        loop {
            let limits = wanted.limits(&board)?;
            results.push(py.detach(|| self.search(&board, &limits, None))?);
            // A search that was cut short would judge its move wrongly.
            if self.stops.load(Ordering::Relaxed) != stops {
                return Err(error("the review was stopped"));
            }
            let Some(mv) = moves.next().filter(|&mv| board.position.board().is_legal(mv)) else { break };
            board.position.make(mv);
        }
        let opening = opening_of(&board.position).cloned();
        let mut review = GameReview::new("", 1, record, results, &self.settings.rules, opening).map_err(error)?;
        review.mark_book(|board, mv| Book::Builtin.knows(board, mv)).map_err(error)?;
        if let Some(tables) = &self.settings.endgames {
            review.mark_endgames(tables, self.settings.rules.natural_limit);
        }
        json(py, &review.form(&notation))
    }

    /// Stops the running search, if any, as soon as possible; a review ends with an error.
    fn stop(&self) {
        self.stops.fetch_add(1, Ordering::Relaxed);
        self.control.stop();
    }

    /// Clears the hash table and all search history, for a new game.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.pool().map(|mut pool| pool.iter_mut().for_each(Pool::clear)))
    }

    /// Stops the running search and frees the threads and the hash table. Later calls raise; closing twice does nothing.
    fn close(&self, py: Python<'_>) {
        self.closed.store(true, Ordering::Relaxed);
        self.control.stop();
        // A search that is still running, possibly the caller of this method, drops the pool when it ends.
        let pool = match self.pool.try_lock() {
            Ok(mut pool) => pool.take(),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().take(),
            Err(TryLockError::WouldBlock) => None,
        };
        if lacks_threads(self.process, pool.as_ref()) {
            return std::mem::forget(pool);
        }
        py.detach(|| drop(pool));
    }

    /// Whether `close` was called.
    #[getter]
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        format!("Engine(rules='{}')", self.settings.rules.set)
    }
}
