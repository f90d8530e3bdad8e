//! The two protocols, and the words in which they differ that both ends of a conversation need: the engine's and a client's.

use std::fmt;
use std::str::FromStr;

/// The two protocols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// UCI as Pikafish and its clients speak it.
    Uci,
    /// UCCI 3.0.
    Ucci,
}

/// A name that is no protocol's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown protocol '{name}', expected uci or ucci")]
pub struct UnknownDialect {
    /// What was given.
    pub name: String,
}

impl Dialect {
    /// Both, in the order in which clients try them.
    pub const ALL: [Dialect; 2] = [Dialect::Uci, Dialect::Ucci];

    /// The name in lower case, which is also the client's greeting.
    ///
    /// ```
    /// use chuhe::protocol::Dialect;
    /// assert!(Dialect::ALL.iter().all(|dialect| dialect.name().parse::<Dialect>() == Ok(*dialect)));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ucci => "ucci",
        }
    }

    /// The engine's answer that ends the handshake.
    pub const fn acknowledgement(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Ucci => "ucciok",
        }
    }

    /// The client's line that begins a new game.
    pub const fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Ucci => "setoption newgame",
        }
    }

    /// The client's line that sets an option; an empty value presses a button or clears a string.
    ///
    /// ```
    /// use chuhe::protocol::Dialect;
    /// assert_eq!(Dialect::Uci.set_option("Clear Hash", ""), "setoption name Clear Hash");
    /// assert_eq!(Dialect::Ucci.set_option("hashsize", "64"), "setoption hashsize 64");
    /// ```
    pub fn set_option(self, name: &str, value: &str) -> String {
        match self {
            Dialect::Uci if value.is_empty() => format!("setoption name {name}"),
            Dialect::Uci => format!("setoption name {name} value {value}"),
            Dialect::Ucci => format!("setoption {name} {value}").trim_end().to_string(),
        }
    }

    /// The engine's line that carries a text for people: `info string` in UCI, `info message` in UCCI.
    pub fn message(self, text: &str) -> String {
        match self {
            Dialect::Uci => format!("info string {text}"),
            Dialect::Ucci => format!("info message {text}"),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| text.eq_ignore_ascii_case(dialect.name()))
            .ok_or_else(|| UnknownDialect { name: text.to_string() })
    }
}
