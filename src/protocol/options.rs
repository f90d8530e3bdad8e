//! The options: one row for each, from which both dialects, the documentation and the session take everything: names, type, what
//! happens when it is set, and meaning. A new option is a row here and the place that uses its value.

use super::command::{GoRequest, Ranks};
use super::dialect::{Dialect, MoveText};
use super::kinds::{Button, Check, CheckByDialect, Choice, Combo, EMPTY, Form, Kind, Spin, Text, Unset, is_same};
use crate::board::Position;
use crate::book::{self, Book, BookChoice, Opening, Question};
use crate::endgame::Tables;
use crate::eval::embedded;
use crate::nnue::Network;
use crate::notation::System;
use crate::records::TextEncoding;
use crate::rules::{Draws, Language, RuleSet, Rules};
use crate::search::Settings;
use crate::system::code_page;
use crate::threads::{ELO_RANGE, LEVELS};
use crate::types::{Color, Move};
use std::sync::Arc;
use std::time::Duration;

/// Name of the built-in book in a list of books.
const EMBEDDED: &str = "<embedded>";

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

/// MiB of the table by default.
pub(super) const DEFAULT_HASH: i64 = 16;
/// MiB of the largest table that can be asked for: a tebibyte.
const LARGEST_HASH: i64 = 1 << 20;

/// What the session does when an option has been set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: the value is used where it is needed.
    None,
    /// The same, but a value that is not understood is always reported: the client must not believe that other rules hold.
    Rules,
    /// Changes the number of search threads.
    Threads,
    /// Changes the size of the table.
    Hash,
    /// Clears the table.
    ClearHash,
    /// Starts a new game.
    NewGame,
    /// Reads the network.
    Network,
    /// Opens the endgame tables.
    Endgames,
    /// Changes the encoding of the output.
    Encoding,
    /// Opens the log.
    Log,
    /// Reports that the option is accepted and changes nothing.
    Ignored,
}

/// A row of the table of options.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in UCI's list; empty when UCI does not announce it.
    pub uci: &'static str,
    /// Name in UCCI's list; empty when UCCI does not announce it.
    pub ucci: &'static str,
    /// Names that are understood but not announced.
    pub aliases: &'static [&'static str],
    /// What the session does when it has been set.
    pub effect: Effect,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
    /// Type, default and range.
    form: fn() -> Form,
    /// Reads a value into its field; false when the bytes mean none.
    set: fn(&mut Values, Option<&[u8]>) -> bool,
    /// The value in use of an option that offers choices.
    choice: fn(&Values) -> &'static str,
}

/// Declares the rows, and a field of [`Values`] for each:
/// `field: type of its value = kind, UCI's name, UCCI's name, other names, effect, meaning;`.
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

        /// All options, in the order in which they are announced.
        pub const TABLE: &[Row] = &[
            $(Row {
                uci: $uci,
                ucci: $ucci,
                aliases: &$aliases,
                effect: Effect::$effect,
                help: $help,
                form: || Kind::form(&$kind),
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
    hash: i64 = Spin(DEFAULT_HASH, 1, LARGEST_HASH).or_zero(|| DEFAULT_HASH), "Hash", "hashsize", [], Hash,
        "size of the transposition table in MiB, at most half of the free memory; 0: the default";
    clear_hash: () = Button, "Clear Hash", "", [], ClearHash,
        "clears the transposition table";
    new_game: () = Button, "", "newgame", [], NewGame,
        "starts a new game and forgets everything learnt in earlier ones (in UCI: `ucinewgame`)";
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
        "reports the chances to win, draw and lose in thousandths";
    variant: () = Combo(|| vec![("xiangqi", &[], ())]), "UCI_Variant", "", [], None,
        "the only variant there is";
    repetition_rule: RuleSet = Combo(rule_sets), "Repetition Rule", "repetitionrule", ["repetition"], Rules,
        "rules for repetitions: World Xiangqi Rules, Chinese rules, only perpetual check loses, or every repetition is a draw";
    draw_rule: Draws = Combo(draw_rules), "Draw Rule", "drawrule", [], Rules,
        "who wins games that the rules draw: nobody, or one side all of them or those by repetition (`Rep`)";
    sixty_move_rule: bool = Check(true), "Sixty Move Rule", "sixtymoverule", [], None,
        "the natural limit: a long time without a capture is a draw";
    natural_limit: i64 = Spin(120, 1, 1000).or_zero(|| 120), "Rule60MaxPly", "rule60maxply", ["drawmoves"], None,
        "plies without a capture after which the natural limit applies; 0: the default";
    notation: Option<Option<System>> = Unset(Combo(notations)), "Notation", "notation", [], None,
        "notation in which moves are repeated for people; off for XiangQi Wizard, which does so itself, unless it is set";
    ranks: Option<Ranks> = Unset(Combo(|| vec![("0-9", &["0", "uci"], Ranks::FromZero), ("1-10", &["1", "uci10"], Ranks::FromOne)])),
        "Ranks", "ranks", [], None,
        "ranks of the moves in answers and lines: `h2e2`, or `h3e3` as Fairy-Stockfish writes them; both are read";
    encoding: Option<TextEncoding> = Combo(encodings), "Notation Encoding", "encoding", [], Encoding,
        "encoding of text and paths; auto: UTF-8, but the code page in UCCI on Windows, and GBK for XiangQi Wizard elsewhere";
    own_book: Option<bool> = CheckByDialect { uci: false, ucci: true }, "OwnBook", "usebook", [], None,
        "plays moves from the opening books";
    book_file: Vec<u8> = Text(EMBEDDED), "Book File", "bookfiles", [], None,
        "opening books, separated by `;`: the first that knows a move gives it; `<embedded>` is the built-in book, empty means none";
    book_mode: BookMode = Combo(|| vec![("weighted", &["random"], BookMode::Weighted), ("best", &["bestonly"], BookMode::Best)]),
        "Book Mode", "bookmode", [], None,
        "draws book moves at random by their weights, or always plays the heaviest";
    book_depth: i64 = Spin(60, 0, 1000), "Book Depth", "bookdepth", [], None,
        "plies of a game after which the books are ignored";
    batch: bool = Check(false), "", "batch", [], None,
        "for a file that is piped in: `quit` and the end of input wait for all answers, `stop` for searches that end by themselves";
    randomness: i32 = Combo(|| RANDOMNESS.map(|(name, noise)| (name, NO_ALIASES, noise)).to_vec()), "", "randomness", [], None,
        "amount of chance in the choice of a move";
    resign: bool = Check(false), "", "resign", [], None,
        "resigns once the engine is being mated in three answers in a row";
    eval_file: Vec<u8> = Text(""), "EvalFile", "evalfile", [], Network,
        "file of the evaluation network; empty: the built-in one; an invalid file is rejected and the network in use is kept";
    endgame_path: Vec<u8> = Text(""), "EndgamePath", "egtbpaths", [], Endgames,
        "folders of endgame tables that `chuhe endgame build` wrote, separated by `;`, in addition to the built-in tables; a damaged file is ignored";
    use_endgames: bool = Check(true), "Use Endgames", "useegtb", [], None,
        "plays and evaluates endgames of few pieces by exact tables";
    log_file: Vec<u8> = Text(""), "Debug Log File", "debuglogfile", [], Log,
        "file to whose end the conversation is written, `>>` before input and `<<` before output; empty: none";
    debug: bool = Check(false), "", "debug", [], None,
        "says what was not understood: commands, options, values (in UCI: `debug on`)";
    nodes_time: i64 = Spin(0, 0, 10_000), "", "", ["nodestime"], Ignored,
        "no effect: searches are limited by nodes with `go nodes`";
    numa_policy: Vec<u8> = Text("auto"), "", "", ["NumaPolicy"], Ignored,
        "no effect: the system places threads and memory";
    watch_parent: bool = Check(true), "", "", ["watchparent"], None,
        "ends the engine when the client that started it has died";
}

/// How a move is chosen among those of the books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookMode {
    /// At random by their weights.
    Weighted,
    /// The heaviest.
    Best,
}

const NO_ALIASES: &[&str] = &[];

/// Centipawns of noise for each choice of `randomness`.
const RANDOMNESS: [(&str, i32); 6] = [("none", 0), ("tiny", 5), ("small", 10), ("medium", 20), ("large", 40), ("huge", 80)];

fn rule_sets() -> Vec<Choice<RuleSet>> {
    let choice = |set: RuleSet| {
        let (name, aliases) = set.names().split_first().unwrap_or((&"", NO_ALIASES));
        (*name, aliases, set)
    };
    RuleSet::ALL.map(choice).to_vec()
}

/// Who wins draws, by Pikafish's names.
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

/// The official notation, which is the default, then the others in their order, then none.
fn notations() -> Vec<Choice<Option<System>>> {
    let others = System::all().filter(|&system| system != System::Wxr);
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

/// Processor cores, for `Threads` 0.
fn processors() -> i64 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as i64)
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No row has this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value is missing or not one that the option takes.
    #[error("option {name}: expected {expected}")]
    Value {
        /// The option's name in UCI, or in UCCI where UCI lacks it.
        name: &'static str,
        /// What it takes.
        expected: String,
        /// What setting it would have done.
        effect: Effect,
        /// The choice that stays in force, of an option that offers choices.
        kept: &'static str,
    },
}

impl Row {
    /// Whether a client means this option by a name. Case, blanks, underscores and dashes make no difference.
    pub fn is_named(&self, name: &str) -> bool {
        let mut names = [self.uci, self.ucci].into_iter().chain(self.aliases.iter().copied());
        names.any(|own| !own.is_empty() && is_same(own, name))
    }

    /// Its name for people.
    pub fn name(&self) -> &'static str {
        [self.uci, self.ucci].into_iter().chain(self.aliases.iter().copied()).find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// The `option` line of a dialect's handshake; none where the dialect does not announce it.
    pub fn announcement(&self, dialect: Dialect) -> Option<String> {
        let name = if dialect == Dialect::Uci { self.uci } else { self.ucci };
        if name.is_empty() {
            return None;
        }
        let spin = |default: i64, smallest: i64, largest: i64| match dialect {
            Dialect::Uci => format!("spin default {default} min {smallest} max {largest}"),
            Dialect::Ucci => format!("spin min {smallest} max {largest} default {default}"),
        };
        let kind = match (self.form)() {
            Form::Button => "button".to_string(),
            Form::Text(default) => format!("string default {}", if default.is_empty() { EMPTY } else { default }),
            Form::Check { uci, ucci } => format!("check default {}", if dialect == Dialect::Uci { uci } else { ucci }),
            // UCCI's clients send 0 for the engine's choice.
            Form::Spin { default, smallest, largest, zero } => {
                spin(default, if zero && dialect == Dialect::Ucci { 0 } else { smallest }, largest)
            }
            Form::Combo(choices) => {
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

    /// Its line in the documentation: names, type or values, default, meaning.
    fn documentation(&self) -> String {
        let (values, default) = match (self.form)() {
            Form::Button => ("button".to_string(), String::new()),
            Form::Text("") => ("text".to_string(), "empty".to_string()),
            Form::Text(text) => ("text".to_string(), format!("`{text}`")),
            Form::Check { uci, ucci } if uci == ucci => ("check".to_string(), uci.to_string()),
            Form::Check { uci, ucci } => ("check".to_string(), format!("{uci} (UCI), {ucci} (UCCI)")),
            Form::Spin { default, smallest, largest, .. } => (format!("{smallest} to {largest}"), default.to_string()),
            Form::Combo(choices) => (choices.join(", "), choices.first().copied().unwrap_or_default().to_string()),
        };
        let cells = [self.uci, self.ucci, &values, &default, self.help];
        let cells = cells.map(|cell| if cell.is_empty() { " |".to_string() } else { format!(" {cell} |") });
        format!("|{}", cells.concat())
    }
}

/// XiangQi Wizard's name for itself.
const XIANGQI_WIZARD: &[u8] = b"XQWizard";

/// Options of its own list that no other client sends: version 3.12 does not say its name.
const OPTIONS_OF_XIANGQI_WIZARD: [&str; 3] = ["pruning", "knowledge", "selectivity"];

/// The options of a conversation: their values, and what belongs to them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A field for each row of [`TABLE`].
    pub values: Values,
    /// The client has said that it is XiangQi Wizard, which writes moves in characters itself and reads the code page.
    is_xiangqi_wizard: bool,
    /// The one that `EvalFile` named; none: the built-in one, which is read when it is first asked for.
    network: Option<Arc<Network>>,
    /// Those that `EndgamePath` named and the built-in ones; none: the built-in ones alone.
    endgames: Option<Arc<Tables>>,
}

impl Options {
    /// Sets an option by a name of either dialect; numbers out of range are clamped. Returns its row.
    ///
    /// # Errors
    /// When there is no such option, or its value is missing or cannot be read; nothing has changed then.
    pub fn set(&mut self, name: &str, value: Option<&[u8]>) -> Result<&'static Row, OptionError> {
        let row = TABLE.iter().find(|row| row.is_named(name)).ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        if (row.set)(&mut self.values, value) {
            return Ok(row);
        }
        let (expected, kept) = ((row.form)().expected(), (row.choice)(&self.values));
        Err(OptionError::Value { name: row.name(), expected, effect: row.effect, kept })
    }

    /// Learns who the client is, from the name by which UCCI's clients introduce themselves (`guiname`) or from what else it sets.
    /// Whether it was such an option.
    pub fn recognize_client(&mut self, name: &str, value: Option<&[u8]>) -> bool {
        let is_name = name == "guiname";
        let identifies = is_name || OPTIONS_OF_XIANGQI_WIZARD.contains(&name);
        if identifies {
            self.is_xiangqi_wizard = !is_name || value == Some(XIANGQI_WIZARD);
        }
        identifies
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
        self.values.ranks.unwrap_or_default()
    }

    /// The name of the rule by which draws count as wins; none where they are draws.
    pub fn draw_rule(&self) -> Option<&'static str> {
        let rule = self.values.draw_rule;
        (rule != Draws::Nobody).then(|| Combo(draw_rules).choice(&rule))
    }

    /// The path that bytes of the client mean, such as those of a text.
    pub fn path(&self, bytes: &[u8]) -> std::path::PathBuf {
        crate::system::path_of_bytes(bytes, self.values.encoding)
    }

    /// Reads the network that `EvalFile` names; the one in use before stays when it cannot be used.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub fn load_network(&mut self) -> Result<(), NetworkError> {
        let name = &self.values.eval_file;
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
        let folders: Vec<_> = names(&self.values.endgame_path).map(|name| self.path(name)).collect();
        let (tables, problems) = Tables::open_lenient(&folders);
        self.endgames = (!folders.is_empty()).then(|| Arc::new(tables));
        problems.iter().map(ToString::to_string).collect()
    }

    /// The endgame tables in use; none when they are switched off.
    fn endgames(&self) -> Option<Arc<Tables>> {
        let tables = self.endgames.as_ref().unwrap_or_else(|| Tables::builtin());
        self.values.use_endgames.then(|| Arc::clone(tables))
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        self.network.as_ref().unwrap_or_else(|| embedded())
    }

    /// Whether moves are played from books. UCI's clients have books of their own and ask for an engine's; UCCI's expect
    /// an engine to use its own.
    pub fn uses_book(&self, dialect: Dialect) -> bool {
        self.values.own_book.unwrap_or(dialect == Dialect::Ucci)
    }

    /// The settings for a search.
    pub fn settings(&self) -> Settings {
        let values = &self.values;
        let natural_limit = if values.sixty_move_rule { values.natural_limit as u16 } else { 0 };
        Settings {
            rules: Rules { set: values.repetition_rule, natural_limit, draws: values.draw_rule, ..Rules::default() },
            move_overhead: Duration::from_millis(values.move_overhead as u64),
            elo: self.elo(),
            randomness: values.randomness,
            network: Arc::clone(self.network()),
            endgames: self.endgames(),
        }
    }

    /// The strength to play at, none for full strength. `UCI_LimitStrength` takes precedence over `Skill Level`.
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

    /// The encoding in which the client reads text.
    pub fn encoding(&self, dialect: Dialect) -> TextEncoding {
        self.values
            .encoding
            .or_else(|| if self.is_xiangqi_wizard { code_page().or(Some(TextEncoding::Gbk)) } else { None })
            .or_else(|| if dialect == Dialect::Ucci { code_page() } else { None })
            .unwrap_or_default()
    }

    /// In which notation and encoding moves are repeated for people.
    pub fn move_text(&self, dialect: Dialect) -> MoveText {
        let usual = if self.is_xiangqi_wizard { None } else { Some(System::Wxr) };
        MoveText { system: self.values.notation.unwrap_or(usual), encoding: self.encoding(dialect) }
    }
}

/// The opening books that the options name: opened when they are first needed and probed before a search.
#[derive(Debug, Default)]
pub struct Books {
    /// The list that has been opened.
    opened: Option<Vec<u8>>,
    books: Vec<Book>,
}

impl Books {
    /// Opens the books of the list in the options, with `;` between, unless they are open already; an empty list has none.
    /// Returns what is wrong with those that cannot be opened; they are left out.
    fn open(&mut self, options: &Options) -> Vec<String> {
        let list = &options.values.book_file[..];
        if self.opened.as_deref() == Some(list) {
            return Vec::new();
        }
        self.opened = Some(list.to_vec());
        self.books.clear();
        let mut problems = Vec::new();
        for name in names(list) {
            match if name == EMBEDDED.as_bytes() { Ok(Book::Embedded) } else { Book::open(&options.path(name)) } {
                Ok(book) => self.books.push(book),
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        problems
    }

    /// What the books give, if this request wants a move from them, and what went wrong with opening them.
    pub fn choose(
        &mut self,
        dialect: Dialect,
        options: &Options,
        request: &GoRequest,
        position: &Position,
        banned: &[Move],
    ) -> (BookChoice, Vec<String>) {
        let is_analysis =
            request.infinite || request.mate.is_some() || !request.search_moves.is_empty() || options.values.multipv > 1;
        let plies = 2 * (position.fullmove().max(1) as i64 - 1) + (position.side_to_move() == Color::Black) as i64;
        if is_analysis || !options.uses_book(dialect) || plies >= options.values.book_depth {
            return (BookChoice::default(), Vec::new());
        }
        let problems = self.open(options);
        let rules = options.settings().rules;
        let draw = (options.values.book_mode == BookMode::Weighted).then(|| fastrand::u64(..));
        (book::choose(&self.books, &Question { position, rules: &rules, banned, draw }), problems)
    }

    /// The name of the opening that a game has reached: by the books in use, or by the one that the program carries.
    pub fn opening(&self, game: &Position) -> Option<&Opening> {
        let own = self.books.iter().filter_map(Book::table).find_map(|table| table.opening_of(game));
        own.or_else(|| book::opening_of(game))
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

/// The names in a list of files or folders, with `;` between. The byte of `;` is no part of a character in any encoding that a client
/// uses.
fn names(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|&byte| byte == b';').map(<[u8]>::trim_ascii).filter(|name| !name.is_empty() && *name != EMPTY.as_bytes())
}

/// The table of all options in Markdown, as the documentation shows it: a test compares the two. Rows that neither dialect announces are
/// left out.
pub fn options_table() -> String {
    let mut table = String::from("| UCI | UCCI | type or values | default | meaning |\n|---|---|---|---|---|\n");
    for row in TABLE.iter().filter(|row| !row.uci.is_empty() || !row.ucci.is_empty()) {
        table.push_str(&row.documentation());
        table.push('\n');
    }
    table
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

    fn set(options: &mut Options, name: &str, value: Option<&str>) -> Option<&'static str> {
        options.set(name, value.map(str::as_bytes)).ok().map(Row::name)
    }

    #[test]
    fn every_option_is_found_by_all_its_names_and_takes_its_default() {
        for row in TABLE {
            for name in [row.uci, row.ucci].iter().chain(row.aliases).filter(|name| !name.is_empty()) {
                let mut options = Options::default();
                let default = match (row.form)() {
                    Form::Button => None,
                    Form::Check { uci, .. } => Some(uci.to_string()),
                    Form::Spin { default, .. } => Some(default.to_string()),
                    Form::Combo(choices) => Some(choices[0].to_string()),
                    Form::Text(text) => Some(text.to_string()),
                };
                assert_eq!(set(&mut options, &name.to_uppercase(), default.as_deref()), Some(row.name()), "{name}");
                // Some remember that they were set.
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
            assert_eq!(set(&mut options, "repetition", Some(word)), Some("Repetition Rule"));
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
        assert_eq!(options.move_text(Dialect::Uci).system, Some(System::Wxr));
        assert_eq!(options.language(), Language::English);
        assert!(!options.recognize_client("hashsize", Some(b"16")) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("knowledge", Some(b"large")) && options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"Other")) && !options.is_xiangqi_wizard());
        assert!(options.recognize_client("guiname", Some(b"XQWizard")));
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
        assert_eq!(options.values.book_file, EMBEDDED.as_bytes());
        assert_eq!(set(&mut options, "bookfiles", Some("C:\\my books\\a.dat;b")), Some("Book File"));
        assert_eq!(options.values.book_file, b"C:\\my books\\a.dat;b");
        assert_eq!(set(&mut options, "Book File", None), Some("Book File"));
        assert_eq!(options.values.book_file, b"");
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
