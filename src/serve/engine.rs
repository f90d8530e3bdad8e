//! The engine of one connection: a thread that does one search after another. It ends with the connection, and so does the search.

use super::outbox::Outbox;
use crate::board_page::message::Reply;
use crate::board_page::{Engine, Step, Task};
use crate::threads::Control;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use tokio::sync::OwnedSemaphorePermit;

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum State {
    /// It runs or is about to.
    Busy,
    /// It has been asked to end.
    Stopping,
    /// It has ended.
    Ended,
}

/// The state of a search, for its thread and its connection.
struct Shared(AtomicU8);

impl Shared {
    fn is(&self, state: State) -> bool {
        self.0.load(Ordering::SeqCst) == state as u8
    }

    fn stop(&self) {
        // One that has ended stays so.
        let _ = self.0.compare_exchange(State::Busy as u8, State::Stopping as u8, Ordering::SeqCst, Ordering::SeqCst);
    }

    fn end(&self) {
        self.0.store(State::Ended as u8, Ordering::SeqCst);
    }
}

struct Order {
    id: u64,
    task: Task,
    state: Arc<Shared>,
    /// One of the searches that may run at once.
    permit: OwnedSemaphorePermit,
}

/// The handle of the engine's thread.
pub struct EngineThread {
    orders: Sender<Order>,
    control: Control,
    /// The search that was asked for last.
    latest: Option<Arc<Shared>>,
}

impl EngineThread {
    /// Starts the thread. What it finds goes into the outbox.
    pub fn start(threads: usize, hash: usize, outbox: &Arc<Outbox>) -> std::io::Result<EngineThread> {
        let engine = Engine::new(threads, hash);
        let control = engine.control();
        let (orders, receiver) = unbounded();
        let outbox = Arc::downgrade(outbox);
        std::thread::Builder::new().name("engine".into()).spawn(move || work(engine, &receiver, &outbox))?;
        Ok(EngineThread { orders, control, latest: None })
    }

    /// Ends the search that runs, if one does.
    pub fn stop(&mut self) {
        if let Some(latest) = &self.latest {
            latest.stop();
            self.control.stop();
        }
    }

    /// Whether a search runs or is about to.
    pub fn is_busy(&self) -> bool {
        self.latest.as_ref().is_some_and(|latest| !latest.is(State::Ended))
    }

    /// Begins a search, in place of the one that runs.
    pub fn begin(&mut self, id: u64, task: Task, permit: OwnedSemaphorePermit) {
        self.stop();
        let state = Arc::new(Shared(AtomicU8::new(State::Busy as u8)));
        self.latest = Some(Arc::clone(&state));
        // The thread lives as long as this sender.
        let _ = self.orders.send(Order { id, task, state, permit });
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the thread does until its connection is gone.
fn work(mut engine: Engine, orders: &Receiver<Order>, outbox: &Weak<Outbox>) {
    for Order { id, task, state, permit } in orders {
        let Some(outbox) = outbox.upgrade() else { return };
        let answer = engine.run(task, &|| state.is(State::Stopping), &mut |step| match step {
            Step::Lines(lines) => outbox.show(id, lines),
            Step::Answer(answer) => outbox.push(Reply { id: Some(id), answer }),
        });
        // The search has ended for others before the page hears of it.
        drop(permit);
        state.end();
        outbox.push(Reply { id: Some(id), answer });
    }
}
