//! Pieces on a board as a file states them, legal or not. [`Setup::position`] proves it legal.

use crate::board::{FenError, Position, START_FEN, kind_of_letter};
use crate::types::{Color, FILES, Move, Piece, RANKS, SQUARES, Square};

/// A board as read from a file. Files hold empty boards under chapter headings and positions no game can have, which must
/// open all the same; a [`Position`] is made of it where moves are to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pieces: [Option<Piece>; SQUARES],
    /// The side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub clock: u16,
    /// FEN's move number, from 1.
    pub fullmove: u32,
}

impl Setup {
    /// A board without pieces, Red to move.
    pub fn empty() -> Setup {
        Setup { pieces: [None; SQUARES], side: Color::Red, clock: 0, fullmove: 1 }
    }

    /// The start position.
    pub fn standard() -> Setup {
        Setup::from_position(&Position::startpos())
    }

    /// The present of a position.
    pub fn from_position(position: &Position) -> Setup {
        let mut setup = Setup::empty();
        for (piece, square) in position.board().pieces() {
            setup.pieces[square.index()] = Some(piece);
        }
        setup.side = position.side_to_move();
        setup.clock = position.clock();
        setup.fullmove = position.fullmove();
        setup
    }

    /// Reads a FEN in any dialect without asking whether a game can have the position. Fields may be missing from the
    /// right.
    ///
    /// # Errors
    /// When the text does not fill ten rows of nine points with known letters, or names an unknown side.
    pub fn from_fen(fen: &str) -> Result<Setup, FenError> {
        let mut setup = Setup::empty();
        let mut fields = fen.split_ascii_whitespace();
        let rows: Vec<&str> = fields.next().ok_or(FenError::Empty)?.split('/').collect();
        if rows.len() != RANKS {
            return Err(FenError::RowCount(rows.len()));
        }
        for (row, text) in rows.iter().enumerate() {
            let mut column = 0;
            for letter in text.chars() {
                if let Some(count @ 1..=9) = letter.to_digit(10) {
                    column += count as usize;
                    continue;
                }
                let kind = kind_of_letter(letter).ok_or(FenError::UnknownLetter(row + 1, column + 1, letter))?;
                let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
                if let Some(square) = Square::at(column as i32, (RANKS - 1 - row) as i32) {
                    setup.pieces[square.index()] = Some(Piece::new(color, kind));
                }
                column += 1;
            }
            if column != FILES {
                return Err(FenError::RowLength(row + 1, column));
            }
        }
        let mut rest: Vec<&str> = fields.filter(|&field| field != "-").collect();
        match rest.first() {
            Some(&("w" | "W" | "r" | "R")) => drop(rest.remove(0)),
            Some(&("b" | "B")) => {
                setup.side = Color::Black;
                rest.remove(0);
            }
            Some(text) if !text.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(FenError::UnknownSide(text.chars().take(20).collect()));
            }
            _ => {}
        }
        let number = |index: usize| rest.get(index).and_then(|text| text.parse::<u64>().ok());
        setup.clock = number(0).unwrap_or(0).min(u16::MAX as u64) as u16;
        setup.fullmove = number(1).unwrap_or(1).clamp(1, u16::MAX as u64) as u32;
        Ok(setup)
    }

    /// The board and side-to-move fields.
    pub fn to_board_fen(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                match self.pieces[rank * FILES + file] {
                    Some(piece) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(piece.fen_letter());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text.push_str(if self.side == Color::Red { " w" } else { " b" });
        text
    }

    /// All six fields.
    pub fn to_fen(&self) -> String {
        format!("{} - - {} {}", self.to_board_fen(), self.clock, self.fullmove)
    }

    /// Whether this is the start position with the counters of a new game.
    pub fn is_standard(&self) -> bool {
        self.to_fen() == START_FEN
    }

    /// The position, if the pieces make one; pawns may stand where no game could have put them, as in composed diagrams.
    ///
    /// # Errors
    /// Why no game can, see [`FenError`].
    pub fn position(&self) -> Result<Position, FenError> {
        Position::from_diagram(&self.to_fen())
    }

    /// The piece on a point.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Puts a piece on a point or clears it, and returns what stood there.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        std::mem::replace(&mut self.pieces[square.index()], piece)
    }

    /// All pieces with their points.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Square::all().filter_map(|square| self.piece_on(square).map(|piece| (piece, square)))
    }

    /// Gives the move to the owner of the piece that moves first. Several formats do not store the side to move, others
    /// store a wrong one.
    pub(super) fn trust_first_move(&mut self, first: Option<Move>) {
        if let Some(piece) = first.filter(|mv| !mv.is_none()).and_then(|mv| self.piece_on(mv.from())) {
            self.side = piece.color();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_boards_are_kept_and_legal_ones_proved() {
        let empty = Setup::from_fen("9/9/9/9/9/9/9/9/9/9 w").unwrap();
        assert_eq!(empty, Setup::empty());
        assert_eq!(empty.to_board_fen(), "9/9/9/9/9/9/9/9/9/9 w");
        assert!(empty.position().is_err());
        assert!(Setup::from_fen(START_FEN).unwrap().is_standard());
        assert_eq!(Setup::standard().position().unwrap().board(), Position::startpos().board());
    }

    #[test]
    fn every_dialect_of_fields_is_read() {
        let board = "3k5/9/9/9/9/9/9/9/9/4K4";
        for (rest, side, clock, fullmove) in [
            ("", Color::Red, 0, 1),
            (" w", Color::Red, 0, 1),
            (" r", Color::Red, 0, 1),
            (" B - - 7 9", Color::Black, 7, 9),
            (" b 7 9", Color::Black, 7, 9),
            (" - - 7 9", Color::Red, 7, 9),
        ] {
            let setup = Setup::from_fen(&format!("{board}{rest}")).unwrap();
            assert_eq!((setup.side, setup.clock, setup.fullmove), (side, clock, fullmove), "{rest}");
        }
        for bad in ["", "9/9", "9/9/9/9/9/9/9/9/9/8", "9/9/9/9/9/9/9/9/9/x8", "9/9/9/9/9/9/9/9/9/9 z", "99999999999999999999"] {
            assert!(Setup::from_fen(bad).is_err(), "{bad}");
        }
    }
}
