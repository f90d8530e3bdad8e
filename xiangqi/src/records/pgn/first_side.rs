//! Which side the first move belongs to, as far as numerals and dots show it.

use super::moves;
use super::scanner::{Scanner, Token};
use super::words::{is_only_signs, strip_marks, strip_number};
use crate::notation::{glued, number_in};
use crate::types::Color;

/// The side that moves first according to the numerals of the first two moves in Chinese characters: Black's are Arabic, Red's Chinese. `None`
/// if both have the same.
pub(super) fn first_by_numerals(mut scanner: Scanner<'_>) -> Option<Color> {
    let mut first = None;
    // There may be move numbers and comments between the moves.
    for _ in 0..16 {
        let word = match scanner.token() {
            Token::Comment(_) => continue,
            Token::Word(word) => strip_number(word),
            _ => return None,
        };
        let parts = glued::split(word);
        for part in if parts.is_empty() { vec![word] } else { parts } {
            let (is_chinese, is_move) = (moves::is_chinese(part), glued::begins_with_move(part));
            if is_chinese != is_move {
                return None;
            }
            let Some(last) = strip_marks(part).0.chars().next_back().filter(|_| is_chinese) else { continue };
            let side = match last {
                '0'..='9' | '１'..='９' => Color::Black,
                last if "一二三四五六七八九".contains(last) => Color::Red,
                _ => return None,
            };
            match first {
                Some(first) => return Some(first).filter(|first| *first != side),
                None => first = Some(side),
            }
        }
    }
    None
}

/// Whether dots after the first number only lead to the moves of a round instead of standing for Red's move: the numerals show that Red moves
/// first, or two moves follow, and then another number with dots.
pub(super) fn has_leaders(scanner: Scanner<'_>) -> bool {
    first_by_numerals(scanner).map_or_else(|| repeats_dots(scanner), |first| first == Color::Red)
}

/// Whether the second number of a text has dots too and stands after two moves.
fn repeats_dots(mut scanner: Scanner<'_>) -> bool {
    let (mut moves, mut is_second, mut dots) = (0, false, false);
    for _ in 0..16 {
        let word = match scanner.token() {
            Token::Comment(_) | Token::Glyph(_) => continue,
            Token::Word(word) => word,
            _ => return false,
        };
        let text = strip_number(word);
        let number = &word[..word.len() - text.len()];
        is_second |= moves > 0 && number_in(number).is_some();
        dots |= is_second && has_dots(number);
        if text.is_empty() || is_only_signs(text) {
            continue;
        }
        if is_second {
            return dots && moves == 2;
        }
        moves += glued::split(text).len().max(1);
    }
    false
}

/// Whether a move number has dots, as those that stand for Red's move.
pub(super) fn has_dots(number: &str) -> bool {
    number.contains("..") || number.contains('…')
}
