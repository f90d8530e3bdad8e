//! Splits moves written without spaces, as often typed or pasted from chats: `炮二平五，马8进7`, `h2e2,h9g7`,
//! `1.兵七进一炮2平32.兵三进一`. Moves are recognised by their form; the reader checks whether they are legal.

use super::{move_numbers, text};
use crate::board::narrow;
use std::borrow::Cow;

/// Splits a text without spaces into moves, each including any `!` and `?` after it. Empty if the text contains anything other than
/// moves, numbers and punctuation, if a move is in brackets and thus not played, or if the text is just one move.
pub(crate) fn split(text: &str) -> Vec<&str> {
    parts(text).into_iter().map(|(_, mv)| mv).collect()
}

/// The moves of a text as by [`split`], each with the text between the one before and itself.
pub(crate) fn parts(text: &str) -> Vec<(&str, &str)> {
    let letters: Vec<(usize, char)> = text.char_indices().map(|(at, letter)| (at, fold(letter))).collect();
    let byte = |index: usize| letters.get(index).map_or(text.len(), |(at, _)| *at);
    let mut parts: Vec<(&str, &str)> = Vec::new();
    // The next letter, and the byte behind the last move.
    let (mut at, mut behind) = (0, 0);
    // Digits without a dot are a move number only if a move follows.
    let (mut open_number, mut in_brackets) = (false, false);
    while let Some(&(start, letter)) = letters.get(at) {
        if let Some(length) = shape(&letters[at..]) {
            if in_brackets {
                return Vec::new();
            }
            let is_mark = |(_, letter): &&(usize, char)| "!?".contains(*letter);
            at += length + letters[at + length..].iter().take_while(is_mark).count();
            parts.push((&text[behind..start], &text[start..byte(at)]));
            (behind, open_number) = (byte(at), false);
            continue;
        }
        if let Some((_, rest)) = move_numbers::round(&text[start..]) {
            at += text[start..text.len() - rest.len()].chars().count();
            open_number = true;
            continue;
        }
        let is_before_digit = letters.get(at + 1).is_some_and(|(_, next)| next.is_ascii_digit());
        match letter {
            _ if letter.is_ascii_digit() || move_numbers::circled(letter).is_some() => open_number = true,
            // A pawn named by digits, as in `13+1` and `33.4`, whose form is not that of other moves.
            '+' | '-' | '=' | '.' if open_number && is_before_digit => return Vec::new(),
            _ if letter.is_alphanumeric() => return Vec::new(),
            _ => {
                open_number = false;
                // Full-width brackets have been folded.
                in_brackets = "([【".contains(letter) || (in_brackets && !")]】".contains(letter));
            }
        }
        at += 1;
    }
    if open_number || parts == [("", text)] { Vec::new() } else { parts }
}

/// Whether a text begins with something that has the form of a move.
#[cfg(feature = "records")]
pub(crate) fn begins_with_move(text: &str) -> bool {
    let letters: Vec<(usize, char)> = text.char_indices().take(8).map(|(at, letter)| (at, fold(letter))).collect();
    shape(&letters).is_some()
}

/// Splits a line of moves into words, without move numbers, `!`, `?` and punctuation.
#[cfg(feature = "records")]
pub(crate) fn words(line: &str) -> Vec<String> {
    let bare = |word: &str| crate::notation::strip_number(word).trim_end_matches(['!', '?', '！', '？']).to_string();
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        match split(word) {
            moves if moves.is_empty() => words.push(bare(word)),
            moves => words.extend(moves.into_iter().map(bare)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Like [`words`], but each move with the number or the dots before it, which show whether a move is missing: `2. 马二进三`.
#[cfg(feature = "records")]
pub(crate) fn numbered_words(line: &str) -> Vec<String> {
    use crate::notation::strip_number;
    let (mut words, mut number) = (Vec::new(), String::new());
    let mut add = |before: &str, text: &str| {
        // Other punctuation before a move is no number.
        if strip_number(before).is_empty() {
            number.push_str(before);
        }
        let text = text.trim_end_matches(['!', '?', '！', '？']);
        if !text.is_empty() {
            let blank = if number.is_empty() { "" } else { " " };
            words.push(format!("{number}{blank}{text}"));
            number.clear();
        }
    };
    for word in line.split_whitespace() {
        let moves = parts(word);
        moves.iter().for_each(|(before, mv)| add(before.trim_start_matches([',', '，', ';', '；', '。', '、']), mv));
        if moves.is_empty() {
            let text = strip_number(word);
            add(&word[..word.len() - text.len()], text);
        }
    }
    words
}

/// The words of a line joined where a blank or the end of a line is inside a move: `马 8 进 7`. Each text begins with a move number, if
/// the line has them. Empty if no move is in pieces, or if the pieces may be something else.
pub(super) fn without_breaks(texts: &[Cow<'_, str>]) -> Vec<String> {
    let words: Vec<&str> = texts.iter().flat_map(|text| text.split_whitespace()).collect();
    let is_sign = |letter: char| "+-=".contains(fold(letter));
    let is_number = |word: &str| word != "." && move_numbers::strip_number(word).len() < word.len();
    let is_piece = |&word: &&str| {
        word.chars().count() < 4 && !is_number(word) && word.contains(|letter: char| letter.is_alphanumeric() || is_sign(letter))
    };
    // A mark needs its move, and dots behind a move stand for another one.
    let is_other = |&word: &&str| {
        let has_dots = word.contains('…') || word.contains("..");
        word.chars().all(|letter| "!?！？".contains(letter)) || (has_dots && !is_number(word))
    };
    // Moves of chess look like points.
    let is_two_points = |at: usize| {
        let is_behind_dash = at > 0 && words[at - 1].chars().next_back().is_some_and(|last| fold(last) == '-');
        is_point(words[at]) && is_point(words[at + 1]) && !is_behind_dash
    };
    // A bare number cannot be told from the last digit of a move.
    let has_bare_numbers = words.first().is_some_and(|word| word.chars().all(move_numbers::is_digit));
    let has_points = (0..words.len().saturating_sub(1)).any(is_two_points);
    if !words.iter().any(is_piece) || words.iter().any(is_other) || has_bare_numbers || has_points {
        return Vec::new();
    }
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        if joined.is_empty() || is_number(word) {
            joined.push(String::new());
        }
        joined.last_mut().into_iter().for_each(|text| text.push_str(word));
    }
    joined
}

/// Whether a word is a letter and a number, such as `e4`.
pub(super) fn is_point(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|file| file.is_ascii_alphabetic()) && word.len() > 1 && letters.all(move_numbers::is_digit)
}

/// Converts full-width letters, digits and signs, and dashes, to ASCII.
fn fold(letter: char) -> char {
    match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => narrow(letter),
    }
}

/// The length in characters of the move at the start of `letters`, recognised by its form.
fn shape(letters: &[(usize, char)]) -> Option<usize> {
    let letter = |index: usize| letters.get(index).map(|(_, letter)| *letter);
    // The points may be preceded by a piece letter.
    let is_piece = letter(0).is_some_and(|first| "KABEHNRCPMGkabehnrcpmg".contains(first));
    let long = || coordinates(&|index| letter(index + 1)).filter(|_| is_piece).map(|length| length + 1);
    coordinates(&letter).or_else(long).or_else(|| {
        let [first, second, action, last] = [letter(0)?, letter(1)?, letter(2)?, letter(3)?];
        let number = |c: char| text::number(c).is_some();
        let piece = |c: char| text::kind_of_name(c).is_some();
        let rank = |c: char| "前中后後一二三四五".contains(c);
        let is_chinese = ((piece(first) && (number(second) || rank(second)))
            || (rank(first) && (piece(second) || number(second))))
            && "进進退平上下".contains(action)
            && number(last);
        let is_western = "KABEHNRCPMGSXkabehnrcpmgsx".contains(first)
            && "123456789+-.=".contains(second)
            && "+-.=".contains(action)
            && last.is_ascii_digit();
        let is_vietnamese = "STVXPMBstvxpmb".contains(first)
            && "123456789tgs".contains(second)
            && "./-".contains(action)
            && last.is_ascii_digit();
        let length = if is_chinese || is_western || is_vietnamese { 4 } else { 5 };
        // The king has two letters in Vietnamese notation.
        let is_king =
            length == 5 && matches!((first, second), ('T' | 't', 'g')) && action.is_ascii_digit() && "./-".contains(last);
        (length == 4 || is_king && letter(4).is_some_and(|number| number.is_ascii_digit())).then_some(length)
    })
}

/// Like [`shape`], for coordinates: `h2e2`, `H2-E2` and, with ranks from 1 to 10, `h10g8`.
fn coordinates(letter: &impl Fn(usize) -> Option<char>) -> Option<usize> {
    let point = |at: usize| {
        letter(at).filter(|file| ('a'..='i').contains(&file.to_ascii_lowercase()))?;
        letter(at + 1).filter(char::is_ascii_digit)?;
        let is_ten = letter(at + 1) == Some('1') && letter(at + 2) == Some('0');
        Some(at + if is_ten { 3 } else { 2 })
    };
    let from = point(0)?;
    point(from + (letter(from) == Some('-')) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glued_moves_are_split() {
        for (text, moves) in [
            ("炮二平五，马8进7，马二进三", "炮二平五 马8进7 马二进三"),
            ("1.兵七进一炮2平32.兵三进一", "兵七进一 炮2平3 兵三进一"),
            ("马8进7。2.马二进三", "马8进7 马二进三"),
            ("炮二平五!马8进7?!", "炮二平五! 马8进7?!"),
            ("h2e2,h9g7", "h2e2 h9g7"),
            ("1.h2e2h9g72.h0g2i9h910.i0h0", "h2e2 h9g7 h0g2 i9h9 i0h0"),
            ("h3e3h10g8", "h3e3 h10g8"),
            ("Ch2-e2Hh9-g7", "Ch2-e2 Hh9-g7"),
            ("P2-5,M8.7;Xt/1Tg5.1", "P2-5 M8.7 Xt/1 Tg5.1"),
            ("H2-E2H9-G7", "H2-E2 H9-G7"),
            ("C2=5,H8+7", "C2=5 H8+7"),
            ("C2=5H8+72.C5–1", "C2=5 H8+7 C5–1"),
            ("炮二平五——马8进7", "炮二平五 马8进7"),
            ("Ｃ２＝５，Ｈ８＋７", "Ｃ２＝５ Ｈ８＋７"),
            ("前车进一、后炮平５", "前车进一 后炮平５"),
            ("①炮二平五马8进7②马二进三", "炮二平五 马8进7 马二进三"),
            ("第1回合炮二平五马8进7第2回合马二进三", "炮二平五 马8进7 马二进三"),
            ("炮二平五碼8进7", "炮二平五 碼8进7"),
            ("炮二平五马8进7(马2进3)", ""),
            ("炮二平五马8进7(2.马八进七)马二进三", ""),
            ("（炮二平五）", ""),
            ("13+1K4+1K4+1", ""),
            ("33.4H8+7H2+3", ""),
            // One move with punctuation around it.
            ("h2e2,", "h2e2"),
            ("“炮二平五”", "炮二平五"),
            // Texts that are not several moves are not split.
            ("h2e2", ""),
            ("炮二平五", ""),
            ("33.4", ""),
            ("R1=21", ""),
            ("12", ""),
            ("Cannon", ""),
            ("炮二平五好", ""),
            ("", ""),
        ] {
            assert_eq!(split(text).join(" "), moves, "{text}");
        }
        for text in ["(马2进3)", "［马2进3］", "炮二平五马8进7(2.马八进七)马二进三", "炮二平五（1…马2进3）"]
        {
            assert!(parts(text).is_empty(), "{text}");
        }
        assert_eq!(parts("（1）炮二平五马8进7"), [("（1）", "炮二平五"), ("", "马8进7")]);
        #[cfg(feature = "records")]
        assert_eq!(words("1. 炮二平五，马8进7。 2.h0g2! 12").join(" "), "炮二平五 马8进7 h0g2 12");
    }
}
