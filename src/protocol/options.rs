//! The options: one row each with names, type, effect and meaning, used by both dialects, the documentation and the session. A new
//! option needs a row here and the code that uses its value.

use super::dialect::{Dialect, MoveText, Ranks};
use super::kinds::{
    Button, Check, CheckByDialect, Choice, Combo, EMPTY, Kind, OptionType, Spin, Text, Unset, is_empty, is_same, unquoted,
};
use crate::endgame::Tables;
use crate::nnue::{Network, NetworkFileError};
use crate::notation::System;
use crate::records::TextEncoding;
use crate::rules::{Draws, Language, NaturalLimit, RuleSet, Rules};
use crate::search::Settings;
use crate::system::{code_page, is_device};
use crate::threads::{ELO_RANGE, LEVELS};
use crate::types::Color;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

/// Name of the built-in book in `Book File`.
pub(super) const BUILTIN_BOOK: &str = "<embedded>";

/// Minimum and maximum of `UCI_Elo`.
const ELO: (i64, i64) = (*ELO_RANGE.start() as i64, *ELO_RANGE.end() as i64);

/// Elo of the weakest level of `chuhe play`, which is `Skill Level` 0, and of the default level.
const WEAKEST: i64 = level_elo(0);
const USUAL: i64 = level_elo(4);

const fn level_elo(index: usize) -> i64 {
    match LEVELS[index].elo {
        Some(elo) => elo as i64,
        None => ELO.1,
    }
}

/// Default table size in MiB.
pub(super) const DEFAULT_HASH: i64 = 16;
/// Maximum table size in MiB, one tebibyte.
const MAX_HASH: i64 = 1 << 20;

/// Action of the session after an option has been set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// None: the value is read where it is needed.
    None,
    /// None, but an unknown value is always reported: the client must not believe that other rules are in force.
    Rules,
    /// Changes the number of search threads.
    Threads,
    /// Changes the size of the table.
    Hash,
    /// Clears the table.
    ClearHash,
    /// Starts a new game.
    NewGame,
    /// Loads the network.
    Network,
    /// Opens the endgame tables.
    Endgames,
    /// Clears the table when the endgame tables are switched on or off.
    UseEndgames,
    /// Changes the encoding of the output, and of paths.
    Encoding,
    /// Opens the books again before the next search.
    Books,
    /// Opens the log.
    Log,
    /// Reports that the option is accepted but has no effect.
    Ignored,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in UCI; empty if not announced there.
    pub uci: &'static str,
    /// Name in UCCI; empty if not announced there.
    pub ucci: &'static str,
    /// Names that are accepted but not announced.
    pub aliases: &'static [&'static str],
    /// Action of the session after the option has been set.
    pub effect: Effect,
    /// Description for the documentation, in one sentence without a full stop.
    pub help: &'static str,
    /// Type, default and range, as announced.
    announced: fn() -> OptionType,
    /// Parses a value into its field; returns false if it is invalid.
    set: fn(&mut Values, Option<&[u8]>) -> bool,
    /// The name of the current value, for options with named choices.
    choice: fn(&Values) -> &'static str,
}

/// Declares the rows, and a field of [`Values`] for each:
/// `field: type of its value = kind, UCI name, UCCI name, aliases, effect, description;`.
macro_rules! options {
    ($($field:ident: $value:ty = $kind:expr, $uci:literal, $ucci:literal, $aliases:expr, $effect:ident, $help:literal;)*) => {
        /// The values of all options.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Values {
            $(#[doc = $help] pub $field: $value,)*
        }

        impl Default for Values {
            fn default() -> Values {
                Values { $($field: Kind::default(&$kind),)* }
            }
        }

        /// All options, in the order of announcement.
        pub const TABLE: &[Row] = &[
            $(Row {
                uci: $uci,
                ucci: $ucci,
                aliases: &$aliases,
                effect: Effect::$effect,
                help: $help,
                announced: || Kind::announced(&$kind),
                set: |values, bytes| Kind::read(&$kind, bytes).map(|value| values.$field = value).is_some(),
                choice: |values| Kind::choice(&$kind, &values.$field),
            },)*
        ];
    };
}

options! {
    milliseconds: bool = Check(true), "", "usemillisec", [], None,
        "times in UCCI's `go` are in milliseconds; off: in seconds";
    threads: i64 = Spin(1, 1, 1024).or_zero(processors), "Threads", "threads", [], Threads,
        "search threads; 0: one for each processor core";
    hash: i64 = Spin(DEFAULT_HASH, 1, MAX_HASH).or_zero(|| DEFAULT_HASH), "Hash", "hashsize", [], Hash,
        "size of the transposition table in MiB, at most half of the free memory; 0: the default";
    clear_hash: () = Button, "Clear Hash", "", [], ClearHash,
        "clears the transposition table";
    new_game: () = Button, "", "newgame", [], NewGame,
        "starts a new game and clears everything learnt in earlier ones (in UCI: `ucinewgame`)";
    multipv: i64 = Spin(1, 1, 128), "MultiPV", "multipv", [], None,
        "number of best lines to report";
    ponder: bool = Check(false), "Ponder", "ponder", [], None,
        "announces that the client may let the engine think on the opponent's time; changes nothing by itself";
    move_overhead: i64 = Spin(10, 0, 5000), "Move Overhead", "moveoverhead", [], None,
        "milliseconds kept in reserve for each move";
    limit_strength: bool = Check(false), "UCI_LimitStrength", "limitstrength", [], None,
        "plays at the strength of `UCI_Elo`";
    elo: i64 = Spin(USUAL, ELO.0, ELO.1), "UCI_Elo", "elo", [], None,
        "strength when `UCI_LimitStrength` is on";
    skill_level: i64 = Spin(20, 0, 20), "Skill Level", "skilllevel", [], None,
        "strength in steps from the weakest (0) to full strength (20); `UCI_LimitStrength` takes precedence";
    show_wdl: bool = Check(false), "UCI_ShowWDL", "", [], None,
        "reports the probabilities of win, draw and loss in thousandths";
    variant: () = Combo(|| vec![("xiangqi", &[], ())]), "UCI_Variant", "", [], None,
        "the only variant there is";
    repetition_rule: RuleSet = Combo(rule_sets), "Repetition Rule", "repetitionrule", ["repetition"], Rules,
        "rules for repetitions: World Xiangqi Rules, Chinese rules, only perpetual check loses, or every repetition is a draw";
    draw_rule: Draws = Combo(draw_rules), "Draw Rule", "drawrule", [], Rules,
        "the side for which drawn games count as won: none, or one side, for all draws or only those by repetition (`Rep`)";
    sixty_move_rule: bool = Check(true), "Sixty Move Rule", "sixtymoverule", [], None,
        "the natural limit: a long time without a capture is a draw";
    natural_limit: i64 = Spin(120, 1, 1000).or_zero(|| 120), "Rule60MaxPly", "rule60maxply", ["drawmoves"], None,
        "plies without a capture after which the natural limit applies; 0: the default";
    notation: Option<Option<System>> = Unset(Combo(notations)), "Notation", "notation", [], None,
        "notation for additional lines with readable moves; unless set, off for XiangQi Wizard, which displays moves itself";
    ranks: Option<Ranks> = Unset(Combo(|| vec![("0-9", &["0", "uci"], Ranks::FromZero), ("1-10", &["1", "uci10"], Ranks::FromOne)])),
        "Ranks", "ranks", [], None,
        "ranks of the moves in answers and lines: `h2e2`, or `h3e3` as Fairy-Stockfish writes them; both are read";
    encoding: Option<TextEncoding> = Combo(encodings), "Notation Encoding", "encoding", [], Encoding,
        "encoding of text and paths; auto: UTF-8, but the code page in UCCI on Windows, and GBK for XiangQi Wizard elsewhere";
    own_book: Option<bool> = CheckByDialect { uci: false, ucci: true }, "OwnBook", "usebook", [], None,
        "plays moves from the opening books";
    book_file: Vec<u8> = Text(BUILTIN_BOOK), "Book File", "bookfiles", [], Books,
        "opening books, separated by `;`: the first one with a move is used; `<embedded>` is the built-in book, empty means none";
    book_mode: BookMode = Combo(|| vec![("weighted", &["random"], BookMode::Weighted), ("best", &["bestonly"], BookMode::Best)]),
        "Book Mode", "bookmode", [], None,
        "chooses book moves at random by weight, or always the one with the highest weight";
    book_depth: i64 = Spin(60, 0, 1000), "Book Depth", "bookdepth", [], None,
        "plies of a game after which the books are ignored";
    batch: bool = Check(false), "", "batch", [], None,
        "for a file that is piped in: `quit` and the end of input wait for all answers, `stop` for searches that end by themselves";
    randomness: i32 = Combo(|| RANDOMNESS.map(|(name, noise)| (name, NO_ALIASES, noise)).to_vec()), "", "randomness", [], None,
        "amount of randomness in the choice of moves";
    resign: bool = Check(false), "", "resign", [], None,
        "resigns after three consecutive answers in which the engine is being mated";
    eval_file: Vec<u8> = Text(""), "EvalFile", "evalfile", [], Network,
        "file of the evaluation network; empty: the built-in one; an invalid file is rejected and the network in use is kept";
    endgame_path: Vec<u8> = Text(""), "EndgamePath", "egtbpaths", [], Endgames,
        "folders with endgame tables from `chuhe endgame build`, separated by `;`, which take precedence over the built-in ones; damaged files are ignored";
    use_endgames: bool = Check(true), "Use Endgames", "useegtb", [], UseEndgames,
        "uses endgame tables to play and evaluate endgames with few pieces";
    log_file: Vec<u8> = Text(""), "Debug Log File", "debuglogfile", [], Log,
        "file to which input (marked `>>`) and output (marked `<<`) are appended; empty: none";
    debug: bool = Check(false), "", "debug", [], None,
        "reports unknown commands, options and values (in UCI: `debug on`)";
    nodes_time: i64 = Spin(0, 0, 10_000), "nodestime", "", [], None,
        "nodes that count as a millisecond, for tests whose games do not depend on the speed of the machine; 0: real time";
    numa_policy: Vec<u8> = Text("auto"), "", "", ["NumaPolicy"], Ignored,
        "no effect: the system places threads and memory";
    watch_parent: bool = Check(true), "", "", ["watchparent"], None,
        "ends the engine when the client that started it has exited";
}

/// How a book move is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookMode {
    /// At random by weight.
    Weighted,
    /// The move with the highest weight.
    Best,
}

const NO_ALIASES: &[&str] = &[];

/// Amplitude of noise in centipawns for each choice of `randomness`.
const RANDOMNESS: [(&str, i32); 6] = [("none", 0), ("tiny", 5), ("small", 10), ("medium", 20), ("large", 40), ("huge", 80)];

fn rule_sets() -> Vec<Choice<RuleSet>> {
    let choice = |set: RuleSet| {
        let (name, aliases) = set.names().split_first().unwrap_or((&"", NO_ALIASES));
        (*name, aliases, set)
    };
    RuleSet::ALL.map(choice).to_vec()
}

/// The draw rules, with Pikafish's names.
fn draw_rules() -> Vec<Choice<Draws>> {
    let rules = [
        ("None", Draws::Nobody),
        ("DrawAsBlackWin", Draws::All(Color::Black)),
        ("DrawAsRedWin", Draws::All(Color::Red)),
        ("DrawRepAsBlackWin", Draws::ByRepetition(Color::Black)),
        ("DrawRepAsRedWin", Draws::ByRepetition(Color::Red)),
    ];
    rules.map(|(name, draws)| (name, NO_ALIASES, draws)).to_vec()
}

/// The official notation, which is the default, then the others in order, then none.
fn notations() -> Vec<Choice<Option<System>>> {
    let others = System::ALL.into_iter().filter(|&system| system != System::Wxr);
    let systems = std::iter::once(System::Wxr).chain(others).map(|system| (system.id(), system.names(), Some(system)));
    systems.chain([("off", &["none", "false"][..], None)]).collect()
}

fn encodings() -> Vec<Choice<Option<TextEncoding>>> {
    vec![
        ("auto", &[], None),
        ("UTF-8", &["UTF8", "65001"], Some(TextEncoding::Utf8)),
        ("GBK", &["GB2312", "GB18030", "936"], Some(TextEncoding::Gbk)),
        ("Big5", &["950"], Some(TextEncoding::Big5)),
    ]
}

/// Number of processor cores, for `Threads` 0.
fn processors() -> i64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as i64)
}

/// Whether an option has this name.
pub fn is_option(name: &str) -> bool {
    TABLE.iter().any(|row| row.is_named(name))
}

/// An error from setting an option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option with this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value is missing or invalid.
    #[error("option {name}: expected {expected}")]
    Value {
        /// The option's name in UCI, or in UCCI if UCI lacks it.
        name: &'static str,
        /// Description of the valid values.
        expected: String,
        /// The option's effect.
        effect: Effect,
        /// The choice that remains in force, for options with named choices.
        kept: &'static str,
    },
}

impl Row {
    /// Whether the option has this name, ignoring case, blanks, underscores and dashes.
    pub fn is_named(&self, name: &str) -> bool {
        let mut names = [self.uci, self.ucci].into_iter().chain(self.aliases.iter().copied());
        names.any(|own| !own.is_empty() && is_same(own, name))
    }

    /// Display name.
    pub fn name(&self) -> &'static str {
        [self.uci, self.ucci].into_iter().chain(self.aliases.iter().copied()).find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// The `option` line in a dialect's handshake; `None` if the dialect does not announce it.
    fn announcement(&self, dialect: Dialect) -> Option<String> {
        let name = if dialect == Dialect::Uci { self.uci } else { self.ucci };
        if name.is_empty() {
            return None;
        }
        let spin = |default: i64, smallest: i64, largest: i64| match dialect {
            Dialect::Uci => format!("spin default {default} min {smallest} max {largest}"),
            Dialect::Ucci => format!("spin min {smallest} max {largest} default {default}"),
        };
        let kind = match (self.announced)() {
            OptionType::Button => "button".to_string(),
            OptionType::Text(default) => format!("string default {}", if default.is_empty() { EMPTY } else { default }),
            OptionType::Check { uci, ucci } => format!("check default {}", if dialect == Dialect::Uci { uci } else { ucci }),
            // UCCI clients send 0 to let the engine choose.
            OptionType::Spin { default, smallest, largest, zero } => {
                spin(default, if zero && dialect == Dialect::Ucci { 0 } else { smallest }, largest)
            }
            OptionType::Combo(choices) => {
                let all: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
                let default = choices.first().copied().unwrap_or_default();
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

    /// The row in the documentation: names, type or values, default, meaning.
    fn documentation(&self) -> String {
        let (values, default) = match (self.announced)() {
            OptionType::Button => ("button".to_string(), String::new()),
            OptionType::Text("") => ("text".to_string(), "empty".to_string()),
            OptionType::Text(text) => ("text".to_string(), format!("`{text}`")),
            OptionType::Check { uci, ucci } if uci == ucci => ("check".to_string(), uci.to_string()),
            OptionType::Check { uci, ucci } => ("check".to_string(), format!("{uci} (UCI), {ucci} (UCCI)")),
            OptionType::Spin { default, smallest, largest, .. } => (format!("{smallest} to {largest}"), default.to_string()),
            OptionType::Combo(choices) => (choices.join(", "), choices.first().copied().unwrap_or_default().to_string()),
        };
        let cells = [self.uci, self.ucci, &values, &default, self.help];
        let cells = cells.map(|cell| if cell.is_empty() { " |".to_string() } else { format!(" {cell} |") });
        format!("|{}", cells.concat())
    }
}

/// The name that XiangQi Wizard sends as `guiname`.
const XIANGQI_WIZARD: &[u8] = b"XQWizard";

/// An option that only XiangQi Wizard sends: version 3.12 does not send its name.
const OPTION_OF_XIANGQI_WIZARD: &str = "selectivity";
/// Options that XiangQi Wizard sends in lines that end in CR LF, as a program for Windows. UCCI defines them, and clients on other systems
/// send them too.
const OPTIONS_ON_WINDOWS: [&str; 2] = ["pruning", "knowledge"];

/// The options of a session: their values and the data loaded from them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A field for each row of [`TABLE`].
    pub values: Values,
    /// Whether the client is XiangQi Wizard, which displays moves in Chinese itself and reads the code page.
    is_xiangqi_wizard: bool,
    /// The network from `EvalFile`; `None` for the built-in one, which is loaded on first use.
    network: Option<Arc<Network>>,
    /// The tables from `EndgamePath` and the built-in ones; `None` for the built-in ones only.
    endgames: Option<Arc<Tables>>,
}

impl Options {
    /// Sets an option by its name in either dialect; numbers out of range are clamped. Returns its row.
    ///
    /// # Errors
    /// If there is no such option, or its value is missing or invalid; then nothing is changed.
    pub fn set(&mut self, name: &str, value: Option<&[u8]>) -> Result<&'static Row, OptionError> {
        let row = TABLE.iter().find(|row| row.is_named(name)).ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        if (row.set)(&mut self.values, value) {
            return Ok(row);
        }
        let (expected, kept) = ((row.announced)().expected(), (row.choice)(&self.values));
        Err(OptionError::Value { name: row.name(), expected, effect: row.effect, kept })
    }

    /// Recognises the client by the name that UCCI clients send (`guiname`) or by other options; `has_cr` is whether its lines end in CR LF.
    /// Returns whether this was such an option.
    pub fn recognize_client(&mut self, name: &str, value: Option<&[u8]>, has_cr: bool) -> bool {
        let is_name = name == "guiname";
        let identifies = is_name || name == OPTION_OF_XIANGQI_WIZARD || has_cr && OPTIONS_ON_WINDOWS.contains(&name);
        if identifies {
            self.is_xiangqi_wizard = !is_name || value == Some(XIANGQI_WIZARD);
        }
        identifies
    }

    /// Whether the client is XiangQi Wizard.
    pub fn is_xiangqi_wizard(&self) -> bool {
        self.is_xiangqi_wizard
    }

    /// The language of messages.
    pub fn language(&self) -> Language {
        if self.is_xiangqi_wizard { Language::Chinese } else { Language::English }
    }

    /// The rank numbering of output.
    pub fn ranks(&self) -> Ranks {
        self.values.ranks.unwrap_or_default()
    }

    /// The name of the rule that counts draws as wins; `None` if draws are draws.
    pub fn draw_rule(&self) -> Option<&'static str> {
        let rule = self.values.draw_rule;
        (rule != Draws::Nobody).then(|| Combo(draw_rules).choice(&rule))
    }

    /// Decodes a path sent by the client.
    pub fn path(&self, bytes: &[u8]) -> std::path::PathBuf {
        crate::system::path_of_bytes(unquoted(bytes), self.values.encoding)
    }

    /// Opens the log file for appending.
    ///
    /// # Errors
    /// The error of the system with the path, or that the path is not that of a file.
    pub fn open_log(&self) -> std::io::Result<Option<File>> {
        let name = &self.values.log_file;
        if name.is_empty() {
            return Ok(None);
        }
        let path = self.path(name);
        let in_path = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        if is_device(&path) {
            return Err(in_path(std::io::Error::other("not a file")));
        }
        File::options().append(true).create(true).open(&path).map(Some).map_err(in_path)
    }

    /// Decodes the path of a file or folder to be read.
    pub fn input_path(&self, bytes: &[u8]) -> std::path::PathBuf {
        crate::system::input_path_of_bytes(unquoted(bytes), self.values.encoding)
    }

    /// Loads the network named by `EvalFile`; if that fails, the current one is kept.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn load_network(&mut self) -> Result<(), NetworkFileError> {
        let name = &self.values.eval_file;
        self.network = if name.is_empty() { None } else { Some(Arc::new(Network::read(&self.input_path(name))?)) };
        Ok(())
    }

    /// Loads the endgame tables in the folders of `EndgamePath`. Folders and files that cannot be used are skipped; returns their errors.
    pub fn load_endgames(&mut self) -> Vec<String> {
        let folders: Vec<_> = names(&self.values.endgame_path).map(|name| self.input_path(name)).collect();
        let (tables, problems) = Tables::open_lenient(&folders);
        self.endgames = (!folders.is_empty()).then(|| Arc::new(tables));
        problems.iter().map(ToString::to_string).collect()
    }

    /// The endgame tables in use; `None` if they are switched off.
    fn endgames(&self) -> Option<Arc<Tables>> {
        let tables = self.endgames.as_ref().unwrap_or_else(|| Tables::builtin());
        self.values.use_endgames.then(|| Arc::clone(tables))
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        self.network.as_ref().unwrap_or_else(|| Network::builtin())
    }

    /// Whether to play book moves. UCI clients have their own books and enable an engine's book explicitly; UCCI clients expect an engine
    /// to use its own.
    pub fn uses_book(&self, dialect: Dialect) -> bool {
        self.values.own_book.unwrap_or(dialect == Dialect::Ucci)
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        let values = &self.values;
        let natural_limit = NaturalLimit::of(if values.sixty_move_rule { values.natural_limit as u16 } else { 0 });
        Rules { set: values.repetition_rule, natural_limit, draws: values.draw_rule, ..Rules::default() }
    }

    /// The search settings.
    pub fn settings(&self) -> Settings {
        let values = &self.values;
        Settings {
            rules: self.rules(),
            move_overhead: Duration::from_millis(values.move_overhead as u64),
            elo: self.elo(),
            nodes_per_ms: values.nodes_time as u32,
            randomness: values.randomness,
            network: Arc::clone(self.network()),
            endgames: self.endgames(),
        }
    }

    /// The strength limit; `None` for full strength. `UCI_LimitStrength` takes precedence over `Skill Level`.
    fn elo(&self) -> Option<u32> {
        let skill = self.values.skill_level;
        if self.values.limit_strength {
            Some(self.values.elo as u32)
        } else if skill < 20 {
            Some((WEAKEST + (ELO.1 - WEAKEST) * skill / 20) as u32)
        } else {
            None
        }
    }

    /// The encoding of text sent to the client.
    pub fn encoding(&self, dialect: Dialect) -> TextEncoding {
        self.values
            .encoding
            .or_else(|| if self.is_xiangqi_wizard { code_page().or(Some(TextEncoding::Gbk)) } else { None })
            .or_else(|| if dialect == Dialect::Ucci { code_page() } else { None })
            .unwrap_or_default()
    }

    /// The notation and encoding of human-readable moves.
    pub fn move_text(&self, dialect: Dialect) -> MoveText {
        let usual = if self.is_xiangqi_wizard { None } else { Some(System::Wxr) };
        MoveText { system: self.values.notation.unwrap_or(usual), encoding: self.encoding(dialect) }
    }
}

/// The `option` lines in a dialect's handshake.
pub fn announcements(dialect: Dialect) -> Vec<String> {
    let lines = TABLE.iter().filter_map(|row| row.announcement(dialect));
    #[cfg(feature = "tuning")]
    let lines = lines.chain(tuned(dialect));
    lines.collect()
}

/// The parts of a list separated by `;`, whose byte is never part of a multi-byte character in the encodings of clients.
fn parts(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == b';').map(<[u8]>::trim_ascii).filter(|part| !part.is_empty())
}

/// The names in a list of files or folders.
pub fn names(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    parts(list).filter(|name| !is_empty(name))
}

/// The names and values in a list such as `Hash=64;Book File=a;b`. A part without `=` that is no option belongs to the list of files before it.
pub fn pairs(list: &[u8]) -> Vec<(String, Option<Vec<u8>>)> {
    let is_list = |row: &&Row| matches!(row.effect, Effect::Books | Effect::Endgames);
    let has_list = |name: &str| TABLE.iter().filter(is_list).any(|row| row.is_named(name));
    let mut pairs: Vec<(String, Option<Vec<u8>>)> = Vec::new();
    for part in parts(list) {
        let mut halves = part.splitn(2, |&byte| byte == b'=').map(<[u8]>::trim_ascii);
        let name = String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
        let value = halves.next();
        let continues = value.is_none() && !is_option(&name) && pairs.last().is_some_and(|(before, _)| has_list(before));
        match pairs.last_mut() {
            Some((_, Some(files))) if continues => files.extend(b";".iter().chain(part)),
            _ => pairs.push((name, value.map(<[u8]>::to_vec))),
        }
    }
    pairs
}

/// The Markdown table of all announced options; a test compares it with the documentation.
pub fn options_table() -> String {
    let mut table = String::from("| UCI | UCCI | type or values | default | meaning |\n|---|---|---|---|---|\n");
    for row in TABLE.iter().filter(|row| !row.uci.is_empty() || !row.ucci.is_empty()) {
        table.push_str(&row.documentation());
        table.push('\n');
    }
    table
}

/// The tunable search parameters as options.
#[cfg(feature = "tuning")]
fn tuned(dialect: Dialect) -> impl Iterator<Item = String> {
    let rows = if dialect == Dialect::Uci { crate::search::params::ALL } else { &[] };
    rows.iter().map(|row| format!("option name {} type spin default {} min {} max {}", row.name, row.default, row.min, row.max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(options: &mut Options, name: &str, value: Option<&str>) -> Option<&'static str> {
        options.set(name, value.map(str::as_bytes)).ok().map(Row::name)
    }

    #[test]
    fn every_option_is_found_by_all_its_names_and_takes_its_default() {
        for row in TABLE {
            for name in [row.uci, row.ucci].iter().chain(row.aliases).filter(|name| !name.is_empty()) {
                let mut options = Options::default();
                let default = match (row.announced)() {
                    OptionType::Button => None,
                    OptionType::Check { uci, .. } => Some(uci.to_string()),
                    OptionType::Spin { default, .. } => Some(default.to_string()),
                    OptionType::Combo(choices) => Some(choices[0].to_string()),
                    OptionType::Text(text) => Some(text.to_string()),
                };
                assert_eq!(set(&mut options, &name.to_uppercase(), default.as_deref()), Some(row.name()), "{name}");
                // Some record that they were set.
                let is_remembered = ["OwnBook", "Notation", "Ranks"].contains(&row.uci);
                assert!((options.values == Values::default()) != is_remembered, "{name}");
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
    fn errors_name_the_option_and_its_valid_values() {
        let error = |name: &str, value: Option<&[u8]>| Options::default().set(name, value).unwrap_err().to_string();
        assert_eq!(error("guiname", Some(b"x")), "there is no option 'guiname'");
        assert_eq!(error("hashsize", None), "option Hash: expected a number from 1 to 1048576, or 0");
        assert_eq!(error("batch", Some(b"\xff")), "option batch: expected true or false");
        assert_eq!(error("Book Mode", Some(b"x")), "option Book Mode: expected one of weighted, best");
        assert_eq!(error("MultiPV", Some(b"x")), "option MultiPV: expected a number from 1 to 128");
    }

    #[test]
    fn the_documentation_has_a_row_for_every_announced_option() {
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
            assert_eq!(set(&mut options, "repetition", Some(word)), Some("Repetition Rule"));
            assert_eq!(options.settings().rules.set, rules, "{word}");
        }
        for (plies, limit) in [("100", 100), ("0", 120), ("200", 200), ("9999", 1000), ("x", 1000)] {
            set(&mut options, "drawmoves", Some(plies));
            assert_eq!(options.settings().rules.natural_limit.plies(), limit, "{plies}");
        }
    }

    #[test]
    fn clients_and_their_encodings() {
        let mut options = Options::default();
        assert_eq!(options.encoding(Dialect::Uci), TextEncoding::Utf8);
        assert_eq!(options.encoding(Dialect::Ucci), code_page().unwrap_or_default());
        assert_eq!(options.move_text(Dialect::Uci).system, Some(System::Wxr));
        assert_eq!(options.language(), Language::English);
        assert!(!options.recognize_client("hashsize", Some(b"16"), true) && !options.is_xiangqi_wizard());
        assert!(!options.recognize_client("knowledge", Some(b"large"), false) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("knowledge", Some(b"large"), true) && options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"Other"), true) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("selectivity", Some(b"none"), false) && options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"Other"), false) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"XQWizard"), false));
        assert_eq!(options.language(), Language::Chinese);
        assert_eq!(options.encoding(Dialect::Ucci), code_page().unwrap_or(TextEncoding::Gbk));
        assert_eq!(options.move_text(Dialect::Ucci).system, None);
        set(&mut options, "notation", Some("wxr"));
        set(&mut options, "encoding", Some("big5"));
        let text = options.move_text(Dialect::Ucci);
        assert_eq!((text.system, text.encoding), (Some(System::Wxr), TextEncoding::Big5));
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
        assert_eq!(set(&mut options, "hash", Some("99999999999999999999")), Some("Hash"));
        assert_eq!(options.values.hash, 1 << 20);
        assert_eq!(set(&mut options, "hashsize", Some("0")), Some("Hash"));
        assert_eq!(options.values.hash, 16);
        set(&mut options, "Threads", Some("-7"));
        assert_eq!(options.values.threads, 1);
        for (name, value) in
            [("Hash", Some("many")), ("Hash", None), ("guiname", Some("x")), ("batch", Some("maybe")), ("", None)]
        {
            assert_eq!(set(&mut options, name, value), None, "{name} {value:?}");
        }
        set(&mut options, "batch", Some("on"));
        assert!(options.values.batch);
        set(&mut options, "Repetition Rule", Some("ChineseRule"));
        set(&mut options, "sixty move rule", Some("false"));
        assert_eq!(
            options.settings().rules,
            Rules { set: RuleSet::Chinese, natural_limit: NaturalLimit::NONE, ..Rules::default() }
        );
    }

    #[test]
    fn books_are_used_as_each_dialect_expects() {
        let mut options = Options::default();
        assert_eq!([Dialect::Uci, Dialect::Ucci].map(|dialect| options.uses_book(dialect)), [false, true]);
        set(&mut options, "OwnBook", Some("true"));
        assert!(options.uses_book(Dialect::Uci));
        set(&mut options, "usebook", Some("off"));
        assert!(!options.uses_book(Dialect::Ucci));
        assert_eq!(options.values.book_file, BUILTIN_BOOK.as_bytes());
        assert_eq!(set(&mut options, "bookfiles", Some("C:\\my books\\a.dat;b")), Some("Book File"));
        assert_eq!(options.values.book_file, b"C:\\my books\\a.dat;b");
        for nothing in [None, Some("<empty>"), Some("<Empty>"), Some("\"\"")] {
            set(&mut options, "Book File", Some("a.dat"));
            assert_eq!(set(&mut options, "Book File", nothing), Some("Book File"));
            assert_eq!(options.values.book_file, b"", "{nothing:?}");
        }
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
