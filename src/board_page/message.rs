//! What the page and the program say to each other: one JSON object a message. `docs/src/developers/serve.md` lists them for others who
//! build on them, and a test compares the list with these types.
//!
//! A request is `{"id":7,"ask":{"position":{…}}}`; every answer to it carries its `id`: `{"id":7,"answer":{"position":{…}}}`.

mod answer;

pub use answer::{
    Analysis, Answer, BookForm, Choice, EndgameForm, EndgameMove, ExactForm, FormatChoice, GameEntry, Hello, LoopMove, Move,
    Name, Opened, PositionForm, Reply, RulingForm, Saved, SetupFault, SetupForm,
};

use super::document::TreeForm;
use super::explorer::{AskExplore, AskLines};
pub use super::named::Named;
use super::problem::Problem;
use crate::notation::System;
use crate::records::{Format, TextEncoding};
use crate::report::PieceStyle;
use crate::rules::{Language, RuleSet};
use serde::Deserialize;

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
    /// The engine's answer to a draw offer of the side to move.
    DrawOffer(AskDrawOffer),
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
        /// Its name; the extension can give the format.
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
    pub pieces: Named<PieceStyle>,
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
    pub language: Named<Language>,
    /// What is drawn on the pieces of the page at first.
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
