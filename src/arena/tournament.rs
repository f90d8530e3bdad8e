//! The match as a whole: pairs of games on several boards at once, faults survived, the result kept up to date.

use super::engine::{Engine, Fault};
use super::game::{Adjudication, Ending, GameRecord, play};
use super::openings::Openings;
use super::pgn::write_pgn;
use super::spec::{EngineSpec, TimeControl};
use super::state::{Finished, StateFile};
use super::statistics::{Sprt, SprtStatus, Summary};
use crate::rules::GameResult;
use crate::types::Color;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use tokio::sync::Notify;

/// Starts of an engine that may fail in a row before the match is given up.
const STARTS: usize = 3;

/// Everything a match needs to know.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The two engines.
    pub engines: [EngineSpec; 2],
    /// Their time.
    pub times: [TimeControl; 2],
    /// Games to play; made even, so that every opening is played from both sides.
    pub games: usize,
    /// Games at a time.
    pub concurrency: usize,
    /// Where games begin.
    pub openings: Openings,
    /// When games end.
    pub adjudication: Adjudication,
    /// Ends the match early when it is decided.
    pub sprt: Option<Sprt>,
    /// Games are added to this file.
    pub pgn: Option<PathBuf>,
    /// What is needed to take the match up again.
    pub state: Option<PathBuf>,
    /// What tells this match from others; written to the state file.
    pub description: String,
}

/// The result so far.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Points and pairs.
    pub summary: Summary,
    /// Names of the engines.
    pub names: [String; 2],
    /// How often each engine was at fault.
    pub faults: [BTreeMap<Ending, u64>; 2],
    /// How often games ended in each way.
    pub endings: BTreeMap<Ending, u64>,
    /// Plies over all games.
    pub plies: u64,
    halves: HashMap<usize, usize>,
}

impl Standing {
    fn add(&mut self, finished: &Finished) {
        let Finished { game, half_points, ending, plies } = *finished;
        self.summary.add(half_points);
        self.plies += plies as u64;
        *self.endings.entry(ending).or_default() += 1;
        if Ending::FAULTS.contains(&ending) {
            *self.faults[(half_points == 2) as usize].entry(ending).or_default() += 1;
        }
        match self.halves.remove(&(game / 2)) {
            Some(other) => self.summary.pairs.add(other + half_points),
            None => {
                self.halves.insert(game / 2, half_points);
            }
        }
    }
}

/// Is told of every game.
pub trait Watcher {
    /// A game, numbered from 1, has ended; none for the record of one that an earlier run has played.
    fn finished(&mut self, game: usize, record: Option<&GameRecord>, standing: &Standing);
}

/// What the boards share.
struct Shared<'a> {
    setup: &'a Setup,
    standing: Standing,
    watcher: &'a mut dyn Watcher,
    state: Option<StateFile>,
    pgn: Option<(File, PathBuf)>,
    to_play: std::vec::IntoIter<usize>,
    /// The first thing that makes going on pointless.
    error: Option<String>,
    decided: bool,
    over: Rc<Notify>,
}

/// Plays the match and returns its result.
///
/// # Errors
/// A sentence: an engine that can't be started, a file that can't be written.
pub fn run(setup: &Setup, watcher: &mut dyn Watcher) -> Result<Standing, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the match can't start: {error}"))?;
    let mut standing = Standing { names: setup.engines.clone().map(|spec| spec.name), ..Standing::default() };
    let (state, done) = match &setup.state {
        Some(path) => {
            let (state, done) = StateFile::open(path, &setup.description)?;
            (Some(state), done)
        }
        None => (None, Vec::new()),
    };
    for finished in &done {
        standing.add(finished);
        watcher.finished(finished.game + 1, None, &standing);
    }
    let pgn = match &setup.pgn {
        Some(path) => {
            let file = File::options().create(true).append(true).open(path);
            Some((file.map_err(|error| format!("{}: {error}", path.display()))?, path.clone()))
        }
        None => None,
    };
    let games = setup.games.next_multiple_of(2);
    let to_play: Vec<usize> = (0..games).filter(|game| done.iter().all(|finished| finished.game != *game)).collect();
    let mut shared = Shared {
        setup,
        standing,
        watcher,
        state,
        pgn,
        to_play: to_play.into_iter(),
        error: None,
        decided: false,
        over: Rc::default(),
    };
    shared.decide();
    let shared = Rc::new(RefCell::new(shared));
    runtime.block_on(async {
        let boards: Vec<_> = (0..setup.concurrency.max(1)).map(|_| board(setup, &shared)).collect();
        // A decided match doesn't wait for the games under way; engines whose handles are dropped are killed.
        let over = shared.borrow().over.clone();
        tokio::select! {
            () = join_all(boards) => {}
            () = over.notified() => {}
        }
    });
    // An opening that is still being looked for needn't be.
    runtime.shutdown_background();
    let shared = Rc::into_inner(shared).map(RefCell::into_inner).ok_or("a board is still busy")?;
    match shared.error {
        Some(error) => Err(error),
        None => Ok(shared.standing),
    }
}

/// Runs all boards side by side on this thread.
async fn join_all(boards: Vec<impl Future<Output = ()>>) {
    let mut boards: Vec<_> = boards.into_iter().map(|board| Some(Box::pin(board))).collect();
    std::future::poll_fn(move |context| {
        for slot in &mut boards {
            if slot.as_mut().is_some_and(|board| board.as_mut().poll(context).is_ready()) {
                *slot = None;
            }
        }
        if boards.iter().all(Option::is_none) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

/// One board: takes game after game until there are no more.
async fn board(setup: &Setup, shared: &Rc<RefCell<Shared<'_>>>) {
    let openings = Arc::new(setup.openings.clone());
    let mut engines: [Option<Engine>; 2] = [None, None];
    loop {
        let Some(game) = shared.borrow_mut().next_game() else { break };
        let source = openings.clone();
        let Ok(opening) = tokio::task::spawn_blocking(move || source.get(game / 2)).await else {
            return shared.borrow_mut().fail(format!("game {}: no opening could be made", game + 1));
        };
        for (index, slot) in engines.iter_mut().enumerate() {
            if slot.is_none() {
                match start(&setup.engines[index]).await {
                    Ok(engine) => *slot = Some(engine),
                    Err(error) => return shared.borrow_mut().fail(error),
                }
            }
        }
        let [Some(first), Some(second)] = &mut engines else { return };
        let names = [first.name().to_string(), second.name().to_string()];
        // In odd games the first engine is Black.
        let (players, times, is_reversed) = if game % 2 == 0 {
            ([first, second], setup.times, false)
        } else {
            ([second, first], [setup.times[1], setup.times[0]], true)
        };
        let record = play(players, times, &opening, &setup.adjudication).await;
        if record.ending.needs_restart()
            && let GameResult::Loses(color) = record.result
            && let Some(engine) = engines[color.index() ^ is_reversed as usize].take()
        {
            engine.dismiss().await;
        }
        shared.borrow_mut().finished(game, &record, names, times, is_reversed);
    }
    for engine in engines.into_iter().flatten() {
        engine.dismiss().await;
    }
}

async fn start(spec: &EngineSpec) -> Result<Engine, String> {
    let mut last = String::new();
    for _ in 0..STARTS {
        match Engine::start(spec).await {
            Ok(engine) => return Ok(engine),
            Err(Fault::Start(error)) => last = error,
            Err(fault) => last = format!("engine '{}': {fault}", spec.command),
        }
    }
    Err(last)
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.decided || self.error.is_some()
    }

    fn next_game(&mut self) -> Option<usize> {
        if self.is_over() { None } else { self.to_play.next() }
    }

    fn fail(&mut self, error: String) {
        self.error.get_or_insert(error);
        self.over.notify_one();
    }

    fn decide(&mut self) {
        if let Some(sprt) = &self.setup.sprt {
            self.decided = sprt.status(&self.standing.summary.pairs) != SprtStatus::Undecided;
        }
        if self.decided {
            self.over.notify_one();
        }
    }

    fn finished(&mut self, game: usize, record: &GameRecord, names: [String; 2], times: [TimeControl; 2], is_reversed: bool) {
        let half_points = match record.result {
            GameResult::Draw => 1,
            // Red has won: two half points for the first engine unless it was Black.
            GameResult::Loses(Color::Black) => 2 * !is_reversed as usize,
            GameResult::Loses(Color::Red) => 2 * is_reversed as usize,
        };
        let finished = Finished { game, half_points, ending: record.ending, plies: record.moves.len() };
        self.standing.add(&finished);
        self.standing.names = names;
        self.watcher.finished(game + 1, Some(record), &self.standing);
        let kept = self.state.as_mut().map_or(Ok(()), |state| state.add(&finished)).and_then(|()| {
            let Some((file, path)) = &mut self.pgn else { return Ok(()) };
            let [first, second] = self.standing.names.each_ref().map(String::as_str);
            let players = if is_reversed { [second, first] } else { [first, second] };
            let text = write_pgn(record, players, game + 1, times.map(|time| time.to_string()))?;
            file.write_all(&text).map_err(|error| format!("{}: {error}", path.display()))
        });
        if let Err(error) = kept {
            self.fail(error);
        }
        self.decide();
    }
}
