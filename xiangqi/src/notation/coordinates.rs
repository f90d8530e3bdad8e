//! Coordinate notations: ICCS (`H2-E2`), the compact form (`h2e2`), and the compact form with ranks 1 to 10 (`h3e3`). The readers
//! also accept a piece letter in front, as in long algebraic chess notation: `Ch2-e2`.

use super::components::is_pseudo_legal;
use super::error::Reason;
use super::text;
use crate::board::{Board, kind_of_letter};
use crate::types::{Move, Piece, Square};

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

/// Reads a move with ranks 0 to 9, in upper or lower case, with or without a dash and a piece letter.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    read_points(board, text, |symbols| match *symbols {
        [file, rank, ref rest @ ..] => Some((point(file, rank.to_digit(10))?, rest)),
        _ => None,
    })
}

/// Reads a move with ranks 1 to 10, in upper or lower case, with or without a dash and a piece letter.
pub(super) fn read_uci10(board: &Board, text: &str) -> Result<Move, Reason> {
    read_points(board, text, point_of_ten)
}

fn read_points(board: &Board, text: &str, take: impl Fn(&[char]) -> Option<(Square, &[char])>) -> Result<Move, Reason> {
    let symbols = text::symbols(text).ok_or(Reason::Form)?;
    let (kind, points) = match symbols.as_slice() {
        [letter, points @ ..] if points.first().is_some_and(char::is_ascii_alphabetic) => {
            (Some(kind_of_letter(*letter).ok_or(Reason::Form)?), points)
        }
        points => (None, points),
    };
    let (from, rest) = take(points).ok_or(Reason::Form)?;
    let rest = match rest {
        ['-' | 'x' | 'X', rest @ ..] => rest,
        rest => rest,
    };
    let (to, rest) = take(rest).ok_or(Reason::Form)?;
    let color = board.side_to_move();
    match kind {
        _ if !rest.is_empty() => Err(Reason::Form),
        Some(kind) if board.piece_on(from) != Some(Piece::new(color, kind)) => {
            Err(Reason::NoSuchPiece(format!("no {color} {kind} on {from}")))
        }
        _ => legal(board, from, to),
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
pub(super) fn legal(board: &Board, from: Square, to: Square) -> Result<Move, Reason> {
    if from == to {
        return Err(Reason::Form);
    }
    let (mv, color) = (Move::new(from, to), board.side_to_move());
    if board.is_legal(mv) {
        return Ok(mv);
    }
    Err(match board.piece_on(from) {
        Some(piece) if piece.color() == color => {
            if is_pseudo_legal(board, mv) {
                Reason::LeavesKingInCheck(mv)
            } else {
                Reason::CannotMoveSo(format!("the {color} {} on {from}", piece.kind()))
            }
        }
        _ => Reason::NoSuchPiece(format!("no {color} piece on {from}")),
    })
}
