//! The rows of the table of systems, and accessors for them.

use super::System;
use super::convert::Notation;
use super::error::Reason;
use crate::board::Board;
use crate::types::Move;

/// How a PGN file names the notation of its moves.
///
/// ```
/// use xiangqi::notation::{PgnForm, System};
///
/// assert_eq!(System::Wxr.pgn(), Some(PgnForm::Western));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnForm {
    /// The tag `Format` is `ICCS`.
    Coordinates,
    /// The tag `Format` is `UCI10`, a value of our own: no tag of other programs means ranks 1 to 10, and most points exist in both
    /// numberings.
    CoordinatesFromOne,
    /// The tag `Format` is `WXF`.
    Western,
    /// No tag: programs expect Chinese characters by default.
    Characters,
    /// The tag `Format` is `VIETNAMESE`, a value of our own.
    Vietnamese,
}

/// How widely a system is used. If a text is a move in several systems, the first class in this order takes precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Usage {
    /// In current use in books, files and programs everywhere.
    General,
    /// In current use in one country.
    Regional,
    /// No longer in use.
    Historical,
}

/// One row of the table.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) names: &'static [&'static str],
    pub(super) title: &'static str,
    pub(super) form: &'static str,
    pub(super) example: &'static str,
    pub(super) usage: Usage,
    pub(super) pgn: Option<PgnForm>,
    pub(super) write: fn(&Notation, &Board, Move, &mut String),
    pub(super) read: fn(&Notation, &Board, &str) -> Result<Move, Reason>,
}

/// Defines [`System`](super::System) and its table of rows.
macro_rules! systems {
    ($($rows:tt)*) => {
        $crate::types::table! {
            /// A notation system.
            ///
            /// ```
            /// use xiangqi::board::Position;
            /// use xiangqi::notation::{self, System};
            ///
            /// let start = Position::startpos();
            /// let mv = notation::read(System::Chinese, start.board(), "炮二平五")?;
            /// assert_eq!(notation::write(System::Wxr, start.board(), mv), "C2=5");
            /// # Ok::<(), notation::ReadError>(())
            /// ```
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
            System, "notation", system::Row, names; $($rows)*
        }
    };
}
pub(super) use systems;

impl System {
    /// Alternative names accepted when parsing.
    ///
    /// ```
    /// use xiangqi::notation::System;
    ///
    /// assert_eq!(System::Uci.names(), ["ucci"]);
    /// assert_eq!("ucci".parse(), Ok(System::Uci));
    /// ```
    pub const fn names(self) -> &'static [&'static str] {
        self.row().names
    }

    /// The form of a move in this system, for error messages.
    ///
    /// ```
    /// use xiangqi::notation::System;
    ///
    /// assert_eq!(System::Iccs.form(), "two points such as H2-E2");
    /// ```
    pub const fn form(self) -> &'static str {
        self.row().form
    }

    /// The move `h2e2` in the start position, as written in this system.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{self, System};
    ///
    /// let start = Position::startpos();
    /// for system in System::ALL.into_iter().filter(|system| !system.is_historical()) {
    ///     assert_eq!(notation::read(system, start.board(), system.example())?.to_string(), "h2e2");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn example(self) -> &'static str {
        self.row().example
    }

    /// Whether the system is no longer in use. Detection prefers systems in current use.
    ///
    /// ```
    /// use xiangqi::notation::System;
    ///
    /// assert!(System::OldManual.is_historical() && !System::Wxr.is_historical());
    /// ```
    pub const fn is_historical(self) -> bool {
        matches!(self.usage(), Usage::Historical)
    }

    pub(super) const fn usage(self) -> Usage {
        self.row().usage
    }

    /// How PGN files identify this notation, or `None` if PGN can't be written in it.
    ///
    /// ```
    /// use xiangqi::notation::{PgnForm, System};
    ///
    /// assert_eq!(System::Chinese.pgn(), Some(PgnForm::Characters));
    /// assert_eq!(System::Poem.pgn(), None);
    /// ```
    pub const fn pgn(self) -> Option<PgnForm> {
        self.row().pgn
    }

    /// The systems that can be used in PGN files.
    ///
    /// ```
    /// use xiangqi::notation::System;
    ///
    /// assert!(System::all_of_pgn().all(|system| !system.is_historical()));
    /// ```
    pub fn all_of_pgn() -> impl Iterator<Item = System> {
        System::ALL.into_iter().filter(|system| system.pgn().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::{read, write};

    #[test]
    fn identifiers_round_trip_and_are_different() {
        let mut names: Vec<&str> =
            System::ALL.into_iter().flat_map(|system| [system.id()].into_iter().chain(system.names().to_vec())).collect();
        for system in System::ALL {
            assert_eq!(system.to_string().parse(), Ok(system));
            assert_eq!(system.id().to_uppercase().parse(), Ok(system));
            assert!(system.names().iter().all(|name| name.parse() == Ok(system)));
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two systems share a name");
        let error = "WXF 2020".parse::<System>().unwrap_err().to_string();
        assert!(error.contains("'WXF 2020'") && error.contains("chinese-simplified"), "{error}");
    }

    #[test]
    fn examples_are_what_is_written_and_read() {
        let start = Position::startpos();
        let cannon = read(System::Uci, start.board(), "h2e2").unwrap();
        for system in System::ALL {
            assert_eq!(write(system, start.board(), cannon), system.example(), "{system}");
            if system != System::Descriptive {
                assert_eq!(read(system, start.board(), system.example()), Ok(cannon), "{system}");
            }
        }
    }
}
