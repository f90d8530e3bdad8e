//! The table of rule sets: its columns, and the methods of [`RuleSet`] derived from it.

use super::actions::MoveReport;
use super::cycle::Cycle;
use super::offences::Offence;
use super::threats::Gain;
use super::topics::Topic;
use super::{GameResult, RuleSet};
use crate::board::Board;
use crate::types::Color;

/// The kinds of perpetual attack that a rule set forbids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// None.
    Nothing,
    /// Perpetual check.
    Checks,
    /// Perpetual check, and perpetual chase of the same piece.
    ChecksAndChases,
    /// Checks, kills and chases, in any combination.
    Attacks,
}

/// A row of the table of rule sets.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) names: &'static [&'static str],
    pub(super) title: &'static str,
    /// The result of a repetition.
    pub(super) judge: fn(Cycle) -> GameResult,
    /// The offence of a side that does not give check on every move.
    pub(super) offence: fn(Color, &[MoveReport], &[&Board]) -> Offence,
    /// The test for whether a capture wins material.
    pub(super) gain: Gain,
    pub(super) scope: Scope,
    /// The topic of loops without an offence, if the rule set has only one.
    pub(super) allowed: Option<&'static Topic>,
}

/// Defines the type [`RuleSet`] and its table of rows.
macro_rules! rule_sets {
    ($($rows:tt)*) => {
        $crate::types::table! {
            /// The rules by which repetitions are judged.
            ///
            /// ```
            /// use xiangqi::rules::RuleSet;
            ///
            /// assert_eq!("chinese".parse(), Ok(RuleSet::Chinese));
            /// assert_eq!(RuleSet::default(), RuleSet::World);
            /// ```
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
            RuleSet, "rules", registry::Row, names; $($rows)*
        }
    };
}
pub(super) use rule_sets;

impl RuleSet {
    /// Its names in the options of engines, the most common first.
    ///
    /// ```
    /// use xiangqi::rules::RuleSet;
    ///
    /// assert!(RuleSet::Simple.names().contains(&"CheckBan"));
    /// assert_eq!("CheckBan".parse(), Ok(RuleSet::Simple));
    /// ```
    pub const fn names(self) -> &'static [&'static str] {
        self.row().names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_parsed() {
        for set in RuleSet::ALL {
            for name in std::iter::once(&set.id()).chain(set.names()) {
                assert_eq!(name.parse(), Ok(set), "{name}");
            }
        }
        assert_eq!(
            "x".parse::<RuleSet>().unwrap_err().to_string(),
            "unknown rules 'x', expected world, chinese, simple or always-draw"
        );
        assert_eq!(RuleSet::default(), RuleSet::World);
    }
}
