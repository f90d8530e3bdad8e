//! Errors of requests, and of starting the server.

use super::limits::SEARCHES;
use crate::board_page::Problem;
use std::net::SocketAddr;

/// An error that answers a request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The request is invalid or cannot be answered.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The message is binary.
    #[error("a binary message, expected text")]
    Binary,
    /// The limit of concurrent searches is reached.
    #[error("{SEARCHES} searches are running for other pages, the maximum")]
    Busy,
    /// The engine's thread cannot be started.
    #[error("the engine cannot start: {0}")]
    Engine(#[source] std::io::Error),
}

/// An error that keeps the server from starting.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is in use or not permitted.
    #[error("{address}: {source}; expected a free port, see --port")]
    Listen {
        /// The address to listen on.
        address: SocketAddr,
        /// The system's error.
        source: std::io::Error,
    },
    /// The runtime, the signal handlers or the token cannot be set up.
    #[error("the server cannot start: {0}")]
    Start(#[source] std::io::Error),
}
