//! Layer 10: the web server of the board page ([`crate::board_page`]); it answers the page's messages over a WebSocket.
//!
//! The server keeps no state for a page except its running search (`engine`), which ends with the connection.
//!
//! | module | does |
//! | --- | --- |
//! | `engine`, `outbox` | searches, and the queue of their answers |
//! | `connection` | the WebSocket of one page |
//! | `http`, `guard` | HTTP requests, and access control |
//! | `resources`, `editable_book` | the files, the library and the book given on the command line |
//! | `address` | the address of the page, QR code and browser |
//! | `server` | settings, limits, timeouts, and the state shared by all connections |

mod address;
mod connection;
mod editable_book;
mod engine;
mod guard;
mod http;
mod outbox;
mod resources;
mod server;

pub use address::{PageAddress, open_browser, qr_code};
pub use editable_book::EditableBook;
#[cfg(feature = "sqlite")]
pub use resources::SharedLibrary;
pub use resources::{GivenFile, Resources};
pub use server::Options;

use server::{Server, Timeouts};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;

/// The default port. It should stay the same, because browsers store the page's settings per origin.
pub const DEFAULT_PORT: u16 = 8808;

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

/// Serves until the process is interrupted (Ctrl-C). `ready` is called with the address of the page once the port is bound.
///
/// # Errors
/// When the port cannot be bound, or the runtime cannot be started.
pub fn run(options: Options, ready: impl FnOnce(&PageAddress)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let ended = runtime.block_on(async {
        let listener = listen(&options).await?;
        let local = listener.local_addr().map_err(ServeError::Start)?;
        let page = PageAddress::new(local.port(), options.lan).map_err(ServeError::Start)?;
        ready(&page);
        tokio::select! {
            () = http::serve(listener, Arc::new(Server::new(options, &page, Timeouts::STANDARD))) => Ok(()),
            ended = crate::system::interruption() => ended.map_err(ServeError::Start),
        }
    });
    // Don't wait for searches that have yet to stop.
    runtime.shutdown_background();
    ended
}

async fn listen(options: &Options) -> Result<TcpListener, ServeError> {
    let own = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let bind = async |port: u16| {
        let address = SocketAddr::new(IpAddr::V4(own), port);
        TcpListener::bind(address).await.map_err(|source| ServeError::Listen { address, source })
    };
    match options.port {
        Some(port) => bind(port).await,
        None => match bind(DEFAULT_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await,
        },
    }
}
