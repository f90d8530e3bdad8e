//! Who may have the page: only those who came to this very server, and on a network only those who know the token.
//!
//! A page of somebody else can make a browser send requests here, but not hide from where: the browser names the page as `Origin`.
//! And a name of somebody else's can be made to lead to this machine (DNS rebinding), but then stands as `Host`.

use super::Place;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use std::net::{IpAddr, SocketAddr};
use subtle::ConstantTimeEq;

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It names another host.
    Host,
    /// It comes from a page of another origin.
    Origin,
    /// It does not know the token, or asks for what does not exist; the answer is the same for both.
    Nothing,
}

impl Refusal {
    /// Status and text for the browser.
    pub fn parts(self) -> (StatusCode, &'static str) {
        match self {
            Refusal::Host => (StatusCode::MISDIRECTED_REQUEST, "This server is not the one that the address names.\n"),
            Refusal::Origin => (StatusCode::FORBIDDEN, "Pages of other origins may not use this server.\n"),
            Refusal::Nothing => (StatusCode::NOT_FOUND, "There is nothing here.\n"),
        }
    }
}

/// The part of a path behind the page's own, such as `style.css` of `/TOKEN/style.css`.
pub fn admit<'a>(place: &Place, path: &'a str, headers: &HeaderMap) -> Result<&'a str, Refusal> {
    let value = |name| {
        let mut values = headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(one), None) => one.to_str().map(Some).map_err(|_| ()),
            // Two of them are the trick of somebody who hopes that two readers take different ones.
            _ => Err(()),
        }
    };
    let host = value(HOST).ok().flatten().filter(|host| is_own(host, place)).ok_or(Refusal::Host)?;
    match value(ORIGIN) {
        Ok(None) => {}
        Ok(Some(origin)) if origin.strip_prefix("http://") == Some(host) => {}
        _ => return Err(Refusal::Origin),
    }
    let below = match &place.token {
        None => path.strip_prefix('/'),
        Some(token) => path.strip_prefix('/').and_then(|rest| {
            let (given, below) = rest.split_once('/')?;
            // The time of a comparison must not reveal how much of a guess is right.
            bool::from(given.as_bytes().ct_eq(token.as_bytes())).then_some(below)
        }),
    };
    below.ok_or(Refusal::Nothing)
}

/// Whether a host is this machine by name or number. On a network it has several numbers, and a number cannot be made to lead
/// elsewhere.
fn is_own(host: &str, place: &Place) -> bool {
    let is_number = |address: IpAddr| address.is_loopback() || place.token.is_some();
    match host.parse::<SocketAddr>() {
        Ok(address) => address.port() == place.port && is_number(address.ip()),
        Err(_) => {
            let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
            let is_named = name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_number);
            is_named && port.parse() == Ok(place.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

    fn ask<'a>(place: &Place, path: &'a str, headers: &[(HeaderName, &'static str)]) -> Result<&'a str, Refusal> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        admit(place, path, &map)
    }

    #[test]
    fn only_the_own_address_is_served() {
        let place = Place { port: 8808, token: None };
        for host in ["127.0.0.1:8808", "localhost:8808", "LOCALHOST:8808", "[::1]:8808"] {
            assert_eq!(ask(&place, "/style.css", &[(HOST, host)]), Ok("style.css"), "{host}");
        }
        for host in
            ["evil.example:8808", "127.0.0.1:80", "127.0.0.1", "localhost.evil.example:8808", "10.0.0.1:8808", "", ":8808"]
        {
            assert_eq!(ask(&place, "/", &[(HOST, host)]), Err(Refusal::Host), "{host}");
        }
        assert_eq!(ask(&place, "/", &[]), Err(Refusal::Host));
        assert_eq!(ask(&place, "/", &[(HOST, "localhost:8808"), (HOST, "evil.example")]), Err(Refusal::Host));
    }

    #[test]
    fn other_pages_are_sent_away() {
        let place = Place { port: 8808, token: None };
        let from = |origin| ask(&place, "/ws", &[(HOST, "localhost:8808"), (ORIGIN, origin)]);
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
        let place = Place { port: 8808, token: Some("secret".into()) };
        let get = |path| ask(&place, path, &[(HOST, "192.168.1.5:8808")]);
        assert_eq!(get("/secret/app.js"), Ok("app.js"));
        for path in ["/", "/app.js", "/secreT/app.js", "/secret", "secret/app.js", "//secret/app.js"] {
            assert_eq!(get(path), Err(Refusal::Nothing), "{path}");
        }
        assert_eq!(ask(&place, "/secret/", &[(HOST, "evil.example:8808")]), Err(Refusal::Host));
    }
}
