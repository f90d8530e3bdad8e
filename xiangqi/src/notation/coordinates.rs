//! Coordinates of origin and goal: ICCS (`H2-E2`), its compact form (`h2e2`), and that with ranks 1 to 10 (`h3e3`).

use super::components::{KIND_NAMES, can_go};
use super::error::Unread;
use super::text;
use crate::board::Board;
use crate::types::{Move, Square};

/// Writes `H2-E2`.
pub(super) fn write_iccs(mv: Move, out: &mut String) {
    let point = |square: Square| [(b'A' + square.file()) as char, (b'0' + square.rank()) as char];
    out.extend(point(mv.from()));
    out.push('-');
    out.extend(point(mv.to()));
}

/// Writes `h2e2`.
pub(super) fn write_uci(mv: Move, out: &mut String) {
    for square in [mv.from(), mv.to()] {
        out.push((b'a' + square.file()) as char);
        out.push((b'0' + square.rank()) as char);
    }
}

/// Writes `h3e3`.
pub(super) fn write_uci10(mv: Move, out: &mut String) {
    for square in [mv.from(), mv.to()] {
        out.push((b'a' + square.file()) as char);
        match square.rank() {
            9 => out.push_str("10"),
            rank => out.push((b'1' + rank) as char),
        }
    }
}

/// Reads a move with ranks 0 to 9, in either case, with or without a dash.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Unread> {
    let symbols = text::symbols(text).ok_or(Unread::Form)?;
    let (from, to) = match *symbols.as_slice() {
        [file, rank, '-', to_file, to_rank] | [file, rank, to_file, to_rank] => {
            (point(file, rank.to_digit(10)), point(to_file, to_rank.to_digit(10)))
        }
        _ => return Err(Unread::Form),
    };
    legal(board, from.ok_or(Unread::Form)?, to.ok_or(Unread::Form)?)
}

/// Reads a move with ranks 1 to 10, in either case, with or without a dash.
pub(super) fn read_uci10(board: &Board, text: &str) -> Result<Move, Unread> {
    let symbols = text::symbols(text).ok_or(Unread::Form)?;
    let (from, rest) = point_of_ten(&symbols).ok_or(Unread::Form)?;
    let rest = if let [_, _, ..] = rest { rest.strip_prefix(&['-']).unwrap_or(rest) } else { rest };
    match point_of_ten(rest) {
        Some((to, [])) => legal(board, from, to),
        _ => Err(Unread::Form),
    }
}

fn point(file: char, rank: Option<u32>) -> Option<Square> {
    let file = file.to_ascii_lowercase();
    if !file.is_ascii_lowercase() {
        return None;
    }
    Square::at(file as i32 - 'a' as i32, rank? as i32)
}

fn point_of_ten(symbols: &[char]) -> Option<(Square, &[char])> {
    match *symbols {
        [file, '1', '0', ref rest @ ..] => Some((point(file, Some(9))?, rest)),
        [file, rank @ '1'..='9', ref rest @ ..] => Some((point(file, Some(rank as u32 - '1' as u32))?, rest)),
        _ => None,
    }
}

/// The move between two points, if it is legal.
pub(super) fn legal(board: &Board, from: Square, to: Square) -> Result<Move, Unread> {
    if from == to {
        return Err(Unread::Form);
    }
    let (mv, color) = (Move::new(from, to), board.side_to_move());
    if board.is_legal(mv) {
        return Ok(mv);
    }
    Err(match board.piece_on(from) {
        Some(piece) if piece.color() == color => {
            if can_go(board, mv) {
                Unread::LeavesKingInCheck(mv)
            } else {
                Unread::CannotMoveSo(format!("the {color} {} on {from}", KIND_NAMES[piece.kind().index()]))
            }
        }
        _ => Unread::NoSuchPiece(format!("no {color} piece on {from}")),
    })
}
