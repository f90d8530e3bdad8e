//! The options: one table from which both dialects print, parse and take their defaults.

use super::format::Dialect;
use super::go::read_number;
use super::library::EMBEDDED;
use super::telling::Telling;
use crate::eval::embedded;
use crate::nnue::Network;
use crate::notation::System;
use crate::records::TextEncoding;
use crate::rules::{RuleSet, Rules};
use crate::search::Settings;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What an option is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// Search threads.
    Threads,
    /// MiB of the transposition table.
    Hash,
    /// Forget the table.
    ClearHash,
    /// UCCI: a new game begins.
    NewGame,
    /// Best lines shown.
    MultiPv,
    /// The client may ask to ponder.
    Ponder,
    /// Milliseconds kept back for each move.
    MoveOverhead,
    /// Whether strength is limited to [`Id::Elo`].
    LimitStrength,
    /// Strength when limited.
    Elo,
    /// Strength in 21 steps.
    SkillLevel,
    /// Whether UCI info lines tell chances.
    ShowWdl,
    /// UCI: the one variant there is.
    Variant,
    /// How repetitions are judged.
    RepetitionRule,
    /// Whether the natural limit holds.
    SixtyMoveRule,
    /// Plies of the natural limit.
    NaturalLimit,
    /// Notation in which moves are told besides coordinates.
    Notation,
    /// Encoding of that notation.
    Encoding,
    /// UCCI: times are milliseconds.
    Milliseconds,
    /// UCCI: commands wait for a running search.
    Batch,
    /// UCCI: noise on the score of root moves.
    Randomness,
    /// UCCI: whether a lost game may be resigned.
    Resign,
    /// The file of the network that evaluates.
    EvalFile,
    /// Whether moves are played out of opening books.
    OwnBook,
    /// The books, in the order in which they are asked.
    BookFile,
    /// How a book's moves are chosen.
    BookMode,
    /// Plies of a game after which books are no longer asked.
    BookDepth,
}

/// Type and range of an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// On or off.
    Check(bool),
    /// On or off, with UCI's default and UCCI's.
    CheckBy(bool, bool),
    /// A number with its default, smallest and largest value.
    Spin(i64, i64, i64),
    /// A choice, the default first; each with other names it is known by.
    Combo(&'static [(&'static str, &'static [&'static str])]),
    /// Does something once.
    Button,
    /// Free text with its default; UCI writes an empty text as `<empty>`.
    Text(&'static str),
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is for.
    pub id: Id,
    /// Name in UCI's list, none when UCI doesn't announce it.
    pub uci: Option<&'static str>,
    /// Name in UCCI's list, none when UCCI doesn't announce it.
    pub ucci: Option<&'static str>,
    /// Type, default and range.
    pub kind: Kind,
    /// One line for people.
    pub help: &'static str,
}

const fn entry(id: Id, uci: &'static str, ucci: &'static str, kind: Kind, help: &'static str) -> Entry {
    Entry {
        id,
        uci: if uci.is_empty() { None } else { Some(uci) },
        ucci: if ucci.is_empty() { None } else { Some(ucci) },
        kind,
        help,
    }
}

/// Weakest and strongest setting of `UCI_Elo`.
pub const ELO_RANGE: (i64, i64) = (1280, 3133);

/// All options, in the order in which they are announced. A name in either column is understood in both dialects, in any
/// case and with or without blanks and underscores.
pub const TABLE: &[Entry] = &[
    entry(Id::Milliseconds, "", "usemillisec", Kind::Check(true), "UCCI times are milliseconds, not seconds"),
    entry(Id::Threads, "Threads", "threads", Kind::Spin(1, 1, 256), "search threads; 0 takes one for each processor core"),
    entry(Id::Hash, "Hash", "hashsize", Kind::Spin(16, 1, 65536), "MiB of the transposition table; 0 takes the default"),
    entry(Id::ClearHash, "Clear Hash", "", Kind::Button, "forgets the transposition table"),
    entry(Id::NewGame, "", "newgame", Kind::Button, "a new game begins: forgets all that was learnt"),
    entry(Id::MultiPv, "MultiPV", "multipv", Kind::Spin(1, 1, 128), "how many best lines to show"),
    entry(Id::Ponder, "Ponder", "ponder", Kind::Check(false), "tells that the client may ask to think on the opponent's time"),
    entry(Id::MoveOverhead, "Move Overhead", "moveoverhead", Kind::Spin(10, 0, 5000), "milliseconds kept back for each move"),
    entry(Id::LimitStrength, "UCI_LimitStrength", "limitstrength", Kind::Check(false), "plays at the strength of UCI_Elo"),
    entry(Id::Elo, "UCI_Elo", "elo", Kind::Spin(ELO_RANGE.0, ELO_RANGE.0, ELO_RANGE.1), "strength with UCI_LimitStrength"),
    entry(Id::SkillLevel, "Skill Level", "skilllevel", Kind::Spin(20, 0, 20), "strength in steps; 20 is full strength"),
    entry(Id::ShowWdl, "UCI_ShowWDL", "", Kind::Check(false), "tells chances to win, draw and lose in thousandths"),
    entry(Id::Variant, "UCI_Variant", "", Kind::Combo(&[("xiangqi", &[])]), "the game that is played"),
    entry(
        Id::RepetitionRule,
        "Repetition Rule",
        "repetitionrule",
        Kind::Combo(&[
            ("World", &["AsianRule", "SkyRule", "YitianRule", "WorldRule"]),
            ("Chinese", &["ChineseRule", "ComputerRule"]),
            ("Simple", &["AllowChase", "NoJudgement"]),
        ]),
        "how repetitions are judged: World Xiangqi Rules, Chinese rules, or perpetual check alone loses",
    ),
    entry(Id::SixtyMoveRule, "Sixty Move Rule", "sixtymoverule", Kind::Check(true), "a long time without capture is a draw"),
    entry(Id::NaturalLimit, "Rule60MaxPly", "rule60maxply", Kind::Spin(120, 1, 150), "plies without capture that are a draw"),
    entry(
        Id::Notation,
        "Notation",
        "notation",
        Kind::Combo(&[
            ("wxr", &[]),
            ("wxf", &[]),
            ("chinese", &["characters", "traditional"]),
            ("simplified", &["chinese-simplified"]),
            ("off", &["none", "false"]),
        ]),
        "notation in which best moves and lines are told besides coordinates",
    ),
    entry(
        Id::Encoding,
        "Notation Encoding",
        "encoding",
        Kind::Combo(&[("UTF-8", &["UTF8"]), ("GBK", &["GB2312", "GB18030", "936"]), ("Big5", &["950"])]),
        "encoding of the notation's characters",
    ),
    entry(Id::OwnBook, "OwnBook", "usebook", Kind::CheckBy(false, true), "plays moves out of opening books"),
    entry(
        Id::BookFile,
        "Book File",
        "bookfiles",
        Kind::Text(EMBEDDED),
        "opening books, with ; between; <embedded> is the one that the program carries",
    ),
    entry(
        Id::BookMode,
        "Book Mode",
        "bookmode",
        Kind::Combo(&[("weighted", &["random"]), ("best", &["bestonly"])]),
        "whether book moves are drawn by weight or the heaviest is played",
    ),
    entry(Id::BookDepth, "Book Depth", "bookdepth", Kind::Spin(60, 0, 1000), "plies of a game after which books rest"),
    entry(Id::Batch, "", "batch", Kind::Check(false), "commands wait for a running search instead of stopping it"),
    entry(
        Id::Randomness,
        "",
        "randomness",
        Kind::Combo(&[("none", &[]), ("tiny", &[]), ("small", &[]), ("medium", &[]), ("large", &[]), ("huge", &[])]),
        "how much chance there is in the choice of a move",
    ),
    entry(Id::Resign, "", "resign", Kind::Check(false), "resigns after being mated for sure three answers in a row"),
    entry(
        Id::EvalFile,
        "EvalFile",
        "evalfile",
        Kind::Text(""),
        "file of the network that evaluates; the built-in one when empty",
    ),
];

/// Centipawns of noise for each choice of `randomness`.
const RANDOMNESS: [i32; 6] = [0, 5, 10, 20, 40, 80];

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    /// A button, or what has a default of its own in each dialect and was not set.
    Nothing,
    Switch(bool),
    Number(i64),
    /// Which choice of a combo.
    Choice(usize),
    Text(String),
}

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// As many as [`TABLE`] has rows, in its order.
    values: Vec<Value>,
    network: Arc<Network>,
}

impl Default for Options {
    fn default() -> Options {
        let default = |entry: &Entry| match entry.kind {
            Kind::Check(on) => Value::Switch(on),
            Kind::Spin(number, ..) => Value::Number(number),
            Kind::Combo(_) => Value::Choice(0),
            Kind::Text(text) => Value::Text(text.to_string()),
            Kind::CheckBy(..) | Kind::Button => Value::Nothing,
        };
        Options { values: TABLE.iter().map(default).collect(), network: Arc::clone(embedded()) }
    }
}

/// Names are compared in lower case without blanks, underscores and dashes.
fn same(left: &str, right: &str) -> bool {
    let plain = |text: &str| -> Vec<u8> {
        text.bytes().filter(|byte| !b" _-".contains(byte)).map(|byte| byte.to_ascii_lowercase()).collect()
    };
    plain(left) == plain(right)
}

impl Options {
    /// Sets an option by either dialect's name. None when there is no such option, or its value is missing or can't be
    /// one, and nothing has changed; numbers out of range are clamped.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Option<Id> {
        let named = |own: Option<&str>| own.is_some_and(|own| same(own, name));
        let row = TABLE.iter().position(|entry| named(entry.uci) || named(entry.ucci))?;
        let entry = &TABLE[row];
        let new = match entry.kind {
            Kind::Button => Value::Nothing,
            Kind::Check(_) | Kind::CheckBy(..) => Value::Switch(match value?.to_ascii_lowercase().as_str() {
                "true" | "on" => true,
                "false" | "off" => false,
                _ => return None,
            }),
            Kind::Spin(_, smallest, largest) => {
                let number = read_number(value?)?;
                let number = if number == 0 { automatic(entry.id).unwrap_or(0) } else { number };
                Value::Number(number.clamp(smallest, largest))
            }
            Kind::Combo(choices) => {
                let value = value?;
                let is_meant =
                    |(own, others): &(&str, &[&str])| same(own, value) || others.iter().any(|other| same(other, value));
                Value::Choice(choices.iter().position(is_meant)?)
            }
            // A client that clears the field sends no value.
            Kind::Text(_) => Value::Text(value.filter(|&value| value != EMPTY).unwrap_or_default().to_string()),
        };
        self.values[row] = new;
        Some(entry.id)
    }

    fn value(&self, id: Id) -> &Value {
        let row = TABLE.iter().position(|entry| entry.id == id);
        row.and_then(|row| self.values.get(row)).unwrap_or(&Value::Nothing)
    }

    /// The value of a check.
    pub fn is_on(&self, id: Id) -> bool {
        *self.value(id) == Value::Switch(true)
    }

    /// The value of a spin.
    pub fn number(&self, id: Id) -> i64 {
        if let Value::Number(number) = self.value(id) { *number } else { 0 }
    }

    /// Which of a combo's choices is set, from 0.
    pub fn choice(&self, id: Id) -> usize {
        if let Value::Choice(choice) = self.value(id) { *choice } else { 0 }
    }

    /// The value of a text.
    pub fn text(&self, id: Id) -> &str {
        if let Value::Text(text) = self.value(id) { text } else { "" }
    }

    /// Reads the network that `EvalFile` names; the one in use before stays when it cannot be used.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub fn load_network(&mut self) -> Result<(), String> {
        let name = self.text(Id::EvalFile).to_string();
        self.network = if name.is_empty() {
            Arc::clone(embedded())
        } else {
            Arc::new(Network::read(Path::new(&name)).map_err(|error| error.to_string())?)
        };
        Ok(())
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Whether moves are played out of books. UCI's clients have books of their own and ask for an engine's; UCCI's expect
    /// an engine to use its own.
    pub fn uses_book(&self, dialect: Dialect) -> bool {
        match self.value(Id::OwnBook) {
            Value::Switch(on) => *on,
            _ => dialect == Dialect::Ucci,
        }
    }

    /// The settings for a search.
    pub fn settings(&self) -> Settings {
        let set = [RuleSet::World, RuleSet::Chinese, RuleSet::Simple][self.choice(Id::RepetitionRule).min(2)];
        let natural_limit = if self.is_on(Id::SixtyMoveRule) { self.number(Id::NaturalLimit) as u16 } else { 0 };
        Settings {
            rules: Rules { set, natural_limit, ..Rules::default() },
            move_overhead: Duration::from_millis(self.number(Id::MoveOverhead) as u64),
            elo: self.elo(),
            randomness: RANDOMNESS[self.choice(Id::Randomness).min(RANDOMNESS.len() - 1)],
            network: Arc::clone(&self.network),
        }
    }

    /// The strength to play at, none for full strength. `UCI_LimitStrength` goes before `Skill Level`.
    fn elo(&self) -> Option<u32> {
        let skill = self.number(Id::SkillLevel);
        if self.is_on(Id::LimitStrength) {
            Some(self.number(Id::Elo) as u32)
        } else if skill < 20 {
            Some((ELO_RANGE.0 + (ELO_RANGE.1 - ELO_RANGE.0) * skill / 20) as u32)
        } else {
            None
        }
    }

    /// In which notation and encoding moves are told.
    pub fn telling(&self) -> Telling {
        let system = [Some(System::Wxr), Some(System::Wxf), Some(System::Chinese), Some(System::ChineseSimplified), None];
        let encoding = [TextEncoding::Utf8, TextEncoding::Gbk, TextEncoding::Big5];
        Telling { system: system[self.choice(Id::Notation).min(4)], encoding: encoding[self.choice(Id::Encoding).min(2)] }
    }
}

/// How UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// The value that 0 stands for where 0 means the engine's choice.
fn automatic(id: Id) -> Option<i64> {
    match id {
        Id::Threads => Some(std::thread::available_parallelism().map_or(1, |count| count.get() as i64)),
        Id::Hash => Some(DEFAULT_HASH),
        _ => None,
    }
}

/// MiB of the table when none were asked for.
const DEFAULT_HASH: i64 = 16;

/// The `option` lines of a dialect's handshake.
pub fn announcements(dialect: Dialect) -> Vec<String> {
    let line = |entry: &Entry| -> Option<String> {
        let mut text = match dialect {
            Dialect::Uci => format!("option name {}", entry.uci?),
            Dialect::Ucci => format!("option {}", entry.ucci?),
        };
        match entry.kind {
            Kind::Button => text.push_str(" type button"),
            Kind::Text(default) => {
                let shown = if default.is_empty() { EMPTY } else { default };
                text.push_str(&format!(" type string default {shown}"));
            }
            Kind::Check(on) => text.push_str(&format!(" type check default {on}")),
            Kind::CheckBy(uci, ucci) => {
                let on = if dialect == Dialect::Uci { uci } else { ucci };
                text.push_str(&format!(" type check default {on}"));
            }
            Kind::Spin(default, smallest, largest) => {
                let smallest = if dialect == Dialect::Ucci && automatic(entry.id).is_some() { 0 } else { smallest };
                match dialect {
                    Dialect::Uci => text.push_str(&format!(" type spin default {default} min {smallest} max {largest}")),
                    Dialect::Ucci => text.push_str(&format!(" type spin min {smallest} max {largest} default {default}")),
                }
            }
            Kind::Combo(choices) => {
                let all: String = choices.iter().map(|(choice, _)| format!(" var {choice}")).collect();
                let default = choices.first().map_or("", |(choice, _)| *choice);
                match dialect {
                    Dialect::Uci => text.push_str(&format!(" type combo default {default}{all}")),
                    Dialect::Ucci => text.push_str(&format!(" type combo{all} default {default}")),
                }
            }
        }
        Some(text)
    };
    let lines = TABLE.iter().filter_map(line);
    #[cfg(feature = "tuning")]
    let lines = lines.chain(tuned(dialect));
    lines.collect()
}

/// The rows of the search's table of numbers, which this build can change.
#[cfg(feature = "tuning")]
fn tuned(dialect: Dialect) -> impl Iterator<Item = String> {
    let rows = if dialect == Dialect::Uci { crate::search::params::ALL } else { &[] };
    rows.iter().map(|row| format!("option name {} type spin default {} min {} max {}", row.name, row.default, row.min, row.max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_found_by_its_announced_name_and_takes_its_default() {
        for entry in TABLE {
            for name in [entry.uci, entry.ucci].into_iter().flatten() {
                let mut options = Options::default();
                let before = options.values.clone();
                let default = match entry.kind {
                    Kind::Button => None,
                    Kind::Check(on) => Some(on.to_string()),
                    Kind::Spin(default, ..) => Some(default.to_string()),
                    Kind::Combo(choices) => Some(choices[0].0.to_string()),
                    Kind::Text(text) => Some(text.to_string()),
                    Kind::CheckBy(uci, _) => Some(uci.to_string()),
                };
                assert_eq!(options.set(&name.to_uppercase(), default.as_deref()), Some(entry.id), "{name}");
                // Said aloud, a default holds for both dialects.
                assert!(options.values == before || matches!(entry.kind, Kind::CheckBy(..)), "{name}");
            }
        }
    }

    #[test]
    fn names_of_ucci_are_one_lower_case_word() {
        for line in announcements(Dialect::Ucci) {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!((words[0], words[2]), ("option", "type"), "{line}");
            assert!(words[1].bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{line}");
        }
        let first = &announcements(Dialect::Ucci)[0];
        assert_eq!(first, "option usemillisec type check default true");
    }

    #[test]
    fn values() {
        let mut options = Options::default();
        assert_eq!(options.set("hash", Some("99999999999999999999")), Some(Id::Hash));
        assert_eq!(options.number(Id::Hash), 65536);
        assert_eq!(options.set("hashsize", Some("0")), Some(Id::Hash));
        assert_eq!(options.number(Id::Hash), 16);
        options.set("Threads", Some("-7"));
        assert_eq!(options.number(Id::Threads), 1);
        for (name, value) in
            [("Hash", Some("many")), ("Hash", None), ("guiname", Some("x")), ("batch", Some("maybe")), ("", None)]
        {
            assert_eq!(options.set(name, value), None, "{name} {value:?}");
        }
        options.set("batch", Some("on"));
        assert!(options.is_on(Id::Batch));
        options.set("Repetition Rule", Some("ChineseRule"));
        options.set("sixty move rule", Some("false"));
        assert_eq!(options.settings().rules, Rules { set: RuleSet::Chinese, natural_limit: 0, ..Rules::default() });
    }

    #[test]
    fn books_are_used_as_each_dialect_expects() {
        let mut options = Options::default();
        assert_eq!([Dialect::Uci, Dialect::Ucci].map(|dialect| options.uses_book(dialect)), [false, true]);
        options.set("OwnBook", Some("true"));
        assert!(options.uses_book(Dialect::Uci));
        options.set("usebook", Some("off"));
        assert!(!options.uses_book(Dialect::Ucci));
        assert_eq!(options.text(Id::BookFile), EMBEDDED);
        assert_eq!(options.set("bookfiles", Some("C:\\my books\\a.dat;b")), Some(Id::BookFile));
        assert_eq!(options.text(Id::BookFile), "C:\\my books\\a.dat;b");
        assert_eq!(options.set("Book File", None), Some(Id::BookFile));
        assert_eq!(options.text(Id::BookFile), "");
    }

    #[test]
    fn strength() {
        let mut options = Options::default();
        assert_eq!(options.settings().elo, None);
        options.set("Skill Level", Some("0"));
        assert_eq!(options.settings().elo, Some(1280));
        options.set("UCI_LimitStrength", Some("true"));
        options.set("UCI_Elo", Some("9999"));
        assert_eq!(options.settings().elo, Some(3133));
    }
}
