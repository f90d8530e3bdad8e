//! What an option is: its row in the table, how a value is read, how each dialect announces it, and the table of the
//! documentation. The rows themselves stand in `options.rs`.

use super::dialect::Dialect;
use super::go::read_number;

/// Type, default and range of an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// On or off.
    Check(bool),
    /// On or off, with UCI's default and UCCI's.
    CheckBy(bool, bool),
    /// A number with its default, smallest and largest value.
    Spin(i64, i64, i64),
    /// As [`Kind::Spin`]; 0 stands for the value that the function returns.
    Auto(i64, i64, i64, fn() -> i64),
    /// A choice, the default first; each with other names by which it is known.
    Combo(&'static [(&'static str, &'static [&'static str])]),
    /// Does something once.
    Button,
    /// Free text with its default; both dialects write an empty text as `<empty>`.
    Text(&'static str),
}

/// A row of the table of options, which are told apart by `Id`.
#[derive(Clone, Copy, Debug)]
pub struct Row<Id> {
    /// Which option it is.
    pub id: Id,
    /// Name in UCI's list; empty when UCI does not announce it.
    pub uci: &'static str,
    /// Name in UCCI's list; empty when UCCI does not announce it.
    pub ucci: &'static str,
    /// Names that are understood but not announced.
    pub aliases: &'static [&'static str],
    /// Type, default and range.
    pub kind: Kind,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// A button, or an option with a default of its own in each dialect that has not been set.
    Nothing,
    Switch(bool),
    Number(i64),
    /// Which choice of a combo, from 0.
    Choice(usize),
    /// Bytes as the client sent them: a path may be in any encoding.
    Text(Vec<u8>),
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No row has this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value is missing or not one that the option takes.
    #[error("option {name}: expected {expected}")]
    Value {
        /// The option's name in UCI, or in UCCI where UCI lacks it.
        name: &'static str,
        /// What it takes.
        expected: String,
    },
}

/// How both dialects write an empty text.
pub(super) const EMPTY: &str = "<empty>";

/// Names are compared in lower case without blanks, underscores and dashes.
fn is_same(left: &str, right: &str) -> bool {
    let plain = |text: &str| -> Vec<u8> {
        text.bytes().filter(|byte| !b" _-".contains(byte)).map(|byte| byte.to_ascii_lowercase()).collect()
    };
    plain(left) == plain(right)
}

impl Kind {
    pub(super) fn default_value(self) -> Value {
        match self {
            Kind::Check(on) => Value::Switch(on),
            Kind::Spin(number, ..) | Kind::Auto(number, ..) => Value::Number(number),
            Kind::Combo(_) => Value::Choice(0),
            Kind::Text(text) => Value::Text(text.into()),
            Kind::CheckBy(..) | Kind::Button => Value::Nothing,
        }
    }

    /// The value that these bytes mean; numbers out of range are clamped. None when they mean none.
    pub(super) fn read(self, bytes: Option<&[u8]>) -> Option<Value> {
        let word = || bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        Some(match self {
            Kind::Button => Value::Nothing,
            Kind::Check(_) | Kind::CheckBy(..) => Value::Switch(match word()?.to_ascii_lowercase().as_str() {
                "true" | "on" => true,
                "false" | "off" => false,
                _ => return None,
            }),
            Kind::Spin(_, smallest, largest) => Value::Number(read_number(word()?)?.clamp(smallest, largest)),
            Kind::Auto(_, smallest, largest, automatic) => {
                let number = read_number(word()?)?;
                Value::Number(if number == 0 { automatic() } else { number }.clamp(smallest, largest))
            }
            Kind::Combo(choices) => {
                let word = word()?;
                let is_meant =
                    |(own, others): &(&str, &[&str])| is_same(own, word) || others.iter().any(|other| is_same(other, word));
                Value::Choice(choices.iter().position(is_meant)?)
            }
            // A client that clears the field sends no value.
            Kind::Text(_) => Value::Text(bytes.filter(|&bytes| bytes != EMPTY.as_bytes()).unwrap_or_default().to_vec()),
        })
    }

    /// What values there are, for people.
    fn expected(self) -> String {
        match self {
            Kind::Button => "no value".into(),
            Kind::Check(_) | Kind::CheckBy(..) => "true or false".into(),
            Kind::Spin(_, smallest, largest) => format!("a number from {smallest} to {largest}"),
            Kind::Auto(_, smallest, largest, _) => format!("a number from {smallest} to {largest}, or 0"),
            Kind::Combo(choices) => {
                format!("one of {}", choices.iter().map(|(choice, _)| *choice).collect::<Vec<_>>().join(", "))
            }
            Kind::Text(_) => "a text".into(),
        }
    }
}

impl<Id> Row<Id> {
    /// Whether a client means this option by a name. Case, blanks, underscores and dashes make no difference.
    pub fn is_named(&self, name: &str) -> bool {
        let mut names = [self.uci, self.ucci].into_iter().chain(self.aliases.iter().copied());
        names.any(|own| !own.is_empty() && is_same(own, name))
    }

    /// Its name for people.
    pub fn name(&self) -> &'static str {
        [self.uci, self.ucci].into_iter().chain(self.aliases.iter().copied()).find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// The error about a value that it does not take.
    pub(super) fn rejects(&self) -> OptionError {
        OptionError::Value { name: self.name(), expected: self.kind.expected() }
    }

    /// The `option` line of a dialect's handshake; none where the dialect does not announce it.
    pub fn announcement(&self, dialect: Dialect) -> Option<String> {
        let name = if dialect == Dialect::Uci { self.uci } else { self.ucci };
        if name.is_empty() {
            return None;
        }
        let spin = |default: i64, smallest: i64, largest: i64| match dialect {
            Dialect::Uci => format!("spin default {default} min {smallest} max {largest}"),
            Dialect::Ucci => format!("spin min {smallest} max {largest} default {default}"),
        };
        let kind = match self.kind {
            Kind::Button => "button".to_string(),
            Kind::Text(default) => format!("string default {}", if default.is_empty() { EMPTY } else { default }),
            Kind::Check(on) => format!("check default {on}"),
            Kind::CheckBy(uci, ucci) => format!("check default {}", if dialect == Dialect::Uci { uci } else { ucci }),
            Kind::Spin(default, smallest, largest) => spin(default, smallest, largest),
            // UCCI's clients send 0 for the engine's choice.
            Kind::Auto(default, smallest, largest, _) => {
                spin(default, if dialect == Dialect::Ucci { 0 } else { smallest }, largest)
            }
            Kind::Combo(choices) => {
                let all: String = choices.iter().map(|(choice, _)| format!(" var {choice}")).collect();
                let default = choices.first().map_or("", |(choice, _)| *choice);
                match dialect {
                    Dialect::Uci => format!("combo default {default}{all}"),
                    Dialect::Ucci => format!("combo{all} default {default}"),
                }
            }
        };
        Some(match dialect {
            Dialect::Uci => format!("option name {name} type {kind}"),
            Dialect::Ucci => format!("option {name} type {kind}"),
        })
    }

    /// Its line in the documentation: names, type or values, default, meaning.
    fn documentation(&self) -> String {
        let (values, default) = match self.kind {
            Kind::Button => ("button".to_string(), String::new()),
            Kind::Text("") => ("text".to_string(), "empty".to_string()),
            Kind::Text(text) => ("text".to_string(), format!("`{text}`")),
            Kind::Check(on) => ("check".to_string(), on.to_string()),
            Kind::CheckBy(uci, ucci) => ("check".to_string(), format!("{uci} (UCI), {ucci} (UCCI)")),
            Kind::Spin(default, smallest, largest) | Kind::Auto(default, smallest, largest, _) => {
                (format!("{smallest} to {largest}"), default.to_string())
            }
            Kind::Combo(choices) => {
                let all: Vec<&str> = choices.iter().map(|(choice, _)| *choice).collect();
                (all.join(", "), all.first().copied().unwrap_or_default().to_string())
            }
        };
        let cells = [self.uci, self.ucci, &values, &default, self.help];
        let cells = cells.map(|cell| if cell.is_empty() { " |".to_string() } else { format!(" {cell} |") });
        format!("|{}", cells.concat())
    }
}

/// The table of options in Markdown, as the documentation shows it. Rows that neither dialect announces are left out.
pub(super) fn documentation<Id>(rows: &[Row<Id>]) -> String {
    let mut table = String::from("| UCI | UCCI | type or values | default | meaning |\n|---|---|---|---|---|\n");
    for row in rows.iter().filter(|row| !row.uci.is_empty() || !row.ucci.is_empty()) {
        table.push_str(&row.documentation());
        table.push('\n');
    }
    table
}
