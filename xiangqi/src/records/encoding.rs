//! Character encodings of record files. Most files don't declare their encoding, so it is detected by the moves in the text.

use super::charset::Charset;
use crate::types::UnknownName;
use std::borrow::Cow;
use std::cmp::Ordering;

/// An encoding for writing text.
///
/// ```
/// use xiangqi::records::TextEncoding;
///
/// assert_eq!("gb2312".parse(), Ok(TextEncoding::Gbk));
/// assert_eq!(TextEncoding::default(), TextEncoding::Utf8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextEncoding {
    /// UTF-8 without a byte order mark.
    #[default]
    Utf8,
    /// GBK, the Windows code page of mainland China, for XQWizard and other old programs.
    Gbk,
    /// Big5, the Windows code page of Hong Kong and Taiwan.
    Big5,
}

crate::named_values! {
    TextEncoding, "encoding":
    Utf8 "utf-8" | "utf8",
    Gbk "gbk" | "gb2312" | "gb18030" | "936",
    Big5 "big5" | "950",
}

impl TextEncoding {
    /// The encoding for a Windows code page, or `None` if the code page has no Chinese characters.
    ///
    /// ```
    /// use xiangqi::records::TextEncoding;
    ///
    /// assert_eq!(TextEncoding::of_code_page(936), Some(TextEncoding::Gbk));
    /// assert_eq!(TextEncoding::of_code_page(1252), None);
    /// ```
    pub fn of_code_page(number: u32) -> Option<TextEncoding> {
        match number {
            936 | 54936 => Some(TextEncoding::Gbk),
            950 => Some(TextEncoding::Big5),
            65001 => Some(TextEncoding::Utf8),
            _ => None,
        }
    }
}

/// A known encoding of an input text. Needed for files that are not in Chinese and don't declare their encoding.
///
/// ```
/// use xiangqi::records::InputEncoding;
///
/// let encoding: InputEncoding = "windows-1258".parse()?;
/// assert_eq!(encoding.to_string(), "windows-1258");
/// assert!("cp1258x".parse::<InputEncoding>().is_err());
/// # Ok::<(), xiangqi::types::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputEncoding(Charset);

impl std::fmt::Display for InputEncoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0.name())
    }
}

impl std::str::FromStr for InputEncoding {
    type Err = UnknownName;

    /// Parses a label of the Encoding Standard (WHATWG), or the number of a Windows code page: 936, 950, 1250 to 1258, or 65001.
    fn from_str(text: &str) -> Result<InputEncoding, UnknownName> {
        let label = match text {
            "936" => "gbk".to_string(),
            "950" => "big5".to_string(),
            "65001" => "utf-8".to_string(),
            number if number.len() == 4 && number.starts_with("125") => format!("windows-{number}"),
            label => label.to_string(),
        };
        let expected = "a label of the Encoding Standard such as gbk, big5, utf-8, windows-1258 or shift_jis";
        Charset::of_label(&label).map(InputEncoding).ok_or_else(|| UnknownName::new("encoding", text, [expected]))
    }
}

/// The character that replaces invalid bytes.
///
/// ```
/// use xiangqi::records::{UNREADABLE, decode};
///
/// let mut damaged = "马二进三 车９平８".as_bytes().to_vec();
/// damaged.push(0xff);
/// assert!(decode(&damaged).ends_with(UNREADABLE));
/// ```
pub const UNREADABLE: char = char::REPLACEMENT_CHARACTER;

/// Decodes a text in an unknown encoding. The encoding is given by a byte order mark if there is one; otherwise UTF-8 is tried, then
/// the Chinese encoding that a web page declares, then whichever of GB18030 and Big5 yields more moves and results, or else more common
/// characters. Invalid bytes become [`UNREADABLE`].
///
/// UTF-8 is still detected if a few bytes are damaged, since its multi-byte sequences are rare in the other encodings.
///
/// ```
/// use xiangqi::records::decode;
///
/// // GBK and Big5 carry no mark.
/// assert_eq!(decode(b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5"), "炮二平五");
/// assert_eq!(decode(b"\xac\xb6\xa4G\xa5\xad\xa4\xad"), "炮二平五");
/// assert_eq!(decode(b"[Black \"\xa7f\xb4\xdc\"]"), "[Black \"呂欽\"]");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, length)) = marked(bytes) {
        return encoding.decode(bytes.get(length..).unwrap_or_default());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !is_gbk_by_chance(text) => Cow::Borrowed(text),
        _ => detected(bytes).decode(bytes),
    }
}

/// The encoding given by a byte order mark or the zero bytes of UTF-16, and the length of the mark.
fn marked(bytes: &[u8]) -> Option<(Charset, usize)> {
    // Text in UTF-16 without a mark, if it starts with four ASCII characters.
    let is_wide = |place: usize| {
        let pairs = bytes.chunks_exact(2).take(4);
        let is_text = |byte: u8| byte == b'\r' || byte == b'\n' || byte == b'\t' || (b' '..=b'~').contains(&byte);
        pairs.len() == 4 && pairs.into_iter().all(|pair| is_text(pair[place]) && pair[1 - place] == 0)
    };
    for (place, encoding) in [Charset::UTF_16LE, Charset::UTF_16BE].into_iter().enumerate() {
        if is_wide(place) {
            return Some((encoding, 0));
        }
    }
    let marks: [(Charset, &[u8]); 3] =
        [(Charset::UTF_8, b"\xef\xbb\xbf"), (Charset::UTF_16LE, b"\xff\xfe"), (Charset::UTF_16BE, b"\xfe\xff")];
    marks.into_iter().find(|(_, mark)| bytes.starts_with(mark)).map(|(encoding, mark)| (encoding, mark.len()))
}

/// Whether the bytes start with a byte order mark of UTF-16, or with ASCII characters in it. Such text may contain zero bytes, and cannot be split at line feed bytes.
///
/// ```
/// use xiangqi::records::is_utf16;
///
/// assert!(is_utf16(b"\xff\xfe1\0") && is_utf16(b"[\0R\0e\0d\0") && !is_utf16(b"\xef\xbb\xbf1") && !is_utf16(b""));
/// ```
pub fn is_utf16(bytes: &[u8]) -> bool {
    marked(bytes).is_some_and(|(encoding, _)| encoding != Charset::UTF_8)
}

/// Like [`decode`], but for a file, with an optional known encoding. UTF-8 is not copied.
pub(super) fn decode_file(bytes: Vec<u8>, encoding: Option<InputEncoding>) -> String {
    if let Some(InputEncoding(encoding)) = encoding {
        // A byte order mark overrides the given encoding.
        let (encoding, length) = marked(&bytes).unwrap_or((encoding, 0));
        return encoding.decode(&bytes[length..]).into_owned();
    }
    if is_utf16(&bytes) {
        return decode(&bytes).into_owned();
    }
    // The readers skip the mark.
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !is_gbk_by_chance(&text) => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    if declared(&bytes).is_none()
        && let Some(text) = decode_joined(&bytes)
    {
        return text;
    }
    // In another encoding the mark would be a character that hides the first tag.
    detected(&bytes).decode_large(bytes.strip_prefix(MARK).unwrap_or(&bytes))
}

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes a file joined from records in UTF-8 and in another encoding; tags begin a record. `None` if all are in the same encoding.
fn decode_joined(bytes: &[u8]) -> Option<String> {
    // So many Chinese characters of three bytes are not valid UTF-8 by chance.
    const SURE: usize = 4;
    let is_chinese = |letter: &char| ('\u{4e00}'..='\u{9fff}').contains(letter);
    let is_sure = |text: &str| text.starts_with('\u{feff}') || text.chars().filter(is_chinese).nth(SURE - 1).is_some();
    let utf8 = |record| std::str::from_utf8(record).ok().filter(|text| !is_gbk_by_chance(text));
    let records: Vec<_> = split_at_tags(bytes).into_iter().map(|record| utf8(record).ok_or(record)).collect();
    if !records.iter().flatten().any(|text| is_sure(text)) {
        return None;
    }
    let others: Vec<&[u8]> = records.iter().filter_map(|record| record.err()).collect();
    let others = charset_of(&sample(&others.concat()));
    if others == Charset::UTF_8 {
        return None;
    }
    let mut text = String::with_capacity(bytes.len() / 2 * 3);
    for record in records {
        match record {
            Ok(record) => text.push_str(record),
            Err(record) => text.push_str(&others.decode(record.strip_prefix(MARK).unwrap_or(record))),
        }
    }
    Some(text)
}

/// Splits a text before each line that begins with a tag and follows one that does not, and before a byte order mark and a tag: there a file was
/// appended, perhaps to one without a line end.
fn split_at_tags(bytes: &[u8]) -> Vec<&[u8]> {
    const MARKED_TAG: &[u8] = b"\xef\xbb\xbf[";
    let (mut parts, mut start, mut at, mut is_after_tag) = (Vec::new(), 0, 0, true);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let mark = line.windows(MARKED_TAG.len()).position(|part| part == MARKED_TAG);
        let is_tag = mark.is_some() || line.starts_with(b"[");
        if mark.is_some() || (is_tag && !is_after_tag) {
            let end = at + mark.unwrap_or(0);
            parts.push(&bytes[start..end]);
            start = end;
        }
        is_after_tag = is_tag;
        at += line.len();
    }
    parts.push(&bytes[start..]);
    parts
}

/// Maximum number of bytes used to detect an encoding.
const SAMPLE: usize = 1 << 20;

/// The lines of a text that are not ASCII, up to [`SAMPLE`] bytes, for detecting the encoding.
fn sample(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.len() <= SAMPLE {
        return Cow::Borrowed(bytes);
    }
    let mut sample = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| !line.is_ascii()) {
        let room = SAMPLE - sample.len();
        sample.extend_from_slice(&line[..line.len().min(room)]);
        if line.len() >= room {
            break;
        }
    }
    Cow::Owned(sample)
}

/// The encoding of bytes that are not valid UTF-8 and have no byte order mark.
fn detected(bytes: &[u8]) -> Charset {
    declared(bytes).unwrap_or_else(|| charset_of(&sample(bytes)))
}

/// The Chinese encoding that an XML file (`encoding="Big5"`) or the head of a web page (`<meta charset=big5>`) declares. Others are
/// ignored, since editors of pages declare western encodings by default.
fn declared(bytes: &[u8]) -> Option<Charset> {
    const HEAD: usize = 2048;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    let mut pages = head.split("<meta").skip(1).filter_map(|tag| tag.split('>').next());
    let xml = head.trim_start().strip_prefix("<?xml").and_then(|tag| attribute(tag.split('>').next()?, "encoding"));
    let page = pages.find_map(|tag| attribute(tag, "charset"));
    xml.and_then(charset_of_value).or_else(|| page.and_then(charset_of_value))
}

/// The text behind a name and an equals sign.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(name)?.1.trim_start().strip_prefix('=')
}

/// The Chinese encoding whose label begins a value.
fn charset_of_value(value: &str) -> Option<Charset> {
    let value = value.trim_start_matches([' ', '"', '\'']);
    let label = value.split(|letter: char| !(letter.is_ascii_alphanumeric() || "-_".contains(letter))).next()?;
    // Not by the table of all labels, which would bring every encoding into a program for browsers.
    match label {
        "gb2312" | "gbk" => Some(Charset::GBK),
        "gb18030" => Some(Charset::GB18030),
        "big5" | "big5-hkscs" => Some(Charset::BIG5),
        _ => None,
    }
}

/// Whether the lines of a text show together that they are in Big5; a short one alone may not show it.
pub(super) fn is_in_big5(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_ascii());
    lines.all(|line| std::str::from_utf8(line).is_err()) && charset_of(&sample(bytes)) == Charset::BIG5
}

/// Detects the encoding of bytes that are not valid UTF-8.
fn charset_of(bytes: &[u8]) -> Charset {
    let lossy = Charset::UTF_8.decode(bytes);
    if is_gbk_by_chance(&lossy) {
        return Charset::GB18030;
    }
    // Sequences of three bytes hardly occur by chance, those of two do.
    let (mut bad, mut short, mut long) = (0usize, 0usize, 0usize);
    for letter in lossy.chars().filter(|letter| !letter.is_ascii()) {
        *(if letter == UNREADABLE {
            &mut bad
        } else if letter < '\u{800}' {
            &mut short
        } else {
            &mut long
        }) += 1;
    }
    if short + long > 4 * bad || long > bad {
        return Charset::UTF_8;
    }
    let mainland = Charset::GB18030.decode(bytes);
    let taiwan = Charset::BIG5.decode(bytes);
    match words_in(&taiwan).cmp(&words_in(&mainland)) {
        Ordering::Greater => Charset::BIG5,
        Ordering::Less => Charset::GB18030,
        Ordering::Equal => {
            let big5 = common_in(bytes, is_common_in_big5) - oddities_in(&taiwan);
            let gbk = common_in(bytes, is_common_in_gbk) - oddities_in(&mainland);
            if big5 > gbk { Charset::BIG5 } else { Charset::GB18030 }
        }
    }
}

/// A measure of what a text in the right encoding does not have: bytes that are no character, characters for private use, and Chinese
/// characters next to Latin letters, which are accented letters in the other encoding.
fn oddities_in(text: &str) -> i64 {
    let is_han = |letter: char| ('\u{3400}'..='\u{9fff}').contains(&letter);
    let (mut count, mut before) = (0, ' ');
    for letter in text.chars() {
        let is_private = ('\u{e000}'..='\u{f8ff}').contains(&letter);
        let is_mixed = (is_han(letter) && before.is_ascii_alphabetic()) || (is_han(before) && letter.is_ascii_alphabetic());
        count += if letter == UNREADABLE || is_private { 4 } else { 2 * is_mixed as i64 };
        before = letter;
    }
    count
}

/// Whether a text in GBK is valid UTF-8: 未知 is. Chinese characters have three bytes in UTF-8, so one with only shorter sequences is not in
/// Chinese.
fn is_gbk_by_chance(text: &str) -> bool {
    let is_short = !text.is_ascii() && text.chars().all(|letter| letter < '\u{800}');
    if !is_short || is_shorthand(text) {
        return false;
    }
    let bytes = sample(text.as_bytes());
    // Phonetic letters, combining marks and scripts from Armenian on, where GBK has nothing but common characters: a name.
    let is_odd = |letter: char| matches!(letter, '\u{250}'..='\u{36f}' | '\u{530}'..);
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count() as i64;
    let is_name = || text.contains(is_odd) && 2 * common_in(&bytes, is_common_in_gbk) == high;
    words_in(&Charset::GB18030.decode(&bytes)) > 0 || is_name()
}

/// Whether a text has nothing outside ASCII but the lines that shorthand draws under digits: in GBK the bytes of `H87\u{332}` are 滩.
fn is_shorthand(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|letter| {
        let last = std::mem::replace(&mut before, letter);
        letter.is_ascii() || (matches!(letter, '\u{331}' | '\u{332}') && last.is_ascii_digit())
    })
}

/// The number of common characters less the number of bytes that are no character, if each character outside ASCII has two bytes.
fn common_in(bytes: &[u8], is_common: fn(u8, u8) -> Option<bool>) -> i64 {
    let (mut at, mut count) = (0, 0);
    while let Some(&lead) = bytes.get(at) {
        let pair = bytes.get(at + 1).and_then(|&trail| is_common(lead, trail));
        if lead >= 0x80 {
            count += pair.map_or(-1, i64::from);
        }
        at += if lead >= 0x80 && pair.is_some() { 2 } else { 1 };
    }
    count
}

/// Whether a pair of bytes in GBK is one of the 3755 common characters of GB 2312. `None` if it is no character.
fn is_common_in_gbk(lead: u8, trail: u8) -> Option<bool> {
    let is_character = (0x81..=0xfe).contains(&lead) && trail >= 0x40 && trail != 0x7f && trail != 0xff;
    is_character.then_some((0xb0..=0xd7).contains(&lead) && trail >= 0xa1)
}

/// Whether a pair of bytes in Big5 is one of its 5401 common characters. `None` if it is no character.
fn is_common_in_big5(lead: u8, trail: u8) -> Option<bool> {
    let is_character = (0xa1..=0xf9).contains(&lead) && matches!(trail, 0x40..=0x7e | 0xa1..=0xfe);
    is_character.then_some((0xa4..=0xc6).contains(&lead))
}

/// Decodes a text field in the given encoding, or GBK if there is none.
pub(super) fn decode_field(bytes: &[u8], encoding: Option<InputEncoding>) -> String {
    let encoding = encoding.map_or(Charset::GB18030, |InputEncoding(encoding)| encoding);
    encoding.decode(bytes).into_owned()
}

/// Like [`decode_field`], for a field of fixed size. If the text fills the field, its last character may be cut, and is then left out.
pub(super) fn decode_cut_field(bytes: &[u8], is_full: bool, encoding: Option<InputEncoding>) -> String {
    let mut text = decode_field(bytes, encoding);
    if is_full && text.ends_with(UNREADABLE) {
        text.pop();
    }
    text
}

/// Decodes a text field in GBK.
fn decode_gbk(bytes: &[u8]) -> String {
    decode_field(bytes, None)
}

/// Decodes a title that may consist of GBK text, a `|`, and the same text in Big5. Returns both halves. UTF-8 text is not split, nor is a title
/// in one encoding that contains a bar: the halves of a twin have the same number of characters, the first has common ones in GBK
/// and the second in Big5.
pub fn decode_twin_title(bytes: &[u8]) -> (String, Option<String>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (text.to_string(), None);
    }
    // `|` can also be a trail byte in both encodings, so the GBK half must be scanned pair by pair.
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'|' {
            let (left, right) = (&bytes[..at], &bytes[at + 1..]);
            let (first, second) = (decode_gbk(left), Charset::BIG5.decode(right).into_owned());
            let is_twin = first.trim().chars().count() == second.trim().chars().count()
                && common_in(left, is_common_in_gbk) >= common_in(left, is_common_in_big5)
                && common_in(right, is_common_in_big5) >= common_in(right, is_common_in_gbk);
            if is_twin {
                return (first, Some(second));
            }
            break;
        }
        at += if byte >= 0x81 { 2 } else { 1 };
    }
    (decode(bytes).into_owned(), None)
}

/// Encodes text. Characters that the encoding lacks become `?`; their number is returned.
///
/// ```
/// use xiangqi::records::{TextEncoding, encode};
///
/// let (bytes, lost) = encode("炮♥", TextEncoding::Gbk);
/// assert_eq!((bytes.as_ref(), lost), (b"\xc5\xda?".as_slice(), 1));
/// ```
pub fn encode(text: &str, encoding: TextEncoding) -> (Cow<'_, [u8]>, usize) {
    let target = match encoding {
        TextEncoding::Utf8 => return (Cow::Borrowed(text.as_bytes()), 0),
        TextEncoding::Gbk => Charset::GBK,
        TextEncoding::Big5 => Charset::BIG5,
    };
    if let Some(bytes) = target.encode(text) {
        return (bytes, 0);
    }
    let mut lost = 0;
    let mut out = Vec::with_capacity(text.len());
    let mut buffer = [0u8; 4];
    for letter in text.chars() {
        match target.encode(letter.encode_utf8(&mut buffer)) {
            Some(bytes) => out.extend_from_slice(&bytes),
            None => {
                lost += 1;
                out.push(b'?');
            }
        }
    }
    (Cow::Owned(out), lost)
}

/// The number of substrings that look like a move in Chinese characters: a piece or place, a number or piece, a direction, a
/// number.
fn moves_in(text: &str) -> usize {
    let number = |c: char| "一二三四五六七八九１２３４５６７８９123456789".contains(c);
    let piece = |c: char| "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒".contains(c);
    let rank = |c: char| "前中后後一二三四五".contains(c);
    let mut window = ['\0'; 4];
    let mut count = 0;
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        window.rotate_left(1);
        window[3] = letter;
        let [first, second, action, last] = window;
        let named = (piece(first) && number(second)) || (rank(first) && (piece(second) || number(second)));
        count += (named && "进進退平".contains(action) && number(last)) as usize;
    }
    count
}

fn words_in(text: &str) -> usize {
    moves_in(text) + results_in(text)
}

/// The number of results in words. A file with its moves in coordinates may have no other Chinese text.
fn results_in(text: &str) -> usize {
    const RESULTS: [&str; 7] = ["红胜", "紅勝", "黑胜", "黑勝", "和局", "和棋", "未知"];
    RESULTS.iter().map(|result| text.matches(result).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "1. 炮二平五 馬８進７ 2. 馬二進三 車９平８";

    #[test]
    fn names_and_accented_letters_are_recognised() {
        for (text, encoding) in [
            ("[Red \"José Pérez\"]\n[Black \"Đào\"]\n\n1. C2=5 H8+7", TextEncoding::Utf8),
            ("[Red \"José Pérez\"]\n\n1. C2=5 H8+7", TextEncoding::Gbk),
            ("[Red \"lǐ xuě\"]\n\n1. C2=5 H8+7", TextEncoding::Gbk),
            ("[Red \"郑惟桐\"]\n\n1. C2=5 H8+7", TextEncoding::Gbk),
            ("[Red \"吕钦\"]\n[Black \"A队\"]\n\n1. C2=5 H8+7", TextEncoding::Gbk),
            ("[Red \"趙鑫鑫\"]\n\n1. C2=5 H8+7", TextEncoding::Big5),
            ("[Red \"呂欽\"]\n\n1. C2=5 H8+7", TextEncoding::Big5),
            ("[Red \"Иван Петров\"]\n[Black \"Çelik\"]\n\n1. C2=5 H8+7", TextEncoding::Utf8),
            ("[Red \"Ελένη\"]\n\n1. C2=5 H8+7", TextEncoding::Utf8),
            ("C25 H87\u{332} H23\u{332}", TextEncoding::Utf8),
        ] {
            let (bytes, lost) = encode(text, encoding);
            assert_eq!((decode(&bytes).as_ref(), lost), (text, 0), "{encoding:?}");
        }
        for text in ["[Red \"a\"]\n\n1. 炮二平五 马8进7\n", "1. C2=5 H8+7"] {
            for is_big in [false, true] {
                let unit = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
                assert_eq!(decode(&bytes), text);
                assert_eq!(decode_file(bytes, None), text);
            }
        }
    }

    #[test]
    fn the_encoding_with_the_most_moves_is_chosen() {
        let simplified = "1. 炮二平五 马８进７ {应改走士6进5}";
        for (text, encoding) in [(simplified, TextEncoding::Gbk), (GAME, TextEncoding::Big5), (GAME, TextEncoding::Utf8)] {
            let (bytes, lost) = encode(text, encoding);
            assert_eq!(lost, 0);
            assert_eq!(decode(&bytes), text, "{encoding:?}");
        }
        assert_eq!(decode("\u{feff}炮".as_bytes()), "炮");
        assert_eq!(decode(b"\xff\xfe\xae\x70"), "炮");
    }

    #[test]
    fn a_text_without_chinese_moves_is_detected_by_its_results_and_characters() {
        let taiwan =
            ["[Red \"許銀川\"]", "[Black \"呂欽\"]\n1. h2e2", "{紅方先行，此局精彩}", "黑勝", "陳啟明", "全國象棋個人賽"];
        let mainland = [
            "[Red \"许银川\"]",
            "[Black \"吕钦\"]\n1. h2e2",
            "{红方先行，此局精彩}",
            "黑胜",
            "陈启明",
            "全国象棋个人赛",
            "赵鑫鑫",
        ];
        let cases = taiwan.map(|text| (text, TextEncoding::Big5)).into_iter();
        for (text, encoding) in cases.chain(mainland.map(|text| (text, TextEncoding::Gbk))) {
            let (bytes, lost) = encode(text, encoding);
            assert_eq!((decode(&bytes).as_ref(), lost), (text, 0), "{encoding:?}");
        }
        // Traditional characters in GBK.
        for text in ["許銀川", "[Event \"全國象棋個人賽\"]", "{紅方先行，此局精彩，黑馬過河}"] {
            assert_eq!(decode(&encode(text, TextEncoding::Gbk).0), text);
        }
    }

    #[test]
    fn the_chinese_encoding_that_a_page_declares_is_used() {
        // Valid in both encodings, and without common characters.
        let text = encode("彧", TextEncoding::Big5).0;
        for (head, expected) in [
            ("<meta charset=big5>", "彧"),
            ("<META http-equiv=\"Content-Type\" content='text/html; charset=Big5'>", "彧"),
            ("<meta charset = \"big5\">", "彧"),
            ("<?xml version=\"1.0\" encoding=\"Big5\"?>", "彧"),
            ("<?xml version='1.0' encoding = 'GB2312'?>", &decode_gbk(&text)),
            ("<?xml version=\"1.0\" encoding=\"utf-8\"?><meta charset=big5>", "彧"),
            ("<meta charset=gb2312>", &decode_gbk(&text)),
            ("<meta charset=iso-8859-1>", &decode_gbk(&text)),
        ] {
            let page = [head.as_bytes(), &text].concat();
            assert_eq!(decode(&page).strip_prefix(head), Some(expected), "{head}");
            assert_eq!(decode_file(page, None).strip_prefix(head), Some(expected), "{head}");
        }
        assert_eq!(decode("<meta charset=big5>炮".as_bytes()), "<meta charset=big5>炮");
    }

    #[test]
    fn a_damaged_name_in_utf8_is_detected() {
        for (bytes, text) in [
            (b"[Red \"\xe7\x8e\x8b\xe5\xa4\xa9\xe4\xb8\x80\xe6\"]".to_vec(), "[Red \"王天一\u{fffd}\"]"),
            (["[Red \"甲".as_bytes(), b"\xff", "乙\"]".as_bytes()].concat(), "[Red \"甲\u{fffd}乙\"]"),
        ] {
            assert_eq!((decode(&bytes).as_ref(), decode_file(bytes.clone(), None).as_str()), (text, text));
        }
    }

    #[test]
    fn damaged_utf8_is_detected() {
        let whole = GAME.as_bytes();
        for at in 0..whole.len() {
            let mut damaged = whole.to_vec();
            damaged[at] = 0xff;
            let text = decode(&damaged);
            let kept = text.chars().filter(|&letter| GAME.contains(letter)).count();
            assert!(text.contains(UNREADABLE) && kept + 3 > GAME.chars().count(), "byte {at}: {text}");
        }
        // Fewer than five characters are too few to detect the encoding.
        for at in "1. 炮二平五 馬".len()..whole.len() {
            let cut = decode(&whole[..at]);
            assert!(GAME.starts_with(cut.trim_end_matches(UNREADABLE)), "cut at {at}: {cut}");
        }
        // The other encodings are detected in truncated texts too.
        for encoding in [TextEncoding::Gbk, TextEncoding::Big5] {
            let (bytes, _) = encode(GAME, encoding);
            assert!(GAME.starts_with(decode(&bytes[..bytes.len() - 1]).trim_end_matches(UNREADABLE)), "{encoding:?}");
        }
    }

    #[test]
    fn records_in_different_encodings_are_decoded_one_by_one() {
        let utf8 = "[Red \"郑惟桐\"]\n[Black \"王天一\"]\n\n1. 炮二平五 马8进7\n\n";
        for (other, encoding) in [
            ("[Red \"许银川\"]\n[Black \"吕钦\"]\n\n1. 炮二平五 炮8平5\n\n", TextEncoding::Gbk),
            ("[Red \"許銀川\"]\n[Black \"呂欽\"]\n\n1. 炮二平五 馬8進7\n\n", TextEncoding::Big5),
        ] {
            let encoded = encode(other, encoding).0;
            let ascii = "[Red \"Xu\"]\n\n1. C2=5 H8+7\n\n";
            for (parts, text) in [
                (vec![utf8.as_bytes(), &encoded], format!("{utf8}{other}")),
                (vec![&encoded, utf8.as_bytes(), ascii.as_bytes()], format!("{other}{utf8}{ascii}")),
                (vec![&encoded, utf8.as_bytes(), utf8.as_bytes(), utf8.as_bytes()], format!("{other}{utf8}{utf8}{utf8}")),
                (vec![&encoded, &encoded, ascii.as_bytes()], format!("{other}{other}{ascii}")),
            ] {
                assert_eq!(decode_file(parts.concat(), None), text, "{encoding:?}");
            }
        }
        // A byte order mark begins a record in UTF-8, even one with few characters and behind one without a line end.
        let gbk = encode("[Red \"许银川\"]\n\n1. 炮二平五 炮8平5 1-0", TextEncoding::Gbk).0.into_owned();
        let marked = "\u{feff}[Red \"甲\"]\n\n1. C2=5 H8+7\n";
        assert_eq!(decode_file([&gbk[..], marked.as_bytes()].concat(), None), decode_gbk(&gbk) + marked);
        assert_eq!(decode_file([marked.as_bytes(), &gbk].concat(), None), marked.to_string() + &decode_gbk(&gbk));
        // A damaged record in UTF-8 stays in UTF-8.
        let mut damaged = [utf8, utf8].concat().into_bytes();
        let at = utf8.len() + 8;
        damaged[at] = 0xff;
        assert!(decode_file(damaged, None).ends_with("马8进7\n\n"));
    }

    #[test]
    fn an_encoding_is_detected_by_the_lines_that_are_not_ascii() {
        // The Chinese text is after more ASCII than the size of the sample.
        let ascii = "1. C2=5 H8+7 {a remark}\n".repeat(60_000);
        for encoding in [TextEncoding::Gbk, TextEncoding::Big5] {
            let text = format!("{ascii}{GAME}\n");
            let bytes = encode(&text, encoding).0.into_owned();
            assert!(bytes.len() > SAMPLE && sample(&bytes).len() < 100);
            assert_eq!(decode_file(bytes, None), text, "{encoding:?}");
        }
        let name = "Nguyễn";
        let (bytes, _, lost) = encoding_rs::WINDOWS_1258.encode("Nguy\u{ea}\u{303}n");
        assert!(!lost);
        let read = decode_file(bytes.into_owned(), "1258".parse().ok());
        assert_eq!(read, "Nguy\u{ea}\u{303}n", "{name}");
    }

    #[test]
    fn characters_that_an_encoding_lacks_are_counted() {
        assert_eq!(encode("马a☃", TextEncoding::Big5).1, 2);
        let (bytes, lost) = encode("炮☃二", TextEncoding::Gbk);
        assert_eq!((decode_gbk(&bytes).as_str(), lost), ("炮?二", 1));
    }

    #[test]
    fn both_halves_of_a_twin_title_are_read() {
        let mut bytes = encode("一|車", TextEncoding::Gbk).0.into_owned();
        bytes.truncate(3);
        bytes.extend_from_slice(&encode("車", TextEncoding::Big5).0);
        assert_eq!(decode_twin_title(&bytes), ("一".to_string(), Some("車".to_string())));
        assert_eq!(decode_twin_title("一|二".as_bytes()), ("一|二".to_string(), None));
        assert_eq!(decode_twin_title(b"\xd2"), ("\u{fffd}".to_string(), None));
        for title in ["适情雅趣|气吞关右", "梦入神机|第001局", "赵鑫鑫|许银川", "竹香斋|心武残编"] {
            assert_eq!(decode_twin_title(&encode(title, TextEncoding::Gbk).0), (title.to_string(), None));
        }
        for title in ["適情雅趣|氣吞關右", "竹香齋|象戲譜"] {
            assert_eq!(decode_twin_title(&encode(title, TextEncoding::Big5).0), (title.to_string(), None));
        }
    }
}
