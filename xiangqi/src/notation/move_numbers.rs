//! Move numbers and dots in a line of moves, which show whether a move is missing: `1. 炮二平五 …… 2. 马二进三`. Without this check the next
//! move would be read as the other side's, since most notations are relative to the mover.

use super::text;
use crate::types::Color;

/// What the numbers of a line show, move by move.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct MoveNumbers {
    /// The last number with a move, and the number of moves since, including its own.
    last: Option<(usize, usize)>,
    /// The number of the next move.
    now: Option<usize>,
    /// Whether dots after this number stand for Red's move.
    has_dots: bool,
    /// Whether dots before it stand for another move.
    has_gap: bool,
    /// Whether the numbers are those of rounds.
    of_rounds: bool,
    /// Whether they are those of plies.
    of_plies: bool,
    /// Whether dots follow the numbers of Red's moves too.
    has_leaders: bool,
    /// Whether the last move of Red has a Chinese numeral.
    has_numerals: bool,
}

/// Whether a text ends with a Chinese numeral, as moves of Red do.
pub(super) fn has_numeral(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| !last.is_ascii() && text::number(last).is_some())
}

/// Whether a text ends with a point such as `e2`, as in coordinates and chess-like notation, which name the piece of one side.
fn ends_with_point(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#']);
    let before = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    before.len() < text.len()
        && before.len() > 1
        && before.ends_with(|file: char| ('a'..='i').contains(&file.to_ascii_lowercase()))
}

/// The number of a round in words at the start of a text, as in `第12回合：` or `第十二回合`, and the text after it.
pub(crate) fn round(text: &str) -> Option<(usize, &str)> {
    const MAX_LENGTH: usize = 6;
    let is_blank = |letter: char| letter == ' ' || letter == '\u{3000}';
    let rest = text.strip_prefix('第')?.trim_start_matches(is_blank);
    let (mut sum, mut part, mut end) = (0, 0, 0);
    for letter in rest.chars().take(MAX_LENGTH) {
        let unit = match letter {
            '十' => 10,
            '百' => 100,
            _ => 1,
        };
        if unit > 1 {
            (sum, part) = (sum + unit * part.max(1), 0);
        } else if let Some(digit) = digit(letter) {
            part = 10 * part + digit;
        } else {
            break;
        }
        end += letter.len_utf8();
    }
    let behind = rest[end..].trim_start_matches(is_blank).strip_prefix("回合").filter(|_| end > 0)?;
    Some((sum + part, behind.trim_start_matches([':', '：', ',', '，', '、', '.', '．', '…'])))
}

/// A digit of any kind, or a Chinese numeral.
fn digit(letter: char) -> Option<usize> {
    match letter {
        '0' | '０' | '〇' | '零' => Some(0),
        '１'..='９' => Some(letter as usize - '０' as usize),
        letter => text::number(letter).map(usize::from),
    }
}

/// The value of a circled number such as `⑫`, or of a number in one character with brackets or a full stop, which GBK has as well:
/// `⑿`, `⒓`.
pub(crate) fn circled(letter: char) -> Option<usize> {
    let (first, value) = match letter {
        '①'..='⑳' => ('①', 1),
        '㉑'..='㉟' => ('㉑', 21),
        '㊱'..='㊿' => ('㊱', 36),
        '⑴'..='⒇' => ('⑴', 1),
        '⒈'..='⒛' => ('⒈', 1),
        _ => return None,
    };
    Some(letter as usize - first as usize + value)
}

/// The only circled number in the text before a move.
pub(super) fn circled_in(text: &str) -> Option<usize> {
    let mut numbers = text.chars().filter_map(circled);
    numbers.next().filter(|_| numbers.next().is_none())
}

/// An ASCII or full-width digit.
pub(crate) fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || ('０'..='９').contains(&letter)
}

/// The value of a move number such as `12.`, `（１２）` or `第12回合`. None if it is higher than that of any game.
pub(crate) fn number_in(text: &str) -> Option<usize> {
    if let Some((number, _)) = round(text) {
        return u16::try_from(number).ok().map(usize::from);
    }
    let text = text.strip_prefix(['(', '（']).unwrap_or(text).trim_end_matches(|letter| !is_digit(letter));
    let mut digits = text.chars().map(|letter| Some(letter).filter(|&letter| is_digit(letter)).and_then(digit));
    let sum = digits.try_fold(0u16, |sum, digit| sum.checked_mul(10)?.checked_add(u16::try_from(digit?).ok()?));
    sum.filter(|_| !text.is_empty()).map(usize::from)
}

/// Strips a leading move number such as `12.`, `３．`, `4…`, `(5)`, `⑥` or `第7回合`; a text without a number is returned unchanged. Dots may
/// stand alone. `33.4` and `134` are kept, since they are pawn moves in some notations.
///
/// ```
/// use xiangqi::notation::strip_number;
///
/// assert_eq!(strip_number("12.C2=5"), "C2=5");
/// assert_eq!(strip_number("3..."), "");
/// assert_eq!(strip_number("（１）炮二平五"), "炮二平五");
/// assert_eq!(strip_number("③炮二平五"), "炮二平五");
/// assert_eq!(strip_number("第3回合"), "");
/// assert_eq!(strip_number("33.4"), "33.4");
/// ```
pub fn strip_number(word: &str) -> &str {
    const DOTS: [char; 4] = ['.', '．', '、', '…'];
    const SIGNS: [char; 9] = ['.', '．', '、', '…', '。', ':', '：', ')', '）'];
    if let Some((_, rest)) = round(word) {
        return rest.trim_start();
    }
    let is_circled = |first: char| circled(first).is_some();
    if word.starts_with(is_circled) {
        return word.trim_start_matches(is_circled).trim_start_matches(SIGNS).trim_start();
    }
    let inside = word.strip_prefix(['(', '（']);
    let digits = inside.unwrap_or(word);
    let behind = digits.trim_start_matches(is_digit);
    let has_digits = behind.len() < digits.len();
    let is_closed = inside.is_none() || (has_digits && behind.starts_with([')', '）']));
    let bare = if has_digits { behind.trim_start_matches(SIGNS) } else { behind.trim_start_matches(DOTS) };
    let is_number = is_closed && bare.len() < behind.len() && !bare.starts_with(is_digit);
    if is_number { bare.trim_start() } else { word }
}

impl MoveNumbers {
    /// The numbers at the beginning of a variation of this line.
    #[cfg(feature = "records")]
    pub(crate) fn of_variation(self) -> MoveNumbers {
        MoveNumbers { last: None, now: None, has_dots: false, has_gap: false, ..self }
    }

    /// Notes a move number, dots, or both.
    #[cfg(feature = "records")]
    pub(crate) fn number(&mut self, text: &str) {
        self.note(number_in(text), text);
    }

    /// Notes a move number with this value, dots, or both.
    pub(super) fn note(&mut self, number: Option<usize>, text: &str) {
        let has_dots = text.contains("..") || text.contains('…');
        if let Some(number) = number {
            self.has_gap |= self.has_dots;
            (self.now, self.has_dots) = (Some(number), has_dots);
        } else if has_dots {
            self.omission();
        }
    }

    /// Notes a sign or word in place of a move.
    pub(crate) fn omission(&mut self) {
        *(if self.now.is_some() { &mut self.has_dots } else { &mut self.has_gap }) = true;
    }

    /// Forgets a number that was not that of a move.
    #[cfg(feature = "records")]
    pub(crate) fn forget(&mut self) {
        self.now = None;
    }

    /// Whether the number before the next move is higher than the moves since the last number allow, as long as every ply may have a number.
    pub(super) fn has_jump(&self) -> bool {
        let passed = |plies: usize| if self.of_rounds { plies.div_ceil(2) } else { plies };
        matches!((self.now, self.last), (Some(now), Some((last, plies))) if now > last + passed(plies))
    }

    /// Whether only dots stand before the first move, in place of another one.
    pub(super) fn begins_with_dots(&self) -> bool {
        self.last.is_none() && self.now.is_none() && self.has_gap
    }

    /// Whether the number before a move of `side` seems to be that of a later one, whatever the move is; false in most lines.
    pub(crate) fn is_later(&self, side: Color) -> bool {
        let Some(number) = self.now else { return false };
        if self.has_dots {
            return side == Color::Red && !self.has_leaders;
        }
        let Some((last, plies)) = self.last else { return false };
        match side {
            Color::Red => self.has_gap && number > last + if self.of_plies { plies } else { plies.div_ceil(2) },
            Color::Black => number > last && plies % 2 == 1 && !self.of_plies,
        }
    }

    /// Whether the number before a move of `side` with this text is that of a later one, so that a move is missing. `has_reply` is whether another
    /// move without a number follows.
    pub(crate) fn is_gap(&self, side: Color, text: &str, has_reply: impl FnOnce() -> bool) -> bool {
        if !self.is_later(side) || ends_with_point(text) {
            return false;
        }
        match side {
            Color::Red => !self.has_dots || !has_numeral(text),
            Color::Black => {
                let is_own = self.has_numerals && !has_numeral(text);
                !is_own && (self.has_gap || self.of_rounds || has_reply())
            }
        }
    }

    /// Notes a move of `side`.
    pub(crate) fn played(&mut self, side: Color, text: &str) {
        match (self.now.take(), &mut self.last) {
            (Some(number), last) => {
                if let Some((last, plies)) = last {
                    let is_reply = side == Color::Black && *plies == 1;
                    self.of_rounds |= (number == *last + 1 && *plies == 2) || (number == *last && is_reply);
                    self.of_plies |= number == *last + 1 && is_reply && !self.has_dots;
                }
                self.has_leaders |= side == Color::Red && self.has_dots;
                *last = Some((number, 1));
            }
            (None, Some((_, plies))) => *plies += 1,
            (None, None) => {}
        }
        if side == Color::Red {
            self.has_numerals = has_numeral(text);
        }
        (self.has_dots, self.has_gap) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circled_numbers_have_values() {
        let circles = [('①', 1), ('⑳', 20), ('㉑', 21), ('㉟', 35), ('㊱', 36), ('㊿', 50)];
        for (letter, number) in circles.into_iter().chain([('⑴', 1), ('⒇', 20), ('⒈', 1), ('⒛', 20)]) {
            assert_eq!(circled(letter), Some(number), "{letter}");
        }
        assert_eq!((circled('1'), circled('一')), (None, None));
        assert_eq!((circled_in("②、"), circled_in("①②"), circled_in("2.")), (Some(2), None, None));
    }

    #[test]
    fn numbers_of_rounds_in_words_are_parsed() {
        for (text, number, rest) in [
            ("第1回合炮二平五", 1, "炮二平五"),
            ("第１回合：", 1, ""),
            ("第 12 回合 a", 12, " a"),
            ("第十回合", 10, ""),
            ("第十二回合、", 12, ""),
            ("第二十三回合……a", 23, "a"),
            ("第一百零四回合", 104, ""),
            ("第一〇回合", 10, ""),
        ] {
            assert_eq!(round(text), Some((number, rest)), "{text}");
            assert_eq!(number_in(text), Some(number), "{text}");
        }
        for text in ["第回合", "第1着", "1回合", "第", "第1", "第9999999回合", "第十百十百十百十回合"] {
            assert_eq!(round(text), None, "{text}");
        }
        for (text, number) in [("１２．", 12), ("(12)", 12), ("（１）", 1), ("12", 12), ("3：", 3)] {
            assert_eq!(number_in(text), Some(number), "{text}");
        }
        assert_eq!(
            (number_in("12..."), number_in("..."), number_in("70000."), number_in("第999999回合")),
            (Some(12), None, None, None)
        );
    }
}
