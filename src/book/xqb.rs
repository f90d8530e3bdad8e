//! `.xqb` books of xqbook: the key is the position itself, seen from the side to move and from the side where the left half is
//! the larger, so that one query serves four positions.

use super::sqlite::{Database, weights};
use super::{BookError, BookMove};
use crate::board::Board;
use crate::types::{Color, FILES, Move, Piece, PieceType, RANKS, Square};

/// A book that can be asked.
#[derive(Debug)]
pub struct Xqb {
    database: Database,
}

/// Move, score, wins, draws, losses; `valid` is 0 for moves that were taken out.
const QUERY: &str = "SELECT move, score, win, draw, lost FROM book WHERE key = ?1 AND valid = 1";

/// How the board is turned before it is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct View {
    /// By half a circle: Black is to move.
    turned: bool,
    /// Left to right, after that.
    mirrored: bool,
}

impl View {
    /// The point in this row from the top and column, as the view shows the board.
    fn square(self, row: usize, column: usize) -> Option<Square> {
        let column = if self.mirrored { FILES - 1 - column } else { column };
        let (file, rank) = if self.turned { (FILES - 1 - column, row) } else { (column, RANKS - 1 - row) };
        Square::at(file as i32, rank as i32)
    }
}

/// The number of a piece for the side to move, 0 for none.
fn code(piece: Option<Piece>, mover: Color) -> u8 {
    let Some(piece) = piece else { return 0 };
    let kind = match piece.kind() {
        PieceType::Rook => 1,
        PieceType::Horse => 2,
        PieceType::Elephant => 3,
        PieceType::Advisor => 4,
        PieceType::King => 5,
        PieceType::Cannon => 6,
        PieceType::Pawn => 7,
    };
    if piece.color() == mover { kind } else { kind + 8 }
}

/// How a position is stored, and its key.
fn key(board: &Board) -> (View, Vec<u8>) {
    let mover = board.side_to_move();
    let mut view = View { turned: mover == Color::Black, mirrored: false };
    let at = |view: View, row, column| view.square(row, column).map_or(0, |square| code(board.piece_on(square), mover));
    let pairs = (0..RANKS).flat_map(|row| (0..FILES / 2).map(move |column| (row, column)));
    let mut differing = pairs.map(|(row, column)| (at(view, row, column), at(view, row, FILES - 1 - column)));
    view.mirrored = differing.find(|(left, right)| left != right).is_some_and(|(left, right)| right > left);
    let points = (0..RANKS).flat_map(|row| (0..FILES).map(move |column| (row, column)));
    let mut bits: Vec<bool> = Vec::new();
    for (row, column) in points {
        match at(view, row, column) {
            0 => bits.push(false),
            code => bits.extend([true, code & 8 != 0, code & 4 != 0, code & 2 != 0, code & 1 != 0]),
        }
    }
    let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (index, &bit)| byte | (bit as u8) << (7 - index));
    (view, bits.chunks(8).map(byte).collect())
}

/// A move: row, column, row, column in four bits each.
fn read_move(bits: i64, view: View) -> Option<Move> {
    let bits = u16::try_from(bits).ok()? as usize;
    let point = |row: usize, column: usize| (row < RANKS && column < FILES).then(|| view.square(row, column)).flatten();
    Some(Move::new(point(bits >> 12, bits >> 8 & 15)?, point(bits >> 4 & 15, bits & 15)?))
}

impl Xqb {
    /// A book in an open file.
    pub(super) fn new(database: Database) -> Xqb {
        Xqb { database }
    }

    /// About how many moves the book holds.
    pub fn size(&self) -> u64 {
        self.database.last_row("book")
    }

    /// The legal moves that the book knows.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>, BookError> {
        let (view, key) = key(board);
        let rows = self.database.rows(QUERY, &key)?;
        let read = rows.iter().zip(weights(&rows)).filter_map(|(row, weight)| Some((read_move(row.mv, view)?, weight)));
        Ok(read.filter(|(mv, _)| board.is_legal(*mv)).map(|(mv, weight)| BookMove { mv, weight }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn four_positions_share_a_key() {
        let mut position = Position::startpos();
        for text in ["h2e2", "h9g7", "h0g2", "i9h9"] {
            position.make(Move::from_uci(text).unwrap());
        }
        let board = *position.board();
        let (view, stored) = key(&board);
        assert!(stored.len() < 30, "{stored:02x?}");
        let original = board.legal_moves();
        let flipped = board.color_flipped();
        for (other, mirrored, turned) in
            [(board.mirrored(), true, false), (flipped, false, true), (flipped.mirrored(), true, true)]
        {
            let (other_view, other_key) = key(&other);
            assert_eq!(other_key, stored);
            for &mv in &original {
                let there = if turned { mv.flipped() } else { mv };
                let there = if mirrored { there.mirrored() } else { there };
                let bits = (0..=u16::MAX as i64).find(|&bits| read_move(bits, view) == Some(mv)).unwrap();
                assert_eq!(read_move(bits, other_view), Some(there), "{mv}");
            }
        }
    }
}
