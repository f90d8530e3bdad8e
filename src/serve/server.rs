//! The settings of the server, and the state shared by all connections.

use super::limits::Timeouts;
use super::{CommandLine, GivenFile, OwnBook, PageAddress, limits};
use crate::board_page::hello;
use crate::board_page::message::Hello;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Settings of the server.
pub struct Options {
    /// The port; 0 for any free port. `None`: [`DEFAULT_PORT`](super::DEFAULT_PORT), or any free port if that is in use.
    pub port: Option<u16>,
    /// Whether other machines on the network may connect, with the token of the address.
    pub lan: bool,
    /// What the pages may open and explore.
    pub given: CommandLine,
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
    pub given: Arc<CommandLine>,
    /// The address of the page.
    pub page: PageAddress,
    /// The greeting.
    pub hello: Hello,
    /// Free slots for pages.
    pub clients: Arc<Semaphore>,
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
                options.given.files.iter().map(GivenFile::name).collect(),
                options.given.library_name(),
                options.given.book.as_ref().map(OwnBook::name),
            ),
            threads: options.threads,
            hash: options.hash,
            given: Arc::new(options.given),
            page: page.clone(),
            clients: Arc::new(Semaphore::new(limits::CLIENTS)),
            searches: Arc::new(Semaphore::new(limits::SEARCHES)),
            timeouts,
        }
    }
}
