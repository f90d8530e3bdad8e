//! Requests of browsers: the page, its files, and the connection for messages.

use super::connection::Heard;
use super::server::Server;
use super::{connection, guard, limits};
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

/// Nothing but the page's own files; `connect-src` names the scheme for browsers to which `'self'` does not mean it.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src {}; img-src 'self' data: blob:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        style_source()
    );
    HeaderValue::try_from(policy).expect("letters and signs")
});

/// What allows the style sheet, and no other inside a document, in a content security policy.
fn style_source() -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(assets::STYLE)))
}

/// Whose request it is.
#[derive(Clone)]
struct Visitor {
    server: Arc<Server>,
    /// When the connection was last heard of.
    heard: Heard,
}

/// Answers requests for ever.
pub async fn serve(mut listener: TcpListener, server: Arc<Server>) {
    let mut visitors: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let (stream, _) = Listener::accept(&mut listener).await;
        // Lines of an analysis are small and must not wait for one another.
        let _ = stream.set_nodelay(true);
        visitors.retain(|visitor| !visitor.is_finished());
        // Whoever has a request sends it at once, so that those who say nothing can keep nobody out.
        if visitors.len() >= limits::VISITORS
            && let Some(first) = visitors.pop_front()
        {
            first.abort();
        }
        visitors.push_back(tokio::spawn(visit(stream, Arc::clone(&server))).abort_handle());
    }
}

/// All requests of a connection, until it ends or becomes that of a page.
async fn visit(stream: TcpStream, server: Arc<Server>) {
    let patience = server.patience;
    let heard = Heard::default();
    let listening = heard.clone();
    let stream = InspectReader::new(stream, move |bytes: &[u8]| {
        if !bytes.is_empty() {
            listening.now();
        }
    });
    let router = Router::new().fallback(answer).with_state(Visitor { server, heard });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.head);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades();
    let mut connection = pin!(connection);
    if timeout(patience.requests, connection.as_mut()).await.is_err() {
        // An answer that is just being sent is still finished.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(patience.head, connection).await;
    }
}

/// One request.
async fn answer(State(visitor): State<Visitor>, request: Request) -> Response {
    let server = &visitor.server;
    let mut response = match guard::admit(&server.place, request.uri().path(), request.headers()) {
        Err(refusal) => refusal.parts().into_response(),
        Ok("ws") => {
            let (mut parts, _) = request.into_parts();
            match WebSocketUpgrade::from_request_parts(&mut parts, &visitor).await {
                Err(refusal) => refusal.into_response(),
                Ok(upgrade) => connect(visitor, upgrade),
            }
        }
        Ok(_) if !matches!(*request.method(), Method::GET | Method::HEAD) => {
            (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response()
        }
        Ok(name) => match assets::find(name) {
            None => guard::Refusal::Nothing.parts().into_response(),
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
        // The token stands in the address.
        (header::REFERRER_POLICY, "no-referrer"),
        // Another version of the program has another page at the same address.
        (header::CACHE_CONTROL, "no-cache"),
        // Not Cross-Origin-Opener-Policy: the browser would begin a new process for the page, which puts the first paint off by a
        // quarter, and a page that opened this one can neither read nor drive it anyway.
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn connect(Visitor { server, heard }: Visitor, upgrade: WebSocketUpgrade) -> Response {
    let Ok(client) = Arc::clone(&server.clients).try_acquire_owned() else {
        let text = format!("{} pages are connected, which is the most.\n", limits::CLIENTS);
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let limits = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    limits.on_upgrade(async move |socket| {
        connection::run(socket, &server, heard).await;
        drop(client);
    })
}

#[cfg(test)]
mod tests {
    use super::super::limits::{CLIENTS, Patience, VISITORS};
    use super::super::{CommandLine, Options, Place};
    use super::*;
    use std::net::SocketAddr;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// Longer than any loaded machine needs.
    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(50);
    /// Nobody is sent away.
    const ENDLESS: Patience = Patience {
        head: Duration::from_secs(3600),
        requests: Duration::from_secs(3600),
        silence: Duration::from_secs(3600),
        silence_in_search: Duration::from_secs(3600),
        answer: Duration::from_secs(3600),
        message: Duration::from_secs(3600),
    };

    async fn start(patience: Patience) -> (SocketAddr, Arc<Server>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let options = Options { port: None, lan: false, given: CommandLine::default(), threads: 1, hash: 1 };
        let server = Arc::new(Server::new(options, &Place { port: address.port(), token: None }, patience));
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

    /// All that a client gets until the server closes its connection.
    async fn until_closed(mut stream: TcpStream) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("the server closes the connection");
        bytes
    }

    /// Reads until the bytes end so.
    async fn until(stream: &mut TcpStream, end: &[u8]) {
        let mut bytes = Vec::new();
        while !bytes.ends_with(end) {
            bytes.push(timeout(LONG, stream.read_u8()).await.expect("the server answers").expect("the connection stays"));
        }
    }

    /// A question whether a page is still there, as a frame without contents.
    const PING: [u8; 2] = [0x89, 0];
    /// The answer, masked by zeros.
    const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

    #[tokio::test]
    async fn who_sends_nothing_or_half_a_request_is_sent_away() {
        let (address, _) = start(Patience { head: SHORT, ..ENDLESS }).await;
        for text in ["", "G", "GET / HTTP/1.1\r\nHost: "] {
            let answer = until_closed(client(address, text).await).await;
            assert!(!answer.starts_with(b"HTTP/1.1 200"), "{text}");
        }
        // The same for the next request of a connection.
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
    async fn who_takes_no_answer_is_sent_away() {
        let (address, _) = start(Patience { head: SHORT, requests: SHORT, ..ENDLESS }).await;
        let mut stream = client(address, "").await;
        let text = request(address, "/app.js", "");
        let writing = async { while stream.write_all(text.as_bytes()).await.is_ok() {} };
        timeout(LONG, writing).await.expect("the server closes the connection");
    }

    #[tokio::test]
    async fn who_says_nothing_keeps_nobody_out() {
        let (address, _) = start(ENDLESS).await;
        let mut silent = Vec::new();
        let mut page = client(address, &upgrade(address)).await;
        until(&mut page, b"\r\n\r\n").await;
        for _ in 0..2 * VISITORS {
            silent.push(client(address, "").await);
        }
        let answer = until_closed(client(address, &request(address, "/", "Connection: close\r\n")).await).await;
        assert!(answer.starts_with(b"HTTP/1.1 200"));
        // The first of them went, and none that has become a page.
        for stream in silent.drain(..VISITORS) {
            assert_eq!(until_closed(stream).await, b"");
        }
        page.write_all(&[0x81, 0x80, 0, 0, 0, 0]).await.unwrap();
        until(&mut page, b"\"busy\":false}}}").await;
    }

    #[tokio::test]
    async fn a_page_that_is_gone_without_a_word_loses_its_place() {
        let (address, server) = start(Patience { silence: SHORT, answer: SHORT, ..ENDLESS }).await;
        // Nothing at all, and the beginning of a message.
        for part in [&[][..], &[0x81, 0xfe, 0xff]] {
            let mut page = client(address, &upgrade(address)).await;
            page.write_all(part).await.unwrap();
            let bytes = until_closed(page).await;
            assert!(bytes.windows(2).any(|frame| frame == PING), "{}", String::from_utf8_lossy(&bytes));
        }
        let free = server.clients.acquire_many(CLIENTS as u32);
        assert!(timeout(LONG, free).await.is_ok(), "the places are free again");
    }

    #[tokio::test]
    async fn a_page_that_answers_stays() {
        let (address, server) = start(Patience { silence: SHORT, ..ENDLESS }).await;
        let mut page = client(address, &upgrade(address)).await;
        for _ in 0..3 {
            until(&mut page, &PING).await;
            page.write_all(&PONG).await.unwrap();
        }
        assert_eq!(server.clients.available_permits(), CLIENTS - 1);
    }
}
