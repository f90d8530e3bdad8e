//! The options: one row for each, from which both dialects and the documentation take everything. A new option is a row here and
//! the place that uses its value.

use super::dialect::Dialect;
use super::points::Ranks;
use super::registry::{EMPTY, Kind, OptionError, Row, Value, documentation};
use super::telling::Telling;
use crate::endgame::Tables;
use crate::eval::embedded;
use crate::nnue::Network;
use crate::notation::System;
use crate::records::TextEncoding;
use crate::rules::{Draws, Language, RuleSet, Rules};
use crate::search::Settings;
use crate::system::code_page;
use crate::threads::{ELO_RANGE, LEVELS};
use crate::types::Color;
use std::sync::Arc;
use std::time::Duration;

/// What stands in a list of books for the one that the program carries.
pub(super) const EMBEDDED: &str = "<embedded>";

/// Weakest and strongest setting of `UCI_Elo`.
const ELO: (i64, i64) = (*ELO_RANGE.start() as i64, *ELO_RANGE.end() as i64);

/// Strength of the weakest level of `chuhe play`, which is `Skill Level` 0, and of the one that is the default.
const WEAKEST: i64 = level_elo(0);
const USUAL: i64 = level_elo(4);

const fn level_elo(index: usize) -> i64 {
    match LEVELS[index].elo {
        Some(elo) => elo as i64,
        None => ELO.1,
    }
}

/// MiB of the table when none were asked for.
pub(super) const DEFAULT_HASH: i64 = 16;
/// MiB of the largest table that can be asked for: a tebibyte.
const LARGEST_HASH: i64 = 1 << 20;

/// Declares the rows: `Id, UCI's name, UCCI's name, other names, type, meaning;`.
macro_rules! options {
    ($($id:ident, $uci:literal, $ucci:literal, $aliases:expr, $kind:expr, $help:literal;)*) => {
        /// The options by name.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Id {
            $(#[doc = $help] $id,)*
        }

        /// All options, in the order in which they are announced, which is that of [`Id`].
        pub const TABLE: &[Row<Id>] = &[
            $(Row { id: Id::$id, uci: $uci, ucci: $ucci, aliases: &$aliases, kind: $kind, help: $help },)*
        ];
    };
}

options! {
    Milliseconds, "", "usemillisec", [], Kind::Check(true),
        "times in UCCI's `go` are in milliseconds; off: in seconds";
    Threads, "Threads", "threads", [], Kind::Auto(1, 1, 1024, processors),
        "search threads; 0: one for each processor core";
    Hash, "Hash", "hashsize", [], Kind::Auto(DEFAULT_HASH, 1, LARGEST_HASH, || DEFAULT_HASH),
        "size of the transposition table in MiB, at most half of the free memory; 0: the default";
    ClearHash, "Clear Hash", "", [], Kind::Button,
        "clears the transposition table";
    NewGame, "", "newgame", [], Kind::Button,
        "starts a new game and forgets everything learnt in earlier ones (in UCI: `ucinewgame`)";
    MultiPv, "MultiPV", "multipv", [], Kind::Spin(1, 1, 128),
        "number of best lines to report";
    Ponder, "Ponder", "ponder", [], Kind::Check(false),
        "announces that the client may let the engine think on the opponent's time; changes nothing by itself";
    MoveOverhead, "Move Overhead", "moveoverhead", [], Kind::Spin(10, 0, 5000),
        "milliseconds kept in reserve for each move";
    LimitStrength, "UCI_LimitStrength", "limitstrength", [], Kind::Check(false),
        "plays at the strength of `UCI_Elo`";
    Elo, "UCI_Elo", "elo", [], Kind::Spin(USUAL, ELO.0, ELO.1),
        "strength when `UCI_LimitStrength` is on";
    SkillLevel, "Skill Level", "skilllevel", [], Kind::Spin(20, 0, 20),
        "strength in steps from the weakest (0) to full strength (20); `UCI_LimitStrength` takes precedence";
    ShowWdl, "UCI_ShowWDL", "", [], Kind::Check(false),
        "reports the chances to win, draw and lose in thousandths";
    Variant, "UCI_Variant", "", [], Kind::Combo(&[("xiangqi", &[])]),
        "the only variant there is";
    RepetitionRule, "Repetition Rule", "repetitionrule", ["repetition"],
        Kind::Combo(&RuleSet::OPTION_VALUES),
        "rules for repetitions: World Xiangqi Rules, Chinese rules, only perpetual check loses, or every repetition is a draw";
    DrawRule, "Draw Rule", "drawrule", [],
        Kind::Combo(&DRAW_RULES),
        "who wins games that the rules draw: nobody, or one side all of them or those by repetition (`Rep`)";
    SixtyMoveRule, "Sixty Move Rule", "sixtymoverule", [], Kind::Check(true),
        "the natural limit: a long time without a capture is a draw";
    NaturalLimit, "Rule60MaxPly", "rule60maxply", ["drawmoves"], Kind::Auto(120, 1, 1000, || 120),
        "plies without a capture after which the natural limit applies; 0: the default";
    Notation, "Notation", "notation", [],
        Kind::Combo(&System::OPTION_VALUES),
        "notation in which moves are repeated for people; off for XiangQi Wizard, which does so itself, unless it is set";
    Ranks, "Ranks", "ranks", [],
        Kind::Combo(&Ranks::OPTION_VALUES),
        "ranks of the moves in answers and lines: `h2e2`, or `h3e3` as Fairy-Stockfish writes them; both are read";
    Encoding, "Notation Encoding", "encoding", [],
        Kind::Combo(&[
            ("auto", &[]),
            ("UTF-8", &["UTF8", "65001"]),
            ("GBK", &["GB2312", "GB18030", "936"]),
            ("Big5", &["950"]),
        ]),
        "encoding of text and paths; auto: UTF-8, but the code page in UCCI on Windows, and GBK for XiangQi Wizard elsewhere";
    OwnBook, "OwnBook", "usebook", [], Kind::CheckBy(false, true),
        "plays moves from the opening books";
    BookFile, "Book File", "bookfiles", [], Kind::Text(EMBEDDED),
        "opening books, separated by `;`: the first that knows a move gives it; `<embedded>` is the built-in book, empty means none";
    BookMode, "Book Mode", "bookmode", [], Kind::Combo(&[("weighted", &["random"]), ("best", &["bestonly"])]),
        "draws book moves at random by their weights, or always plays the heaviest";
    BookDepth, "Book Depth", "bookdepth", [], Kind::Spin(60, 0, 1000),
        "plies of a game after which the books are ignored";
    Batch, "", "batch", [], Kind::Check(false),
        "for a file that is piped in: `quit` and the end of input wait for all answers, `stop` for searches that end by themselves";
    Randomness, "", "randomness", [],
        Kind::Combo(&[("none", &[]), ("tiny", &[]), ("small", &[]), ("medium", &[]), ("large", &[]), ("huge", &[])]),
        "amount of chance in the choice of a move";
    Resign, "", "resign", [], Kind::Check(false),
        "resigns once the engine is being mated in three answers in a row";
    EvalFile, "EvalFile", "evalfile", [], Kind::Text(""),
        "file of the evaluation network; empty: the built-in one; an invalid file is rejected and the network in use is kept";
    EndgamePath, "EndgamePath", "egtbpaths", [], Kind::Text(""),
        "folders of endgame tables that `chuhe endgame build` wrote, separated by `;`, in addition to the built-in tables; a damaged file is ignored";
    UseEndgames, "Use Endgames", "useegtb", [], Kind::Check(true),
        "plays and evaluates endgames of few pieces by exact tables";
    LogFile, "Debug Log File", "debuglogfile", [], Kind::Text(""),
        "file to whose end the conversation is written, `>>` before input and `<<` before output; empty: none";
    Debug, "", "debug", [], Kind::Check(false),
        "says what was not understood: commands, options, values (in UCI: `debug on`)";
    NodesTime, "", "", ["nodestime"], Kind::Spin(0, 0, 10_000),
        "no effect: searches are limited by nodes with `go nodes`";
    NumaPolicy, "", "", ["NumaPolicy"], Kind::Text("auto"),
        "no effect: the system places threads and memory";
    WatchParent, "", "", ["watchparent"], Kind::Check(true),
        "ends the engine when the client that started it has died";
}

/// Processor cores, for `Threads` 0.
fn processors() -> i64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as i64)
}

/// Centipawns of noise for each choice of `randomness`.
const RANDOMNESS: [i32; 6] = [0, 5, 10, 20, 40, 80];

/// XiangQi Wizard's name for itself.
const XIANGQI_WIZARD: &[u8] = b"XQWizard";

/// Options of its own list that no other client sends: version 3.12 does not say its name.
const OPTIONS_OF_XIANGQI_WIZARD: [&str; 3] = ["pruning", "knowledge", "selectivity"];

/// Pikafish's names of who wins draws.
const DRAW_RULES: [(&str, &[&str]); 5] =
    [("None", &[]), ("DrawAsBlackWin", &[]), ("DrawAsRedWin", &[]), ("DrawRepAsBlackWin", &[]), ("DrawRepAsRedWin", &[])];

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// One for each row of [`TABLE`], in its order.
    values: Vec<Value>,
    /// Whether the row's value was set by the client or the environment.
    is_set: Vec<bool>,
    /// The client has said that it is XiangQi Wizard, which writes moves in characters itself and reads the code page.
    is_xiangqi_wizard: bool,
    /// The one that `EvalFile` named; none: the built-in one, which is read when it is first asked for.
    network: Option<Arc<Network>>,
    /// Those that `EndgamePath` named and the built-in ones; none: the built-in ones alone.
    endgames: Option<Arc<Tables>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            values: TABLE.iter().map(|row| row.kind.default_value()).collect(),
            is_set: vec![false; TABLE.len()],
            is_xiangqi_wizard: false,
            network: None,
            endgames: None,
        }
    }
}

impl Options {
    /// Sets an option by a name of either dialect; numbers out of range are clamped.
    ///
    /// # Errors
    /// When there is no such option, or its value is missing or cannot be read; nothing has changed then.
    pub fn set(&mut self, name: &str, value: Option<&[u8]>) -> Result<Id, OptionError> {
        let row = TABLE.iter().find(|row| row.is_named(name)).ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        let value = row.kind.read(value).ok_or_else(|| row.rejects())?;
        self.values[row.id as usize] = value;
        self.is_set[row.id as usize] = true;
        Ok(row.id)
    }

    /// Learns who the client is, from the name by which UCCI's clients introduce themselves (`guiname`) or from what else it sets.
    /// Whether it was such an option.
    pub fn recognize_client(&mut self, name: &str, value: Option<&[u8]>) -> bool {
        let is_name = name == "guiname";
        let tells = is_name || OPTIONS_OF_XIANGQI_WIZARD.contains(&name);
        if tells {
            self.is_xiangqi_wizard = !is_name || value == Some(XIANGQI_WIZARD);
        }
        tells
    }

    /// Whether the client is XiangQi Wizard.
    pub fn is_xiangqi_wizard(&self) -> bool {
        self.is_xiangqi_wizard
    }

    /// In which language the client's users read.
    pub fn language(&self) -> Language {
        if self.is_xiangqi_wizard { Language::Chinese } else { Language::English }
    }

    /// How moves are written.
    pub fn ranks(&self) -> Ranks {
        Ranks::of_option_value(self.choice(Id::Ranks))
    }

    /// How a list of moves is read that can be read either way; none when the client has not said it.
    pub fn set_ranks(&self) -> Option<Ranks> {
        self.is_set[Id::Ranks as usize].then(|| self.ranks())
    }

    /// The choice of a combo as the client sees it.
    pub fn choice_name(&self, id: Id) -> &'static str {
        let Kind::Combo(choices) = TABLE[id as usize].kind else { return "" };
        choices.get(self.choice(id)).map_or("", |(name, _)| name)
    }

    fn draws(&self) -> Draws {
        match self.choice(Id::DrawRule) {
            1 => Draws::All(Color::Black),
            2 => Draws::All(Color::Red),
            3 => Draws::ByRepetition(Color::Black),
            4 => Draws::ByRepetition(Color::Red),
            _ => Draws::Nobody,
        }
    }

    fn value(&self, id: Id) -> &Value {
        &self.values[id as usize]
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

    /// The value of a text, in the client's encoding.
    pub fn text(&self, id: Id) -> &[u8] {
        if let Value::Text(text) = self.value(id) { text } else { b"" }
    }

    /// The path that bytes of the client mean, such as those of a text.
    pub fn path(&self, bytes: &[u8]) -> std::path::PathBuf {
        crate::system::path_of_bytes(bytes, self.set_encoding())
    }

    /// Reads the network that `EvalFile` names; the one in use before stays when it cannot be used.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub fn load_network(&mut self) -> Result<(), NetworkError> {
        let name = self.text(Id::EvalFile);
        self.network = if name.is_empty() {
            None
        } else {
            Some(Arc::new(Network::read(&self.path(name)).map_err(|error| NetworkError(error.into()))?))
        };
        Ok(())
    }

    /// Reads the endgame tables in the folders that `EndgamePath` names. Returns what is wrong with folders and files that cannot be
    /// used; they are left out.
    pub fn load_endgames(&mut self) -> Vec<String> {
        // The byte of `;` is no part of a character in any encoding that a client uses.
        let names = self.text(Id::EndgamePath).split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        let folders: Vec<_> =
            names.filter(|name| !name.is_empty() && *name != EMPTY.as_bytes()).map(|name| self.path(name)).collect();
        let (tables, problems) = Tables::open_lenient(&folders);
        self.endgames = (!folders.is_empty()).then(|| Arc::new(tables));
        problems.iter().map(ToString::to_string).collect()
    }

    /// The endgame tables in use; none when they are switched off.
    fn endgames(&self) -> Option<Arc<Tables>> {
        let tables = self.endgames.as_ref().unwrap_or_else(|| Tables::builtin());
        self.is_on(Id::UseEndgames).then(|| Arc::clone(tables))
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        self.network.as_ref().unwrap_or_else(|| embedded())
    }

    /// Whether moves are played from books. UCI's clients have books of their own and ask for an engine's; UCCI's expect
    /// an engine to use its own.
    pub fn uses_book(&self, dialect: Dialect) -> bool {
        match self.value(Id::OwnBook) {
            Value::Switch(on) => *on,
            _ => dialect == Dialect::Ucci,
        }
    }

    /// The settings for a search.
    pub fn settings(&self) -> Settings {
        let set = RuleSet::of_option_value(self.choice(Id::RepetitionRule));
        let natural_limit = if self.is_on(Id::SixtyMoveRule) { self.number(Id::NaturalLimit) as u16 } else { 0 };
        Settings {
            rules: Rules { set, natural_limit, draws: self.draws(), ..Rules::default() },
            move_overhead: Duration::from_millis(self.number(Id::MoveOverhead) as u64),
            elo: self.elo(),
            randomness: RANDOMNESS[self.choice(Id::Randomness).min(RANDOMNESS.len() - 1)],
            network: Arc::clone(self.network()),
            endgames: self.endgames(),
        }
    }

    /// The strength to play at, none for full strength. `UCI_LimitStrength` takes precedence over `Skill Level`.
    fn elo(&self) -> Option<u32> {
        let skill = self.number(Id::SkillLevel);
        if self.is_on(Id::LimitStrength) {
            Some(self.number(Id::Elo) as u32)
        } else if skill < 20 {
            Some((WEAKEST + (ELO.1 - WEAKEST) * skill / 20) as u32)
        } else {
            None
        }
    }

    /// The encoding that was asked for, if one was.
    fn set_encoding(&self) -> Option<TextEncoding> {
        let encodings = [None, Some(TextEncoding::Utf8), Some(TextEncoding::Gbk), Some(TextEncoding::Big5)];
        encodings[self.choice(Id::Encoding).min(3)]
    }

    /// The encoding in which the client reads text.
    pub fn encoding(&self, dialect: Dialect) -> TextEncoding {
        self.set_encoding()
            .or_else(|| if self.is_xiangqi_wizard { code_page().or(Some(TextEncoding::Gbk)) } else { None })
            .or_else(|| if dialect == Dialect::Ucci { code_page() } else { None })
            .unwrap_or_default()
    }

    /// In which notation and encoding moves are repeated for people.
    pub fn telling(&self, dialect: Dialect) -> Telling {
        let is_silent = self.is_xiangqi_wizard && !self.is_set[Id::Notation as usize];
        Telling {
            system: if is_silent { None } else { System::of_option_value(self.choice(Id::Notation)) },
            encoding: self.encoding(dialect),
        }
    }
}

/// A network that cannot be used: one line that names the file and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NetworkError(Box<dyn std::error::Error + Send + Sync>);

/// The `option` lines of a dialect's handshake.
pub fn announcements(dialect: Dialect) -> Vec<String> {
    let lines = TABLE.iter().filter_map(|row| row.announcement(dialect));
    #[cfg(feature = "tuning")]
    let lines = lines.chain(tuned(dialect));
    lines.collect()
}

/// The table of all options in Markdown, as the documentation shows it: a test compares the two.
pub fn options_table() -> String {
    documentation(TABLE)
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

    fn set(options: &mut Options, name: &str, value: Option<&str>) -> Option<Id> {
        options.set(name, value.map(str::as_bytes)).ok()
    }

    #[test]
    fn every_option_is_found_by_all_its_names_and_takes_its_default() {
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.id as usize, number);
            for name in [row.uci, row.ucci].iter().chain(row.aliases).filter(|name| !name.is_empty()) {
                let mut options = Options::default();
                let before = options.values.clone();
                let default = match row.kind {
                    Kind::Button => None,
                    Kind::Check(on) => Some(on.to_string()),
                    Kind::Spin(default, ..) | Kind::Auto(default, ..) => Some(default.to_string()),
                    Kind::Combo(choices) => Some(choices[0].0.to_string()),
                    Kind::Text(text) => Some(text.to_string()),
                    Kind::CheckBy(uci, _) => Some(uci.to_string()),
                };
                assert_eq!(set(&mut options, &name.to_uppercase(), default.as_deref()), Some(row.id), "{name}");
                // Said aloud, a default holds for both dialects.
                assert!(options.values == before || matches!(row.kind, Kind::CheckBy(..)), "{name}");
            }
        }
    }

    #[test]
    fn no_two_options_share_a_name() {
        for row in TABLE {
            for name in [row.uci, row.ucci].iter().chain(row.aliases).filter(|name| !name.is_empty()) {
                assert_eq!(TABLE.iter().filter(|other| other.is_named(name)).count(), 1, "{name}");
            }
        }
    }

    #[test]
    fn errors_name_the_option_and_what_it_takes() {
        let error = |name: &str, value: Option<&[u8]>| Options::default().set(name, value).unwrap_err().to_string();
        assert_eq!(error("guiname", Some(b"x")), "there is no option 'guiname'");
        assert_eq!(error("hashsize", None), "option Hash: expected a number from 1 to 1048576, or 0");
        assert_eq!(error("batch", Some(b"\xff")), "option batch: expected true or false");
        assert_eq!(error("Book Mode", Some(b"x")), "option Book Mode: expected one of weighted, best");
        assert_eq!(error("MultiPV", Some(b"x")), "option MultiPV: expected a number from 1 to 128");
    }

    #[test]
    fn the_documentation_has_a_line_for_every_announced_option() {
        let table = options_table();
        assert!(table.contains("| Hash | hashsize | 1 to 1048576 | 16 | size of the"), "{table}");
        assert!(table.contains("| | newgame | button | | starts a new game"), "{table}");
        assert!(table.contains("| OwnBook | usebook | check | false (UCI), true (UCCI) | plays"), "{table}");
        assert!(table.contains("| EvalFile | evalfile | text | empty | "), "{table}");
        let hidden = TABLE.iter().filter(|row| row.uci.is_empty() && row.ucci.is_empty()).count();
        assert_eq!(table.lines().count(), 2 + TABLE.len() - hidden);
        assert!(table.lines().all(|line| line.matches('|').count() == 6), "{table}");
    }

    #[test]
    fn words_of_the_older_ucci() {
        let mut options = Options::default();
        for (word, rules) in [
            ("chineserule", RuleSet::Chinese),
            ("asianrule", RuleSet::World),
            ("alwaysdraw", RuleSet::AlwaysDraw),
            ("checkban", RuleSet::Simple),
        ] {
            assert_eq!(set(&mut options, "repetition", Some(word)), Some(Id::RepetitionRule));
            assert_eq!(options.settings().rules.set, rules, "{word}");
        }
        for (plies, limit) in [("100", 100), ("0", 120), ("200", 200), ("9999", 1000), ("x", 1000)] {
            set(&mut options, "drawmoves", Some(plies));
            assert_eq!(options.settings().rules.natural_limit, limit, "{plies}");
        }
    }

    #[test]
    fn clients_and_their_encodings() {
        let mut options = Options::default();
        assert_eq!(options.encoding(Dialect::Uci), TextEncoding::Utf8);
        assert_eq!(options.encoding(Dialect::Ucci), code_page().unwrap_or_default());
        assert_eq!(options.telling(Dialect::Uci).system, Some(System::Wxr));
        assert_eq!(options.language(), Language::English);
        assert!(!options.recognize_client("hashsize", Some(b"16")) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("knowledge", Some(b"large")) && options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"Other")) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"XQWizard")));
        assert_eq!(options.language(), Language::Chinese);
        assert_eq!(options.encoding(Dialect::Ucci), code_page().unwrap_or(TextEncoding::Gbk));
        assert_eq!(options.telling(Dialect::Ucci).system, None);
        set(&mut options, "notation", Some("wxr"));
        set(&mut options, "encoding", Some("big5"));
        let telling = options.telling(Dialect::Ucci);
        assert_eq!((telling.system, telling.encoding), (Some(System::Wxr), TextEncoding::Big5));
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
        assert_eq!(set(&mut options, "hash", Some("99999999999999999999")), Some(Id::Hash));
        assert_eq!(options.number(Id::Hash), 1 << 20);
        assert_eq!(set(&mut options, "hashsize", Some("0")), Some(Id::Hash));
        assert_eq!(options.number(Id::Hash), 16);
        set(&mut options, "Threads", Some("-7"));
        assert_eq!(options.number(Id::Threads), 1);
        for (name, value) in
            [("Hash", Some("many")), ("Hash", None), ("guiname", Some("x")), ("batch", Some("maybe")), ("", None)]
        {
            assert_eq!(set(&mut options, name, value), None, "{name} {value:?}");
        }
        set(&mut options, "batch", Some("on"));
        assert!(options.is_on(Id::Batch));
        set(&mut options, "Repetition Rule", Some("ChineseRule"));
        set(&mut options, "sixty move rule", Some("false"));
        assert_eq!(options.settings().rules, Rules { set: RuleSet::Chinese, natural_limit: 0, ..Rules::default() });
    }

    #[test]
    fn books_are_used_as_each_dialect_expects() {
        let mut options = Options::default();
        assert_eq!([Dialect::Uci, Dialect::Ucci].map(|dialect| options.uses_book(dialect)), [false, true]);
        set(&mut options, "OwnBook", Some("true"));
        assert!(options.uses_book(Dialect::Uci));
        set(&mut options, "usebook", Some("off"));
        assert!(!options.uses_book(Dialect::Ucci));
        assert_eq!(options.text(Id::BookFile), EMBEDDED.as_bytes());
        assert_eq!(set(&mut options, "bookfiles", Some("C:\\my books\\a.dat;b")), Some(Id::BookFile));
        assert_eq!(options.text(Id::BookFile), b"C:\\my books\\a.dat;b");
        assert_eq!(set(&mut options, "Book File", None), Some(Id::BookFile));
        assert_eq!(options.text(Id::BookFile), b"");
    }

    #[test]
    fn strength() {
        let mut options = Options::default();
        assert_eq!(options.settings().elo, None);
        set(&mut options, "Skill Level", Some("0"));
        assert_eq!(options.settings().elo, LEVELS[0].elo);
        set(&mut options, "UCI_LimitStrength", Some("true"));
        set(&mut options, "UCI_Elo", Some("9999"));
        assert_eq!(options.settings().elo, Some(*ELO_RANGE.end()));
    }
}
