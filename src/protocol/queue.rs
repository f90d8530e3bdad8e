//! Queue of commands that wait for the end of a search, in order of arrival.

use super::command::Command;
use std::collections::VecDeque;

/// Maximum size of the queue in bytes, as counted by [`Queue::push`].
const MAX_SIZE: usize = 32 << 20;

/// Bytes of memory per byte of a line: each four-letter move becomes a separate string.
const EXPANSION: usize = 8;

/// A queued command.
struct Waiting {
    command: Command,
    /// Approximate size in bytes.
    size: usize,
    /// Whether it is a search that was stopped before it began.
    is_stopped: bool,
    /// Whether it is a `go ponder` whose `ponderhit` is queued too.
    is_hit: bool,
}

impl Waiting {
    /// Whether it is a search that only a stop (or a `ponderhit` that has not arrived) ends, and has not been stopped.
    fn is_open(&self) -> bool {
        let Command::Go(request) = &self.command else { return false };
        let waits = if self.is_hit { !request.is_limited() } else { request.waits_for_stop() };
        waits && !self.is_stopped
    }
}

/// The state of the last queued search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastSearch {
    /// It ends by itself, or the command that ends it is queued after it.
    Closed,
    /// Only a stop ends it.
    Open,
    /// A stop or a `ponderhit` ends it.
    Pondering,
}

/// The queued commands.
#[derive(Default)]
pub struct Queue {
    commands: VecDeque<Waiting>,
    /// Total size of the commands.
    size: usize,
    /// Number of `ponderhit`s among the commands.
    ponderhits: usize,
}

impl Queue {
    /// Adds a command parsed from a line of this many bytes.
    pub fn push(&mut self, command: Command, length: usize) {
        let size = EXPANSION * length + size_of::<Waiting>();
        self.size += size;
        if let Command::PonderHit { .. } = command {
            self.ponderhits += 1;
            let last_search = self.commands.iter_mut().rev().find(|waiting| waiting.command.starts_search());
            last_search.into_iter().for_each(|search| search.is_hit = true);
        }
        self.commands.push_back(Waiting { command, size, is_stopped: false, is_hit: false });
    }

    /// Removes the next command; returns also whether it is a search that has been stopped. While a search is running only a `ponderhit`
    /// that belongs to that search is returned: the commands before it wait for the end of the search, which waits for it.
    pub fn next(&mut self, is_busy: bool) -> Option<(Command, bool)> {
        let index = if is_busy { self.ponderhit()? } else { 0 };
        let next = self.commands.remove(index)?;
        self.size -= next.size;
        self.ponderhits -= matches!(next.command, Command::PonderHit { .. }) as usize;
        Some((next.command, next.is_stopped))
    }

    /// Whether a `ponderhit` for the running search is queued.
    pub fn has_ponderhit(&self) -> bool {
        self.ponderhit().is_some()
    }

    /// The index of the first `ponderhit`, unless it follows a queued search, to which it belongs then.
    fn ponderhit(&self) -> Option<usize> {
        // There is seldom one, and the queue may be long.
        if self.ponderhits == 0 {
            return None;
        }
        let mut before_next_search = self.commands.iter().take_while(|waiting| !waiting.command.starts_search());
        before_next_search.position(|waiting| matches!(waiting.command, Command::PonderHit { .. }))
    }

    /// Whether no command is queued.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Whether another command may be added.
    pub fn has_room(&self) -> bool {
        self.size < MAX_SIZE
    }

    /// Removes all commands; returns the number of searches among them.
    pub fn clear(&mut self) -> usize {
        let removed = std::mem::take(self);
        removed.commands.iter().filter(|waiting| waiting.command.starts_search()).count()
    }

    /// The state of the last queued search; `None` if no search is queued.
    pub fn last_search(&self) -> Option<LastSearch> {
        let last = self.commands.iter().rev().find(|waiting| waiting.command.starts_search())?;
        Some(match &last.command {
            Command::Go(request) if last.is_open() && request.is_pondering() && !last.is_hit => LastSearch::Pondering,
            _ if last.is_open() => LastSearch::Open,
            _ => LastSearch::Closed,
        })
    }

    /// Stops all queued searches: each will answer as soon as it has begun.
    pub fn stop_all(&mut self) {
        let searches = self.commands.iter_mut().rev().filter(|waiting| waiting.command.starts_search());
        // All searches before a stopped one are already stopped.
        for search in searches.take_while(|search| !search.is_stopped) {
            search.is_stopped = true;
        }
    }

    /// Stops the first search that would not end by itself.
    pub fn stop_first_open(&mut self) {
        if let Some(search) = self.commands.iter_mut().find(|waiting| waiting.is_open()) {
            search.is_stopped = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(lines: &[&str]) -> Queue {
        let mut queue = Queue::default();
        lines.iter().for_each(|line| queue.push(Command::parse(line.as_bytes()), line.len()));
        queue
    }

    #[test]
    fn only_a_ponderhit_is_returned_during_a_search() {
        let mut queue = queue(&["go ponder depth 3", "ponderhit", "d"]);
        assert_eq!(queue.next(true), None);
        assert!(matches!(queue.next(false), Some((Command::Go(_), false))));
        assert_eq!(queue.next(true), Some((Command::PonderHit { draw: false }, false)));
        assert_eq!((queue.next(true), queue.next(false)), (None, Some((Command::Display, false))));
        assert!(queue.is_empty() && queue.size == 0 && queue.ponderhits == 0);
    }

    #[test]
    fn a_ponderhit_does_not_wait_for_commands_before_it() {
        let mut queue = queue(&["go ponder depth 3", "d", "ponderhit", "go ponder depth 4", "ponderhit"]);
        assert!(!queue.has_ponderhit() && queue.next(true).is_none());
        assert!(matches!(queue.next(false), Some((Command::Go(_), false))) && queue.has_ponderhit());
        assert_eq!(queue.next(true), Some((Command::PonderHit { draw: false }, false)));
        // The other one belongs to a search that has not begun.
        assert!(!queue.has_ponderhit() && queue.next(true).is_none());
        assert_eq!(queue.next(false), Some((Command::Display, false)));
    }

    #[test]
    fn the_last_search_decides_what_may_follow() {
        for (lines, expected) in [
            (&["d"][..], None),
            (&["go depth 3", "d"], Some(LastSearch::Closed)),
            (&["go depth 3", "go infinite", "d"], Some(LastSearch::Open)),
            (&["go"], Some(LastSearch::Open)),
            (&["go perft 3"], None),
            (&["go infinite", "perft 3"], Some(LastSearch::Open)),
            (&["go ponder depth 3"], Some(LastSearch::Pondering)),
            (&["go ponder depth 3", "ponderhit"], Some(LastSearch::Closed)),
            (&["go ponder", "ponderhit"], Some(LastSearch::Open)),
            (&["go infinite", "go depth 3"], Some(LastSearch::Closed)),
        ] {
            assert_eq!(queue(lines).last_search(), expected, "{lines:?}");
        }
        let mut stopped = queue(&["go infinite"]);
        stopped.stop_all();
        assert_eq!(stopped.last_search(), Some(LastSearch::Closed));
    }

    #[test]
    fn a_stop_ends_the_searches_before_it() {
        let mut all = queue(&["go depth 3", "d", "go infinite"]);
        all.stop_all();
        all.push(Command::parse(b"go depth 4"), 10);
        let stopped: Vec<bool> = std::iter::from_fn(|| all.next(false)).map(|(_, is_stopped)| is_stopped).collect();
        assert_eq!(stopped, [true, false, true, false]);
        let mut first = queue(&["go depth 3", "go infinite", "go infinite"]);
        first.stop_first_open();
        let stopped: Vec<bool> = std::iter::from_fn(|| first.next(false)).map(|(_, is_stopped)| is_stopped).collect();
        assert_eq!(stopped, [false, true, false]);
        let mut hit = queue(&["go ponder depth 3", "ponderhit", "go infinite"]);
        hit.stop_first_open();
        let stopped: Vec<bool> = std::iter::from_fn(|| hit.next(false)).map(|(_, is_stopped)| is_stopped).collect();
        assert_eq!(stopped, [false, false, true]);
    }

    #[test]
    fn the_size_is_limited() {
        let mut queue = Queue::default();
        let mut count = 0;
        while queue.has_room() {
            queue.push(Command::Display, 1);
            count += 1;
        }
        assert!((1000..1_000_000).contains(&count), "{count}");
        queue.clear();
        assert!(queue.has_room());
    }
}
