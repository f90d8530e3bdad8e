//! The conversation as the threads of the process share it. Each of them does what its news means by itself: the thread that reads
//! carries out a command, the worker writes its answer. To hand it to one more thread would cost another wake-up, which on a busy
//! machine takes longer than all the rest.

use super::input::read_line;
use super::output::Output;
use super::session::{Flow, Session, Terminal};
use super::{Event, Id};
use parking_lot::{Condvar, Mutex};
use std::io::BufRead;
use std::sync::Arc;

/// A session, for one thread at a time.
#[derive(Default)]
pub struct Conversation {
    state: Mutex<State>,
    /// There may be room for another line, or the end has come.
    has_room: Condvar,
    /// The end has come, or the time for it is known.
    has_end: Condvar,
}

#[derive(Default)]
struct State {
    /// There from the beginning on.
    session: Option<Session>,
    is_over: bool,
}

impl State {
    /// Whether a line can be taken.
    fn has_room(&self) -> bool {
        self.session.as_ref().is_none_or(Session::has_room)
    }
}

impl Conversation {
    /// Begins a conversation, with the worker's thread.
    ///
    /// # Errors
    /// When the system provides no thread.
    pub fn begin(output: Output, terminal: Terminal) -> std::io::Result<Arc<Conversation>> {
        let conversation = Arc::new(Conversation::default());
        let heard = Arc::clone(&conversation);
        // Held, so that the worker's first event waits for the session.
        let mut state = conversation.state.lock();
        state.session = Some(Session::new(output, move |event| heard.hear(event), terminal)?);
        drop(state);
        Ok(conversation)
    }

    /// Whether the conversation ends with the process that has started this one.
    pub fn watches_parent(&self) -> bool {
        self.state.lock().session.as_ref().is_some_and(|session| session.options().is_on(Id::WatchParent))
    }

    /// Has the session do something, if the end has not come.
    fn act(&self, state: &mut State, work: impl FnOnce(&mut Session) -> Flow) {
        if let (false, Some(session)) = (state.is_over, &mut state.session) {
            state.is_over = work(session) == Flow::End;
            if state.is_over || session.deadline().is_some() {
                self.has_end.notify_all();
            }
            self.has_room.notify_all();
        }
    }

    /// Takes an event; returns whether the conversation goes on.
    pub fn hear(&self, event: Event) -> bool {
        let mut state = self.state.lock();
        self.act(&mut state, |session| session.hear(event));
        !state.is_over
    }

    /// Takes all lines of an input, and its end.
    pub fn read(&self, input: &mut impl BufRead) {
        while let Ok(Some(line)) = read_line(input) {
            let mut state = self.state.lock();
            while !state.is_over && !state.has_room() {
                self.has_room.wait(&mut state);
            }
            self.act(&mut state, |session| session.receive(&line));
            if state.is_over {
                return;
            }
        }
        self.act(&mut self.state.lock(), Session::end_of_input);
    }

    /// Waits for the end.
    pub fn wait(&self) {
        let mut state = self.state.lock();
        while !state.is_over {
            match state.session.as_ref().and_then(Session::deadline) {
                None => self.has_end.wait(&mut state),
                Some(deadline) => {
                    if self.has_end.wait_until(&mut state, deadline).timed_out() {
                        self.act(&mut state, Session::time_is_up);
                    }
                }
            }
        }
    }
}
