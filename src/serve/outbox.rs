//! What the search thread has to say, on its way to the connection. Lines of analysis replace one another, so that a slow page
//! gets the newest and never a backlog.

use crate::board_page::engine::Lines;
use crate::board_page::message::Reply;
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

#[derive(Default)]
struct Held {
    replies: VecDeque<Reply>,
    /// The newest lines, and the request that they answer.
    lines: Option<(u64, Lines)>,
}

/// Something that is to be sent.
pub enum Due {
    /// As it is.
    Reply(Box<Reply>),
    /// Lines that are still to be put into words.
    Lines(u64, Lines),
}

/// See the module.
#[derive(Default)]
pub struct Outbox {
    held: Mutex<Held>,
    changed: Notify,
}

impl Outbox {
    /// Adds a reply.
    pub fn push(&self, reply: Reply) {
        self.held.lock().replies.push_back(reply);
        self.changed.notify_one();
    }

    /// Replaces the lines.
    pub fn show(&self, id: u64, lines: Lines) {
        self.held.lock().lines = Some((id, lines));
        self.changed.notify_one();
    }

    /// What is to be sent next: lines before the reply that ends their analysis.
    pub fn take(&self) -> Option<Due> {
        let mut held = self.held.lock();
        if let Some((id, lines)) = held.lines.take() {
            // A reply to an earlier request is older than the lines.
            match held.replies.front() {
                Some(reply) if reply.id.is_some_and(|replied| replied != id) => held.lines = Some((id, lines)),
                _ => return Some(Due::Lines(id, lines)),
            }
        }
        held.replies.pop_front().map(|reply| Due::Reply(Box::new(reply)))
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        let held = self.held.lock();
        held.replies.is_empty() && held.lines.is_none()
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
    use crate::board_page::{Bare, Engine, Step, Task};

    fn done(id: u64) -> Reply {
        Reply { id: Some(id), answer: Answer::Done { stopped: true } }
    }

    #[test]
    fn only_the_newest_lines_are_sent_and_in_order() {
        let outbox = Outbox::default();
        outbox.push(done(1));
        let Ok(Request { ask: Ask::Search(search), .. }) = Request::read(r#"{"id":2,"ask":{"analyse":{"line":{},"depth":3}}}"#)
        else {
            panic!("a search")
        };
        let mut shown = 0;
        Engine::new(1, 1).run(Task::new(&search, &Bare).unwrap(), &|| false, &mut |step| {
            if let Step::Lines(lines) = step {
                shown += 1;
                outbox.show(2, lines);
            }
        });
        assert!(shown > 1);
        outbox.push(done(2));
        let mut order = Vec::new();
        while let Some(due) = outbox.take() {
            order.push(match due {
                Due::Reply(reply) => ("reply", reply.id),
                Due::Lines(id, _) => ("lines", Some(id)),
            });
        }
        assert_eq!(order, [("reply", Some(1)), ("lines", Some(2)), ("reply", Some(2))]);
        assert!(outbox.is_empty());
    }
}
