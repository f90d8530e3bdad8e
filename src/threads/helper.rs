//! The helper threads of a pool: they sleep on a channel between searches.

use crate::search::{Found, Searcher, Shared, Task, has_memory};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use std::sync::Arc;
use std::thread::JoinHandle;

enum Request {
    Search(Arc<Task>),
    Share(Arc<Shared>),
    Clear,
}

struct Helper {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

/// Bytes that a helper takes besides its stack: histories, frames and accumulators are 8 MiB.
const HEAP: usize = 10 << 20;
/// Addresses that glibc takes for the allocations of a thread, for up to eight threads a core.
const ARENA: usize = 128 << 20;

/// So many helpers, or as many of them as there is memory for. An allocation that fails within a thread would end the process, so all that
/// is needed is reserved first, and given back.
fn affordable(count: usize) -> usize {
    let arenas = 8 * std::thread::available_parallelism().map_or(1, usize::from);
    let fits = |count: usize| has_memory(count.saturating_mul(STACK + HEAP).saturating_add(count.min(arenas) * ARENA));
    // The first number that does not fit lies between.
    let (mut few, mut many) = (0, count + 1);
    while many - few > 1 {
        let middle = few.midpoint(many);
        if fits(middle) { few = middle } else { many = middle }
    }
    few
}

/// All helper threads.
pub(super) struct Helpers {
    helpers: Vec<Helper>,
    results: Receiver<Found>,
    /// Searches whose results have not arrived.
    pending: usize,
}

impl Helpers {
    /// Starts so many threads, or fewer when the system provides no more or memory is short.
    pub(super) fn new(count: usize, shared: &Arc<Shared>) -> Helpers {
        let count = affordable(count);
        let (sender, results) = bounded(count.max(1));
        let helpers = (1..=count).filter_map(|id| Helper::new(id, Arc::clone(shared), sender.clone())).collect();
        Helpers { helpers, results, pending: 0 }
    }

    /// The number of threads.
    pub(super) fn count(&self) -> usize {
        self.helpers.len()
    }

    fn send_all(&self, request: impl Fn() -> Request) -> usize {
        let is_sent = |helper: &&Helper| helper.requests.as_ref().is_some_and(|requests| requests.send(request()).is_ok());
        self.helpers.iter().filter(is_sent).count()
    }

    /// Starts a search on all.
    pub(super) fn start(&mut self, task: &Arc<Task>) {
        self.pending = self.send_all(|| Request::Search(Arc::clone(task)));
    }

    /// Waits for all to finish their search.
    pub(super) fn results(&mut self) -> Vec<Found> {
        let pending = std::mem::take(&mut self.pending);
        (0..pending).map_while(|_| self.results.recv().ok()).collect()
    }

    /// Replaces the table and the counters of all.
    pub(super) fn share(&self, shared: &Arc<Shared>) {
        self.send_all(|| Request::Share(Arc::clone(shared)));
    }

    /// Makes all forget what they learnt.
    pub(super) fn clear(&self) {
        self.send_all(|| Request::Clear);
    }
}

/// Stack of a helper thread in bytes: two hundred plies of node and quiescence frames, with room to spare in builds without
/// optimisation.
const STACK: usize = 16 << 20;

impl Helper {
    /// `None` when the system provides no more threads.
    fn new(id: usize, shared: Arc<Shared>, results: Sender<Found>) -> Option<Helper> {
        let (requests, receiver) = unbounded();
        let work = move || {
            let mut searcher = Searcher::new(id, shared);
            while let Ok(request) = receiver.recv() {
                match request {
                    Request::Search(task) => {
                        let found = searcher.run(&task, None);
                        // The task goes first: whoever gets the result may want the table back.
                        drop(task);
                        if results.send(found).is_err() {
                            return;
                        }
                    }
                    Request::Share(shared) => searcher.share(shared),
                    Request::Clear => searcher.clear(),
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("search-{id}")).stack_size(STACK).spawn(work).ok()?;
        Some(Helper { requests: Some(requests), thread: Some(thread) })
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // A closed channel ends the thread.
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
