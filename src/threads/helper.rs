//! The helper threads of a pool, which sleep on a channel between searches.

use super::STACK;
use crate::memory::{available_memory, has_memory};
use crate::search::{Searcher, Shared, Task, ThreadResult};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use std::sync::Arc;
use std::thread::JoinHandle;

enum Request {
    Search(Arc<Task>),
    SetShared(Arc<Shared>),
    Clear,
}

struct Helper {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

/// All helper threads.
pub(super) struct Helpers {
    helpers: Vec<Helper>,
    results: Receiver<ThreadResult>,
    /// Number of searches whose results have not arrived yet.
    pending: usize,
}

impl Helpers {
    /// Starts this many threads, or fewer if the system provides no more or memory is short.
    pub(super) fn new(count: usize, shared: &Arc<Shared>) -> Helpers {
        let affordable = || usize::try_from(available_memory() / 2 / RESIDENT).unwrap_or(usize::MAX);
        let count = if count > FEW { count.min(affordable().max(FEW)) } else { count };
        let (sender, results) = bounded(count.max(1));
        let helpers = (1..=count).map_while(|id| Helper::new(id, Arc::clone(shared), sender.clone())).collect();
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

    /// Starts a search on all threads.
    pub(super) fn start(&mut self, task: &Arc<Task>) {
        self.pending = self.send_all(|| Request::Search(Arc::clone(task)));
    }

    /// Waits until all threads have finished their search.
    pub(super) fn results(&mut self) -> Vec<ThreadResult> {
        let pending = std::mem::take(&mut self.pending);
        (0..pending).map_while(|_| self.results.recv().ok()).collect()
    }

    /// Replaces the shared table and counters of all threads.
    pub(super) fn set_shared(&self, shared: &Arc<Shared>) {
        self.send_all(|| Request::SetShared(Arc::clone(shared)));
    }

    /// Clears the statistics of all threads.
    pub(super) fn clear(&self) {
        self.send_all(|| Request::Clear);
    }
}

/// Memory in bytes that a helper occupies once it has searched, rounded up: three huge pages and its stack. Most of it is untouched when
/// the helper starts, so [`has_memory`] does not notice it.
const RESIDENT: u64 = 8 << 20;
/// Up to this many helpers are started without asking the system how much memory is available, which takes time.
const FEW: usize = 16;

/// Heap size of a helper in bytes, rounded up: statistics and accumulators take three huge pages, and before their alignment up to twice
/// that; the stack of the search takes less than 1 MiB.
const HEAP: usize = 14 << 20;

impl Helper {
    /// `None` if the system provides no more threads, or no memory for one.
    fn new(id: usize, shared: Arc<Shared>, results: Sender<ThreadResult>) -> Option<Helper> {
        if !has_memory(STACK + HEAP) {
            return None;
        }
        let (requests, receiver) = unbounded();
        let (begun, has_begun) = bounded::<()>(0);
        let work = move || {
            let mut searcher = Searcher::new(id, shared);
            drop(begun);
            while let Ok(request) = receiver.recv() {
                match request {
                    Request::Search(task) => {
                        let found = searcher.run(&task, None);
                        // Dropped before sending: the receiver of the result may want to replace the table.
                        drop(task);
                        if results.send(found).is_err() {
                            return;
                        }
                    }
                    Request::SetShared(shared) => searcher.set_shared(shared),
                    Request::Clear => searcher.clear(),
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("search-{id}")).stack_size(STACK).spawn(work).ok()?;
        // Wait until this helper has allocated its memory, so that the check for the next one sees what remains. The channel
        // closes without a message.
        let _ = has_begun.recv();
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
