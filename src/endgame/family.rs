//! Families of material: the pieces on the board other than the two kings.

use crate::types::PieceType;
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

/// Maximum number of attackers of both sides together.
pub const MAX_ATTACKERS: usize = 3;

/// The advisors and elephants of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Defenders {
    /// Exactly this many advisors and elephants, 0 to 2 of each.
    Exactly {
        /// Advisors.
        advisors: u8,
        /// Elephants.
        elephants: u8,
    },
    /// Any of the nine combinations of up to two advisors and up to two elephants.
    Any,
}

impl Defenders {
    /// No advisor and no elephant.
    pub const NONE: Defenders = Defenders::Exactly { advisors: 0, elephants: 0 };

    /// Whether these numbers of advisors and elephants match.
    pub fn covers(self, advisors: u8, elephants: u8) -> bool {
        self == Defenders::Any || self == Defenders::Exactly { advisors, elephants }
    }
}

/// One side of a family, without its king.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Side {
    /// Rooks, horses, cannons and pawns, in this order.
    pub attackers: ArrayVec<PieceType, MAX_ATTACKERS>,
    /// Advisors and elephants.
    pub defenders: Defenders,
}

/// Attackers in the order in which names list them.
const ORDER: [(char, PieceType); 4] =
    [('R', PieceType::Rook), ('N', PieceType::Horse), ('C', PieceType::Cannon), ('P', PieceType::Pawn)];

/// The position of a kind of attacker in names.
fn order(kind: PieceType) -> usize {
    ORDER.iter().position(|&(_, other)| other == kind).unwrap_or(ORDER.len())
}

impl Side {
    /// A side with these attackers in any order.
    pub fn new(attackers: impl IntoIterator<Item = PieceType>, defenders: Defenders) -> Side {
        let mut sorted = ArrayVec::<PieceType, MAX_ATTACKERS>::new();
        for kind in attackers.into_iter().take(MAX_ATTACKERS) {
            let index = sorted.iter().position(|&other| order(other) > order(kind)).unwrap_or(sorted.len());
            sorted.insert(index, kind);
        }
        Side { attackers: sorted, defenders }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &kind in &self.attackers {
            write!(f, "{}", kind.fen_letter())?;
        }
        match self.defenders {
            Defenders::Any => write!(f, "D"),
            Defenders::Exactly { advisors, elephants } => {
                write!(f, "{}{}", &"AA"[..advisors.min(2) as usize], &"BB"[..elephants.min(2) as usize])
            }
        }
    }
}

/// A family of material, one per table: `R-D` is king and rook against a king with any defenders. Either colour may be the first
/// side.
///
/// A name lists the attackers of a side (`R`, `N`, `C`, `P`), then `D` for any advisors and elephants or as many `A` and `B` as there are;
/// a hyphen separates the sides, and the kings are omitted. Defenders that an attacker can take are always `D`.
///
/// ```
/// use chuhe::endgame::Family;
///
/// let family: Family = "nr-d".parse()?;
/// assert_eq!(family.to_string(), "RN-D");
/// assert_eq!("d-caabb".parse::<Family>()?.to_string(), "CAABB-D");
/// # Ok::<(), chuhe::endgame::UnknownFamily>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Family {
    /// The first side, which plays Red in the table, then the other.
    sides: [Side; 2],
}

/// The error for a text that is not the name of a family.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{text}' is not a family of endgames, expected {}", expected(.whole.as_ref()))]
pub struct UnknownFamily {
    text: String,
    /// The family with any defenders instead of those that the text names and an attacker can take.
    whole: Option<Family>,
}

fn expected(whole: Option<&Family>) -> String {
    match whole {
        Some(family) => format!("{family}: defenders that an attacker can take are written D"),
        None => format!("one like R-D, CAABB-D or R-ND, with one to {MAX_ATTACKERS} of R, N, C and P"),
    }
}

impl Family {
    /// The family of two sides, in the order of its name. `None` without an attacker or with too many.
    pub fn new(first: Side, second: Side) -> Option<Family> {
        let attackers = first.attackers.len() + second.attackers.len();
        if attackers == 0 || attackers > MAX_ATTACKERS {
            return None;
        }
        // More attackers first, then the stronger ones, then fewer defenders.
        let rank = |side: &Side| {
            let kinds: Vec<usize> = side.attackers.iter().map(|&kind| order(kind)).collect();
            (std::cmp::Reverse(kinds.len()), kinds, side.defenders)
        };
        Some(Family { sides: if rank(&first) <= rank(&second) { [first, second] } else { [second, first] } })
    }

    /// The sides, the one that plays Red in the table first.
    pub fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// The kind and the side, 0 or 1, of each attacker.
    pub(super) fn attackers(&self) -> ArrayVec<(PieceType, usize), MAX_ATTACKERS> {
        let of = |side: usize| self.sides[side].attackers.iter().map(move |&kind| (kind, side));
        of(0).chain(of(1)).collect()
    }

    /// The family after the capture of an attacker, counted as in [`Family::attackers`]; `None` when it was the last.
    pub(super) fn without(&self, gone: usize) -> Option<Family> {
        let [mut first, mut second] = self.sides.clone();
        match gone.checked_sub(first.attackers.len()) {
            None => first.attackers.remove(gone),
            Some(gone) => second.attackers.remove(gone),
        };
        Family::new(first, second)
    }

    /// The families into which the capture of an attacker leads.
    pub fn after_captures(&self) -> Vec<Family> {
        let mut found: Vec<Family> = (0..self.attackers().len()).filter_map(|gone| self.without(gone)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// No attackers and any defenders on both sides: the result of the last capture. It has no table.
    pub(super) fn bare() -> Family {
        let side = || Side { attackers: ArrayVec::new(), defenders: Defenders::Any };
        Family { sides: [side(), side()] }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.sides[0], self.sides[1])
    }
}

impl FromStr for Family {
    type Err = UnknownFamily;

    fn from_str(text: &str) -> Result<Family, UnknownFamily> {
        let unknown = |whole| UnknownFamily { text: text.chars().take(40).filter(|c| !c.is_control()).collect(), whole };
        let (first, second) = text.trim().split_once('-').ok_or_else(|| unknown(None))?;
        let family = side(first).zip(side(second)).and_then(|(first, second)| Family::new(first, second));
        let family = family.ok_or_else(|| unknown(None))?;
        // Captures of single defenders must stay within the table.
        let mut whole = family.sides.clone();
        for (side, other) in [(0, 1), (1, 0)] {
            if !family.sides[other].attackers.is_empty() && family.sides[side].defenders != Defenders::NONE {
                whole[side].defenders = Defenders::Any;
            }
        }
        if whole == family.sides {
            return Ok(family);
        }
        let [first, second] = whole;
        Err(unknown(Family::new(first, second)))
    }
}

fn side(text: &str) -> Option<Side> {
    let mut attackers = ArrayVec::<PieceType, MAX_ATTACKERS>::new();
    let (mut advisors, mut elephants, mut any) = (0u8, 0u8, false);
    for letter in text.chars() {
        match letter.to_ascii_uppercase() {
            'A' => advisors += 1,
            'B' => elephants += 1,
            'D' if !any => any = true,
            other => {
                let (_, kind) = ORDER.into_iter().find(|&(letter, _)| letter == other)?;
                attackers.try_push(kind).ok()?;
            }
        }
        if advisors > 2 || elephants > 2 || any && advisors + elephants > 0 {
            return None;
        }
    }
    let of_kind = |kind| attackers.iter().filter(|&&other| other == kind).count();
    if attackers.iter().any(|&kind| of_kind(kind) > kind.limit()) {
        return None;
    }
    Some(Side::new(attackers, if any { Defenders::Any } else { Defenders::Exactly { advisors, elephants } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_order_and_written_in_one() {
        for (text, name) in [
            ("R-D", "R-D"),
            ("d-r", "R-D"),
            ("ND-R", "R-ND"),
            ("r-nd", "R-ND"),
            ("D-CBABA", "CAABB-D"),
            ("pn-d", "NP-D"),
            ("-n", "N-"),
            ("ND-", "ND-"),
        ] {
            let family: Family = text.parse().unwrap();
            assert_eq!(family.to_string(), name, "{text}");
            assert_eq!(name.parse(), Ok(family));
        }
        for bad in ["", "-", "R", "K-D", "D-D", "RRR-D", "RNCP-D", "R-A", "CAAA-D", "CDA-D", "R-D-", "R-AN", "é-D"] {
            assert!(bad.parse::<Family>().is_err(), "{bad}");
        }
        for (text, name) in [("R-AA", "R-D"), ("na-n", "N-ND"), ("NAB-NB", "ND-ND"), ("B-NP", "NP-D")] {
            let fault = text.parse::<Family>().unwrap_err().to_string();
            assert!(fault.ends_with(&format!(", expected {name}: defenders that an attacker can take are written D")), "{fault}");
        }
    }

    #[test]
    fn captures_lead_to_smaller_families() {
        let after = |name: &str| -> Vec<String> {
            let family: Family = name.parse().unwrap();
            family.after_captures().iter().map(Family::to_string).collect()
        };
        assert_eq!(after("R-D"), [""; 0]);
        assert_eq!(after("RR-D"), ["R-D"]);
        assert_eq!(after("RN-D").len(), 2);
        assert!(after("R-ND").contains(&"ND-".to_string()) && after("R-ND").contains(&"R-D".to_string()));
    }
}
