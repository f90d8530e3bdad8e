//! How many pages there may be, and how long they are waited for. `docs/src/developers/serve.md` lists it for others.

use std::time::Duration;

/// Pages at once; each has one connection for its messages.
pub const CLIENTS: usize = 16;
/// Connections at once that are no page's: the one of them that came first gives way to the next. A browser has six.
pub const VISITORS: usize = 64;
/// Searches at once, over all connections.
pub const SEARCHES: usize = 4;
/// How long a client is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For the whole head of a request, the first one and the next ones of a connection.
    pub head: Duration,
    /// For all requests of a connection together, and that their answers are taken.
    pub requests: Duration,
    /// A page that has sent nothing for so long is asked whether it is still there.
    pub silence: Duration,
    /// The same while a search of the page runs.
    pub silence_in_search: Duration,
    /// For the answer to that.
    pub answer: Duration,
    /// Until the page has taken a message.
    pub message: Duration,
}

impl Patience {
    /// What clients of the program get.
    pub const USUAL: Patience = Patience {
        head: Duration::from_secs(10),
        requests: Duration::from_secs(60),
        silence: Duration::from_secs(60),
        silence_in_search: Duration::from_secs(10),
        answer: Duration::from_secs(25),
        message: Duration::from_secs(35),
    };
}
