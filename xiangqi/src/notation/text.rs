//! Normalisation of the characters of a move text.

pub(crate) use crate::board::is_invisible;
use crate::board::narrow;
use crate::types::PieceType;
use arrayvec::ArrayVec;
use std::borrow::Cow;

/// Maximum number of characters of a normalised move; only the phrases of `descriptive` are longer.
const MAX_LENGTH: usize = 32;

/// A normalised text.
pub(super) type Symbols = ArrayVec<char, MAX_LENGTH>;

/// Under a digit: the piece advances (combining low line).
pub(super) const LOW_LINE: char = '\u{332}';
/// Over a digit: the piece retreats (combining overline).
pub(super) const OVERLINE: char = '\u{305}';

/// Normalises a text: whitespace and invisible characters are removed, full-width forms become ASCII, and the many kinds of dashes
/// and dots become `-` and `.`. `None` if the result is longer than any move.
#[inline]
pub(super) fn symbols(text: &str) -> Option<Symbols> {
    let mut symbols = Symbols::new();
    for letter in text.chars() {
        if let Some(letter) = fold(letter) {
            symbols.try_push(letter).ok()?;
        }
    }
    Some(symbols)
}

/// A text without its invisible characters.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.contains(is_invisible) { Cow::Owned(text.replace(is_invisible, "")) } else { Cow::Borrowed(text) }
}

#[inline]
fn fold(letter: char) -> Option<char> {
    match letter {
        '!'..='~' => Some(letter),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => Some('-'),
        '\u{b7}' | '\u{2022}' | '\u{2027}' | '\u{22c5}' | '\u{30fb}' | '\u{ff65}' | '\u{3002}' => Some('.'),
        '\u{fe62}' => Some('+'),
        '\u{fe66}' => Some('='),
        '\u{d7}' => Some('x'),
        '\u{331}' => Some(LOW_LINE),
        '\u{304}' => Some(OVERLINE),
        _ if letter.is_whitespace() || letter.is_control() || is_invisible(letter) => None,
        _ => Some(narrow(letter)),
    }
}

/// A digit 1 to 9.
#[inline]
pub(super) fn digit(letter: char) -> Option<u8> {
    matches!(letter, '1'..='9').then_some(letter as u8 & 15)
}

/// A number 1 to 9 as a digit or Chinese numeral, including the Kangxi radicals that some converters substitute.
pub(crate) fn number(letter: char) -> Option<u8> {
    Some(match letter {
        '一' | '壹' | '⼀' => 1,
        '二' | '贰' | '貳' | '⼆' => 2,
        '三' | '叁' | '參' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' | '陸' | '\u{f9d1}' => 6,
        '七' | '柒' => 7,
        '八' | '捌' | '⼋' => 8,
        '九' | '玖' => 9,
        _ => return digit(letter),
    })
}

/// The kind of a piece by its Chinese name, in either script and of either side, since authors mix them.
pub(crate) fn kind_of_name(name: char) -> Option<PieceType> {
    Some(match name {
        '帥' | '帅' | '將' | '将' => PieceType::King,
        '仕' | '士' | '⼠' => PieceType::Advisor,
        '相' | '象' | '像' => PieceType::Elephant,
        // Some programs use 碼 and 砗 for Black's pieces; U+F902 and the radicals (U+2EE2 and U+2ECB for 马 and 车) come from converters.
        '馬' | '马' | '傌' | '㐷' | '碼' | '码' | '⾺' | '\u{2ee2}' => PieceType::Horse,
        '車' | '车' | '俥' | '伡' | '硨' | '砗' | '\u{f902}' | '⾞' | '\u{2ecb}' => PieceType::Rook,
        // 礮 and 礟 are the forms of old books.
        '炮' | '砲' | '礮' | '礟' | '包' | '泡' => PieceType::Cannon,
        '兵' | '卒' => PieceType::Pawn,
        _ => return None,
    })
}

/// Letters written for the kinds, in index order.
pub(super) const LETTERS: [char; PieceType::COUNT] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_a_text_are_normalised() {
        let plain = symbols("C2-5").map(String::from_iter);
        assert_eq!(plain.as_deref(), Some("C2-5"));
        for text in ["Ｃ２－５", " C 2 – 5\r", "\u{feff}C2−5\u{3000}", "C2—5\t", "\u{202a}C2\u{ad}-5\u{202c}"] {
            assert_eq!(symbols(text).map(String::from_iter), plain, "{text:?}");
        }
        assert_eq!(symbols(&"x".repeat(MAX_LENGTH + 1)), None);
    }

    #[test]
    fn numbers_are_one_to_nine() {
        for (index, letter) in "一二三四五六七八九".chars().enumerate() {
            assert_eq!(number(letter), Some(index as u8 + 1));
        }
        assert_eq!(number('\u{f9d1}'), Some(6));
        assert_eq!((kind_of_name('\u{2ee2}'), kind_of_name('\u{2ecb}')), (Some(PieceType::Horse), Some(PieceType::Rook)));
        assert_eq!((kind_of_name('礮'), kind_of_name('礟')), (Some(PieceType::Cannon), Some(PieceType::Cannon)));
        assert_eq!(number('0'), None);
        assert_eq!(number('十'), None);
        assert_eq!(digit('一'), None);
    }
}
