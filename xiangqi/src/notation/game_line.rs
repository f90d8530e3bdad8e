//! Positions given as a start position and a line of moves: the common reader for protocols, command lines and lists.

use super::auto::{Detected, OtherReading, read_line_among};
use super::convert::Notation;
use super::error::{LineError, ReadError};
use super::glued;
use super::move_numbers::{MoveNumbers, circled_in, has_numeral, is_digit, number_in, strip_number};
use super::system::Usage;
use super::{System, text, vietnamese};
use crate::board::{Board, FenError, Position, Setup};
use crate::types::{Color, Move, UnknownName};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The notation system in which to read a line.
///
/// ```
/// use xiangqi::notation::{System, SystemChoice};
///
/// assert_eq!("auto".parse(), Ok(SystemChoice::Auto));
/// assert_eq!("wxr".parse(), Ok(SystemChoice::Only(System::Wxr)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SystemChoice {
    /// Detect the system.
    #[default]
    Auto,
    /// Use only this system.
    Only(System),
}

impl SystemChoice {
    /// The values that [`SystemChoice::from_str`] accepts: `auto` and the identifiers of all systems.
    ///
    /// ```
    /// use xiangqi::notation::SystemChoice;
    ///
    /// assert_eq!(SystemChoice::ids().take(3).collect::<Vec<_>>(), ["auto", "iccs", "uci"]);
    /// ```
    pub fn ids() -> impl Iterator<Item = &'static str> {
        std::iter::once(AUTO).chain(System::ids())
    }
}

const AUTO: &str = "auto";

impl fmt::Display for SystemChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SystemChoice::Auto => AUTO,
            SystemChoice::Only(system) => system.id(),
        })
    }
}

impl FromStr for SystemChoice {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<SystemChoice, UnknownName> {
        match text {
            _ if text.eq_ignore_ascii_case(AUTO) => Ok(SystemChoice::Auto),
            text => text.parse().map(SystemChoice::Only).map_err(|_| UnknownName::new("notation", text, SystemChoice::ids())),
        }
    }
}

/// A start position and the moves played from it, as text.
///
/// ```
/// use xiangqi::notation::{LineReader, PositionText};
///
/// let text = PositionText::parse_line("position startpos moves C2=5 H8+7");
/// let line = text.read(&LineReader::default())?;
/// assert_eq!(line.position.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
/// # Ok::<(), xiangqi::notation::PositionTextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionText {
    /// The FEN of the start position, or `None` for the standard one.
    pub fen: Option<String>,
    /// The moves, in any notation.
    pub moves: Vec<String>,
}

/// Error when reading a [`PositionText`].
///
/// ```
/// use xiangqi::notation::{LineReader, PositionText, PositionTextError};
///
/// let read = |line| PositionText::parse_line(line).read(&LineReader::default());
/// assert!(matches!(read("9/9 w").unwrap_err(), PositionTextError::Fen(_)));
/// assert!(matches!(read("startpos moves a0a9").unwrap_err(), PositionTextError::Line(_)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionTextError {
    /// The start position is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
}

impl PositionText {
    /// Parses words: `startpos` or a FEN, either of them optionally preceded by `fen`, then `moves` and the moves. After `startpos` the word
    /// `moves` may be missing.
    ///
    /// ```
    /// use xiangqi::notation::PositionText;
    ///
    /// let text = PositionText::parse("startpos moves h2e2 h9g7".split(' '));
    /// assert_eq!((text.fen, text.moves.len()), (None, 2));
    /// assert_eq!(PositionText::parse("startpos h2e2".split(' ')).moves, ["h2e2"]);
    /// ```
    pub fn parse<'a>(words: impl Iterator<Item = &'a str>) -> PositionText {
        let mut words = words.peekable();
        words.next_if_eq(&"fen");
        if words.next_if_eq(&"startpos").is_some() {
            words.next_if_eq(&"moves");
            return PositionText { fen: None, moves: words.map(str::to_string).collect() };
        }
        let mut fen = Vec::new();
        while let Some(word) = words.next_if(|&word| word != "moves") {
            fen.push(word);
        }
        let moves = words.skip(1).map(str::to_string).collect();
        PositionText { fen: Some(fen.join(" ")), moves }
    }

    /// Parses a line of text like [`PositionText::parse`]. A leading `position` is ignored.
    ///
    /// ```
    /// use xiangqi::notation::PositionText;
    ///
    /// let text = PositionText::parse_line("position fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves d0d1");
    /// assert_eq!(text.fen.as_deref(), Some("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"));
    /// assert_eq!(text.moves, ["d0d1"]);
    /// ```
    pub fn parse_line(line: &str) -> PositionText {
        let mut words = line.split_ascii_whitespace().peekable();
        words.next_if_eq(&"position");
        PositionText::parse(words)
    }

    /// The position before the moves.
    ///
    /// ```
    /// use xiangqi::notation::{LineReader, PositionText};
    ///
    /// let text = PositionText::parse_line("startpos moves h2e2");
    /// assert_eq!(text.start(&LineReader::default())?.plies(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the FEN is invalid, or the position cannot occur in a game (or, with [`LineReader::diagrams`], in a diagram).
    pub fn start(&self, reader: &LineReader) -> Result<Position, FenError> {
        let Some(fen) = &self.fen else { return Ok(Position::startpos()) };
        let setup = Setup::from_fen(fen)?;
        Ok(if reader.diagrams { setup.position()? } else { Position::try_from(&setup)? })
    }

    /// The position after the moves.
    ///
    /// ```
    /// use xiangqi::notation::{LineReader, PositionText};
    ///
    /// let line = PositionText::parse_line("startpos moves 1. C2=5 H8+7").read(&LineReader::default())?;
    /// assert_eq!(line.position.plies(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the start position is invalid or a move cannot be read.
    pub fn read(&self, reader: &LineReader) -> Result<GameLine, PositionTextError> {
        Ok(reader.read(self.start(reader)?, &self.moves)?)
    }
}

/// A line that was read.
///
/// ```
/// use xiangqi::notation::{LineReader, PositionText, System};
///
/// let line = PositionText::parse_line("startpos moves 炮二平五").read(&LineReader::default())?;
/// assert_eq!(line.position.state().last_move.to_string(), "h2e2");
/// assert!(line.systems.contains(&System::Chinese));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameLine {
    /// The position after the last move, including the history of moves.
    pub position: Position,
    /// The systems that read the line as these moves.
    pub systems: Vec<System>,
    /// Systems that read the line as other moves, see [`Detected::others`].
    pub others: Vec<OtherReading>,
    /// Plies of the position before the line.
    played_before: usize,
}

impl GameLine {
    /// A one-line note on which reading was chosen, or `None` if no other system in current use reads the line differently. See
    /// [`Detected::note`].
    ///
    /// ```
    /// use xiangqi::notation::{LineReader, PositionText};
    ///
    /// let line = PositionText::parse_line("fen 3k5/9/6P2/9/9/9/9/9/6C2/4K4 w moves P3.4").read(&LineReader::default())?;
    /// assert!(line.note().is_some_and(|note| note.contains("in vietnamese it would be g1g5")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn note(&self) -> Option<String> {
        let states = self.position.states().iter().skip(1 + self.played_before);
        let moves = states.map(|state| state.last_move).collect();
        Detected { systems: self.systems.clone(), moves, others: self.others.clone() }.note()
    }
}

/// A reader of positions and lines of moves, with its options.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::LineReader;
///
/// let line = LineReader::default().read(Position::startpos(), &["1. C2=5 H8+7", "2. H2+3"])?;
/// assert_eq!(line.position.plies(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LineReader {
    /// Preferred systems, tried in this order before detection: the first that reads the entire line is used. Their options are those in
    /// [`LineReader::notations`], if they are among these.
    pub first: Vec<System>,
    /// The systems tried, with their options.
    pub notations: Vec<Notation>,
    /// Whether positions of composed diagrams are accepted, see [`Setup::diagram_board`].
    pub diagrams: bool,
}

impl Default for LineReader {
    /// Detects the system and accepts positions that can occur in a game. Coordinates with ranks 0 to 9, the usual form between
    /// programs, take precedence over ranks 1 to 10 if both give a legal move.
    fn default() -> LineReader {
        LineReader { first: vec![System::Uci], ..LineReader::new(SystemChoice::Auto) }
    }
}

impl LineReader {
    /// A reader for positions that can occur in a game, with no preferred system.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{LineReader, System, SystemChoice};
    ///
    /// let reader = LineReader::new(SystemChoice::Only(System::OldManual));
    /// assert_eq!(reader.read_move(&Position::startpos(), "C2=5")?.to_string(), "b2e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(choice: SystemChoice) -> LineReader {
        let notations = match choice {
            SystemChoice::Auto => System::ALL.into_iter().map(Notation::new).collect(),
            SystemChoice::Only(system) => vec![Notation::new(system)],
        };
        LineReader { first: Vec::new(), notations, diagrams: false }
    }

    /// Adds a preferred system, which takes precedence over all others.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{LineReader, System};
    ///
    /// let reader = LineReader::default().with_first(System::OldManual);
    /// assert_eq!(reader.read_move(&Position::startpos(), "C2=5")?.to_string(), "b2e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_first(mut self, system: System) -> LineReader {
        self.first.insert(0, system);
        self
    }

    /// Also accepts positions of composed diagrams.
    ///
    /// ```
    /// use xiangqi::notation::{LineReader, PositionText};
    ///
    /// // A pawn on its own back rank.
    /// let text = PositionText::parse_line("4k4/9/9/9/9/9/9/9/9/P2K5 w");
    /// assert!(text.start(&LineReader::default()).is_err());
    /// assert!(text.start(&LineReader::default().with_diagrams()).is_ok());
    /// ```
    pub fn with_diagrams(self) -> LineReader {
        LineReader { diagrams: true, ..self }
    }

    /// Reads the moves of a line and plays them. Move numbers, and `!` and `?` after a move, are skipped. A text may contain several moves
    /// separated by spaces, commas or other punctuation, or not at all (`炮二平五马8进7`).
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::LineReader;
    ///
    /// let reader = LineReader::default();
    /// assert_eq!(reader.read(Position::startpos(), &["炮二平五", "馬8進7"])?.position.plies(), 2);
    /// assert_eq!(reader.read(Position::startpos(), &["h2e2", "h9h8"]).unwrap_err().number, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`LineError`] if a move cannot be read.
    pub fn read<T: AsRef<str>>(&self, start: Position, texts: &[T]) -> Result<GameLine, LineError> {
        self.read_visible(start, &visible(texts))
    }

    /// Not generic, so that the program has this code once.
    fn read_visible(&self, start: Position, visible: &[Cow<'_, str>]) -> Result<GameLine, LineError> {
        let mut texts = Text::all(visible.iter().map(|text| Text::of(text.trim())));
        // `e4 e5` looks like two pawn moves of chess, and is not read as the coordinates of one move.
        if texts.iter().any(|text| is_two_points(text.text)) {
            texts = Text::split(&texts);
        }
        let mut found = self.find_all(&start, &texts);
        // A move may contain a space (`Cannon traverses`), so each text is first tried as one move and only then split.
        if found.is_err() && texts.iter().any(|text| text.text.contains(is_between)) {
            texts = Text::split(&texts);
            // An error for the text as one move is more informative than that its words are not moves.
            let whole = found.err().filter(|error| !matches!(error.error, ReadError::NotThisNotation { .. }));
            found = self.find_all(&start, &texts).map_err(|error| whole.unwrap_or(error));
        }
        if found.is_err() && texts.iter().any(|text| glued::split(text.whole).len() > 1) {
            texts = Text::all(texts.iter().flat_map(|text| Text::of_glued(text.whole)));
            let whole = found.err().filter(|error| !matches!(error.error, ReadError::NotThisNotation { .. }));
            found = self.find_all(&start, &texts).map_err(|error| whole.unwrap_or(error));
        }
        // Blanks and ends of lines may be inside moves.
        let joined = if found.is_err() { glued::without_breaks(visible) } else { Vec::new() };
        if !joined.is_empty() {
            let words = Text::all(joined.iter().flat_map(|text| Text::of_glued(text)));
            let again = self.find_all(&start, &words);
            let reach = |found: &Result<Detected, LineError>| found.as_ref().map_or_else(|error| error.number, |_| usize::MAX);
            if reach(&again) > reach(&found) {
                (found, texts) = (again, words);
            }
        }
        let Detected { systems, moves, others } = found?;
        check_numbers(start.board(), &texts).map_err(|error| in_round(&start, error))?;
        let played_before = start.plies();
        Ok(GameLine { position: played(start, &moves), systems, others, played_before })
    }

    /// Like [`LineReader::read`], but keeps the moves before the first unreadable one and returns its error separately.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::LineReader;
    ///
    /// let (line, error) = LineReader::default().read_prefix(Position::startpos(), &["h2e2", "h9h8", "h0g2"]);
    /// assert_eq!(line.position.plies(), 1);
    /// assert_eq!(error.map(|error| error.number), Some(2));
    /// ```
    pub fn read_prefix<T: AsRef<str>>(&self, start: Position, texts: &[T]) -> (GameLine, Option<LineError>) {
        self.read_visible_prefix(start, &visible(texts))
    }

    fn read_visible_prefix(&self, start: Position, visible: &[Cow<'_, str>]) -> (GameLine, Option<LineError>) {
        match self.read_visible(start.clone(), visible) {
            Ok(line) => (line, None),
            Err(error) => {
                let nothing = || {
                    let (position, played_before) = (start.clone(), start.plies());
                    GameLine { position, systems: Vec::new(), others: Vec::new(), played_before }
                };
                // The error counts moves; a text may be a number, or contain several moves.
                let joined = glued::without_breaks(visible);
                let given = Text::all(visible.iter().map(|text| Text::of(text.trim())));
                let split = Text::split(&given);
                let single = Text::all(split.iter().flat_map(|text| Text::of_glued(text.whole)));
                let whole = Text::all(joined.iter().flat_map(|text| Text::of_glued(text)));
                let before = [given, split, single, whole].into_iter().find_map(|words| {
                    let moves = words.iter().map(|word| word.text).filter(|text| !without_end(text).is_empty());
                    let moves: Vec<&str> = moves.take(error.number - 1).collect();
                    let line = self.read(start.clone(), &moves).ok()?;
                    (line.position.plies() == start.plies() + error.number - 1).then_some(line)
                });
                (before.unwrap_or_else(nothing), Some(error))
            }
        }
    }

    /// Reads one move.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::LineReader;
    ///
    /// let mv = LineReader::default().read_move(&Position::startpos(), "马八进七")?;
    /// assert_eq!(mv.to_string(), "b0c2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`ReadError`] if the text does not denote exactly one legal move.
    pub fn read_move(&self, position: &Position, text: &str) -> Result<Move, ReadError> {
        let visible = text::visible(text);
        let word = Text::of(visible.trim());
        // A number alone is no move.
        let text = if word.text.is_empty() { word.whole } else { word.text };
        let read = |texts: &[&str]| {
            let text = texts.first().copied().unwrap_or_default();
            self.read_one(position, text).map_err(|error| LineError::new(position.board(), 0, error))
        };
        let mv = with_or_without_check(&[text], read).map_err(|error| error.error)?;
        check_numbers(position.board(), std::slice::from_ref(&word)).map_err(|error| error.error)?;
        Ok(mv)
    }

    /// Reads one move without a number or mark.
    fn read_one(&self, position: &Position, text: &str) -> Result<Move, ReadError> {
        let found = self.find(position, &[text]).map_err(|error| error.error)?;
        // A single move is not enough evidence for a historical or regional system if the text has the form of a general one.
        let is_certain = |system: &System| match system.usage() {
            Usage::General => true,
            Usage::Regional => vietnamese::is_unmistakable(text),
            Usage::Historical => false,
        };
        if !self.first.is_empty() && !found.systems.iter().any(|system| is_certain(system) || self.first.contains(system)) {
            let today = self.notations.iter().filter(|notation| notation.system.usage() == Usage::General);
            let slip = today
                .filter_map(|notation| notation.read(position.board(), text).err())
                .find(|error| !matches!(error, ReadError::NotThisNotation { .. }));
            slip.map_or(Ok(()), Err)?;
        }
        found.moves.first().copied().ok_or(ReadError::NotThisNotation { text: text.to_string(), system: None, looks_like: None })
    }

    /// Reads all moves, without the words and signs of check after them if it is necessary.
    fn find_all(&self, start: &Position, texts: &[Text<'_>]) -> Result<Detected, LineError> {
        let texts: Vec<&str> = texts.iter().map(|text| text.text).filter(|text| !text.is_empty()).collect();
        with_or_without_check(&texts, |texts| self.find(start, texts))
    }

    fn find(&self, start: &Position, texts: &[&str]) -> Result<Detected, LineError> {
        let board = start.board();
        let in_round = |error: LineError| in_round(start, error);
        for &system in &self.first {
            let usual = Notation::new(system);
            let notation = self.notations.iter().find(|notation| notation.system == system).unwrap_or(&usual);
            match notation.read_line(board, texts) {
                Ok(moves) => return Ok(Detected { systems: vec![system], moves, others: Vec::new() }),
                // The piece exists but cannot make this move: a mistake, not a move in another system.
                Err(error) if matches!(error.error, ReadError::CannotMoveSo { .. } | ReadError::LeavesKingInCheck { .. }) => {
                    return Err(in_round(error));
                }
                Err(_) => {}
            }
        }
        let found = match &self.notations[..] {
            [one] => one.read_line(board, texts).map(|moves| Detected { systems: vec![one.system], moves, others: Vec::new() }),
            all => read_line_among(all, board, texts),
        };
        found.map_err(in_round)
    }
}

/// Reads texts, without the words and signs of check after them if it is necessary.
fn with_or_without_check<T>(texts: &[&str], read: impl Fn(&[&str]) -> Result<T, LineError>) -> Result<T, LineError> {
    let first = match read(texts) {
        Err(error) => error,
        found => return found,
    };
    let bare: Vec<&str> = texts.iter().map(|text| without_end(text)).filter(|text| !text.is_empty()).collect();
    // A check without a move is no line, and the `+` of a promotion is no check.
    if bare.is_empty() || bare == texts || matches!(first.error, ReadError::OtherGame { .. }) {
        return Err(first);
    }
    read(&bare).map_err(|error| {
        // A word of check ends the first attempt, so both count the same moves up to its error.
        let is_vague = matches!(first.error, ReadError::NotThisNotation { .. });
        if error.number > first.number || (error.number == first.number && is_vague) { error } else { first }
    })
}

/// Whether a character separates moves.
fn is_between(letter: char) -> bool {
    letter.is_whitespace() || ",，;；。、".contains(letter)
}

/// Whether a text is two points with a blank between them.
fn is_two_points(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let first = [words.next(), words.next(), words.next()];
    text.is_ascii() && matches!(first, [Some(from), Some(to), None] if glued::is_point(from) && glued::is_point(to))
}

/// A word with a move, a move number, or both.
struct Text<'a> {
    whole: &'a str,
    number: &'a str,
    /// Empty for a number alone.
    text: &'a str,
}

impl<'a> Text<'a> {
    /// Collects the words of a line. One or two digits before a move are its number: no move is so short.
    fn all(texts: impl Iterator<Item = Text<'a>>) -> Vec<Text<'a>> {
        let mut texts: Vec<Text> = texts.collect();
        let last = texts.iter().rposition(|text| !text.text.is_empty()).unwrap_or(0);
        for text in &mut texts[..last] {
            if text.number.is_empty() && text.text.chars().count() <= 2 && text.text.chars().all(is_digit) {
                (text.number, text.text) = (text.text, "");
            }
        }
        texts
    }

    /// The words of texts that may contain several moves. Blanks in the markup of `shorthand` (`<span style=…>`) separate nothing.
    fn split(texts: &[Text<'a>]) -> Vec<Text<'a>> {
        let words = |text: &Text<'a>| {
            let mut in_markup = false;
            text.whole.split_inclusive(move |letter: char| {
                in_markup = letter == '<' || (in_markup && letter != '>');
                !in_markup && is_between(letter)
            })
        };
        Text::all(texts.iter().flat_map(words).map(Text::of))
    }

    fn of(whole: &str) -> Text<'_> {
        // Punctuation may belong to a move number: `1、炮二平五`.
        let text = match strip_number(whole) {
            text if text.len() == whole.len() => behind_number(whole).unwrap_or(text),
            text => text,
        };
        let number = &whole[..whole.len() - text.len()];
        let text = text.trim_end_matches(is_between);
        // A full stop is part of a move only inside it: `C2.5`. Several stand for another move: `C2=5...`.
        let bare = text.strip_suffix(['.', '．']).filter(|bare| !bare.ends_with(['.', '．']));
        Text { whole, number, text: strip_marks(bare.unwrap_or(text)) }
    }

    /// The moves of a word that has several without blanks between them, each with the number before it, or the word itself.
    fn of_glued(whole: &'a str) -> Vec<Text<'a>> {
        let moves = glued::parts(whole);
        if moves.is_empty() {
            return vec![Text::of(whole)];
        }
        let text = |(before, mv): (&'a str, &'a str)| Text {
            whole: mv,
            number: before.trim_start_matches(is_between),
            text: strip_marks(mv),
        };
        moves.into_iter().map(text).collect()
    }
}

/// The pawn move that begins with a digit after a number and dots: `1.15+1`. `15.4` is a pawn that moves sideways.
fn behind_number(word: &str) -> Option<&str> {
    let digits = word.strip_prefix(['(', '（']).unwrap_or(word);
    let behind = digits.trim_start_matches(is_digit);
    let bare = behind.trim_start_matches(['.', '．', '、', '…', ':', '：', ')', '）']);
    let is_number = behind.len() < digits.len() && bare.len() < behind.len();
    (is_number && bare.chars().count() >= 4 && !bare.contains(is_between)).then_some(bare)
}

/// Checks that the numbers and dots agree with the moves, which could otherwise be read as those of the other side.
fn check_numbers(start: &Board, texts: &[Text<'_>]) -> Result<(), LineError> {
    let (mut numbers, mut side, mut index) = (MoveNumbers::default(), start.side_to_move(), 0);
    // Circled numbers beside others are those of notes.
    let are_notes = texts.iter().any(|text| number_in(text.number).is_some());
    for (at, Text { number, text, .. }) in texts.iter().enumerate() {
        numbers.note(number_in(number).or_else(|| circled_in(number).filter(|_| !are_notes)), number);
        if without_end(text).is_empty() {
            continue;
        }
        let mut behind = texts[at + 1..].iter().filter(|next| !next.whole.trim_matches(is_between).is_empty());
        let is_reply = index == 0 && side == Color::Red && numbers.begins_with_dots() && !has_numeral(text);
        if is_reply
            || numbers.has_jump()
            || numbers.is_gap(side, text, || behind.next().is_some_and(|next| next.number.is_empty()))
        {
            return Err(LineError::new(start, index, ReadError::MoveMissing { text: text.to_string() }));
        }
        numbers.played(side, text);
        (side, index) = (!side, index + 1);
    }
    Ok(())
}

fn in_round(start: &Position, error: LineError) -> LineError {
    LineError { round: error.round + start.fullmove().saturating_sub(1) as usize, ..error }
}

fn played(mut position: Position, moves: &[Move]) -> Position {
    moves.iter().for_each(|&mv| position.make(mv));
    position
}

/// Strips marks such as `!` and `?` directly after a move.
fn strip_marks(text: &str) -> &str {
    let bare = text.trim_end_matches(['!', '?', '！', '？']);
    if bare.is_empty() || bare.ends_with(char::is_whitespace) { text } else { bare }
}

/// Words of check that are no beginning of a move.
pub(crate) const CHECK_WORDS: [&str; 6] = ["将军", "將軍", "叫将", "叫將", "照将", "照將"];

/// Strips words and signs of check and mate after a move.
pub(crate) fn without_check(text: &str) -> &str {
    let text = text.trim_end_matches(['+', '#', '＋', '＃']);
    CHECK_WORDS.iter().chain(&["将", "將", "杀", "殺"]).find_map(|word| text.strip_suffix(word)).unwrap_or(text)
}

/// Like [`without_check`], and strips words of mate, which game records keep as remarks.
fn without_end(text: &str) -> &str {
    let bare = text.trim_end_matches(['+', '#', '＋', '＃']);
    ["将死", "將死", "绝杀", "絕殺"].iter().find_map(|word| bare.strip_suffix(word)).unwrap_or_else(|| without_check(text))
}

/// The texts of a line without their invisible characters.
fn visible<T: AsRef<str>>(texts: &[T]) -> Vec<Cow<'_, str>> {
    texts.iter().map(|text| text::visible(text.as_ref())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Legend;
    use crate::types::Color;

    fn moves(line: &GameLine) -> Vec<String> {
        line.position.moves().map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn every_form_of_a_position_is_parsed() {
        let text = |line: &str| PositionText::parse_line(line);
        assert_eq!(text("position startpos"), PositionText::default());
        assert_eq!(text("startpos moves a b").moves, ["a", "b"]);
        assert_eq!(text("fen 4k4/9 r moves a0a1").fen.as_deref(), Some("4k4/9 r"));
        assert_eq!(text("4k4/9 w - - 0 1").fen.as_deref(), Some("4k4/9 w - - 0 1"));
        assert_eq!(text("").fen.as_deref(), Some(""));
    }

    #[test]
    fn an_error_after_a_check_is_that_of_its_own_move() {
        let reader = LineReader::default();
        for texts in [&["C2=5", "C8=5", "C5+4+", "A4+5", "H2+9"], &["炮二平五", "炮8平5", "炮五进四＋", "士4进5", "马二进九"]]
        {
            assert_eq!(reader.read(Position::startpos(), texts).unwrap_err().number, 5, "{texts:?}");
            assert_eq!(reader.read_prefix(Position::startpos(), texts).0.position.plies(), 4);
        }
    }

    #[test]
    fn a_single_move_may_have_a_number_and_a_sign_of_check() {
        let read = |text: &str| LineReader::default().read_move(&Position::startpos(), text).map(|mv| mv.to_string()).ok();
        for text in ["1. C2=5", "1.炮二平五+", "C2=5#", "h2e2"] {
            assert_eq!(read(text).as_deref(), Some("h2e2"), "{text}");
        }
        for text in ["1... C2=5", "1.", "+"] {
            assert_eq!(read(text), None, "{text}");
        }
        // The reason is that of the move without the sign, as in a line.
        let start = Position::startpos();
        let error = LineReader::default().read_move(&start, "R1=4+").unwrap_err();
        assert!(matches!(&error, ReadError::CannotMoveSo { text, .. } if text == "R1=4"), "{error}");
        assert_eq!(LineReader::default().read(start, &["R1=4+"]).unwrap_err().error, error);
        for text in ["+", "将军"] {
            assert!(LineReader::default().read(Position::startpos(), &[text]).is_err(), "{text}");
        }
    }

    #[test]
    fn a_note_is_on_a_move_of_the_line() {
        let fen = "3k5/9/6P2/9/9/9/9/9/6C2/4K4 w";
        let mut game = Position::from_fen(fen).unwrap();
        for text in ["e0e1", "d9d8"] {
            game.make(Move::from_uci(text).unwrap());
        }
        let line = LineReader::default().read(game, &["P3.4"]).unwrap();
        assert!(line.note().is_some_and(|note| note.ends_with(": g7f7; in vietnamese it would be g1g5")), "{:?}", line.note());
    }

    #[test]
    fn a_preferred_system_has_its_options() {
        // A poem that exchanges the names of b2 and h2.
        let mut letters: Vec<char> = Legend::THOUSAND_CHARACTERS.chars().collect();
        letters.swap(64, 70);
        let legend: Legend = String::from_iter(letters).parse().unwrap();
        let start = Position::startpos();
        let poem = Notation { legend: Some(Box::new(legend)), ..Notation::new(System::Poem) };
        let mv = Move::from_uci("h2e2").unwrap();
        let text = poem.write(start.board(), mv);
        let reader = LineReader { first: vec![System::Poem], notations: vec![poem], diagrams: false };
        assert_eq!(reader.read_move(&start, &text), Ok(mv));
    }

    #[test]
    fn two_points_are_not_one_move() {
        let reader = LineReader::default();
        for text in ["e4 e5", "e4  e5", "e4\te5", "1. c4 c5", "h2 e2"] {
            assert!(reader.read(Position::startpos(), &[text]).is_err(), "{text}");
        }
        assert!(
            reader.read(Position::startpos(), &["h2 - e2"]).is_ok()
                && reader.read(Position::startpos(), &["h2-e2 h9-g7"]).is_ok()
        );
    }

    #[test]
    fn a_line_is_read_in_any_notation_with_numbers_and_blanks() {
        let reader = LineReader::default();
        for texts in [
            &["h2e2", "h9g7"][..],
            &["h2e2 h9g7"],
            &["1.", "C2=5", "H8+7"],
            &["1. 炮二平五 马8进7"],
            &["1.H2-E2", "1...H9-G7"],
            &["Cannon traverses (C2=5)", "Horse advances (H8+7)"],
            &["C2=5!", "H8+7?!"],
            &["1. 炮二平五！ 马8进7？"],
            &["h2e2!,h9g7!!;"],
            &["炮二平五马8进7"],
            &["1.炮二平五!马8进7?"],
            &["1.", "h2e2h9g7"],
            &["C2=5H8+7"],
            &["1. 炮二平五马8进7"],
            &["１．炮二平五　马８进７"],
            &["1、炮二平五", "马8进7"],
            &["1)炮二平五 马8进7"],
            &["1: 炮二平五 马8进7"],
            &["1：炮二平五 马8进7"],
            &["(1)炮二平五 马8进7"],
            &["（1） 炮二平五马8进7"],
            &["1 炮二平五 马8进7"],
            &["C2=5 H8+7."],
            &["h2e2.", "h9g7."],
            &["炮二平五．", "马8进7．"],
            &["①炮二平五马8进7"],
            &["⒈炮二平五 马8进7"],
            &["⑴ 炮二平五马8进7"],
            &["1", "C2=5", "1", "...", "H8+7"],
            // Blanks and ends of lines inside moves.
            &["1. 炮二平五 马 8 进 7"],
            &["炮 二 平 五，马 8 进 7"],
            &["1. 炮二平", "五 马8进", "7"],
            &["C2 = 5 H8 + 7"],
            &["h2 – e2 h9 – g7"],
            // Invisible characters.
            &["\u{202a}1.\u{200b} 炮二平五 \u{200b} 马8\u{ad}进7\u{202c}"],
            &["炮二\u{200b}平五马8进7"],
            &["炮二平五 \u{2ee2}8进7"],
        ] {
            let line = reader.read(Position::startpos(), texts).unwrap_or_else(|error| panic!("{texts:?}: {error}"));
            assert_eq!(moves(&line), ["h2e2", "h9g7"], "{texts:?}");
        }
        assert_eq!(reader.read_move(&Position::startpos(), " C2=5?!").map(|mv| mv.to_string()).as_deref(), Ok("h2e2"));
        // Dots behind a move stand for another one, and a move in brackets is not played.
        let aside = [
            &["1. C2=5... 2. H2+3"][..],
            &["C2=5...", "H8+7"],
            &["1. 炮二平五马8进7 (马2进3) 2. 马二进三"],
            &["炮二平五马8进7(2.马八进七)马二进三"],
            &["1. 炮二平 2. 马二进三"],
            &["1 炮二平 5 马8进7"],
            &["h2 e2 h9 g7"],
        ];
        for texts in aside.into_iter().chain([&["?"][..], &["h2e2", "?"], &["h2e2 ?"], &["!h2e2"]]) {
            assert!(reader.read(Position::startpos(), texts).is_err(), "{texts:?}");
        }
    }

    #[test]
    fn lines_as_written_are_read_again() {
        let start = Position::startpos();
        let moves_of = ["h2e2", "h9g7", "e2e1"].map(|text| Move::from_uci(text).unwrap());
        for lines in [crate::notation::LineStyle::Html, crate::notation::LineStyle::Ansi] {
            let text = Notation { lines, ..System::Shorthand.into() }.write_line(start.board(), &moves_of).join(" ");
            let line = LineReader::default().read(start.clone(), &[&text]).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(moves(&line), ["h2e2", "h9g7", "e2e1"]);
        }
        let error = LineReader::new(SystemChoice::Only(System::Hodges)).read(start, &["P-7f+"]).unwrap_err();
        assert!(matches!(error.error, ReadError::OtherGame { .. }), "{error}");
    }

    #[test]
    fn a_missing_move_is_reported() {
        let reader = LineReader::default();
        for (text, number) in [
            ("1. 炮二平五 …… 2. 马二进三 马8进7", 2),
            ("1.炮二平五 ... 2.马二进三 马8进7", 2),
            ("1. 炮二平五 2. 马二进三 马8进7", 2),
            ("1. C2=5 2. H2+3 H8+7", 2),
            ("1... 炮8平5 2. 马二进三", 1),
            ("...马8进7 2. 马二进三", 1),
            ("1. h2e2 h9g7 2. h0g2 i9h9 4. i0h0", 5),
            ("1. C2=5 H8+7 2... P7+1", 3),
            ("1. C2=5 H8+7 2. H2+3 3. P7+1", 4),
            ("1. C2=5 H8+7 2. …… …… 3. H2+3", 3),
            ("1. 炮二平五 7. 炮二平六", 2),
            ("1.炮二平五马8进75.马二进三", 3),
            ("1. h2e2 3. h9g7", 2),
            ("1. C2=5 H8+7 4. H2+3", 3),
            ("第1回合 炮二平五 马8进7 第4回合 马二进三", 3),
            ("１． 炮二平五 ２． 马二进三 马8进7", 2),
            ("（1） 炮二平五 （3） 炮二平六", 2),
            ("1 炮二平五 7 炮二平六", 2),
            ("①炮二平五 ②马二进三 马8进7", 2),
            ("① 炮二平五 ⑦ 炮二平六", 2),
            ("①炮二平五马8进7⑤马二进三", 3),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            for texts in [&words[..], &[text]] {
                let error = reader.read(Position::startpos(), texts).expect_err(text);
                assert!(error.number == number && matches!(error.error, ReadError::MoveMissing { .. }), "{text}: {error}");
            }
        }
        for text in [
            "1. C2=5 2. H8+7 3. H2+3",
            "1.炮二平五 2.马8进7 3.马二进三 车9平8",
            "1. C2=5 ... H8+7 2. H2+3",
            "1. C2=5 1... H8+7 2. H2+3 2... R9=8",
            "1…h2e2 h9g7 2…h0g2",
            "1. h2e2 …… 2. h9g7",
            "①炮二平五 马8进7 ②马二进三 车9平8",
            "①炮二平五 ②马8进7 ③马二进三 ④车9平8",
            "1. 炮二平五 ① 马8进7 ⑩ 2. 马二进三",
        ] {
            let texts: Vec<&str> = text.split(' ').collect();
            assert!(reader.read(Position::startpos(), &texts).is_ok(), "{text}");
        }
    }

    #[test]
    fn words_and_signs_of_check_are_skipped() {
        for texts in [
            &["炮二平五", "炮8平5", "炮五进四将", "士4进5"][..],
            &["炮二平五", "炮8平5", "炮五进四叫将", "士4进5"],
            &["炮二平五", "炮8平5", "炮五进四+", "士4进5"],
            &["C2=5", "C8=5", "C5+4+", "A4+5"],
            &["①炮二平五 炮8平5 ②炮五进四 将军! 士4进5"],
            &["炮二平五", "炮8平5", "炮五进四绝杀", "士4进5"],
            &["炮二平五", "炮8平5", "炮五进四", "将死！", "士4进5"],
        ] {
            let line = LineReader::default().read(Position::startpos(), texts).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(moves(&line), ["h2e2", "h7e7", "e2e6", "d9e8"]);
        }
    }

    #[test]
    fn current_systems_precede_historical_ones() {
        let line = LineReader::default().read(Position::startpos(), &["C2=5"]).unwrap();
        assert_eq!(moves(&line), ["h2e2"]);
        assert!(line.systems.contains(&System::Wxr) && !line.systems.contains(&System::OldManual));
        let others: Vec<_> = line.others.iter().map(|other| (other.system, other.mv.to_string())).collect();
        assert_eq!(others.first(), Some(&(System::OldManual, "b2e2".into())));
        assert_eq!(line.note(), None);
        let old = LineReader::new("old-manual".parse().unwrap()).read(Position::startpos(), &["C2=5"]).unwrap();
        assert_eq!(moves(&old), ["b2e2"]);
    }

    #[test]
    fn coordinates_with_ranks_from_zero_take_precedence() {
        // With ranks 1 to 10 it would be the other rook.
        let start = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/R3K4 w").unwrap();
        let read = |reader: &LineReader| reader.read_move(&start, "a1b1").map(|mv| mv.to_string());
        assert_eq!(read(&LineReader::default()).as_deref(), Ok("a1b1"));
        assert_eq!(read(&LineReader::default().with_first(System::Uci10)).as_deref(), Ok("a0b0"));
        assert!(matches!(read(&LineReader::new(SystemChoice::Auto)), Err(ReadError::SystemsDisagree { .. })));
    }

    #[test]
    fn an_illegal_move_is_not_read_in_another_system() {
        // The rook is pinned; with ranks 1 to 10 the king would move.
        let pinned = Position::from_fen("4k4/4r4/9/9/9/9/9/9/4R4/4K4 w").unwrap();
        let read = |start: &Position, text: &str| LineReader::default().read_move(start, text).map(|mv| mv.to_string());
        assert!(matches!(read(&pinned, "e1f1"), Err(ReadError::LeavesKingInCheck { .. })));
        assert!(LineReader::default().read(pinned, &["e1f1"]).is_err());
        // No piece stands on h3, so ranks 1 to 10 are meant.
        let start = Position::startpos();
        assert_eq!(read(&start, "h3e3").as_deref(), Ok("h2e2"));
        // Current systems count files from the right, so this can only be a mistake.
        assert!(matches!(read(&start, "R8+1"), Err(ReadError::NoSuchPiece { .. })));
        assert_eq!(read(&start, "Pawn advances (P7+1)").as_deref(), Ok("c3c4"));
    }

    #[test]
    fn a_wrong_move_is_reported_with_its_round_and_reason() {
        let start = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 31").unwrap();
        let error = LineReader::default().read(start, &["d9d8", "e1e5", "d8d6"]).unwrap_err();
        assert_eq!((error.number, error.round, error.side), (3, 32, Color::Black));
        assert_eq!(error.to_string(), "move 3 (round 32, black): 'd8d6': the black king on d8 cannot make that move");
        let (line, fault) = LineReader::default().read_prefix(Position::startpos(), &["h2e2", "h9g7", "a0a9", "h0g2"]);
        assert_eq!((moves(&line).len(), fault.map(|error| error.number)), (2, Some(3)));
    }

    #[test]
    fn ambiguous_words_are_reported_with_all_candidates() {
        let reader = LineReader::new(SystemChoice::Only(System::Descriptive));
        let error = reader.read(Position::startpos(), &["Horse advances"]).unwrap_err().error;
        assert!(
            matches!(&error, ReadError::Ambiguous { text, candidates } if text == "Horse advances" && candidates.len() > 1),
            "{error}"
        );
        // Of several moves in one text, the wrong one is reported.
        let error = LineReader::default().read(Position::startpos(), &["h2e2 h9h8"]).unwrap_err();
        assert_eq!(error.number, 2);
    }

    #[test]
    fn move_numbers_are_distinguished_from_moves() {
        for (text, rest) in [
            ("1.", ""),
            ("12...", ""),
            ("1.C2=5", "C2=5"),
            ("3…马8进7", "马8进7"),
            ("第3回合", ""),
            ("第３回合：马8进7", "马8进7"),
            ("１２．马8进7", "马8进7"),
            ("(1)马8进7", "马8进7"),
            ("（１）", ""),
            ("1:", ""),
            ("1：0", "1：0"),
            ("１：０", "１：０"),
            ("(1", "(1"),
            ("(C2=5)", "(C2=5)"),
            ("３３．４", "３３．４"),
            ("33.4", "33.4"),
            ("33=4", "33=4"),
            ("134", "134"),
        ] {
            assert_eq!(strip_number(text), rest, "{text}");
        }
    }

    #[test]
    fn choices_are_listed_and_read() {
        for id in SystemChoice::ids() {
            assert_eq!(id.parse::<SystemChoice>().unwrap().to_string(), id);
        }
        assert!("x".parse::<SystemChoice>().unwrap_err().to_string().ends_with("meng or hodges"));
    }
}
