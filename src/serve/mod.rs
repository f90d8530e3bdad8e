//! Layer 10: a board in the browser. A web server for the page of [`crate::board_page`], and the connection over which it is answered.
//!
//! Only a search belongs to the connection that asked for it (`engine`), and ends with it.
//!
//! | module | does |
//! | --- | --- |
//! | `engine`, `outbox` | searches, and what they have to say |
//! | `connection` | one page: from message to message |
//! | `http`, `guard` | the page itself, and who may have it |
//! | `given`, `shelf`, `own_book` | the files, the library and the book of the command line |
//! | `address` | where the server listens, and how people get there |

mod address;
mod connection;
mod engine;
mod error;
mod given;
mod guard;
mod http;
pub mod limits;
mod outbox;
mod own_book;
mod server;
#[cfg(feature = "sqlite")]
mod shelf;

pub use address::{Place, open_browser, qr_code};
pub use error::ServeError;
pub use given::{CommandLine, Given};
pub use own_book::OwnBook;
#[cfg(feature = "sqlite")]
pub use shelf::Shelf;

use limits::Patience;
use server::Server;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;

/// What the server is started with.
pub struct Options {
    /// The port; 0 takes any that is free, none the usual one, or any if that is taken.
    pub port: Option<u16>,
    /// Whether other machines of the network may come, with the token of the address.
    pub lan: bool,
    /// What the pages may open and explore.
    pub given: CommandLine,
    /// Search threads of an analysis.
    pub threads: usize,
    /// MiB of the hash table of each engine.
    pub hash: usize,
}

/// The port when none is asked for. A page's settings belong to its address, so that it should stay the same.
pub const USUAL_PORT: u16 = 8808;

/// Serves until the process is interrupted (Ctrl-C). `ready` gets the address of the page as soon as it is served.
///
/// # Errors
/// When the port cannot be had, or the system gives no threads.
pub fn run(options: Options, ready: impl FnOnce(&Place)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let ended = runtime.block_on(async {
        let listener = listen(&options).await?;
        let local = listener.local_addr().map_err(ServeError::Start)?;
        let place = Place::new(local.port(), options.lan).map_err(ServeError::Start)?;
        ready(&place);
        tokio::select! {
            () = http::serve(listener, Arc::new(Server::new(options, &place, Patience::USUAL))) => Ok(()),
            ended = interrupted() => ended.map_err(ServeError::Start),
        }
    });
    // Searches that are still asked to stop are not waited for.
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
        None => match bind(USUAL_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => bind(0).await,
        },
    }
}

#[cfg(unix)]
async fn interrupted() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        ended = tokio::signal::ctrl_c() => ended,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn interrupted() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
