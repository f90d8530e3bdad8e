//! Writing and reading of single moves and lines in a given system.

use super::System;
use super::error::{LineError, ReadError, Reason};
use super::poem::Legend;
use crate::board::Board;
use crate::types::Move;
use std::sync::LazyLock;

/// The script used by the writers of `shorthand` and `descriptive`, which exist in English and in Chinese.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, Notation, Script, System};
///
/// let start = Position::startpos();
/// let mv = notation::read(System::Uci, start.board(), "h2e2")?;
/// let shorthand = Notation { script: Script::Traditional, ..System::Shorthand.into() };
/// assert_eq!(shorthand.write(start.board(), mv), "炮25");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Script {
    /// Latin letters and English words.
    #[default]
    English,
    /// Traditional Chinese characters.
    Traditional,
    /// Simplified Chinese characters.
    Simplified,
}

crate::named_values! { Script, "script": English "english", Traditional "traditional", Simplified "simplified" }

/// How `shorthand` underlines or overlines a digit.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, LineStyle, Notation, System};
///
/// let start = Position::startpos();
/// let mv = notation::read(System::Uci, start.board(), "h0g2")?;
/// let shorthand = Notation { lines: LineStyle::Html, ..System::Shorthand.into() };
/// assert_eq!(shorthand.write(start.board(), mv), "H2<u>3</u>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineStyle {
    /// With the combining character U+0332 or U+0305 after the digit.
    #[default]
    Combining,
    /// With `<u>` or a `<span>` with an overline style around the digit.
    Html,
    /// With terminal escape sequences around the digit.
    Ansi,
}

crate::named_values! { LineStyle, "style of lines": Combining "combining", Html "html", Ansi "ansi" }

/// A system with its options. Only the legend affects reading: readers accept the output of all other options.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::notation::{self, LineStyle, Notation, Script, System};
///
/// let start = Position::startpos();
/// let mut shorthand = Notation::new(System::Shorthand);
/// shorthand.script = Script::Traditional;
/// shorthand.lines = LineStyle::Html;
/// let mv = notation::read(System::Uci, start.board(), "h0g2")?;
/// assert_eq!(shorthand.write(start.board(), mv), "馬2<u>3</u>");
/// assert_eq!(shorthand.read(start.board(), "馬2<u>3</u>"), Ok(mv));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Notation {
    /// The system.
    pub system: System,
    /// The legend of `poem`, or `None` for [`Legend::default`].
    pub legend: Option<Box<Legend>>,
    /// The script of `shorthand` and `descriptive`.
    pub script: Script,
    /// The line style of `shorthand`.
    pub lines: LineStyle,
    /// Whether `descriptive` appends the `wxr` form in brackets, which makes it unambiguous.
    pub unambiguous: bool,
}

impl From<System> for Notation {
    fn from(system: System) -> Notation {
        Notation::new(system)
    }
}

impl Notation {
    /// A system with the default options.
    ///
    /// ```
    /// use xiangqi::notation::{Notation, System};
    ///
    /// const WXR: Notation = Notation::new(System::Wxr);
    /// assert_eq!(WXR.system, System::Wxr);
    /// ```
    pub const fn new(system: System) -> Notation {
        Notation { system, legend: None, script: Script::English, lines: LineStyle::Combining, unambiguous: false }
    }

    /// Writes a legal move in this position. The output for any other move is unspecified.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{self, Notation, System};
    ///
    /// let start = Position::startpos();
    /// let mv = notation::read(System::Uci, start.board(), "h2e2")?;
    /// assert_eq!(Notation::new(System::Wxr).write(start.board(), mv), "C2=5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, board: &Board, mv: Move) -> String {
        let mut text = String::with_capacity(16);
        self.write_into(board, mv, &mut text);
        text
    }

    /// Like [`Notation::write`], but appends to a string.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{self, Notation, System};
    ///
    /// let start = Position::startpos();
    /// let mv = notation::read(System::Uci, start.board(), "h2e2")?;
    /// let mut text = String::from("1. ");
    /// Notation::new(System::Wxr).write_into(start.board(), mv, &mut text);
    /// assert_eq!(text, "1. C2=5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_into(&self, board: &Board, mv: Move, out: &mut String) {
        (self.system.row().write)(self, board, mv, out);
    }

    pub(super) fn poem(&self) -> &Legend {
        static DEFAULT: LazyLock<Legend> = LazyLock::new(Legend::default);
        self.legend.as_deref().unwrap_or(&DEFAULT)
    }

    pub(super) fn read_bare(&self, board: &Board, text: &str) -> Result<Move, Reason> {
        (self.system.row().read)(self, board, text)
    }

    /// Reads a move in this position.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{Notation, System};
    ///
    /// let start = Position::startpos();
    /// assert_eq!(Notation::new(System::Wxr).read(start.board(), "C2=5")?.to_string(), "h2e2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`ReadError`] if the text does not denote exactly one legal move.
    pub fn read(&self, board: &Board, text: &str) -> Result<Move, ReadError> {
        self.read_bare(board, text)
            .map_err(|reason| ReadError::new(reason, text, self.system, || looks_like(self.system, board, text)))
    }

    /// Writes a line of legal moves that starts from this position.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{self, Notation, System};
    ///
    /// let start = Position::startpos();
    /// let moves = notation::read_line(System::Uci, start.board(), &["h2e2", "h9g7"])?;
    /// assert_eq!(Notation::new(System::Wxf).write_line(start.board(), &moves), ["C2.5", "H8+7"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_line(&self, board: &Board, moves: &[Move]) -> Vec<String> {
        let mut board = *board;
        moves
            .iter()
            .map(|&mv| {
                let text = self.write(&board, mv);
                board = board.after(mv);
                text
            })
            .collect()
    }

    /// Reads a line of moves that starts from this position.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{Notation, System};
    ///
    /// let start = Position::startpos();
    /// let moves = Notation::new(System::Wxf).read_line(start.board(), &["C2.5", "H8+7"])?;
    /// assert_eq!(moves.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`LineError`] if a move cannot be read.
    pub fn read_line<T: AsRef<str>>(&self, board: &Board, texts: &[T]) -> Result<Vec<Move>, LineError> {
        let mut now = *board;
        let mut moves = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let mv = self.read(&now, text.as_ref()).map_err(|error| LineError::new(board, index, error))?;
            now = now.after(mv);
            moves.push(mv);
        }
        Ok(moves)
    }
}

/// A system other than `system` whose form the text matches, preferably one in which it is a legal move.
pub(super) fn looks_like(system: System, board: &Board, text: &str) -> Option<System> {
    let mut form = None;
    for other in System::ALL.into_iter().filter(|&other| other != system) {
        match Notation::new(other).read_bare(board, text) {
            Ok(_) => return Some(other),
            Err(Reason::Form) => {}
            Err(_) => form = form.or(Some(other)),
        }
    }
    form
}

/// Writes a legal move in this position, with the system's default options.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, System}, types::{Move, Square}};
///
/// let (from, to): (Square, Square) = ("h2".parse()?, "h9".parse()?);
/// let text = notation::write(System::Hodges, Position::startpos().board(), Move::new(from, to));
/// assert_eq!(text, "Cx2a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(system: System, board: &Board, mv: Move) -> String {
    Notation::new(system).write(board, mv)
}

/// Reads a move in this position.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, ReadError, System}};
///
/// let start = Position::startpos();
/// assert_eq!(notation::read(System::Wxr, start.board(), "C2=5")?.to_string(), "h2e2");
/// // The rook on file 1 can't move sideways, since the horse is next to it.
/// let error = notation::read(System::Wxr, start.board(), "R1=4").unwrap_err();
/// assert!(matches!(error, ReadError::CannotMoveSo { .. }));
/// # Ok::<(), ReadError>(())
/// ```
///
/// # Errors
/// Returns a [`ReadError`] if the text does not denote exactly one legal move.
pub fn read(system: System, board: &Board, text: &str) -> Result<Move, ReadError> {
    Notation::new(system).read(board, text)
}

/// Writes a line of legal moves that starts from this position, with the system's default options.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, System}};
///
/// let start = Position::startpos();
/// let moves = notation::read_line(System::Uci, start.board(), &["h2e2", "h9g7", "h0g2"])?;
/// assert_eq!(notation::write_line(System::Chinese, start.board(), &moves), ["炮二平五", "馬８進７", "馬二進三"]);
/// # Ok::<(), notation::LineError>(())
/// ```
pub fn write_line(system: System, board: &Board, moves: &[Move]) -> Vec<String> {
    Notation::new(system).write_line(board, moves)
}

/// Reads a line of moves that starts from this position.
///
/// ```
/// use xiangqi::{board::Position, notation::{self, System}};
///
/// let start = Position::startpos();
/// let moves = notation::read_line(System::Wxf, start.board(), &["C2.5", "H8+7"])?;
/// assert_eq!(moves.iter().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
/// let error = notation::read_line(System::Wxf, start.board(), &["C2.5", "H8+8"]).unwrap_err();
/// assert_eq!(error.number, 2);
/// # Ok::<(), notation::LineError>(())
/// ```
///
/// # Errors
/// Returns a [`LineError`] if a move cannot be read.
pub fn read_line<T: AsRef<str>>(system: System, board: &Board, texts: &[T]) -> Result<Vec<Move>, LineError> {
    Notation::new(system).read_line(board, texts)
}
