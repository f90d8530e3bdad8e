//! Requests of browsers: the page, its files, and the connection for messages.

use super::server::Server;
use super::{Options, Place, assets, connection, guard, limits};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt as _;
use std::sync::{Arc, LazyLock};
use tokio::net::TcpListener;

/// Nothing but the page's own files; `connect-src` names the scheme for browsers to which `'self'` does not mean it.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src {}; img-src 'self' data: blob:; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        assets::style_source()
    );
    HeaderValue::try_from(policy).expect("letters and signs")
});

/// Answers requests for ever.
pub async fn serve(listener: TcpListener, options: Options, place: &Place) -> std::io::Result<()> {
    let server = Arc::new(Server::new(options, place));
    // Lines of an analysis are small and must not wait for one another.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    axum::serve(listener, Router::new().fallback(answer).with_state(server)).await
}

/// One request.
async fn answer(State(server): State<Arc<Server>>, request: Request) -> Response {
    let mut response = match guard::admit(&server.place, request.uri().path(), request.headers()) {
        Err(refusal) => refusal.parts().into_response(),
        Ok("ws") => {
            let (mut parts, _) = request.into_parts();
            match WebSocketUpgrade::from_request_parts(&mut parts, &server).await {
                Err(refusal) => refusal.into_response(),
                Ok(upgrade) => connect(server, upgrade),
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

fn connect(server: Arc<Server>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(client) = Arc::clone(&server.clients).try_acquire_owned() else {
        let text = format!("{} pages are connected, which is the most.\n", limits::CLIENTS);
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let limits = upgrade.max_message_size(limits::LONGEST_MESSAGE).max_frame_size(limits::LONGEST_MESSAGE);
    limits.on_upgrade(async move |socket| {
        connection::run(socket, &server).await;
        drop(client);
    })
}
