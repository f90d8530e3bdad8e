//! Where the server is, and how people get there.

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::process::{Command, Stdio};

/// Where the page is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The port.
    pub port: u16,
    /// The secret part of the address, where other machines may come.
    pub token: Option<String>,
}

impl Place {
    pub(super) fn new(port: u16, lan: bool) -> std::io::Result<Place> {
        Ok(Place { port, token: lan.then(token).transpose()? })
    }

    /// The path of the page: `/`, or `/TOKEN/`.
    pub fn path(&self) -> String {
        self.token.as_ref().map_or("/".into(), |token| format!("/{token}/"))
    }

    /// The address on this machine.
    pub fn here(&self) -> String {
        format!("http://{}:{}{}", Ipv4Addr::LOCALHOST, self.port, self.path())
    }

    /// The address for other machines; none when they may not come, or this machine has no network.
    pub fn elsewhere(&self) -> Option<String> {
        self.token.as_ref()?;
        let own = own_address()?;
        Some(format!("http://{own}:{}{}", self.port, self.path()))
    }
}

/// 128 random bits as text.
///
/// # Errors
/// When the system has no random numbers: nobody may come in by a token that can be guessed.
fn token() -> std::io::Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(std::io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The address that this machine has towards the network. Nothing is sent: connecting a datagram socket only chooses a route.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation, which leads out by the default route.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|own| !own.is_unspecified() && !own.is_loopback())
}

/// An address as a picture for phones, in half blocks of a terminal; none when it is too long for one.
pub fn qr_code(address: &str) -> Option<String> {
    let code = QrCode::new(address).ok()?;
    // Terminals are mostly dark: what a code shows dark is left out.
    Some(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// Opens an address in the user's browser.
///
/// # Errors
/// When there is no program that does it.
pub fn open_browser(address: &str) -> std::io::Result<()> {
    let [program, before @ ..]: &[&str] = (if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        // `start` takes its first argument in quotes for a title.
        &["cmd", "/C", "start", ""]
    } else {
        &["xdg-open"]
    }) else {
        return Ok(());
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let tokens: Vec<String> = (0..20).map(|_| token().unwrap()).collect();
        assert!(tokens.iter().all(|token| token.len() == 32));
        let mut unique = tokens.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), tokens.len());
    }

    #[test]
    fn addresses_hold_the_token() {
        let place = Place { port: 80, token: Some("abc".into()) };
        assert_eq!(place.here(), "http://127.0.0.1:80/abc/");
        assert_eq!(Place { port: 80, token: None }.elsewhere(), None);
        let code = qr_code(&place.here()).unwrap();
        assert!(code.lines().count() > 10 && code.contains('█'));
        assert_eq!(qr_code(&"x".repeat(10_000)), None);
    }
}
