//! What all connections share.

use super::limits::Patience;
use super::{CommandLine, Given, Options, OwnBook, Place, limits};
use crate::board_page::hello;
use crate::board_page::message::Hello;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What every connection needs.
pub struct Server {
    /// Search threads of an analysis.
    pub threads: usize,
    /// MiB of the hash table of each engine.
    pub hash: usize,
    /// What the pages may open and explore.
    pub given: Arc<CommandLine>,
    /// How it is reached.
    pub place: Place,
    /// The greeting.
    pub hello: Hello,
    /// Pages that may still come.
    pub clients: Arc<Semaphore>,
    /// Searches that may still begin.
    pub searches: Arc<Semaphore>,
    /// How long clients are waited for.
    pub patience: Patience,
}

impl Server {
    /// Without a page or a search so far.
    pub fn new(options: Options, place: &Place, patience: Patience) -> Server {
        Server {
            hello: hello(
                options.given.files.iter().map(Given::name).collect(),
                options.given.library_name(),
                options.given.book.as_ref().map(OwnBook::name),
            ),
            threads: options.threads,
            hash: options.hash,
            given: Arc::new(options.given),
            place: place.clone(),
            clients: Arc::new(Semaphore::new(limits::CLIENTS)),
            searches: Arc::new(Semaphore::new(limits::SEARCHES)),
            patience,
        }
    }
}
