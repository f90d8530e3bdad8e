//! Four characters in Chinese: 炮二平五, 前車進一, 前九平八. Red's numbers are Chinese numerals, Black's full-width digits.

use super::components::{self, Components, Direction, Edition, Parts, Place, Who};
use super::error::Reason;
use super::numbering::Numbering;
use super::text;
use crate::board::Board;
use crate::types::{Color, Move, Piece, PieceType};

/// Characters used for writing. The reader accepts both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Characters {
    Traditional,
    Simplified,
}

/// The character written for a piece.
pub(super) fn name(piece: Piece, characters: Characters) -> char {
    match characters {
        Characters::Traditional => piece.character(),
        Characters::Simplified => piece.simplified(),
    }
}

/// The character for a direction.
pub(super) fn direction_name(direction: Direction, characters: Characters) -> char {
    match (direction, characters) {
        (Direction::Advance, Characters::Traditional) => '進',
        (Direction::Advance, Characters::Simplified) => '进',
        (Direction::Retreat, _) => '退',
        (Direction::Traverse, _) => '平',
    }
}

/// The direction that a character stands for.
pub(super) fn parse_direction(letter: char) -> Option<Direction> {
    match letter {
        // 上 (up) and 下 (down) are used in old books.
        '進' | '进' | '上' | '+' => Some(Direction::Advance),
        '退' | '下' | '-' => Some(Direction::Retreat),
        '平' | '=' | '.' => Some(Direction::Traverse),
        _ => None,
    }
}

/// The Chinese numeral for 1 to 9.
fn numeral(number: u8) -> char {
    ['一', '二', '三', '四', '五', '六', '七', '八', '九'][(number.clamp(1, 9) - 1) as usize]
}

/// A number from 1 to 9: a Chinese numeral for Red, a full-width digit for Black.
fn number_of(color: Color, number: u8) -> char {
    match color {
        Color::Red => numeral(number),
        Color::Black => char::from_u32('０' as u32 + number as u32).unwrap_or('０'),
    }
}

/// Writes a move. Of two advisors or elephants on a file only one can advance and only one can retreat, so piece and file
/// identify them (相七退九). Books use this form, and some programs read 前相退九 as a different move.
pub(super) fn write(characters: Characters, board: &Board, mv: Move, out: &mut String) {
    let Some(parts) = components::parts(board, mv, Numbering::Own) else { return };
    let color = parts.piece.color();
    let piece_name = name(parts.piece, characters);
    if parts.standing.is_alone() || matches!(parts.piece.kind(), PieceType::Advisor | PieceType::Elephant) {
        out.extend([piece_name, number_of(color, parts.file)]);
    } else {
        let second = if parts.standing.sets >= 2 { number_of(color, parts.file) } else { piece_name };
        out.extend([place_name(&parts, characters), second]);
    }
    out.extend([direction_name(parts.direction, characters), number_of(color, parts.number)]);
}

/// 前 後, 前 中 後, or 前 二 三 四 後.
fn place_name(parts: &Parts, characters: Characters) -> char {
    let standing = parts.standing;
    match standing.index {
        0 => '前',
        index if index + 1 == standing.count => match characters {
            Characters::Traditional => '後',
            Characters::Simplified => '后',
        },
        _ if standing.count == 3 => '中',
        index => numeral(index + 1),
    }
}

/// Reads a move.
pub(super) fn read(board: &Board, text: &str) -> Result<Move, Reason> {
    let components = parse(text).ok_or(Reason::Form)?;
    components::resolve(board, components, Numbering::Own, Edition::Rules2018)
}

fn parse(text: &str) -> Option<Components> {
    let symbols = text::symbols(text)?;
    let &[first, second, way, number] = symbols.as_slice() else { return None };
    Some(Components { who: parse_who(first, second)?, direction: parse_direction(way)?, number: text::number(number)? })
}

/// Parses the first two components. The place is also accepted after the piece, as in the Latin notations.
pub(super) fn parse_who(first: char, second: char) -> Option<Who> {
    match (text::kind_of_name(first), text::kind_of_name(second)) {
        (Some(kind), None) => match text::number(second) {
            Some(file) => Some(Who::OnFile(kind, file)),
            None => Some(Who::Placed(kind, place_word(second)?)),
        },
        (None, Some(kind)) => Some(Who::Placed(kind, place(first)?)),
        (None, None) => Some(Who::PawnOnFile(place(first)?, text::number(second)?)),
        (Some(_), Some(_)) => None,
    }
}

/// Whether a text cannot be a move: it contains no piece name, direction, letter or digit.
#[cfg(feature = "records")]
pub(crate) fn is_no_move(text: &str) -> bool {
    let is_of_move = |letter: char| {
        let is_latin = letter.is_ascii_alphanumeric() || ('\u{ff01}'..='\u{ff5e}').contains(&letter) || letter == '\u{fffd}';
        is_latin || text::kind_of_name(letter).is_some() || parse_direction(letter).is_some()
    };
    !text.contains(is_of_move)
}

fn place(letter: char) -> Option<Place> {
    place_word(letter).or_else(|| text::number(letter).map(Place::Number))
}

fn place_word(letter: char) -> Option<Place> {
    match letter {
        '前' => Some(Place::Front),
        '後' | '后' => Some(Place::Rear),
        '中' => Some(Place::Middle),
        _ => None,
    }
}
