//! Reads and writes puzzles as JSON Lines and as PGN.
//!
//! A line of JSON contains `fen`, `goal` (`mate`, `win` or `draw`), `moves` (number of own moves), `solution` (the main line in
//! coordinates), `accepted` (the accepted moves at each own turn on it), `variations` (the other lines of the tree, each from the start),
//! `rating`, `nodes`, `tags` and `source`. A PGN game contains the same: the position as its start, the tree as its moves, the rest as tags.

use super::{Goal, Puzzle, Source};
use crate::board::{FenError, Position};
use crate::records::{self, Format, NodeId, PgnOptions, Record, RecordError, RecordResult, Records, Setup};
use crate::types::{Color, Move, counted};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// An error of reading or writing a puzzle.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// Not the JSON of a puzzle.
    #[error("{0}, expected a JSON object with fen, goal and solution")]
    Json(#[from] serde_json::Error),
    /// An invalid position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An illegal or unreadable move of a line.
    #[error("'{mv}' in line '{line}' is not a legal move, expected coordinates such as h2e2")]
    Move {
        /// The text of the move.
        mv: String,
        /// The entire line.
        line: String,
    },
    /// Moves of a game that cannot be read or are illegal.
    #[error("{0}")]
    Moves(String),
    /// An unknown goal.
    #[error("goal '{0}', expected mate, win or draw")]
    Goal(String),
    /// A tag that is missing or not a number.
    #[error("tag {0} is missing or not a number")]
    Tag(&'static str),
    /// A tree without a move of the solver, or with a line that ends after an opponent's move.
    #[error("a line of the solution ends before the solver's move")]
    Unfinished,
    /// A field that follows from the lines is different.
    #[error("the field {0} contradicts the lines of the solution")]
    Contradiction(&'static str),
    /// The record cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

#[derive(Serialize, Deserialize)]
struct JsonPuzzle {
    fen: String,
    goal: String,
    #[serde(default)]
    moves: usize,
    solution: Vec<String>,
    #[serde(default)]
    accepted: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<String>>,
    #[serde(default)]
    rating: u16,
    #[serde(default)]
    nodes: Option<u64>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    source: Source,
}

/// Parses the puzzles of a file, JSON Lines or PGN. An invalid puzzle gives an error that names its line or game.
///
/// ```
/// let text = r#"{"fen":"3k5/9/9/9/9/9/9/9/R8/4K4 w","goal":"win","solution":["a1a9"]}"#;
/// let puzzles: Vec<_> = chuhe::puzzles::text::read(text.as_bytes().to_vec()).collect();
/// assert!(puzzles.len() == 1 && puzzles[0].is_ok());
/// ```
pub fn read(bytes: Vec<u8>) -> Box<dyn Iterator<Item = Result<Puzzle, String>>> {
    let start = records::decode(&bytes[..bytes.len().min(1 << 12)]);
    if start.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return Box::new(read_json(bytes));
    }
    match Records::new(bytes, Some(Format::Pgn)) {
        Ok(records) => Box::new((1..).zip(records).map(of_game)),
        Err(error) => Box::new(std::iter::once(Err(error.to_string()))),
    }
}

/// Parses JSON Lines. JSON is UTF-8, but a text editor may have marked it so or written UTF-16, and the names of players can be in another
/// encoding.
pub(crate) fn read_json(bytes: Vec<u8>) -> impl Iterator<Item = Result<Puzzle, String>> {
    let bytes = if records::is_utf16(&bytes) { records::decode(&bytes).into_owned().into_bytes() } else { bytes };
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let lines = (1..).zip(text.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.trim_ascii().is_empty());
    let puzzles: Vec<_> = lines.map(|(number, line)| of_line((number, &records::decode(line)))).collect();
    puzzles.into_iter()
}

/// Parses a numbered line of JSON.
fn of_line((number, line): (usize, &str)) -> Result<Puzzle, String> {
    Puzzle::from_json(line).map_err(|error| format!("line {number}: {error}"))
}

/// Converts a numbered PGN game.
pub(crate) fn of_game((number, record): (usize, Result<Record, RecordError>)) -> Result<Puzzle, String> {
    let puzzle = record.map_err(|error| error.inner().to_string());
    let puzzle = puzzle.and_then(|record| Puzzle::from_record(&record).map_err(|error| error.to_string()));
    puzzle.map_err(|error| format!("game {number}: {error}"))
}

impl Goal {
    /// `mate`, `win` or `draw`.
    pub fn id(self) -> &'static str {
        match self {
            Goal::Mate(_) => "mate",
            Goal::Win => "win",
            Goal::Draw => "draw",
        }
    }

    /// Parses a goal, given the number of own moves on the main line.
    fn of_id(id: &str, moves: usize) -> Result<Goal, PuzzleError> {
        match id {
            "mate" => Ok(Goal::Mate(moves.min(u8::MAX as usize) as u8)),
            "win" => Ok(Goal::Win),
            "draw" => Ok(Goal::Draw),
            other => Err(PuzzleError::Goal(other.into())),
        }
    }

    /// The task in words.
    pub fn text(self) -> String {
        match self {
            Goal::Mate(moves) => format!("Mate in {moves}"),
            Goal::Win => "Find the only winning move".into(),
            Goal::Draw => "Find the only move that holds the draw".into(),
        }
    }
}

impl Puzzle {
    /// The line of JSON, without a line feed.
    pub fn to_json(&self) -> String {
        let text = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        let main = self.main_line();
        let json = JsonPuzzle {
            fen: Position::new(self.board, 0, 1).to_fen(),
            goal: self.goal.id().into(),
            moves: main.len().div_ceil(2),
            solution: text(&main),
            accepted: self.accepted().iter().map(|moves| text(moves)).collect(),
            variations: self.lines().iter().skip(1).map(|line| text(line)).collect(),
            rating: self.rating,
            nodes: self.nodes,
            tags: self.themes.iter().map(|theme| theme.name().into()).collect(),
            source: self.source.clone(),
        };
        serde_json::to_string(&json).unwrap_or_default()
    }

    /// Parses a line of JSON. Unknown tags are ignored; `moves` and `accepted` follow from the lines and may be missing.
    ///
    /// # Errors
    /// If it is not a puzzle, a move is illegal, or `moves` or `accepted` contradicts the lines.
    pub fn from_json(text: &str) -> Result<Puzzle, PuzzleError> {
        let json: JsonPuzzle = serde_json::from_str(text)?;
        let board = *Position::from_fen(&json.fen)?.board();
        let mut solution = Record::new(Setup::from_board(&board));
        for line in std::iter::once(&json.solution).chain(&json.variations) {
            add_line(&mut solution, line)?;
        }
        let goal = Goal::of_id(&json.goal, json.solution.len().div_ceil(2))?;
        let themes = json.tags.iter().filter_map(|tag| tag.parse().ok()).collect();
        let puzzle = Puzzle { board, goal, solution, rating: json.rating, nodes: json.nodes, themes, source: json.source };
        let puzzle = puzzle.checked()?;
        let accepted: Vec<Vec<String>> =
            puzzle.accepted().iter().map(|moves| moves.iter().map(Move::to_string).collect()).collect();
        if json.moves > 0 && json.moves != json.solution.len().div_ceil(2) {
            return Err(PuzzleError::Contradiction("moves"));
        }
        if !json.accepted.is_empty() && json.accepted != accepted {
            return Err(PuzzleError::Contradiction("accepted"));
        }
        Ok(puzzle)
    }

    /// All lines of the tree from the start, main line first.
    pub fn lines(&self) -> Vec<Vec<Move>> {
        let (mut lines, mut line): (Vec<Vec<Move>>, Vec<Move>) = Default::default();
        for (depth, node) in self.solution.walk().filter(|&(depth, _)| depth > 0) {
            line.truncate(depth - 1);
            line.extend(self.solution.mv(node));
            if self.solution.next(node).is_none() {
                lines.push(line.clone());
            }
        }
        lines
    }

    /// The opponent's reply to a move of the solver: the first move of the longest line. None at the end of a line.
    pub fn defence(&self, after: NodeId) -> Option<NodeId> {
        let replies: Vec<NodeId> = self.solution.children(after).collect();
        // In the order of `walk` every node comes after its parent.
        let mut below: HashMap<NodeId, usize> = HashMap::new();
        for (_, id) in self.solution.walk().collect::<Vec<_>>().into_iter().rev() {
            let own = below.get(&id).copied().unwrap_or(0);
            if let Some(parent) = self.solution.parent(id) {
                let most = below.entry(parent).or_default();
                *most = (own + 1).max(*most);
            }
        }
        let longest = |id: &NodeId| below.get(id).copied().unwrap_or(0);
        replies.iter().rev().copied().max_by_key(longest)
    }

    /// The puzzle as a game record with its tags.
    pub fn to_record(&self) -> Record {
        let mut record = self.solution.clone();
        let solver = self.board.side_to_move();
        record.set_tag("Event", self.goal.text());
        record.set_tag("Red", self.source.red.clone());
        record.set_tag("Black", self.source.black.clone());
        record.set_tag("PuzzleGoal", self.goal.id());
        record.set_tag("PuzzleRating", self.rating.to_string());
        if let Some(nodes) = self.nodes {
            record.set_tag("PuzzleNodes", nodes.to_string());
        }
        record.set_tag("PuzzleTags", self.themes.iter().map(|theme| theme.name()).collect::<Vec<_>>().join(" "));
        record.set_tag("PuzzleFile", self.source.file.clone());
        record.set_tag("PuzzleGame", self.source.game.to_string());
        record.set_tag("PuzzlePly", self.source.ply.to_string());
        record.result = match (self.goal, solver) {
            (Goal::Draw, _) => RecordResult::Draw,
            (_, Color::Red) => RecordResult::RedWins,
            (_, Color::Black) => RecordResult::BlackWins,
        };
        record
    }

    /// The puzzle as a PGN game.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn to_pgn(&self, options: &PgnOptions) -> Result<Vec<u8>, PuzzleError> {
        Ok(records::write(&self.to_record(), Format::Pgn, options)?.0)
    }

    /// Converts a game written by [`Puzzle::to_record`].
    ///
    /// # Errors
    /// If its position is invalid, a tag is missing or invalid, or a line is incomplete or was only read in part.
    pub fn from_record(record: &Record) -> Result<Puzzle, PuzzleError> {
        let number = |name: &'static str| record.tag(name).map(str::parse::<u64>).transpose().map_err(|_| PuzzleError::Tag(name));
        // A puzzle without them would be another one.
        if let Some(fault) = record.main_line_fault() {
            return Err(PuzzleError::Moves(fault.into()));
        }
        if record.left_out() > 0 {
            let moves = counted(record.left_out(), "move");
            return Err(PuzzleError::Moves(format!("{moves} of the variations cannot be read, expected legal moves")));
        }
        let position = Position::from_fen(&record.start.to_fen())?;
        let goal = Goal::of_id(record.tag("PuzzleGoal").ok_or(PuzzleError::Tag("PuzzleGoal"))?, record.plies().div_ceil(2))?;
        let text = |name| record.tag(name).filter(|text| *text != "?").unwrap_or_default().to_string();
        let source = Source {
            file: text("PuzzleFile"),
            game: number("PuzzleGame")?.unwrap_or_default() as usize,
            ply: number("PuzzlePly")?.unwrap_or_default() as usize,
            red: text("Red"),
            black: text("Black"),
        };
        let mut solution = Record::new(Setup::from_board(position.board()));
        let mut above = vec![solution.root()];
        for (depth, node) in record.walk().filter(|&(depth, _)| depth > 0) {
            above.truncate(depth);
            let Some(mv) = record.mv(node) else { continue };
            let parent = above[depth - 1];
            above.push(solution.add(parent, mv).map_err(|_| PuzzleError::Unfinished)?);
        }
        let themes = record.tag("PuzzleTags").unwrap_or_default().split(' ').filter_map(|tag| tag.parse().ok()).collect();
        let rating = number("PuzzleRating")?.unwrap_or_default().min(u16::MAX as u64) as u16;
        let nodes = number("PuzzleNodes")?;
        Puzzle { board: *position.board(), goal, solution, rating, nodes, themes, source }.checked()
    }

    /// Returns the puzzle if every line ends with a move of the solver.
    fn checked(self) -> Result<Puzzle, PuzzleError> {
        let lines = self.lines();
        if lines.is_empty() || lines.iter().any(|line| line.len() % 2 == 0) { Err(PuzzleError::Unfinished) } else { Ok(self) }
    }
}

/// Adds a line from the start, reusing existing moves.
fn add_line(tree: &mut Record, line: &[String]) -> Result<(), PuzzleError> {
    let mut node = tree.root();
    let Ok(mut board) = tree.start.board() else { return Err(PuzzleError::Unfinished) };
    for text in line {
        let mv = Move::from_uci(text).ok().filter(|&mv| board.is_legal(mv));
        let full = || PuzzleError::Move { mv: text.clone(), line: line.join(" ") };
        let mv = mv.ok_or_else(full)?;
        let known: Option<NodeId> = tree.children(node).find(|&child| tree.mv(child) == Some(mv));
        node = match known {
            Some(child) => child,
            None => tree.add(node, mv).map_err(|_| full())?,
        };
        board = board.after(mv);
    }
    Ok(())
}
