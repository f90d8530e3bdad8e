//! Enumerations with named values, and those that are tables with a row for each value.

use super::messages::{listed, quoted};
use thiserror::Error;

/// The error for a name that matches no value of an enumeration.
///
/// ```
/// use xiangqi::notation::Script;
///
/// let error = "latin".parse::<Script>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown script 'latin', expected english, traditional or simplified");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown {what} {text}, expected {expected}")]
pub struct UnknownName {
    what: &'static str,
    text: String,
    expected: String,
}

impl UnknownName {
    /// Creates the error from the kind of value expected, the text and the known names.
    ///
    /// ```
    /// use xiangqi::types::UnknownName;
    ///
    /// assert_eq!(UnknownName::new("colour", "green", ["red", "black"]).to_string(), "unknown colour 'green', expected red or black");
    /// ```
    pub fn new(what: &'static str, text: &str, known: impl IntoIterator<Item = &'static str>) -> UnknownName {
        UnknownName { what, text: quoted(text), expected: listed(known) }
    }
}

/// Defines the names of an enumeration's values and implements `Display` and `FromStr`. The first name of a value is the one written;
/// aliases follow it. Parsing ignores case.
#[doc(hidden)]
#[macro_export]
macro_rules! named_values {
    ($type:ident, $what:literal: $($value:ident $name:literal $(| $other:literal)*),+ $(,)?) => {
        impl $type {
            /// All values.
            ///
            /// ```
            /// use xiangqi::notation::Script;
            ///
            /// assert_eq!(Script::ALL[0], Script::English);
            /// ```
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];
            /// The names of all values, in the same order.
            ///
            /// ```
            /// use xiangqi::notation::Script;
            ///
            /// assert_eq!(Script::NAMES, ["english", "traditional", "simplified"]);
            /// ```
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// The name of the value.
            ///
            /// ```
            /// use xiangqi::notation::Script;
            ///
            /// assert_eq!(Script::Traditional.name(), "traditional");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::types::UnknownName;

            fn from_str(text: &str) -> Result<$type, $crate::types::UnknownName> {
                let all: [(&[&str], $type); $type::ALL.len()] = [$((&[$name $(, $other)*], $type::$value)),+];
                let known = all.into_iter().find(|(names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(text)));
                known.map(|(_, value)| value).ok_or_else(|| $crate::types::UnknownName::new($what, text, $type::NAMES))
            }
        }
    };
}

/// Defines an enumeration as a table with a row for each value. The first name of a value is its `id`; the column `$names` has others, which
/// are read too, ignoring case.
macro_rules! table {
    ($(#[$meta:meta])* $type:ident, $what:literal, $row:ty, $names:ident;
        $($(#[$doc:meta])* $value:ident { $($column:ident: $cell:expr),* $(,)? })*
    ) => {
        $(#[$meta])*
        pub enum $type { $($(#[$doc])* $value),* }

        impl $type {
            /// All values, in the order of their table.
            ///
            /// ```
            /// use xiangqi::rules::RuleSet;
            ///
            /// assert_eq!(RuleSet::ALL, [RuleSet::World, RuleSet::Chinese, RuleSet::Simple, RuleSet::AlwaysDraw]);
            /// ```
            pub const ALL: [$type; [$($type::$value),*].len()] = [$($type::$value),*];

            const fn row(self) -> &'static $row {
                type Row = $row;
                static ROWS: [Row; $type::ALL.len()] = [$(Row { $($column: $cell),* }),*];
                &ROWS[self as usize]
            }

            /// The identifiers of all values.
            ///
            /// ```
            /// use xiangqi::rules::RuleSet;
            ///
            /// assert_eq!(RuleSet::ids().collect::<Vec<_>>(), ["world", "chinese", "simple", "always-draw"]);
            /// ```
            pub fn ids() -> impl Iterator<Item = &'static str> {
                $type::ALL.into_iter().map($type::id)
            }

            /// The identifier.
            ///
            /// ```
            /// use xiangqi::notation::System;
            ///
            /// assert_eq!(System::Wxr.id(), "wxr");
            /// assert_eq!("wxr".parse(), Ok(System::Wxr));
            /// ```
            pub const fn id(self) -> &'static str {
                self.row().id
            }

            /// A short description.
            ///
            /// ```
            /// use xiangqi::notation::System;
            ///
            /// assert_eq!(System::Wxf.title(), "World Xiangqi Federation standard of 1999");
            /// ```
            pub const fn title(self) -> &'static str {
                self.row().title
            }
        }

        impl std::fmt::Display for $type {
            /// Writes the identifier.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.id())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::types::UnknownName;

            /// Parses the identifier or another name, ignoring case.
            fn from_str(text: &str) -> Result<$type, $crate::types::UnknownName> {
                let is_named = |name: &&str| name.eq_ignore_ascii_case(text);
                let is_meant = |value: &$type| is_named(&value.row().id) || value.row().$names.iter().any(is_named);
                $type::ALL.into_iter().find(is_meant).ok_or_else(|| $crate::types::UnknownName::new($what, text, $type::ids()))
            }
        }
    };
}
pub(crate) use table;
