//! Splits words that contain moves, numbers, signs and remarks without spaces between them, as in typed or pasted text.

use super::moves::{Dialect, Signs, Style, is_chinese, is_ideograph, read};
use crate::board::Board;
use crate::notation::{self, glued, is_digit};
use crate::records::{RecordResult, UNREADABLE};

/// The first part of a word that is not a single move, with its length in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beginning {
    /// A legal move.
    Move(usize),
    /// A move number, or a sign that only separates moves.
    Separator(usize),
    /// Any other sign.
    Mark(usize),
    /// Text that cannot be a move.
    Remark(usize),
}

/// Maximum length in characters of a move in any notation of PGN.
const LONGEST_MOVE: usize = 8;

/// Whether a letter is a Chinese numeral from one to ten.
pub(super) fn is_numeral(letter: char) -> bool {
    "一二三四五六七八九十".contains(letter)
}

/// Determines the first part of a word. `None` if it starts with neither a move, number, sign nor remark.
pub(super) fn beginning(board: &Board, word: &str, dialect: Dialect) -> Option<Beginning> {
    let first = word.chars().next()?;
    let number = number_length(word);
    if number > 0 {
        return Some(Beginning::Separator(number));
    }
    if let Some((_, rest)) = notation::round(word) {
        return Some(Beginning::Remark(word.len() - rest.len()));
    }
    if let Some(length) = move_length(board, word, dialect) {
        return Some(Beginning::Move(length));
    }
    let digits = word.len() - word.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    // A number can be followed by a pawn move that starts with a digit: `1.15+1`.
    let behind = word[digits..].trim_start_matches(['.', '．', '、']);
    if (1..=4).contains(&digits) && move_length(board, behind, dialect).is_some() {
        return Some(Beginning::Separator(word.len() - behind.len()));
    }
    if is_sign(first) {
        return Some(sign(board, word, first, dialect));
    }
    let is_end = |letter: char| is_sign(letter) || letter.is_ascii_alphanumeric();
    let end = word.find(is_end).unwrap_or(word.len());
    let (text, rest) = word.split_at(end);
    if end > 0 && notation::without_check(text).is_empty() && !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
        return Some(Beginning::Separator(end));
    }
    let is_check = text.chars().nth(2).is_some() && notation::CHECK_WORDS.iter().any(|check| text.starts_with(check));
    (is_check || (end > 0 && notation::is_no_move(text))).then(|| Beginning::Remark(remark_length(board, word, end, dialect)))
}

/// The length of a remark whose letters end at `end`: with the digits and signs after them (`能赢吗？`), unless a move or a result follows.
fn remark_length(board: &Board, word: &str, end: usize, dialect: Dialect) -> usize {
    let is_followed = word[end..].char_indices().any(|(at, _)| {
        let rest = &word[end + at..];
        move_length(board, rest, dialect).is_some() || RecordResult::at_end(rest.trim_end_matches(is_separator)).is_some()
    });
    if is_followed { end } else { word.len() }
}

/// The length of the move number at the start of a word.
fn number_length(word: &str) -> usize {
    if notation::round(word).is_some() {
        return word.len() - strip_number(word).len();
    }
    let rest = word.trim_start_matches(is_digit);
    // Exclude signs that can follow a digit in a move or result.
    let bare = rest.trim_start_matches(|letter| is_sign(letter) && !"+-=/*＋－＝／＊".contains(letter));
    let is_number = rest.len() < word.len() && bare.len() < rest.len() && !bare.starts_with(char::is_numeric);
    if is_number { word.len() - bare.len() } else { 0 }
}

/// The length of the longest legal move at the start of a word whose rest can follow a move.
fn move_length(board: &Board, word: &str, dialect: Dialect) -> Option<usize> {
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).take(LONGEST_MOVE + 1).skip(2).collect();
    ends.into_iter().rev().find(|&end| {
        let mut dialect = dialect;
        let text = &word[..end];
        read(board, text, &mut dialect, Signs::default)
            .is_some_and(|mv| can_follow(&board.after(mv), &word[end..], text, dialect))
    })
}

/// Whether a text can directly follow a move.
fn can_follow(board: &Board, rest: &str, before: &str, dialect: Dialect) -> bool {
    let Some(first) = rest.chars().next() else { return true };
    // An evaluation such as `+-` or `+=`, not the sign of a check.
    if before.ends_with('+') && rest.starts_with(['-', '=', '/']) {
        return false;
    }
    let begins_with_move = |text: &str| {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]).take(LONGEST_MOVE + 1).skip(2);
        ends.into_iter().any(|end| read(board, &text[..end], &mut dialect.clone(), Signs::default).is_some())
    };
    if notation::round(rest).is_some() {
        return true;
    }
    if is_digit(first) {
        let behind = rest.trim_start_matches(is_digit);
        return number_length(rest) > 0
            || RecordResult::at_end(rest.trim_end_matches(is_separator)).is_some()
            || begins_with_move(behind);
    }
    // Marks of dpxq.com for a move with variations, if the line goes on after them.
    if is_chinese(before) && matches!(rest, "m" | "B" | "B*") {
        return true;
    }
    // A numeral after a move is not a remark, but the place of a pawn or a mistake.
    if first.is_ascii_alphabetic() || is_numeral(first) {
        return begins_with_move(rest);
    }
    // In chess-like notation a destination alone is a move, so `Ch2-e2` would be read as two moves.
    let is_goal = !is_chinese(before) && matches!(dialect.style, Some(Style::Chesslike(_)));
    if is_goal && "-=+./:#".contains(first) { false } else { is_sign(first) || is_chinese(&rest[..first.len_utf8()]) }
}

/// Whether a character is a sign: neither part of a word nor a digit. Circled numbers are signs. Undecodable characters are not, since they
/// could have been anything.
fn is_sign(letter: char) -> bool {
    let is_word = if letter.is_numeric() { is_digit(letter) || is_ideograph(letter) } else { letter.is_alphanumeric() };
    !is_word && letter != UNREADABLE
}

/// Pairs of brackets other than parentheses.
pub(super) const BRACKETS: [(char, char); 12] = [
    ('[', ']'),
    ('<', '>'),
    ('【', '】'),
    ('［', '］'),
    ('〔', '〕'),
    ('〖', '〗'),
    ('《', '》'),
    ('〈', '〉'),
    ('「', '」'),
    ('『', '』'),
    ('“', '”'),
    ('‘', '’'),
];

/// The text of a word that is entirely in brackets.
pub(super) fn inside(word: &str) -> Option<&str> {
    BRACKETS.iter().find_map(|pair| word.strip_prefix(pair.0)?.strip_suffix(pair.1))
}

/// The first part of a word that starts with a sign. Text in brackets is a remark unless it is a move.
fn sign(board: &Board, word: &str, first: char, dialect: Dialect) -> Beginning {
    let inside = &word[first.len_utf8()..];
    let closing = BRACKETS.iter().find(|pair| pair.0 == first).and_then(|pair| inside.find(pair.1).map(|at| (at, pair.1)));
    if let Some((at, closing)) = closing {
        let remark = &inside[number_length(inside).min(at)..at];
        let is_move =
            move_length(board, remark, dialect).is_some() || read(board, remark, &mut dialect.clone(), Signs::default).is_some();
        if !is_move && !is_only_signs(remark) && !strip_number(remark).is_empty() {
            return Beginning::Remark(first.len_utf8() + at + closing.len_utf8());
        }
    }
    let marks = |letter: char| "!?！？".contains(letter);
    let same = |letter: char| if marks(first) { marks(letter) } else { letter == first };
    let length = word.len() - word.trim_start_matches(same).len();
    if is_separator(first) || is_note_mark(first) || BRACKETS.iter().any(|pair| pair.0 == first || pair.1 == first) {
        Beginning::Separator(length)
    } else {
        Beginning::Mark(length)
    }
}

/// Whether a sign only separates moves, so that skipping it loses nothing.
pub(super) fn is_separator(letter: char) -> bool {
    ",，;；、。.．:：·\"'".contains(letter)
}

/// Whether a character is a number that refers to a note: in a circle or brackets, or raised.
fn is_note_mark(letter: char) -> bool {
    matches!(letter, '①'..='⒛' | '⓪'..='⓿' | '❶'..='➓' | '㉑'..='㉟' | '㊱'..='㊿' | '¹' | '²' | '³' | '⁰'..='⁹')
}

/// Whether a text begins with a move number, without regard to what follows.
pub(super) fn begins_with_number(text: &str) -> bool {
    text.starts_with(is_digit) || notation::round(text).is_some()
}

/// Strips a move number, with or without dots. A round in words is a number only before a move or a blank: remarks mention rounds too.
pub(super) fn strip_number(word: &str) -> &str {
    if let Some((_, rest)) = notation::round(word) {
        return if rest.is_empty() || glued::begins_with_move(rest) { rest } else { word };
    }
    let is_bare_number = word.chars().nth(4).is_none() && word.chars().all(is_digit);
    if is_bare_number { "" } else { notation::strip_number(word) }
}

/// Whether a word contains no letter or digit, such as `+=`, `±` or a comma.
pub(super) fn is_only_signs(word: &str) -> bool {
    !word.is_empty() && !word.chars().any(char::is_alphanumeric)
}

/// Whether a word is more than a move number and marks.
pub(super) fn is_move(word: &str) -> bool {
    !strip_marks(strip_number(word)).0.is_empty()
}

/// Strips the marks `!` and `?` after a move, and returns their glyph.
pub(super) fn strip_marks(text: &str) -> (&str, Option<u8>) {
    let bare = text.trim_end_matches(['!', '?', '！', '？']);
    let marks: String = text[bare.len()..].chars().map(|mark| if "!！".contains(mark) { '!' } else { '?' }).collect();
    let glyph = match marks.as_str() {
        "" => None,
        "!" => Some(1),
        "?" => Some(2),
        "!?" => Some(5),
        "?!" => Some(6),
        marks if marks.starts_with('!') => Some(3),
        _ => Some(4),
    };
    (bare, glyph)
}

#[cfg(test)]
pub(super) mod tests {
    use crate::records::{Format, Record, RecordResult, Records};

    pub(in crate::records::pgn) fn game(text: &str) -> Record {
        let records = Records::new(text.as_bytes().to_vec(), Some(Format::Pgn));
        records.and_then(|mut records| records.next().expect("a game")).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub(in crate::records::pgn) fn line(record: &Record) -> String {
        record.moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_without_spaces_are_read() {
        for text in [
            "1.炮二平五，马8进7 2.马二进三；车9平8（好） 3.车一平二。马2进3",
            "1.炮二平五马8进72.马二进三车9平83.车一平二马2进3",
            "炮二平五,马8进7,马二进三,车9平8,车一平二,马2进3",
            "1. C2=5,H8+7 2. H2+3,R9=8 !!3. R1=2 H2+3",
            "1.C2=5H8+72.H2+3R9=83.R1=2H2+3*",
            "h2e2,h9g7,h0g2,i9h9,i0h0,b9c7",
            "h2e2h9g7h0g2i9h9i0h0b9c7",
            "1.h3e3;h10g8;2.h1g3;i10h10;3.i1h1;b10c8",
            "1.H2-E2、H9-G7。2.H0-G2、I9-H9。3.I0-H0、B9-C7。",
            "(1)炮二平五 马8进7（2）马二进三 车9平8 ③车一平二 马2进3 1-0。",
            "第1回合 炮二平五 马8进7\n第２回合：马二进三 车9平8\n第 3 回合 车一平二 马2进3",
            "第一回合 炮二平五 马8进7 第二回合：马二进三 车9平8 第三回合 车一平二 马2进3",
            "第1回合炮二平五马8进7第2回合马二进三车9平8第3回合车一平二马2进3",
            "【炮二平五】“马8进7” [H2+3] <车9平8> 《车一平二》 『马2进3』",
            "1:炮二平五|马8进7|2:马二进三|车9平8|3:车一平二|马2进3",
            "炮二平五!马8进7?马二进三!?车9平8?!车一平二。。。马2进3……",
            "炮二平五~马8进7_马二进三=车9平8·车一平二…马2进3",
            "炮二平五①马8进7②《2.马二进三车9平8》车一平二 马2进3",
            "**炮二平五** 马8进7【好棋】马二进三好！车9平8 妙 车一平二「红 先」 马2进3",
            "Che2,Hg7,Hg2,Rh9,Rh0,Hc7",
            "P2-5,M8.7;M2.3,X9-8;X1-2,M2.3",
            "1. 炮二平五（ 马8进7 2. 马二进三 车9平8 3. 车一平二( 马2进3",
        ] {
            let record = game(text);
            assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "{text}: {:?}", record.warnings());
            assert_eq!((record.moves_in_tree(), record.left_out()), (6, 0), "{text}");
        }
        let record = game("[FEN \"3k5/9/6P2/2P3P2/2P3P2/9/9/9/9/4K4 w\"]\n\n1.13=4K4+1 2.3+.4K4-1 3.前七平六 *");
        assert_eq!(line(&record), "g7f7 d9d8 g6f6 d8d9 c6d6", "{:?}", record.warnings());
        let record = game("1.炮二平五，马8进7（好） 2.马二进三！，车9平8（1...炮8平5，马二进三）*");
        assert_eq!((record.plies(), record.moves_in_tree()), (4, 4), "{:?}", record.warnings());
        assert_eq!(record.comment(record.main_line().nth(1).unwrap()), "（好）");
        assert_eq!(record.glyphs(record.main_line().nth(2).unwrap()), [1]);
        let record = game("1.炮二平五，马8进7（1...炮8平5，马二进三） 2.马二进三*");
        assert_eq!((record.plies(), record.moves_in_tree()), (3, 5), "{:?}", record.warnings());
    }

    #[test]
    fn moves_may_have_blanks_inside() {
        for text in [
            "1. 炮二平五 马 8 进 7 2. 马二进三 车 9 平 8 3. 车一平二 马 2 进 3!",
            "1. 炮 二 平 五 马8 进7 2. 马二 进三 车 9平8 3. 车一 平二， 马 2\n进 3。",
        ] {
            let record = game(&format!("[Red \"A\"]\n\n{text} *"));
            assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "{text}");
            assert_eq!((record.warnings(), record.result), (vec![], RecordResult::Unknown), "{text}");
        }
        // A move of the king, and no word for check.
        let record = game("[FEN \"3k5/9/9/9/9/9/9/9/4C4/4K4 w\"]\n\n1. 炮五进一 将 4 进 1 2. 炮 五 进 一 *");
        assert_eq!(line(&record), "e1e2 d9d8 e2e3");
        // After a move that is not legal, 平 is no draw.
        let record = game("[Red \"A\"]\n\n1. 炮二平五 车 9 平 8");
        assert_eq!((record.plies(), record.result), (1, RecordResult::Unknown));
    }

    #[test]
    fn results_may_have_blanks_inside() {
        use RecordResult::{BlackWins, Draw, RedWins};
        for (end, result, warnings) in [
            ("1 - 0", RedWins, 0),
            ("0 : 1", BlackWins, 0),
            ("１ － ０", RedWins, 0),
            ("1/2 - 1/2.", Draw, 0),
            // After a move that is not legal.
            ("h9g7 0 – 1", BlackWins, 1),
        ] {
            let record = game(&format!("[Red \"a\"]\n\n1. h2e2 h9g7 {end}\n\n[Red \"b\"]\n\n1. b2e2 *\n"));
            assert_eq!(
                (line(&record).as_str(), record.result, record.warnings().len()),
                ("h2e2 h9g7", result, warnings),
                "{end}"
            );
        }
    }

    #[test]
    fn values_behind_moves_are_comments() {
        let record = game("1. C2=5 0.5 H8+7 0.35\n2. H2+3 -0.5 R9=8 00:12 1-0");
        assert_eq!((line(&record).as_str(), record.comments()), ("h2e2 h9g7 h0g2 i9h9", 4), "{:?}", record.warnings());
        assert_eq!(record.result, RecordResult::RedWins);
        assert_eq!(game("1. C2=5 H8+7 0.5").result, RecordResult::Draw);
    }

    #[test]
    fn a_remark_keeps_its_digits_and_signs() {
        for (remark, comment) in [
            ("红方能赢吗？", "红方能赢吗？"),
            ("黑方稳健！", "黑方稳健！"),
            ("红胜率60%，如图1。", "红胜率60%\n如图1。"),
            ("注：两难", "注：两难"),
        ] {
            let record = game(&format!("1. 炮二平五 马8进7\n{remark}\n2. 马二进三 车9平8 1-0"));
            assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9", "{remark}");
            let node = record.main_line().nth(1).unwrap();
            assert_eq!((record.comment(node), record.glyphs(node)), (comment, &[][..]), "{remark}");
            assert_eq!(record.warnings().len(), 1, "{remark}: {:?}", record.warnings());
        }
        // A move or a result behind the remark is read.
        let record = game("1. 炮二平五 马8进7妙！2.马二进三 妙1-0");
        assert_eq!((line(&record).as_str(), record.result), ("h2e2 h9g7 h0g2", RecordResult::RedWins));
    }

    #[test]
    fn text_behind_the_result_is_kept() {
        for (text, comments) in [
            ("1. h2e2 h9g7 1-0 ; Black lost on time\n\n[Event \"b\"]\n\n1. b2e2 *", ["Black lost on time", ""]),
            ("1. h2e2 h9g7 1-0\n; Black lost\n; on time\n[Event \"b\"]\n\n1. b2e2 *", ["Black lost\non time", ""]),
            ("1. h2e2 h9g7 1-0\n\n; by A\n[Event \"b\"]\n\n1. b2e2 *", ["", "by A"]),
            ("1. h2e2 h9g7 红胜 2010.10.5\n\n[Event \"b\"]\n\n1. b2e2 *", ["2010.10.5", ""]),
            ("1. h2e2 h9g7 1-0 黑方超时\n\n[Event \"b\"]\n\n1. b2e2 *", ["黑方超时", ""]),
        ] {
            let records = Records::new(format!("[Event \"a\"]\n\n{text}").into_bytes(), Some(Format::Pgn)).unwrap();
            let games: Vec<Record> = records.map(Result::unwrap).collect();
            let last = games[0].main_line().last().unwrap();
            let found = [games[0].comment(last), games[1].comment(games[1].root())];
            assert_eq!((found, games.len(), games[0].result), (comments, 2, RecordResult::RedWins), "{text}");
        }
    }

    #[test]
    fn missing_rounds_are_reported() {
        for (text, warnings) in [
            ("1. h2e2 h9g7 2. h0g2 i9h9 4. i0h0 b9c7", 1),
            ("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7", 0),
            ("1. h2e2 2. h9g7 3. h0g2 4. i9h9 5. i0h0", 0),
            ("1. h2e2 1... h9g7 2. h0g2 2... i9h9 3. i0h0", 0),
        ] {
            let record = game(&format!("[Event \"a\"]\n\n{text} *"));
            assert_eq!((record.warnings().len(), record.plies() >= 5), (warnings, true), "{text}: {:?}", record.warnings());
        }
    }

    #[test]
    fn a_remark_in_brackets_may_quote_moves() {
        for remark in ["【如改走 马二进三 则缓】", "[如改走 马二进三 则缓]", "“马8进7 是正着”", "〔好棋 1-0〕"]
        {
            let record = game(&format!("1. 炮二平五 {remark} 马8进7{remark} 2. 马二进三 车9平8 1-0"));
            assert_eq!((line(&record).as_str(), record.comments()), ("h2e2 h9g7 h0g2 i9h9", 2), "{remark}");
            assert_eq!((record.warnings(), record.result), (vec![], RecordResult::RedWins), "{remark}");
        }
        // Only moves.
        assert_eq!(line(&game("1. 炮二平五 【马8进7 2. 马二进三】 车9平8 *")), "h2e2 h9g7 h0g2 i9h9");
    }

    #[test]
    fn marks_of_notes_and_of_checks_need_no_warning() {
        for text in [
            "1. 炮二平五① 马8进7 ② 2. 马二进三⑴ 车9平8 ❶ 3. 车一平二㉑ 马2进3¹",
            "1. C2=5 ① H8+7 ①② 2. H2+3 ⑩ R9=8 ⓪ 3. R1=2 ㊿ H2+3 ²",
        ] {
            let record = game(text);
            assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "{text}");
            assert_eq!(record.warnings(), [""; 0], "{text}");
        }
        let head = "[FEN \"4k4/9/9/9/9/9/9/9/R8/3K5 w\"]\n\n";
        let record = game(&format!("{head}1. R9+8 + K5+1 2. R9=5 ＋ K5=6 *"));
        assert_eq!((line(&record).as_str(), record.warnings()), ("a1a9 e9e8 a9e9 e8f8", vec![]));
        // The sign of a check after a move that gives none is not understood.
        assert_eq!(game(&format!("{head}1. R9=8 + K5+1 *")).warnings().len(), 1);
    }

    #[test]
    fn words_for_check_are_skipped() {
        for text in [
            "1. 炮二平五 炮8平5 2. 炮五进四将 士4进5",
            "1. 炮二平五 炮8平5 2. 炮五进四将军 士4进5",
            "1. 炮二平五 炮8平5 2. 炮五进四叫将！ 士4进5",
            "1. 炮二平五 炮8平5 2. 炮五进四 , 将军! 士4进5",
            "1. 炮二平五 炮8平5 2. 炮五进四，将军。士4进5",
            "1. 炮二平五 炮8平5 2. 炮五进四+ 士4进5",
            "炮二平五，炮8平5，炮五进四将，士4进5",
        ] {
            let record = game(text);
            assert_eq!((line(&record).as_str(), record.warnings()), ("h2e2 h7e7 e2e6 d9e8", vec![]), "{text}");
        }
        // A move of the king directly after another move.
        let record = game("[FEN \"3k5/9/9/9/9/9/9/9/4R4/4K4 w\"]\n\n1. 车五进一将4进1 2. 车五平四 *");
        assert_eq!(line(&record), "e1e2 d9d8 e2f2");
        let record = game("1. 炮二平五 炮8平5 2. 炮五进四 将军抽车 士4进5 *");
        assert_eq!((record.plies(), record.comments()), (4, 1));
        let record = game("1. 炮二平五 炮8平5 2. 炮五进四 将5平4 *");
        assert!(record.main_line_fault().is_some_and(|fault| fault.contains("'将5平4'")), "{:?}", record.main_line_fault());
    }

    #[test]
    fn other_text_is_not_read_as_a_move() {
        for (text, plies) in [
            ("1. h2e23 h9g7", 0),
            ("1. C2=55 H8+7", 0),
            ("1. Ch2-e3 Hg7", 0),
            ("1. h2e2x h9g7", 0),
            ("1. 炮二平六七 马8进7", 0),
            ("1. 炮二平五 马9进9，马二进三", 1),
            ("1. h2e2 h9g7xyz h0g2", 1),
            ("1. 炮二平五 走一步 马8进7", 2),
        ] {
            let record = game(&format!("[Red \"A\"]\n{text} *"));
            assert_eq!(record.plies(), plies, "{text}: {}", line(&record));
            assert!(!record.warnings().is_empty() || record.main_line_fault().is_some(), "{text}");
        }
    }

    #[test]
    fn contradictory_results_are_reported() {
        for (text, result, warnings) in [
            ("[Result \"1-0\"]\n\n1. h2e2 0-1", RecordResult::RedWins, 1),
            ("[Result \"1-0\"]\n[Result \"0-1\"]\n\n1. h2e2 *", RecordResult::RedWins, 1),
            ("[Result \"1-0\"]\n[Result \"*\"]\n\n1. h2e2 1-0", RecordResult::RedWins, 0),
            ("[Result \"*\"]\n\n1. h2e2 0-1", RecordResult::BlackWins, 0),
        ] {
            let record = game(text);
            assert_eq!((record.result, record.warnings().len()), (result, warnings), "{text}: {:?}", record.warnings());
        }
    }

    #[test]
    fn carriage_returns_alone_end_lines() {
        let text = "[Red \"a\"]\r\r1. h2e2; good move\rh9g7 *\r\r[Red \"b\"]\r\r1. b2e2 *\r";
        let games: Vec<Record> = Records::new(text.into(), Some(Format::Pgn)).unwrap().map(Result::unwrap).collect();
        assert_eq!(games.iter().map(|game| game.plies()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn a_comment_of_several_lines_does_not_end_a_variation_with_a_heading() {
        let text = "【主变】\n1. 炮二平五 马８进７\n2. 马二进三 车９平８\n\n【变1】\n1. 炮八平五 {see\nhttp://x.org\nend} 马８进７\n2. 马二进一 *\n";
        let record = game(text);
        assert_eq!((record.moves_in_tree(), record.warnings().len()), (7, 0), "{:?}", record.warnings());
    }

    #[test]
    fn a_semicolon_after_a_move_separates_moves_or_starts_a_comment() {
        let record = game("1. h2e2;h9g7 2. h0g2; b9c7\n3. b0c2 ; h9g7 is not meant\n i9h9; h0g2 was better\n i0h0 *");
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 b9c7 b0c2 i9h9 i0h0");
        assert_eq!(record.comment(record.main_line().nth(4).unwrap()), "h9g7 is not meant");
        assert_eq!(record.comment(record.main_line().nth(5).unwrap()), "h0g2 was better");
        let record = game("1. h2e2 h9g7;,2.h0g2 i9h9; *");
        assert_eq!(line(&record), "h2e2 h9g7 h0g2 i9h9");
        let record = game("1. h2e2;h9g7 {over\ntwo lines} 2. h0g2 b9c7 *");
        assert_eq!((line(&record).as_str(), record.warnings().len()), ("h2e2 h9g7 h0g2 b9c7", 0));
        let record = game("1. h2e2 (1. b2e2; the other one) h9g7 2. h0g2 *");
        assert_eq!((line(&record).as_str(), record.moves_in_tree(), record.warnings().len()), ("h2e2 h9g7 h0g2", 4, 0));
    }
}
