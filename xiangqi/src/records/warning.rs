//! Warnings of the readers, in English and Chinese.

use super::error::RecordProblem;
use crate::board::{FenError, SetupError};
use crate::notation::{LineError, ReadError};
use crate::rules::{Language, chinese_name, chinese_side};
use crate::types::{Color, Move, Piece, PieceType, RANKS, Square, counted, quoted};
use std::fmt;

/// A warning about a problem in a file: one sentence in each language.
///
/// ```
/// use xiangqi::records::Warning;
/// use xiangqi::rules::Language;
///
/// let warning = Warning::new("there is no list of moves", "没有着法列表");
/// assert_eq!(warning.text(Language::Chinese), "没有着法列表");
/// assert_eq!(Warning::from("no date").text(Language::Chinese), "no date");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    english: String,
    chinese: Option<String>,
}

impl Warning {
    /// A warning in both languages.
    ///
    /// ```
    /// use xiangqi::records::{Record, Setup, Warning};
    ///
    /// let mut record = Record::new(Setup::standard());
    /// record.warn(Warning::new("tag 'Date': no date", "标签“Date”不是日期"));
    /// assert_eq!(record.warnings(), ["tag 'Date': no date"]);
    /// ```
    pub fn new(english: impl Into<String>, chinese: impl Into<String>) -> Warning {
        Warning { english: english.into(), chinese: Some(chinese.into()) }
    }

    /// The sentence in a language; in English if it has no other.
    ///
    /// ```
    /// use xiangqi::records::Warning;
    /// use xiangqi::rules::Language;
    ///
    /// assert_eq!(Warning::new("no moves", "没有着法").text(Language::English), "no moves");
    /// ```
    pub fn text(&self, language: Language) -> &str {
        match (language, &self.chinese) {
            (Language::Chinese, Some(chinese)) => chinese,
            _ => &self.english,
        }
    }

    /// A warning from texts with places such as `{0}` for the values; see the macro `warning!`, which checks the texts.
    pub(in crate::records) fn filled([english, chinese]: [&str; 2], values: &[&dyn Value]) -> Warning {
        let text = |text, language| filled(text, &|index| values.get(index).map(|value| value.in_language(language)));
        Warning::new(text(english, Language::English), text(chinese, Language::Chinese))
    }

    /// Adds a sentence or clause.
    pub(in crate::records) fn and(self, more: Warning) -> Warning {
        let both = |language| format!("{}{}", self.text(language), more.text(language));
        Warning::new(both(Language::English), both(Language::Chinese))
    }
}

impl From<String> for Warning {
    fn from(english: String) -> Warning {
        Warning { english, chinese: None }
    }
}

impl From<&str> for Warning {
    fn from(english: &str) -> Warning {
        Warning::from(english.to_string())
    }
}

impl fmt::Display for Warning {
    /// Writes the English sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

/// A warning from an English and a Chinese text and the values for `{0}`, `{1}` and so on. The compiler checks that each text names every
/// value; but both are filled by one function, since formatting code for each text would enlarge the module that browsers load.
macro_rules! warning {
    ($english:literal, $chinese:literal $(, $value:expr)* $(,)?) => {{
        let _ = || {
            let _ = (format_args!($english $(, $value)*), format_args!($chinese $(, $value)*));
        };
        $crate::records::Warning::filled([$english, $chinese], &[$(&$value),*])
    }};
}
pub(in crate::records) use warning;

/// Replaces `{N}` by the value of that number, `{{` by `{` and `}}` by `}`.
fn filled(text: &str, value: &dyn Fn(usize) -> Option<String>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        rest = match behind.find('}') {
            Some(end) if rest[at..].starts_with('{') && !behind.starts_with('{') => {
                out.push_str(&behind[..end].parse().ok().and_then(value).unwrap_or_default());
                &behind[end + 1..]
            }
            _ => {
                out.push_str(&rest[at..=at]);
                behind.get(1..).unwrap_or_default()
            }
        };
    }
    out + rest
}

/// A value in the text of a warning. Its `Display` form is English.
pub(in crate::records) trait Value: fmt::Display {
    /// The value in Chinese.
    fn chinese(&self) -> String {
        self.to_string()
    }

    /// The value in a language.
    fn in_language(&self, language: Language) -> String {
        if language == Language::English { self.to_string() } else { self.chinese() }
    }
}

macro_rules! same_in_both {
    ($($type:ty),+) => {
        $(impl Value for $type {})+
    };
}

same_in_both!(usize, u8, i32, u32, u64, char, &str, String, Move, Square);

impl Value for Warning {
    fn chinese(&self) -> String {
        self.text(Language::Chinese).to_string()
    }
}

/// A number of things: with the noun in English, alone in Chinese.
pub(in crate::records) struct Count(pub usize, pub &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.0, self.1))
    }
}

impl Value for Count {
    fn chinese(&self) -> String {
        self.0.to_string()
    }
}

impl Value for Color {
    fn chinese(&self) -> String {
        format!("{}方", chinese_side(*self))
    }
}

impl Value for SetupError {
    fn chinese(&self) -> String {
        let place = |at: Square| format!("第{}行第{}列", RANKS - at.rank() as usize, at.file() + 1);
        let king = |color: Color| chinese_name(Piece::new(color, PieceType::King));
        match *self {
            SetupError::TooMany { at, piece } => {
                format!("{}：{}过多，最多{}个", place(at), chinese_name(piece), piece.kind().limit())
            }
            SetupError::NoKing(color) => format!("没有{}，应恰有一个", king(color)),
            SetupError::Misplaced { at, piece } => format!("{}：{}不能在此处", place(at), chinese_name(piece)),
            SetupError::KingsFacing { at, .. } => format!("{}：将帅照面，两者之间没有棋子", place(at)),
            SetupError::KingCapturable { at, color } => format!("{}：走棋方可直接吃{}", place(at), king(color)),
        }
    }
}

impl Value for FenError {
    fn chinese(&self) -> String {
        match self {
            FenError::Empty => "FEN 是空的，应为以“/”分隔的十行".into(),
            FenError::RowCount(rows) => format!("FEN 有{rows}行，应为10行"),
            FenError::RowLength(row, columns) => format!("FEN 第{row}行有{columns}列，应为9列"),
            FenError::UnknownLetter(row, column, letter) => {
                format!("FEN 第{row}行第{column}列的“{}”不是棋子", letter.escape_debug())
            }
            FenError::UnknownSide(side) => format!("FEN 的先走方“{}”应为 w（红）或 b（黑）", side.escape_debug()),
            FenError::Trailing(text) => format!("FEN 先走方之后的“{}”应为至多两个计数", text.escape_debug()),
            FenError::Setup(error) => format!("FEN {}", error.chinese()),
        }
    }
}

impl Value for ReadError {
    fn chinese(&self) -> String {
        let list = |moves: Vec<String>| moves.join("或");
        match self {
            ReadError::NotThisNotation { text, system: Some(system), .. } => format!("{}不是{system}记谱法的着法", quoted(text)),
            ReadError::NotThisNotation { text, system: None, .. } => format!("{}不是任何记谱法的着法", quoted(text)),
            ReadError::OtherGame { text, .. } => format!("{}含有象棋所没有的内容", quoted(text)),
            ReadError::NoSuchPiece { text, .. } => format!("{}：没有这样的棋子", quoted(text)),
            ReadError::CannotMoveSo { text, .. } => format!("{}：该棋子不能这样走", quoted(text)),
            ReadError::LeavesKingInCheck { text, mv } => format!("{}：走{mv}后己方将（帅）被吃", quoted(text)),
            ReadError::Ambiguous { text, candidates } => {
                format!("{}有歧义，可以是{}", quoted(text), list(candidates.iter().map(Move::to_string).collect()))
            }
            ReadError::SystemsDisagree { text, readings } => {
                let readings = readings.iter().map(|(system, mv)| format!("{mv}（{system}）")).collect();
                format!("{}在不同记谱法中是不同的着法，请指定其一：{}", quoted(text), list(readings))
            }
            ReadError::MoveMissing { text } => format!("按回合数，{}不是下一着：其前缺少一着", quoted(text)),
        }
    }
}

impl Value for LineError {
    fn chinese(&self) -> String {
        format!("第{}着（第{}回合，{}）：{}", self.number, self.round, self.side.chinese(), self.error.chinese())
    }
}

impl Value for RecordProblem {
    fn chinese(&self) -> String {
        match self {
            RecordProblem::Io(error) => format!("文件无法读取（{error}）"),
            RecordProblem::TooLarge(most) => format!("超过可读取的{} MiB", most >> 20),
            RecordProblem::NotThisFormat(_) => "文件内容与其格式不符".into(),
            RecordProblem::NoGame(_) => "其中没有对局".into(),
            RecordProblem::Compressed(name) => format!("文件是{name}压缩文件，请先解压"),
            RecordProblem::NoRecord => "其中没有可识别的棋谱、局面或着法".into(),
            RecordProblem::Version(format, version, _) => format!("不支持 {format} 的版本{version}"),
            RecordProblem::Truncated(_) => "文件不完整".into(),
            RecordProblem::Fen(error) => error.chinese(),
            RecordProblem::Start(error) => format!("起始局面不合规则：{}", error.chinese()),
            RecordProblem::Line(error) => error.chinese(),
            RecordProblem::TooManyMoves(_) => "着法过多".into(),
            RecordProblem::NotWritten => "该格式只能读取，不能写入".into(),
            RecordProblem::Damaged(problem) => format!("棋谱有无法处理的内容（{problem}）"),
        }
    }
}

impl ReadError {
    /// The message in a language.
    ///
    /// ```
    /// use xiangqi::board::Position;
    /// use xiangqi::notation::{self, System};
    /// use xiangqi::rules::Language;
    ///
    /// let start = Position::startpos();
    /// let error = notation::read(System::Wxr, start.board(), "R1=4").unwrap_err();
    /// assert_eq!(error.text(Language::Chinese), "'R1=4'：该棋子不能这样走");
    /// ```
    pub fn text(&self, language: Language) -> String {
        self.in_language(language)
    }
}

impl RecordProblem {
    /// The reason in a language; details from the file or the system stay as they are.
    ///
    /// ```
    /// use xiangqi::records::RecordProblem;
    /// use xiangqi::rules::Language;
    ///
    /// assert_eq!(RecordProblem::NotWritten.text(Language::Chinese), "该格式只能读取，不能写入");
    /// ```
    pub fn text(&self, language: Language) -> String {
        self.in_language(language)
    }
}

/// A second value of a tag that a game has once.
pub(in crate::records) fn two_values(tag: &str) -> Warning {
    warning!("the tag {0} has two values; the first one counts", "标签{0}有两个值，以前者为准", tag)
}

/// The moves that follow an unreadable one.
pub(in crate::records) fn moves_after(count: usize) -> Warning {
    match count {
        1 => warning!("the move after it", "其后1着"),
        _ => warning!("the {0} moves after it", "其后{0}着", count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;

    #[test]
    fn texts_are_filled_in_both_languages() {
        let warning = warning!("{1} has {0} moves, START{{ and }}END", "START{{与}}END：{1}有{0}着", 3usize, Color::Red);
        assert_eq!(warning.text(Language::English), "red has 3 moves, START{ and }END");
        assert_eq!(warning.text(Language::Chinese), "START{与}END：红方有3着");
        let more = warning!("; left out", "；已略去");
        assert_eq!(warning.and(more).text(Language::Chinese), "START{与}END：红方有3着；已略去");
    }

    #[test]
    fn values_with_braces_are_not_filled_again() {
        let warning = warning!("'{0}' is not {1}", "‘{0}’不是{1}", "{1}}{0}", "é{");
        assert_eq!(warning.to_string(), "'{1}}{0}' is not é{");
    }

    #[test]
    fn errors_of_positions_and_moves_are_in_chinese() {
        for (fen, expected) in [
            ("4k4/9/9/9/9/9/9/9/9/9 w", "没有红帅，应恰有一个"),
            ("k8/9/9/9/9/9/9/9/9/3K5 w", "第1行第1列：黑将不能在此处"),
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "第1行第5列：将帅照面，两者之间没有棋子"),
            ("4k4/9/9/9/9/9/9/9/4R4/3K5 w", "第1行第5列：走棋方可直接吃黑将"),
            ("4k4/RRR6/9/9/9/9/9/9/9/3K5 w", "第2行第3列：红车过多，最多2个"),
        ] {
            let error = Setup::from_fen(fen).map(|setup| setup.position().map(drop));
            assert_eq!(error.map(|result| result.map_err(|error| error.chinese())), Ok(Err(expected.to_string())), "{fen}");
        }
        for (fen, expected) in [
            ("", "FEN 是空的，应为以“/”分隔的十行"),
            ("9/9 w", "FEN 有2行，应为10行"),
            ("9/9/9/9/9/9/9/9/9/8X w", "FEN 第10行第9列的“X”不是棋子"),
            ("4k4/9/9/9/9/9/9/9/9/3K4 w", "FEN 第10行有8列，应为9列"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 x", "FEN 的先走方“x”应为 w（红）或 b（黑）"),
        ] {
            assert_eq!(
                Setup::from_fen(fen).map_err(|error| RecordProblem::from(error).text(Language::Chinese)),
                Err(expected.to_string())
            );
        }
    }
}
