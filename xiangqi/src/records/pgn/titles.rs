//! The text before and between games without tags: titles, and headings such as `红方：甲` that correspond to tags.

use super::scanner::{self, Scanner, is_rule, is_tag_start, trim_blank};

/// Limits on the text before the moves of a game.
const LINES: usize = 64;
const BYTES: usize = 8192;
/// Maximum length of the name of a heading in bytes.
const LONGEST_NAME: usize = 48;

/// Tag of the title, tag of the start position, tag of the result, and pseudo-tag for the moves.
pub(super) const TITLE: &str = "Title";
pub(super) const FEN: &str = "FEN";
pub(super) const RESULT: &str = "Result";
pub(super) const MOVES: &str = "Moves";

/// Tags and the corresponding names of headings, from the text exports of 东萍, 象棋桥 and others. The traditional form of a name follows the
/// simplified one.
const NAMES: [(&str, &[&str]); 31] = [
    (TITLE, &["标题", "標題", "题目", "題目", "名称", "名稱", "title"]),
    ("Event", &["赛事", "賽事", "赛事名称", "賽事名稱", "比赛", "比賽", "比赛名称", "event"]),
    ("Site", &["地点", "地點", "比赛地点", "比賽地點", "site", "place"]),
    ("Date", &["日期", "比赛日期", "比賽日期", "比赛时间", "date"]),
    ("Round", &["轮次", "輪次", "round"]),
    ("Red", &["红方", "紅方", "红", "紅", "红棋", "先手", "先手方", "red"]),
    ("Black", &["黑方", "黑", "黑棋", "后手", "後手", "后手方", "black"]),
    (RESULT, &["结果", "結果", "比赛结果", "比賽結果", "对局结果", "對局結果", "result"]),
    ("RedTeam", &["红队", "紅隊", "红方单位", "红方团体", "red team"]),
    ("BlackTeam", &["黑队", "黑隊", "黑方单位", "黑方团体", "black team"]),
    ("RedElo", &["红等级分", "红方等级分", "紅等級分", "red elo"]),
    ("BlackElo", &["黑等级分", "黑方等级分", "黑等級分", "black elo"]),
    ("RedTime", &["红方用时", "紅方用時"]),
    ("BlackTime", &["黑方用时", "黑方用時"]),
    ("TimeControl", &["时间规则", "時間規則", "记时规则", "计时规则", "計時規則", "用时规则"]),
    ("Opening", &["布局", "佈局", "开局", "開局", "opening"]),
    ("ECCO", &["ecco"]),
    ("Variation", &["变例", "變例", "variation"]),
    ("Group", &["组别", "組別"]),
    ("Table", &["台次", "臺次"]),
    ("Category", &["分类", "分類"]),
    ("Type", &["类型", "類型", "棋谱类型", "棋譜類型", "对局种类", "赛事类型"]),
    ("Source", &["来源", "來源"]),
    ("Annotator", &["评注", "評註", "评注者", "评论", "評論", "解说", "解說", "annotator"]),
    ("Author", &["作者", "录入", "錄入", "author"]),
    ("Judge", &["裁判", "裁判员", "裁判員"]),
    ("Recorder", &["记录员", "記錄員"]),
    ("Remark", &["备注", "備註", "说明", "remark"]),
    ("Termination", &["结束方式", "結束方式"]),
    (FEN, &["fen", "局面", "初始局面", "初始局面fen", "起始局面", "开局局面"]),
    (MOVES, &["着法", "著法", "招法", "棋谱", "棋譜", "主变", "moves"]),
];

/// The text before the moves of a game.
#[derive(Default)]
pub(super) struct Head<'a> {
    /// Lines without a heading.
    pub(super) titles: Vec<&'a str>,
    /// Tags and their values.
    pub(super) headings: Vec<(&'static str, &'a str)>,
    /// Whether the moves directly follow a line of dashes, as in text copied from XQStudio.
    pub(super) is_framed: bool,
    /// Offset of the moves.
    pub(super) moves: usize,
}

impl<'a> Scanner<'a> {
    /// The text from here to the first move of a game. `None` if there is no text, or no game follows.
    pub(super) fn head(&self) -> Option<Head<'a>> {
        let mut head = Head::default();
        let mut at = self.at;
        let mut is_any = false;
        for line in self.rest().split_inclusive('\n').take(LINES) {
            let text = trim_blank(line).trim_end();
            let start = at + (line.len() - trim_blank(line).len());
            at += line.len();
            if scanner::begins_game(&self.text[start..]) {
                head.moves = start;
                return is_any.then_some(head);
            }
            let is_comment = text.starts_with('{') || (!is_any && Scanner { at: start, ..*self }.is_comment());
            if at - self.at > BYTES || is_comment || is_tag_start(text) {
                return None;
            }
            if text.is_empty() {
                continue;
            }
            is_any = true;
            head.is_framed = is_rule(text);
            if head.is_framed {
                continue;
            }
            match headings(text) {
                found if found.is_empty() => head.titles.push(text),
                found => {
                    // The moves may start on the line of their heading.
                    if let Some((_, moves)) = found.iter().find(|(tag, moves)| *tag == MOVES && scanner::begins_game(moves)) {
                        head.moves = start + (moves.as_ptr() as usize - text.as_ptr() as usize);
                        return Some(head);
                    }
                    head.headings.extend(found);
                }
            }
        }
        None
    }

    /// The headings of the current line, and the offset of its end.
    pub(super) fn headings_here(&self) -> Option<(Vec<(&'static str, &'a str)>, usize)> {
        let line = self.rest().split_inclusive('\n').next()?;
        let found = headings(line.trim());
        (!found.is_empty()).then_some((found, self.at + line.len()))
    }
}

/// The headings of a line, which may contain several: `红方: 甲   黑方: 乙`.
fn headings(line: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(&'static str, &str)> = Vec::new();
    let Some((mut tag, mut rest)) = heading(line) else { return found };
    loop {
        // The next heading must follow whitespace.
        let blanks = rest.match_indices(char::is_whitespace).map(|(at, blank)| (at, at + blank.len()));
        let next = blanks.take(LINES).find_map(|(end, start)| heading(&rest[start..]).map(|next| (end, next)));
        let Some((end, (next_tag, behind))) = next else {
            found.push((tag, value(rest)));
            return found;
        };
        found.push((tag, value(&rest[..end])));
        (tag, rest) = (next_tag, behind);
    }
}

fn value(text: &str) -> &str {
    text.trim().trim_matches(['【', '】'])
}

/// The tag of the heading at the start of a text, and the text after its colon.
fn heading(text: &str) -> Option<(&'static str, &str)> {
    let mut letters = text.char_indices().take_while(|(at, _)| *at < LONGEST_NAME);
    let (at, end) = letters.find(|(_, letter)| ":：】\n".contains(*letter))?;
    // The moves may also have a heading in brackets without a colon: `【主变】`.
    let (at, end) = match end {
        ':' | '：' => (at, at + end.len_utf8()),
        '】' if text.starts_with('【') && is_moves(&text['【'.len_utf8()..at]) => (at, at + end.len_utf8()),
        '】' => letters
            .find(|(_, letter)| ":：\n".contains(*letter))
            .filter(|(_, end)| *end != '\n')
            .map(|(at, end)| (at, at + end.len_utf8()))?,
        _ => return None,
    };
    let name: String = text[..at].trim_matches(['【', '】', '[', ']', '#', '*', ' ', '\u{3000}']).to_lowercase();
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(if name.is_ascii() { " " } else { "" });
    let (tag, _) = NAMES.iter().find(|(_, names)| names.contains(&name.as_str()))?;
    Some((tag, &text[end..]))
}

/// Whether this is a name of the moves.
fn is_moves(name: &str) -> bool {
    NAMES.iter().any(|(tag, names)| *tag == MOVES && names.contains(&name))
}

/// Whether a line is a heading for moves, directly followed by the moves.
pub(super) fn begins_game(line: &str) -> bool {
    heading(line).is_some_and(|(tag, moves)| tag == MOVES && scanner::begins_game(value(moves)))
}

/// Whether a line starts with a heading.
pub(super) fn is_heading(line: &str) -> bool {
    heading(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_recognised_by_their_names() {
        for (line, expected) in [
            ("结果: 红胜", vec![("Result", "红胜")]),
            ("红方：甲　　黑方：乙", vec![("Red", "甲"), ("Black", "乙")]),
            ("红 方: 甲 (北京)", vec![("Red", "甲 (北京)")]),
            ("FEN ：3k5/9/9 w - - 0 1", vec![("FEN", "3k5/9/9 w - - 0 1")]),
            ("Red: a b  Black: c", vec![("Red", "a b"), ("Black", "c")]),
            ("轮次：", vec![("Round", "")]),
            ("裁判: 甲 记录员: 乙", vec![("Judge", "甲"), ("Recorder", "乙")]),
            ("【红方】：甲", vec![("Red", "甲")]),
            ("【主变: 红胜】", vec![("Moves", "红胜")]),
            ("【主变】", vec![("Moves", "")]),
            ("【妙】", vec![]),
            ("a remark: none", vec![]),
            ("炮二平五", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(headings(line), expected, "{line}");
        }
    }
}
