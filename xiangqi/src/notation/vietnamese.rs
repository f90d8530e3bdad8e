//! The notation of the Vietnamese Xiangqi Federation: `P2-5`, `M8.7`, `X9/1`, `Tg5.1`, for tandem pieces `Xt.1`, `Bg-6`, `Ps/2`.
//!
//! The letters abbreviate the Vietnamese names: Tg tướng, S sĩ, T tượng, X xe, P pháo, M mã, B binh. `.` is an advance (tấn), `/` a
//! retreat (thoái), `-` a sideways move (bình); t, g and s are front (trước), middle (giữa) and rear (sau). The federation does not
//! specify four pawns on a file or tandems on two files; these are written as in the 2018 rules, by place from the front and file.

use super::components::{self, Components, Direction, Edition, Parts, Place, Who};
use super::error::Reason;
use super::numbering::Numbering;
use super::text;
use crate::board::Board;
use crate::types::{Move, PieceType};

/// Names of the kinds, in index order.
const NAMES: [&str; PieceType::COUNT] = ["Tg", "S", "T", "M", "X", "P", "B"];

/// Writes a move. Advisors and elephants are always named by their file, since the direction distinguishes two of them.
pub(super) fn write(board: &Board, mv: Move, out: &mut String) {
    let Some(parts) = components::parts(board, mv, Numbering::Own) else { return };
    let Parts { piece, file, standing, direction, number } = parts;
    let digit = |number: u8| (b'0' + number) as char;
    out.push_str(NAMES[piece.kind().index()]);
    match standing.index {
        _ if standing.is_alone() || matches!(piece.kind(), PieceType::Advisor | PieceType::Elephant) => out.push(digit(file)),
        index if standing.sets > 1 || standing.count > 3 => out.extend([digit(index + 1), digit(file)]),
        0 => out.push('t'),
        index => out.push(if index + 1 == standing.count { 's' } else { 'g' }),
    }
    out.extend([
        match direction {
            Direction::Advance => '.',
            Direction::Retreat => '/',
            Direction::Traverse => '-',
        },
        digit(number),
    ]);
}

/// Reads a move, in upper or lower case. V is accepted for an elephant, C (chốt) for a pawn, and a pawn's place and file in either order (`Bt3-4`).
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    let components = parse(text).ok_or(Reason::Form)?;
    components::resolve(board, components, Numbering::Own, Edition::Rules2018)
}

/// Whether a text has this form and cannot be a move in any other notation in current use, since pawns never retreat, and advisors
/// and elephants never move sideways.
pub(crate) fn is_unmistakable(text: &str) -> bool {
    let Some(symbols) = text::symbols(text).filter(|_| parse(text).is_some()) else { return false };
    let &[.., way, number] = symbols.as_slice() else { return false };
    let step = |file: char| text::digit(file).zip(text::digit(number)).map(|(from, to)| from.abs_diff(to));
    match (symbols[0].to_ascii_uppercase(), symbols[1]) {
        ('T' | 'V', _) => true,
        // Usually a cannon.
        ('C', _) => false,
        _ if way == '/' || symbols.len() > 4 || !symbols[1].is_ascii_digit() => true,
        ('P', _) => way == '-',
        ('X' | 'B', file) if way == '-' => step(file) != Some(2),
        _ => way == '.',
    }
}

fn parse(text: &str) -> Option<Components> {
    let symbols = text::symbols(text)?;
    let [before @ .., way, number] = symbols.as_slice() else { return None };
    let (kind, place) = match before {
        ['T' | 't', 'G' | 'g', place @ ..] if !place.is_empty() => (PieceType::King, place),
        [letter, place @ ..] => (kind(*letter)?, place),
        [] => return None,
    };
    let who = match *place {
        [letter] => match text::digit(letter) {
            Some(file) => Who::OnFile(kind, file),
            None => Who::Placed(kind, place_of(letter)?),
        },
        [first, second] if kind == PieceType::Pawn => match (text::digit(first), text::digit(second)) {
            (Some(number), Some(file)) => Who::PawnOnFile(Place::Number(number), file),
            (Some(file), None) => Who::PawnOnFile(place_of(second)?, file),
            (None, Some(file)) => Who::PawnOnFile(place_of(first)?, file),
            (None, None) => return None,
        },
        _ => return None,
    };
    let direction = match way {
        '.' => Direction::Advance,
        '/' => Direction::Retreat,
        '-' => Direction::Traverse,
        _ => return None,
    };
    Some(Components { who, direction, number: text::digit(*number)? })
}

fn kind(letter: char) -> Option<PieceType> {
    Some(match letter.to_ascii_uppercase() {
        'S' => PieceType::Advisor,
        'T' | 'V' => PieceType::Elephant,
        'M' => PieceType::Horse,
        'X' => PieceType::Rook,
        'P' => PieceType::Cannon,
        'B' | 'C' => PieceType::Pawn,
        _ => return None,
    })
}

fn place_of(letter: char) -> Option<Place> {
    match letter.to_ascii_lowercase() {
        't' => Some(Place::Front),
        'g' => Some(Place::Middle),
        's' => Some(Place::Rear),
        _ => None,
    }
}
