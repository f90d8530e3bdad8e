//! Lists of positions, one a line: bare FEN, FEN with a title behind a semicolon (XQWizard's EPD), EPD operations, and FEN with
//! moves played from it.

use super::{Losses, Record, RecordError, Setup, encoding};
use crate::types::Move;

/// Longest line that is read, in bytes. A position with 10,000 moves behind it takes half of it.
pub const MAX_LINE: usize = 1 << 17;

/// The tag that keeps what an EPD line holds between the position and its title.
pub(super) const OPERATIONS: &str = "EPD";

/// Reads one line; none for an empty line or one that begins with `#`.
///
/// # Errors
/// What is wrong with the FEN, or which move behind it is not legal.
pub fn read_line(line: &[u8]) -> Option<Result<Record, RecordError>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() || line.starts_with(b"#") {
        return None;
    }
    if line.len() > MAX_LINE {
        return Some(Err(RecordError::new("line", format!("{} bytes long, expected at most {MAX_LINE}", line.len()))));
    }
    Some(read(line))
}

fn read(line: &[u8]) -> Result<Record, RecordError> {
    let (position, title) = match line.iter().position(|&byte| byte == b';') {
        None => (line, None),
        Some(at) => (&line[..at], Some(line[at + 1..].trim_ascii())),
    };
    let position = String::from_utf8_lossy(position);
    let mut words: Vec<&str> = position.split_ascii_whitespace().collect();
    if words.first() == Some(&"position") {
        words.remove(0);
    }
    if words.first() == Some(&"fen") {
        words.remove(0);
    }
    let moves_at = words.iter().position(|&word| word == "moves");
    let moves = moves_at.map(|at| words.split_off(at)).unwrap_or_default();
    let is_counter = |word: &str| word == "-" || word.bytes().all(|byte| byte.is_ascii_digit());
    let fields = 2 + words.iter().skip(2).take(4).take_while(|word| is_counter(word)).count();
    let operations = words.split_off(fields.min(words.len())).join(" ");
    let start = match words.first() {
        Some(&"startpos") => Setup::standard(),
        _ => {
            // The checks for a legal position have the better messages, so they come first.
            let position = crate::board::Position::from_diagram(&words.join(" "));
            Setup::from_position(&position.map_err(|error| RecordError::new("FEN", error.to_string()))?)
        }
    };
    let mut record = Record::new(start);
    let mut at = record.root();
    for text in moves.iter().skip(1) {
        let mv = Move::from_uci(text).map_err(|error| RecordError::new("moves", error))?;
        at = record.add(at, mv).map_err(|full| RecordError::new("moves", full.to_string()))?;
    }
    if !operations.is_empty() {
        record.set_tag(OPERATIONS, operations);
    }
    if let Some(title) = title {
        let (title, twin) = encoding::decode_twin_title(title);
        record.set_tag("Title", title.trim());
        record.set_tag("TitleBig5", twin.unwrap_or_default().trim());
    }
    let checked = record.legal_part();
    match checked.warnings().first() {
        None => Ok(checked),
        Some(problem) => Err(RecordError::new("moves", problem.clone())),
    }
}

/// Writes every position of the main line, one a line, the title behind each, and says what does not fit.
pub fn write(record: &Record) -> (String, Losses) {
    let mut losses = Losses::default();
    record.tags().filter(|(name, value)| *name != "Title" && !value.is_empty()).for_each(|(name, _)| losses.tag(name));
    losses.add("comments", record.comments());
    losses.add("move marks such as ! and ?", record.glyph_count());
    losses.add("moves of variations", record.moves_in_tree() - record.plies());
    losses.add("results", (record.result != super::RecordResult::Unknown) as usize);
    let title = record.tag("Title").map(|title| format!(" ; {}", title.replace(['\n', '\r'], " "))).unwrap_or_default();
    let mut out = String::new();
    let mut put = |fen: &str| {
        out.push_str(fen);
        out.push_str(&title);
        out.push('\n');
    };
    put(&record.start.to_fen());
    if let Ok(mut position) = record.start.position() {
        for mv in record.moves() {
            position.make(mv);
            put(&position.to_fen());
        }
    }
    (out, losses)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4";

    #[test]
    fn every_kind_of_line_is_read() {
        let read = |text: &str| read_line(text.as_bytes()).unwrap().unwrap();
        assert_eq!(read(KINGS).start.to_fen(), format!("{KINGS} w - - 0 1"));
        assert_eq!(read(&format!("{KINGS} b - - 4 9 ; a; b")).tag("Title"), Some("a; b"));
        assert_eq!(read(&format!("fen {KINGS} b - - 4 9 moves d9d8 e1e5")).plies(), 2);
        assert_eq!(read("position startpos moves h2e2").plies(), 1);
        assert_eq!(read(&format!("{KINGS} w - - bm e1e5")).tag(OPERATIONS), Some("bm e1e5"));
        assert!(read_line(b"  \r\n").is_none() && read_line(b"# note").is_none());
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        for (line, part) in [
            ("hello", "1 rows"),
            ("9/9/9/9/9/9/9/9/9/9 w", "no red king"),
            ("startpos moves e2e4", "ply 1: e2e4 is not legal"),
            ("startpos moves xyz", "'xyz' is no move"),
        ] {
            let error = read_line(line.as_bytes()).unwrap().unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
        assert!(read_line(&[b'9'; MAX_LINE + 1]).unwrap().is_err());
        assert!(read_line(b"\xff\xfe\xfd").unwrap().is_err());
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
