//! What the search thread has to say, on its way to the connection. Lines of analysis replace one another, so that a slow page
//! gets the newest and never a backlog.

use super::message::Reply;
use crate::search::Info;
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

/// The lines of an analysis as the search reported them.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The request that they answer.
    pub id: u64,
    /// The latest line of every rank, the best first.
    pub lines: Vec<Info>,
}

#[derive(Default)]
struct Held {
    replies: VecDeque<Reply>,
    snapshot: Option<Snapshot>,
}

/// Something that is to be sent.
pub enum Due {
    /// As it is.
    Reply(Box<Reply>),
    /// Lines that are still to be put into words.
    Lines(Snapshot),
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
    pub fn show(&self, snapshot: Snapshot) {
        self.held.lock().snapshot = Some(snapshot);
        self.changed.notify_one();
    }

    /// What is to be sent next: lines before the reply that ends their analysis.
    pub fn take(&self) -> Option<Due> {
        let mut held = self.held.lock();
        if let Some(snapshot) = held.snapshot.take() {
            // A reply to an earlier request is older than the lines.
            match held.replies.front() {
                Some(reply) if reply.id.is_some_and(|id| id != snapshot.id) => held.snapshot = Some(snapshot),
                _ => return Some(Due::Lines(snapshot)),
            }
        }
        held.replies.pop_front().map(|reply| Due::Reply(Box::new(reply)))
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        let held = self.held.lock();
        held.replies.is_empty() && held.snapshot.is_none()
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
    use crate::serve::message::Answer;

    fn done(id: u64) -> Reply {
        Reply { id: Some(id), answer: Answer::Done { stopped: true } }
    }

    #[test]
    fn only_the_newest_lines_are_sent_and_in_order() {
        let outbox = Outbox::default();
        outbox.push(done(1));
        for _ in 0..5 {
            outbox.show(Snapshot { id: 2, lines: Vec::new() });
        }
        outbox.push(done(2));
        let mut order = Vec::new();
        while let Some(due) = outbox.take() {
            order.push(match due {
                Due::Reply(reply) => ("reply", reply.id),
                Due::Lines(snapshot) => ("lines", Some(snapshot.id)),
            });
        }
        assert_eq!(order, [("reply", Some(1)), ("lines", Some(2)), ("reply", Some(2))]);
        assert!(outbox.is_empty());
    }
}
