//! The helper threads of a pool: they sleep on a channel between searches.

use crate::search::driver::Job;
use crate::search::shared::Shared;
use crate::search::worker::{RootMove, Worker};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use std::sync::Arc;
use std::thread::JoinHandle;

/// What a thread found.
pub(super) struct Found {
    /// Best first.
    pub(super) root_moves: Vec<RootMove>,
    /// Depth of the last finished iteration.
    pub(super) depth: i32,
}

enum Command {
    Search(Arc<Job>),
    Share(Arc<Shared>),
    Clear,
}

struct Helper {
    commands: Option<Sender<Command>>,
    thread: Option<JoinHandle<()>>,
}

/// All helper threads.
pub(super) struct Helpers {
    helpers: Vec<Helper>,
    results: Receiver<Found>,
    /// Searches started whose results have not come yet.
    pending: usize,
}

impl Helpers {
    /// So many threads.
    pub(super) fn new(count: usize, shared: &Arc<Shared>) -> Helpers {
        let (sender, results) = bounded(count.max(1));
        let helpers = (1..=count).filter_map(|id| Helper::new(id, Arc::clone(shared), sender.clone())).collect();
        Helpers { helpers, results, pending: 0 }
    }

    /// How many threads there are.
    pub(super) fn count(&self) -> usize {
        self.helpers.len()
    }

    fn send_all(&self, command: impl Fn() -> Command) -> usize {
        let is_sent = |helper: &&Helper| helper.commands.as_ref().is_some_and(|commands| commands.send(command()).is_ok());
        self.helpers.iter().filter(is_sent).count()
    }

    /// Lets all begin.
    pub(super) fn start(&mut self, job: &Arc<Job>) {
        self.pending = self.send_all(|| Command::Search(Arc::clone(job)));
    }

    /// Waits for all to end.
    pub(super) fn results(&mut self) -> Vec<Found> {
        let pending = std::mem::take(&mut self.pending);
        (0..pending).map_while(|_| self.results.recv().ok()).collect()
    }

    /// Gives all another table.
    pub(super) fn share(&self, shared: &Arc<Shared>) {
        self.send_all(|| Command::Share(Arc::clone(shared)));
    }

    /// Makes all forget.
    pub(super) fn clear(&self) {
        self.send_all(|| Command::Clear);
    }
}

/// Stack of a helper thread: two hundred plies of node and quiescence frames, with room to spare in builds without optimisation.
const STACK: usize = 16 << 20;

impl Helper {
    /// None when the system gives no more threads.
    fn new(id: usize, shared: Arc<Shared>, results: Sender<Found>) -> Option<Helper> {
        let (commands, receiver) = unbounded();
        let work = move || {
            let mut worker = Worker::new(id, shared);
            while let Ok(command) = receiver.recv() {
                match command {
                    Command::Search(job) => {
                        worker.run(&job, None);
                        // The job goes first: whoever gets the result may want the table back.
                        drop(job);
                        let root_moves = std::mem::take(&mut worker.root_moves);
                        if results.send(Found { root_moves, depth: worker.completed_depth }).is_err() {
                            return;
                        }
                    }
                    Command::Share(shared) => worker.share(shared),
                    Command::Clear => worker.clear(),
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("search-{id}")).stack_size(STACK).spawn(work).ok()?;
        Some(Helper { commands: Some(commands), thread: Some(thread) })
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // A closed channel ends the thread.
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
