//! The book compiler: plays every line of the sources on a board and rejects illegal and contradictory input.

use super::encode::{BookEntry, Contents, NO_NAME, Opening};
use super::key::book_key;
use super::text::{DEFAULT_WEIGHT, MAX_NAME, SourceError, Token, read_line, read_move};
use crate::board::{Board, FenError, START_FEN};
use crate::types::{Move, counted, sort_by};
use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};

/// The error for a book with more opening names than 16-bit numbers allow; it holds the number of names.
///
/// ```
/// use xiangqi::openings::compile::TooManyNames;
///
/// assert_eq!(TooManyNames(70_000).to_string(), "70000 names of openings, expected at most 65534");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} names of openings, expected at most {most}", most = NO_NAME - 1)]
pub struct TooManyNames(pub usize);

/// Index of the file and line number.
type SourceLine = (usize, usize);

/// The end of a line: the board, and the keys of the positions that led to it.
#[derive(Clone)]
struct Tip {
    board: Board,
    path: Vec<u64>,
}

/// Compiles any number of sources into one book.
///
/// ```
/// use xiangqi::openings::compile::Compiler;
///
/// let mut compiler = Compiler::new()?;
/// compiler.read("mine.wxf", "C2.5\n  H8+7*30\n  C8.5\n")?;
/// assert_eq!(compiler.finish()?.entries.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Compiler {
    files: Vec<String>,
    /// By book key and stored move: the weight and where it was given, if any line gives one.
    moves: BTreeMap<(u64, Move), Option<(u32, SourceLine)>>,
    names: BTreeMap<u64, (Opening, SourceLine)>,
    /// The Chinese name of each English name.
    pairs: BTreeMap<String, (String, SourceLine)>,
    starts: BTreeSet<String>,
    start: Board,
}

impl Compiler {
    /// Creates a compiler without any sources.
    ///
    /// ```
    /// use xiangqi::openings::compile::Compiler;
    ///
    /// assert!(Compiler::new()?.finish()?.entries.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None in practice: the error is that of parsing the start position.
    pub fn new() -> Result<Compiler, FenError> {
        Ok(Compiler {
            files: Vec::new(),
            moves: BTreeMap::new(),
            names: BTreeMap::new(),
            pairs: BTreeMap::new(),
            starts: BTreeSet::new(),
            start: Board::from_fen(START_FEN)?,
        })
    }

    fn location(&self, (file, line): SourceLine) -> String {
        format!("{}:{line}", self.files[file])
    }

    /// Reads a source. `file` is the name used in errors.
    ///
    /// ```
    /// use xiangqi::openings::compile::Compiler;
    ///
    /// let mut compiler = Compiler::new()?;
    /// compiler.read("mine.wxf", "C2.5 H8+7\n")?;
    /// let error = compiler.read("other.wxf", "# a remark\nC2.2\n").unwrap_err();
    /// assert_eq!((error.file.as_str(), error.line), ("other.wxf", 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first faulty line and the reason.
    pub fn read(&mut self, file: &str, text: &str) -> Result<(), SourceError> {
        self.read_watched(file, text, &mut |_, _, _, _| {})
    }

    /// Like [`Compiler::read`], and calls `watch` for every move in order, with its line number, the index of its token in the line,
    /// the board before the move, and the move.
    ///
    /// ```
    /// use xiangqi::openings::compile::Compiler;
    ///
    /// let mut compiler = Compiler::new()?;
    /// let mut seen = Vec::new();
    /// compiler.read_watched("mine.wxf", "C2.5 H8+7\n", &mut |line, token, _, mv| seen.push((line, token, mv.to_string())))?;
    /// assert_eq!(seen, [(1, 0, "h2e2".to_string()), (1, 1, "h9g7".to_string())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first faulty line and the reason.
    pub fn read_watched(
        &mut self,
        file: &str,
        text: &str,
        watch: &mut dyn FnMut(usize, usize, &Board, Move),
    ) -> Result<(), SourceError> {
        let number = self.files.len();
        self.files.push(file.to_string());
        let mut root = Tip { board: self.start, path: Vec::new() };
        // The lines that the next line can continue, with their indentation.
        let mut open: Vec<(usize, Tip)> = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let at = (number, index + 1);
            let fail = |reason: String| SourceError { file: file.to_string(), line: index + 1, reason };
            let Some(line) = read_line(index + 1, line).map_err(|problem| fail(problem.to_string()))? else { continue };
            if let [Token::Start(fen)] = line.tokens.as_slice() {
                if line.indent > 0 {
                    return Err(fail("an indented start line, expected no indentation".into()));
                }
                if fen.len() > MAX_NAME || fen.chars().any(|letter| letter.is_control() || letter == '"') {
                    return Err(fail(format!("a start of {}, expected a FEN", counted(fen.len(), "byte"))));
                }
                root = Tip { board: Board::from_fen(fen).map_err(|error| fail(error.to_string()))?, path: Vec::new() };
                if *fen != START_FEN && !self.starts.contains(*fen) {
                    self.starts.insert(fen.to_string());
                }
                open.clear();
                continue;
            }
            let mut closed = None;
            while open.last().is_some_and(|(indent, _)| *indent >= line.indent) {
                closed = open.pop().map(|(indent, _)| indent);
            }
            if closed.is_some_and(|indent| indent != line.indent) || (open.is_empty() && line.indent > 0) {
                return Err(fail(format!(
                    "indented by {}, expected the indentation of a line above",
                    counted(line.indent, "space")
                )));
            }
            let mut tip = open.last().map_or_else(|| root.clone(), |(_, tip)| tip.clone());
            for (token_index, token) in line.tokens.iter().enumerate() {
                match token {
                    Token::Start(_) => {}
                    Token::Name(english, chinese) => self.name(&tip.board, english, chinese, at).map_err(fail)?,
                    Token::Move(text, weight) => {
                        let mv = read_move(&tip.board, text).map_err(|problem| fail(problem.to_string()))?;
                        watch(index + 1, token_index, &tip.board, mv);
                        tip = self.play(tip, mv, text, *weight, at).map_err(fail)?;
                    }
                }
            }
            open.push((line.indent, tip));
        }
        Ok(())
    }

    fn play(&mut self, mut tip: Tip, mv: Move, text: &str, weight: Option<u32>, at: SourceLine) -> Result<Tip, String> {
        let (key, orientation) = book_key(&tip.board);
        let known = self.moves.entry((key, orientation.stored(mv))).or_default();
        match (&known, weight) {
            (Some((old, line)), Some(weight)) if *old != weight => {
                let (old, line) = (*old, *line);
                return Err(format!("'{text}' has weight {weight} here and {old} at {}", self.location(line)));
            }
            (None, Some(weight)) => *known = Some((weight, at)),
            _ => {}
        }
        tip.path.push(tip.board.key());
        tip.board = tip.board.after(mv);
        if tip.path.contains(&tip.board.key()) {
            return Err(format!("'{text}' repeats a position of its own line"));
        }
        Ok(tip)
    }

    fn name(&mut self, board: &Board, english: &str, chinese: &str, at: SourceLine) -> Result<(), String> {
        let opening = Opening { english: english.to_string(), chinese: chinese.to_string() };
        match self.pairs.entry(opening.english.clone()) {
            Slot::Vacant(slot) => drop(slot.insert((opening.chinese.clone(), at))),
            Slot::Occupied(slot) => {
                let (known, line) = slot.get().clone();
                if known != opening.chinese {
                    return Err(format!("\"{english}\" is \"{chinese}\" here and \"{known}\" at {}", self.location(line)));
                }
            }
        }
        let (key, _) = book_key(board);
        match self.names.entry(key) {
            Slot::Vacant(slot) => drop(slot.insert((opening, at))),
            Slot::Occupied(slot) => {
                let (known, line) = slot.get().clone();
                if known != opening {
                    return Err(format!(
                        "the position is \"{english}\" here and \"{}\" at {}",
                        known.english,
                        self.location(line)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Finishes the compilation and returns the book.
    ///
    /// ```
    /// use xiangqi::openings::compile::Compiler;
    ///
    /// let mut compiler = Compiler::new()?;
    /// compiler.read("mine.wxf", "C2.5 \"Central Cannon\" \"中炮\"\n")?;
    /// let book = compiler.finish()?;
    /// assert_eq!(book.names[0].english, "Central Cannon");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there are more than 65534 distinct names.
    pub fn finish(self) -> Result<Contents, TooManyNames> {
        let mut names: Vec<Opening> = self.names.values().map(|(opening, _)| opening.clone()).collect();
        sort_by(&mut names, Opening::cmp);
        names.dedup();
        if names.len() >= NO_NAME as usize {
            return Err(TooManyNames(names.len()));
        }
        let number = |key: u64| {
            let opening = self.names.get(&key).map(|(opening, _)| opening);
            opening.and_then(|opening| names.binary_search(opening).ok()).map_or(NO_NAME, |index| index as u16)
        };
        let mut entries: Vec<BookEntry> = Vec::with_capacity(self.moves.len());
        for (&(key, mv), weight) in &self.moves {
            let weight = weight.map_or(DEFAULT_WEIGHT, |(weight, _)| weight);
            entries.push(BookEntry { key, weight, mv, name: number(key) });
        }
        let has_no_move = |key: u64| self.moves.range((key, Move::NONE)..).next().is_none_or(|((next, _), _)| *next != key);
        for &key in self.names.keys().filter(|&&key| has_no_move(key)) {
            entries.push(BookEntry { key, weight: 0, mv: Move::NONE, name: number(key) });
        }
        sort_by(&mut entries, BookEntry::order);
        Ok(Contents { entries, names, starts: self.starts.into_iter().collect() })
    }
}
