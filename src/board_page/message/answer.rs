//! What the program says to the page.

use crate::board_page::document::TreeForm;
use crate::board_page::explorer::{Explored, GameLine};
use crate::board_page::limits::LONGEST_PROBLEM;
use crate::board_page::problem::Problem;
use crate::report::{PositionResult, ReviewForm};
use serde::Serialize;
use std::fmt::Display;

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
    /// See [`Question::Position`](crate::board_page::message::Question::Position).
    Position(Box<PositionForm>),
    /// See [`Question::Read`](crate::board_page::message::Question::Read).
    Read {
        /// The moves.
        moves: Vec<Move>,
    },
    /// See [`Question::Open`](crate::board_page::message::Question::Open).
    Opened(Box<Opened>),
    /// See [`Question::Names`](crate::board_page::message::Question::Names): one text a move of the tree, in its order.
    Names(Vec<String>),
    /// See [`Question::Lines`](crate::board_page::message::Question::Lines).
    Lines(Vec<GameLine>),
    /// See [`Question::Explore`](crate::board_page::message::Question::Explore).
    Explored(Explored),
    /// See [`Question::Puzzles`](crate::board_page::message::Question::Puzzles).
    Puzzles {
        /// The puzzles, as lines of JSON.
        puzzles: Vec<String>,
        /// Why others cannot be read, the first of them.
        faults: Vec<String>,
    },
    /// See [`Question::Book`](crate::board_page::message::Question::Book): the moves of the position from now on.
    Book(Vec<BookForm>),
    /// A file: see [`Question::Save`](crate::board_page::message::Question::Save), [`Question::Draw`](crate::board_page::message::Question::Draw) and [`Question::Report`](crate::board_page::message::Question::Report).
    Saved(Saved),
    /// See [`Question::Setup`](crate::board_page::message::Question::Setup).
    Setup(SetupForm),
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
        /// What was found, for the graph and for [`Question::Report`](crate::board_page::message::Question::Report).
        result: Box<PositionResult>,
        /// Red's expected score in percent.
        red_expectation: f64,
    },
    /// The end of a review.
    Review(Box<ReviewForm>),
    /// The engine's answer to a draw offer.
    DrawReply {
        /// Whether the game ends in a draw.
        accepts: bool,
        /// Why: `worse`, `drawn`, `little-force`, `quiet`, `better`, `too-early` or `much-left`.
        reason: &'static str,
    },
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
pub struct PositionForm {
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
    /// What a repetition leads to when it continues, at its second occurrence: as `verdict`.
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
pub struct SetupForm {
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
