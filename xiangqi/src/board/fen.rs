//! Reading and writing FEN (Forsyth–Edwards notation). All xiangqi dialects are accepted, one form is written. Parsing yields a
//! [`Setup`], which [`Setup::board`] validates.

use super::placement::Board;
use super::position::Position;
use super::setup::{Setup, SetupError};
use crate::types::{Color, FILES, Piece, PieceType, RANKS, Square, counted};
use std::borrow::Cow;

/// The start position in FEN.
///
/// ```
/// use xiangqi::board::{Position, START_FEN};
///
/// assert_eq!(Position::from_fen(START_FEN)?.board(), Position::startpos().board());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// An error in a FEN: the text cannot be parsed, or the position is invalid. Rows are counted from 1 at Black's back rank, columns
/// from 1 at Red's left, in the order of the text.
///
/// ```
/// use xiangqi::board::{Board, FenError};
///
/// assert_eq!(Board::from_fen("9/9 w").unwrap_err(), FenError::RowCount(2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text is empty.
    #[error("FEN is empty, expected ten rows separated by '/'")]
    Empty,
    /// The board field does not have ten rows.
    #[error("FEN has {}, expected 10", counted(*.0, "row"))]
    RowCount(usize),
    /// A row does not have nine columns: row, number of columns.
    #[error("FEN row {0} has {columns}, expected 9", columns = counted(*.1, "column"))]
    RowLength(usize, usize),
    /// A character that is neither a piece letter nor a digit 1 to 9: row, column, character.
    #[error(
        "FEN row {0} column {1}: unknown letter '{letter}', expected one of KABNRCP (or EHMG) in either case or a digit 1 to 9",
        letter = .2.escape_debug()
    )]
    UnknownLetter(usize, usize, char),
    /// The side-to-move field is not one of the accepted letters or words.
    #[error("FEN side to move is '{}', expected w, r or b", .0.escape_debug())]
    UnknownSide(String),
    /// Text after the side to move that is not one of the two counters, or follows them.
    #[error("FEN is followed by '{}', expected at most two numbers after the side to move", .0.escape_debug())]
    Trailing(String),
    /// The text is a FEN, but the position is invalid.
    #[error("FEN {verb}{0}", verb = if matches!(.0, SetupError::NoKing(_)) { "has " } else { "" })]
    Setup(#[from] SetupError),
}

/// The kind of piece that a letter denotes, in either case: `K A B N R C P`, and also `E` and `M` for elephants, `H` for horses
/// and `G` for advisors.
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

/// Quotation marks that may enclose a FEN in messages, tables and tags.
const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '「', '」'];

/// Strips the additions commonly found around and inside a FEN: quotation marks, the tag or URL parameter of which it is the value,
/// URL escapes (`%20`, and `_` and `+` for a space), JSON escapes (`\/`), full-width letters, invisible characters, and an empty pocket (`[]`,
/// `[-]`).
fn normalized(fen: &str) -> Cow<'_, str> {
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
            _ if QUOTES.contains(&letter) => text.push(' '),
            _ if is_invisible(letter) => {}
            _ => text.push(narrow(letter)),
        }
    }
    let text = text.replace("[]", " ").replace("[-]", " ");
    let text = text.trim_start_matches(|letter: char| letter == '[' || letter.is_whitespace());
    let named = text.get(..3).filter(|name| name.eq_ignore_ascii_case("fen")).map(|name| &text[name.len()..]);
    let text =
        named.filter(|rest| rest.starts_with([':', ' ', '='])).map_or(text, |rest| rest.trim_start_matches([':', ' ', '=']));
    Cow::Owned(text.trim_end_matches(|letter: char| "];,.。、".contains(letter) || letter.is_whitespace()).to_string())
}

/// Converts full-width ASCII, which Chinese input methods write, to ASCII.
#[inline]
pub(crate) fn narrow(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

/// Whether a character is invisible. Web pages and PDF files contain zero-width characters, soft hyphens and direction marks.
pub(crate) fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Whether a field of a FEN is empty: dashes of any kind, since word processors and web pages replace hyphens.
pub(crate) fn is_empty_field(field: &str) -> bool {
    field
        .chars()
        .all(|letter| matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'))
}

/// Decodes percent escapes of ASCII characters; other percent signs are kept.
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
    /// Parses a FEN in any dialect without validating the position.
    ///
    /// Any of the fields after the board may be missing; the counters default to 0 (plies without a capture) and 1 (move number). A single
    /// letter, or castling rights as in chess, in place of a field is skipped. The side to move may be a word such as `red`, and the FEN may
    /// be enclosed in quotation marks and contain URL escapes or an empty pocket.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    ///
    /// assert_eq!(Setup::from_fen("4k4/9/9/9/9/9/9/9/9/9 r")?.to_fen(), "4k4/9/9/9/9/9/9/9/9/9 w - - 0 1");
    /// assert!(Setup::from_fen("4k4/9 w").is_err());
    /// assert!(Setup::from_fen("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1 moves e9e8").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text does not have ten rows of nine points with known piece letters, the side to move is unknown, or other text
    /// follows.
    pub fn from_fen(fen: &str) -> Result<Setup, FenError> {
        Ok(Setup::from_fen_and_side(fen)?.0)
    }

    /// As [`Setup::from_fen`], and the side to move if the FEN names it: the position of a FEN without one has Red to move.
    ///
    /// ```
    /// use xiangqi::board::Setup;
    /// use xiangqi::types::Color;
    ///
    /// assert_eq!(Setup::from_fen_and_side("4k4/9/9/9/9/9/9/9/9/9_b")?.1, Some(Color::Black));
    /// assert_eq!(Setup::from_fen_and_side("4k4/9/9/9/9/9/9/9/9/9 - - 0 1")?.1, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Setup::from_fen`].
    pub fn from_fen_and_side(fen: &str) -> Result<(Setup, Option<Color>), FenError> {
        let (setup, side, rest) = Setup::from_fen_with_rest(fen)?;
        if rest.is_empty() { Ok((setup, side)) } else { Err(FenError::Trailing(rest)) }
    }

    /// As [`Setup::from_fen_and_side`], and the beginning of the text after the fields, which is empty if there is none.
    ///
    /// # Errors
    /// As for [`Setup::from_fen`], except for text after the fields.
    pub(crate) fn from_fen_with_rest(fen: &str) -> Result<(Setup, Option<Color>, String), FenError> {
        const MAX_CHARS: usize = 40;
        let mut setup = Setup::empty();
        let fen = normalized(fen);
        let mut fields = fen.split_whitespace();
        // In variants with pockets, a trailing slash denotes an empty pocket.
        let rows = fields.next().ok_or(FenError::Empty)?;
        let rows: Vec<&str> = rows.strip_suffix('/').unwrap_or(rows).split('/').collect();
        // Before the side to move, since the words of a text that is no FEN are not fields.
        if rows.len() != RANKS {
            return Err(FenError::RowCount(rows.len()));
        }
        let mut rest: Vec<&str> = fields.filter(|field| !is_empty_field(field)).collect();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let side = match rest.first().map(|text| text.to_lowercase()).as_deref() {
            Some("w" | "r" | "white" | "red" | "红" | "紅" | "红方" | "紅方") => Some(Color::Red),
            Some("b" | "black" | "黑" | "黑方") => Some(Color::Black),
            // Some writers omit the side to move but not the dashes or counters that follow.
            Some(text) if !is_number(text) && !fen.split_whitespace().nth(1).is_some_and(is_empty_field) => {
                return Err(FenError::UnknownSide(rest[0].chars().take(20).collect()));
            }
            _ => None,
        };
        if let Some(side) = side {
            setup.side = side;
            rest.remove(0);
        }
        for (row, text) in rows.iter().enumerate() {
            setup.read_row(row, text)?;
        }
        // Some clients write a letter, or the castling rights of chess, in fields that xiangqi does not use.
        let is_unused = |field: &str| field.chars().nth(1).is_none() || field.chars().all(|letter| "KQkq".contains(letter));
        rest.retain(|field| is_number(field) || !is_unused(field));
        let (counters, rest) = rest.split_at(rest.iter().take(2).take_while(|text| is_number(text)).count());
        // A number too large for the type is clamped like any other large one.
        let number = |index: usize| counters.get(index).map(|text| text.parse::<u64>().unwrap_or(u64::MAX));
        setup.clock = number(0).unwrap_or(0).min(u16::MAX as u64) as u16;
        setup.fullmove = number(1).unwrap_or(1).clamp(1, u16::MAX as u64) as u32;
        Ok((setup, side, rest.join(" ").chars().take(MAX_CHARS).collect()))
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

    /// Writes the board and side-to-move fields, such as `…/RNBAKABNR w`.
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

    /// Writes all six fields: `board side - - clock move`.
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
    /// Parses the board and side-to-move fields of a FEN in any dialect, see [`Setup::from_fen`].
    ///
    /// ```
    /// use xiangqi::board::{Board, START_FEN};
    ///
    /// assert_eq!(Board::from_fen(START_FEN)?.count_legal_moves(), 44);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a FEN, or the position is invalid; see [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        Ok(Setup::from_fen(fen)?.board()?)
    }

    /// Like [`Board::from_fen`], but for composed diagrams, see [`Setup::diagram_board`].
    ///
    /// ```
    /// use xiangqi::board::Board;
    ///
    /// let fen = "3k5/9/9/9/9/9/9/9/9/P3K4 w";
    /// assert!(Board::from_fen(fen).is_err() && Board::from_diagram(fen).is_ok());
    /// ```
    ///
    /// # Errors
    /// As for [`Board::from_fen`].
    pub fn from_diagram(fen: &str) -> Result<Board, FenError> {
        Ok(Setup::from_fen(fen)?.diagram_board()?)
    }

    /// Writes the board and side-to-move fields, such as `…/RNBAKABNR w`.
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
    /// The start position.
    ///
    /// ```
    /// use xiangqi::board::{Position, START_FEN};
    /// assert_eq!(Position::startpos().to_fen(), START_FEN);
    /// ```
    pub fn startpos() -> Position {
        match Board::from_fen(START_FEN) {
            Ok(board) => Position::new(board, 0, 1),
            Err(error) => unreachable!("{error}"),
        }
    }

    /// Parses a FEN in any dialect, including the counters, see [`Setup::from_fen`].
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
    /// As for [`Board::from_fen`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::try_from(&Setup::from_fen(fen)?)?)
    }

    /// Like [`Position::from_fen`], but for composed diagrams, see [`Setup::diagram_board`].
    ///
    /// ```
    /// use xiangqi::board::Position;
    ///
    /// let fen = "3k5/9/9/9/9/9/9/9/9/P3K4 w";
    /// assert!(Position::from_fen(fen).is_err() && Position::from_diagram(fen).is_ok());
    /// ```
    ///
    /// # Errors
    /// As for [`Board::from_fen`].
    pub fn from_diagram(fen: &str) -> Result<Position, FenError> {
        Ok(Setup::from_fen(fen)?.position()?)
    }

    /// Writes all six FEN fields: `board side - - clock move`.
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
