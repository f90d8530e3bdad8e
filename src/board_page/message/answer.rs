//! The program's answers to the page.

use crate::board::Board;
use crate::board_page::document::{GameLine, TreeForm};
use crate::board_page::error::RequestError;
use crate::board_page::limits::LONGEST_ERROR;
use crate::book::MoveStats;
use crate::notation::Notation;
use crate::report::{PositionResult, ReviewForm};
use crate::types;
use serde::Serialize;
use std::fmt::Display;

/// A message of the program.
#[derive(Debug, Serialize)]
pub struct Reply {
    /// The `id` of the request; `None` for the greeting, and for an invalid request whose `id` cannot be read.
    pub id: Option<u64>,
    /// The answer.
    pub answer: Answer,
}

impl Reply {
    /// The message as JSON. An answer that cannot be serialized becomes an error answer.
    pub fn text(&self) -> String {
        let text = |reply: &Reply| serde_json::to_string(reply);
        let refused = |error: serde_json::Error| Reply { id: self.id, answer: Answer::error(error, false) };
        text(self).or_else(|error| text(&refused(error))).unwrap_or_default()
    }
}

/// The kinds of answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The greeting: the features of the program. Sent without a request when the connection opens.
    Hello(Hello),
    /// See [`Question::Position`](crate::board_page::message::Question::Position).
    Position(Box<PositionForm>),
    /// See [`Question::Read`](crate::board_page::message::Question::Read).
    Read {
        /// The moves.
        moves: Vec<Move>,
    },
    /// See [`Question::Open`](crate::board_page::message::Question::Open).
    Opened(Box<Opened>),
    /// See [`Question::Names`](crate::board_page::message::Question::Names): one string per move of the tree, in its order.
    Names(Vec<String>),
    /// See [`Question::Lines`](crate::board_page::message::Question::Lines).
    Lines(Vec<GameLine>),
    /// See [`Question::Explore`](crate::board_page::message::Question::Explore).
    Explored(Explored),
    /// See [`Question::Puzzles`](crate::board_page::message::Question::Puzzles).
    Puzzles {
        /// The puzzles, each as a line of JSON.
        puzzles: Vec<String>,
        /// The first few errors, if other puzzles cannot be read.
        faults: Vec<String>,
    },
    /// See [`Question::Book`](crate::board_page::message::Question::Book): the book moves of the position after the change.
    Book(Vec<BookForm>),
    /// A file: see [`Question::Save`](crate::board_page::message::Question::Save), [`Question::Draw`](crate::board_page::message::Question::Draw) and [`Question::Report`](crate::board_page::message::Question::Report).
    Saved(Saved),
    /// See [`Question::Setup`](crate::board_page::message::Question::Setup).
    Setup(SetupForm),
    /// Lines of analysis; each message replaces the previous one.
    Analysis(Box<Analysis>),
    /// The engine's move.
    Move {
        /// `None` if there is no legal move.
        #[serde(rename = "move")]
        mv: Option<Move>,
        /// Whether it is a book move.
        book: bool,
    },
    /// A position of a review has been searched.
    Progress {
        /// Plies played before the position.
        ply: usize,
        /// Total plies of the game.
        of: usize,
        /// The search result, for the graph and for [`Question::Report`](crate::board_page::message::Question::Report).
        result: Box<PositionResult>,
        /// Red's expected score in percent.
        red_expectation: f64,
    },
    /// The completed review.
    Review(Box<ReviewForm>),
    /// The engine's answer to a draw offer.
    DrawReply {
        /// Whether the game ends in a draw.
        accepts: bool,
        /// Why: `worse`, `drawn`, `little-force`, `quiet`, `better`, `too-early` or `much-left`.
        reason: &'static str,
    },
    /// A search has ended without another final answer.
    Done {
        /// Whether it was stopped rather than reaching its limit.
        stopped: bool,
    },
    /// The request failed.
    Error {
        /// One sentence: the location, the problem, and what was expected.
        message: String,
        /// The same in Chinese, where there is one.
        message_chinese: Option<String>,
        /// Whether a retry may succeed, because the engine is busy.
        busy: bool,
    },
}

impl Answer {
    /// An error answer, truncated to [`LONGEST_ERROR`] characters. `busy`: whether a retry may succeed.
    pub fn error(error: impl Display, busy: bool) -> Answer {
        Answer::Error { message: shortened(&error.to_string()), message_chinese: None, busy }
    }

    /// The answer to a request that is invalid or fails.
    pub fn request_error(error: &RequestError) -> Answer {
        let message_chinese = error.chinese().as_deref().map(shortened);
        Answer::Error { message: shortened(&error.to_string()), message_chinese, busy: false }
    }
}

/// The text of an error, which could be as long as the request that it quotes.
fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_ERROR).collect()
}

impl From<Result<Answer, RequestError>> for Answer {
    fn from(result: Result<Answer, RequestError>) -> Answer {
        result.unwrap_or_else(|error| Answer::request_error(&error))
    }
}

/// The greeting: the features of the program.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// Name and version of the program.
    pub program: String,
    /// Descriptions of the levels, from the weakest.
    pub levels: Vec<&'static str>,
    /// The same in Chinese.
    pub levels_chinese: Vec<&'static str>,
    /// The notations.
    pub notations: Vec<Choice>,
    /// The rule sets.
    pub rules: Vec<Choice>,
    /// The record formats.
    pub formats: Vec<FormatChoice>,
    /// Names of the files given on the command line.
    pub files: Vec<String>,
    /// The name of the library of games, if there is one.
    pub library: Option<String>,
    /// The name of the editable book; `None` for the built-in book.
    pub book: Option<String>,
    /// Whether PNG drawings are supported.
    pub png: bool,
    /// Longest accepted message, in bytes.
    pub longest_message: usize,
    /// Most moves of a tree.
    pub largest_tree: usize,
}

/// A notation or rule set that the user can choose.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// Identifier in requests.
    pub id: &'static str,
    /// Name for display.
    pub title: &'static str,
    /// Red's central cannon in this notation; empty for a rule set.
    pub example: &'static str,
    /// Whether it is no longer in use.
    pub historical: bool,
}

/// A record format.
#[derive(Clone, Debug, Serialize)]
pub struct FormatChoice {
    /// Identifier in requests.
    pub id: &'static str,
    /// Name for display.
    pub title: &'static str,
    /// File name extensions.
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
    /// In the requested notation.
    pub text: String,
}

impl Move {
    /// The form of a move that is legal on this board.
    pub fn named(notation: &Notation, board: &Board, mv: types::Move) -> Move {
        Move { mv: mv.to_string(), text: notation.write(board, mv) }
    }
}

/// Everything about a position.
#[derive(Debug, Serialize)]
pub struct PositionForm {
    /// The position.
    pub fen: String,
    /// The side to move: `red` or `black`.
    pub side: String,
    /// Whether it is in check.
    pub check: bool,
    /// Its legal moves.
    pub legal: Vec<Move>,
    /// The ruling.
    pub ruling: RulingForm,
    /// The moves of the opening book, by descending weight.
    pub book: Vec<BookForm>,
    /// The exact result, if an endgame table contains the position.
    pub endgame: Option<EndgameForm>,
    /// The opening of the game.
    pub opening: Option<Name>,
    /// Whether the engine can search the position; it cannot if a pawn is on a square that pawns never reach in a game.
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

/// The exact result of a position, and of each of its moves from the point of view of the side that plays it, best moves first.
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
    /// Its result; `None` if no table contains the position after it.
    #[serde(flatten)]
    pub exact: Option<ExactForm>,
}

/// An exact result.
#[derive(Debug, Serialize)]
pub struct ExactForm {
    /// `win`, `draw` or `loss` for the side to move.
    pub result: &'static str,
    /// Plies to mate or stalemate with best play; `None` for a draw.
    pub plies: Option<u16>,
    /// Whether the win depends on the rules of repetition.
    pub by_repetition: bool,
}

/// A move of the book.
#[derive(Debug, Serialize)]
pub struct BookForm {
    /// The move.
    #[serde(flatten)]
    pub mv: Move,
    /// Relative frequency with which it is played.
    pub weight: u32,
    /// Why it is not played in this game: `loses`, `draws`, `wins`, `repeats` or `lets-end`, the effect of the move or of the reply to it
    /// under the rules.
    pub unplayed: Option<&'static str>,
    /// The opening it leads to.
    pub opening: Option<Name>,
}

/// A ruling.
#[derive(Debug, Serialize)]
pub struct RulingForm {
    /// `red-loses`, `black-loses`, `draw` or `undecided`.
    pub verdict: &'static str,
    /// At the second occurrence of a position: the verdict if the repetition continues, in the form of `verdict`.
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
    /// Its classification under the rules.
    pub text: String,
}

/// The moves played from a position or its mirror image.
#[derive(Debug, Serialize)]
pub struct Explored {
    /// Number of games that reach it.
    pub games: u32,
    /// The moves, the most frequent first.
    pub moves: Vec<ExploredMove>,
    /// The most recent games.
    pub latest: Vec<ExploredGame>,
}

/// A move of an explored position.
#[derive(Debug, Serialize)]
pub struct ExploredMove {
    /// The move.
    #[serde(flatten)]
    pub mv: Move,
    /// Statistics of the games in which it was played.
    #[serde(flatten)]
    pub stats: MoveStats,
}

/// A game in the list of an explored position. Unknown names are empty.
#[derive(Debug, Serialize)]
pub struct ExploredGame {
    /// Number of the game in the library, or the one assigned by the page.
    pub game: u32,
    /// The Red player.
    pub red: String,
    /// The Black player.
    pub black: String,
    /// The date, as in PGN.
    pub date: String,
    /// The event.
    pub event: String,
    /// The result, as in PGN.
    pub result: String,
    /// Plies of the main line.
    pub plies: u32,
}

/// An opened record.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// The format; `None` for a line of moves.
    pub format: Option<&'static str>,
    /// The games of the file.
    pub games: Vec<GameEntry>,
    /// Number of games omitted from the list.
    pub more_games: usize,
    /// Number of the opened game, from 1.
    pub game: usize,
    /// Its tree.
    pub tree: TreeForm,
    /// The moves of the tree in the requested notation.
    pub names: Vec<String>,
    /// Parts of the record that could not be read.
    pub warnings: Vec<String>,
    /// The same in Chinese.
    pub warnings_chinese: Vec<String>,
}

/// A game of a file.
#[derive(Debug, Serialize)]
pub struct GameEntry {
    /// Players or title.
    pub title: String,
    /// Event and date.
    pub event: String,
    /// The result, as in PGN.
    pub result: &'static str,
    /// Plies of the main line.
    pub plies: usize,
    /// The error, if it cannot be opened.
    pub error: Option<String>,
    /// The same in Chinese, where there is one.
    pub error_chinese: Option<String>,
}

/// A file for the user.
#[derive(Debug, Serialize)]
pub struct Saved {
    /// Suggested file name.
    pub name: String,
    /// MIME type.
    pub mime: &'static str,
    /// Contents in Base64.
    pub bytes: String,
    /// What the format cannot represent, with counts.
    pub losses: Option<String>,
}

/// Whether a position is legal.
#[derive(Debug, Serialize)]
pub struct SetupForm {
    /// The normalized FEN; `None` if the text is not a FEN.
    pub fen: Option<String>,
    /// Whether games can be played from it.
    pub playable: bool,
    /// Whether the engine can search it.
    pub searchable: bool,
    /// The reasons why not.
    pub faults: Vec<SetupFault>,
}

/// An error of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SetupFault {
    /// `text`, `too_many`, `no_king`, `many_kings`, `misplaced`, `kings_facing` or `king_capturable`.
    pub kind: &'static str,
    /// The piece, as in FEN.
    pub piece: Option<char>,
    /// The square.
    pub at: Option<String>,
    /// Text for display.
    pub message: String,
    /// The same in Chinese, of a `text`.
    pub message_chinese: Option<String>,
}

/// Lines of analysis.
#[derive(Debug, Serialize)]
pub struct Analysis {
    /// The result so far, in the form of `chuhe analyze`.
    pub result: PositionResult,
    /// The moves of each line in the requested notation.
    pub texts: Vec<Vec<String>>,
}
