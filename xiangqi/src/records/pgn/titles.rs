//! The text before and between games without tags: titles, and headings such as `红方：甲` that correspond to tags.

use super::moves;
use super::words::{is_numeral, strip_number};
use crate::notation::{glued, is_digit};
use crate::records::RecordResult;
use std::ops::Range;

/// Maximum length of the name of a heading in bytes.
const LONGEST_NAME: usize = 48;

/// Tag of the title, tag of the start position, tag of the result, and pseudo-tag for the moves.
pub(super) const TITLE: &str = "Title";
pub(super) const FEN: &str = "FEN";
pub(super) const RESULT: &str = "Result";
pub(super) const MOVES: &str = "Moves";
/// Pseudo-tags for the names of the players without their team, which count if there is no other heading for them.
pub(super) const RED_NAME: &str = "RedName";
pub(super) const BLACK_NAME: &str = "BlackName";
/// Pseudo-tag for the time that the player before it in the line has used.
const TIME: &str = "Time";

/// Tags and the corresponding names of headings, from the text exports of 东萍, 象棋桥 and others. The traditional form of a name follows the
/// simplified one.
const NAMES: [(&str, &[&str]); 34] = [
    (TITLE, &["标题", "標題", "题目", "題目", "名称", "名稱", "title"]),
    ("Event", &["赛事", "賽事", "赛事名称", "賽事名稱", "比赛", "比賽", "比赛名称", "比賽名稱", "event"]),
    ("Site", &["地点", "地點", "比赛地点", "比賽地點", "site", "place"]),
    ("Date", &["日期", "比赛日期", "比賽日期", "比赛时间", "比賽時間", "date"]),
    ("Round", &["轮次", "輪次", "round"]),
    ("Red", &["红方", "紅方", "红", "紅", "红棋", "先手", "先手方", "red", "white"]),
    ("Black", &["黑方", "黑", "黑棋", "后手", "後手", "后手方", "black"]),
    (RESULT, &["结果", "結果", "比赛结果", "比賽結果", "对局结果", "對局結果", "result"]),
    (RED_NAME, &["红方姓名", "紅方姓名"]),
    (BLACK_NAME, &["黑方姓名"]),
    ("RedTeam", &["红队", "紅隊", "红方单位", "紅方單位", "红方团体", "紅方團體", "red team", "white team"]),
    ("BlackTeam", &["黑队", "黑隊", "黑方单位", "黑方單位", "黑方团体", "黑方團體", "black team"]),
    ("RedElo", &["红等级分", "紅等級分", "红方等级分", "紅方等級分", "red elo", "white elo"]),
    ("BlackElo", &["黑等级分", "黑等級分", "黑方等级分", "黑方等級分", "black elo"]),
    ("RedTime", &["红方用时", "紅方用時"]),
    ("BlackTime", &["黑方用时", "黑方用時"]),
    ("TimeControl", &["时间规则", "時間規則", "记时规则", "記時規則", "计时规则", "計時規則", "用时规则", "用時規則"]),
    ("Opening", &["布局", "佈局", "开局", "開局", "opening"]),
    ("ECCO", &["ecco"]),
    ("Variation", &["变例", "變例", "variation"]),
    ("Group", &["组别", "組別"]),
    ("Table", &["台次", "臺次"]),
    ("Category", &["分类", "分類"]),
    ("Type", &["类型", "類型", "棋谱类型", "棋譜類型", "棋局类型", "棋局類型", "对局种类", "對局種類", "赛事类型", "賽事類型"]),
    ("Source", &["来源", "來源"]),
    ("Annotator", &["评注", "評註", "评注者", "評註者", "评论", "評論", "解说", "解說", "annotator"]),
    ("Author", &["作者", "录入", "錄入", "author"]),
    ("Judge", &["裁判", "裁判员", "裁判員"]),
    ("Recorder", &["记录员", "記錄員", "记录", "記錄"]),
    ("Remark", &["备注", "備註", "说明", "remark"]),
    ("Termination", &["结束方式", "結束方式"]),
    (FEN, &["fen", "局面", "初始局面", "初始局面fen", "起始局面", "开局局面", "開局局面"]),
    (TIME, &["耗时", "耗時"]),
    (MOVES, &["着法", "著法", "招法", "棋谱", "棋譜", "主变", "答案", "解答", "解法", "moves"]),
];

/// The headings of a line, which may contain several: `红方: 甲   黑方: 乙`.
pub(super) fn headings(line: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(&'static str, &str)> = Vec::new();
    let Some((mut tag, mut rest)) = heading(line).filter(|(tag, _)| *tag != TIME) else { return found };
    loop {
        tag = match (tag, found.last()) {
            (TIME, Some(("Black", _))) => "BlackTime",
            (TIME, _) => "RedTime",
            (tag, _) => tag,
        };
        // The next heading must follow whitespace or punctuation. The limit bounds the work at every line.
        let is_between = |letter: char| letter.is_whitespace() || ",，;；".contains(letter);
        let blanks = rest.match_indices(is_between).map(|(at, blank)| (at, at + blank.len()));
        let next = blanks.take(64).find_map(|(end, start)| heading(&rest[start..]).map(|next| (end, next)));
        let Some((end, (next_tag, behind))) = next else {
            found.push((tag, value(rest)));
            return found;
        };
        found.push((tag, value(rest[..end].trim_end_matches(is_between))));
        (tag, rest) = (next_tag, behind);
    }
}

pub(super) fn value(text: &str) -> &str {
    let text = text.trim().trim_matches(['【', '】']);
    text.strip_prefix("**").unwrap_or(text).trim_start()
}

/// The tag of the heading at the start of a text, and the text after its colon.
pub(super) fn heading(text: &str) -> Option<(&'static str, &str)> {
    let mut letters = text.char_indices().take_while(|(at, _)| *at < LONGEST_NAME);
    let (at, end) = letters.find(|(_, letter)| ":：】\n".contains(*letter))?;
    // The moves, and what is known of the game, may also have a heading in brackets without a colon: `【主变】`, `【红方】甲`.
    let (at, end) = match end {
        ':' | '：' => (at, at + end.len_utf8()),
        '】' if text.starts_with('【')
            && is_bracketed(&text['【'.len_utf8()..at])
            && !text[at + end.len_utf8()..].starts_with([':', '：']) =>
        {
            (at, at + end.len_utf8())
        }
        '】' => letters
            .find(|(_, letter)| ":：\n".contains(*letter))
            .filter(|(_, end)| *end != '\n')
            .map(|(at, end)| (at, at + end.len_utf8()))?,
        _ => return None,
    };
    let name: String = text[..at].trim_matches(['【', '】', '[', ']', '#', '*', '-', '•', ' ', '\u{3000}']).to_lowercase();
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(if name.is_ascii() { " " } else { "" });
    let (tag, _) = NAMES.iter().find(|(_, names)| names.contains(&name.as_str()))?;
    Some((tag, &text[end..]))
}

/// Whether this is the name of a heading that needs no colon in brackets.
fn is_bracketed(name: &str) -> bool {
    const TAGS: [&str; 8] = [MOVES, TITLE, RESULT, "Event", "Site", "Date", "Red", "Black"];
    NAMES.iter().any(|(tag, names)| TAGS.contains(tag) && names.contains(&name))
}

/// Whether a line has the form of a heading in Chinese, even of an unknown one.
pub(super) fn has_form_of_heading(line: &str) -> bool {
    line.split_once([':', '：'])
        .is_some_and(|(name, _)| (2..=6).contains(&name.chars().count()) && name.chars().all(moves::is_ideograph))
}

/// Whether a line starts with a heading.
pub(super) fn is_heading(line: &str) -> bool {
    heading(line).is_some_and(|(tag, _)| tag != TIME)
}

/// Players and result in a line such as `甲 红先胜 乙`, as bulletins of tournaments have it above the moves.
#[derive(PartialEq, Debug)]
pub(super) struct Pairing<'a> {
    pub(super) red: &'a str,
    pub(super) black: &'a str,
    pub(super) result: RecordResult,
    /// Text in brackets at the end of the line, such as the number of a game for a tie-break.
    pub(super) note: &'a str,
}

/// Signs of sentences, which a line of names doesn't have.
const SENTENCE: &str = "，,。；;！!？?：:、…{}《》“”\"";

/// Whether a line numbers a game or a puzzle, as in books: `第二局 中炮对屏风马`, `【第12题】`.
pub(super) fn numbers_game(line: &str) -> bool {
    let Some(name) = line.trim_start().trim_start_matches(['【', '[']).strip_prefix('第') else { return false };
    let rest = name.trim_start_matches(|letter| is_digit(letter) || is_numeral(letter) || "百零〇 ".contains(letter));
    rest.len() < name.len() && rest.starts_with(['局', '题', '題', '例'])
}

/// The players and the result in a line. The player named first has Red, unless the result is given for the second player (`后胜`).
pub(super) fn pairing(line: &str) -> Option<Pairing<'_>> {
    const LONGEST: usize = 160;
    let line = line.trim();
    if line.len() > LONGEST || line.contains(|letter| SENTENCE.contains(letter)) || line.starts_with(char::is_numeric) {
        return None;
    }
    let (word, is_second) = result_word(line)?;
    let result = match &line[word.clone()] {
        "胜" | "勝" => RecordResult::RedWins,
        "负" | "負" => RecordResult::BlackWins,
        text => RecordResult::at_end(text)?,
    };
    let (mut first, mut second) = (line[..word.start].trim_end(), line[word.end..].trim_start());
    if let (Some(before), Some(behind)) = (first.strip_suffix(['(', '（']), second.strip_prefix([')', '）'])) {
        (first, second) = (before.trim_end(), behind.trim_start());
    }
    let opens = |(at, _): &(usize, &str)| second[..*at].ends_with(char::is_whitespace);
    let note = second.match_indices(['(', '（', '[', '【']).find(opens).map_or("", |(at, _)| &second[at..]);
    second = second[..second.len() - note.len()].trim_end();
    let (red, black) = if is_second { (second, first) } else { (first, second) };
    (is_name(red) && is_name(black)).then_some(Pairing { red, black, result, note })
}

/// The range of the result in a line of names, and whether it is that of the second player. A word of one letter is separated from the names by
/// blanks or brackets, as is one that a name can contain; `红先胜` may stand directly between them.
fn result_word(line: &str) -> Option<(Range<usize>, bool)> {
    const OUTCOMES: [char; 5] = ['胜', '勝', '负', '負', '和'];
    let is_edge = |letter: char| letter.is_whitespace() || "()（）".contains(letter);
    let (mut found, mut is_unique, mut has_edges) = (None, true, false);
    for (at, letter) in line.char_indices().filter(|(_, letter)| OUTCOMES.contains(letter)) {
        let end = at + letter.len_utf8();
        let before = &line[..at];
        let first = before.strip_suffix('先').unwrap_or(before);
        let red = if first.len() < before.len() { first.strip_suffix(['红', '紅']).unwrap_or(first) } else { before };
        let second = before.strip_suffix(['后', '後']).unwrap_or(before);
        let start = red.len().min(second.len());
        let edges = [line[..start].ends_with(is_edge), line[end..].starts_with(is_edge)];
        let is_clear = edges == [true; 2] || red.len() < first.len() || (start < at && (edges[0] || edges[1]));
        if !is_clear || start == 0 || end == line.len() || (has_edges && edges != [true; 2]) {
            continue;
        }
        is_unique = found.is_none() || (!has_edges && edges == [true; 2]);
        has_edges |= edges == [true; 2];
        found = Some((start..end, second.len() < before.len()));
    }
    found.filter(|_| is_unique)
}

/// Whether a text can be the name of a player with that of a team, rather than a remark or the title of a position.
fn is_name(text: &str) -> bool {
    const LONGEST: usize = 24;
    let is_move = |word: &str| glued::begins_with_move(strip_number(word));
    !text.is_empty()
        && text.chars().count() <= LONGEST
        && text.starts_with(char::is_alphabetic)
        && !text.starts_with('第')
        && !text.contains(['局', '题', '題', '谱', '譜', '变', '變'])
        && !text.split_whitespace().any(is_move)
}

/// Whether a line can be a title above the players of a game: short, no sentence, and without moves.
pub(super) fn is_title(line: &str) -> bool {
    const LONGEST: usize = 120;
    let is_move = |word: &str| glued::begins_with_move(strip_number(word));
    line.len() <= LONGEST
        && !line.starts_with(|first: char| first.is_numeric() || "({[（【".contains(first))
        && !line.contains(|letter| SENTENCE.contains(letter))
        && !line.split_whitespace().any(is_move)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_recognised_by_their_names() {
        for (line, expected) in [
            ("结果: 红胜", vec![("Result", "红胜")]),
            ("红方：甲　　黑方：乙", vec![("Red", "甲"), ("Black", "乙")]),
            ("紅方單位：甲 比賽時間：2001", vec![("RedTeam", "甲"), ("Date", "2001")]),
            ("红 方: 甲 (北京)", vec![("Red", "甲 (北京)")]),
            ("FEN ：3k5/9/9 w - - 0 1", vec![("FEN", "3k5/9/9 w - - 0 1")]),
            ("Red: a b  Black: c", vec![("Red", "a b"), ("Black", "c")]),
            ("轮次：", vec![("Round", "")]),
            ("裁判: 甲 记录员: 乙", vec![("Judge", "甲"), ("Recorder", "乙")]),
            ("【红方】：甲", vec![("Red", "甲")]),
            ("【主变: 红胜】", vec![("Moves", "红胜")]),
            ("【主变】", vec![("Moves", "")]),
            ("红    方：甲(1)  耗时：  2分 24秒", vec![("Red", "甲(1)"), ("RedTime", "2分 24秒")]),
            ("黑方：乙 耗时：4分", vec![("Black", "乙"), ("BlackTime", "4分")]),
            ("耗时：4分", vec![]),
            ("【红方】甲", vec![("Red", "甲")]),
            ("【结果】红胜", vec![("Result", "红胜")]),
            ("红方：甲，黑方：乙", vec![("Red", "甲"), ("Black", "乙")]),
            ("红方：甲；黑方：乙", vec![("Red", "甲"), ("Black", "乙")]),
            ("White: A, Black: B", vec![("Red", "A"), ("Black", "B")]),
            ("**红方：** 甲", vec![("Red", "甲")]),
            ("- 红方：甲", vec![("Red", "甲")]),
            ("【妙】", vec![]),
            ("a remark: none", vec![]),
            ("炮二平五", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(headings(line), expected, "{line}");
        }
    }

    #[test]
    fn players_and_results_are_recognised_in_a_line() {
        use RecordResult::{BlackWins, Draw, RedWins};
        for (line, red, black, result, note) in [
            ("甲  红先胜  乙", "甲", "乙", RedWins, ""),
            ("甲红先负 乙 ", "甲", "乙", BlackWins, ""),
            ("江苏甲红先和吉林乙", "江苏甲", "吉林乙", Draw, ""),
            ("甲　先勝　乙", "甲", "乙", RedWins, ""),
            ("北京 甲 (先负) 四川 乙", "北京 甲", "四川 乙", BlackWins, ""),
            ("北京 甲 胜 四川 乙", "北京 甲", "四川 乙", RedWins, ""),
            ("北京甲 负 四川乙", "北京甲", "四川乙", BlackWins, ""),
            ("甲 后胜 乙", "乙", "甲", BlackWins, ""),
            ("甲 后和 乙", "乙", "甲", Draw, ""),
            ("甲  红先和  乙  （加1）", "甲", "乙", Draw, "（加1）"),
            ("王先和 胜 张胜利", "王先和", "张胜利", RedWins, ""),
            ("A. Lee 先胜 B-C", "A. Lee", "B-C", RedWins, ""),
        ] {
            assert_eq!(pairing(line), Some(Pairing { red, black, result, note }), "{line}");
        }
        for line in [
            "红先胜",
            "红先胜 第一局",
            "七星聚会 红先和",
            "七星聚会 红先和 (残局)",
            "一 甲胜乙",
            "甲和乙",
            "以后红先胜，乙",
            "甲 胜 乙 负 丙",
            "1. 甲 先胜 乙",
            "炮二平五 红先胜 马8进7",
            "许银川 - 吕钦",
            "",
        ] {
            assert_eq!(pairing(line), None, "{line}");
        }
    }
}
