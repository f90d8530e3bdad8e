//! One page: takes its messages in turn and sends what they are answered with.

use super::engine::EngineThread;
use super::error::Refused;
use super::outbox::{Due, Outbox};
use super::server::Server;
use crate::board_page::limits::QUIET;
use crate::board_page::message::{Answer, Ask, Reply, Request, Search};
use crate::board_page::{Task, questions};
use axum::extract::ws::{Message, WebSocket};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// What the connection waited for.
enum Event {
    /// A message of the page; none at its end.
    Message(Option<Message>),
    /// The engine has something to say.
    Engine,
    /// The page may have been silent for too long.
    Silence,
}

/// When anything was last received from a client, parts of a message included.
#[derive(Clone)]
pub struct Heard(Arc<Mutex<Instant>>);

impl Default for Heard {
    fn default() -> Heard {
        Heard(Arc::new(Mutex::new(Instant::now())))
    }
}

impl Heard {
    /// Something has just been received.
    pub fn now(&self) {
        *self.0.lock() = Instant::now();
    }
}

/// What is due when a page says nothing, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Silence {
    /// It is asked whether it is still there.
    Asks(Instant),
    /// It has not answered that, and is gone.
    Ends(Instant),
}

impl Silence {
    /// For a page that was last heard of and last asked at these times, and may be silent for so long before it is asked again.
    fn of(heard: Instant, asked: Option<Instant>, longest: Duration, answer: Duration) -> Silence {
        match asked {
            Some(asked) if heard < asked => Silence::Ends(asked + answer),
            _ => Silence::Asks(heard + longest),
        }
    }

    fn time(self) -> Instant {
        match self {
            Silence::Asks(time) | Silence::Ends(time) => time,
        }
    }
}

struct Connection<'a> {
    socket: WebSocket,
    server: &'a Server,
    engine: Option<EngineThread>,
    outbox: Arc<Outbox>,
    /// Before this no lines are sent.
    quiet_until: Instant,
    /// When the page was last heard of.
    heard: Heard,
    /// When it was last asked whether it is still there.
    asked: Option<Instant>,
}

/// The page has gone.
struct Gone;

/// Serves a page until it goes. Its search ends with it.
pub async fn run(socket: WebSocket, server: &Server, heard: Heard) {
    let outbox = Arc::new(Outbox::default());
    let mut connection = Connection { socket, server, engine: None, outbox, quiet_until: Instant::now(), heard, asked: None };
    let hello = Reply { id: None, answer: Answer::Hello(server.hello.clone()) };
    if connection.send(&hello).await.is_ok() {
        while connection.step().await.is_ok() {}
    }
}

impl Connection<'_> {
    async fn send(&mut self, reply: &Reply) -> Result<(), Gone> {
        self.put(Message::Text(reply.text().into())).await
    }

    /// A page that takes nothing for a while is gone: nothing may pile up for it.
    async fn put(&mut self, message: Message) -> Result<(), Gone> {
        match tokio::time::timeout(self.server.patience.message, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    fn is_searching(&self) -> bool {
        self.engine.as_ref().is_some_and(EngineThread::is_busy)
    }

    /// Waits for one thing and does it.
    async fn step(&mut self) -> Result<(), Gone> {
        let silence = self.silence();
        let (outbox, quiet_until) = (&self.outbox, self.quiet_until);
        let engine = async {
            outbox.filled().await;
            sleep_until(quiet_until).await;
        };
        let event = tokio::select! {
            // What has arrived counts before the time in which it had to.
            biased;
            message = self.socket.recv() => Event::Message(message.and_then(Result::ok)),
            () = engine => Event::Engine,
            () = sleep_until(silence.time()) => Event::Silence,
        };
        match event {
            Event::Message(None) => Err(Gone),
            Event::Message(Some(message)) => self.take(message).await,
            Event::Engine => self.empty_outbox().await,
            // Part of a message may have arrived meanwhile.
            Event::Silence => match self.silence() {
                due if due.time() > Instant::now() => Ok(()),
                Silence::Ends(_) => Err(Gone),
                Silence::Asks(_) => {
                    self.asked = Some(Instant::now());
                    self.put(Message::Ping(Default::default())).await
                }
            },
        }
    }

    /// What is due if the page stays silent.
    fn silence(&self) -> Silence {
        let patience = &self.server.patience;
        let longest = if self.is_searching() { patience.silence_in_search } else { patience.silence };
        Silence::of(*self.heard.0.lock(), self.asked, longest, patience.answer)
    }

    async fn empty_outbox(&mut self) -> Result<(), Gone> {
        while let Some(due) = self.outbox.take() {
            match due {
                Due::Reply(reply) => self.send(&reply).await?,
                Due::Lines(id, lines) => {
                    self.quiet_until = Instant::now() + QUIET;
                    // The next ones, and what follows them, after the rest.
                    return self.send(&Reply { id: Some(id), answer: lines.answer() }).await;
                }
            }
        }
        Ok(())
    }

    async fn take(&mut self, message: Message) -> Result<(), Gone> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return self.refuse(None, &Refused::Binary).await,
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(Gone),
        };
        // Large messages and slow questions must not hold up the other pages, all of which one thread serves.
        let is_large = text.len() > 100_000;
        let read = move || Request::read(text.as_str());
        let request = if is_large { blocking(read).await? } else { read() };
        let (id, ask) = match request {
            Ok(Request { id, ask }) => (id, ask),
            Err((id, problem)) => return self.refuse(id, &problem.into()).await,
        };
        match ask {
            Ask::Stop => {
                self.engine.iter_mut().for_each(EngineThread::stop);
                self.send(&Reply { id: Some(id), answer: Answer::Done { stopped: true } }).await
            }
            Ask::Search(search) => match self.search(id, search).await {
                Ok(()) => Ok(()),
                Err(refused) => self.refuse(Some(id), &refused).await,
            },
            Ask::Question(question) => {
                let given = Arc::clone(&self.server.given);
                let answer = blocking(move || questions::answer(question, &*given)).await?;
                self.send(&Reply { id: Some(id), answer: answer.into() }).await
            }
        }
    }

    async fn refuse(&mut self, id: Option<u64>, refused: &Refused) -> Result<(), Gone> {
        let answer = Answer::error(refused, matches!(refused, Refused::Busy));
        self.send(&Reply { id, answer }).await
    }

    /// Begins a search. The one that runs ends first, and gives its place to the new one.
    async fn search(&mut self, id: u64, search: Search) -> Result<(), Refused> {
        self.engine.iter_mut().for_each(EngineThread::stop);
        let task = Task::new(&search, &*self.server.given)?;
        let searches = Arc::clone(&self.server.searches);
        let permit = match Arc::clone(&searches).try_acquire_owned() {
            Ok(permit) => permit,
            // The own search holds its place for the moment that it needs to end.
            Err(_) if self.is_searching() => {
                const MOMENT: Duration = Duration::from_secs(2);
                let waited = tokio::time::timeout(MOMENT, searches.acquire_owned()).await;
                waited.ok().and_then(Result::ok).ok_or(Refused::Busy)?
            }
            Err(_) => return Err(Refused::Busy),
        };
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                let started = EngineThread::start(self.server.threads, self.server.hash, &self.outbox);
                self.engine.insert(started.map_err(Refused::Engine)?)
            }
        };
        engine.begin(id, task, permit);
        Ok(())
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Gone> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_page_is_asked_and_only_then_gone() {
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let of = |heard, asked: Option<u64>| {
            Silence::of(after(heard), asked.map(after), Duration::from_secs(60), Duration::from_secs(25))
        };
        assert_eq!(of(0, None), Silence::Asks(after(60)));
        assert_eq!(of(0, Some(60)), Silence::Ends(after(85)));
        // Any byte is an answer, one of the moment of the question too.
        assert_eq!(of(60, Some(60)), Silence::Asks(after(120)));
        assert_eq!(of(70, Some(60)), Silence::Asks(after(130)));
        // A server that was busy for long asks first.
        assert_eq!(of(5, None).time().max(after(600)), after(600));
        assert!(matches!(of(5, None), Silence::Asks(_)));
    }
}
