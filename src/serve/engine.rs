//! The engine of one connection: a thread that runs one search at a time. The thread and its search end with the connection.

use super::outbox::Outbox;
use crate::board_page::message::Reply;
use crate::board_page::{Engine, Step, Task};
use crate::memory::too_little_for_tables;
use crate::threads::{Control, STACK};
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use tokio::sync::OwnedSemaphorePermit;

/// The state of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum State {
    /// It is running or queued.
    Busy,
    /// It has been asked to stop.
    Stopping,
    /// It has ended.
    Ended,
}

/// The state of a search, shared by its thread and its connection.
struct SharedState(AtomicU8);

impl SharedState {
    fn is(&self, state: State) -> bool {
        self.0.load(Ordering::SeqCst) == state as u8
    }

    fn stop(&self) {
        // A search that has ended keeps that state.
        let _ = self.0.compare_exchange(State::Busy as u8, State::Stopping as u8, Ordering::SeqCst, Ordering::SeqCst);
    }

    fn end(&self) {
        self.0.store(State::Ended as u8, Ordering::SeqCst);
    }
}

struct Job {
    id: u64,
    task: Task,
    state: Arc<SharedState>,
    /// Counts against the limit of concurrent searches.
    permit: OwnedSemaphorePermit,
}

/// The handle of the engine's thread.
pub struct EngineThread {
    jobs: Sender<Job>,
    control: Control,
    /// The state of the last search.
    latest: Option<Arc<SharedState>>,
}

impl EngineThread {
    /// Starts the thread, which puts its answers into the outbox.
    ///
    /// # Errors
    /// If the system does not provide a thread, or the memory for the table.
    pub fn start(threads: usize, hash: usize, outbox: &Arc<Outbox>) -> std::io::Result<EngineThread> {
        // Each page has its own table: those of the others may have taken the memory that was free at the start.
        if let Some(free) = too_little_for_tables(hash) {
            let text = format!("its hash table takes {hash} MiB of memory, and {free} MiB are free");
            return Err(std::io::Error::new(std::io::ErrorKind::OutOfMemory, text));
        }
        let engine = Engine::new(threads, hash);
        let control = engine.control();
        let (jobs, receiver) = unbounded();
        let outbox = Arc::downgrade(outbox);
        let run = move || work(engine, &receiver, &outbox);
        std::thread::Builder::new().name("engine".into()).stack_size(STACK).spawn(run)?;
        Ok(EngineThread { jobs, control, latest: None })
    }

    /// Stops the running search, if any.
    pub fn stop(&mut self) {
        if let Some(latest) = &self.latest {
            latest.stop();
            self.control.stop();
        }
    }

    /// Whether a search is running or queued.
    pub fn is_busy(&self) -> bool {
        self.latest.as_ref().is_some_and(|latest| !latest.is(State::Ended))
    }

    /// Starts a search, which replaces the running one.
    pub fn begin(&mut self, id: u64, task: Task, permit: OwnedSemaphorePermit) {
        self.stop();
        let state = Arc::new(SharedState(AtomicU8::new(State::Busy as u8)));
        self.latest = Some(Arc::clone(&state));
        // The receiver lives as long as this sender.
        let _ = self.jobs.send(Job { id, task, state, permit });
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The thread's loop, until its connection is closed.
fn work(mut engine: Engine, jobs: &Receiver<Job>, outbox: &Weak<Outbox>) {
    for Job { id, task, state, permit } in jobs {
        let Some(outbox) = outbox.upgrade() else { return };
        let answer = engine.run(task, &|| state.is(State::Stopping), &mut |step| match step {
            Step::Lines(lines) => outbox.show(id, lines),
            Step::Answer(answer) => outbox.push(Reply { id: Some(id), answer }),
        });
        // Release the permit first: when the page receives the final answer, another search can already start.
        drop(permit);
        state.end();
        outbox.push(Reply { id: Some(id), answer });
    }
}
