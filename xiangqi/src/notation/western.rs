//! Notations of four characters with Latin letters: the World Xiangqi Rules of 2018, the WXF standard of 1999 and the beginner's
//! system.
//!
//! The last two are identical: for three and more tandem pawns the standard refers to a fuller description, which is that of the
//! beginner's system. They are separate systems because they are named after different books.

use super::components::{self, Components, Direction, Edition, Parts, Place, Who};
use super::error::Reason;
use super::numbering::Numbering;
use super::tandem::Tandems;
use super::text::{self, LETTERS};
use crate::board::{Board, kind_of_letter};
use crate::types::{Move, Piece, PieceType};

/// Writes a move.
pub(super) fn write(edition: Edition, board: &Board, mv: Move, out: &mut String) {
    let Some(parts) = components::parts(board, mv, Numbering::Own) else { return };
    write_parts(edition, &parts, out);
}

/// Writes the four components.
pub(super) fn write_parts(edition: Edition, parts: &Parts, out: &mut String) {
    let (who, traverse) = match edition {
        Edition::Rules2018 => (who_2018(parts, LETTERS[parts.piece.kind().index()]), '='),
        Edition::Standard1999 => (who_1999(parts), '.'),
    };
    out.extend(who);
    out.push(match parts.direction {
        Direction::Advance => '+',
        Direction::Retreat => '-',
        Direction::Traverse => traverse,
    });
    out.push((b'0' + parts.number) as char);
}

/// The first two components by the 2018 rules, for a piece with this name.
pub(super) fn who_2018(parts: &Parts, name: char) -> [char; 2] {
    let (standing, file) = (parts.standing, (b'0' + parts.file) as char);
    if standing.is_alone() {
        [name, file]
    } else if standing.is_only_pair() {
        [if standing.index == 0 { '+' } else { '-' }, name]
    } else {
        [(b'1' + standing.index) as char, file]
    }
}

/// The first two components in the beginner's system.
fn who_1999(parts: &Parts) -> [char; 2] {
    let (standing, file) = (parts.standing, (b'0' + parts.file) as char);
    let letter = LETTERS[parts.piece.kind().index()];
    let last = standing.count.saturating_sub(1);
    match (standing.index, last - standing.index) {
        _ if standing.is_alone() => [letter, file],
        (0, _) if standing.sets >= 2 => [file, '+'],
        (_, 0) if standing.sets >= 2 => [file, '-'],
        _ if standing.sets >= 2 => [file, file],
        (before, behind) if before == behind => [letter, file],
        (0, _) if standing.count >= 4 => ['+', '+'],
        (_, 0) if standing.count >= 4 => ['-', '-'],
        (before, behind) => [letter, if before < behind { '+' } else { '-' }],
    }
}

/// Reads a move.
pub(super) fn read(edition: Edition, board: &Board, text: &str) -> Result<Move, Reason> {
    let symbols = text::symbols(text).ok_or(Reason::Form)?;
    let components = parse(edition, &symbols).ok_or(Reason::Form)?;
    if edition == Edition::Standard1999 && is_pawn_by_rank(board, &symbols) {
        return Err(Reason::Form);
    }
    components::resolve(board, components, Numbering::Own, edition)
}

/// Whether two equal digits must be a place and a file, as in the 2018 rules. The beginner's system uses digits for a middle pawn
/// only if there are tandems on two files; with one tandem `33=4` is the third pawn, not the middle one. The 2018 rules don't use a
/// dot, so with a dot it is the middle pawn.
fn is_pawn_by_rank(board: &Board, symbols: &[char]) -> bool {
    let &[first, second, way, _] = symbols else { return false };
    let pawn = Piece::new(board.side_to_move(), PieceType::Pawn);
    first.is_ascii_digit() && second.is_ascii_digit() && way != '.' && Tandems::of(board, pawn, Numbering::Own).sets() < 2
}

/// Parses a normalised text. `P.` and `P=` are the middle pawn of three, between `P+` and `P-`.
pub(super) fn parse(edition: Edition, symbols: &[char]) -> Option<Components> {
    let &[first, second, way, number] = symbols else { return None };
    let who = match edition {
        // With a dot, two digits are the middle pawn of the beginner's system, which need not be the third.
        Edition::Rules2018 if way == '.' && first.is_ascii_digit() => return None,
        _ if matches!(first, 'P' | 'p') && matches!(second, '.' | '=') => Who::Placed(PieceType::Pawn, Place::Middle),
        Edition::Rules2018 => parse_who_2018(first, second, kind)?,
        Edition::Standard1999 => parse_who_1999(first, second)?,
    };
    let direction = match way {
        '+' => Direction::Advance,
        '-' => Direction::Retreat,
        '=' | '.' => Direction::Traverse,
        _ => return None,
    };
    Some(Components { who, direction, number: text::digit(number)? })
}

/// Parses the first two components by the 2018 rules, also `R+` for `+R`. `kind` maps names to kinds.
pub(super) fn parse_who_2018(first: char, second: char, kind: impl Fn(char) -> Option<PieceType>) -> Option<Who> {
    match (text::digit(first), text::digit(second)) {
        (Some(place), Some(file)) => Some(Who::PawnOnFile(Place::Number(place), file)),
        _ => parse_pair(first, second, kind),
    }
}

fn parse_who_1999(first: char, second: char) -> Option<Who> {
    match (text::digit(first), text::digit(second)) {
        (Some(file), Some(again)) => (file == again).then_some(Who::PawnOnFile(Place::Middle, file)),
        (Some(file), None) => Some(Who::PawnOnFile(sign(second)?, file)),
        _ => match (first, second) {
            ('+', '+') => Some(Who::Placed(PieceType::Pawn, Place::Foremost)),
            ('-', '-') => Some(Who::Placed(PieceType::Pawn, Place::Rearmost)),
            _ => parse_pair(first, second, kind),
        },
    }
}

/// The kind for a letter: the letters of FEN, and the initials of the Chinese names of advisor and elephant (shì, xiàng), which some
/// programs use in moves.
fn kind(letter: char) -> Option<PieceType> {
    match letter {
        'S' | 's' => Some(PieceType::Advisor),
        'X' | 'x' => Some(PieceType::Elephant),
        letter => kind_of_letter(letter),
    }
}

/// Parses `C2`, `+C`, `C+` or `Pa`.
fn parse_pair(first: char, second: char, kind: impl Fn(char) -> Option<PieceType>) -> Option<Who> {
    match (sign(first), kind(first)) {
        (Some(place), _) => Some(Who::Placed(kind(second)?, place)),
        (None, Some(kind)) => Some(match text::digit(second) {
            Some(file) => Who::OnFile(kind, file),
            None => Who::Placed(kind, sign(second).or_else(|| letter_of_pawn(kind, second))?),
        }),
        _ => None,
    }
}

/// The place of a pawn in `Pa` to `Pe` of XiangQi Wizard.
fn letter_of_pawn(kind: PieceType, letter: char) -> Option<Place> {
    let letter = letter.to_ascii_lowercase();
    (kind == PieceType::Pawn && ('a'..='e').contains(&letter)).then(|| Place::OverFiles(letter as u8 - b'a' + 1))
}

fn sign(letter: char) -> Option<Place> {
    match letter {
        '+' => Some(Place::Front),
        '-' => Some(Place::Rear),
        _ => None,
    }
}
