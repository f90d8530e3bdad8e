//! Numbers of things in messages.

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
