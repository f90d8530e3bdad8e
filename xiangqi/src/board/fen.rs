//! Positions as text: Forsyth-Edwards notation in all its xiangqi dialects, read leniently and written in one form.

use super::placement::{Board, zone};
use super::position::Position;
use crate::types::{Color, FILES, Piece, PieceType, RANKS, Square};
use std::fmt;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no position. Rows are counted from 1 at Black's back rank, columns from 1 at Red's left, as they are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The text has no board.
    Empty,
    /// There are not ten rows.
    RowCount(usize),
    /// A row is not nine points long: row, points.
    RowLength(usize, usize),
    /// A character that is neither a piece nor a count: row, column, character.
    UnknownLetter(usize, usize, char),
    /// More pieces of a kind than a side has: row and column of the first that is too many, piece.
    TooMany(usize, usize, Piece),
    /// A side has no king.
    NoKing(Color),
    /// A piece on a point where it can never stand: row, column, piece.
    Misplaced(usize, usize, Piece),
    /// The side-to-move field is none of `w`, `r`, `b`.
    UnknownSide(String),
    /// The side to move could take the king: row and column of that king, its colour.
    KingCapturable(usize, usize, Color),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |piece: &Piece| format!("{} {}", piece.color(), piece_name(piece.kind()));
        match self {
            FenError::Empty => write!(f, "FEN is empty, expected ten rows separated by '/'"),
            FenError::RowCount(rows) => write!(f, "FEN has {rows} rows, expected 10"),
            FenError::RowLength(row, points) => write!(f, "FEN row {row} has {points} columns, expected 9"),
            FenError::UnknownLetter(row, column, letter) => write!(
                f,
                "FEN row {row} column {column}: unknown letter '{}', expected one of KABNRCP (or EHMG) in either case or a digit 1 to 9",
                letter.escape_default()
            ),
            FenError::TooMany(row, column, piece) => {
                write!(
                    f,
                    "FEN row {row} column {column}: too many pieces, {} {}s are the most",
                    piece.kind().limit(),
                    name(piece)
                )
            }
            FenError::NoKing(color) => write!(f, "FEN has no {color} king, expected exactly one"),
            FenError::Misplaced(row, column, piece) => {
                write!(f, "FEN row {row} column {column}: a {} cannot stand here, expected {}", name(piece), home(piece.kind()))
            }
            FenError::UnknownSide(text) => write!(f, "FEN side to move is '{}', expected w, r or b", text.escape_default()),
            FenError::KingCapturable(row, column, color) => {
                write!(f, "FEN row {row} column {column}: the side to move can take the {color} king")
            }
        }
    }
}

impl std::error::Error for FenError {}

fn piece_name(kind: PieceType) -> &'static str {
    ["king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"][kind.index()]
}

fn home(kind: PieceType) -> &'static str {
    match kind {
        PieceType::King => "a point of its palace",
        PieceType::Advisor => "one of the five advisor points of its palace",
        PieceType::Elephant => "one of the seven elephant points of its side of the river",
        _ => "a point in front of its first rank of pawns, on an own-side file only where pawns start",
    }
}

/// The kind a letter stands for, in either case: `K A B N R C P`, and `E M` for elephants, `H` for horses, `G` for advisors.
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

/// Row and column, from 1, as [`FenError`] counts them.
fn place(square: Square) -> (usize, usize) {
    (RANKS - square.rank() as usize, square.file() as usize + 1)
}

impl Board {
    /// Reads the board and side-to-move fields; the rest of the text is not looked at.
    ///
    /// # Errors
    /// Every way in which a text can fail to be a position that a game could have, see [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        Board::read(fen, |piece, square| zone(piece).has(square))
    }

    /// As [`Board::from_fen`], but pawns may stand anywhere: composed diagrams put them where no game could, as diagram 71
    /// of the World Xiangqi Rules does. Moves and attacks of such a pawn are those of its half of the board.
    ///
    /// # Errors
    /// As [`Board::from_fen`].
    pub fn from_diagram(fen: &str) -> Result<Board, FenError> {
        Board::read(fen, |piece, square| piece.kind() == PieceType::Pawn || zone(piece).has(square))
    }

    fn read(fen: &str, can_stand: impl Fn(Piece, Square) -> bool) -> Result<Board, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let rows: Vec<&str> = fields.next().ok_or(FenError::Empty)?.split('/').collect();
        let side = match fields.next().unwrap_or("w") {
            "w" | "W" | "r" | "R" => Color::Red,
            "b" | "B" => Color::Black,
            // Some writers leave the side out but not the dashes or counters behind it.
            text if text == "-" || text.bytes().all(|b| b.is_ascii_digit()) => Color::Red,
            text => return Err(FenError::UnknownSide(text.chars().take(20).collect())),
        };
        if rows.len() != RANKS {
            return Err(FenError::RowCount(rows.len()));
        }
        let mut board = Board::vacant(side);
        for (row, text) in rows.iter().enumerate() {
            read_row(&mut board, row, text, &can_stand)?;
        }
        for color in Color::ALL {
            if board.count(Piece::new(color, PieceType::King)) != 1 {
                return Err(FenError::NoKing(color));
            }
        }
        if board.is_attacked(!side) {
            let (row, column) = place(board.king(!side));
            return Err(FenError::KingCapturable(row, column, !side));
        }
        Ok(board)
    }

    /// The board and side-to-move fields, such as `…/RNBAKABNR w`.
    pub fn to_fen(&self) -> String {
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
        text.push_str(if self.side_to_move() == Color::Red { " w" } else { " b" });
        text
    }
}

fn read_row(board: &mut Board, row: usize, text: &str, can_stand: &impl Fn(Piece, Square) -> bool) -> Result<(), FenError> {
    let mut column = 0usize;
    for letter in text.chars() {
        if let Some(count @ 1..=9) = letter.to_digit(10) {
            column += count as usize;
            continue;
        }
        let kind = kind_of_letter(letter).ok_or(FenError::UnknownLetter(row + 1, column + 1, letter))?;
        let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
        let piece = Piece::new(color, kind);
        if let Some(square) = Square::at(column as i32, (RANKS - 1 - row) as i32) {
            if !can_stand(piece, square) {
                return Err(FenError::Misplaced(row + 1, column + 1, piece));
            }
            if !board.put(piece, square) {
                return Err(FenError::TooMany(row + 1, column + 1, piece));
            }
        }
        column += 1;
    }
    if column == FILES { Ok(()) } else { Err(FenError::RowLength(row + 1, column)) }
}

impl Position {
    /// Reads a position with its counters. Fields after the board may be missing in any number; text that is no number
    /// counts as 0 (plies without capture) or 1 (move number).
    ///
    /// # Errors
    /// As [`Board::from_fen`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::with_counters(Board::from_fen(fen)?, fen))
    }

    /// Reads a composed diagram with its counters, see [`Board::from_diagram`].
    ///
    /// # Errors
    /// As [`Board::from_fen`].
    pub fn from_diagram(fen: &str) -> Result<Position, FenError> {
        Ok(Position::with_counters(Board::from_diagram(fen)?, fen))
    }

    fn with_counters(board: Board, fen: &str) -> Position {
        let rest: Vec<&str> = fen.split_ascii_whitespace().skip(2).filter(|&field| field != "-").collect();
        let number = |index: usize| rest.get(index).and_then(|text| text.parse::<u64>().ok());
        let clock = number(0).unwrap_or(0).min(u16::MAX as u64) as u16;
        let fullmove = number(1).unwrap_or(1).clamp(1, u16::MAX as u64) as u32;
        Position::new(board, clock, fullmove)
    }

    /// The six fields, as `board side - - clock move`.
    pub fn to_fen(&self) -> String {
        format!("{} - - {} {}", self.board().to_fen(), self.clock(), self.fullmove())
    }
}
