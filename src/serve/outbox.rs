//! The queue of answers from the search thread to the connection. Newer lines of analysis replace older ones, so that a slow page gets
//! the newest and never a backlog.

use crate::board_page::engine::Lines;
use crate::board_page::message::Reply;
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

#[derive(Default)]
struct Contents {
    replies: VecDeque<Reply>,
    /// The newest lines, and the `id` of their request.
    lines: Option<(u64, Lines)>,
}

/// A message to send.
pub enum Outgoing {
    /// A complete message.
    Reply(Box<Reply>),
    /// Lines not yet formatted.
    Lines(u64, Lines),
}

/// See the module documentation.
#[derive(Default)]
pub struct Outbox {
    contents: Mutex<Contents>,
    changed: Notify,
}

impl Outbox {
    /// Adds a reply.
    pub fn push(&self, reply: Reply) {
        self.contents.lock().replies.push_back(reply);
        self.changed.notify_one();
    }

    /// Replaces the lines.
    pub fn show(&self, id: u64, lines: Lines) {
        self.contents.lock().lines = Some((id, lines));
        self.changed.notify_one();
    }

    /// Takes the next message to send. Lines precede the reply that ends their analysis.
    pub fn take(&self) -> Option<Outgoing> {
        let mut contents = self.contents.lock();
        if let Some((id, lines)) = contents.lines.take() {
            // A reply to an earlier request is older than the lines.
            match contents.replies.front() {
                Some(reply) if reply.id.is_some_and(|replied| replied != id) => contents.lines = Some((id, lines)),
                _ => return Some(Outgoing::Lines(id, lines)),
            }
        }
        contents.replies.pop_front().map(|reply| Outgoing::Reply(Box::new(reply)))
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        let contents = self.contents.lock();
        contents.replies.is_empty() && contents.lines.is_none()
    }

    /// Waits until there is something to send.
    pub async fn filled(&self) {
        while self.is_empty() {
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_page::message::{Answer, Ask, Request};
    use crate::board_page::{EmptyHost, Engine, Step, Task};

    fn done(id: u64) -> Reply {
        Reply { id: Some(id), answer: Answer::Done { stopped: true } }
    }

    #[test]
    fn only_the_newest_lines_are_sent_in_order() {
        let outbox = Outbox::default();
        outbox.push(done(1));
        let Ok(Request { ask: Ask::Search(search), .. }) = Request::read(r#"{"id":2,"ask":{"analyse":{"line":{},"depth":3}}}"#)
        else {
            panic!("a search")
        };
        let mut shown = 0;
        Engine::new(1, 1).run(Task::new(&search, &EmptyHost).unwrap(), &|| false, &mut |step| {
            if let Step::Lines(lines) = step {
                shown += 1;
                outbox.show(2, lines);
            }
        });
        assert!(shown > 1);
        outbox.push(done(2));
        let mut order = Vec::new();
        while let Some(outgoing) = outbox.take() {
            order.push(match outgoing {
                Outgoing::Reply(reply) => ("reply", reply.id),
                Outgoing::Lines(id, _) => ("lines", Some(id)),
            });
        }
        assert_eq!(order, [("reply", Some(1)), ("lines", Some(2)), ("reply", Some(2))]);
        assert!(outbox.is_empty());
    }
}
