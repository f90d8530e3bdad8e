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
use chuhe::threads::{Control, ELO_RANGE, Pool};
use chuhe::types::Move;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// Most threads, and largest hash table in MiB.
const MOST: (usize, usize) = (256, 1 << 16);
/// Longest search time in seconds: one day.
const LONGEST: f64 = 86_400.0;

const CLOSED: &str = "the engine is closed";

/// A search engine with its own hash table. It runs one search at a time; several engines can search in parallel.
#[pyclass(frozen, subclass, module = "chuhe._chuhe")]
pub struct Engine {
    /// `None` after `close`.
    pool: Mutex<Option<Pool>>,
    closed: AtomicBool,
    control: Control,
    settings: Settings,
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

/// Keeps the latest exact line of every multi-PV rank, forwards lines to the callback, and checks for Ctrl-C.
struct Listener<'a> {
    lines: Vec<Option<Info>>,
    on_line: Option<&'a Py<PyAny>>,
    board: &'a Board,
    control: &'a Control,
    closed: &'a AtomicBool,
    /// The exception raised by the callback or a signal handler.
    raised: Option<PyErr>,
    checked: Instant,
}

impl Listener<'_> {
    fn attend(&mut self, info: Option<&Info>) {
        if self.raised.is_some() {
            return;
        }
        // A stop requested before the search had begun had no effect.
        if self.closed.load(Ordering::Relaxed) {
            self.control.stop();
        }
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            if let (Some(info), Some(on_line)) = (info, self.on_line) {
                let result = result(self.board, info.depth, info.nodes, info.time, vec![line(info.clone())], None);
                on_line.call1(py, (json(py, &result)?,))?;
            }
            PyResult::Ok(())
        });
        self.checked = Instant::now();
        if let Err(raised) = outcome {
            self.raised = Some(raised);
            self.control.stop();
        }
    }
}

impl Report for Listener<'_> {
    fn line(&mut self, info: &Info) {
        let index = info.multipv.saturating_sub(1);
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        if info.bound == search::Bound::Exact || self.lines[index].is_none() {
            self.lines[index] = Some(info.clone());
        }
        self.attend(Some(info));
    }

    fn current_move(&mut self, _depth: i32, _mv: Move, _number: usize) {
        if self.checked.elapsed() > Duration::from_millis(200) {
            self.attend(None);
        }
    }
}

fn line(info: Info) -> Line {
    Line { multipv: info.multipv, score: info.score, wdl: info.wdl, pv: info.pv }
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

impl Engine {
    /// Locks the pool; fails if a search is running or the engine is closed.
    fn pool(&self) -> PyResult<MutexGuard<'_, Option<Pool>>> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(error(CLOSED));
        }
        match self.pool.try_lock() {
            Ok(pool) => Ok(pool),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(error("the engine is searching; stop it first, or take another engine")),
        }
    }

    fn search(&self, board: &Board, limits: &Limits, on_line: Option<&Py<PyAny>>) -> PyResult<PositionResult> {
        let mut guard = self.pool()?;
        if let Some(result) = PositionResult::of_rules(&board.position, &self.settings.rules) {
            return Ok(result);
        }
        let pool = guard.as_mut().ok_or_else(|| error(CLOSED))?;
        let start = Instant::now();
        let mut listener = Listener {
            lines: Vec::new(),
            on_line,
            board,
            control: &self.control,
            closed: &self.closed,
            raised: None,
            checked: start,
        };
        let outcome = pool.search(&board.position, limits, &self.settings, &mut listener);
        if self.closed.load(Ordering::Relaxed) {
            *guard = None;
        }
        if let Some(raised) = listener.raised {
            return Err(raised);
        }
        let lines = listener.lines.into_iter().flatten().map(line).collect();
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
        threads: usize,
        hash: usize,
        rules: &str,
        elo: Option<u32>,
        network: Option<PyRef<'_, Network>>,
    ) -> PyResult<Engine> {
        if !(1..=MOST.0).contains(&threads) || !(1..=MOST.1).contains(&hash) {
            return Err(error(format!("threads {threads}, hash {hash}: expected 1 to {} and 1 to {} MiB", MOST.0, MOST.1)));
        }
        if let Some(free) = too_little_for_tables(hash) {
            return Err(error(format!("hash {hash}: expected at most the {free} MiB of memory that are free")));
        }
        if elo.is_some_and(|elo| !ELO_RANGE.contains(&elo)) {
            return Err(error(format!("elo: expected {} to {}", ELO_RANGE.start(), ELO_RANGE.end())));
        }
        let mut settings = Settings { rules: self::rules(rules)?, elo, ..Settings::default() };
        if let Some(network) = network {
            settings.network = Arc::clone(&network.0);
        }
        let pool = py.detach(|| Pool::new(threads, hash));
        Ok(Engine { control: pool.control(), pool: Mutex::new(Some(pool)), closed: AtomicBool::new(false), settings })
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
        loop {
            let limits = wanted.limits(&board)?;
            results.push(py.detach(|| self.search(&board, &limits, None))?);
            let Some(mv) = moves.next().filter(|&mv| board.position.board().is_legal(mv)) else { break };
            board.position.make(mv);
        }
        let opening = opening_of(&board.position).cloned();
        let mut review = GameReview::new("", 1, record, results, &self.settings.rules, opening).map_err(error)?;
        review.mark_book(|board, mv| Book::Embedded.knows(board, mv)).map_err(error)?;
        if let Some(tables) = &self.settings.endgames {
            review.mark_endgames(tables, self.settings.rules.natural_limit);
        }
        json(py, &review.form(&notation))
    }

    /// Stops the running search, if any, as soon as possible.
    fn stop(&self) {
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
