//! What the page and the program say to each other: one JSON object a message. `docs/src/developers/serve.md` lists them for others who
//! build on them, and a test compares the list with these types.
//!
//! A request is `{"id":7,"ask":{"position":{…}}}`; every answer to it carries its `id`: `{"id":7,"answer":{"position":{…}}}`.

use super::document::TreeForm;
use super::explorer::{AskExplore, AskLines, Explored, GameLine};
use super::limits::LONGEST_PROBLEM;
pub use super::named::Named;
use super::problem::Problem;
use crate::notation::System;
use crate::records::{Format, TextEncoding};
use crate::report::{PositionResult, ReviewForm};
use crate::rules::RuleSet;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// A message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Any number; all answers carry it.
    pub id: u64,
    /// What is asked.
    pub ask: Ask,
}

/// What a page may ask for.
#[derive(Debug, Deserialize)]
#[serde(from = "AskForm")]
pub enum Ask {
    /// Something that is answered at once.
    Question(Question),
    /// Something that the engine works at.
    Search(Search),
    /// Ends the search of this page.
    Stop,
}

/// What is answered at once, by one answer.
#[derive(Debug)]
pub enum Question {
    /// What holds in a position: legal moves with their names, the ruling, the book.
    Position(AskPosition),
    /// Moves that a person typed, in any notation.
    Read(AskRead),
    /// A record out of a file, a text, or one of the files of the command line.
    Open(AskOpen),
    /// The moves of a whole tree in a notation.
    Names(AskNames),
    /// The games of a source, for [`Question::Explore`].
    Lines(AskLines),
    /// The moves played from a position in the library, or in games of the page.
    Explore(AskExplore),
    /// The puzzles of a source.
    Puzzles(AskPuzzles),
    /// A move of the book added, weighted or removed.
    Book(AskBook),
    /// A tree as a file.
    Save(AskSave),
    /// A drawing of a position as a file.
    Draw(AskDraw),
    /// A reviewed game as a page of its own.
    Report(AskReport),
    /// Whether a position is legal, with all reasons why not.
    Setup(AskSetup),
}

/// What the engine works at. It has several answers, and can be stopped.
#[derive(Debug)]
pub enum Search {
    /// The engine's best lines, until it is stopped.
    Analyse(AskAnalyse),
    /// A move of the engine at a level.
    Move(AskMove),
    /// What each move of a game was worth.
    Review(AskReview),
}

/// The words of a message: one list, so that an unknown one is answered with all that are known.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum AskForm {
    Position(AskPosition),
    Read(AskRead),
    Open(AskOpen),
    Names(AskNames),
    Lines(AskLines),
    Explore(AskExplore),
    Puzzles(AskPuzzles),
    Book(AskBook),
    Save(AskSave),
    Draw(AskDraw),
    Report(AskReport),
    Setup(AskSetup),
    Analyse(AskAnalyse),
    Move(AskMove),
    Review(AskReview),
    Stop {},
}

impl From<AskForm> for Ask {
    fn from(form: AskForm) -> Ask {
        match form {
            AskForm::Position(ask) => Ask::Question(Question::Position(ask)),
            AskForm::Read(ask) => Ask::Question(Question::Read(ask)),
            AskForm::Open(ask) => Ask::Question(Question::Open(ask)),
            AskForm::Names(ask) => Ask::Question(Question::Names(ask)),
            AskForm::Lines(ask) => Ask::Question(Question::Lines(ask)),
            AskForm::Explore(ask) => Ask::Question(Question::Explore(ask)),
            AskForm::Puzzles(ask) => Ask::Question(Question::Puzzles(ask)),
            AskForm::Book(ask) => Ask::Question(Question::Book(ask)),
            AskForm::Save(ask) => Ask::Question(Question::Save(ask)),
            AskForm::Draw(ask) => Ask::Question(Question::Draw(ask)),
            AskForm::Report(ask) => Ask::Question(Question::Report(ask)),
            AskForm::Setup(ask) => Ask::Question(Question::Setup(ask)),
            AskForm::Analyse(ask) => Ask::Search(Search::Analyse(ask)),
            AskForm::Move(ask) => Ask::Search(Search::Move(ask)),
            AskForm::Review(ask) => Ask::Search(Search::Review(ask)),
            AskForm::Stop {} => Ask::Stop,
        }
    }
}

impl Request {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it, and its number where that can be read.
    pub fn read(text: &str) -> Result<Request, (Option<u64>, Problem)> {
        #[derive(Deserialize)]
        struct Numbered {
            id: u64,
        }
        serde_json::from_str(text).map_err(|error| {
            let id = serde_json::from_str::<Numbered>(text).ok().map(|numbered| numbered.id);
            (id, Problem::from(error))
        })
    }
}

/// A position with its past.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineForm {
    /// FEN of the first position; the start of the game when it is left out.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves played from it, such as `h2e2`.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// The language of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tongue {
    /// English.
    #[default]
    En,
    /// Chinese, in simplified characters.
    Zh,
}

pub(super) fn wxr() -> Named<System> {
    Named(System::Wxr)
}

fn default_rules() -> Named<RuleSet> {
    Named(RuleSet::default())
}

fn utf8() -> Named<TextEncoding> {
    Named(TextEncoding::Utf8)
}

fn one() -> usize {
    1
}

fn yes() -> bool {
    true
}

/// See [`Question::Position`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskPosition {
    /// The position.
    pub line: LineForm,
    /// Notation of all moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Language of the ruling.
    #[serde(default)]
    pub language: Tongue,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// See [`Question::Read`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskRead {
    /// The position.
    pub line: LineForm,
    /// One move or several, in any notation.
    pub text: String,
    /// Notation of the answer.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
}

/// Where records come from.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// Text: a record of any text format, FEN, or a line of moves in any notation.
    Text(String),
    /// A file that the user chose.
    File {
        /// Its name; the extension can tell the format.
        name: String,
        /// Its bytes in Base64.
        bytes: String,
    },
    /// A file of the command line, by its place in the list of the greeting.
    Given(usize),
    /// A game of the library, by its number.
    Library(u32),
}

/// See [`Question::Open`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskOpen {
    /// Where the records come from.
    pub source: Source,
    /// Which of them, from 1.
    #[serde(default = "one")]
    pub game: usize,
    /// Notation of the moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
}

/// See [`Question::Names`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskNames {
    /// The tree.
    pub tree: TreeForm,
    /// Notation of the moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
}

/// See [`Question::Book`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskBook {
    /// The position.
    pub line: LineForm,
    /// The move, such as `h2e2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its new weight; removed when it is left out.
    #[serde(default)]
    pub weight: Option<u32>,
    /// Notation of all moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// See [`Question::Puzzles`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskPuzzles {
    /// A text or a file: JSON Lines or PGN.
    pub source: Source,
}

/// A game of a file that others are in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Among {
    /// The file.
    pub source: Source,
    /// Which of its games is replaced, from 1.
    pub game: usize,
}

/// See [`Question::Save`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskSave {
    /// The tree.
    pub tree: TreeForm,
    /// The format.
    pub format: Named<Format>,
    /// Notation of the moves in PGN.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Encoding of text formats.
    #[serde(default = "utf8")]
    pub encoding: Named<TextEncoding>,
    /// The other games of a file are written too, in their order.
    #[serde(default)]
    pub among: Option<Among>,
    /// The `result` of every `progress` of a review of the game, in order: its scores and marks are written with the moves.
    #[serde(default)]
    pub results: Option<Vec<serde_json::Value>>,
    /// Rules of repetition of the review.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// The type of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawingForm {
    /// Lines and outlines.
    #[default]
    Svg,
    /// Pixels.
    Png,
}

/// What is drawn on pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pieces {
    /// Traditional characters.
    #[default]
    Characters,
    /// Simplified characters.
    Simplified,
    /// The letters of the notations.
    Letters,
}

/// See [`Question::Draw`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskDraw {
    /// The position; its last move is marked. Without moves it need not be legal.
    pub line: LineForm,
    /// The type of the file.
    #[serde(default)]
    pub format: DrawingForm,
    /// What is drawn on the pieces.
    #[serde(default)]
    pub pieces: Pieces,
    /// Black's side at the bottom.
    #[serde(default)]
    pub flipped: bool,
    /// Moves drawn as arrows.
    #[serde(default)]
    pub arrows: Vec<String>,
}

/// See [`Question::Report`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskReport {
    /// The game.
    pub tree: TreeForm,
    /// The `result` of every `progress` of its review, in order.
    pub results: Vec<serde_json::Value>,
    /// Notation of all moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Language of the page at first.
    #[serde(default)]
    pub language: Tongue,
    /// What is drawn on the pieces of the page at first.
    #[serde(default)]
    pub pieces: Pieces,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// See [`Question::Setup`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskSetup {
    /// The position, legal or not.
    pub fen: String,
}

/// See [`Search::Analyse`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskAnalyse {
    /// The position.
    pub line: LineForm,
    /// How many best lines.
    #[serde(default = "one")]
    pub lines: usize,
    /// Plies after which it ends by itself.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Milliseconds after which it ends by itself.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// Notation of all moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// A clock, in milliseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockForm {
    /// Left for the side to move.
    pub remaining: u64,
    /// Added after each of its moves.
    #[serde(default)]
    pub increment: u64,
}

/// See [`Search::Move`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskMove {
    /// The position.
    pub line: LineForm,
    /// The level, from 1.
    pub level: usize,
    /// Milliseconds that the engine may think at most.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// The engine's clock.
    #[serde(default)]
    pub clock: Option<ClockForm>,
    /// Whether it may play out of its opening book, which the lower half of the levels never does.
    #[serde(default = "yes")]
    pub book: bool,
    /// Notation of the move.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// See [`Search::Review`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskReview {
    /// The game; its main line is reviewed.
    pub tree: TreeForm,
    /// Milliseconds for each position.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// Nodes for each position; with them the result does not depend on the machine.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Notation of all moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// A message of the program.
#[derive(Debug, Serialize)]
pub struct Reply {
    /// The number of the request; none for the greeting and for what was no request.
    pub id: Option<u64>,
    /// What is answered.
    pub answer: Answer,
}

impl Reply {
    /// Its text. What cannot be written is answered as an error.
    pub fn text(&self) -> String {
        let text = |reply: &Reply| serde_json::to_string(reply);
        let refused = |error: serde_json::Error| Reply { id: self.id, answer: Answer::error(error, false) };
        text(self).or_else(|error| text(&refused(error))).unwrap_or_default()
    }
}

/// What the program answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The greeting: what the program offers. Comes by itself when the connection opens.
    Hello(Hello),
    /// See [`Question::Position`].
    Position(Box<Told>),
    /// See [`Question::Read`].
    Read {
        /// The moves.
        moves: Vec<Move>,
    },
    /// See [`Question::Open`].
    Opened(Box<Opened>),
    /// See [`Question::Names`]: one text a move of the tree, in its order.
    Names(Vec<String>),
    /// See [`Question::Lines`].
    Lines(Vec<GameLine>),
    /// See [`Question::Explore`].
    Explored(Explored),
    /// See [`Question::Puzzles`].
    Puzzles {
        /// The puzzles, as lines of JSON.
        puzzles: Vec<String>,
        /// Why others cannot be read, the first of them.
        faults: Vec<String>,
    },
    /// See [`Question::Book`]: the moves of the position from now on.
    Book(Vec<BookForm>),
    /// A file: see [`Question::Save`], [`Question::Draw`] and [`Question::Report`].
    Saved(Saved),
    /// See [`Question::Setup`].
    Setup(SetupTold),
    /// Lines of analysis; each message replaces the one before it.
    Analysis(Box<Analysis>),
    /// The engine's move.
    Move {
        /// None when there is no legal move.
        #[serde(rename = "move")]
        mv: Option<Move>,
        /// Whether it is out of the opening book.
        book: bool,
    },
    /// A position of a review has been searched.
    Progress {
        /// Plies before it.
        ply: usize,
        /// Plies of the game.
        of: usize,
        /// What was found, for the graph and for [`Question::Report`].
        result: Box<PositionResult>,
        /// Red's expected score in percent.
        red_expectation: f64,
    },
    /// The end of a review.
    Review(Box<ReviewForm>),
    /// A search has ended without another last answer.
    Done {
        /// Whether it was stopped, rather than at its limit.
        stopped: bool,
    },
    /// Why there is no other answer.
    Error {
        /// One sentence: the place, what is wrong and what was expected.
        message: String,
        /// Whether it may go well later: the engine is busy.
        busy: bool,
    },
}

impl Answer {
    /// Why there is no other answer: a sentence, and whether it may go well later.
    pub fn error(problem: impl Display, busy: bool) -> Answer {
        // A problem that repeats what it was given would send a long message back.
        Answer::Error { message: problem.to_string().chars().take(LONGEST_PROBLEM).collect(), busy }
    }
}

impl From<Result<Answer, Problem>> for Answer {
    fn from(result: Result<Answer, Problem>) -> Answer {
        result.unwrap_or_else(|problem| Answer::error(problem, false))
    }
}

/// What the program offers.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// Name and version of the program.
    pub program: String,
    /// What the levels are like, from the weakest.
    pub levels: Vec<&'static str>,
    /// The notations.
    pub notations: Vec<Choice>,
    /// The rule sets.
    pub rules: Vec<Choice>,
    /// The record formats.
    pub formats: Vec<FormatChoice>,
    /// Names of the files of the command line.
    pub files: Vec<String>,
    /// The name of the library of games; none without one.
    pub library: Option<String>,
    /// The name of the book that can be edited; none where the book is the built-in one.
    pub book: Option<String>,
    /// Whether PNG can be drawn.
    pub png: bool,
    /// Longest message that is taken, in bytes.
    pub longest_message: usize,
    /// Most moves of a tree.
    pub largest_tree: usize,
}

/// One of several things that a user can choose.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// How requests name it.
    pub id: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Red's central cannon in this notation; empty for what is no notation.
    pub example: &'static str,
    /// Whether it is no longer in use.
    pub historical: bool,
}

/// A record format.
#[derive(Clone, Debug, Serialize)]
pub struct FormatChoice {
    /// How requests name it.
    pub id: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Extensions of file names.
    pub extensions: &'static [&'static str],
    /// Whether it can be written.
    pub written: bool,
    /// Whether a file can hold several games.
    pub holds_many: bool,
}

/// A move with its name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Move {
    /// As `h2e2`.
    #[serde(rename = "move")]
    pub mv: String,
    /// In the notation that was asked for.
    pub text: String,
}

/// What holds in a position.
#[derive(Debug, Serialize)]
pub struct Told {
    /// The position.
    pub fen: String,
    /// `red` or `black`.
    pub side: String,
    /// Whether it is in check.
    pub check: bool,
    /// Its legal moves.
    pub legal: Vec<Move>,
    /// What the rules say.
    pub ruling: RulingForm,
    /// The moves of the opening book, the heaviest first.
    pub book: Vec<BookForm>,
    /// The exact result, where an endgame table has the position.
    pub endgame: Option<EndgameForm>,
    /// The opening of the game.
    pub opening: Option<Name>,
    /// Whether the engine searches it: not with pawns where no game can have them.
    pub searchable: bool,
}

/// A name in both languages.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Name {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

/// The exact result of a position, and of each of its moves for the side that makes it: the best moves first.
#[derive(Debug, Serialize)]
pub struct EndgameForm {
    /// The result.
    #[serde(flatten)]
    pub exact: ExactForm,
    /// The legal moves.
    pub moves: Vec<EndgameMove>,
}

/// A move in a position of an endgame table.
#[derive(Debug, Serialize)]
pub struct EndgameMove {
    /// The move.
    #[serde(flatten)]
    pub mv: Move,
    /// Its result; none where no table has the position after it.
    #[serde(flatten)]
    pub exact: Option<ExactForm>,
}

/// A result that is exact.
#[derive(Debug, Serialize)]
pub struct ExactForm {
    /// `win`, `draw` or `loss` for the side to move.
    pub result: &'static str,
    /// Plies to mate or stalemate with best play; none in a draw.
    pub plies: Option<u16>,
    /// Whether the win needs the rules of repetition.
    pub by_repetition: bool,
}

/// A move of the book.
#[derive(Debug, Serialize)]
pub struct BookForm {
    /// The move.
    #[serde(flatten)]
    pub mv: Move,
    /// How often it is played, compared with the others.
    pub weight: u32,
    /// Why it is not played in this game: `loses`, `draws`, `wins`, `repeats` or `lets-end`, what it or the reply to it does by the rules.
    pub unplayed: Option<&'static str>,
    /// The opening that it leads to.
    pub opening: Option<Name>,
}

/// A ruling.
#[derive(Debug, Serialize)]
pub struct RulingForm {
    /// `red-loses`, `black-loses`, `draw` or `undecided`.
    pub verdict: &'static str,
    /// What a repetition leads to when it goes on, at its second occurrence: as `verdict`.
    pub provisional: Option<&'static str>,
    /// `ongoing`, `checkmate`, `stalemate`, `repetition`, `natural_limit` or `bare_material`.
    pub cause: &'static str,
    /// The reasons, one line each.
    pub lines: Vec<String>,
    /// The moves of a repetition.
    pub moves: Vec<LoopMove>,
}

/// A move of a repetition.
#[derive(Debug, Serialize)]
pub struct LoopMove {
    /// Number of the move in the line, from 1.
    pub ply: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is in the words of the rules.
    pub text: String,
}

/// A record that was opened.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// The format; none for a line of moves.
    pub format: Option<&'static str>,
    /// The games of the file.
    pub games: Vec<GameEntry>,
    /// Games that the list has no room for.
    pub more_games: usize,
    /// Which game this is, from 1.
    pub game: usize,
    /// Its tree.
    pub tree: TreeForm,
    /// The moves of the tree in the notation that was asked for.
    pub names: Vec<String>,
    /// What could not be read.
    pub warnings: Vec<String>,
}

/// A game of a file.
#[derive(Debug, Serialize)]
pub struct GameEntry {
    /// Players or title.
    pub title: String,
    /// Event and date.
    pub event: String,
    /// The result as PGN writes it.
    pub result: &'static str,
    /// Plies of the main line.
    pub plies: usize,
    /// Why it cannot be opened.
    pub error: Option<String>,
}

/// A file for the user.
#[derive(Debug, Serialize)]
pub struct Saved {
    /// A name for it.
    pub name: String,
    /// Its type.
    pub mime: &'static str,
    /// Its bytes in Base64.
    pub bytes: String,
    /// What the format has no room for, counted.
    pub losses: Option<String>,
}

/// Whether a position is legal.
#[derive(Debug, Serialize)]
pub struct SetupTold {
    /// The position in the form that chuhe writes; none when the text is no FEN.
    pub fen: Option<String>,
    /// Whether games can be played from it.
    pub playable: bool,
    /// Whether the engine searches it.
    pub searchable: bool,
    /// Why not.
    pub faults: Vec<SetupFault>,
}

/// Something that is wrong with a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SetupFault {
    /// `text`, `too_many`, `no_king`, `many_kings`, `misplaced` or `king_capturable`.
    pub kind: &'static str,
    /// The piece as FEN writes it.
    pub piece: Option<char>,
    /// The point.
    pub at: Option<String>,
    /// The same in words.
    pub message: String,
}

/// Lines of analysis.
#[derive(Debug, Serialize)]
pub struct Analysis {
    /// The result so far, in the form of `chuhe analyze`.
    pub result: PositionResult,
    /// The moves of each line in the notation that was asked for.
    pub texts: Vec<Vec<String>>,
}
