//! The text source of a book, described in `book/README.md`: a tree of lines, nested by indentation. Tokenising needs no rules of
//! the game; writing recreates the text from a compiled book.

use super::encode::{Contents, Opening};
use super::key::book_key;
use crate::board::{Board, START_FEN};
use crate::notation::{self, System};
use crate::types::{Move, counted};
use std::collections::HashSet;
use std::fmt;

/// The weight of a move for which no line gives a weight.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
/// use xiangqi::openings::text::DEFAULT_WEIGHT;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5\n")?;
/// assert_eq!(compiler.finish()?.entries[0].weight, DEFAULT_WEIGHT);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const DEFAULT_WEIGHT: u32 = 10;
/// The largest weight allowed.
///
/// ```
/// use xiangqi::openings::text::{MAX_WEIGHT, read_line};
///
/// assert!(read_line(1, &format!("C2.5*{MAX_WEIGHT}")).is_ok());
/// assert!(read_line(1, &format!("C2.5*{}", MAX_WEIGHT + 1)).is_err());
/// ```
pub const MAX_WEIGHT: u32 = 1_000_000_000;
/// The maximum length of an opening name in either language, in bytes.
///
/// ```
/// use xiangqi::openings::text::{MAX_NAME, read_line};
///
/// let named = |length| format!("\"{}\" \"中炮\"", "x".repeat(length));
/// assert!(read_line(1, &named(MAX_NAME)).is_ok());
/// assert!(read_line(1, &named(MAX_NAME + 1)).is_err());
/// ```
pub const MAX_NAME: usize = 200;
/// Column after which the writer starts a new line.
const WIDTH: usize = 100;

/// An error in a source, with its location. It is displayed as `file:line: reason`.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
///
/// let mut compiler = Compiler::new()?;
/// let error = compiler.read("mine.wxf", "C2.5\n   C2.2\n").unwrap_err();
/// assert!(error.to_string().starts_with("mine.wxf:2: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceError {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

impl std::error::Error for SourceError {}

/// An error in a line or a move of a source, without its location.
///
/// ```
/// use xiangqi::openings::text::read_line;
///
/// let problem = read_line(1, "\tC2.5").unwrap_err();
/// assert_eq!(problem.to_string(), "a tab, expected spaces");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SourceProblem(String);

impl From<String> for SourceProblem {
    fn from(text: String) -> SourceProblem {
        SourceProblem(text)
    }
}

/// A token of a line.
///
/// ```
/// use xiangqi::openings::text::{Token, read_line};
///
/// let line = read_line(1, "C2.5*30 \"Central Cannon\" \"中炮\"")?.expect("not empty");
/// assert_eq!(line.tokens, [Token::Move("C2.5", Some(30)), Token::Name("Central Cannon", "中炮")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// The unparsed text of a move, and its weight if one is given.
    Move(&'a str, Option<u32>),
    /// The English and Chinese name of the position at this point of the line.
    Name(&'a str, &'a str),
    /// The FEN of the position from which the following lines start.
    Start(&'a str),
}

/// A line of the tree.
///
/// ```
/// use xiangqi::openings::text::read_line;
///
/// let line = read_line(7, "  C2.5 H8+7")?.expect("not empty");
/// assert_eq!((line.number, line.indent, line.tokens.len()), (7, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: usize,
    /// Number of leading spaces.
    pub indent: usize,
    /// The tokens; never empty.
    pub tokens: Vec<Token<'a>>,
}

/// Splits a line into tokens. Returns `None` if it contains only spaces or a comment.
///
/// ```
/// use xiangqi::openings::text::read_line;
///
/// assert_eq!(read_line(1, "  # a remark")?, None);
/// assert_eq!(read_line(2, "C2.5 H8+7")?.map(|line| line.tokens.len()), Some(2));
/// assert!(read_line(3, "\tC2.5").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the line contains a tab, a malformed weight or a malformed name.
pub fn read_line(number: usize, text: &str) -> Result<Option<Line<'_>>, SourceProblem> {
    let bare = text.trim_start_matches(' ');
    let indent = text.len() - bare.len();
    if bare.contains('\t') {
        return Err(SourceProblem("a tab, expected spaces".into()));
    }
    let mut tokens = Vec::new();
    let mut rest = bare.trim_end();
    if let Some(fen) = rest.strip_prefix("start ") {
        let fen = fen.split('#').next().unwrap_or_default().trim();
        return Ok(Some(Line { number, indent, tokens: vec![Token::Start(fen)] }));
    }
    while !rest.is_empty() && !rest.starts_with('#') {
        if rest.starts_with('"') {
            let (english, behind) = quoted(rest)?;
            let (chinese, behind) = quoted(behind.trim_start())?;
            tokens.push(Token::Name(english, chinese));
            rest = behind.trim_start();
        } else {
            let end = rest.find([' ', '#', '"']).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            tokens.push(match word.split_once('*') {
                None => Token::Move(word, None),
                Some((mv, weight)) => Token::Move(mv, Some(read_weight(weight)?)),
            });
            rest = behind.trim_start();
        }
    }
    Ok(if tokens.is_empty() { None } else { Some(Line { number, indent, tokens }) })
}

fn read_weight(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&weight| weight <= MAX_WEIGHT && text.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| format!("weight '{text}', expected a number from 0 to {MAX_WEIGHT} after the *"))
}

/// A name in quotation marks, and the text after it.
fn quoted(text: &str) -> Result<(&str, &str), String> {
    let inner = text.strip_prefix('"').ok_or("one name, expected two: \"English\" \"中文\"")?;
    let (name, behind) = inner.split_once('"').ok_or("a name without its closing quotation mark")?;
    if name.trim().is_empty() || name.len() > MAX_NAME || name.chars().any(char::is_control) {
        return Err(format!("a name of {}, expected 1 to {MAX_NAME}", counted(name.len(), "byte")));
    }
    Ok((name, behind))
}

/// Parses a move of a source. Only the exact text written by [`System::Wxf`] is accepted, so that a text search finds every
/// occurrence of a line.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::openings::text::read_move;
///
/// let start = Position::startpos();
/// assert_eq!(read_move(start.board(), "C2.5")?.to_string(), "h2e2");
/// assert!(read_move(start.board(), "c2.5").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not a legal move, or not written in the expected form.
pub fn read_move(board: &Board, text: &str) -> Result<Move, SourceProblem> {
    let mv = notation::read(System::Wxf, board, text).map_err(|error| error.to_string())?;
    let written = notation::write(System::Wxf, board, mv);
    if written == text { Ok(mv) } else { Err(SourceProblem(format!("'{text}', expected '{written}'"))) }
}

/// A branch of the tree that has not been written yet.
struct Pending {
    board: Board,
    indent: usize,
    line: String,
    /// Keys of the positions before it on its line.
    path: Vec<u64>,
}

/// Writes a compiled book as text. The continuations of a position that several lines reach are written only where it is first
/// reached. Positions reachable neither from the start of the game nor from a start position of the book are omitted, since only
/// their keys are known.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
/// use xiangqi::openings::text::write;
///
/// let source = "C2.5\n  H8+7*30\n  C8.5\n";
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", source)?;
/// assert_eq!(write(&compiler.finish()?), source);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(contents: &Contents) -> String {
    write_with(contents, &mut |_| {})
}

/// Like [`write()`], and calls `written` with the number of moves of each position as it is written, for progress reports.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
/// use xiangqi::openings::text::write_with;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5\n  H8+7\n  C8.5\n")?;
/// let mut moves = 0;
/// write_with(&compiler.finish()?, &mut |more| moves += more);
/// assert_eq!(moves, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_with(contents: &Contents, written: &mut dyn FnMut(usize)) -> String {
    let mut text = String::new();
    let mut seen = HashSet::new();
    let mut repeating = Vec::new();
    for start in std::iter::once(START_FEN).chain(contents.starts.iter().map(String::as_str)) {
        let Ok(board) = Board::from_fen(start) else { continue };
        if start != START_FEN {
            text.push_str(&format!("start {start}\n"));
        }
        let mut pending = vec![Pending { board, indent: 0, line: String::new(), path: Vec::new() }];
        while let Some(branch) = pending.pop() {
            repeating.extend(write_branch(contents, branch, &mut seen, &mut pending, &mut text, written));
        }
    }
    for (board, word) in repeating {
        text.push_str(&format!("start {} - - 0 1\n{word}\n", board.to_fen()));
    }
    text
}

fn end_line(branch: &mut Pending, text: &mut String) {
    if !branch.line.is_empty() {
        text.push_str(&format!("{:indent$}{}\n", "", branch.line, indent = 2 * branch.indent));
        branch.line.clear();
        branch.indent += 1;
    }
}

/// Writes a branch up to its end or to the next branching point, and adds the branches there to `pending`. Returns moves that repeat a
/// position of their line, which have to be lines of their own.
fn write_branch(
    contents: &Contents,
    mut branch: Pending,
    seen: &mut HashSet<u64>,
    pending: &mut Vec<Pending>,
    text: &mut String,
    written: &mut dyn FnMut(usize),
) -> Vec<(Board, String)> {
    let mut repeating = Vec::new();
    loop {
        let (key, orientation) = book_key(&branch.board);
        if !seen.insert(key) {
            end_line(&mut branch, text);
            return repeating;
        }
        branch.path.push(branch.board.key());
        let entries = contents.of(key);
        if let Some(Opening { english, chinese }) = entries.first().and_then(|entry| contents.name(entry.name)) {
            push_word(&mut branch.line, &format!("\"{english}\" \"{chinese}\""));
        }
        let moves = entries
            .iter()
            .map(|entry| (orientation.played(entry.mv), entry.weight))
            .filter(|(mv, _)| branch.board.is_legal(*mv))
            .map(|(mv, weight)| {
                let weight = if weight == DEFAULT_WEIGHT { String::new() } else { format!("*{weight}") };
                (format!("{}{weight}", notation::write(System::Wxf, &branch.board, mv)), branch.board.after(mv))
            });
        let (moves, loops): (Vec<_>, Vec<_>) = moves.partition(|(_, next)| !branch.path.contains(&next.key()));
        written(moves.len() + loops.len());
        repeating.extend(loops.into_iter().map(|(word, _)| (branch.board, word)));
        if let [(word, next)] = moves.as_slice() {
            if branch.line.len() > WIDTH {
                end_line(&mut branch, text);
            }
            push_word(&mut branch.line, word);
            branch.board = *next;
            continue;
        }
        end_line(&mut branch, text);
        let branches = moves.into_iter().rev();
        let (indent, path) = (branch.indent, &branch.path);
        pending.extend(branches.map(|(line, board)| Pending { board, indent, line, path: path.clone() }));
        return repeating;
    }
}

fn push_word(line: &mut String, word: &str) {
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(word);
}
