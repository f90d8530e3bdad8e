//! Runs a match: pairs of games, several games at once, with recovery from engine faults and a running result.

use super::engine::Engine;
use super::error::{ArenaError, EngineError};
use super::game::{Ending, GameRecord, play};
use super::outputs::Outputs;
use super::pgn::write_pgn;
use super::settings::{Fixture, MatchSettings, Schedule};
use super::spec::{EngineSpec, TimeControl};
use super::state::Finished;
use super::statistics::{SprtStatus, Summary};
use crate::rules::GameResult;
use crate::system;
use crate::types::Color;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Number of consecutive failed starts of an engine that end the match.
const MAX_STARTS: usize = 3;
/// Open files of an engine at most: both ends of its three pipes while it starts, a handle of the process, and a log.
const FILES_OF_ENGINE: u64 = 8;
/// Open files of everything else.
const OTHER_FILES: u64 = 64;
/// Time for the signal that ends a stop of the match to arrive; the clocks that went on meanwhile may be noticed before it.
const SIGNAL_DELAY: Duration = Duration::from_millis(100);

/// The result so far.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Unique names of the engines.
    pub names: Vec<String>,
    /// The pairings, by engine index.
    pub pairings: Vec<[usize; 2]>,
    /// The result of each pairing, from its first engine's view.
    pub results: Vec<Summary>,
    /// Number of faults of each engine, by kind.
    pub faults: Vec<BTreeMap<Ending, u64>>,
    /// Number of games by ending.
    pub endings: BTreeMap<Ending, u64>,
    /// Plies, summed over all games.
    pub plies: u64,
    /// Total number of games of the match.
    pub games: usize,
    /// Whether the user has ended the match.
    pub is_interrupted: bool,
    /// The error that ended the match early or left a log incomplete.
    pub failure: Option<Arc<ArenaError>>,
    /// Results of first games whose second game has not been played, by pair.
    halves: HashMap<usize, usize>,
}

impl Standing {
    fn new(settings: &MatchSettings, schedule: &Schedule) -> Standing {
        Standing {
            names: distinct(settings.engines.iter().map(EngineSpec::label)),
            pairings: schedule.pairings().to_vec(),
            results: vec![Summary::default(); schedule.pairings().len()],
            faults: vec![BTreeMap::new(); settings.engines.len()],
            endings: BTreeMap::new(),
            plies: 0,
            games: schedule.games(),
            is_interrupted: false,
            failure: None,
            halves: HashMap::new(),
        }
    }

    /// The first engine's result against all its opponents.
    pub fn summary(&self) -> Summary {
        self.of_engine(0)
    }

    /// An engine's result against all its opponents.
    pub fn of_engine(&self, engine: usize) -> Summary {
        let mut sum = Summary::default();
        for ([first, second], result) in self.pairings.iter().zip(&self.results) {
            if *first == engine {
                sum.merge(result);
            } else if *second == engine {
                sum.merge(&result.reversed());
            }
        }
        sum
    }

    /// Games played.
    pub fn played(&self) -> u64 {
        self.results.iter().map(Summary::games).sum()
    }

    fn add(&mut self, finished: &Finished, fixture: Fixture) {
        let Finished { game, half_points, ending, plies, .. } = *finished;
        let Some(result) = self.results.get_mut(fixture.pairing) else { return };
        result.add(half_points);
        match self.halves.remove(&(game / 2)) {
            Some(other) => result.pairs.add(other + half_points),
            None => drop(self.halves.insert(game / 2, half_points)),
        }
        self.plies += plies as u64;
        *self.endings.entry(ending).or_default() += 1;
        if Ending::FAULTS.contains(&ending) {
            let loser = self.pairings[fixture.pairing][(half_points == 2) as usize];
            *self.faults[loser].entry(ending).or_default() += 1;
        }
    }
}

/// Makes names unique by appending a number to repeated ones.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        let mut numbered = (1..).map(|count| if count == 1 { name.to_string() } else { format!("{name} ({count})") });
        distinct.extend(numbered.find(|name| !distinct.contains(name)));
    }
    distinct
}

/// Is notified of the progress of a match.
pub trait Watcher {
    /// Describes a repair of output files left behind by an interruption, or a game that is played again.
    fn repaired(&mut self, repair: &str);

    /// A game, numbered from 1, has ended; `record` is `None` for a game played by an earlier run. `Break` ends the match.
    fn finished(&mut self, game: usize, fixture: Fixture, record: Option<&GameRecord>, standing: &Standing) -> ControlFlow<()>;
}

/// State shared by the games.
struct Shared<'a> {
    settings: &'a MatchSettings,
    schedule: Schedule,
    standing: Standing,
    watcher: &'a mut dyn Watcher,
    outputs: Outputs,
    to_play: std::vec::IntoIter<usize>,
    /// The first error that ends the match.
    error: Option<ArenaError>,
    /// The error that left a log incomplete, which does not end the match.
    log_fault: Option<ArenaError>,
    /// Whether the sequential test or the watcher has ended the match.
    is_over: bool,
    over: Rc<Notify>,
    /// How many times the match was stopped (Ctrl-Z) and went on.
    stops: usize,
}

/// Plays the match and returns its result, also if the user ends it early by Ctrl-C or SIGTERM, or if an error ends it after the first
/// game, see [`Standing::failure`].
///
/// # Errors
/// If an engine cannot be started or a file cannot be read or written.
pub fn run(settings: &MatchSettings, watcher: &mut dyn Watcher) -> Result<Standing, ArenaError> {
    let engines = 2 * settings.concurrency + settings.engines.len();
    system::allow_open_files(FILES_OF_ENGINE * engines as u64 + OTHER_FILES);
    // The engines are read on another thread: this one writes the output, and while the reader of that pauses, or a disk is slow, the
    // answers in other games must still get the times at which they arrived.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(ArenaError::Runtime)?;
    let (outputs, done) = Outputs::open(settings)?;
    outputs.repairs.iter().for_each(|repair| watcher.repaired(repair));
    let schedule = settings.schedule();
    let mut standing = Standing::new(settings, &schedule);
    // A match that is over starts no engines, so their own names are known only from the state file.
    if outputs.names().len() == standing.names.len() {
        standing.names = outputs.names().to_vec();
    }
    for finished in &done {
        standing.add(finished, schedule.fixture(finished.game));
        // These games are already counted and cannot end this run.
        let _ = watcher.finished(finished.game + 1, schedule.fixture(finished.game), None, &standing);
    }
    let is_done: std::collections::HashSet<usize> = done.iter().map(|finished| finished.game).collect();
    let to_play: Vec<usize> = (0..schedule.games()).filter(|game| !is_done.contains(game)).collect();
    let mut shared = Shared {
        settings,
        standing,
        watcher,
        outputs,
        to_play: to_play.into_iter(),
        schedule,
        error: None,
        log_fault: None,
        is_over: false,
        over: Rc::default(),
        stops: 0,
    };
    shared.decide();
    let shared = Rc::new(RefCell::new(shared));
    let is_interrupted = runtime.block_on(async {
        let over = shared.borrow().over.clone();
        // A decided match does not wait for the running games; dropping the engines kills them.
        tokio::select! {
            biased;
            () = interruption() => true,
            () = system::watch_stops(|| shared.borrow_mut().stops += 1) => false,
            () = over.notified() => false,
            () = play_all(settings, &shared) => false,
        }
    });
    // Do not wait for an opening that is still being generated.
    runtime.shutdown_background();
    let mut inner = shared.borrow_mut();
    inner.standing.is_interrupted = is_interrupted;
    match (inner.error.take(), inner.log_fault.take()) {
        (Some(error), _) if inner.standing.played() == 0 => Err(error),
        (error, log_fault) => {
            inner.standing.failure = error.or(log_fault).map(Arc::new);
            Ok(inner.standing.clone())
        }
    }
}

/// Waits until the user interrupts the match.
async fn interruption() {
    if system::interruption().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Starts all engines, so that a wrong option is detected before the first game, then plays all games.
async fn play_all(settings: &MatchSettings, shared: &Rc<RefCell<Shared<'_>>>) {
    if shared.borrow().to_play.len() == 0 {
        return;
    }
    let mut engines = Vec::new();
    for index in 0..settings.engines.len() {
        match start(settings, index).await {
            Ok(engine) => engines.push(Some(engine)),
            Err(error) => return shared.borrow_mut().fail(error),
        }
    }
    let names = distinct(engines.iter().flatten().map(Engine::name));
    engines.iter_mut().flatten().zip(&names).for_each(|(engine, name)| engine.rename(name));
    shared.borrow_mut().outputs.set_names(&names);
    shared.borrow_mut().standing.names = names;
    let prepared = shared.borrow_mut().outputs.prepare();
    if let Err(error) = prepared {
        return shared.borrow_mut().fail(error);
    }
    let idle = || -> Vec<Option<Engine>> { settings.engines.iter().map(|_| None).collect() };
    let workers = std::iter::once(engines).chain(std::iter::repeat_with(idle)).take(settings.concurrency.max(1));
    join_all(workers.map(|engines| play_games(settings, shared, engines)).collect()).await;
}

/// Runs all workers concurrently on this thread.
async fn join_all(workers: Vec<impl Future<Output = ()>>) {
    let mut workers: Vec<_> = workers.into_iter().map(|worker| Some(Box::pin(worker))).collect();
    std::future::poll_fn(move |context| {
        for slot in &mut workers {
            if slot.as_mut().is_some_and(|worker| worker.as_mut().poll(context).is_ready()) {
                *slot = None;
            }
        }
        if workers.iter().all(Option::is_none) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

/// Plays games, one after another, until there are no more. With more than two engines, those not playing are ended.
async fn play_games(settings: &MatchSettings, shared: &Rc<RefCell<Shared<'_>>>, mut engines: Vec<Option<Engine>>) {
    let openings = Arc::new(settings.openings.clone());
    let mut again = None;
    while let Some((game, fixture)) = again.take().or_else(|| shared.borrow_mut().next_game()) {
        let source = openings.clone();
        let Ok(opening) = tokio::task::spawn_blocking(move || source.get(fixture.opening)).await else {
            return shared.borrow_mut().fail(ArenaError::NoOpening(game + 1));
        };
        for (index, slot) in engines.iter_mut().enumerate() {
            match slot.take() {
                Some(engine) if !fixture.players.contains(&index) => engine.dismiss().await,
                Some(engine) => *slot = Some(engine),
                None if fixture.players.contains(&index) => match start(settings, index).await {
                    Ok(mut engine) => {
                        engine.rename(&shared.borrow().standing.names[index]);
                        *slot = Some(engine);
                    }
                    Err(error) => return shared.borrow_mut().fail(error),
                },
                None => {}
            }
        }
        let Ok([Some(red), Some(black)]) = engines.get_disjoint_mut(fixture.players) else { return };
        let times = fixture.players.map(|player| settings.times[player]);
        let stops = shared.borrow().stops;
        let record = play([red, black], times, &opening, &settings.adjudication).await;
        if let Some(fault) = red.log_fault().or_else(|| black.log_fault()) {
            shared.borrow_mut().log_fault.get_or_insert(fault);
        }
        if record.ending.needs_restart()
            && let GameResult::Loses(color) = record.result
            && let Some(engine) = engines[fixture.players[color.index()]].take()
        {
            engine.remove().await;
        }
        if matches!(record.ending, Ending::TimeForfeit | Ending::Hang) {
            tokio::time::sleep(SIGNAL_DELAY).await;
            // The clocks ran on while nobody read the answers.
            if shared.borrow().stops != stops {
                let text = format!("game {}: the match was stopped during it, it is played again", game + 1);
                shared.borrow_mut().watcher.repaired(&text);
                again = Some((game, fixture));
                continue;
            }
        }
        shared.borrow_mut().finished(game, fixture, &record, times);
    }
    for engine in engines.into_iter().flatten() {
        engine.dismiss().await;
    }
}

/// Starts the engine with this index.
async fn start(settings: &MatchSettings, index: usize) -> Result<Engine, ArenaError> {
    let mut failures = 0;
    loop {
        match Engine::start(&settings.engines[index], settings.times[index], settings.logs.as_deref()).await {
            Ok(engine) => return Ok(engine),
            // A second start would not change these; an engine that is silent has had its time.
            Err(
                error @ ArenaError::Engine {
                    error:
                        EngineError::Option(_)
                        | EngineError::WholeSeconds(_)
                        | EngineError::Log { .. }
                        | EngineError::NoFolder(_)
                        | EngineError::Silent { .. },
                    ..
                },
            ) => return Err(error),
            Err(error) => {
                failures += 1;
                if failures == MAX_STARTS {
                    return Err(error);
                }
            }
        }
    }
}

impl Shared<'_> {
    fn next_game(&mut self) -> Option<(usize, Fixture)> {
        let game = if self.is_over || self.error.is_some() { None } else { self.to_play.next() }?;
        Some((game, self.schedule.fixture(game)))
    }

    fn fail(&mut self, error: ArenaError) {
        self.error.get_or_insert(error);
        self.over.notify_one();
    }

    fn decide(&mut self) {
        if let Some(sprt) = &self.settings.sprt {
            self.is_over |= sprt.status(&self.standing.summary().pairs) != SprtStatus::Undecided;
        }
        if self.is_over {
            self.over.notify_one();
        }
    }

    fn finished(&mut self, game: usize, fixture: Fixture, record: &GameRecord, times: [TimeControl; 2]) {
        // After a failed write, a further line in the state would turn the unwritten game before it into damage. This game will be played
        // again.
        if self.error.is_some() {
            return;
        }
        let half_points = match record.result {
            GameResult::Draw => 1,
            // Red has won: two half points for the first engine of the pairing unless it was Black.
            GameResult::Loses(Color::Black) => 2 * !fixture.is_reversed as usize,
            GameResult::Loses(Color::Red) => 2 * fixture.is_reversed as usize,
        };
        let finished = Finished { game, half_points, ending: record.ending, plies: record.moves.len(), pgn: None };
        self.standing.add(&finished, fixture);
        if let Err(error) = self.keep(finished, fixture, record, times) {
            self.fail(error);
        }
        if self.watcher.finished(game + 1, fixture, Some(record), &self.standing).is_break() {
            self.is_over = true;
        }
        self.decide();
    }

    fn keep(
        &mut self,
        finished: Finished,
        fixture: Fixture,
        record: &GameRecord,
        times: [TimeControl; 2],
    ) -> Result<(), ArenaError> {
        let game = finished.game + 1;
        let players = fixture.players.map(|player| self.standing.names[player].as_str());
        let text = self.outputs.has_pgn().then(|| write_pgn(record, players, game, times.map(|time| time.to_string())));
        let text = text.transpose().map_err(|error| ArenaError::Record { game, error })?;
        self.outputs.add(finished, text.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_unique() {
        assert_eq!(distinct(["a", "b", "a", "a (2)", "a"].into_iter()), ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
    }
}
