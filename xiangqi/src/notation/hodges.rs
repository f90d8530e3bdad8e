//! George Hodges' shogi notation (1976), as used for Taikyoku Shogi: `C-5h`, `Cx8a`. Files 1 to 9 run from Red's right, ranks `a`
//! to `j` from Black's back rank. The origin is written only if another piece of the same kind can move to the destination.

use super::components::only_legal;
use super::error::Reason;
use super::text::{self, LETTERS};
use crate::board::{Board, kind_of_letter};
use crate::types::{FILES, Move, Piece, RANKS, Square};
use arrayvec::ArrayVec;

/// Writes `C-5h`.
pub(super) fn write(board: &Board, mv: Move, out: &mut String) {
    let Some(piece) = board.piece_on(mv.from()) else { return };
    out.push(LETTERS[piece.kind().index()]);
    let others = board.squares_of(piece).filter(|&other| other != mv.from());
    if others.into_iter().any(|other| board.is_legal(Move::new(other, mv.to()))) {
        out.extend(name(mv.from()));
    }
    out.push(if board.is_capture(mv) { 'x' } else { '-' });
    out.extend(name(mv.to()));
}

fn name(square: Square) -> [char; 2] {
    [(b'0' + FILES as u8 - square.file()) as char, (b'a' + RANKS as u8 - 1 - square.rank()) as char]
}

/// Reads a move. `-` is also accepted for a capture; `x` only for a capture.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    let symbols = text::symbols(text).ok_or(Reason::Form)?;
    let form = parse(&symbols).ok_or(Reason::Form)?;
    if let Some(what) = form.other_game {
        return Err(Reason::OtherGame(what));
    }
    let &[letter] = form.piece else { return Err(Reason::Form) };
    let kind = kind_of_letter(letter).ok_or(Reason::Form)?;
    let to = square(form.goal).ok_or(Reason::Form)?;
    let piece = Piece::new(board.side_to_move(), kind);
    let named = |origin: Option<Square>| format!("{} {}{}", piece.color(), kind, on(origin));
    let origin = match form.origin {
        Some(origin) => Some(square(origin).ok_or(Reason::Form)?),
        None => None,
    };
    let candidates: ArrayVec<Move, 5> = board
        .squares_of(piece)
        .filter(|&from| from != to && origin.is_none_or(|origin| origin == from))
        .map(|from| Move::new(from, to))
        .collect();
    if candidates.is_empty() {
        return Err(Reason::NoSuchPiece(format!("no {}", named(origin))));
    }
    if form.captures && !board.color(!piece.color()).has(to) {
        return Err(Reason::CannotMoveSo(format!("there is nothing to capture and the {}", named(origin))));
    }
    only_legal(board, &candidates).map_err(|fault| match fault {
        Reason::CannotMoveSo(_) => Reason::CannotMoveSo(format!("the {}", named(origin))),
        fault => fault,
    })
}

fn on(origin: Option<Square>) -> String {
    origin.map_or(String::new(), |origin| format!(" on {origin}"))
}

/// A parsed text. Points are digits and letters, not yet checked.
struct Form<'a> {
    piece: &'a [char],
    origin: Option<&'a [char]>,
    captures: bool,
    goal: &'a [char],
    /// The feature that belongs to another game, if any.
    other_game: Option<&'static str>,
}

/// Parses any move of the shogi family, so that moves of other games get a specific error.
fn parse(symbols: &[char]) -> Option<Form<'_>> {
    let (promoted, rest) = match symbols {
        ['+', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (rest, promotes) = match rest {
        [rest @ .., '+'] => (rest, true),
        rest => (rest, false),
    };
    // Piece names have up to three letters; an `x` before a point marks a capture.
    let is_sign = |at: usize| matches!(rest.get(at), Some('x' | 'X')) && matches!(rest.get(at + 1), Some('!' | '0'..='9'));
    let length = (0..rest.len()).find(|&at| !rest[at].is_ascii_alphabetic() || at > 0 && is_sign(at))?;
    let (piece, mut rest) = rest.split_at(length);
    if piece.is_empty() || length > 3 {
        return None;
    }
    let origin = take_point(rest);
    if let Some((_, behind)) = origin {
        rest = behind;
    }
    let mut steps = 0;
    let (mut captures, mut igui, mut goal) = (false, false, None);
    while !rest.is_empty() {
        let (sign, behind) = match rest {
            ['-', behind @ ..] => (false, behind),
            ['x' | 'X', behind @ ..] => (true, behind),
            ['!', ..] => (true, rest),
            _ => return None,
        };
        captures |= sign;
        let behind = match behind {
            ['!', behind @ ..] => {
                igui = true;
                behind
            }
            behind => behind,
        };
        let (point, behind) = take_point(behind)?;
        goal = Some(point);
        steps += 1;
        rest = behind;
    }
    let other_game = match () {
        () if igui => Some("igui (a capture without moving)"),
        () if steps > 1 => Some("a double capture"),
        () if promoted => Some("a promoted piece"),
        () if promotes => Some("a promotion"),
        () => None,
    };
    Some(Form { piece, origin: origin.map(|(point, _)| point), captures, goal: goal?, other_game })
}

/// Splits off a point: one or two digits and one or two letters.
fn take_point(symbols: &[char]) -> Option<(&[char], &[char])> {
    let digits = symbols.iter().take(2).take_while(|letter| letter.is_ascii_digit()).count();
    let letters =
        symbols[digits..].iter().take(2).take_while(|letter| letter.is_ascii_alphabetic() && !matches!(letter, 'x' | 'X'));
    let end = digits + letters.count();
    (digits > 0 && end > digits).then(|| symbols.split_at(end))
}

/// The point with this name, if the xiangqi board has it.
fn square(point: &[char]) -> Option<Square> {
    let &[file, rank] = point else { return None };
    let rank = rank.to_ascii_lowercase() as i32 - 'a' as i32;
    Square::at(FILES as i32 - text::digit(file)? as i32, RANKS as i32 - 1 - rank)
}
