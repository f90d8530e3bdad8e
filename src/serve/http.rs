//! HTTP requests: the page, its files, and the upgrade to a WebSocket.

use super::connection::LastReceived;
use super::server::{MAX_HTTP_CONNECTIONS, MAX_PAGES, Server};
use super::{connection, guard};
use crate::board_page::assets;
use crate::board_page::limits::LONGEST_MESSAGE;
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::serve::Listener;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_util::io::InspectReader;

/// Allows nothing but the page's own files.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src {}; img-src 'self' data: blob:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        style_source()
    );
    HeaderValue::try_from(policy).expect("letters and signs")
});

/// The source expression for the content security policy that allows only our inline style sheet.
fn style_source() -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(assets::STYLE)))
}

/// The state of a connection.
#[derive(Clone)]
struct ConnectionState {
    server: Arc<Server>,
    received: LastReceived,
}

/// Accepts connections forever.
pub async fn serve(mut listener: TcpListener, server: Arc<Server>) {
    let mut connections: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let (stream, _) = Listener::accept(&mut listener).await;
        // Messages with lines of an analysis are small and must not be delayed by Nagle's algorithm.
        let _ = stream.set_nodelay(true);
        connections.retain(|connection| !connection.is_finished());
        // A real client sends its request at once, so dropping the oldest connection keeps idle ones from blocking new clients.
        if connections.len() >= MAX_HTTP_CONNECTIONS
            && let Some(oldest) = connections.pop_front()
        {
            oldest.abort();
        }
        connections.push_back(tokio::spawn(handle(stream, Arc::clone(&server))).abort_handle());
    }
}

/// Handles all requests of a connection, until it ends or is upgraded to a WebSocket.
async fn handle(stream: TcpStream, server: Arc<Server>) {
    let timeouts = server.timeouts;
    let received = LastReceived::default();
    let updated = received.clone();
    let stream = InspectReader::new(stream, move |bytes: &[u8]| {
        if !bytes.is_empty() {
            updated.update();
        }
    });
    let router = Router::new().fallback(answer).with_state(ConnectionState { server, received });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(timeouts.head);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    let mut connection = pin!(connection);
    if timeout(timeouts.requests, connection.as_mut()).await.is_err() {
        // Finish the response being sent.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(timeouts.head, connection).await;
    }
}

/// Answers one request.
async fn answer(State(state): State<ConnectionState>, request: Request) -> Response {
    let server = &state.server;
    let mut response = match guard::admit(&server.page, request.uri().path(), request.headers()) {
        Err(refusal) => refusal.parts().into_response(),
        Ok("ws") => {
            let (mut parts, _) = request.into_parts();
            match WebSocketUpgrade::from_request_parts(&mut parts, &state).await {
                Err(refusal) => refusal.into_response(),
                Ok(upgrade) => connect(state, upgrade),
            }
        }
        Ok(_) if !matches!(*request.method(), Method::GET | Method::HEAD) => {
            (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response()
        }
        Ok(name) => match assets::find(name) {
            None => guard::Refusal::NotFound.parts().into_response(),
            Some(asset) => {
                let mut response = Response::new(Body::from(asset.bytes));
                response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.mime));
                response
            }
        },
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The URL contains the token.
        (header::REFERRER_POLICY, "no-referrer"),
        // Another version of the program serves a different page at the same URL.
        (header::CACHE_CONTROL, "no-cache"),
        // No Cross-Origin-Opener-Policy: the browser would start a new process for the page, which delays the first paint by a
        // quarter, and a page that opened this one can neither read nor control it anyway.
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn connect(ConnectionState { server, received }: ConnectionState, upgrade: WebSocketUpgrade) -> Response {
    let Ok(client) = Arc::clone(&server.pages).try_acquire_owned() else {
        let reason = format!("{} pages are connected, the maximum", MAX_PAGES);
        return upgrade.max_message_size(0).on_upgrade(|socket| connection::turn_away(socket, reason));
    };
    let limits = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    limits.on_upgrade(async move |socket| {
        connection::run(socket, &server, received).await;
        drop(client);
    })
}

#[cfg(test)]
mod tests {
    use super::super::server::Timeouts;
    use super::super::{Options, PageAddress, Resources};
    use super::*;
    use std::net::SocketAddr;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// Longer than even a loaded machine needs.
    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(50);
    /// Timeouts that no test reaches.
    const ENDLESS: Timeouts = Timeouts {
        head: Duration::from_secs(3600),
        requests: Duration::from_secs(3600),
        idle: Duration::from_secs(3600),
        idle_in_search: Duration::from_secs(3600),
        pong: Duration::from_secs(3600),
        send: Duration::from_secs(3600),
    };

    async fn start(timeouts: Timeouts) -> (SocketAddr, Arc<Server>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let options = Options { port: None, lan: false, resources: Resources::default(), threads: 1, hash: 1 };
        let server = Arc::new(Server::new(options, &PageAddress { port: address.port(), token: None }, timeouts));
        tokio::spawn(serve(listener, Arc::clone(&server)));
        (address, server)
    }

    async fn client(address: SocketAddr, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }

    fn request(address: SocketAddr, path: &str, headers: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n")
    }

    fn upgrade(address: SocketAddr) -> String {
        let version = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        request(address, "/ws", &format!("Connection: Upgrade\r\nUpgrade: websocket\r\n{version}"))
    }

    /// Everything a client receives until the server closes the connection.
    async fn until_closed(mut stream: TcpStream) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("the server closes the connection");
        bytes
    }

    /// Reads until the bytes end with `end`.
    async fn until(stream: &mut TcpStream, end: &[u8]) {
        let mut bytes = Vec::new();
        while !bytes.ends_with(end) {
            bytes.push(timeout(LONG, stream.read_u8()).await.expect("the server answers").expect("the connection stays"));
        }
    }

    /// A ping frame without payload.
    const PING: [u8; 2] = [0x89, 0];
    /// A pong frame, masked with zeros.
    const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

    #[tokio::test]
    async fn clients_without_a_complete_request_are_disconnected() {
        let (address, _) = start(Timeouts { head: SHORT, ..ENDLESS }).await;
        for text in ["", "G", "GET / HTTP/1.1\r\nHost: "] {
            let answer = until_closed(client(address, text).await).await;
            assert!(!answer.starts_with(b"HTTP/1.1 200"), "{text}");
        }
        // The same applies to a later request on the same connection.
        for more in ["", "GET / HT"] {
            let answer = until_closed(client(address, &(request(address, "/", "") + more)).await).await;
            assert!(
                answer.starts_with(b"HTTP/1.1 200") && answer.ends_with(b"</html>\n"),
                "{}",
                String::from_utf8_lossy(&answer)
            );
        }
    }

    #[tokio::test]
    async fn clients_that_read_no_response_are_disconnected() {
        let (address, _) = start(Timeouts { head: SHORT, requests: SHORT, ..ENDLESS }).await;
        let mut stream = client(address, "").await;
        let text = request(address, "/app.js", "");
        let writing = async { while stream.write_all(text.as_bytes()).await.is_ok() {} };
        timeout(LONG, writing).await.expect("the server closes the connection");
    }

    #[tokio::test]
    async fn idle_connections_do_not_block_new_clients() {
        let (address, _) = start(ENDLESS).await;
        let mut silent = Vec::new();
        let mut page = client(address, &upgrade(address)).await;
        until(&mut page, b"\r\n\r\n").await;
        for _ in 0..2 * MAX_HTTP_CONNECTIONS {
            silent.push(client(address, "").await);
        }
        let answer = until_closed(client(address, &request(address, "/", "Connection: close\r\n")).await).await;
        assert!(answer.starts_with(b"HTTP/1.1 200"));
        // The oldest connections were dropped, but not the WebSocket.
        for stream in silent.drain(..MAX_HTTP_CONNECTIONS) {
            assert_eq!(until_closed(stream).await, b"");
        }
        page.write_all(&[0x81, 0x80, 0, 0, 0, 0]).await.unwrap();
        until(&mut page, b"\"busy\":false}}}").await;
    }

    /// A close frame with the code 1000, masked with zeros.
    const CLOSE: [u8; 8] = [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8];

    #[tokio::test]
    async fn a_close_frame_is_answered() {
        let (address, server) = start(ENDLESS).await;
        let mut page = client(address, &upgrade(address)).await;
        until(&mut page, b"\r\n\r\n").await;
        page.write_all(&CLOSE).await.unwrap();
        let bytes = until_closed(page).await;
        assert!(bytes.ends_with(&[0x88, 2, 0x03, 0xe8]), "{}", String::from_utf8_lossy(&bytes));
        let free = server.pages.acquire_many(MAX_PAGES as u32);
        assert!(timeout(LONG, free).await.is_ok(), "the slot is free again");
    }

    #[tokio::test]
    async fn a_page_too_many_is_given_the_reason() {
        let (address, _) = start(ENDLESS).await;
        let mut pages = Vec::new();
        for _ in 0..MAX_PAGES {
            let mut page = client(address, &upgrade(address)).await;
            until(&mut page, b"\r\n\r\n").await;
            pages.push(page);
        }
        let mut page = client(address, &upgrade(address)).await;
        until(&mut page, b"\r\n\r\n").await;
        page.write_all(&CLOSE).await.unwrap();
        let bytes = until_closed(page).await;
        let reason = format!("{MAX_PAGES} pages are connected, the maximum");
        // The code 1013, "try again later", and the reason.
        assert_eq!(bytes[..4], [0x88, reason.len() as u8 + 2, 0x03, 0xf5]);
        assert_eq!(&bytes[4..], reason.as_bytes());
        // The others stay connected.
        for page in &mut pages {
            page.write_all(&[0x81, 0x80, 0, 0, 0, 0]).await.unwrap();
            until(page, b"\"busy\":false}}}").await;
        }
    }

    #[tokio::test]
    async fn unresponsive_pages_are_disconnected() {
        let (address, server) = start(Timeouts { idle: SHORT, pong: SHORT, ..ENDLESS }).await;
        // A page that sends nothing, and one that sends only the start of a message.
        for part in [&[][..], &[0x81, 0xfe, 0xff]] {
            let mut page = client(address, &upgrade(address)).await;
            page.write_all(part).await.unwrap();
            let bytes = until_closed(page).await;
            assert!(bytes.windows(2).any(|frame| frame == PING), "{}", String::from_utf8_lossy(&bytes));
        }
        let free = server.pages.acquire_many(MAX_PAGES as u32);
        assert!(timeout(LONG, free).await.is_ok(), "all slots are free again");
    }

    #[tokio::test]
    async fn pages_that_respond_stay_connected() {
        let (address, server) = start(Timeouts { idle: SHORT, ..ENDLESS }).await;
        let mut page = client(address, &upgrade(address)).await;
        for _ in 0..3 {
            until(&mut page, &PING).await;
            page.write_all(&PONG).await.unwrap();
        }
        assert_eq!(server.pages.available_permits(), MAX_PAGES - 1);
    }
}
