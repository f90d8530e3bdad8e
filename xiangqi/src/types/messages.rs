//! Counts, quotations and lists in messages.

/// A count with its noun in singular or plural.
///
/// ```
/// use xiangqi::types::counted;
///
/// assert_eq!([0u64, 1, 2].map(|count| counted(count, "move")), ["0 moves", "1 move", "2 moves"]);
/// assert_eq!([1u16, 3].map(|count| counted(count, "ply")), ["1 ply", "3 plies"]);
/// ```
pub fn counted(count: impl TryInto<u64>, word: &str) -> String {
    written(count.try_into().unwrap_or(u64::MAX), word)
}

/// Compiled once for all types of numbers.
fn written(count: u64, word: &str) -> String {
    match (count, word.strip_suffix('y')) {
        (1, _) => format!("1 {word}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {word}s"),
    }
}

/// Quotes a text for an error message: shortened, and with line breaks and control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut short: String = text.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        short.push('…');
    }
    format!("'{short}'")
}

/// A list of names for a message, with `or` before the last.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    match names.into_iter().collect::<Vec<_>>().as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        names => names.join(", "),
    }
}
