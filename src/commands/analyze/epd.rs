//! The operations after a position in EPD: `bm e1e5; id "mate 7";`.

/// The operations of a line in order, each with its operands as one string without the surrounding quotation marks. Empty for a line
/// without operations: a bare FEN, a FEN with moves, or with a title after a semicolon.
pub fn operations(line: &str) -> Vec<(String, String)> {
    let mut rest = line.trim_start_matches('\u{feff}').trim();
    for prefix in ["position", "fen"] {
        rest = strip_word(rest, |word| word == prefix).unwrap_or(rest);
    }
    // The board, the side, and up to four counters.
    for _ in 0..2 {
        rest = strip_word(rest, |word| word != "moves" && !word.starts_with(';')).unwrap_or(rest);
    }
    let is_counter = |word: &str| word == "-" || word.bytes().all(|byte| byte.is_ascii_digit());
    for _ in 0..4 {
        // A semicolon right after a counter begins a title too.
        if strip_word(rest, |word| word.strip_suffix(';').is_some_and(|word| !word.is_empty() && is_counter(word))).is_some() {
            return Vec::new();
        }
        rest = strip_word(rest, is_counter).unwrap_or(rest);
    }
    if rest.starts_with(';') || strip_word(rest, |word| word == "moves").is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for operation in split_outside_quotes(rest) {
        let operation = operation.trim();
        if operation.is_empty() {
            continue;
        }
        let (name, operands) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        found.push((name.to_string(), unquoted(operands.trim()).to_string()));
    }
    found
}

/// Strips the first word if it satisfies the predicate.
fn strip_word(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<&str> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty() && is_wanted(word)).then(|| rest.trim_start())
}

fn split_outside_quotes(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4";

    #[test]
    fn operations_are_kept_in_order() {
        let found = operations(&format!("{KINGS} w - - bm e1e5; id \"a; b\"; acd 12"));
        let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, [("bm", "e1e5"), ("id", "a; b"), ("acd", "12")]);
        assert_eq!(operations(&format!("{KINGS} w - - 3 7 dm 2;")), [("dm".to_string(), "2".to_string())]);
    }

    #[test]
    fn lines_that_are_not_epd_have_no_operations() {
        for rest in ["", " w", " w - - 0 1", " b - - 4 9 ; a; b", " b - - 4 9; a; b", " w - - 0 1 moves e1e5", " ; title"] {
            assert_eq!(operations(&format!("{KINGS}{rest}")), [], "{rest}");
        }
        assert_eq!(operations("position startpos moves h2e2"), []);
        assert_eq!(operations("startpos"), []);
        assert_eq!(operations(""), []);
    }
}
