//! The result of a game as given in a record.

use super::Record;
use crate::board::narrow;
use crate::rules::GameResult;
use crate::types::Color;
use std::borrow::Cow;

/// Tag for a result that cannot be expressed fully by [`RecordResult`].
pub(super) const RESULT_NOTE: &str = "ResultNote";
/// Tag for the reason of a result.
const TERMINATION: &str = "Termination";

/// The result of a game as given in a record. The numbers are those of XQF and CBR files and of game libraries.
///
/// ```
/// use xiangqi::records::RecordResult;
///
/// assert_eq!(RecordResult::from_token("1-0"), Some(RecordResult::RedWins));
/// assert_eq!(RecordResult::default().token(), "*");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RecordResult {
    /// Not given, or the game is not finished.
    #[default]
    Unknown = 0,
    /// Red won.
    RedWins = 1,
    /// Black won.
    BlackWins = 2,
    /// A draw.
    Draw = 3,
}

impl From<GameResult> for RecordResult {
    fn from(result: GameResult) -> RecordResult {
        match result {
            GameResult::Draw => RecordResult::Draw,
            GameResult::Loses(Color::Red) => RecordResult::BlackWins,
            GameResult::Loses(Color::Black) => RecordResult::RedWins,
        }
    }
}

impl RecordResult {
    /// The PGN token: `1-0`, `0-1`, `1/2-1/2` or `*`.
    ///
    /// ```
    /// use xiangqi::records::RecordResult;
    ///
    /// assert_eq!(RecordResult::Draw.token(), "1/2-1/2");
    /// ```
    pub fn token(self) -> &'static str {
        match self {
            RecordResult::Unknown => "*",
            RecordResult::RedWins => "1-0",
            RecordResult::BlackWins => "0-1",
            RecordResult::Draw => "1/2-1/2",
        }
    }

    /// Parses a PGN token.
    ///
    /// ```
    /// use xiangqi::records::RecordResult;
    ///
    /// assert_eq!(RecordResult::from_token("1/2"), Some(RecordResult::Draw));
    /// assert_eq!(RecordResult::from_token("red"), None);
    /// ```
    pub fn from_token(token: &str) -> Option<RecordResult> {
        Some(match token {
            "*" => RecordResult::Unknown,
            "1-0" => RecordResult::RedWins,
            "0-1" => RecordResult::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" => RecordResult::Draw,
            _ => return None,
        })
    }

    /// Parses the results found in files, also in Chinese words or full-width characters: `红胜`, `先和`, `1：0`, `W`. Empty text and
    /// `未知` mean no result. `None` for anything else.
    pub(super) fn understand(text: &str) -> Option<RecordResult> {
        let text = folded(text);
        Some(match text.as_ref() {
            "" | "未知" | "不明" | "未定" => RecordResult::Unknown,
            "W" | "w" => RecordResult::RedWins,
            "B" | "b" | "L" | "l" => RecordResult::BlackWins,
            "D" | "d" => RecordResult::Draw,
            text => return RecordResult::at_end(text).or_else(|| in_english(text)),
        })
    }

    /// Parses a result at the end of a game, also in Chinese words or full-width characters, but no text that can be confused with a move or mark.
    ///
    /// ```
    /// use xiangqi::records::RecordResult;
    ///
    /// assert_eq!(RecordResult::at_end("红胜"), Some(RecordResult::RedWins));
    /// assert_eq!(RecordResult::at_end("１－０"), Some(RecordResult::RedWins));
    /// assert_eq!(RecordResult::at_end("B"), None);
    /// ```
    pub fn at_end(text: &str) -> Option<RecordResult> {
        let text = folded(text);
        if let Some(result) = RecordResult::from_token(&text) {
            return Some(result);
        }
        Some(match text.as_ref() {
            "1:0" | "2-0" | "2:0" | "1.0-0.0" => RecordResult::RedWins,
            "0:1" | "0-2" | "0:2" | "0.0-1.0" => RecordResult::BlackWins,
            "1/2:1/2" | "½:½" | "½" | "0.5-0.5" | "0.5:0.5" | "1-1" | "1:1" | "0.5" => RecordResult::Draw,
            text => return in_words(text),
        })
    }
}

impl Record {
    /// Takes a result as it is written in a file. A reason in parentheses behind it (`1-0 (time)`, `红胜（超时）`) or within it (`红方超时负`)
    /// becomes the tag `Termination` unless the record has one, and a text that is no result the tag [`RESULT_NOTE`].
    pub(super) fn read_result(&mut self, text: &str) {
        if let Some(result) = RecordResult::understand(text) {
            self.result = result;
            if let Some(reason) =
                OVERTIME.iter().find(|reason| text.contains(**reason)).filter(|_| self.tag(TERMINATION).is_none())
            {
                self.set_tag(TERMINATION, *reason);
            }
            return;
        }
        let parts = text.trim_end().strip_suffix([')', '）']).and_then(|text| text.split_once(['(', '（']));
        let with_reason = parts.filter(|(result, _)| !result.trim().is_empty());
        match with_reason.and_then(|(result, reason)| Some((RecordResult::understand(result)?, reason.trim()))) {
            Some((result, reason)) => {
                self.result = result;
                if !reason.is_empty() && self.tag(TERMINATION).is_none() {
                    self.set_tag(TERMINATION, reason);
                }
            }
            // A tag `Result` would contradict the one that the writer of PGN adds.
            None => self.add_tag(RESULT_NOTE, text),
        }
    }
}

/// Removes whitespace and converts full-width characters and the many kinds of dashes to ASCII.
fn folded(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.is_ascii() && !text.contains(' ') {
        return Cow::Borrowed(text);
    }
    let fold = |letter: char| match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2236}' => ':',
        letter => narrow(letter),
    };
    Cow::Owned(text.chars().filter(|letter| !letter.is_whitespace()).map(fold).collect())
}

/// Words for a loss on time.
const OVERTIME: [&str; 4] = ["超时", "超時", "逾时", "逾時"];

/// Parses `Red wins`, `black won` and `drawn`, without blanks.
fn in_english(text: &str) -> Option<RecordResult> {
    Some(match text.to_ascii_lowercase().as_str() {
        "redwins" | "redwin" | "redwon" | "blackresigns" | "blackresigned" => RecordResult::RedWins,
        "blackwins" | "blackwin" | "blackwon" | "redresigns" | "redresigned" => RecordResult::BlackWins,
        "draw" | "drawn" => RecordResult::Draw,
        _ => return None,
    })
}

/// Parses side and outcome, such as 红方胜, 黑负 and 先和. Red moves first, so 先 is Red.
fn in_words(text: &str) -> Option<RecordResult> {
    let text = text.strip_prefix("至此").unwrap_or(text);
    let draws = ["和", "和局", "和棋", "平局", "平", "双方和", "议和", "双方议和", "双方同意和棋", "双方同意作和"];
    if draws.contains(&text) {
        return Some(RecordResult::Draw);
    }
    let mut letters = text.chars();
    let red = match letters.next()? {
        '红' | '紅' | '先' => true,
        '黑' | '后' | '後' => false,
        _ => return None,
    };
    let rest = letters.as_str().trim_start_matches(['方', '手']).trim_start_matches('先');
    let resigns = |rest: &&str| rest.starts_with(['认', '認']);
    let rest = ["投子", "推枰", "停钟", "停鐘"].iter().find_map(|how| rest.strip_prefix(how).filter(resigns)).unwrap_or(rest);
    let loses = |rest: &&str| rest.starts_with(['负', '負']);
    let on_time = |how: &&str| rest.strip_prefix(*how).map(|rest| rest.strip_prefix('判').unwrap_or(rest)).filter(loses);
    let rest = OVERTIME.iter().find_map(on_time).unwrap_or(rest);
    let red_wins = match rest {
        "胜" | "勝" | "赢" | "贏" | "胜利" => red,
        "负" | "負" | "败" | "敗" | "输" | "輸" | "认输" | "認輸" | "认负" | "認負" => !red,
        "和" | "和局" | "和棋" => return Some(RecordResult::Draw),
        _ => return None,
    };
    Some(if red_wins { RecordResult::RedWins } else { RecordResult::BlackWins })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_found_in_files_are_parsed() {
        use RecordResult::{BlackWins, Draw, RedWins, Unknown};
        for (result, texts) in [
            (
                RedWins,
                "红胜 红方胜 红先胜 先胜 至此红胜 黑方认输 黑方投子认负 黑推枰認輸 黑负 黑方負 黑方超时负 黑超時判負 Blackresigns 1-0 1:0 １－０ 1：0 1–0 W",
            ),
            (BlackWins, "BLACKWON 红方逾时判负 黑胜 黑勝 红负 先负 后胜 0-1 0:1 ０－１ L B"),
            (Draw, "和 和局 和棋 双方同意作和 至此和棋 先和 红先和 红和 1/2-1/2 0.5-0.5 ½-½ １／２－１／２ D"),
            (Unknown, "* 未知"),
        ] {
            for text in texts.split(' ') {
                assert_eq!(RecordResult::understand(text), Some(result), "{text}");
            }
        }
        for text in ["adjourned", "红", "红胜黑", "黑方投子", "红方超时", "红超时胜", "胜", "3-2", "多种", "red", "wins"]
        {
            assert_eq!(RecordResult::understand(text), None, "{text}");
        }
        for (text, result) in [("1 - 0", RedWins), ("0 : 1", BlackWins), ("1/2 - 1/2", Draw), ("Red wins", RedWins)] {
            assert_eq!(RecordResult::understand(text), Some(result), "{text}");
        }
        assert_eq!((RecordResult::at_end("B"), RecordResult::at_end("")), (None, None));
    }
}
