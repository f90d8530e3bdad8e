//! Option types: parsing of values, their internal representation, and how they are announced to a client.

/// Notation of an empty string in both dialects.
pub(super) const EMPTY: &str = "<empty>";

/// Whether a text stands for an empty one: `<empty>` in any case, or quotation marks with nothing between them.
pub(super) fn is_empty(text: &[u8]) -> bool {
    text.eq_ignore_ascii_case(EMPTY.as_bytes()) || unquoted(text).is_empty()
}

/// A path without the quotation marks around it, with which Windows Explorer copies it.
pub(super) fn unquoted(path: &[u8]) -> &[u8] {
    let path = path.strip_prefix(b"\"").unwrap_or(path);
    path.strip_suffix(b"\"").unwrap_or(path)
}

/// The beginning of a word that a client sent, for messages.
pub(super) fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

/// Parses a number with an optional sign, clamped to 64 bits; `None` if the text is not a number. Decimals are cut off: scripts send
/// `movetime 1000.0`.
pub(super) fn read_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    if digits.is_empty() || !digits.bytes().chain(decimals.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

/// Compares option names, ignoring case, blanks, underscores and dashes.
pub(super) fn is_same(left: &str, right: &str) -> bool {
    fn plain(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|byte| !b" _-".contains(byte)).map(|byte| byte.to_ascii_lowercase())
    }
    plain(left).eq(plain(right))
}

/// An option's type as announced to a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OptionType {
    /// A switch, with its defaults in UCI and UCCI.
    Check { uci: bool, ucci: bool },
    /// A number with default, minimum and maximum; `zero`: whether 0 lets the engine choose.
    Spin { default: i64, smallest: i64, largest: i64, zero: bool },
    /// One of several choices; the first is the default.
    Combo(Vec<&'static str>),
    /// Triggers an action.
    Button,
    /// Free text, with its default.
    Text(&'static str),
}

impl OptionType {
    /// Description of the valid values.
    pub(super) fn expected(&self) -> String {
        match self {
            OptionType::Button => "no value".into(),
            OptionType::Check { .. } => "true or false".into(),
            OptionType::Spin { smallest, largest, zero: false, .. } => format!("a number from {smallest} to {largest}"),
            OptionType::Spin { smallest, largest, zero: true, .. } => format!("a number from {smallest} to {largest}, or 0"),
            OptionType::Combo(choices) => format!("one of {}", choices.join(", ")),
            OptionType::Text(_) => "a text".into(),
        }
    }
}

/// An option type: its values and their parsing.
pub(super) trait Kind {
    /// The internal representation of a value.
    type Value;

    fn default(&self) -> Self::Value;

    /// Parses a value; numbers out of range are clamped. `None` if the value is invalid.
    fn read(&self, bytes: Option<&[u8]>) -> Option<Self::Value>;

    fn announced(&self) -> OptionType;

    /// The name of a value, for types with named choices.
    fn choice(&self, _: &Self::Value) -> &'static str {
        ""
    }
}

fn text(bytes: Option<&[u8]>) -> Option<&str> {
    bytes.and_then(|bytes| std::str::from_utf8(bytes).ok())
}

/// A switch, with its default.
pub(super) struct Check(pub bool);

impl Kind for Check {
    type Value = bool;

    fn default(&self) -> bool {
        self.0
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<bool> {
        match text(bytes)?.to_ascii_lowercase().as_str() {
            "true" | "on" => Some(true),
            "false" | "off" => Some(false),
            _ => None,
        }
    }

    fn announced(&self) -> OptionType {
        OptionType::Check { uci: self.0, ucci: self.0 }
    }
}

/// A switch with a default for each dialect. Its value is `None` until it is set.
pub(super) struct CheckByDialect {
    pub uci: bool,
    pub ucci: bool,
}

impl Kind for CheckByDialect {
    type Value = Option<bool>;

    fn default(&self) -> Option<bool> {
        None
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<Option<bool>> {
        Check(self.uci).read(bytes).map(Some)
    }

    fn announced(&self) -> OptionType {
        OptionType::Check { uci: self.uci, ucci: self.ucci }
    }
}

/// A number with default, minimum and maximum.
pub(super) struct Spin(pub i64, pub i64, pub i64);

impl Spin {
    /// The same type, with 0 meaning the result of a function.
    pub(super) const fn or_zero(self, automatic: fn() -> i64) -> Auto {
        Auto(self, automatic)
    }
}

impl Kind for Spin {
    type Value = i64;

    fn default(&self) -> i64 {
        self.0
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<i64> {
        Some(read_number(text(bytes)?)?.clamp(self.1, self.2))
    }

    fn announced(&self) -> OptionType {
        OptionType::Spin { default: self.0, smallest: self.1, largest: self.2, zero: false }
    }
}

/// A [`Spin`] for which 0 means the result of the function.
pub(super) struct Auto(Spin, fn() -> i64);

impl Kind for Auto {
    type Value = i64;

    fn default(&self) -> i64 {
        self.0.0
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<i64> {
        let number = read_number(text(bytes)?)?;
        Some(if number == 0 { (self.1)() } else { number }.clamp(self.0.1, self.0.2))
    }

    fn announced(&self) -> OptionType {
        OptionType::Spin { default: self.0.0, smallest: self.0.1, largest: self.0.2, zero: true }
    }
}

/// A choice: its name, aliases and value.
pub(super) type Choice<T> = (&'static str, &'static [&'static str], T);

/// One of several choices, the default first.
pub(super) struct Combo<T>(pub fn() -> Vec<Choice<T>>);

impl<T: PartialEq> Kind for Combo<T> {
    type Value = T;

    fn default(&self) -> T {
        (self.0)().swap_remove(0).2
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<T> {
        let word = text(bytes)?;
        let is_meant = |(name, aliases, _): &Choice<T>| is_same(name, word) || aliases.iter().any(|alias| is_same(alias, word));
        (self.0)().into_iter().find(is_meant).map(|(.., value)| value)
    }

    fn announced(&self) -> OptionType {
        OptionType::Combo((self.0)().iter().map(|(name, ..)| *name).collect())
    }

    fn choice(&self, value: &T) -> &'static str {
        (self.0)().iter().find(|(.., other)| other == value).map_or("", |(name, ..)| name)
    }
}

/// An option whose value is `None` until it is set.
pub(super) struct Unset<K>(pub K);

impl<K: Kind> Kind for Unset<K> {
    type Value = Option<K::Value>;

    fn default(&self) -> Option<K::Value> {
        None
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<Option<K::Value>> {
        self.0.read(bytes).map(Some)
    }

    fn announced(&self) -> OptionType {
        self.0.announced()
    }
}

/// Triggers an action.
pub(super) struct Button;

impl Kind for Button {
    type Value = ();

    fn default(&self) {}

    fn read(&self, _: Option<&[u8]>) -> Option<()> {
        Some(())
    }

    fn announced(&self) -> OptionType {
        OptionType::Button
    }
}

/// Free text, with its default. The value is kept as raw bytes because a path may be in any encoding.
pub(super) struct Text(pub &'static str);

impl Kind for Text {
    type Value = Vec<u8>;

    fn default(&self) -> Vec<u8> {
        self.0.into()
    }

    fn read(&self, bytes: Option<&[u8]>) -> Option<Vec<u8>> {
        // Clients send no value to clear a string.
        Some(bytes.filter(|bytes| !is_empty(bytes)).unwrap_or_default().to_vec())
    }

    fn announced(&self) -> OptionType {
        OptionType::Text(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clamped_and_decimals_cut_off() {
        assert_eq!(read_number("-99999999999999999999"), Some(-i64::MAX));
        assert_eq!(["1000.0", "-2.75", "7."].map(read_number), [Some(1000), Some(-2), Some(7)]);
        assert_eq!([".5", "1.x", "1.2.3", "1e3", "."].map(read_number), [None; 5]);
    }
}
