//! Floor 5: the search threads, their shared table and how they are stopped.
//!
//! Lazy SMP: all threads search the same root and help each other through the table alone. The first one runs on the caller's
//! thread, watches the limits and reports; the others live as long as the pool and sleep between searches.

pub mod bench;
mod helper;
mod strength;
#[cfg(test)]
mod tests;

use crate::board::Position;
use crate::search::driver::Job;
use crate::search::shared::{Shared, Signals};
use crate::search::table::{Table, TableBound};
use crate::search::worker::{RootMove, Worker};
use crate::search::{Bound, Limits, Outcome, Report, Score, Settings};
use crate::types::Move;
use crate::types::score::{INFINITE, UNKNOWN, is_decided};
use helper::{Found, Helpers};
use parking_lot::RwLock;
use std::ops::RangeInclusive;
use std::sync::Arc;
pub use strength::ELO_RANGE;

/// Stops, releases or questions a running search from another thread. Cheap to clone.
#[derive(Clone)]
pub struct Control {
    signals: Arc<Signals>,
    /// The pool's present table: locked when the table is exchanged and when it is questioned, never by the search.
    table: Arc<RwLock<Arc<Table>>>,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The best move found.
    pub best: Option<Move>,
    /// Its value for the side to move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: i32,
}

impl Control {
    /// Announces a search that is about to be handed to another thread: a stop that comes before it has begun counts too.
    /// Without it [`Pool::search`] announces itself when it begins.
    pub fn arm(&self) {
        self.signals.arm();
    }

    /// Ends the announced or running search as soon as possible; without one it does nothing.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Turns a search that waits for a stop (pondering) into a normal one, whose clock runs from now.
    pub fn ponderhit(&self) {
        self.signals.release();
    }

    /// What the table knows of a position; may be asked while a search is running. Nothing where only an evaluation is stored.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        let entry = self.table.read().probe(position.board().key())?;
        let bound = match entry.bound {
            TableBound::None => return None,
            TableBound::Upper => Bound::Upper,
            TableBound::Lower => Bound::Lower,
            TableBound::Exact => Bound::Exact,
        };
        let best = (!entry.mv.is_none() && position.board().is_legal(entry.mv)).then_some(entry.mv);
        (entry.score != UNKNOWN).then_some(Probe { best, score: Score::of(entry.score), bound, depth: entry.depth })
    }
}

/// MiB of tables whose memory is touched in advance. Smaller ones are filled in no time; of a larger one that was asked for
/// without thought only what the searches use should be taken.
const TOUCHED_TABLES: RangeInclusive<usize> = 64..=4096;

/// The search threads with their transposition table.
pub struct Pool {
    control: Control,
    table: Arc<Table>,
    shared: Arc<Shared>,
    main: Box<Worker>,
    helpers: Helpers,
    /// Whether the table may hold something.
    is_table_used: bool,
}

impl Pool {
    /// A pool of `threads` search threads (at least 1) with a table of `hash_mib` MiB.
    pub fn new(threads: usize, hash_mib: usize) -> Pool {
        let table = Arc::new(Table::new(hash_mib));
        let control = Control { signals: Arc::default(), table: Arc::new(RwLock::new(Arc::clone(&table))) };
        let shared = Arc::new(Shared::new(Arc::clone(&table), Arc::clone(&control.signals), threads.max(1)));
        let main = Box::new(Worker::new(0, Arc::clone(&shared)));
        let helpers = Helpers::new(threads.max(1) - 1, &shared);
        let pool = Pool { control, table, shared, main, helpers, is_table_used: false };
        pool.touch();
        pool
    }

    /// Has the memory of a large table made ready meanwhile.
    fn touch(&self) {
        if !TOUCHED_TABLES.contains(&self.table.mib()) {
            return;
        }
        let table = Arc::clone(&self.table);
        // Without a thread the searches do it, more slowly.
        let _ = std::thread::Builder::new().name("table".into()).spawn(move || table.touch(|| Arc::strong_count(&table) > 1));
    }

    /// Changes the number of threads.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        if threads != self.helpers.count() + 1 {
            self.shared = Arc::new(Shared::new(Arc::clone(&self.table), Arc::clone(&self.control.signals), threads));
            self.helpers = Helpers::new(threads - 1, &self.shared);
        }
    }

    /// Changes the size of the table, which is empty afterwards. Takes less when there is not enough memory.
    pub fn set_hash(&mut self, hash_mib: usize) {
        // The old table goes before the new one comes: there may be no room for both.
        for mib in [1, hash_mib] {
            self.table = Arc::new(Table::new(mib));
            self.install();
        }
        self.is_table_used = false;
        self.touch();
    }

    /// Makes all threads share the present table.
    fn install(&mut self) {
        let threads = self.helpers.count() + 1;
        *self.control.table.write() = Arc::clone(&self.table);
        self.shared = Arc::new(Shared::new(Arc::clone(&self.table), Arc::clone(&self.control.signals), threads));
        self.main.share(Arc::clone(&self.shared));
        self.helpers.share(&self.shared);
    }

    /// Forgets everything learnt: a new game.
    pub fn clear(&mut self) {
        // To clear a large table takes time, and clients often announce a new game right after its size.
        if std::mem::take(&mut self.is_table_used) {
            self.table.clear(self.helpers.count() + 1);
        }
        self.main.clear();
        self.helpers.clear();
    }

    /// The handle that stops this pool's search from elsewhere.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Searches until a limit is reached or [`Control::stop`] is called, and returns the best move.
    pub fn search(&mut self, position: &Position, limits: &Limits, settings: &Settings, report: &mut dyn Report) -> Outcome {
        self.control.signals.begin();
        self.table.new_search();
        self.is_table_used = true;
        self.shared.reset_nodes();
        let legal = position.board().legal_moves();
        let allowed = legal
            .iter()
            .filter(|mv| limits.search_moves.is_empty() || limits.search_moves.contains(mv))
            .filter(|mv| !limits.banned_moves.contains(mv));
        let mut root_moves: Vec<RootMove> = allowed.map(|&mv| root_move(mv)).collect();
        if root_moves.is_empty() {
            if limits.wait_for_stop {
                self.control.signals.wait();
            }
            self.control.signals.end();
            let score = if legal.is_empty() { Score::Mate(0) } else { Score::Centipawns(0) };
            return Outcome { best: None, ponder: None, score, depth: 0, nodes: 0 };
        }
        let node_limit = strength::weaken(settings, &mut root_moves);
        let (position, limits, settings) = (position.clone(), limits.clone(), settings.clone());
        let job = Arc::new(Job { position, limits, settings, root_moves, shared: Arc::clone(&self.shared), node_limit });
        self.helpers.start(&job);
        self.main.run(&job, Some(report));
        let mut found = self.helpers.results();
        self.control.signals.end();
        let nodes = self.shared.nodes();
        let own = Found { root_moves: std::mem::take(&mut self.main.root_moves), depth: self.main.completed_depth };
        found.insert(0, own);
        let chosen = &found[if job.limits.multipv > 1 { 0 } else { vote(&found) }];
        // The last line told is the one that is played, also when an unfinished iteration or another thread knew better.
        if self.main.told != chosen.root_moves.first().map(|root| root.mv) {
            let searched = chosen.root_moves.iter().filter(|root| root.score.max(root.previous) != -INFINITE).count().max(1);
            for (index, root) in chosen.root_moves.iter().enumerate().take(job.lines().min(searched)) {
                report.line(&job.describe(root, index, chosen.depth.max(1), Bound::Exact));
            }
        }
        outcome(chosen, nodes)
    }
}

fn root_move(mv: Move) -> RootMove {
    RootMove {
        mv,
        score: -INFINITE,
        previous: -INFINITE,
        average: UNKNOWN,
        nodes: 0,
        selective_depth: 0,
        noise: 0,
        line: vec![mv],
    }
}

fn outcome(found: &Found, nodes: u64) -> Outcome {
    let best = &found.root_moves[0];
    let value = best.told_score();
    Outcome { best: Some(best.mv), ponder: best.line.get(1).copied(), score: Score::of(value), depth: found.depth, nodes }
}

/// The thread whose best move has the most votes; every thread votes with its depth, and more when its score is higher (as
/// in Stockfish). Proved wins and losses are not voted on: the best score decides.
fn vote(found: &[Found]) -> usize {
    let score = |index: usize| found[index].root_moves[0].score;
    let is_ready = |index: &usize| found[*index].depth > 0 && score(*index) != -INFINITE;
    let lowest = (0..found.len()).filter(is_ready).map(score).min().unwrap_or(0);
    let weight = |index: usize| (score(index) - lowest + 12) as i64 * found[index].depth as i64;
    let votes = |mv: Move| -> i64 {
        (0..found.len()).filter(is_ready).filter(|&other| found[other].root_moves[0].mv == mv).map(weight).sum()
    };
    (0..found.len()).filter(is_ready).fold(0, |best, index| {
        let is_better = if is_decided(score(best)) || is_decided(score(index)) {
            score(index) > score(best)
        } else {
            let (new, old) = (votes(found[index].root_moves[0].mv), votes(found[best].root_moves[0].mv));
            new > old || (new == old && weight(index) > weight(best))
        };
        if is_better { index } else { best }
    })
}
