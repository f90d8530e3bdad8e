//! The settings of the server, its limits and timeouts, and the state shared by all connections. `docs/src/developers/serve.md` documents
//! the limits.

use super::{EditableBook, GivenFile, PageAddress, Resources};
use crate::board_page::hello;
use crate::board_page::message::Hello;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Maximum number of concurrent pages, each with one WebSocket.
pub const MAX_PAGES: usize = 16;
/// Maximum number of concurrent HTTP connections, not counting WebSockets; a new one replaces the oldest. A browser opens up to six.
pub const MAX_HTTP_CONNECTIONS: usize = 64;
/// Maximum number of concurrent searches of all pages.
pub const MAX_SEARCHES: usize = 4;

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

/// Settings of the server.
pub struct Options {
    /// The port; 0 for any free port. `None`: [`DEFAULT_PORT`](super::DEFAULT_PORT), or any free port if that is in use.
    pub port: Option<u16>,
    /// Whether other machines on the network may connect, with the token of the address.
    pub lan: bool,
    /// What the pages may open and explore.
    pub resources: Resources,
    /// Search threads of an analysis.
    pub threads: usize,
    /// Hash table size of each engine in MiB.
    pub hash: usize,
}

/// State shared by all connections.
pub struct Server {
    /// Search threads of an analysis.
    pub threads: usize,
    /// MiB of the hash table of each engine.
    pub hash: usize,
    /// What the pages may open and explore.
    pub resources: Arc<Resources>,
    /// The address of the page.
    pub page: PageAddress,
    /// The greeting.
    pub hello: Hello,
    /// Free slots for pages.
    pub pages: Arc<Semaphore>,
    /// Free slots for searches.
    pub searches: Arc<Semaphore>,
    /// Timeouts of every connection.
    pub timeouts: Timeouts,
}

impl Server {
    /// The state of a server without connections.
    pub fn new(options: Options, page: &PageAddress, timeouts: Timeouts) -> Server {
        Server {
            hello: hello(
                options.resources.files.iter().map(GivenFile::name).collect(),
                options.resources.library_name(),
                options.resources.book.as_ref().map(EditableBook::name),
            ),
            threads: options.threads,
            hash: options.hash,
            resources: Arc::new(options.resources),
            page: page.clone(),
            pages: Arc::new(Semaphore::new(MAX_PAGES)),
            searches: Arc::new(Semaphore::new(MAX_SEARCHES)),
            timeouts,
        }
    }
}
