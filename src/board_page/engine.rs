//! Searches for a page, run on the calling thread.

use super::document::position_of;
use super::error::RequestError;
use super::host::Host;
use super::limits::{DEPTH, LINES, LONGEST_TIME};
use super::message::{Analysis, Answer, AskAnalyse, AskDrawOffer, AskMove, AskReview, ClockForm, Move as MoveForm, Search};
use super::questions::is_searchable;
use crate::board::Position;
use crate::book::{self, Book, Question};
use crate::notation::Notation;
use crate::records::Record;
use crate::report::{GameReview, Line, PositionResult};
use crate::rules::{RuleSet, Rules};
use crate::search::{BestLines, Clock, Info, Limits, Report, Settings};
use crate::threads::{Control, DrawReply, LEVELS, Pool};
use crate::types::Move;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// Time for an engine move when the request sets neither a time nor a clock, as in `chuhe play`.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// Time per position of a review without a limit.
const REVIEW_TIME: Duration = Duration::from_millis(500);

/// A search whose request has been validated.
pub struct Task {
    work: Work,
    limits: Limits,
    settings: Settings,
}

enum Work {
    Analyse {
        position: Arc<Position>,
        notation: Notation,
    },
    /// `known` is a book move, played without a search.
    Move {
        position: Box<Position>,
        known: Option<Move>,
        notation: Notation,
    },
    Review {
        record: Box<Record>,
        notation: Notation,
    },
    DrawOffer(Box<Position>),
}

impl Task {
    /// Validates a request, and probes the book if the request allows a book move.
    ///
    /// # Errors
    /// When the request is invalid.
    pub fn new(search: &Search, host: &dyn Host) -> Result<Task, RequestError> {
        match search {
            Search::Analyse(ask) => Task::analyse(ask),
            Search::Move(ask) => Task::find_move(ask, host),
            Search::Review(ask) => Task::review(ask),
            Search::DrawOffer(ask) => Task::draw_offer(ask),
        }
    }

    fn analyse(ask: &AskAnalyse) -> Result<Task, RequestError> {
        let limits = Limits {
            depth: ask.depth.map(|depth| checked("depth", depth.into(), DEPTH)).transpose()?.map(|depth| depth as i32),
            movetime: ask.movetime.map(movetime).transpose()?,
            multipv: checked("lines", ask.lines as u64, LINES as u64)? as usize,
            ..Limits::none()
        };
        let position = Arc::new(searchable(position_of(&ask.line)?)?);
        let work = Work::Analyse { position, notation: Notation::new(ask.notation.0) };
        Ok(Task { work, limits, settings: settings(ask.rules.0) })
    }

    fn find_move(ask: &AskMove, host: &dyn Host) -> Result<Task, RequestError> {
        let position = Box::new(searchable(position_of(&ask.line)?)?);
        let level = &LEVELS[checked("level", ask.level as u64, LEVELS.len() as u64)? as usize - 1];
        let clock = |clock: ClockForm| Clock {
            remaining: milliseconds(clock.remaining.max(1)),
            increment: milliseconds(clock.increment),
            moves_to_go: None,
        };
        let movetime = ask.movetime.map(movetime).transpose()?.or(ask.clock.is_none().then_some(MOVE_TIME));
        let limits = Limits { movetime, clock: ask.clock.map(clock), ..Limits::none() };
        // Beginners don't know opening theory.
        let uses_book = ask.book && ask.level * 2 > LEVELS.len();
        let settings = Settings { elo: level.elo, ..settings(ask.rules.0) };
        let question = Question { position: &position, rules: &settings.rules, banned: &[], draw: Some(fastrand::u64(..)) };
        let known = if uses_book { host.choose_book_move(&question)? } else { None };
        let work = Work::Move { position, known, notation: Notation::new(ask.notation.0) };
        Ok(Task { work, limits, settings })
    }

    fn review(ask: &AskReview) -> Result<Task, RequestError> {
        let record = ask.tree.record()?;
        searchable(record.start.position()?)?;
        let movetime = ask.movetime.map(movetime).transpose()?.or(ask.nodes.is_none().then_some(REVIEW_TIME));
        let nodes = ask.nodes.map(|nodes| checked("nodes", nodes, u64::MAX)).transpose()?;
        let limits = Limits { nodes, movetime, ..Limits::none() };
        let work = Work::Review { record: Box::new(record), notation: Notation::new(ask.notation.0) };
        Ok(Task { work, limits, settings: settings(ask.rules.0) })
    }

    fn draw_offer(ask: &AskDrawOffer) -> Result<Task, RequestError> {
        let work = Work::DrawOffer(Box::new(searchable(position_of(&ask.line)?)?));
        Ok(Task { work, limits: DrawReply::limits(), settings: settings(ask.rules.0) })
    }
}

/// A number of a request, from 1 to `max`.
fn checked(name: &'static str, asked: u64, max: u64) -> Result<u64, RequestError> {
    if (1..=max).contains(&asked) { Ok(asked) } else { Err(RequestError::Range { name, asked, min: 1, max }) }
}

fn movetime(count: u64) -> Result<Duration, RequestError> {
    checked("movetime", count, LONGEST_TIME).map(Duration::from_millis)
}

/// A time of a clock; a longer one than the limit makes no difference to a move.
fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count.min(LONGEST_TIME))
}

fn settings(set: RuleSet) -> Settings {
    Settings { rules: Rules { set, ..Rules::default() }, move_overhead: Duration::ZERO, ..Settings::default() }
}

fn searchable(position: Position) -> Result<Position, RequestError> {
    if is_searchable(&position) { Ok(position) } else { Err(RequestError::NotSearchable) }
}

/// An intermediate result of a search.
pub enum Step {
    /// The lines of an analysis, replacing earlier ones.
    Lines(Lines),
    /// Any other answer.
    Answer(Answer),
}

/// The lines of an analysis so far, not yet formatted.
#[derive(Clone)]
pub struct Lines {
    position: Arc<Position>,
    notation: Notation,
    best: BestLines,
}

impl Lines {
    /// Formats the lines as an answer; nodes and time are taken from the newest line.
    pub fn answer(self) -> Answer {
        let board = *self.position.board();
        let lines = self.best.0;
        let newest = lines.iter().max_by_key(|info| info.time);
        let (nodes, time) = newest.map_or((0, Duration::ZERO), |info| (info.nodes, info.time));
        let result = PositionResult {
            board,
            fen: self.position.to_fen(),
            depth: lines.first().map_or(0, |info| info.depth),
            nodes,
            time_ms: time.as_millis() as u64,
            best: lines.first().and_then(|info| info.pv.first()).copied(),
            lines: lines.into_iter().map(Line::from).collect(),
            ended: None,
        };
        let texts = result.lines.iter().map(|line| self.notation.write_line(&board, &line.pv)).collect();
        Answer::Analysis(Box::new(Analysis { result, texts }))
    }
}

/// Forwards every line of an analysis.
struct Forward<'a> {
    lines: Lines,
    give: &'a mut dyn FnMut(Step),
}

impl Report for Forward<'_> {
    fn line(&mut self, info: &Info) {
        if self.lines.best.take(info) {
            (self.give)(Step::Lines(self.lines.clone()));
        }
    }
}

/// The engine of a page.
pub struct Engine {
    pool: Pool,
    threads: usize,
    interrupt: Option<fn() -> bool>,
}

impl Engine {
    /// Creates an engine with a hash table of `hash_mib` MiB that uses `threads` threads (at least 1) for analyses and reviews.
    pub fn new(threads: usize, hash_mib: usize) -> Engine {
        Engine { pool: Pool::new(threads, hash_mib), threads, interrupt: None }
    }

    /// Sets a function that is polled every few hundred nodes and stops the search when it returns true. See [`Limits::interrupt`].
    pub fn with_interrupt(self, asks_to_stop: fn() -> bool) -> Engine {
        Engine { interrupt: Some(asks_to_stop), ..self }
    }

    /// The function set by [`Engine::with_interrupt`].
    pub fn interrupt(&self) -> Option<fn() -> bool> {
        self.interrupt
    }

    /// Clears the hash table and all search history, for a new game.
    pub fn clear(&mut self) {
        self.pool.clear();
        self.pool.prepare_table(|| true);
    }

    /// A handle that can stop a search from another thread.
    pub fn control(&self) -> Control {
        self.pool.control()
    }

    /// Searches on this thread and returns the final answer. `is_stopped` must return true before the search is stopped through
    /// [`Engine::control`].
    pub fn run(&mut self, task: Task, is_stopped: &dyn Fn() -> bool, give: &mut dyn FnMut(Step)) -> Answer {
        let Task { work, mut limits, settings } = task;
        limits.interrupt = self.interrupt;
        // The levels are calibrated with one thread.
        self.pool.set_threads(if matches!(work, Work::Move { .. }) { 1 } else { self.threads });
        match work {
            Work::Analyse { position, notation } => {
                if let Some(result) =
                    PositionResult::of_rules(&position, &settings.rules).or_else(|| PositionResult::of_mate(&position))
                {
                    give(Step::Answer(Answer::Analysis(Box::new(Analysis { result, texts: Vec::new() }))));
                    return Answer::Done { stopped: is_stopped() };
                }
                let lines = Lines { position: Arc::clone(&position), notation, best: BestLines::default() };
                self.search(is_stopped, |pool| {
                    pool.search(&position, &from_now(&limits), &settings, &mut Forward { lines, give })
                });
                Answer::Done { stopped: is_stopped() }
            }
            Work::Move { position, known, notation } => {
                let best = match known {
                    Some(mv) => Some(Some(mv)),
                    None => self.search(is_stopped, |pool| pool.search(&position, &from_now(&limits), &settings, &mut ()).best),
                };
                match best {
                    Some(mv) if !is_stopped() => {
                        Answer::Move { mv: mv.map(|mv| MoveForm::named(&notation, position.board(), mv)), book: known.is_some() }
                    }
                    _ => Answer::Done { stopped: true },
                }
            }
            Work::DrawOffer(position) => {
                let score = self.search(is_stopped, |pool| pool.search(&position, &from_now(&limits), &settings, &mut ()).score);
                match score {
                    Some(score) if !is_stopped() => {
                        let reply = DrawReply::new(&position, score, settings.endgames.as_deref());
                        Answer::DrawReply { accepts: reply.accepts(), reason: reply.name() }
                    }
                    _ => Answer::Done { stopped: true },
                }
            }
            Work::Review { record, notation } => {
                let review = self.review(*record, &limits, &settings, is_stopped, give);
                review.map_or_else(
                    |error| Answer::request_error(&error),
                    |review| match review {
                        Some(review) => Answer::Review(Box::new(review.form(&notation))),
                        None => Answer::Done { stopped: true },
                    },
                )
            }
        }
    }

    /// Runs one search; `None` if it was stopped before it began.
    fn search<T>(&mut self, is_stopped: &dyn Fn() -> bool, search: impl FnOnce(&mut Pool) -> T) -> Option<T> {
        // Arm before checking: a later stop request ends the search, and an earlier one is seen by the check.
        self.pool.control().arm();
        (!is_stopped()).then(|| search(&mut self.pool))
    }

    /// Searches every position of a game; `None` if it was stopped.
    fn review(
        &mut self,
        record: Record,
        limits: &Limits,
        settings: &Settings,
        is_stopped: &dyn Fn() -> bool,
        give: &mut dyn FnMut(Step),
    ) -> Result<Option<GameReview>, RequestError> {
        let mut position = record.start.position()?;
        let moves: Vec<Move> = record.moves().collect();
        let mut results = Vec::with_capacity(moves.len() + 1);
        for ply in 0..=moves.len() {
            let result = self.search(is_stopped, |pool| PositionResult::search(pool, &position, &from_now(limits), settings));
            let Some(result) = result.filter(|_| !is_stopped()) else { return Ok(None) };
            let red_expectation = result.red_expectation();
            results.push(result.clone());
            give(Step::Answer(Answer::Progress { ply, of: moves.len(), result: Box::new(result), red_expectation }));
            if let Some(&mv) = moves.get(ply) {
                position.make(mv);
            }
        }
        let opening = book::opening_of(&position).cloned();
        let fault = |error: &dyn std::error::Error| RequestError::Review(error.to_string());
        let mut review = GameReview::new("", 1, record, results, &settings.rules, opening).map_err(|error| fault(&error))?;
        review.mark_book(|board, mv| Book::Builtin.knows(board, mv)).map_err(|error| fault(&error))?;
        if let Some(tables) = &settings.endgames {
            review.mark_endgames(tables, settings.rules.natural_limit);
        }
        Ok(Some(review))
    }
}

/// Restarts the clock: time counts from the start of the search, not from the request.
fn from_now(limits: &Limits) -> Limits {
    Limits { start: Instant::now(), ..limits.clone() }
}

#[cfg(test)]
mod tests {
    use super::super::host::EmptyHost;
    use super::super::message::Ask;
    use super::*;
    use serde_json::{Value, json};

    fn task(value: Value) -> Result<Task, RequestError> {
        match serde_json::from_value(value).unwrap() {
            Ask::Search(search) => Task::new(&search, &EmptyHost),
            other => panic!("no search: {other:?}"),
        }
    }

    #[test]
    fn numbers_out_of_range_are_errors() {
        for (field, asked, max) in [
            ("lines", 0, 10),
            ("lines", 11, 10),
            ("depth", 0, 200),
            ("depth", 201, 200),
            ("movetime", 0, 86_400_000),
            ("movetime", 86_400_001_u64, 86_400_000),
        ] {
            let problem = task(json!({"analyse": {"line": {}, field: asked}})).err().unwrap();
            assert_eq!(problem.to_string(), format!("{field} {asked}, expected 1 to {max}"));
        }
        assert!(task(json!({"analyse": {"line": {}, "lines": 10, "depth": 200, "movetime": 1}})).is_ok());
        assert!(task(json!({"move": {"line": {}, "level": 1, "movetime": 0}})).is_err());
        assert!(task(json!({"review": {"tree": {"start": crate::board::START_FEN}, "nodes": 0}})).is_err());
    }

    #[test]
    fn a_move_without_a_time_has_that_of_its_clock() {
        let times = |value: Value| task(json!({"move": value})).unwrap().limits;
        let usual = times(json!({"line": {}, "level": 12}));
        assert_eq!((usual.movetime, usual.clock.is_some()), (Some(MOVE_TIME), false));
        let timed = times(json!({"line": {}, "level": 12, "clock": {"remaining": 600_000}}));
        assert_eq!((timed.movetime, timed.clock.is_some()), (None, true));
        let both = times(json!({"line": {}, "level": 12, "movetime": 50, "clock": {"remaining": 600_000}}));
        assert_eq!((both.movetime, both.clock.is_some()), (Some(Duration::from_millis(50)), true));
    }

    #[test]
    fn a_position_in_which_the_rules_end_the_game_has_no_lines() {
        let ask = json!({"analyse": {"line": {"start": "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 120 100"}}});
        let (mut engine, mut answers) = (Engine::new(1, 1), Vec::new());
        let last = engine.run(task(ask).unwrap(), &|| false, &mut |step| match step {
            Step::Answer(answer) => answers.push(serde_json::to_value(answer).unwrap()),
            Step::Lines(_) => panic!("a search"),
        });
        assert!(matches!(last, Answer::Done { stopped: false }));
        assert_eq!(answers[0]["analysis"]["result"]["ended"], "draw");
    }
}
