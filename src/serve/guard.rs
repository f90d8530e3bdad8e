//! Access control: a request must be addressed to this very server, and on a network it must contain the token.
//!
//! A foreign page can make a browser send requests here, but cannot hide its origin, which the browser sends as `Origin`. A foreign
//! name can be made to resolve to this machine (DNS rebinding), but the browser then sends that name as `Host`.

use super::PageAddress;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use std::net::{IpAddr, SocketAddr};
use subtle::ConstantTimeEq;

/// Why a request is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// `Host` is not this server.
    Host,
    /// `Origin` is another site.
    Origin,
    /// The token is wrong or the file does not exist; both get the same response.
    NotFound,
}

impl Refusal {
    /// Status and body of the response.
    pub fn parts(self) -> (StatusCode, &'static str) {
        match self {
            Refusal::Host => (StatusCode::MISDIRECTED_REQUEST, "This server is not the one that the address names.\n"),
            Refusal::Origin => (StatusCode::FORBIDDEN, "Pages of other origins may not use this server.\n"),
            Refusal::NotFound => (StatusCode::NOT_FOUND, "There is nothing here.\n"),
        }
    }
}

/// Checks a request and returns its path relative to the page's, such as `style.css` for `/TOKEN/style.css`.
pub fn admit<'a>(page: &PageAddress, path: &'a str, headers: &HeaderMap) -> Result<&'a str, Refusal> {
    let value = |name| {
        let mut values = headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(one), None) => one.to_str().map(Some).map_err(|_| ()),
            // A repeated header is rejected: different parsers could pick different values.
            _ => Err(()),
        }
    };
    let host = value(HOST).ok().flatten().filter(|host| is_own(host, page)).ok_or(Refusal::Host)?;
    match value(ORIGIN) {
        Ok(None) => {}
        Ok(Some(origin)) if origin.strip_prefix("http://") == Some(host) => {}
        _ => return Err(Refusal::Origin),
    }
    let below = match &page.token {
        None => path.strip_prefix('/'),
        Some(token) => path.strip_prefix('/').and_then(|rest| {
            let (given, below) = rest.split_once('/')?;
            // Constant time, so that timing does not reveal how much of a guess is correct.
            bool::from(given.as_bytes().ct_eq(token.as_bytes())).then_some(below)
        }),
    };
    below.ok_or(Refusal::NotFound)
}

/// Whether `Host` is this machine: `localhost`, a loopback address, or with a token any IP address. A machine can have several addresses, and
/// an IP address is not subject to DNS rebinding.
fn is_own(host: &str, page: &PageAddress) -> bool {
    let is_allowed = |address: IpAddr| address.is_loopback() || page.token.is_some();
    match host.parse::<SocketAddr>() {
        Ok(address) => address.port() == page.port && is_allowed(address.ip()),
        Err(_) => {
            let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
            let is_named = name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_allowed);
            is_named && port.parse() == Ok(page.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn ask<'a>(page: &PageAddress, path: &'a str, headers: &[(HeaderName, &'static str)]) -> Result<&'a str, Refusal> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        admit(page, path, &map)
    }

    #[test]
    fn only_the_own_address_is_served() {
        let page = PageAddress { port: 8808, token: None };
        for host in ["127.0.0.1:8808", "localhost:8808", "LOCALHOST:8808", "[::1]:8808"] {
            assert_eq!(ask(&page, "/style.css", &[(HOST, host)]), Ok("style.css"), "{host}");
        }
        for host in
            ["evil.example:8808", "127.0.0.1:80", "127.0.0.1", "localhost.evil.example:8808", "10.0.0.1:8808", "", ":8808"]
        {
            assert_eq!(ask(&page, "/", &[(HOST, host)]), Err(Refusal::Host), "{host}");
        }
        assert_eq!(ask(&page, "/", &[]), Err(Refusal::Host));
        assert_eq!(ask(&page, "/", &[(HOST, "localhost:8808"), (HOST, "evil.example")]), Err(Refusal::Host));
    }

    #[test]
    fn other_origins_are_rejected() {
        let page = PageAddress { port: 8808, token: None };
        let from = |origin| ask(&page, "/ws", &[(HOST, "localhost:8808"), (ORIGIN, origin)]);
        assert_eq!(from("http://localhost:8808"), Ok("ws"));
        for origin in [
            "http://evil.example",
            "https://localhost:8808",
            "http://127.0.0.1:8808",
            "null",
            "http://localhost:8808.evil.example",
        ] {
            assert_eq!(from(origin), Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn the_network_needs_the_token() {
        let page = PageAddress { port: 8808, token: Some("secret".into()) };
        let get = |path| ask(&page, path, &[(HOST, "192.168.1.5:8808")]);
        assert_eq!(get("/secret/app.js"), Ok("app.js"));
        for path in ["/", "/app.js", "/secreT/app.js", "/secret", "secret/app.js", "//secret/app.js"] {
            assert_eq!(get(path), Err(Refusal::NotFound), "{path}");
        }
        assert_eq!(ask(&page, "/secret/", &[(HOST, "evil.example:8808")]), Err(Refusal::Host));
    }
}
