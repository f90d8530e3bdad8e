//! Limits on connections and searches, and timeouts, documented in `docs/src/developers/serve.md`.

use std::time::Duration;

/// Concurrent pages, each with one WebSocket.
pub const CLIENTS: usize = 16;
/// Concurrent HTTP connections, not counting WebSockets; a new one replaces the oldest. A browser opens up to six.
pub const HTTP_CONNECTIONS: usize = 64;
/// Concurrent searches of all pages.
pub const SEARCHES: usize = 4;
/// Timeouts of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// To receive the complete head of a request, also of a later one on the same connection.
    pub head: Duration,
    /// For all requests of a connection together, until their responses are sent.
    pub requests: Duration,
    /// Until a page that sends nothing gets a ping.
    pub idle: Duration,
    /// The same while a search of the page runs.
    pub idle_in_search: Duration,
    /// For the response to a ping.
    pub pong: Duration,
    /// To send a message to the page.
    pub send: Duration,
}

impl Timeouts {
    /// The timeouts of `chuhe serve`.
    pub const STANDARD: Timeouts = Timeouts {
        head: Duration::from_secs(10),
        requests: Duration::from_secs(60),
        idle: Duration::from_secs(60),
        idle_in_search: Duration::from_secs(10),
        pong: Duration::from_secs(25),
        send: Duration::from_secs(35),
    };
}
