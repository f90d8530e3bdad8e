//! The message protocol between the page and the program: one JSON object per message. `docs/src/developers/serve.md` documents it for
//! other clients, and a test compares that page with these types.
//!
//! A request is `{"id":7,"ask":{"position":{…}}}`; every answer to it carries its `id`: `{"id":7,"answer":{"position":{…}}}`.

mod answer;

pub use answer::{
    Analysis, Answer, BookForm, Choice, EndgameForm, EndgameMove, ExactForm, Explored, ExploredGame, ExploredMove, FormatChoice,
    GameEntry, Hello, LoopMove, Move, Name, Opened, PositionForm, Reply, RulingForm, Saved, SetupFault, SetupForm,
};

use super::document::{GameLine, LineForm, TreeForm};
use super::error::RequestError;
use crate::notation::System;
use crate::records::{Format, TextEncoding};
use crate::report::PieceStyle;
use crate::rules::{Language, RuleSet};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::fmt::Display;
use std::str::FromStr;

/// A message of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Any number; all answers to the request carry it.
    pub id: u64,
    /// The question, search or stop request.
    pub ask: Ask,
}

/// The kinds of requests.
#[derive(Debug, Deserialize)]
#[serde(from = "AskForm")]
pub enum Ask {
    /// Answered immediately.
    Question(Question),
    /// Started on the engine.
    Search(Search),
    /// Stops the search of this page.
    Stop,
}

/// A request that is answered immediately, by a single answer.
#[derive(Debug)]
pub enum Question {
    /// Everything about a position: its legal moves with their names, the ruling, the book moves.
    Position(AskPosition),
    /// Parses moves typed by the user, in any notation.
    Read(AskRead),
    /// Opens a record from a file, a text, a file given on the command line or the library.
    Open(AskOpen),
    /// The moves of an entire tree in a notation.
    Names(AskNames),
    /// The games of a source, for [`Question::Explore`].
    Lines(AskLines),
    /// The moves played from a position, in the library or in games sent by the page.
    Explore(AskExplore),
    /// The puzzles of a source.
    Puzzles(AskPuzzles),
    /// Adds, reweights or removes a book move.
    Book(AskBook),
    /// Writes a tree as a file.
    Save(AskSave),
    /// Draws a position as an image file.
    Draw(AskDraw),
    /// Writes a reviewed game as a standalone HTML page.
    Report(AskReport),
    /// Whether a position is legal, and if not, all reasons.
    Setup(AskSetup),
}

/// A request that runs the engine. It can have several answers, and can be stopped.
#[derive(Debug)]
pub enum Search {
    /// The engine's best lines, until a limit is reached or the search is stopped.
    Analyse(AskAnalyse),
    /// A move of the engine at a level.
    Move(AskMove),
    /// The evaluation of every move of a game.
    Review(AskReview),
    /// The engine's answer to a draw offer of the side to move.
    DrawOffer(AskDrawOffer),
}

/// All request names in a single enumeration, so that the error for an unknown name lists all known ones.
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
    DrawOffer(AskDrawOffer),
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
            AskForm::DrawOffer(ask) => Ask::Search(Search::DrawOffer(ask)),
            AskForm::Stop {} => Ask::Stop,
        }
    }
}

impl Request {
    /// Parses a message.
    ///
    /// # Errors
    /// When the message is invalid; the error includes the `id` if that could be read.
    pub fn read(text: &str) -> Result<Request, (Option<u64>, RequestError)> {
        #[derive(Deserialize)]
        struct Numbered {
            id: u64,
        }
        serde_json::from_str(text).map_err(|error| {
            let id = serde_json::from_str::<Numbered>(text).ok().map(|numbered| numbered.id);
            (id, RequestError::from(error))
        })
    }
}

/// A value deserialized from its string form, such as the notation `wxr`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Named<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Named).map_err(D::Error::custom)
    }
}

fn wxr() -> Named<System> {
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
    pub language: Named<Language>,
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
    /// One or more moves, in any notation.
    pub text: String,
    /// Notation of the answer.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
}

/// Where records come from.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// A record in any text format, FEN, or a line of moves in any notation.
    Text(String),
    /// A file chosen by the user.
    File {
        /// The file name; its extension can determine the format.
        name: String,
        /// Contents in Base64.
        bytes: String,
    },
    /// A file given on the command line, by its index in the greeting's list.
    Given(usize),
    /// The same for as long as the server has a file of this name: the one at this index, or the first of the name.
    GivenFile {
        /// The name in the greeting's list.
        name: String,
        /// The index in the list.
        number: usize,
    },
    /// A game of the library, by its number.
    Library(u32),
}

/// See [`Question::Open`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskOpen {
    /// Where the records come from.
    pub source: Source,
    /// Number of the game to open, from 1.
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

/// See [`Question::Lines`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskLines {
    /// Where the records come from.
    pub source: Source,
}

/// See [`Question::Explore`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskExplore {
    /// The position.
    pub line: LineForm,
    /// Notation of the moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// The games to search (default: those of the library).
    #[serde(default)]
    pub games: Option<Vec<GameLine>>,
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
    /// The new weight; without one the move is removed.
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

/// A game of a file with several games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Among {
    /// The file.
    pub source: Source,
    /// Number of the game to replace, from 1.
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
    /// Also write the other games of this file, in their order.
    #[serde(default)]
    pub among: Option<Among>,
    /// The `result` of every `progress` of a review of the game, in order; its scores and marks are written with the moves.
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
    /// A vector image.
    #[default]
    Svg,
    /// A bitmap.
    Png,
}

/// See [`Question::Draw`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskDraw {
    /// The position; its last move is marked. A position without moves need not be legal.
    pub line: LineForm,
    /// The type of the file.
    #[serde(default)]
    pub format: DrawingForm,
    /// What is drawn on the pieces.
    #[serde(default)]
    pub pieces: Named<PieceStyle>,
    /// Whether Black is at the bottom.
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
    /// Initial language of the page.
    #[serde(default)]
    pub language: Named<Language>,
    /// Initial piece style of the page.
    #[serde(default)]
    pub pieces: Named<PieceStyle>,
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
    /// Number of best lines.
    #[serde(default = "one")]
    pub lines: usize,
    /// Depth limit in plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Time limit in milliseconds.
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
    /// Remaining time of the side to move.
    pub remaining: u64,
    /// Increment per move.
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
    /// Maximum thinking time in milliseconds.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// The engine's clock.
    #[serde(default)]
    pub clock: Option<ClockForm>,
    /// Whether the engine may use the opening book; the lower half of the levels never does.
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
    /// Milliseconds per position.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// Nodes per position; with this limit alone the result does not depend on the machine.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Notation of all moves.
    #[serde(default = "wxr")]
    pub notation: Named<System>,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}

/// See [`Search::DrawOffer`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskDrawOffer {
    /// The position.
    pub line: LineForm,
    /// Rules of repetition.
    #[serde(default = "default_rules")]
    pub rules: Named<RuleSet>,
}
