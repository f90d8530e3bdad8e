//! The engine of one connection: a thread that does one search after another. It ends with the connection, and so does the search.

use super::error::Problem;
use super::limits::LINES;
use super::message::{Analysis, Answer, AskAnalyse, AskMove, AskReview, Reply};
use super::outbox::{Outbox, Snapshot};
use super::questions::{is_searchable, named};
use super::{Options, document};
use crate::board::{Board, Position};
use crate::book::{self, Book, Question};
use crate::notation::Notation;
use crate::records::Record;
use crate::report::{GameReview, Line, PositionResult};
use crate::rules::{RuleSet, Rules};
use crate::search::{Bound, Clock, Info, Limits, Report, Settings};
use crate::threads::{Control, Pool};
use crate::types::Move;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// What is searched.
enum Work {
    Analyse { position: Box<Position>, limits: Limits },
    Move { position: Box<Position>, level: usize, limits: Limits, book: bool, notation: Notation },
    Review { record: Box<Record>, limits: Limits, notation: Notation },
}

struct Task {
    id: u64,
    work: Work,
    settings: Settings,
    cancelled: Arc<AtomicBool>,
    /// One of the searches that may run at once.
    permit: OwnedSemaphorePermit,
}

/// How lines of an analysis are put into words.
struct Wording {
    id: u64,
    board: Board,
    fen: String,
    notation: Notation,
}

/// The handle of the engine's thread.
pub struct Engine {
    tasks: Sender<Task>,
    control: Control,
    /// The search that was asked for last, which may have ended.
    current: Option<Arc<AtomicBool>>,
    wording: Option<Wording>,
    levels: usize,
}

impl Engine {
    /// Starts the thread. What it finds goes into the outbox.
    pub fn start(options: &Options, outbox: &Arc<Outbox>) -> std::io::Result<Engine> {
        let pool = Pool::new(options.threads, options.hash);
        let control = pool.control();
        let (tasks, receiver) = channel();
        let worker = Worker { pool, control: control.clone(), outbox: Arc::downgrade(outbox), options: options.clone() };
        std::thread::Builder::new().name("engine".into()).spawn(move || worker.run(receiver))?;
        Ok(Engine { tasks, control, current: None, wording: None, levels: options.levels.descriptions.len() })
    }

    /// Ends the search that runs, if one does.
    pub fn stop(&mut self) {
        if let Some(cancelled) = &self.current {
            cancelled.store(true, Ordering::SeqCst);
            self.control.stop();
        }
    }

    /// Whether a search runs or is about to.
    pub fn is_busy(&self) -> bool {
        // The thread holds the other one.
        self.current.as_ref().is_some_and(|current| Arc::strong_count(current) > 1)
    }

    fn begin(&mut self, id: u64, work: Work, rules: RuleSet, permit: OwnedSemaphorePermit) {
        self.stop();
        let cancelled = Arc::new(AtomicBool::new(false));
        self.current = Some(Arc::clone(&cancelled));
        let rules = Rules { set: rules, ..Rules::default() };
        let settings = Settings { rules, move_overhead: Duration::ZERO, ..Settings::default() };
        // The thread lives as long as this sender.
        let _ = self.tasks.send(Task { id, work, settings, cancelled, permit });
    }

    /// Begins an analysis.
    pub fn analyse(&mut self, id: u64, ask: &AskAnalyse, permit: OwnedSemaphorePermit) -> Result<(), Problem> {
        let position = searchable(document::position_of(&ask.line)?)?;
        self.wording =
            Some(Wording { id, board: *position.board(), fen: position.to_fen(), notation: Notation::new(ask.notation.0) });
        let limits = Limits {
            depth: ask.depth.map(|depth| depth.clamp(1, 200) as i32),
            movetime: ask.movetime.map(milliseconds),
            multipv: ask.lines.clamp(1, LINES),
            ..Limits::none()
        };
        self.begin(id, Work::Analyse { position: Box::new(position), limits }, ask.rules.0, permit);
        Ok(())
    }

    /// Begins to think about a move.
    pub fn find_move(&mut self, id: u64, ask: &AskMove, permit: OwnedSemaphorePermit) -> Result<(), Problem> {
        let position = searchable(document::position_of(&ask.line)?)?;
        if !(1..=self.levels).contains(&ask.level) {
            return Err(Problem::Level { asked: ask.level, levels: self.levels });
        }
        let clock = |clock: super::message::ClockForm| Clock {
            remaining: milliseconds(clock.remaining.max(1)),
            increment: milliseconds(clock.increment),
            moves_to_go: None,
        };
        let limits = Limits { movetime: ask.movetime.map(milliseconds), clock: ask.clock.map(clock), ..Limits::none() };
        let notation = Notation::new(ask.notation.0);
        // Beginners don't know openings.
        let book = ask.book && ask.level * 2 > self.levels;
        let work = Work::Move { position: Box::new(position), level: ask.level, limits, book, notation };
        self.begin(id, work, ask.rules.0, permit);
        Ok(())
    }

    /// Begins to review a game.
    pub fn review(&mut self, id: u64, ask: &AskReview, permit: OwnedSemaphorePermit) -> Result<(), Problem> {
        let record = ask.tree.record()?;
        searchable(record.start.position()?)?;
        /// Default time per position.
        const DEFAULT: Duration = Duration::from_millis(500);
        let limits = Limits {
            nodes: ask.nodes,
            movetime: ask.movetime.map(milliseconds).or(ask.nodes.is_none().then_some(DEFAULT)),
            ..Limits::none()
        };
        let work = Work::Review { record: Box::new(record), limits, notation: Notation::new(ask.notation.0) };
        self.begin(id, work, ask.rules.0, permit);
        Ok(())
    }

    /// Lines of an analysis as an answer; none when they belong to an analysis that was replaced.
    pub fn word(&self, snapshot: Snapshot) -> Option<Reply> {
        let wording = self.wording.as_ref().filter(|wording| wording.id == snapshot.id)?;
        let result = result_of(&wording.board, &wording.fen, snapshot.lines);
        let texts = result.lines.iter().map(|line| wording.notation.write_line(&wording.board, &line.pv)).collect();
        Some(Reply { id: Some(snapshot.id), answer: Answer::Analysis(Box::new(Analysis { result, texts })) })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A time of a request; nobody waits for longer than a day.
fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(86_400_000))
}

fn searchable(position: Position) -> Result<Position, Problem> {
    if is_searchable(&position) { Ok(position) } else { Err(Problem::NotSearchable) }
}

/// The lines as a result; its numbers are those of the newest line.
fn result_of(board: &Board, fen: &str, lines: Vec<Info>) -> PositionResult {
    let newest = lines.iter().max_by_key(|info| info.time);
    let (nodes, time) = newest.map_or((0, Duration::ZERO), |info| (info.nodes, info.time));
    PositionResult {
        board: *board,
        fen: fen.to_string(),
        depth: lines.first().map_or(0, |info| info.depth),
        nodes,
        time_ms: time.as_millis() as u64,
        best: lines.first().and_then(|info| info.pv.first()).copied(),
        lines: lines
            .into_iter()
            .map(|info| Line { multipv: info.multipv, score: info.score, wdl: info.wdl, pv: info.pv })
            .collect(),
    }
}

/// What the engine's thread owns.
struct Worker {
    pool: Pool,
    control: Control,
    outbox: Weak<Outbox>,
    options: Options,
}

/// Hands every line of an analysis on.
struct Showing<'a> {
    id: u64,
    outbox: &'a Outbox,
    lines: Vec<Info>,
}

impl Report for Showing<'_> {
    fn line(&mut self, info: &Info) {
        let index = info.multipv.saturating_sub(1);
        match self.lines.get_mut(index) {
            // A bound says less than the exact line of the depth before.
            Some(_) if info.bound != Bound::Exact => return,
            Some(slot) => *slot = info.clone(),
            None => self.lines.push(info.clone()),
        }
        self.outbox.show(Snapshot { id: self.id, lines: self.lines.clone() });
    }
}

impl Worker {
    fn run(mut self, tasks: Receiver<Task>) {
        for task in tasks {
            let Some(outbox) = self.outbox.upgrade() else { return };
            let Task { id, work, settings, cancelled, permit } = task;
            let answer = self.work(id, work, &settings, &cancelled, &outbox);
            // The search has ended for others before the page hears of it.
            drop((permit, cancelled));
            outbox.push(Reply { id: Some(id), answer });
        }
    }

    /// Does the work; the last answer.
    fn work(&mut self, id: u64, work: Work, settings: &Settings, cancelled: &AtomicBool, outbox: &Outbox) -> Answer {
        // Armed first, then asked: a stop that comes from now on ends the search, and one that came before is seen.
        self.control.arm();
        let stopped = || cancelled.load(Ordering::SeqCst);
        if stopped() {
            return Answer::Done { stopped: true };
        }
        match work {
            Work::Analyse { position, limits } => {
                self.pool.set_threads(self.options.threads);
                let mut showing = Showing { id, outbox, lines: Vec::new() };
                let limits = from_now(limits);
                self.pool.search(&position, &limits, settings, &mut showing);
                Answer::Done { stopped: stopped() }
            }
            Work::Move { position, level, limits, book, notation } => {
                let (mv, is_book) = match book.then(|| book_move(&position, &settings.rules)).flatten() {
                    Some(mv) => (Some(mv), true),
                    None => {
                        // Levels are measured with one thread.
                        self.pool.set_threads(1);
                        self.control.arm();
                        if stopped() {
                            return Answer::Done { stopped: true };
                        }
                        let choose = self.options.levels.choose;
                        (choose(level, &mut self.pool, &position, &from_now(limits), settings), false)
                    }
                };
                if stopped() {
                    return Answer::Done { stopped: true };
                }
                Answer::Move { mv: mv.map(|mv| named(&notation, position.board(), mv)), book: is_book }
            }
            Work::Review { record, limits, notation } => {
                self.review(id, *record, &limits, settings, &notation, cancelled, outbox)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn review(
        &mut self,
        id: u64,
        record: Record,
        limits: &Limits,
        settings: &Settings,
        notation: &Notation,
        cancelled: &AtomicBool,
        outbox: &Outbox,
    ) -> Answer {
        self.pool.set_threads(self.options.threads);
        let fault = |message: String| Answer::Error { message, busy: false };
        let mut position = match record.start.position() {
            Ok(position) => position,
            Err(error) => return fault(error.to_string()),
        };
        let moves: Vec<Move> = record.moves().collect();
        let mut results = Vec::with_capacity(moves.len() + 1);
        for ply in 0..=moves.len() {
            self.control.arm();
            if cancelled.load(Ordering::SeqCst) {
                return Answer::Done { stopped: true };
            }
            let result = PositionResult::search(&mut self.pool, &position, &from_now(limits.clone()), settings);
            if cancelled.load(Ordering::SeqCst) {
                return Answer::Done { stopped: true };
            }
            let red_expectation = result.red_expectation();
            results.push(result.clone());
            let answer = Answer::Progress { ply, of: moves.len(), result: Box::new(result), red_expectation };
            outbox.push(Reply { id: Some(id), answer });
            if let Some(&mv) = moves.get(ply) {
                position.make(mv);
            }
        }
        let opening = book::opening_of(&position).cloned();
        match GameReview::new("", 1, record, results, &settings.rules, opening) {
            Ok(mut review) => match review.mark_book(|board, mv| Book::Embedded.knows(board, mv)) {
                Ok(()) => Answer::Review(Box::new(review.form(notation))),
                Err(error) => fault(error.to_string()),
            },
            Err(error) => fault(error.to_string()),
        }
    }
}

/// Times count from when the search begins, not from when it was asked for.
fn from_now(limits: Limits) -> Limits {
    Limits { start: std::time::Instant::now(), ..limits }
}

/// A move out of the opening book, by chance.
fn book_move(position: &Position, rules: &Rules) -> Option<Move> {
    // The standard hasher is seeded by the system: another draw every time.
    let draw = RandomState::new().hash_one(position.plies());
    let question = Question { position, rules, banned: &[], draw: Some(draw) };
    book::choose(&[Book::Embedded], &question).0.map(|chosen| chosen.mv)
}
