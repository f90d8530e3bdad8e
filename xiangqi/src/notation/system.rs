//! The list of systems.

use std::fmt;
use std::str::FromStr;

/// A notation system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum System {
    /// `iccs`: the coordinates of the Internet Chinese Chess Server, `H2-E2`. Files `a` to `i` from Red's left, ranks `0` to
    /// `9` from Red's back rank.
    Iccs,
    /// `uci`: the same in lower case without a dash, `h2e2`, as UCCI and most UCI engines use it.
    Uci,
    /// `uci10`: as Fairy-Stockfish writes points, with ranks 1 to 10: `h3e3`.
    Uci10,
    /// `wxf`: the standard of the World Xiangqi Federation of 1999, `C2.5`; in a tandem `C+.5`.
    Wxf,
    /// `wxr`: the World Xiangqi Rules of 2018, today's official form, `C2=5`; in a tandem `+C=5`.
    Wxr,
    /// `tandem`: the beginner's system with its own rules for tandem pawns, `C2.5`, `P+.4`, `++.4`, `33.4`.
    Tandem,
    /// `chinese`: traditional characters, 炮二平五 for Red and 砲２平５ for Black.
    Chinese,
    /// `chinese-simplified`: simplified characters, 炮二平五 and 炮２平５.
    ChineseSimplified,
    /// `shorthand`: the former official shorthand (periodical Beifang Qiyi), `C25`; the last digit is underlined for an
    /// advance and overlined for a retreat.
    Shorthand,
    /// `old-manual`: An Old Xiangqi Manual, as `wxr` with files numbered from the left of the side in whose half the point
    /// lies, `C8=5`.
    OldManual,
    /// `poem`: the Plum Flower Manual's way, one character of a poem for every point.
    Poem,
    /// `descriptive`: the words of One Hundred Variations, `Cannon traverses`. One text can fit several moves.
    Descriptive,
    /// `meng`: Meng Baolin's coordinates, `H28-47`: file 1 to 9 from Red's left and rank 0 to 9 from Red's back rank for
    /// both sides. His diagram is lost to us, so the direction of the axes is our reading of two examples.
    Meng,
    /// `hodges`: George Hodges' notation for shogi, `C-5h`: files 1 to 9 from Red's right, ranks `a` to `j` from the far side.
    Hodges,
}

impl System {
    /// All systems, in the order of their table.
    pub const ALL: [System; 14] = [
        System::Iccs,
        System::Uci,
        System::Uci10,
        System::Wxf,
        System::Wxr,
        System::Tandem,
        System::Chinese,
        System::ChineseSimplified,
        System::Shorthand,
        System::OldManual,
        System::Poem,
        System::Descriptive,
        System::Meng,
        System::Hodges,
    ];

    /// The identifier on the command line, such as `wxr`.
    pub const fn id(self) -> &'static str {
        match self {
            System::Iccs => "iccs",
            System::Uci => "uci",
            System::Uci10 => "uci10",
            System::Wxf => "wxf",
            System::Wxr => "wxr",
            System::Tandem => "tandem",
            System::Chinese => "chinese",
            System::ChineseSimplified => "chinese-simplified",
            System::Shorthand => "shorthand",
            System::OldManual => "old-manual",
            System::Poem => "poem",
            System::Descriptive => "descriptive",
            System::Meng => "meng",
            System::Hodges => "hodges",
        }
    }

    /// What a move in this system looks like, for error lines.
    pub(super) const fn form(self) -> &'static str {
        match self {
            System::Iccs => "two points such as H2-E2",
            System::Uci => "two points such as h2e2",
            System::Uci10 => "two points with ranks 1 to 10 such as h3e3",
            System::Wxf => "four characters such as C2.5 or C+.5",
            System::Wxr => "four characters such as C2=5 or +C=5",
            System::Tandem => "four characters such as C2.5, P+.4 or 33.4",
            System::Chinese => "four characters such as 炮二平五 or 前車進一",
            System::ChineseSimplified => "four characters such as 炮二平五 or 前车进一",
            System::Shorthand => "three characters such as C25, with a line under or over the last for an advance or a retreat",
            System::OldManual => "four characters such as C8=5 or +C=5",
            System::Poem => "two characters of the poem joined by a dash",
            System::Descriptive => "words such as Pawn captures Chariot, Horse to Riverbank or Cannon traverses",
            System::Meng => "a piece and two points in digits such as H28-47",
            System::Hodges => "a piece, - or x and a point such as C-5h",
        }
    }
}

impl fmt::Display for System {
    /// The identifier.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for System {
    type Err = String;

    /// Reads the identifier, such as `wxr`.
    fn from_str(text: &str) -> Result<System, String> {
        System::ALL.into_iter().find(|system| system.id() == text).ok_or_else(|| {
            let ids: Vec<&str> = System::ALL.iter().map(|system| system.id()).collect();
            format!("unknown notation {}, expected one of {}", super::error::quoted(text), ids.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_round_trip() {
        for system in System::ALL {
            assert_eq!(system.to_string().parse(), Ok(system));
        }
        assert!("WXF 2020".parse::<System>().is_err_and(|error| error.contains("chinese-simplified")));
    }
}
