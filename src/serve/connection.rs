//! The WebSocket of one page: receives its messages one after another and sends the answers.

use super::engine::EngineThread;
use super::outbox::{Outbox, Outgoing};
use super::server::{MAX_SEARCHES, Server};
use crate::board_page::limits::QUIET;
use crate::board_page::message::{Answer, Ask, Reply, Request};
use crate::board_page::{RequestError, Task, questions};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// An event that the connection waits for.
enum Event {
    /// A message of the page; `None` when the connection has ended.
    Message(Option<Message>),
    /// The outbox has something to send.
    Outbox,
    /// The idle deadline may have passed.
    Idle,
}

/// The time at which anything, even part of a message, was last received from a client.
#[derive(Clone)]
pub struct LastReceived(Arc<Mutex<Instant>>);

impl Default for LastReceived {
    fn default() -> LastReceived {
        LastReceived(Arc::new(Mutex::new(Instant::now())))
    }
}

impl LastReceived {
    /// Sets the time to now.
    pub fn update(&self) {
        *self.0.lock() = Instant::now();
    }
}

/// The action that is due if a page stays idle, and its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum IdleDeadline {
    /// Send a ping.
    Ping(Instant),
    /// Close the connection: nothing was received since the ping.
    Close(Instant),
}

impl IdleDeadline {
    /// The deadline for a page from which something was last received at `received`, and which was last pinged at `pinged`.
    fn of(received: Instant, pinged: Option<Instant>, idle: Duration, pong: Duration) -> IdleDeadline {
        match pinged {
            Some(pinged) if received < pinged => IdleDeadline::Close(pinged + pong),
            _ => IdleDeadline::Ping(received + idle),
        }
    }

    fn time(self) -> Instant {
        match self {
            IdleDeadline::Ping(time) | IdleDeadline::Close(time) => time,
        }
    }
}

struct Connection<'a> {
    socket: WebSocket,
    server: &'a Server,
    engine: Option<EngineThread>,
    outbox: Arc<Outbox>,
    /// No lines are sent before this time.
    quiet_until: Instant,
    received: LastReceived,
    /// The time of the last ping.
    pinged: Option<Instant>,
}

/// The reason why a message of the page is refused.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    /// The request is invalid or cannot be answered.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The message is binary.
    #[error("a binary message, expected text")]
    Binary,
    /// The limit of concurrent searches is reached.
    #[error("{MAX_SEARCHES} searches are running for other pages, the maximum")]
    Busy,
    /// The engine's thread cannot be started.
    #[error("the engine cannot start: {0}")]
    Engine(#[source] std::io::Error),
}

/// The page has disconnected or does not respond.
struct Disconnected;

/// Time for the closing handshake.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Receives and ignores the rest of a connection that is being closed. This also sends the reply to the client's close frame.
async fn finish(socket: &mut WebSocket) {
    let rest = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, rest).await;
}

/// Closes the connection of a page because too many are connected. Browsers show a page the code and reason of a closed WebSocket, but not
/// the status of a rejected upgrade.
pub async fn turn_away(mut socket: WebSocket, reason: String) {
    let frame = CloseFrame { code: close_code::AGAIN, reason: reason.into() };
    if let Ok(Ok(())) = tokio::time::timeout(CLOSE_TIMEOUT, socket.send(Message::Close(Some(frame)))).await {
        finish(&mut socket).await;
    }
}

/// Serves a page until it disconnects, which also stops its search.
pub async fn run(socket: WebSocket, server: &Server, received: LastReceived) {
    let outbox = Arc::new(Outbox::default());
    let quiet_until = Instant::now();
    let mut connection = Connection { socket, server, engine: None, outbox, quiet_until, received, pinged: None };
    let hello = Reply { id: None, answer: Answer::Hello(server.hello.clone()) };
    if connection.send(&hello).await.is_ok() {
        while connection.step().await.is_ok() {}
    }
}

impl Connection<'_> {
    async fn send(&mut self, reply: &Reply) -> Result<(), Disconnected> {
        self.put(Message::Text(reply.text().into())).await
    }

    /// Sends a message. A page that does not receive it in time is disconnected, so that no backlog can build up.
    async fn put(&mut self, message: Message) -> Result<(), Disconnected> {
        match tokio::time::timeout(self.server.timeouts.send, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Disconnected),
        }
    }

    fn is_searching(&self) -> bool {
        self.engine.as_ref().is_some_and(EngineThread::is_busy)
    }

    /// Waits for one event and handles it.
    async fn step(&mut self) -> Result<(), Disconnected> {
        let deadline = self.idle_deadline();
        let (outbox, quiet_until) = (&self.outbox, self.quiet_until);
        let engine = async {
            outbox.filled().await;
            sleep_until(quiet_until).await;
        };
        let event = tokio::select! {
            // A message that has arrived takes precedence over the deadline for it.
            biased;
            message = self.socket.recv() => Event::Message(message.and_then(Result::ok)),
            () = engine => Event::Outbox,
            () = sleep_until(deadline.time()) => Event::Idle,
        };
        match event {
            Event::Message(None) => Err(Disconnected),
            Event::Message(Some(message)) => self.take(message).await,
            Event::Outbox => self.empty_outbox().await,
            // Part of a message may have arrived in the meantime.
            Event::Idle => match self.idle_deadline() {
                deadline if deadline.time() > Instant::now() => Ok(()),
                IdleDeadline::Close(_) => Err(Disconnected),
                IdleDeadline::Ping(_) => {
                    self.pinged = Some(Instant::now());
                    self.put(Message::Ping(Default::default())).await
                }
            },
        }
    }

    fn idle_deadline(&self) -> IdleDeadline {
        let timeouts = &self.server.timeouts;
        let idle = if self.is_searching() { timeouts.idle_in_search } else { timeouts.idle };
        IdleDeadline::of(*self.received.0.lock(), self.pinged, idle, timeouts.pong)
    }

    async fn empty_outbox(&mut self) -> Result<(), Disconnected> {
        while let Some(outgoing) = self.outbox.take() {
            match outgoing {
                Outgoing::Reply(reply) => self.send(&reply).await?,
                Outgoing::Lines(id, lines) => {
                    self.quiet_until = Instant::now() + QUIET;
                    // Whatever follows is sent after the quiet interval.
                    return self.send(&Reply { id: Some(id), answer: lines.answer() }).await;
                }
            }
        }
        Ok(())
    }

    async fn take(&mut self, message: Message) -> Result<(), Disconnected> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return self.refuse(None, &Refusal::Binary).await,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => {
                finish(&mut self.socket).await;
                return Err(Disconnected);
            }
        };
        // A single thread serves all pages, so large messages and slow questions are moved to other threads.
        let is_large = text.len() > 100_000;
        let read = move || Request::read(text.as_str());
        let request = if is_large { blocking(read).await? } else { read() };
        let (id, ask) = match request {
            Ok(Request { id, ask }) => (id, ask),
            Err((id, error)) => return self.refuse(id, &error.into()).await,
        };
        match ask {
            Ask::Stop => {
                self.engine.iter_mut().for_each(EngineThread::stop);
                self.send(&Reply { id: Some(id), answer: Answer::Done { stopped: true } }).await
            }
            Ask::Search(search) => {
                self.engine.iter_mut().for_each(EngineThread::stop);
                // A large game takes a while to check, and another page may be changing the book.
                let resources = Arc::clone(&self.server.resources);
                let begun = match blocking(move || Task::new(&search, &*resources)).await? {
                    Ok(task) => self.search(id, task).await,
                    Err(error) => Err(error.into()),
                };
                match begun {
                    Ok(()) => Ok(()),
                    Err(error) => self.refuse(Some(id), &error).await,
                }
            }
            Ask::Question(question) => {
                let resources = Arc::clone(&self.server.resources);
                let answer = blocking(move || questions::answer(question, &*resources)).await?;
                self.send(&Reply { id: Some(id), answer: answer.into() }).await
            }
        }
    }

    async fn refuse(&mut self, id: Option<u64>, error: &Refusal) -> Result<(), Disconnected> {
        let answer = match error {
            Refusal::Request(error) => Answer::request_error(error),
            error => Answer::error(error, matches!(error, Refusal::Busy)),
        };
        self.send(&Reply { id, answer }).await
    }

    /// Starts a search, which replaces the page's running one.
    async fn search(&mut self, id: u64, task: Task) -> Result<(), Refusal> {
        let searches = Arc::clone(&self.server.searches);
        let permit = match Arc::clone(&searches).try_acquire_owned() {
            Ok(permit) => permit,
            // The page's own search keeps its permit until it has stopped.
            Err(_) if self.is_searching() => {
                const STOP_TIMEOUT: Duration = Duration::from_secs(2);
                let waited = tokio::time::timeout(STOP_TIMEOUT, searches.acquire_owned()).await;
                waited.ok().and_then(Result::ok).ok_or(Refusal::Busy)?
            }
            Err(_) => return Err(Refusal::Busy),
        };
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                let (threads, hash, outbox) = (self.server.threads, self.server.hash, Arc::clone(&self.outbox));
                // Preparing a large table takes seconds, in which the other pages must not wait.
                let started = tokio::task::spawn_blocking(move || EngineThread::start(threads, hash, &outbox)).await;
                let started = started.map_err(std::io::Error::other).and_then(|started| started);
                self.engine.insert(started.map_err(Refusal::Engine)?)
            }
        };
        engine.begin(id, task, permit);
        Ok(())
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Disconnected> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Disconnected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_page_is_pinged_before_it_is_disconnected() {
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let of = |received, pinged: Option<u64>| {
            IdleDeadline::of(after(received), pinged.map(after), Duration::from_secs(60), Duration::from_secs(25))
        };
        assert_eq!(of(0, None), IdleDeadline::Ping(after(60)));
        assert_eq!(of(0, Some(60)), IdleDeadline::Close(after(85)));
        // Any byte counts as a response, even one received at the same instant as the ping.
        assert_eq!(of(60, Some(60)), IdleDeadline::Ping(after(120)));
        assert_eq!(of(70, Some(60)), IdleDeadline::Ping(after(130)));
        // A server that was busy for a long time still pings first.
        assert_eq!(of(5, None).time().max(after(600)), after(600));
        assert!(matches!(of(5, None), IdleDeadline::Ping(_)));
    }
}
