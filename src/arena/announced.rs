//! The options announced by an engine, and validation of values against them.

use super::error::OptionError;
use crate::protocol::Dialect;

/// The type of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Check,
    Spin {
        min: Option<i64>,
        max: Option<i64>,
    },
    Combo(Vec<String>),
    Button,
    /// Any text; also unknown types.
    Text,
}

/// An announced option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AnnouncedOption {
    name: String,
    kind: Kind,
}

/// Keywords of an `option` line.
const ITEMS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl AnnouncedOption {
    /// Parses an `option` line; `None` for any other line. UCI has `option name N type T …`, where the name may contain blanks; UCCI has
    /// `option N type T …`.
    pub(super) fn read(line: &str, protocol: Dialect) -> Option<AnnouncedOption> {
        let mut words = line.split_ascii_whitespace().peekable();
        if words.next() != Some("option") {
            return None;
        }
        if protocol == Dialect::Uci || words.peek() == Some(&"name") {
            words.next_if_eq(&"name")?;
        }
        let mut name = Vec::new();
        while let Some(word) = words.next_if(|&word| word != "type") {
            name.push(word);
        }
        // The value of each item extends to the next keyword.
        let mut items: Vec<(&str, String)> = Vec::new();
        for word in words {
            if ITEMS.contains(&word) {
                items.push((word, String::new()));
            } else if let Some((_, value)) = items.last_mut() {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
        }
        let item = |wanted: &str| items.iter().find(|(item, _)| *item == wanted).map(|(_, value)| value.as_str());
        let kind = match item("type") {
            Some("check") => Kind::Check,
            Some("spin") => Kind::Spin {
                min: item("min").and_then(|text| text.parse().ok()),
                max: item("max").and_then(|text| text.parse().ok()),
            },
            Some("combo") => {
                Kind::Combo(items.iter().filter(|(item, _)| *item == "var").map(|(_, value)| value.clone()).collect())
            }
            Some("button") => Kind::Button,
            _ => Kind::Text,
        };
        Some(AnnouncedOption { name: name.join(" "), kind })
    }

    fn takes(&self, value: &str) -> Result<(), OptionError> {
        let refuse = |expected: String| Err(OptionError::Value { name: self.name.clone(), value: value.into(), expected });
        match &self.kind {
            Kind::Check if value != "true" && value != "false" => refuse("true or false".into()),
            Kind::Spin { min, max } => {
                let number = value.parse::<i64>().ok();
                let fits = |number: i64| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
                if number.is_some_and(fits) {
                    return Ok(());
                }
                refuse(match (min, max) {
                    (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
                    (Some(min), None) => format!("a whole number of at least {min}"),
                    (None, Some(max)) => format!("a whole number of at most {max}"),
                    (None, None) => "a whole number".into(),
                })
            }
            Kind::Combo(vars) if !vars.is_empty() && !vars.iter().any(|var| var.eq_ignore_ascii_case(value)) => {
                refuse(format!("one of {}", vars.join(", ")))
            }
            Kind::Button if !value.is_empty() => refuse("no value, as it is a button".into()),
            _ => Ok(()),
        }
    }

    /// A value as the engine spells it.
    fn spelled<'a>(&'a self, value: &'a str) -> &'a str {
        let Kind::Combo(vars) = &self.kind else { return value };
        named(vars, value, String::as_str).map_or(value, String::as_str)
    }
}

/// The item with exactly this name, otherwise the first with this name in any case.
fn named<'a, T>(items: &'a [T], name: &str, name_of: impl Fn(&T) -> &str) -> Option<&'a T> {
    let exact = items.iter().find(|item| name_of(item) == name);
    exact.or_else(|| items.iter().find(|item| name_of(item).eq_ignore_ascii_case(name)))
}

/// Checks the name and value of an option against the announced options, ignoring the case of names and of choices. Returns them as the
/// engine spells them, since many engines compare them exactly and ignore others.
///
/// # Errors
/// If there is no such option, or it does not accept this value.
pub(super) fn check(announced: &[AnnouncedOption], name: &str, value: &str) -> Result<(String, String), OptionError> {
    match named(announced, name, |option| &option.name) {
        Some(option) => option.takes(value).map(|()| (option.name.clone(), option.spelled(value).into())),
        None => {
            Err(OptionError::Unknown { name: name.into(), known: announced.iter().map(|option| option.name.clone()).collect() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(line: &str, protocol: Dialect, name: &str, value: &str) -> bool {
        check(&[AnnouncedOption::read(line, protocol).expect(line)], name, value).is_ok()
    }

    #[test]
    fn values_must_fit() {
        let spin = "option name Move Overhead type spin default 10 min 0 max 5000";
        assert!(takes(spin, Dialect::Uci, "move overhead", "5000"));
        for bad in ["5001", "-1", "x", "", "1.5"] {
            assert!(!takes(spin, Dialect::Uci, "Move Overhead", bad), "{bad}");
        }
        assert!(!takes(spin, Dialect::Uci, "Move", "1"));
        let check = "option usebook type check default true";
        assert!(takes(check, Dialect::Ucci, "usebook", "false") && !takes(check, Dialect::Ucci, "usebook", "yes"));
        let combo = "option name Style type combo default Very Solid var Very Solid var Wild";
        assert!(takes(combo, Dialect::Uci, "Style", "Very Solid") && !takes(combo, Dialect::Uci, "Style", "Very"));
        let button = "option name Clear Hash type button";
        assert!(takes(button, Dialect::Uci, "Clear Hash", "") && !takes(button, Dialect::Uci, "Clear Hash", "1"));
        let text = "option name Book type string default <empty>";
        assert!(takes(text, Dialect::Uci, "Book", "C:\\a b"));
        assert!(takes("option name Hash type spin", Dialect::Uci, "Hash", "7"));
    }

    #[test]
    fn names_and_choices_are_spelled_as_announced() {
        let announced: Vec<AnnouncedOption> =
            ["option name Hash type spin", "option name Style type combo default Solid var Solid var Wild"]
                .iter()
                .filter_map(|line| AnnouncedOption::read(line, Dialect::Uci))
                .collect();
        let sent = |name: &str, value: &str| check(&announced, name, value).unwrap();
        assert_eq!(sent("hash", "7"), ("Hash".into(), "7".into()));
        assert_eq!(sent("STYLE", "wild"), ("Style".into(), "Wild".into()));
    }

    #[test]
    fn other_lines_announce_nothing() {
        for line in ["", "id name x", "options name x", "option"] {
            assert_eq!(AnnouncedOption::read(line, Dialect::Uci), None, "{line}");
        }
    }

    #[test]
    fn the_error_lists_the_valid_options_and_values() {
        let announced: Vec<AnnouncedOption> =
            ["option name Hash type spin default 16 min 1 max 64", "option name Threads type spin"]
                .iter()
                .filter_map(|line| AnnouncedOption::read(line, Dialect::Uci))
                .collect();
        let error = check(&announced, "Hsh", "1").unwrap_err().to_string();
        assert_eq!(error, "has no option 'Hsh', expected one of Hash, Threads");
        let error = check(&announced, "Hash", "65").unwrap_err().to_string();
        assert_eq!(error, "option 'Hash': '65' is not accepted, expected a whole number from 1 to 64");
        assert!(check(&[], "Hash", "1").unwrap_err().to_string().contains("announces no options"));
    }
}
