//! Lists of positions, one per line: plain FEN, FEN with a title after a semicolon (XQWizard's EPD), FEN with EPD operations, FEN
//! with moves played from it, and `title|FEN`, `title|FEN|moves`, `FEN|moves` or `FEN|title`, also with commas or tabs. A number or a name may
//! precede the FEN, in its line or, in all of the file, in the lines above.

use super::error::{RecordError, RecordProblem};
use super::source::{File, Source, with_unreadable_fields};
use super::{Losses, Record, RecordResult, Setup, encoding, is_utf16};
use crate::board::{FenError, Position, is_empty_field, is_invisible};
use crate::notation::{GameLine, LineError, LineReader, PositionText, glued};
use crate::records::warning::{moves_after, warning};
use crate::types::RANKS;
use std::borrow::Cow;

/// Maximum length of a line in bytes. A position followed by 10,000 moves needs half of it.
///
/// ```
/// assert_eq!(xiangqi::records::fen_list::MAX_LINE, 131_072);
/// ```
pub const MAX_LINE: usize = 1 << 17;

/// Tag for the operations of an EPD line, unchanged, such as `bm e1e5; id "mate 3";`.
const OPERATIONS: &str = "EPD";

/// Number of bytes checked for NUL to reject binary files.
const HEAD: usize = 1 << 14;

/// Maximum number of lines of a title above a position.
///
/// ```
/// assert_eq!(xiangqi::records::fen_list::TITLE_LINES, 4);
/// ```
pub const TITLE_LINES: usize = 4;

/// The lines of a file.
struct Lines {
    bytes: Vec<u8>,
    at: usize,
    line: usize,
    /// Whether the file begins with a title, so that its positions have their titles above them.
    has_titles_above: bool,
}

impl Lines {
    /// The next line that is neither empty nor a remark.
    fn next_line(&mut self) -> Option<(&[u8], Result<Record, RecordError>)> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let rest = &self.bytes[start..];
            let length = rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            self.at += length + if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
            self.line += 1;
            if let Some(result) = read_line(&self.bytes[start..start + length]) {
                return Some((&self.bytes[start..start + length], result));
            }
        }
        None
    }

    /// The record of the position below one or more lines of its title, of which `first` has been read. `None`, with the next line again the
    /// one after the first, if no position follows.
    fn below_title(&mut self, first: String) -> Option<Record> {
        let (at, line) = (self.at, self.line);
        let mut title = first;
        for _ in 0..TITLE_LINES {
            match self.next_line() {
                Some((_, Ok(mut record))) => {
                    prepend_title(&mut record, &title);
                    return Some(record);
                }
                Some((text, Err(_))) => match title_above(text) {
                    Some(more) => title = format!("{title} {more}"),
                    None => break,
                },
                None => break,
            }
        }
        (self.at, self.line) = (at, line);
        None
    }
}

/// Adds what precedes a position, such as its number or the line above, to the start of its title.
///
/// ```
/// use xiangqi::records::fen_list::{prepend_title, read_line};
///
/// let mut record = read_line(b"4k4/9/9/9/9/9/9/9/9/3K5 w ; kings only").expect("no empty line")?;
/// prepend_title(&mut record, "Puzzle 1");
/// assert_eq!(record.tag("Title"), Some("Puzzle 1 kings only"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prepend_title(record: &mut Record, title: &str) {
    let own = record.tag("Title").unwrap_or_default();
    record.set_tag("Title", format!("{title} {own}").trim());
}

/// The text of a line that is no position, not even an invalid one. It can be the title of the position below; of a list it is, if the list
/// begins with such a line.
///
/// ```
/// use xiangqi::records::fen_list::title_above;
///
/// assert_eq!(title_above("第1局 \r".as_bytes()).as_deref(), Some("第1局"));
/// assert_eq!(title_above(b"9/9 w"), None);
/// ```
pub fn title_above(line: &[u8]) -> Option<String> {
    let text = encoding::decode(line);
    let text = text.trim_start_matches('\u{feff}').trim();
    // Also a damaged FEN has some.
    const ROWS: usize = 4;
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_ascii_row = first.contains('/') && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'/');
    let has_rows = is_ascii_row || text.matches(['/', '／', '%']).count() > ROWS;
    (!has_rows && !is_start(text) && line.len() <= MAX_LINE).then(|| text.to_string())
}

/// Whether a text starts with a line of a list: `position`, `startpos`, or a FEN, even an invalid one.
pub(super) fn is_start(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim();
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    if matches!((first, words.next()), ("position", Some("fen" | "startpos")) | ("startpos", None | Some("moves"))) {
        return true;
    }
    if cells(line.as_bytes()).is_some() || labelled(line.as_bytes()).is_some() {
        return true;
    }
    let fen = line.split(';').next().unwrap_or_default();
    let is_row = |row: &str| row.bytes().all(|byte| byte.is_ascii_digit() || b"kabnrcpehmgKABNRCPEHMG".contains(&byte));
    let rows: Vec<&str> = first.split('/').collect();
    (rows.len() > 5 && rows.iter().all(|row| is_row(row)) && first.contains(|letter: char| letter.is_ascii_digit()))
        || (fen.matches(['/', '%', '／']).count() >= 9 && read_board(fen))
}

/// The position of a line that consists only of a valid FEN.
fn bare_position(line: &str) -> Option<Setup> {
    let has_rows = line.matches('/').nth(8).is_some() && !line.contains([';', '|']);
    let mut text = PositionText::parse_line(if has_rows { line } else { return None });
    let fen = text.fen.as_mut().filter(|_| text.moves.is_empty())?;
    let begins_with_board = fen.split_ascii_whitespace().next().is_some_and(|first| first.contains('/'));
    let rest = split_operations(fen);
    Setup::from_fen(fen).ok().filter(|_| begins_with_board && rest.is_empty())
}

/// The number or name before the position of a line that consists only of them, its FEN, and the position.
pub(super) fn labelled_position(line: &str) -> Option<(&str, &str, Setup)> {
    let bare = bare_position(line).map(|setup| ("", line, setup));
    bare.or_else(|| {
        let (label, fen) = line.split_at(labelled(line.as_bytes())?.0.len());
        bare_position(fen).map(|setup| (without_sign(label), fen, setup))
    })
}

/// The number or name before the position of a line such as `1. FEN` or `第1题：FEN`, and the rest. The bytes may be of any encoding. `None` if the
/// line begins with its position, or has no valid one.
fn labelled(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_board = |text: &&[u8]| text.iter().filter(|&&byte| byte == b'/').count() + 1 >= RANKS;
    let board = line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'/').find(is_board)?;
    let (label, rest) = line.split_at(board.as_ptr() as usize - line.as_ptr() as usize);
    // A title can quote a position.
    if label.is_empty() || label.contains(&b';') {
        return None;
    }
    let end = rest.iter().position(|byte| !byte.is_ascii() || b";|,".contains(byte)).unwrap_or(rest.len());
    let is_position = |text: &[u8]| std::str::from_utf8(text).is_ok_and(read_board);
    // What precedes the board can also belong to the FEN, such as `fen=`.
    (is_position(&rest[..end]) && !is_position(&line[..label.len() + end])).then_some((label, rest))
}

/// A number or name without the sign behind it, or that of an item in a list. Empty if it has no letters or digits.
fn without_sign(label: &str) -> &str {
    let label = label.trim().trim_start_matches(['-', '*', '•', '·', '|', '>', ' ']);
    let label = label.trim_end_matches(|sign: char| sign.is_whitespace() || ".．、:：,，;；|-—`\"“'".contains(sign));
    if label.contains(char::is_alphanumeric) { label } else { "" }
}

/// The separators of the cells of a line.
const SIGNS: [char; 3] = ['|', ',', '\t'];
/// Maximum number of separators of each kind that are tried in a line.
const CELLS: usize = 16;

/// The offsets of the first signs of one kind in a line.
fn signs(line: &[u8], sign: char) -> impl Iterator<Item = usize> {
    line.iter().enumerate().filter(move |(_, byte)| **byte == sign as u8).map(|(at, _)| at).take(CELLS)
}

/// The title, the position and the moves of a line `title|FEN` or `title|FEN|moves`, or with commas or tabs, see also [`first_cell`]. The bytes may
/// be of any encoding: a bar that is half of a character is not followed by a FEN.
fn cells(line: &[u8]) -> Option<(&[u8], &str, &[u8])> {
    let titled = SIGNS.iter().find_map(|sign| {
        signs(line, *sign).find_map(|at| {
            let behind = &line[at + 1..];
            let end = behind.iter().position(|&byte| byte == *sign as u8).unwrap_or(behind.len());
            let fen = std::str::from_utf8(&behind[..end]).ok()?;
            let moves = behind.get(end + 1..).unwrap_or_default();
            // A row of a table in Markdown begins with the sign.
            let title = line[..at].strip_prefix(&[*sign as u8]).unwrap_or(&line[..at]);
            bare_position(fen).map(|_| (title, fen, moves))
        })
    });
    titled.or_else(|| first_cell(line))
}

/// As [`cells`], of a line `FEN|moves` or `FEN|title`. `None` if the text behind the sign are fields of the FEN or operations.
fn first_cell(line: &[u8]) -> Option<(&[u8], &str, &[u8])> {
    // Bytes that show whether moves follow.
    const BEGINNING: usize = 64;
    let position = |text| std::str::from_utf8(text).ok().filter(|fen| bare_position(fen).is_some());
    let has_sign = line.iter().any(|&byte| SIGNS.contains(&(byte as char)));
    if !has_sign || position(line.split(|byte| *byte == b';').next()?).is_some() {
        return None;
    }
    SIGNS.iter().find_map(|sign| {
        // The fields of the FEN can have tabs between them.
        let (at, fen) = signs(line, *sign).map_while(|at| Some((at, position(&line[..at])?))).last()?;
        let behind = line[at + 1..].trim_ascii();
        let text = in_utf8(behind);
        let text = &text[..text.floor_char_boundary(BEGINNING)];
        let first = text.split(|letter: char| letter.is_whitespace() || SIGNS.contains(&letter)).next().unwrap_or_default();
        let is_field = first.chars().nth(1).is_none() || first.bytes().all(|byte| byte.is_ascii_digit());
        match glued::words(text).first().is_some_and(|word| glued::begins_with_move(word)) {
            true => Some((&b""[..], fen, behind)),
            false if !first.is_empty() && (is_field || first == "moves" || is_operation(behind)) => None,
            false => Some((behind, fen, &b""[..])),
        }
    })
}

/// Whether a line starts with a valid FEN, optionally followed by operations and moves.
fn read_board(line: &str) -> bool {
    let mut text = PositionText::parse_line(line);
    text.fen.as_mut().map(split_operations);
    text.fen.is_some_and(|fen| Setup::from_fen(&fen).is_ok())
}

/// Opens a file.
///
/// # Errors
/// Returns an error if it is not a text file.
pub(super) fn open(file: File) -> Result<Box<dyn Source>, RecordError> {
    let bytes = match file.encoding {
        // Without a known encoding each line is decoded separately, since titles may be in two encodings.
        Some(_) => file.text().into_bytes(),
        None if is_utf16(&file.bytes) => file.text().into_bytes(),
        None if is_in_big5(&file.bytes) => file.text().into_bytes(),
        None => file.bytes,
    };
    if bytes[..bytes.len().min(HEAD)].contains(&0) {
        return Err(RecordError::new("byte 0", RecordProblem::NoGame("text, or the mark of XQF, CBR or CBL in a binary file")));
    }
    let start = || Lines { bytes: Vec::new(), at: 0, line: 0, has_titles_above: false };
    let mut lines = Lines { bytes, ..start() };
    let has_titles_above = lines.next_line().is_some_and(|(line, record)| record.is_err() && title_above(line).is_some());
    Ok(Box::new(Lines { bytes: lines.bytes, has_titles_above, ..start() }))
}

/// Whether the lines of a list, or of its beginning, show together that its titles are in Big5. A title of few characters alone may be common in
/// GBK too.
///
/// ```
/// use xiangqi::records::fen_list::is_in_big5;
/// use xiangqi::records::{TextEncoding, encode};
///
/// let list = "4k4/9/9/9/9/9/9/9/9/3K5 w ; 單車勝士象全\n4k4/9/9/9/9/9/9/9/9/3K5 w ; 象棋殘局\n";
/// assert!(is_in_big5(&encode(list, TextEncoding::Big5).0) && !is_in_big5(list.as_bytes()));
/// ```
pub fn is_in_big5(list: &[u8]) -> bool {
    !list.is_ascii() && encoding::is_in_big5(list) && !has_twins(list)
}

/// Whether a line of a list has a title in two encodings.
fn has_twins(bytes: &[u8]) -> bool {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_ascii());
    lines.filter_map(|line| split_parts(split_label(line).1).title).any(|title| encoding::decode_twin_title(title).1.is_some())
}

impl Source for Lines {
    fn next(&mut self) -> Option<Result<Record, RecordError>> {
        let has_titles_above = self.has_titles_above;
        let (line, record) = self.next_line()?;
        let title = if has_titles_above && record.is_err() { title_above(line) } else { None };
        Some(title.and_then(|title| self.below_title(title)).map_or(record, Ok))
    }

    fn place(&self, _: usize) -> String {
        format!("line {}", self.line)
    }

    fn line(&self) -> Option<usize> {
        Some(self.line)
    }

    fn progress(&self) -> (usize, usize) {
        (self.at, self.bytes.len())
    }
}

/// A line of a list.
///
/// ```
/// use xiangqi::records::fen_list::Line;
///
/// let line = Line::read(b"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1; id \"a; b\"; acd 12").expect("no empty line");
/// assert_eq!(line.operations, [("id".into(), "a; b".into()), ("acd".into(), "12".into())]);
/// assert_eq!(line.record?.tag("Title"), Some("a; b"));
/// let titled = Line::read(b"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1; a title").expect("no empty line");
/// assert_eq!(titled.operations, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Line {
    /// The EPD operations in order, also of an invalid position, each with its operands as one text without the surrounding quotation
    /// marks; none if the line is too long.
    pub operations: Vec<(String, String)>,
    /// The game or position, see [`read_line`].
    pub record: Result<Record, RecordError>,
}

impl Line {
    /// Reads one line. Returns `None` for an empty line or one that starts with `#`.
    ///
    /// ```
    /// use xiangqi::records::fen_list::Line;
    ///
    /// let invalid = Line::read(b"9/9 w dm 2;").expect("no empty line");
    /// assert!(invalid.record.is_err() && invalid.operations == [("dm".into(), "2".into())]);
    /// assert!(Line::read(b"# a remark").is_none());
    /// ```
    pub fn read(line: &[u8]) -> Option<Line> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        // `copy` of Windows ends a joined text with this character.
        let line = line.strip_suffix(b"\x1a").unwrap_or(line).trim_ascii();
        let is_blank = |letter: char| letter.is_whitespace() || is_invisible(letter);
        let start = std::str::from_utf8(line).map_or(line, |line| line.trim_start_matches(is_blank).as_bytes());
        if start.is_empty() || start.starts_with(b"#") {
            return None;
        }
        if line.len() > MAX_LINE {
            let error = RecordError::new("line", format!("{} bytes long, expected at most {MAX_LINE}", line.len()));
            return Some(Line { operations: Vec::new(), record: Err(error) });
        }
        let line = &with_plain_spaces(line);
        let (label, line) = split_label(line);
        let parts = split_parts(line);
        let single = operations_in(&parts.operations);
        let record = read(parts, &single, without_sign(&in_utf8(label))).map(with_unreadable_fields);
        Some(Line { operations: single, record })
    }
}

/// Reads the record of one line. Returns `None` for an empty line or one that starts with `#`.
///
/// ```
/// use xiangqi::records::fen_list::read_line;
///
/// let line = b"4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1 ; kings only";
/// let record = read_line(line).expect("no empty line")?;
/// assert_eq!((record.plies(), record.tag("Title")), (1, Some("kings only")));
/// assert!(read_line(b"# a remark").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The record ends before the first unreadable move; [`Record::main_line_fault`] gives the reason. If only the other side can make the
/// first move, the side to move is corrected.
///
/// # Errors
/// Returns an error if the FEN is invalid or the line is too long.
pub fn read_line(line: &[u8]) -> Option<Result<Record, RecordError>> {
    Line::read(line).map(|line| line.record)
}

/// A line with Unicode whitespace replaced if it is UTF-8. The bytes of other encodings are left unchanged.
fn with_plain_spaces(line: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(line).ok().filter(|line| !line.is_ascii()) {
        Some(line) => {
            let plain = line.replace(|letter: char| letter.is_whitespace() && !letter.is_ascii(), " ");
            Cow::Owned(plain.trim().as_bytes().to_vec())
        }
        None => Cow::Borrowed(line),
    }
}

/// The text of a position or of moves. Short texts in UTF-8 could be taken for another encoding: `H87̲`.
fn in_utf8(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| encoding::decode(bytes), Cow::Borrowed)
}

/// Splits a line into the number or name before its position, which is empty if there is none, and the rest. What precedes the sign in a line
/// of [`cells`] is a title, not a label; the rest of a line with a label can still have cells, such as `1. FEN|title`.
fn split_label(line: &[u8]) -> (&[u8], &[u8]) {
    match labelled(line) {
        Some(parts) if cells(line).is_none() => parts,
        _ => (b"", line),
    }
}

/// The parts of a line behind its number or name.
struct Parts<'a> {
    /// The position and the moves.
    text: PositionText,
    /// The EPD operations.
    operations: String,
    /// The bytes of the title.
    title: Option<&'a [u8]>,
    /// The result in the last of several cells.
    result: RecordResult,
}

/// Splits a line without its number or name into its parts.
fn split_parts(line: &[u8]) -> Parts<'_> {
    let result = RecordResult::Unknown;
    if let Some((title, fen, moves)) = cells(line) {
        let mut text = PositionText::parse_line(fen);
        let moves = in_utf8(moves);
        let is_sign = |letter: char| letter.is_whitespace() || SIGNS.contains(&letter);
        let last = moves
            .rsplit_once(is_sign)
            .and_then(|(moves, last)| Some((moves.trim_end_matches(is_sign), RecordResult::at_end(last)?)));
        let (moves, result) = last.unwrap_or((&moves, result));
        // The word that introduces moves after a FEN is allowed here too.
        text.moves = moves.split_whitespace().skip_while(|&word| word == "moves").map(str::to_string).collect();
        return Parts { text, operations: String::new(), title: Some(title), result };
    }
    let (position, rest) = match (at_wide_semicolon(line), line.iter().position(|&byte| byte == b';')) {
        (Some((fen, title)), _) => (fen, Some(title.trim_ascii())),
        (None, None) => (line, None),
        (None, Some(at)) => (&line[..at], Some(line[at + 1..].trim_ascii())),
    };
    let mut text = PositionText::parse_line(&in_utf8(position));
    let operations = text.fen.as_mut().map(split_operations).unwrap_or_default();
    match rest {
        // Operations end with semicolons, so the text after the first semicolon belongs to them.
        Some(rest) if !operations.is_empty() || is_operation(rest) => {
            let rest = encoding::decode(rest);
            let all = if operations.is_empty() { rest.into_owned() } else { format!("{operations}; {rest}") };
            Parts { text, operations: all.trim_end().to_string(), title: None, result }
        }
        title => Parts { text, operations, title, result },
    }
}

/// The FEN and the title of a line in which a full-width semicolon, in UTF-8, GBK or Big5, directly follows the FEN.
fn at_wide_semicolon(line: &[u8]) -> Option<(&[u8], &[u8])> {
    const SIGNS: [&[u8]; 3] = ["；".as_bytes(), b"\xa3\xbb", b"\xa1\x46"];
    let (fen, rest) = line.split_at(line.iter().position(|byte| !byte.is_ascii())?);
    let title = SIGNS.iter().find_map(|sign| rest.strip_prefix(*sign))?;
    std::str::from_utf8(fen).ok().and_then(bare_position).map(|_| (fen, title))
}

/// The single operations of a text, with their operands.
fn operations_in(text: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    let ends = |letter: char| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    };
    let operations = text.split(ends).map(str::trim).filter(|operation| !operation.is_empty());
    let parts = operations.map(|operation| operation.split_once(char::is_whitespace).unwrap_or((operation, "")));
    let bare = |text: &str| text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).to_string();
    parts.map(|(name, operands)| (name.to_string(), bare(operands.trim()))).collect()
}

/// The record of a line that has been split; `single` are its operations one by one, and `label` is the number or name before the position.
fn read(parts: Parts<'_>, single: &[(String, String)], label: &str) -> Result<Record, RecordError> {
    let Parts { text, operations, title, result } = parts;
    let moves = glued::numbered_words(&text.moves.join(" "));
    let mut setup = text.fen.as_deref().map_or(Ok(Setup::standard()), Setup::from_fen).map_err(RecordError::of)?;
    take_counters(&mut setup, single);
    let mut record = match setup.position() {
        Ok(start) => played(start, &moves)?,
        Err(error) => {
            let mut record = Record::new(setup);
            record.warn(warning!(
                "this position cannot occur in a game: {0}",
                "对局中不可能出现此局面：{0}",
                FenError::from(error)
            ));
            record.leave_out(moves.len());
            record
        }
    };
    record.result = result;
    if !operations.is_empty() && !is_operation(operations.as_bytes()) {
        let start: String = operations.chars().take(20).collect();
        record.warn(warning!(
            "'{0}' after the FEN is not a known operation; kept unchanged",
            "FEN之后的“{0}”不是已知的操作，原样保留",
            start
        ));
    }
    if let Some((_, id)) = single.iter().find(|(name, _)| name == "id") {
        record.set_tag("Title", id);
    }
    record.set_tag(OPERATIONS, operations);
    if let Some(title) = title {
        let (title, twin) = encoding::decode_twin_title(title);
        record.set_tag("Title", title.trim());
        record.set_tag("TitleBig5", twin.unwrap_or_default().trim());
    }
    if !label.is_empty() {
        prepend_title(&mut record, label);
    }
    Ok(record)
}

/// Sets the counters that EPD has as operations instead of the last two fields of FEN.
fn take_counters(setup: &mut Setup, operations: &[(String, String)]) {
    for (name, value) in operations {
        // As the fields, see `Setup::from_fen`.
        match (name.as_str(), value.parse::<u64>()) {
            ("hmvc", Ok(plies)) => setup.clock = plies.min(u16::MAX as u64) as u16,
            ("fmvn", Ok(number)) => setup.fullmove = number.clamp(1, u16::MAX as u64) as u32,
            _ => {}
        }
    }
}

/// A record of these moves up to the first unreadable one.
fn played(start: Position, moves: &[String]) -> Result<Record, RecordError> {
    let (line, fault, is_other_side) = read_moves(&LineReader::default().with_diagrams(), start, moves);
    let mut record = Record::new(Setup::from_position(&line.position.initial()));
    let mut at = record.root();
    for mv in line.position.moves() {
        at = record.add(at, mv).map_err(|full| RecordError::new("moves", full))?;
    }
    if is_other_side {
        record.warn(warning!(
            "the side to move of the FEN differs from that of the first move; {0} moves",
            "FEN的走棋方与第一着不符，改为{0}走",
            record.start.side
        ));
    }
    if let Some(error) = fault {
        let lost = moves.len() - (error.number - 1).min(moves.len());
        record.break_main_line(warning!("{0}; left out", "{0}；已略去", error).and(match lost {
            0 | 1 => warning!("", ""),
            _ => warning!(" with {0}", "，连同{0}", moves_after(lost - 1)),
        }));
        record.leave_out(lost);
    }
    Ok(record)
}

/// Reads the moves up to the first unreadable one. Returns them with the error of that move, and whether the side to move had to be changed
/// for the first move.
fn read_moves(reader: &LineReader, start: Position, moves: &[String]) -> (GameLine, Option<LineError>, bool) {
    let (line, fault) = reader.read_prefix(start.clone(), moves);
    if line.position.plies() == 0 && fault.is_some() {
        let mut setup = Setup::from_position(&start);
        setup.side = !setup.side;
        if let Ok(other) = setup.position() {
            let (line, fault) = reader.read_prefix(other, moves);
            if line.position.plies() > 0 {
                return (line, fault, true);
            }
        }
    }
    (line, fault, false)
}

/// Removes the text after the fields of a FEN and returns it.
fn split_operations(fen: &mut String) -> String {
    // The last field may be followed by a closing quotation mark.
    let bare = |word: &str| word.trim_end_matches(|letter: char| !letter.is_ascii_digit() && letter != '-').to_string();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_counter = |word: &str| is_empty_field(word) || bare(word) == "-" || is_number(&bare(word));
    let words: Vec<&str> = fen.split_ascii_whitespace().collect();
    // The board may be preceded by a name.
    let board = words.iter().position(|word| word.contains('/')).unwrap_or(0);
    let has_side = words.get(board + 1).is_some_and(|word| !is_operation(word.as_bytes()));
    let fields = board + 1 + has_side as usize;
    let fields = fields + words.iter().skip(fields).take(4).take_while(|word| is_counter(word)).count();
    let operations = words.get(fields..).unwrap_or_default().join(" ");
    *fen = words[..fields.min(words.len())].join(" ");
    operations
}

/// Whether a text starts with the name of an EPD operation. Only the names of the standard are recognised, since a title can start with any
/// other word.
fn is_operation(text: &[u8]) -> bool {
    const NAMES: [&str; 21] = [
        "acd", "acn", "acs", "am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "nic", "noop", "pm", "pv", "rc", "resign",
        "sm", "sv", "tcgs", "tcri",
    ];
    let word = text.split(|byte| byte.is_ascii_whitespace() || *byte == b';').next().unwrap_or_default();
    let is_numbered = matches!(word, [b'c' | b'v', b'0'..=b'9']);
    is_numbered || NAMES.iter().any(|name| name.as_bytes() == word)
}

/// Writes every position of the main line, one per line, each followed by the title; if the record has EPD operations, they follow the first
/// position and there is no title. Also returns the data that the format cannot store.
///
/// ```
/// use xiangqi::records::fen_list::{read_line, write};
///
/// let record = read_line(b"4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1").expect("no empty line")?;
/// let (text, losses) = write(&record);
/// assert_eq!(text, "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1\n4k4/9/9/9/9/9/9/9/3K5/9 b - - 1 1\n");
/// assert!(losses.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(record: &Record) -> (String, Losses) {
    let mut losses = Losses::default();
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let operations = record.tag(OPERATIONS).map(|operations| format!(" {}", one_line(operations)));
    let named = record.tag(OPERATIONS).map(operations_in);
    // Beside operations the title is kept only as one of them.
    let is_title =
        |text: &str| named.as_ref().is_none_or(|named| named.iter().any(|(name, value)| name == "id" && value == text));
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in record.tags().filter(|(_, value)| !value.is_empty()) {
        let kept = ["Title", OPERATIONS].into_iter().find(|kept| kept.eq_ignore_ascii_case(name));
        // Of a repeated tag the first value counts.
        let is_first = kept.is_some_and(|kept| !seen.contains(&kept));
        seen.extend(kept);
        if is_first && (kept == Some(OPERATIONS) || is_title(value)) {
            losses.add("line breaks in tags", value.trim().contains('\n') as usize);
        } else {
            losses.tag(name);
        }
    }
    losses.add("comments", record.comments());
    losses.add("move marks such as ! and ?", record.glyph_count());
    losses.add("moves of variations", record.moves_in_tree() - record.plies());
    losses.add("results", (record.result != RecordResult::Unknown) as usize);
    let title = record.tag("Title").filter(|_| operations.is_none()).map(one_line).unwrap_or_default();
    let (before, title) = match is_operation(title.trim_start().as_bytes()) {
        // Behind a semicolon it would be read as operations.
        true => (format!("{}|", title.trim()), String::new()),
        false if title.is_empty() => (String::new(), title),
        false => (String::new(), format!(" ; {title}")),
    };
    let mut out = String::new();
    let mut put = |fen: &str, behind: &str| {
        out.push_str(&before);
        out.push_str(fen);
        out.push_str(behind);
        out.push('\n');
    };
    put(&record.start.to_fen(), operations.as_ref().unwrap_or(&title));
    if let Ok(mut position) = record.start.position() {
        for mv in record.moves() {
            position.make(mv);
            put(&position.to_fen(), &title);
        }
    }
    (out, losses)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4";

    fn operations(line: &[u8]) -> Vec<(String, String)> {
        Line::read(line).map(|line| line.operations).unwrap_or_default()
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let read = |text: &str| read_line(text.as_bytes()).unwrap().unwrap();
        assert_eq!(read(KINGS).start.to_fen(), format!("{KINGS} w - - 0 1"));
        assert_eq!(read(&format!("{KINGS} b - - 4 9 ; a; b")).tag("Title"), Some("a; b"));
        assert_eq!(read(&format!("fen {KINGS} b - - 4 9 moves d9d8 e1e5")).plies(), 2);
        assert_eq!(read("position startpos moves h2e2").plies(), 1);
        assert_eq!(read("position startpos moves 炮二平五 马8进7").plies(), 2);
        assert_eq!(read(&format!("{KINGS} w - - bm e1e5")).tag(OPERATIONS), Some("bm e1e5"));
        assert!(read_line(b"  \r\n").is_none() && read_line(b"# note").is_none());
        assert!(read_line("\u{200b}\r\n".as_bytes()).is_none() && read_line(b"\x1a").is_none());
    }

    fn records(text: &str) -> Vec<Result<Record, RecordError>> {
        let file = File { bytes: text.as_bytes().to_vec(), encoding: None };
        let mut source = open(file).unwrap();
        std::iter::from_fn(|| source.next()).collect()
    }

    #[test]
    fn lines_above_a_position_are_its_title_where_the_file_begins_with_one() {
        let titles = |text: &str| -> Vec<Option<String>> {
            let title = |record: Record| record.tag("Title").unwrap_or_default().to_string();
            records(text).into_iter().map(|record| record.ok().map(title)).collect()
        };
        let some = |title: &str| Some(title.to_string());
        assert_eq!(titles(&format!("第1局\n{KINGS} w\n\n第2局\n红先胜\n\n{KINGS} b\n")), [some("第1局"), some("第2局 红先胜")]);
        assert_eq!(titles(&format!("One\n{KINGS} w ; first\n{KINGS} w\n")), [some("One first"), some("")]);
        // Neither the text behind the last position nor an invalid position is a title.
        assert_eq!(titles(&format!("One\n{KINGS} w\nthe end\n")), [some("One"), None]);
        assert_eq!(titles(&format!("One\n9/9 w\n{KINGS} w\n")), [None, None, some("")]);
        assert_eq!(titles(&format!("{}\n{KINGS} w\n", KINGS.replace('k', "。"))), [None, some("")]);
        assert_eq!(titles(&format!("{KINGS} w\nred wins\n{KINGS} b\n")), [some(""), None, some("")]);
        assert_eq!(titles(&format!("1\n2\n3\n4\n5\n{KINGS} w\n")), [None, some("2 3 4 5")]);
    }

    #[test]
    fn operations_are_kept_unchanged() {
        for operations in ["bm e1e5", "bm e1e5; id \"mate; in 1\";", "id \"x y\";", "acd 12; ce 300;"] {
            let line = format!("{KINGS} w - - 0 1 {operations}");
            let record = read_line(line.as_bytes()).unwrap().unwrap();
            assert_eq!(record.tag(OPERATIONS), Some(operations));
            let (text, losses) = write(&record);
            assert_eq!((text.trim_end(), losses.is_empty()), (line.as_str(), true));
        }
        // Two of them are the counters of the position.
        for (text, fen) in
            [("hmvc 7; fmvn 31;", "w - - 7 31"), ("0 1 fmvn 0; hmvc 70000;", "w - - 65535 1"), ("hmvc x;", "w - - 0 1")]
        {
            let record = read_line(format!("{KINGS} w - - {text}").as_bytes()).unwrap().unwrap();
            assert_eq!(record.start.to_fen(), format!("{KINGS} {fen}"), "{text}");
        }
        let record = read_line(format!("{KINGS} w - - 0 1 ; id \"a b\"; bm e1e5;").as_bytes()).unwrap().unwrap();
        assert_eq!((record.tag("Title"), record.tag(OPERATIONS)), (Some("a b"), Some("id \"a b\"; bm e1e5;")));
    }

    #[test]
    fn a_title_that_begins_like_an_operation_is_read_back() {
        let mut record = Record::new(Setup::from_fen(KINGS).unwrap());
        for title in ["am Rhein", "c1", "resign", "Am Rhein", "mate; in 1"] {
            record.set_tag("Title", title);
            let (text, losses) = write(&record);
            assert!(losses.is_empty() && is_start(&text), "{text}");
            assert_eq!(read_line(text.trim_end().as_bytes()).unwrap().unwrap(), record, "{text}");
        }
    }

    #[test]
    fn a_title_that_is_not_written_is_a_loss() {
        let mut record = read_line(format!("{KINGS} w - - 0 1 ; id \"a\"; bm e1e5;").as_bytes()).unwrap().unwrap();
        record.set_tag("Title", "b");
        assert_eq!(write(&record).1.to_string(), "tag Title 1");
        record.remove_tag(OPERATIONS);
        record.set_tag("Title", "one\ntwo");
        record.add_tag("title", "c");
        assert_eq!(write(&record).1.to_string(), "line breaks in tags 1, tag title 1");
    }

    #[test]
    fn unreadable_characters_of_a_title_are_reported() {
        let record = read_line(&[KINGS.as_bytes(), b" w ; \xb5\xda\xd2"].concat()).unwrap().unwrap();
        assert_eq!((record.tag("Title"), record.warnings().len()), (Some("第\u{fffd}"), 1));
    }

    #[test]
    fn the_semicolon_before_a_title_may_be_full_width() {
        use crate::records::TextEncoding::{Gbk, Utf8};
        let line = format!("{KINGS} w - - 0 1；第一局");
        for charset in [Utf8, Gbk] {
            let record = read_line(&encoding::encode(&line, charset).0).unwrap().unwrap();
            assert_eq!((record.tag("Title"), record.warnings()), (Some("第一局"), vec![]), "{charset:?}");
        }
        // In operations it is an ordinary character.
        let operations = operations(format!("{KINGS} w - - 0 1 id \"甲；乙\";").as_bytes());
        assert_eq!(operations, [("id".to_string(), "甲；乙".to_string())]);
    }

    #[test]
    fn titles_in_big5_are_recognised_together() {
        // The second alone could be in GBK.
        let titles = ["氣吞關右", "雙蝶翩躚", "江湖七星", "海底撈月"];
        let list: String = titles.iter().map(|title| format!("{KINGS} w - - 0 1 ; {title}\n")).collect();
        let bytes = encoding::encode(&list, crate::records::TextEncoding::Big5).0.into_owned();
        let mut lines = open(File { bytes, encoding: None }).unwrap();
        let records: Vec<Record> = std::iter::from_fn(|| lines.next()).map(|line| line.unwrap()).collect();
        assert_eq!(records.iter().map(|record| record.tag("Title").unwrap()).collect::<Vec<_>>(), titles);
    }

    #[test]
    fn lines_without_operations_have_none() {
        for rest in ["", " w", " w - - 0 1", " b - - 4 9 ; a; b", " b - - 4 9; a; b", " w - - 0 1 moves e1e5", " ; title"] {
            assert_eq!(operations(format!("{KINGS}{rest}").as_bytes()), [], "{rest}");
        }
        for line in ["position startpos moves h2e2", "startpos", ""] {
            assert_eq!(operations(line.as_bytes()), [], "{line}");
        }
        let found = operations(format!("{KINGS} w - - 0 1; id \"a; b\"; bm e1e5; acd 12;").as_bytes());
        let expected = [("id", "a; b"), ("bm", "e1e5"), ("acd", "12")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_string(), value.to_string())));
        let invalid = Line::read(b"9/9 w - - 3 7 dm 2;").unwrap();
        assert!(invalid.record.is_err());
        assert_eq!(invalid.operations, [("dm".to_string(), "2".to_string())], "of invalid positions too");
    }

    #[test]
    fn titles_and_moves_may_be_separated_by_bars_commas_or_tabs() {
        for (line, title, plies) in [
            (format!("一|{KINGS} w - - 0 1"), "一", 0),
            (format!("2步杀600,{KINGS} w"), "2步杀600", 0),
            (format!("2步杀, 第600局, {KINGS} w, e1e5 d9d8"), "2步杀, 第600局", 2),
            (format!("2步杀600\t{KINGS} w\te1e5,d9d8"), "2步杀600", 2),
            (format!("甲, 乙|{KINGS} w|e1e5,d9d8"), "甲, 乙", 2),
            (format!("{KINGS} w - - 0 1 ; 甲, 乙"), "甲, 乙", 0),
            (format!("第1局 甲; 乙|{KINGS} w|e1e5,d9d8,e5e6"), "第1局 甲; 乙", 3),
            (format!("a|b|{KINGS} w|e1e5 d9d8"), "a|b", 2),
            (format!("a | {KINGS} w | moves e1e5 d9d8"), "a", 2),
            (format!("|{KINGS}|"), "", 0),
            (format!("{KINGS} w - - 0 1 ; a|b"), "a|b", 0),
            (format!("{KINGS} w|e1e5 d9d8"), "", 2),
            (format!("{KINGS} w|"), "", 0),
            (format!("{KINGS} w - - 0 1,e1e5,d9d8"), "", 2),
            (format!("{KINGS} w - - 0 1\t1. 车五进四 将4进1"), "", 2),
            (format!("{KINGS}\tw\t红先胜, 甲"), "红先胜, 甲", 0),
            (format!("{KINGS} w,红先胜"), "红先胜", 0),
            (format!("{KINGS}\tw\t; a, b"), "a, b", 0),
        ] {
            let record = read_line(line.as_bytes()).unwrap().unwrap();
            assert_eq!((record.tag("Title").unwrap_or_default(), record.plies()), (title, plies), "{line}");
            assert_eq!((record.warnings(), record.start.to_board_fen()), (vec![], format!("{KINGS} w")), "{line}");
            assert_eq!(operations(line.as_bytes()), [], "{line}");
            assert!(is_start(&line), "{line}");
        }
        // The last cell can be the result.
        for line in [format!("a|{KINGS} w|e1e5 d9d8|1-0"), format!("{KINGS} w, e1e5 d9d8, 红胜"), format!("{KINGS} w,e1e5,1-0")]
        {
            let record = read_line(line.as_bytes()).unwrap().unwrap();
            assert_eq!((record.result, record.warnings()), (RecordResult::RedWins, vec![]), "{line}");
        }
        let tabs = read_line(format!("{KINGS}\tw\t-\t-\t3\t9\tbm e1e5;").as_bytes()).unwrap().unwrap();
        assert_eq!((tabs.tag(OPERATIONS), tabs.start.fullmove), (Some("bm e1e5;"), 9));
        // In GBK a bar can be half of a character.
        let text = format!("第一局剕|{KINGS} w|e1e5");
        let gbk = encoding::encode(&text, crate::records::TextEncoding::Gbk).0;
        let record = read_line(&gbk).unwrap().unwrap();
        assert_eq!((record.tag("Title"), record.plies()), (Some("第一局剕"), 1));
        assert!(read_line(b"a|9/9 w").unwrap().is_err() && !is_start("a|b|c") && !is_start("|"));
    }

    #[test]
    fn a_number_or_name_may_precede_the_position() {
        for (line, title) in [
            (format!("1. {KINGS} w - - 0 1"), "1"),
            (format!("1.{KINGS}"), "1"),
            (format!("12、{KINGS} w"), "12"),
            (format!("3) {KINGS} w"), "3)"),
            (format!("4 {KINGS} w"), "4"),
            (format!("第1题：{KINGS} w - - 0 1"), "第1题"),
            (format!("【第2局】{KINGS} w"), "【第2局】"),
            (format!("海底捞月: {KINGS} w ; 红先胜"), "海底捞月 红先胜"),
            (format!("5. {KINGS} w id \"a\";"), "5 a"),
            (format!("- {KINGS} w"), ""),
            (format!("| 6 | `{KINGS} w` |"), "6"),
            (format!("7. {KINGS} w ; as 3k5/9/9/9/9/9/9/9/9/4K4"), "7 as 3k5/9/9/9/9/9/9/9/9/4K4"),
        ] {
            for charset in [crate::records::TextEncoding::Utf8, crate::records::TextEncoding::Gbk] {
                let record = read_line(&encoding::encode(&line, charset).0).unwrap().unwrap();
                assert_eq!((record.tag("Title").unwrap_or_default(), record.warnings()), (title, vec![]), "{line}");
                assert_eq!(record.start.to_board_fen(), format!("{KINGS} w"), "{line}");
            }
            assert!(is_start(&line), "{line}");
        }
        for moves in ["8. {KINGS} w moves e1e5", "8. {KINGS} w|e1e5", "8. {KINGS} w, 车五进四"] {
            let record = read_line(moves.replace("{KINGS}", KINGS).as_bytes()).unwrap().unwrap();
            assert_eq!((record.plies(), record.tag("Title")), (1, Some("8")), "{moves}");
        }
        // What belongs to the FEN is no name, and a title can quote a position.
        for line in [format!("fen {KINGS} w"), format!("https://a.b/c?fen={KINGS}_w"), format!("[FEN \"{KINGS} w\"]")] {
            assert_eq!(read_line(line.as_bytes()).unwrap().unwrap().tag("Title"), None, "{line}");
        }
        let quoting = read_line(format!("startpos moves h2e2 ; {KINGS}").as_bytes()).unwrap().unwrap();
        assert_eq!((quoting.plies(), quoting.tag("Title")), (1, Some(KINGS)));
        for line in ["1. Buy milk", "1. 2024/1/2/3/4/5/6/7/8/9 a log"] {
            assert!(read_line(line.as_bytes()).unwrap().is_err() && !is_start(line), "{line}");
        }
    }

    #[test]
    fn invalid_lines_are_errors_with_a_reason() {
        for (line, part) in [("hello", "1 row,"), ("9/9 w moves h2e2", "2 rows")] {
            let error = read_line(line.as_bytes()).unwrap().unwrap_err().to_string();
            assert!(error.starts_with("FEN ") && error.contains(part), "{line}: {error}");
        }
        assert!(read_line(&[b'9'; MAX_LINE + 1]).unwrap().is_err());
        assert!(read_line(b"\xff\xfe\xfd").unwrap().is_err());
    }

    #[test]
    fn moves_are_decoded_like_titles() {
        for line in [format!("一|{KINGS} w|车五进四 将4进1"), "position startpos moves 炮二平五 马8进7".into()] {
            let gbk = encoding::encode(&line, crate::records::TextEncoding::Gbk).0;
            assert_eq!(read_line(&gbk).unwrap().unwrap().plies(), 2, "{line}");
        }
    }

    #[test]
    fn an_illegal_move_ends_the_line() {
        for (line, plies, lost, part) in [
            ("startpos moves a0a9", 0, 1, "move 1 (round 1, red): 'a0a9': the red rook on a0 cannot make that move; left out"),
            ("startpos moves h2e2 xyz h0g2", 1, 2, "move 2 (round 1, black): 'xyz' is not a move in any notation"),
            ("startpos moves 1. h2e2 h9g7 2. h0g2 i9h9 3. a0a9 b9c7", 4, 2, "move 5 (round 3, red): 'a0a9': the red"),
            (
                "startpos moves 1. 炮二平五 2. 马二进三 马8进7",
                1,
                2,
                "move 2 (round 1, black): '马二进三' is not the next move by its number",
            ),
        ] {
            let record = read_line(line.as_bytes()).unwrap().unwrap();
            assert_eq!((record.plies(), record.left_out()), (plies, lost), "{line}: {:?}", record.warnings());
            let fault = record.main_line_fault().unwrap();
            assert!(fault.starts_with(part), "{line}: {fault}");
            assert_eq!(fault.ends_with("left out with the move after it"), lost == 2, "{fault}");
        }
    }

    #[test]
    fn a_position_that_cannot_occur_in_a_game_is_kept_and_reported() {
        let record = read_line(b"3k5/9/9/9/9/9/9/9/4R4/3K5 w moves e1e2 d9d8").unwrap().unwrap();
        assert_eq!((record.start.to_board_fen().as_str(), record.left_out()), ("3k5/9/9/9/9/9/9/9/4R4/3K5 w", 2));
        assert!(
            record.warnings()[0].starts_with("this position cannot occur in a game: FEN row 1 column 4"),
            "{:?}",
            record.warnings()
        );
        assert!(record.final_position().is_err());
    }

    #[test]
    fn moves_without_blanks_and_quoted_fens_are_read() {
        let read = |text: &str| read_line(text.as_bytes()).unwrap().unwrap();
        for line in
            ["startpos moves h2e2,h9g7,h0g2", "startpos moves 1.炮二平五，马8进7。2.马二进三", "startpos moves C2=5 H8+7,H2+3!"]
        {
            assert_eq!((read(line).plies(), read(line).warnings()), (3, vec![]), "{line}");
        }
        for line in [
            format!("FEN: {KINGS} w - - 0 1"),
            format!("\"{KINGS} w - - 0 1\""),
            format!("{KINGS}[]_w_-_-_0_1"),
            format!("'{KINGS} red - - 0 1'; bm e1e5"),
            format!("\u{200b}{KINGS}\u{200e} w - - 0 1\u{feff}"),
            format!("{KINGS} w - - 0 1\u{1a}"),
        ] {
            assert_eq!(read(&line).start.to_fen(), format!("{KINGS} w - - 0 1"), "{line}");
        }
        assert_eq!(read(&format!("'{KINGS} red - - 0 1'; bm e1e5")).tag(OPERATIONS), Some("bm e1e5"));
        for dashes in ["– –", "— −", "-- －", "‐\u{a0}―"] {
            let record = read(&format!("{KINGS} b {dashes} 7 38 bm e1–e5; id \"a – b\""));
            assert_eq!(record.start.to_fen(), format!("{KINGS} b - - 7 38"), "{dashes}");
            assert_eq!((record.tag(OPERATIONS), record.warnings()), (Some("bm e1–e5; id \"a – b\""), vec![]), "{dashes}");
        }
    }

    #[test]
    fn the_first_move_determines_the_side_to_move() {
        let record = read_line(format!("{KINGS} w - - 0 1 moves d9d8 e1e5").as_bytes()).unwrap().unwrap();
        assert_eq!((record.plies(), record.start.side, record.main_line_fault()), (2, crate::types::Color::Black, None));
        assert_eq!(record.warnings(), ["the side to move of the FEN differs from that of the first move; black moves"]);
    }

    #[test]
    fn writing_lists_the_main_line() {
        let record = read_line(format!("{KINGS} b - - 4 9 moves d9d8 e1e5 ; t").as_bytes()).unwrap().unwrap();
        let (text, losses) = write(&record);
        assert_eq!(text.lines().count(), 3);
        assert_eq!(text.lines().last(), Some("9/3k5/9/9/4R4/9/9/9/9/4K4 b - - 6 10 ; t"));
        assert_eq!(losses.to_string(), "");
    }
}
