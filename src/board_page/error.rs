//! The error type of questions and searches.

use super::limits::{LARGEST_TREE, LONGEST_LINE};
use crate::board::{FenError, SetupError};
use crate::notation::LineError;
use crate::records::{RecordError, RecordProblem};
use crate::rules::Language;
use crate::types::counted;

/// An error that answers a request. Its `Display` is one line for the user of the page.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The message is not valid JSON or does not follow the protocol.
    #[error("not a message of the protocol: {0}")]
    Message(#[from] serde_json::Error),
    /// The FEN of the start position is malformed.
    #[error("start: {0}")]
    Fen(#[from] FenError),
    /// The start position is not legal.
    #[error("the start position is invalid: {0}")]
    Start(#[from] SetupError),
    /// A move is not legal in its position.
    #[error("move {number}: '{text}' is not legal")]
    Move {
        /// Number of the move in its line or tree, from 1.
        number: usize,
        /// The move as received.
        text: String,
    },
    /// A line is too long.
    #[error("{0} moves, expected at most {LONGEST_LINE}")]
    LongLine(usize),
    /// A tree is too large.
    #[error("{0} moves, expected at most {LARGEST_TREE} in a record")]
    LargeTree(usize),
    /// The parent of a move does not precede it in the tree's list.
    #[error("move {0}: its parent is not before it")]
    Parent(usize),
    /// The result of a tree is unknown.
    #[error("the result '{0}', expected 1-0, 0-1, 1/2-1/2 or *")]
    Result(String),
    /// The moves of a line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A text is neither a record nor a position nor a line of moves.
    #[error("neither a record nor a FEN nor a line of moves: {0}")]
    Text(Box<LineError>),
    /// The source is empty.
    #[error("empty, expected a record, a FEN or moves")]
    Empty,
    /// A record cannot be read or written.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// The source has no game of this number.
    #[error("there is no game {asked}, the file has {games}")]
    NoGame {
        /// The requested game, from 1.
        asked: usize,
        /// The number of games.
        games: usize,
    },
    /// The command line names no file of this index.
    #[error("there is no file {0} among those of the command line")]
    NoFile(usize),
    /// The command line names no file of this name.
    #[error("there is no file '{0}' among those of the command line")]
    NoFileNamed(String),
    /// The source is neither a file nor a text.
    #[error("a game of the library, expected a file or a text")]
    NotAFile,
    /// The host has no library.
    #[error("there is no library of games, see `chuhe serve --library`")]
    NoLibrary,
    /// The host has no editable book.
    #[error("there is no book to edit, see `chuhe serve --book`")]
    NoBook,
    /// A book cannot be read or changed.
    #[error("book: {0}")]
    Book(#[from] crate::book::BookError),
    /// The library cannot be read, or has no such game.
    #[error("library: {0}")]
    Library(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// Any other error, in both languages.
    #[error("{english}")]
    Bilingual {
        /// In English.
        english: String,
        /// In Chinese.
        chinese: String,
    },
    /// The contents of a file are not valid Base64.
    #[error("the bytes of the file are not Base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// The engine cannot search the position.
    #[error("the engine does not search positions with pawns on points that they never reach in a game")]
    NotSearchable,
    /// A number is out of range.
    #[error("{name} {asked}, expected {min} to {max}")]
    Range {
        /// The field of the request, or what is counted.
        name: &'static str,
        /// The requested number.
        asked: u64,
        /// The smallest allowed number.
        min: u64,
        /// The largest allowed number.
        max: u64,
    },
    /// An arrow of a drawing is not a move.
    #[error("arrow {number}: '{text}', expected two points such as h2e2")]
    Arrow {
        /// Number of the arrow, from 1.
        number: usize,
        /// The arrow as received.
        text: String,
    },
    /// A game to explore is invalid.
    #[error("game {game}: {error}")]
    Game {
        /// The number of the game.
        game: u32,
        /// What is wrong with it.
        error: Box<RequestError>,
    },
    /// A result of a review does not match its position of the game.
    #[error("results: {0}")]
    Results(#[from] crate::report::ReadBackError),
    /// The number of results differs from the number of positions.
    #[error("{}, expected {expected}, one for each position of the game", counted(*found, "result"))]
    ResultCount {
        /// Results received.
        found: usize,
        /// Positions of the game: its moves plus one.
        expected: usize,
    },
    /// The moves of a review cannot be judged.
    #[error("the game cannot be reviewed: {0}")]
    Review(String),
    /// The position cannot be drawn.
    #[error("the position cannot be drawn: {0}")]
    Drawing(String),
}

impl RequestError {
    /// The text in simplified Chinese; details from the system are not translated. `None` for errors in requests that the page never sends, so
    /// that its user cannot see them.
    pub fn chinese(&self) -> Option<String> {
        let record = |problem: RecordProblem| problem.text(Language::Chinese);
        Some(match self {
            RequestError::Fen(error) => record(error.clone().into()),
            RequestError::Start(error) => record((*error).into()),
            RequestError::Move { number, text } => format!("第{number}着“{text}”不是合法着法"),
            RequestError::LongLine(moves) => format!("有{moves}着，最多{LONGEST_LINE}着"),
            RequestError::LargeTree(moves) => format!("棋谱有{moves}着，最多{LARGEST_TREE}着"),
            RequestError::Line(error) => record(error.clone().into()),
            RequestError::Text(error) => format!("不是棋谱、FEN 或着法：{}", record(error.as_ref().clone().into())),
            RequestError::Empty => "内容为空，应为棋谱、FEN 或着法".into(),
            RequestError::Record(error) => record(error.problem().clone()),
            RequestError::NoGame { asked, games } => format!("没有第{asked}局，文件共有{games}局"),
            RequestError::NoFileNamed(name) => format!("命令行没有指定文件“{name}”"),
            RequestError::Book(error) => format!("开局库无法读取（{error}）"),
            RequestError::Library(error) => format!("对局库无法读取（{error}）"),
            RequestError::File(error) => format!("文件无法读取或更改（{error}）"),
            RequestError::Bilingual { chinese, .. } => chinese.clone(),
            RequestError::NotSearchable => "兵卒位置不合规则，引擎不分析此局面".into(),
            RequestError::Game { game, error } => format!("第{game}局：{}", error.chinese()?),
            RequestError::Review(error) => format!("无法分析此局（{error}）"),
            RequestError::Drawing(error) => format!("无法绘制此局面（{error}）"),
            _ => return None,
        })
    }
}
