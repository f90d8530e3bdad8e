//! Meng Baolin's coordinates (象棋新式坐标棋谱, 2001): `H28-47`. Only two examples were available; every point is read as file 1 to 9
//! from Red's left and rank 0 to 9 from Red's back rank, for both sides.

use super::coordinates;
use super::error::Reason;
use super::text::{self, LETTERS};
use crate::board::{Board, kind_of_letter};
use crate::types::{Move, Square};

/// Writes `H28-47`.
pub(super) fn write(board: &Board, mv: Move, out: &mut String) {
    let Some(piece) = board.piece_on(mv.from()) else { return };
    let point = |square: Square| [(b'1' + square.file()) as char, (b'0' + square.rank()) as char];
    out.push(LETTERS[piece.kind().index()]);
    out.extend(point(mv.from()));
    out.push('-');
    out.extend(point(mv.to()));
}

/// Reads a move; either the dash or the piece may be missing, but not both.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    let symbols = text::symbols(text).ok_or(Reason::Form)?;
    let (piece, points) = match *symbols.as_slice() {
        [piece, a, b, '-', c, d] | [piece, a, b, c, d] if piece.is_alphabetic() => (Some(piece), [a, b, c, d]),
        [a, b, '-', c, d] => (None, [a, b, c, d]),
        _ => return Err(Reason::Form),
    };
    let point = |file: char, rank: char| Square::at(file.to_digit(10)? as i32 - 1, rank.to_digit(10)? as i32);
    let [a, b, c, d] = points;
    let (from, to) = (point(a, b).ok_or(Reason::Form)?, point(c, d).ok_or(Reason::Form)?);
    if let Some(letter) = piece {
        let kind = kind_of_letter(letter).or_else(|| text::kind_of_name(letter)).ok_or(Reason::Form)?;
        let color = board.side_to_move();
        if !board.piece_on(from).is_some_and(|piece| piece.kind() == kind && piece.color() == color) {
            return Err(Reason::NoSuchPiece(format!("no {color} {kind} on {a}{b}")));
        }
    }
    coordinates::legal(board, from, to)
}
