//! Compact encoding of a board.

use super::RecordError;
use super::bytes::Cursor;
use chuhe::board::{Board, zone};
use chuhe::types::{Bitboard, Color, Piece, SQUARES};

/// Size of the set of points in bytes.
const SET_BYTES: usize = 12;

/// Appends the set of occupied points, one nibble (`Piece::index`) for each in their order, and the side to move.
pub fn pack_board(board: &Board, out: &mut Vec<u8>) {
    out.extend_from_slice(&board.occupied().bits().to_le_bytes()[..SET_BYTES]);
    let mut low = None;
    for (piece, _) in board.pieces() {
        let nibble = piece.index() as u8;
        match low.take() {
            None => low = Some(nibble),
            Some(first) => out.push(first | nibble << 4),
        }
    }
    out.extend(low);
    out.push(board.side_to_move().index() as u8);
}

/// Reads a board written by [`pack_board`] at the beginning of the bytes.
///
/// # Errors
/// The offset of the first invalid byte: all boards that the FEN reader rejects are rejected here too.
pub fn unpack_board(bytes: &[u8]) -> Result<Board, RecordError> {
    read_board(&mut Cursor::new(bytes, 0))
}

pub(super) fn read_board(cursor: &mut Cursor<'_>) -> Result<Board, RecordError> {
    let mut set = [0; 16];
    set[..SET_BYTES].copy_from_slice(cursor.take(SET_BYTES, "a set of points")?);
    let set = u128::from_le_bytes(set);
    let occupied = Bitboard::from_bits(set);
    if occupied.bits() != set || !(2..=32).contains(&occupied.len()) {
        return Err(cursor.malformed("a set of 2 to 32 of the 90 points"));
    }
    let nibbles = cursor.take(occupied.len().div_ceil(2), "one nibble a piece")?;
    let all: Vec<Piece> = Piece::all().collect();
    let mut rows = [None; SQUARES];
    for (number, square) in occupied.into_iter().enumerate() {
        let nibble = nibbles[number / 2] >> (number % 2 * 4) & 15;
        let piece = all.get(nibble as usize).copied().filter(|&piece| zone(piece).has(square));
        if piece.is_none() {
            return Err(cursor.malformed("a piece that can stand on its point"));
        }
        rows[square.index()] = piece;
    }
    let side = match cursor.byte("the side to move")? {
        0 => Color::Red,
        1 => Color::Black,
        _ => return Err(cursor.malformed("a side to move of 0 or 1")),
    };
    // Converted to FEN, so that boards are validated in one place only.
    Board::from_fen(&fen(&rows, side)).map_err(|_| cursor.malformed("a legal board"))
}

fn fen(rows: &[Option<Piece>; SQUARES], side: Color) -> String {
    let mut text = String::with_capacity(80);
    for rank in rows.chunks(chuhe::types::FILES).rev() {
        if !text.is_empty() {
            text.push('/');
        }
        for piece in rank {
            text.push(piece.map_or('1', Piece::fen_letter));
        }
    }
    text.push_str(if side == Color::Red { " w" } else { " b" });
    text
}
