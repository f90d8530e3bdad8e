//! The address of the page, and ways to show it to the user: QR code and browser.

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::process::{Command, Stdio};

/// The address of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageAddress {
    /// The port.
    pub port: u16,
    /// The secret part of the path, if other machines are allowed.
    pub token: Option<String>,
}

impl PageAddress {
    pub(super) fn new(port: u16, lan: bool) -> std::io::Result<PageAddress> {
        Ok(PageAddress { port, token: lan.then(token).transpose()? })
    }

    /// The path of the page: `/`, or `/TOKEN/`.
    pub fn path(&self) -> String {
        self.token.as_ref().map_or("/".into(), |token| format!("/{token}/"))
    }

    /// The URL for this machine.
    pub fn local_url(&self) -> String {
        format!("http://{}:{}{}", Ipv4Addr::LOCALHOST, self.port, self.path())
    }

    /// The URL for other machines; `None` if they are not allowed, or this machine has no network.
    pub fn lan_url(&self) -> Option<String> {
        self.token.as_ref()?;
        let own = own_address()?;
        Some(format!("http://{own}:{}{}", self.port, self.path()))
    }
}

/// 128 random bits in hexadecimal.
///
/// # Errors
/// When the system provides no random numbers; a guessable token would be worse than no server.
fn token() -> std::io::Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(std::io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// This machine's address on the network. Connecting a UDP socket only selects a route; nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // TEST-NET-1, an address reserved for documentation, which is reached by the default route.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|own| !own.is_unspecified() && !own.is_loopback())
}

/// The QR code of an address, drawn with half blocks for a terminal; `None` if the address is too long.
pub fn qr_code(address: &str) -> Option<String> {
    let code = QrCode::new(address).ok()?;
    // Most terminals have a dark background, so the light modules are drawn.
    Some(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// Opens an address in the user's browser.
///
/// # Errors
/// When the system's program for opening URLs cannot be started.
pub fn open_browser(address: &str) -> std::io::Result<()> {
    let [program, before @ ..]: &[&str] = (if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        // `start` interprets its first quoted argument as a window title.
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
    fn tokens_are_long_and_unique() {
        let tokens: Vec<String> = (0..20).map(|_| token().unwrap()).collect();
        assert!(tokens.iter().all(|token| token.len() == 32));
        let mut unique = tokens.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), tokens.len());
    }

    #[test]
    fn addresses_contain_the_token() {
        let page = PageAddress { port: 80, token: Some("abc".into()) };
        assert_eq!(page.local_url(), "http://127.0.0.1:80/abc/");
        assert_eq!(PageAddress { port: 80, token: None }.lan_url(), None);
        let code = qr_code(&page.local_url()).unwrap();
        assert!(code.lines().count() > 10 && code.contains('█'));
        assert_eq!(qr_code(&"x".repeat(10_000)), None);
    }
}
