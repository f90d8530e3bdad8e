//! Why a request is refused, and why there is no server.

use super::limits::SEARCHES;
use crate::board_page::Problem;
use std::net::SocketAddr;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// What it asks for.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The message is no text.
    #[error("a binary message, expected text")]
    Binary,
    /// Too many searches.
    #[error("{SEARCHES} searches are running for other pages, which is the most")]
    Busy,
    /// The thread of the search.
    #[error("the engine cannot start: {0}")]
    Engine(#[source] std::io::Error),
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken or not allowed.
    #[error("{address}: {source}; expected a free port, see --port")]
    Listen {
        /// Where it would have listened.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// The runtime or the signals do not start.
    #[error("the server cannot start: {0}")]
    Start(#[source] std::io::Error),
}
