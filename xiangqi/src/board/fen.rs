//! The one reader and writer of FEN, Forsyth-Edwards notation: all xiangqi dialects are read, one form is written. What is
//! read is a [`Setup`]; [`Setup::board`] then proves it a board.

use super::placement::Board;
use super::position::Position;
use super::setup::{Setup, SetupError};
use crate::types::{Color, FILES, Piece, PieceType, RANKS, Square};
use std::borrow::Cow;

/// The start position.
///
/// ```
/// use xiangqi::board::{Position, START_FEN};
///
/// assert_eq!(Position::from_fen(START_FEN)?.board(), Position::startpos().board());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no FEN, or not that of a position. Rows are counted from 1 at Black's back rank, columns from 1 at Red's
/// left, as they are read.
///
/// ```
/// use xiangqi::board::{Board, FenError};
///
/// assert_eq!(Board::from_fen("9/9 w").unwrap_err(), FenError::RowCount(2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text has no board.
    #[error("FEN is empty, expected ten rows separated by '/'")]
    Empty,
    /// There are not ten rows.
    #[error("FEN has {0} rows, expected 10")]
    RowCount(usize),
    /// A row is not nine points long: row, points.
    #[error("FEN row {0} has {1} columns, expected 9")]
    RowLength(usize, usize),
    /// A character that is neither a piece nor a count: row, column, character.
    #[error(
        "FEN row {0} column {1}: unknown letter '{letter}', expected one of KABNRCP (or EHMG) in either case or a digit 1 to 9",
        letter = .2.escape_debug()
    )]
    UnknownLetter(usize, usize, char),
    /// The side-to-move field is none of `w`, `r`, `b`.
    #[error("FEN side to move is '{}', expected w, r or b", .0.escape_debug())]
    UnknownSide(String),
    /// The text is read, but is not in the one form that is written, which is this.
    #[error("FEN is not in the strict form, expected {0}")]
    NotStrict(String),
    /// The text is read, but no game can have the position.
    #[error("FEN {0}")]
    Setup(#[from] SetupError),
}

/// The kind a letter stands for, in either case: `K A B N R C P`, and `E M` for elephants, `H` for horses, `G` for advisors.
///
/// ```
/// use xiangqi::board::kind_of_letter;
/// use xiangqi::types::PieceType;
///
/// assert_eq!(kind_of_letter('h'), Some(PieceType::Horse));
/// assert_eq!(kind_of_letter('q'), None);
/// ```
pub fn kind_of_letter(letter: char) -> Option<PieceType> {
    Some(match letter.to_ascii_uppercase() {
        'K' => PieceType::King,
        'A' | 'G' => PieceType::Advisor,
        'B' | 'E' | 'M' => PieceType::Elephant,
        'N' | 'H' => PieceType::Horse,
        'R' => PieceType::Rook,
        'C' => PieceType::Cannon,
        'P' => PieceType::Pawn,
        _ => return None,
    })
}

/// Letters that quote a FEN in messages, tables and tags.
const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '「', '」'];

/// Takes away what programs and people put around and into a FEN: quotation marks, the tag or parameter it is the value of, the
/// escapes of addresses (`%20`, `_` and `+` for a blank) and of JSON (`\/`), full-width letters, and an empty pocket (`[]`, `[-]`).
fn plain(fen: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/ -".contains(&byte);
    let begins_with_rows = fen.find('/').is_some_and(|at| !fen[..at].contains(' '));
    if begins_with_rows && fen.bytes().all(is_plain) {
        return Cow::Borrowed(fen);
    }
    let fen = match fen.rfind("fen=") {
        Some(at) => fen[at + "fen=".len()..].split('&').next().unwrap_or_default(),
        None => fen,
    };
    let mut text = String::with_capacity(fen.len());
    for letter in unescaped(fen) {
        match letter {
            '\\' => {}
            '_' | '+' => text.push(' '),
            '\u{ff01}'..='\u{ff5e}' => text.extend(char::from_u32(letter as u32 - 0xfee0)),
            _ if QUOTES.contains(&letter) => text.push(' '),
            _ => text.push(letter),
        }
    }
    let text = text.replace("[]", " ").replace("[-]", " ");
    let text = text.trim_start_matches(|letter: char| letter == '[' || letter.is_whitespace());
    let named = text.get(..3).filter(|name| name.eq_ignore_ascii_case("fen")).map(|name| &text[name.len()..]);
    let text =
        named.filter(|rest| rest.starts_with([':', ' ', '='])).map_or(text, |rest| rest.trim_start_matches([':', ' ', '=']));
    Cow::Owned(text.trim_end_matches(|letter: char| "];,.".contains(letter) || letter.is_whitespace()).to_string())
}

/// The text with its `%20` and the like replaced by what they stand for; other percent signs stay.
fn unescaped(text: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let code = rest.strip_prefix('%').and_then(|rest| u8::from_str_radix(rest.get(..2)?, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                letters.push(code as char);
                rest = &rest[3..];
            }
            None => {
                letters.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    letters
}

impl Setup {
    /// Reads a FEN in any dialect without asking whether a game can have the position. Fields may be missing in any number;
    /// text that is no number counts as 0 (plies without capture) or 1 (move number). The side may be a word, and a FEN may have
    /// quotation marks around it, the escapes of an address in it, or an empty pocket.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert_eq!(Setup::from_fen("4k4/9/9/9/9/9/9/9/9/9 r")?.to_fen(), "4k4/9/9/9/9/9/9/9/9/9 w - - 0 1");
    /// assert!(Setup::from_fen("4k4/9 w").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text does not fill ten rows of nine points with known letters, or names an unknown side.
    pub fn from_fen(fen: &str) -> Result<Setup, FenError> {
        let mut setup = Setup::empty();
        let fen = plain(fen);
        let mut fields = fen.split_whitespace();
        // Where a game knows pockets, a slash before nothing is an empty one.
        let rows = fields.next().ok_or(FenError::Empty)?;
        let rows: Vec<&str> = rows.strip_suffix('/').unwrap_or(rows).split('/').collect();
        let mut rest: Vec<&str> = fields.filter(|&field| field != "-").collect();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        match rest.first().map(|text| text.to_lowercase()).as_deref() {
            Some("w" | "r" | "white" | "red" | "红" | "紅" | "红方" | "紅方") => drop(rest.remove(0)),
            Some("b" | "black" | "黑" | "黑方") => {
                setup.side = Color::Black;
                rest.remove(0);
            }
            // Some writers leave the side out but not the dashes or counters behind it.
            Some(text) if !is_number(text) && fen.split_whitespace().nth(1) != Some("-") => {
                return Err(FenError::UnknownSide(rest[0].chars().take(20).collect()));
            }
            _ => {}
        }
        if rows.len() != RANKS {
            return Err(FenError::RowCount(rows.len()));
        }
        for (row, text) in rows.iter().enumerate() {
            setup.read_row(row, text)?;
        }
        let number = |index: usize| rest.get(index).and_then(|text| text.parse::<u64>().ok());
        setup.clock = number(0).unwrap_or(0).min(u16::MAX as u64) as u16;
        setup.fullmove = number(1).unwrap_or(1).clamp(1, u16::MAX as u64) as u32;
        Ok(setup)
    }

    /// Reads a FEN in the one form that [`Setup::to_fen`] writes.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert!(Setup::from_fen_strict("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1").is_ok());
    /// assert!(Setup::from_fen_strict("3k5/9/9/9/9/9/9/9/9/4K4 r").is_err());
    /// ```
    ///
    /// # Errors
    /// As [`Setup::from_fen`], and [`FenError::NotStrict`] for every other dialect.
    pub fn from_fen_strict(fen: &str) -> Result<Setup, FenError> {
        let setup = Setup::from_fen(fen)?;
        let strict = setup.to_fen();
        if strict == fen { Ok(setup) } else { Err(FenError::NotStrict(strict)) }
    }

    /// Whether this is the start position with the counters of a new game.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert!(Setup::standard().is_standard() && !Setup::empty().is_standard());
    /// ```
    pub fn is_standard(&self) -> bool {
        self.to_fen() == START_FEN
    }

    fn read_row(&mut self, row: usize, text: &str) -> Result<(), FenError> {
        let mut column = 0usize;
        for letter in text.chars() {
            if let Some(count @ 1..=9) = letter.to_digit(10) {
                column += count as usize;
                continue;
            }
            let kind = kind_of_letter(letter).ok_or(FenError::UnknownLetter(row + 1, column + 1, letter))?;
            let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
            if let Some(square) = Square::at(column as i32, (RANKS - 1 - row) as i32) {
                self.put(square, Some(Piece::new(color, kind)));
            }
            column += 1;
        }
        if column == FILES { Ok(()) } else { Err(FenError::RowLength(row + 1, column)) }
    }

    /// The board and side-to-move fields, such as `…/RNBAKABNR w`.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert_eq!(Setup::empty().to_board_fen(), "9/9/9/9/9/9/9/9/9/9 w");
    /// ```
    pub fn to_board_fen(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..RANKS).rev() {
            let mut empty = 0u8;
            for file in 0..FILES {
                match self.piece_on(Square::from_index(rank * FILES + file)) {
                    Some(piece) => {
                        if empty > 0 {
                            text.push((b'0' + empty) as char);
                        }
                        empty = 0;
                        text.push(piece.fen_letter());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                text.push((b'0' + empty) as char);
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text.push_str(if self.side == Color::Red { " w" } else { " b" });
        text
    }

    /// The six fields, as `board side - - clock move`.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert_eq!(Setup::empty().to_fen(), "9/9/9/9/9/9/9/9/9/9 w - - 0 1");
    /// ```
    pub fn to_fen(&self) -> String {
        format!("{} - - {} {}", self.to_board_fen(), self.clock, self.fullmove)
    }
}

impl Board {
    /// Reads the board and side-to-move fields of a FEN in any dialect.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// assert_eq!(Board::from_fen(START_FEN)?.count_legal_moves(), 44);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Every way in which a text can fail to be a position that a game could have, see [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        Ok(Setup::from_fen(fen)?.board()?)
    }

    /// As [`Board::from_fen`], for composed diagrams, see [`Setup::diagram_board`].
    ///
    /// ```
    /// use xiangqi::board::Board;
    ///
    /// let fen = "3k5/9/9/9/9/9/9/9/9/P3K4 w";
    /// assert!(Board::from_fen(fen).is_err() && Board::from_diagram(fen).is_ok());
    /// ```
    ///
    /// # Errors
    /// As [`Board::from_fen`].
    pub fn from_diagram(fen: &str) -> Result<Board, FenError> {
        Ok(Setup::from_fen(fen)?.diagram_board()?)
    }

    /// The board and side-to-move fields, such as `…/RNBAKABNR w`.
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// assert_eq!(Board::from_fen(START_FEN)?.to_fen() + " - - 0 1", START_FEN);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_fen(&self) -> String {
        Setup::from_board(self).to_board_fen()
    }
}

impl Position {
    /// Reads a position with its counters, see [`Setup::from_fen`].
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let game = Position::from_fen("4k4/9/9/9/9/9/9/9/8R/3K5 b - - 7 31")?;
    /// assert_eq!((game.clock(), game.fullmove()), (7, 31));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Board::from_fen`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::try_from(&Setup::from_fen(fen)?)?)
    }

    /// Reads a composed diagram with its counters, see [`Setup::diagram_board`].
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let fen = "3k5/9/9/9/9/9/9/9/9/P3K4 w";
    /// assert!(Position::from_fen(fen).is_err() && Position::from_diagram(fen).is_ok());
    /// ```
    ///
    /// # Errors
    /// As [`Board::from_fen`].
    pub fn from_diagram(fen: &str) -> Result<Position, FenError> {
        Ok(Setup::from_fen(fen)?.position()?)
    }

    /// The six fields, as `board side - - clock move`.
    ///
    /// ```
    /// use xiangqi::board::{Position, START_FEN};
    ///
    /// assert_eq!(Position::startpos().to_fen(), START_FEN);
    /// ```
    pub fn to_fen(&self) -> String {
        Setup::from_position(self).to_fen()
    }
}
